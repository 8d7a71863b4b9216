// Package matter reads the head of a Markdown file that people write for agents: between two lines of three dashes, a field
// a line. It is read as it is meant rather than as YAML would have it: a colon in a sentence ends nothing.
package matter

import (
	"strings"

	"nebula/internal/phrase"
)

// Fields are what a head says, by name in small letters.
type Fields map[string][]string

// Text is a field as one text; a list's items are joined by commas.
//
//go:noinline
func (f Fields) Text(name string) string { return strings.Join(f[name], ", ") }

// On reports whether a field says yes.
func (f Fields) On(name string) bool { return strings.EqualFold(f.Text(name), "true") }

// Tools are those that may be used as they are, as a head bounds them, nil where it does not; one behind an exclamation mark may not.
func (f Fields) Tools() []string {
	tools, not := f.Items("allowed-tools"), f.Items("disallowed-tools")
	if tools == nil && not != nil {
		tools = []string{"*"}
	}
	for _, name := range not {
		name, _, _ = strings.Cut(name, "(") // a part of what a tool does is found by no pattern for sure
		tools = append(tools, "!"+name)
	}
	return tools
}

// Said are those of some fields that say something else than no.
func (f Fields) Said(names ...string) (list []string) {
	for _, name := range names {
		if text := f.Text(name); text != "" && !strings.EqualFold(text, "false") {
			list = append(list, name)
		}
	}
	return list
}

// mostFields bounds a head.
const mostFields = 200

// Split parts a text in its head and what follows. A text without a head has no fields. What nobody would see is in neither.
func Split(data []byte) (Fields, string) {
	text := phrase.Clean(string(data))
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text
	}
	head, body, ok := strings.Cut("\n"+rest, "\n---\n")
	if !ok {
		if head, ok = strings.CutSuffix("\n"+rest, "\n---"); !ok {
			return nil, text
		}
	}
	return fields(strings.Split(strings.TrimPrefix(head, "\n"), "\n")), strings.TrimLeft(body, "\n")
}

func fields(lines []string) Fields {
	f := Fields{}
	for i := 0; i < len(lines) && len(f) < mostFields; {
		name, value, ok := strings.Cut(lines[i], ":")
		i++
		if !ok || name == "" || name != strings.TrimLeft(name, " \t#-") {
			continue
		}
		var below []string
		for ; i < len(lines) && (lines[i] == "" || strings.TrimLeft(lines[i], " \t-") != lines[i]); i++ {
			below = append(below, strings.TrimSpace(lines[i]))
		}
		f[strings.ToLower(strings.TrimSpace(name))] = values(strings.TrimSpace(value), below)
	}
	return f
}

// values are what stands behind a name, and on the lines below it.
func values(value string, below []string) []string {
	switch {
	case value == "" && len(below) > 0 && strings.HasPrefix(below[0], "-"):
		var items []string
		for _, line := range below {
			if item, ok := strings.CutPrefix(line, "-"); ok {
				items = append(items, bare(strings.TrimSpace(item)))
			}
		}
		return items
	case strings.Trim(value, "|>+-0123456789") == "":
		value = ""
	}
	if text := strings.TrimSpace(strings.Join(append([]string{value}, below...), " ")); text != "" {
		return []string{bare(text)}
	}
	return nil
}

// Items are the parts of a field that is a list, on lines of its own or on one line: between commas, or spaces where there
// are none, and not within brackets.
func (f Fields) Items(name string) (items []string) {
	if len(f[name]) > 1 {
		return f[name]
	}
	text := strings.TrimSuffix(strings.TrimPrefix(f.Text(name), "["), "]")
	apart := ","
	if !strings.Contains(text, ",") {
		apart = ", "
	}
	deep, from := 0, 0
	add := func(to int) {
		if item := bare(strings.TrimSpace(text[from:to])); item != "" {
			items = append(items, item)
		}
	}
	for i, r := range text {
		switch {
		case r == '(':
			deep++
		case r == ')':
			deep--
		case deep <= 0 && strings.ContainsRune(apart, r):
			add(i)
			from = i + 1
		}
	}
	add(len(text))
	return items
}

// bare is a text without the quotes around it.
func bare(text string) string {
	for _, q := range []string{`"`, `'`} {
		if inner, ok := strings.CutPrefix(text, q); ok && len(inner) > 0 && strings.HasSuffix(inner, q) {
			return strings.TrimSuffix(inner, q)
		}
	}
	return text
}
