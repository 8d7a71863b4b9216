package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"nebula"
	"nebula/internal/lazy"
)

// analysis skips a channel of reasoning (gpt-oss).
func analysis(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	i := strings.Index(text, "<|end|>")
	if i < 0 {
		return nil, 0, false
	}
	return nil, i + len("<|end|>"), true
}

// fencedCalls reads a code block whose label says that it is a call: its lines are calls in any form.
func fencedCalls(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	for {
		rest := strings.TrimLeft(text[used:], " \t\r\n")
		used = len(text) - len(rest)
		if strings.HasPrefix(rest, "```") {
			return calls, used + 3, len(calls) > 0
		}
		if inner, found := strings.CutPrefix(rest, "print("); found {
			used, rest = used+len("print("), inner
		}
		var more []Call
		var n int
		var read bool
		switch {
		case strings.HasPrefix(rest, "TOOL_NAME:"):
			more, n, read = namedArguments(rest[len("TOOL_NAME:"):], tools)
			n += len("TOOL_NAME:")
		default:
			more, n, read = pythonic(rest, tools)
		}
		if !read || n == 0 {
			return nil, 0, false
		}
		calls = append(calls, more...)
		used += n
		used += len(text[used:]) - len(strings.TrimLeft(text[used:], ") \t;"))
	}
}

// namedArguments reads a name and BEGIN_ARG: key … END_ARG pairs (Continue).
func namedArguments(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	name, rest, _ := strings.Cut(text, "\n")
	used = len(name) + 1
	var object bytes.Buffer
	for {
		argument, found := strings.CutPrefix(rest, "BEGIN_ARG:")
		if !found {
			break
		}
		key, value, _ := strings.Cut(argument, "\n")
		value, after, closed := strings.Cut(value, "\nEND_ARG")
		if !closed {
			return nil, 0, false
		}
		appendField(&object, strings.TrimSpace(key), Quote(value))
		used += len(rest) - len(after)
		rest = strings.TrimPrefix(after, "\n")
		used += len(after) - len(rest)
	}
	return []Call{{Name: strings.TrimSpace(name), Args: closedObject(&object)}}, min(used, len(text)), object.Len() > 1
}

func closedObject(b *bytes.Buffer) Reading {
	if b.Len() == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return Reading{JSON: b.Bytes()}
}

// chevrons reads a name in its line and JSON below (Functionary).
func chevrons(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	name, rest, _ := strings.Cut(text, "\n")
	if _, known := Find(name, tools); !known || !strings.HasPrefix(strings.TrimSpace(rest), "{") {
		return nil, 0, false
	}
	return named(strings.TrimSpace(name), text, len(name)+1)
}

// inputLabel is what stands before what an action takes, in the ReAct form.
var inputLabel = &lazy.Pattern{X: `(?i)[\s*]*\b(?:action[ _]input|input|arguments|args|parameters)(?: \d+)?\**[:：][\s*]*|[\s*]*(?:行動|アクション)?の?(?:入力|引数)[:：][\s*]*|\s*动作输入[:：]\s*`}

// reAct reads a name in its line, numbered or not, and its input behind it: JSON, or the only argument there is; or name(arguments).
func reAct(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	begin := len(text) - len(strings.TrimLeft(text, "0123456789:：* "))
	near := text[begin:min(len(text), begin+nearby)]
	at := inputLabel.For(near).FindStringIndex(near)
	line, _, _ := strings.Cut(text[begin:], "\n")
	if at == nil || at[0] > len(line) {
		call := strings.TrimLeft(text[begin:], " *`")
		calls, used, ok = pythonic(call, tools)
		return calls, len(text) - len(call) + used, ok
	}
	spec, known := Find(strings.Trim(text[begin:begin+at[0]], " \t\r`*"), tools)
	if !known {
		return nil, 0, false
	}
	from := begin + at[1]
	if strings.HasPrefix(text[from:], "{") {
		return named(spec.Name, text, from)
	}
	line, _, _ = strings.Cut(text[from:], "\n")
	only, one := onlyRequired(spec)
	if !one || strings.HasPrefix(strings.TrimSpace(line), "|") {
		return nil, 0, false
	}
	var object bytes.Buffer
	appendField(&object, only.Name, Quote(strings.Trim(strings.TrimSpace(line), "`\"")))
	return []Call{{Name: spec.Name, Args: closedObject(&object)}}, from + len(line), true
}

// lineInTag reads a tag with a tool's name around the one thing that the tool needs, a command (OpenHands).
func lineInTag(text, name, closer string, tools []nebula.ToolSpec) (c Call, used int, ok bool) {
	spec, _ := Find(name, tools)
	only, one := onlyRequired(spec)
	inner, _, closed := strings.Cut(text[len(name)+1:], closer)
	line := strings.TrimSpace(inner)
	if !one || spec.Effect != nebula.Execute || !closed || line == "" || line[0] == '<' {
		return c, 0, false
	}
	var object bytes.Buffer
	appendField(&object, only.Name, Quote(line))
	return Call{Name: name, Args: closedObject(&object)}, len(name) + 1 + len(inner) + len(closer), true
}

// toolTag reads a tag with a tool's name and a tag for every argument inside (Cline).
func toolTag(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	name, _, found := strings.Cut(text[:min(len(text), 60)], ">")
	if !found || strings.ContainsAny(name, " \n</") {
		return nil, 0, false
	}
	if _, known := Find(name, tools); !known {
		return nil, 0, false
	}
	closer := "</" + name + ">"
	if call, used, ok := lineInTag(text, name, closer, tools); ok {
		return []Call{call}, used, true
	}
	var object bytes.Buffer
	for pos := len(name) + 1; ; {
		rest := strings.TrimLeft(text[pos:], " \t\r\n")
		pos = len(text) - len(rest)
		if strings.HasPrefix(rest, closer) {
			return []Call{{Name: name, Args: closedObject(&object)}}, pos + len(closer), true
		}
		key, value, found := strings.Cut(strings.TrimPrefix(rest, "<"), ">")
		if !found || !strings.HasPrefix(rest, "<") || len(key) > 60 || strings.ContainsAny(key, " /\n") {
			return []Call{{Name: name, Wrong: "the call is not closed, so it was not done."}}, len(text), true
		}
		n, _ := valueEnd(value, "<", "</"+key+">", closer)
		if n < 0 {
			return []Call{{Name: name, Wrong: "the call is not closed, so it was not done."}}, len(text), true
		}
		text := value[:n]
		if inner, below := strings.CutPrefix(text, "\n"); below {
			text = inner
		} else if !strings.Contains(text, "\n") {
			text = strings.TrimSpace(text)
		}
		appendField(&object, key, Quote(text))
		pos += len(rest) - len(value) + n + len("</"+key+">")
	}
}

// emptyTag reads a tag with a tool's name that has its arguments as attributes, and nothing in it.
func emptyTag(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	name, rest, _ := strings.Cut(text, " ")
	if _, known := Find(name, tools); !known || strings.ContainsAny(name, "<>\n") {
		return nil, 0, false
	}
	var object bytes.Buffer
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		if after, closed := strings.CutPrefix(rest, "/>"); closed {
			return []Call{{Name: name, Args: closedObject(&object)}}, len(text) - len(after), object.Len() > 2
		}
		key, value, found := strings.Cut(rest, `="`)
		value, after, closed := strings.Cut(value, `"`)
		if !found || !closed || len(key) > 60 || strings.ContainsAny(key, " <>\n") || strings.ContainsAny(value, "&\\") {
			return nil, 0, false
		}
		appendField(&object, key, Quote(value))
		rest = after
	}
}

// pythonicList reads [name(key=value), …] (Llama).
func pythonicList(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	for {
		rest := strings.TrimLeft(text[used:], " \t\r\n,")
		used = len(text) - len(rest)
		if strings.HasPrefix(rest, "]") {
			return calls, used + 1, len(calls) > 0
		}
		more, n, read := pythonic(rest, tools)
		if !read {
			return nil, 0, false
		}
		calls, used = append(calls, more...), used+n
	}
}

// pythonic reads name(key=value, …) of a tool there is, as the language of that syntax writes it.
func pythonic(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	paren := strings.IndexByte(text[:min(len(text), 64)], '(')
	if paren <= 0 || strings.ContainsAny(text[:paren], " \t\n\"'<{[") {
		return nil, 0, false
	}
	spec, known := Find(text[:paren], tools)
	if !known {
		return nil, 0, false
	}
	c := Call{Name: spec.Name}
	var object bytes.Buffer
	for i, pos := 0, paren+1; ; i++ {
		rest := strings.TrimLeft(text[pos:], " \t\r\n,")
		pos = len(text) - len(rest)
		if strings.HasPrefix(rest, ")") {
			c.Args.JSON = closedObject(&object).JSON
			return []Call{c}, pos + 1, true
		}
		key := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"))]
		value := strings.TrimLeft(rest[len(key):], " ")
		switch {
		case key != "" && strings.HasPrefix(value, "=") && !strings.HasPrefix(value, "=="):
			value = strings.TrimLeft(value[1:], " ")
		case i < len(spec.Params):
			key, value = spec.Params[i].Name, rest
		default:
			return nil, 0, false
		}
		r, err := Read(value)
		if err != nil {
			r, err = barePath(value)
		}
		if err != nil {
			return nil, 0, false
		}
		for i := range r.Doubts {
			r.Doubts[i].Keys = append([]string{key}, r.Doubts[i].Keys...)
		}
		c.Args.Repairs, c.Args.Doubts = append(c.Args.Repairs, r.Repairs...), append(c.Args.Doubts, r.Doubts...)
		appendField(&object, key, r.JSON)
		pos = len(text) - len(value) + r.End
	}
}

// barePath reads a path that no quotes are around, up to the comma or the parenthesis behind it.
func barePath(text string) (Reading, error) {
	end := strings.IndexAny(text[:min(len(text), 200)], ",)\n")
	if end <= 0 || !strings.ContainsAny(text[:end], "./") || strings.ContainsAny(text[:end], " \t\"'`=<>(){}[]$") {
		return Reading{}, errNoPath
	}
	return Reading{JSON: Quote(text[:end]), End: end}, nil
}

var errNoPath = errors.New("no path")

// applyPatch reads the sections of a patch up to its end: files added, deleted, and changed by hunks.
func applyPatch(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	body, _, closed := strings.Cut(text, "*** End Patch")
	if !closed {
		return []Call{{Name: "patch", Wrong: "the patch is not closed, so nothing of it was done."}}, len(text), true
	}
	for _, section := range strings.Split("\n"+body, "\n*** ")[1:] {
		head, lines, _ := strings.Cut(section, "\n")
		verb, path, _ := strings.Cut(head, ":")
		path = strings.TrimSpace(path)
		switch verb {
		case "Add File":
			calls = append(calls, fileCall("create", path, "content", Quote(added(lines))))
		case "Delete File":
			calls = append(calls, fileCall("delete", path, "", nil))
		case "Update File":
			changes, whole := Hunks(lines)
			if edits, err := json.Marshal(changes); whole && err == nil {
				calls = append(calls, fileCall("patch", path, "edits", edits))
				continue
			}
			calls = append(calls, Call{Name: "patch", Wrong: "the patch of " + path + " could not be read, so it was not done."})
		default:
			return []Call{{Name: "patch", Wrong: "a patch cannot " + verb + " here, so nothing of it was done."}}, len(text), true
		}
	}
	return calls, len(body) + len("*** End Patch"), len(calls) > 0
}

func fileCall(name, path, key string, value json.RawMessage) Call {
	var object bytes.Buffer
	appendField(&object, "path", Quote(path))
	if key != "" {
		appendField(&object, key, value)
	}
	return Call{Name: name, Args: closedObject(&object)}
}

// added are the lines of a new file.
func added(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		if text, ok := strings.CutPrefix(line, "+"); ok {
			b.WriteString(strings.TrimSuffix(text, "\n") + "\n")
		}
	}
	return b.String()
}
