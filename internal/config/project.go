package config

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
)

// project lays a folder's own settings over the person's, as far as they tighten them.
func (l *layers) project(dir string, home Home) error {
	if dir == "" {
		return nil
	}
	path := ProjectFile(dir)
	if sameFile(path, home.File()) { // the folder is the person's home folder
		return nil
	}
	data, _, err := readFile(path)
	if err != nil {
		return err
	}
	doc, err := parseDocument(path, data)
	if err != nil {
		return err
	}
	return walk(doc, nil, func(key string, raw json.RawMessage) error {
		s, _, err := Find(key)
		if err != nil || !tightens(key) {
			l.warn("%s: %s is refused; a project may only tighten approve, mode, limits, vitals and protection", path, plain(key))
			return nil
		}
		text, err := s.text(raw)
		if err != nil {
			l.warn("%s: %s is no value of %s; it is passed over", path, plain(string(raw)), key)
			return nil
		}
		old, _ := l.value(key)
		if text == old.text {
			return nil
		}
		if !stricter(key, text, old.text) {
			if key == "approve" && text == "ask" { // without a terminal the default is stricter still
				return nil
			}
			l.warn("%s: %s %s is refused; a project may not loosen %s, which comes from %s", path, key, text, old.text, nebula.Say(old.source))
			return nil
		}
		l.put(key, text, path)
		return nil
	})
}

// tightens reports whether a project may have a word on a setting.
func tightens(key string) bool {
	switch key {
	case "approve", "mode", "protection":
		return true
	}
	return strings.HasPrefix(key, "limits.") || strings.HasPrefix(key, "vitals.") || strings.HasPrefix(key, "plan.")
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// stricter reports whether a value allows less than another.
func stricter(key, text, than string) bool {
	switch key {
	case "approve":
		return gate.Approve(text).Stricter(gate.Approve(than))
	case "mode":
		return text == "plan"
	case "protection":
		order := []string{"folder", "extensions", "contents", "full"}
		return slices.Index(order, text) > slices.Index(order, than)
	case "limits.time", "plan.step_time":
		a, _ := time.ParseDuration(text)
		b, _ := time.ParseDuration(than)
		return tighter(float64(a), float64(b))
	}
	a, _ := strconv.ParseFloat(text, 64)
	b, _ := strconv.ParseFloat(than, 64)
	if strings.HasPrefix(key, "vitals.") {
		return a > b
	}
	return tighter(a, b)
}

// tighter compares limits, of which 0 is none.
func tighter(a, b float64) bool { return a > 0 && (b == 0 || a < b) }
