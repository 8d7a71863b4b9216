package dialect

import (
	"bytes"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// yaml reads a reply that is nothing but one call in YAML, in a code block or not: a line that names the tool, and the
// arguments below it or deeper. Such a call is inferred, and asks.
func yaml(text string, line int, tools []nebula.ToolSpec) (nebula.Intent, bool) {
	start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	body := strings.TrimSpace(text)
	if inside, ok := strings.CutPrefix(body, "```"); ok {
		_, inside, _ = strings.Cut(inside, "\n")
		body = strings.TrimSuffix(strings.TrimRight(inside, " \t\r\n"), "```")
	}
	lines := strings.Split(strings.TrimRight(body, "\n"), "\n")
	name, ok := yamlName(lines[0])
	if !ok {
		return nebula.Intent{}, false
	}
	args, ok := yamlFields(lines[1:])
	if _, known := protocol.Find(name, tools); !known || !ok {
		return nebula.Intent{}, false
	}
	c := protocol.Call{Name: name, Args: protocol.Reading{JSON: args}, Rows: []string{"yaml"}}
	line += strings.Count(text[:start], "\n")
	return nebula.Intent{Actions: []nebula.Action{c.Action(nebula.Span{Start: start, End: start, Line: line}, tools)}}, true
}

func yamlName(line string) (name string, ok bool) {
	key, name, ok := strings.Cut(strings.TrimPrefix(line, "- "), ":")
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "tool", "operation", "name", "function", "action", "tool_name":
		name = yamlScalar(name)
		return name, ok && name != ""
	}
	return "", false
}

func yamlScalar(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// yamlFields reads "key: value" lines and block scalars ("key: |"), at any one depth.
func yamlFields(lines []string) (object []byte, ok bool) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, value, found := strings.Cut(strings.TrimSpace(line), ":")
		if !found || strings.ContainsAny(key, " \"{}") {
			return nil, false
		}
		value = strings.TrimSpace(value)
		switch value {
		case "":
			if !strings.Contains("args arguments parameters params input", key) {
				return nil, false
			}
			continue
		case "|", "|-":
			var block string
			block, i = yamlBlock(lines, i)
			if value == "|-" {
				block = strings.TrimSuffix(block, "\n")
			}
			value = block
		default:
			value = yamlScalar(value)
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(protocol.Quote(key))
		b.WriteByte(':')
		b.Write(protocol.Quote(value))
	}
	b.WriteByte('}')
	return b.Bytes(), true
}

// yamlBlock is the block below line i without the depth of its first line, and the last line it takes.
func yamlBlock(lines []string, i int) (block string, last int) {
	depth := indent(lines[i])
	inner := -1
	var out strings.Builder
	for last = i; last+1 < len(lines); last++ {
		l := lines[last+1]
		if strings.TrimSpace(l) != "" {
			if indent(l) <= depth {
				break
			}
			if inner < 0 {
				inner = indent(l)
			}
		}
		out.WriteString(l[min(len(l), max(inner, 0)):] + "\n")
	}
	return out.String(), last
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
