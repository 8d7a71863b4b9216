package config

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"time"
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
		if err != nil || !slices.Contains([]string{"approve", "mode", "limits.steps", "limits.tokens", "limits.cost", "limits.time"}, key) {
			l.warn("%s: %s is refused; a project may only tighten approve, mode and limits", path, plain(key))
			return nil
		}
		text, err := s.text(raw)
		if err != nil {
			return from(err, key, path)
		}
		old, _ := l.value(key)
		if text == old.text {
			return nil
		}
		if !stricter(key, text, old.text) {
			if key == "approve" && text == "ask" { // without a terminal the default is stricter still
				return nil
			}
			l.warn("%s: %s %s is refused; a project may not loosen %s, which comes from %s", path, key, text, old.text, old.source)
			return nil
		}
		l.put(key, text, path)
		return nil
	})
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
		order := []string{"none", "ask", "edits", "all"}
		return slices.Index(order, text) < slices.Index(order, than)
	case "mode":
		return text == "plan"
	case "limits.time":
		a, _ := time.ParseDuration(text)
		b, _ := time.ParseDuration(than)
		return tighter(float64(a), float64(b))
	}
	a, _ := strconv.ParseFloat(text, 64)
	b, _ := strconv.ParseFloat(than, 64)
	return tighter(a, b)
}

// tighter compares limits, of which 0 is none.
func tighter(a, b float64) bool { return a > 0 && (b == 0 || a < b) }
