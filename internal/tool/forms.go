package tool

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
)

// A form is a way to write an edit that models have. Marks stand on lines of their own; a form without an end goes on
// to the next beginning.
type form struct {
	name           nebula.Words
	open, mid, end *lazy.Pattern
}

// marked are the forms whose marks are lines. What is called search, and what replaces it, has many names.
var marked = []form{
	{name: nebula.Say("a SEARCH/REPLACE edit"),
		open: &lazy.Pattern{X: `^<{3,40} ?(?:SEARCH|ORIGINAL|OLD|BEFORE|FIND|HEAD)\b[^<]{0,60}$|^<{5,40}[^<]{0,60}$|^<< ?SEARCH$`},
		mid:  &lazy.Pattern{X: `^={2,40}[ \t]*[A-Z]{0,12}$`},
		end:  &lazy.Pattern{X: `^>{3,40} ?(?:REPLACE|UPDATED|NEW|AFTER|SEARCH|END)$|^>{5,40}[^>]{0,60}$|^>> ?REPLACE$`}},
	{name: nebula.Say("a SEARCH/REPLACE edit"),
		open: &lazy.Pattern{X: `^-{3,40} ?(?:SEARCH|ORIGINAL)>?$`},
		mid:  &lazy.Pattern{X: `^={3,40}$`},
		end:  &lazy.Pattern{X: `^\+{3,40} ?(?:REPLACE|UPDATED)>?$`}},
}

// tagged is the form of two elements, one behind the other.
var tagged = &lazy.Pattern{X: `(?is)<(?:` + strings.Join(halves["old"], "|") + `)>(.*?)</[a-z_]+>\s*<(?:` + strings.Join(halves["new"], "|") + `)>(.*?)</(?:` + strings.Join(halves["new"], "|") + `)>`}

var (
	someOf   = &lazy.Pattern{X: `(?i)^\W*(?:\S+\s*[(\[:,]?\s*)?(?:lines?|l\.|行)\s*\d+(?:\s*(?:[-–~〜,]|to)\s*\d+)?\W*$|^\W*\S+(?::|#L)\d+\s*[-–]\s*L?\d+\W*$|^\W*(?:\S+\s*[(\[]?\s*)?\d+\s*[-–~〜]\s*\d+\s*行目?\W*$|^\d+\s*[-–]\s*\d+\s*[|｜]`}
	cutJSON  = &lazy.Pattern{X: `^\[?\s*\{\s*"(?:edits|changes|` + strings.Join(halves["old"], "|") + `)"\s*:`}
	naming   = &lazy.Pattern{X: `(?i)^[#/*\s` + "`" + `]*(?:file(?:name)?|path)?:?\s*[\w./\\-]+\.\w{1,8}[` + "`" + `*:]*$`}
	wrapping = &lazy.Pattern{X: `^</?[\w:-]+>$|^<(?:path|file|file_path)>.*</\w+>$`}
	fenceEnd = &lazy.Pattern{X: "^(?:```|~~~)"}
)

// edits reads a content as the edit that it looks like. form is empty when it looks like none; there are no edits when it
// looks like one and cannot be read as it. Lines that the file has are no sign.
func (c *content) edits() (edits []replacement, form nebula.Words) {
	for _, f := range marked {
		if edits, ok := c.between(f); ok {
			return edits, f.name
		}
	}
	readings := []struct {
		name nebula.Words
		read func() ([]replacement, bool)
	}{
		{pair, c.tags},
		{nebula.Say("a list of edits"), c.json},
		{nebula.Say("a diff"), c.diff},
		{nebula.Say("a listing with line numbers"), c.numbers},
		{nebula.Say("a few lines of it"), c.portion},
	}
	for _, r := range readings {
		if edits, ok := r.read(); ok {
			return edits, r.name
		}
	}
	return c.dressed()
}

// lines are the content's lines without their ends.
func (c *content) lines() []string { return strings.Split(strings.TrimSuffix(c.text, "\n"), "\n") }

// noise reports whether a line can stand around an edit without being a part of it.
func (c *content) noise(l string) bool {
	l = strings.TrimSpace(l)
	switch {
	case l == "", fenceEnd.In(l), naming.In(l):
		return true
	case len(l) < len(c.path)+24 && strings.Contains(l, path.Base(c.path)):
		return true
	}
	return slices.ContainsFunc([]string{"//", "#", "/*", "*", "<!--", ";", "%", "-- "}, func(mark string) bool { return strings.HasPrefix(l, mark) })
}

// between reads a form whose marks are lines.
func (c *content) between(f form) (edits []replacement, looks bool) {
	if c.shows(f) {
		return nil, false
	}
	const outside, searching, replacing = 0, 1, 2
	at, whole := outside, true
	var old, new []string
	flush := func() {
		edits = append(edits, replacement{Old: part(old), New: part(new)})
		old, new = nil, nil
	}
	for _, l := range c.lines() {
		t := narrow(strings.TrimSpace(l))
		fresh := t != "" && !c.was[strings.TrimSpace(l)]
		switch {
		case at == searching && f.mid.In(t):
			at = replacing
		case fresh && f.open.In(t):
			if at == replacing {
				flush()
			}
			whole, looks, at = whole && at != searching, true, searching
		case fresh && f.end.In(t):
			if looks = true; at == replacing {
				flush()
			} else {
				whole = false
			}
			at = outside
		case at == searching:
			old = append(old, l)
		case at == replacing:
			whole = whole && (!fresh || !f.mid.In(t))
			new = append(new, l)
		default:
			whole = whole && c.noise(l)
		}
	}
	if !whole || !looks || at != outside {
		return nil, looks
	}
	return edits, true
}

// shows reports whether a document has the marks of a form in what it shows, indented as a block of code or fenced, beside text of its own that is
// all of what the file has.
func (c *content) shows(f form) bool {
	if !papers.In(c.path) {
		return false
	}
	own, fenced, marks := map[string]bool{}, false, 0
	for _, l := range c.lines() {
		t := strings.TrimSpace(l)
		plain := narrow(t)
		switch {
		case fenceEnd.In(t):
			fenced = !fenced
		case t != "" && (f.open.In(plain) || f.end.In(plain)):
			if marks++; !fenced && !strings.HasPrefix(l, "    ") && !strings.HasPrefix(l, "\t") {
				return false
			}
		case !fenced && !strings.HasPrefix(l, "    ") && words(t) > 0:
			own[t] = true
		}
	}
	kept := 0
	for l := range c.was {
		if own[l] {
			kept++
		} else if words(l) > 0 {
			return false
		}
	}
	return marks > 0 && len(own) > 0 && (kept > 1 || len(c.was) < 2 && len(own) > 1)
}

// writtenOut reports whether a new text has a line break that is written out, where neither what it replaces nor the file has one.
func (c *content) writtenOut(old string) bool {
	return !strings.Contains(old+c.file.text, `\n`) && slices.ContainsFunc(full(c.lines()), brokenInside)
}

// brokenInside reports whether a line has a line break written out where none can be meant: outside of quotations, with another line's text behind it
// or nothing.
func brokenInside(l string) bool {
	for at := 0; ; {
		i := strings.Index(l[at:], `\n`)
		if i < 0 {
			return false
		}
		at += i
		before, behind := l[:at], l[at+2:]
		quoted := strings.Count(before, `"`)%2 == 1 || strings.Count(before, "'")%2 == 1 || strings.Count(before, "`")%2 == 1
		if !quoted && !strings.HasSuffix(before, `\`) && !strings.ContainsAny(before, "/#%$") && (behind == "" || behind[0] == '\t' || behind[0] == ' ' || strings.HasPrefix(behind, `\`)) && words(before) > 0 {
			return true
		}
		at += 2
	}
}

// narrow is a line whose marks are as wide as on an English keyboard.
//
//go:noinline
func narrow(l string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '＜':
			return '<'
		case '＝':
			return '='
		case '＞':
			return '>'
		}
		return r
	}, l)
}

// part is one half of an edit, without a fence around it.
func part(lines []string) string {
	if first, last := edges(lines); last > first && fenceEnd.In(strings.TrimSpace(lines[first])) && fenceEnd.In(strings.TrimSpace(lines[last])) {
		lines = lines[first+1 : last]
	}
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// edges are the first and the last line with something on it.
func edges(lines []string) (first, last int) {
	for first < len(lines)-1 && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	last = len(lines) - 1
	for last > first && strings.TrimSpace(lines[last]) == "" {
		last--
	}
	return first, last
}

// tags reads pairs of elements.
func (c *content) tags() (edits []replacement, looks bool) {
	if !strings.Contains(c.text, "</") || tagged.In(c.file.text) {
		return nil, false
	}
	all := tagged.For(c.text).FindAllStringSubmatch(c.text, -1)
	for _, l := range strings.Split(tagged.For(c.text).ReplaceAllString(c.text, "\n"), "\n") {
		if t := strings.TrimSpace(l); !c.noise(l) && !wrapping.In(t) {
			return nil, false
		}
	}
	for _, m := range all {
		edits = append(edits, replacement{Old: inner(m[1]), New: inner(m[2])})
	}
	return edits, len(all) > 0
}

// inner is an element's text: lines, where it begins on a line of its own.
func inner(s string) string {
	body, lines := strings.CutPrefix(s, "\n")
	if lines {
		body = strings.TrimRight(body, " \t")
	}
	return body
}

// json reads edits that were given as data.
func (c *content) json() (edits []replacement, looks bool) {
	edits, looks = asData(c.text)
	if was, _ := asData(c.file.text); len(was) > 0 {
		return nil, false
	}
	return edits, looks
}

func asData(text string) (edits []replacement, looks bool) {
	t := strings.TrimSpace(text)
	if strings.HasPrefix(t, "```") {
		t = strings.TrimSpace(part(strings.Split(t, "\n")))
	}
	if t == "" || t[0] != '{' && t[0] != '[' {
		return nil, false
	}
	var list []map[string]json.RawMessage
	var one map[string]json.RawMessage
	switch {
	case json.Unmarshal([]byte(t), &list) == nil:
	case json.Unmarshal([]byte(t), &one) == nil:
		list = []map[string]json.RawMessage{one}
		for _, key := range []string{"edits", "changes", "replacements", "patches"} {
			var inside []map[string]json.RawMessage
			if json.Unmarshal(one[key], &inside) == nil {
				list = inside
			}
		}
	default:
		return nil, cutJSON.In(t)
	}
	for _, fields := range list {
		old, ok := half(fields, "old")
		new, too := half(fields, "new")
		if !ok || !too {
			return nil, false
		}
		edits = append(edits, replacement{Old: old, New: new})
	}
	return edits, len(edits) > 0
}

func half(fields map[string]json.RawMessage, which string) (text string, ok bool) {
	for _, name := range halves[which] {
		if raw, there := fields[name]; there && json.Unmarshal(raw, &text) == nil {
			return text, true
		}
	}
	return "", false
}

// portion tells some lines of a file from all of them: they say at their head which they are.
func (c *content) portion() (edits []replacement, looks bool) {
	for _, l := range c.lines() {
		if t := strings.TrimSpace(l); t != "" && !fenceEnd.In(t) {
			return nil, len(t) < len(c.path)+40 && !c.was[t] && someOf.In(t)
		}
	}
	return nil, false
}
