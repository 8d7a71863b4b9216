package protocol

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What is written to change a piece of a file, in the forms that models are taught elsewhere: pairs of what to search and what to put there, and
// the hunks of a diff.

// A Change replaces one piece of a file.
type Change struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// Hunks are the changes that a diff's lines behind @@ stand for: a blank or - before what is there, a blank or + before what
// comes. Line numbers are not trusted.
func Hunks(lines string) (changes []Change, ok bool) {
	for _, hunk := range strings.Split("\n"+lines, "\n@@")[1:] {
		_, hunk, _ = strings.Cut(hunk, "\n")
		hunk, _, _ = strings.Cut(hunk, "\ndiff --git ")
		var old, fresh strings.Builder
		for line := range strings.Lines(strings.TrimSuffix(hunk, "\n") + "\n") {
			switch {
			case strings.HasPrefix(line, `\ No newline`), strings.HasPrefix(line, "*** End"):
			case line == "\n":
				old.WriteString(line)
				fresh.WriteString(line)
			case line[0] == ' ':
				old.WriteString(line[1:])
				fresh.WriteString(line[1:])
			case line[0] == '-':
				old.WriteString(line[1:])
			case line[0] == '+':
				fresh.WriteString(line[1:])
			default:
				return nil, false
			}
		}
		if old.String() != fresh.String() {
			changes = append(changes, Change{old.String(), fresh.String()})
		}
	}
	return changes, len(changes) > 0
}

// Changes reads a text that says what to change: search and replace pairs, or a diff.
func Changes(text string) ([]Change, bool) {
	if Marker(text) == '<' {
		return pairs(text)
	}
	return Hunks(text)
}

// Marker tells what the first line of a text marks: < what to search, = what to put there, > the end; 0 for none. Models
// write five to eight signs, with or without a blank behind them, in full width, and dashes and plus signs instead.
func Marker(s string) byte {
	if s == "" || strings.IndexByte("<=>-+\xef", s[0]) < 0 {
		return 0
	}
	s, _, _ = strings.Cut(s[:min(len(s), 100)], "\n")
	s = strings.TrimRightFunc(strings.Map(narrow, s), unicode.IsSpace)
	if s == "" {
		return 0
	}
	word := strings.TrimLeft(s, s[:1])
	n, word := len(s)-len(word), strings.TrimSpace(word)
	switch c := s[0]; {
	case n < 5 || n > 8 || strings.Contains(word, " "):
	case c == '=' && word == "", (c == '<' || c == '>') && word != "":
		return c
	case c == '-' && word == "SEARCH":
		return '<'
	case c == '+' && word == "REPLACE":
		return '>'
	}
	return 0
}

// narrow is a letter of full width as one of ASCII.
func narrow(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// lineHint is a line below what opens a pair that says where in the file it is, and the rule behind such lines.
var lineHint = &lazy.Pattern{X: `^(?::(?:start|end)_line:\s*\d+|-{5,8})\s*$`}

func pairs(text string) (out []Change, ok bool) {
	var old, fresh strings.Builder
	at, hints := byte('>'), false
	for line := range strings.Lines(text) {
		switch m := Marker(line); {
		case m == '<' && at == '>':
			old.Reset()
			fresh.Reset()
			at, hints = m, false
		case m == '=' && at == '<':
			at = m
		case m == '>' && at == '=':
			out = append(out, Change{old.String(), fresh.String()})
			at = m
		case m == '<':
			return nil, false
		case at == '<' && old.Len() == 0 && (line[0] == ':' || hints) && lineHint.In(line):
			hints = line[0] == ':'
		case at == '<':
			old.WriteString(line)
		case at == '=':
			fresh.WriteString(line)
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "```"):
			return nil, false
		}
	}
	return out, at == '>' && len(out) > 0
}

// changesOf reads the list of a call's changes from a text that has them in another form, under its own name or a usual other one.
func changesOf(fields []field, p nebula.Param, used map[string]bool) (json.RawMessage, bool) {
	if form := ItemFields(p); !lists.Has(form, "old") || !lists.Has(form, "new") {
		return nil, false
	}
	for _, f := range fields {
		if f.value[0] != '"' || f.folded != fold(p.Name) && !lists.Has([]string{"diff", "patch", "changes", "blocks", "content", "edit", "search_replace", "text", "newcontent"}, f.folded) {
			continue
		}
		if list, ok := Changes(strings.TrimLeft(unquoted(f.value), "\r\n")); ok {
			used[f.key] = true
			b, err := json.Marshal(list)
			return b, err == nil
		}
	}
	return nil, false
}

// WholeChanges reads a text that is nothing but changes of files, each below its file's name, in code blocks or not: search and replace pairs, diffs.
func WholeChanges(text string) ([]Call, bool) {
	r := changeReader{lines: slices.Collect(strings.Lines(text))}
	for r.at < len(r.lines) {
		if !r.line() {
			return nil, false
		}
		r.at++
	}
	return r.calls, r.in != '<' && !r.fenced && r.next("") && len(r.calls) > 0
}

type changeReader struct {
	lines  []string
	at     int
	path   string
	body   strings.Builder // the changes of the path
	in     byte            // a pair '<', a hunk '@', or neither
	fenced bool
	calls  []Call
}

// line reads the line at hand; false where it is none that changes are written with.
func (r *changeReader) line() bool {
	raw := r.lines[r.at]
	line := strings.TrimRight(raw, "\r\n")
	if r.in == '@' && !r.ofHunk(line) {
		r.in = 0
	}
	switch mark := Marker(line); {
	case r.in != 0:
		r.body.WriteString(raw)
		if r.in == '<' && mark == '>' {
			r.in = 0
		}
	case r.path != "" && (mark == '<' || strings.HasPrefix(line, "@@ ")):
		r.in = line[0]
		if mark == '<' {
			r.in = mark
		}
		r.body.WriteString(raw)
	case strings.HasPrefix(line, "```"):
		r.fenced = !r.fenced
	case strings.TrimSpace(line) == "", strings.HasPrefix(line, "diff --git "), strings.HasPrefix(line, "index "):
	case r.heads():
		r.at++
		path, _, _ := strings.Cut(strings.TrimSpace(r.lines[r.at][len("+++ "):]), "\t")
		return path != "/dev/null" && r.next(strings.TrimPrefix(path, "b/"))
	default:
		m := fileLine.For(line).FindStringSubmatch(line)
		return m != nil && r.next(m[1])
	}
	return true
}

// heads reports whether the line at hand and the next one name the file of a diff.
//
//go:noinline
func (r *changeReader) heads() bool {
	return strings.HasPrefix(r.lines[r.at], "--- ") && r.at+1 < len(r.lines) && strings.HasPrefix(r.lines[r.at+1], "+++ ")
}

// ofHunk reports whether a line goes on with the hunk above it.
func (r *changeReader) ofHunk(line string) bool {
	return line == "" || strings.IndexByte(" +-@\\", line[0]) >= 0 && !r.heads()
}

// next ends the changes of a file, and begins those of another, the same one, or none.
func (r *changeReader) next(path string) bool {
	body := strings.TrimRight(r.body.String(), "\n") + "\n"
	was := r.path
	r.path = path
	if was == "" || body == "\n" {
		return was == "" || was == path // a name twice, as above its diff
	}
	r.body.Reset()
	list, ok := Changes(body)
	if !ok {
		return false
	}
	if len(list) == 1 && list[0].Old == "" {
		r.calls = append(r.calls, fileCall("create", was, "content", Quote(list[0].New)))
		return true
	}
	edits, err := json.Marshal(list)
	r.calls = append(r.calls, fileCall("patch", was, "edits", edits))
	return err == nil
}
