package protocol

import (
	"bytes"
	"encoding/json"
	"strings"
)

// YAML reads a text that is one YAML mapping or list as models write calls in it: nested by indentation, with block scalars
// and JSON for values. Every other value is its text. ok is false for any other text.
func YAML(text string) (value json.RawMessage, ok bool) {
	y := yamlReader{lines: strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")}
	if !y.next() || !y.structure() {
		return nil, false
	}
	out, ok := y.value(indentOf(y.lines[y.at]))
	return out, ok && !y.next()
}

type yamlReader struct {
	lines []string
	at    int
}

// next goes to the next line that says something.
func (y *yamlReader) next() bool {
	for y.at < len(y.lines) && (strings.TrimSpace(y.lines[y.at]) == "" || strings.TrimSpace(y.lines[y.at]) == "---") {
		y.at++
	}
	return y.at < len(y.lines)
}

// structure reports whether the line is an item of a list or has a key.
func (y *yamlReader) structure() bool {
	line := strings.TrimSpace(y.lines[y.at])
	_, _, keyed := yamlKey(line)
	return keyed || strings.HasPrefix(line, "- ")
}

// value reads the mapping or list at a depth.
func (y *yamlReader) value(depth int) (json.RawMessage, bool) {
	var out bytes.Buffer
	list := strings.HasPrefix(strings.TrimSpace(y.lines[y.at]), "- ")
	for y.next() && indentOf(y.lines[y.at]) == depth {
		line := strings.TrimSpace(y.lines[y.at])
		if list != strings.HasPrefix(line, "- ") {
			return nil, false
		}
		if list {
			y.lines[y.at] = strings.Replace(y.lines[y.at], "-", " ", 1)
			item, ok := y.item(line[2:])
			if !ok {
				return nil, false
			}
			if out.Len() > 0 {
				out.WriteByte(',')
			}
			out.Write(item)
			continue
		}
		key, rest, ok := yamlKey(line)
		if !ok {
			return nil, false
		}
		v, ok := y.field(rest, depth)
		if !ok {
			return nil, false
		}
		appendField(&out, key, v)
	}
	if list {
		return append(append([]byte("["), out.Bytes()...), ']'), true
	}
	return append(out.Bytes(), '}'), out.Len() > 0
}

// item reads what stands behind a list's mark.
func (y *yamlReader) item(text string) (json.RawMessage, bool) {
	if !y.structure() {
		y.at++
		return yamlScalar(text), true
	}
	return y.value(indentOf(y.lines[y.at]))
}

// field reads what stands behind a key, and goes behind it.
func (y *yamlReader) field(rest string, depth int) (json.RawMessage, bool) {
	y.at++
	switch rest {
	case "":
		if !y.next() || indentOf(y.lines[y.at]) < depth || indentOf(y.lines[y.at]) == depth && !strings.HasPrefix(strings.TrimSpace(y.lines[y.at]), "- ") {
			return json.RawMessage("null"), true
		}
		return y.value(indentOf(y.lines[y.at]))
	case "|", "|-", "|+":
		block := y.block(depth)
		if rest == "|-" {
			block = strings.TrimSuffix(block, "\n")
		}
		return Quote(block), true
	}
	return yamlScalar(rest), true
}

// block reads the lines deeper than a key, without the depth of the first.
func (y *yamlReader) block(depth int) string {
	inner := -1
	var out strings.Builder
	for ; y.at < len(y.lines); y.at++ {
		l := y.lines[y.at]
		if strings.TrimSpace(l) != "" {
			if indentOf(l) <= depth {
				break
			}
			if inner < 0 {
				inner = indentOf(l)
			}
		}
		out.WriteString(l[min(len(l), max(inner, 0)):] + "\n")
	}
	return out.String()
}

func yamlKey(line string) (key, rest string, ok bool) {
	key, rest, ok = strings.Cut(line, ":")
	if !ok || key == "" || strings.ContainsAny(key, " \"'{}[]()/\\`|") || rest != "" && rest[0] != ' ' {
		return "", "", false
	}
	return key, strings.TrimSpace(rest), true
}

func yamlScalar(s string) json.RawMessage {
	if s != "" && strings.IndexByte("\"'{[", s[0]) >= 0 {
		if r, err := Read(s); err == nil && r.End == len(s) && len(r.Doubts) == 0 {
			return r.JSON
		}
	}
	return Quote(s)
}

//go:noinline
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
