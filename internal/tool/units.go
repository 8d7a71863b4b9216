package tool

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"nebula/internal/index"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What a file without definitions is made of: the keys and sections of settings, the headings of a text. A content that has only some of
// them is a part of the file.

// A unit is one of them; a section has others in it.
type unit struct {
	name    string
	section bool
}

var (
	iniKey   = &lazy.Pattern{X: `^\s*([^\s#;\[][^=:]*?)\s*[=:]`}
	yamlKey  = &lazy.Pattern{X: `^["']?([\w./@$ -]+?)["']?\s*:(?:\s+(.*))?$`}
	heading  = &lazy.Pattern{X: `^(#{1,6})\s+\S`}
	oldOrNew = &lazy.Pattern{X: `(?i)^(old|before|from|was|current|旧|変更前|修正前|new|after|to|now|updated|新|変更後|修正後)\s*[:：]\s*(\S.*)$`}
	fromTo   = &lazy.Pattern{X: `^(\s*)([\w.-]+):\n\s+(?:from|old):\s*(\S.*)\n\s+(?:to|new):\s*(\S.*)\n*$`}
)

// unitsOf are the units of a text, by the ending of its file's name; none where nobody can tell.
func unitsOf(at, text string) []unit {
	switch strings.ToLower(path.Ext(at)) {
	case ".json":
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &object) != nil {
			return nil
		}
		var all []unit
		for name := range object {
			all = append(all, unit{name: name})
		}
		return all
	case ".yml", ".yaml":
		return settings(text, true)
	case ".toml", ".ini", ".cfg", ".conf", ".properties", ".env":
		return settings(text, false)
	}
	return nil
}

// settings are the units of a text of lines with keys: those at the left edge, where deeper lines are what such a key holds; or those of
// each section in brackets.
func settings(text string, edge bool) (all []unit) {
	in := ""
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, " \t\r\n")
		switch key := iniKey.For(l).FindStringSubmatch(l); {
		case l == "":
		case edge:
			if key := yamlKey.For(l).FindStringSubmatch(l); key != nil && lead(l) == "" {
				all = append(all, unit{name: key[1]})
			} else if len(all) > 0 && (lead(l) != "" || strings.HasPrefix(l, "- ")) {
				all[len(all)-1].section = true
			}
		case strings.HasPrefix(l, "[") && strings.HasSuffix(l, "]"):
			in = strings.Trim(l, "[] ")
			all = append(all, unit{in, true})
		case key != nil:
			all = append(all, unit{name: strings.TrimPrefix(in+"."+key[1], ".")})
		}
	}
	return all
}

// dropped are the units of the file that a content has not, where it is a part of it: half of them or more, or a section with all that it
// holds; or it begins in the middle of a text with headings.
func (c *content) dropped() (names []string) {
	was, now := unitsOf(c.path, c.file.text), unitsOf(c.path, c.text)
	whole, keys, gone := false, 0, 0 // sections apart, all keys and those that are gone
	for _, u := range was {
		if !u.section {
			keys++
		}
		if !slices.ContainsFunc(now, func(n unit) bool { return n.name == u.name }) {
			names = append(names, u.name)
			if whole = whole || u.section; !u.section {
				gone++
			}
		}
	}
	fresh := lists.Drop(now, func(n unit) bool { return slices.ContainsFunc(was, func(u unit) bool { return n.name == u.name }) })
	if len(was) > 1 && len(names) > len(fresh) && (whole || gone > 0 && 2*gone >= keys) {
		return names
	}
	if !markup.In(c.path) || c.path == "" {
		return nil
	}
	heads := func(lines []string) (all []string) {
		for _, l := range lines {
			if heading.In(l) {
				all = append(all, strings.TrimSpace(l))
			}
		}
		return all
	}
	of, given := heads(c.file.lines), heads(c.lines())
	if len(of) == 0 || len(given) == 0 || level(given[0]) <= level(of[0]) || len(of) == 1 && len(filledLines(c.file.lines)) < 2 {
		return nil
	}
	return lists.Drop(of, func(h string) bool { return lists.Has(given, h) })
}

//go:noinline
func level(heading string) int { return len(heading) - len(strings.TrimLeft(heading, "#")) }

// wordless reports whether a content is nothing but remarks, where the file has code.
func (c *content) wordless() bool {
	code, known := index.Code(c.path, []byte(c.text))
	if !known || strings.TrimSpace(code) != "" || strings.ContainsAny(c.text, "\"'`") {
		return false
	}
	was, _ := index.Code(c.path, []byte(c.file.text))
	return strings.TrimSpace(was) != ""
}

// labels reads a content of two texts behind labels for the old and the new, or a key of settings with them.
func (c *content) labels() (edits []replacement, looks bool) {
	if m := fromTo.For(c.text).FindStringSubmatch(c.text); m != nil {
		for _, l := range c.file.lines {
			if strings.TrimSpace(l) == m[2]+": "+m[3] && strings.Count(c.file.text, l) == 1 {
				return []replacement{{Old: l, New: lead(l) + m[2] + ": " + m[4]}}, true
			}
		}
	}
	lines := filledLines(c.lines())
	if len(lines) != 2 || c.was[lines[0]] {
		return nil, false
	}
	old, new := oldOrNew.For(lines[0]).FindStringSubmatch(lines[0]), oldOrNew.For(lines[1]).FindStringSubmatch(lines[1])
	if old == nil || new == nil {
		return nil, false
	}
	if from := bareWords(old[2]); strings.Count(c.file.text, from) == 1 {
		return []replacement{{Old: from, New: bareWords(new[2])}}, true
	}
	return nil, false
}

// doubled reads a content that has one definition in two versions, of a file with one line: the second is what the first becomes.
func (c *content) doubled() []replacement {
	was, given := filledLines(c.file.lines), filledLines(c.lines())
	if len(was) != 1 || len(given) != 2 || given[0] != was[0] || given[1] == was[0] {
		return nil
	}
	names := index.Definitions(c.path, []byte(c.text))
	if len(names) == 2 && names[0].Name == names[1].Name || len(names) == 0 && !strings.ContainsAny(was[0], " \t=:,") && shapeOf(given[1]) == shapeOf(was[0]) && shapeOf(was[0]) != "a" {
		return []replacement{{Old: was[0], New: given[1]}}
	}
	return nil
}
