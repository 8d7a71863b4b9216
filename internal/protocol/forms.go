package protocol

import (
	"bytes"
	"slices"
	"strings"

	"nebula"
)

// tagged reads <tool_call>…: a JSON call (Hermes, Qwen), a function tag inside (Qwen Coder), or GLM's pairs of keys
// and values.
func tagged(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	skip := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	rest := text[skip:]
	switch {
	case strings.HasPrefix(rest, "<function="):
		skip += len("<function=")
		calls, used, ok = functionTag(text[skip:], tools)
	case strings.HasPrefix(rest, "{"), strings.HasPrefix(rest, "["):
		calls, used, ok = jsonCalls(rest, tools)
	default:
		if calls, used, ok = glm(rest); !ok {
			calls, used, ok = braced(rest, tools)
		}
	}
	return calls, skip + used, ok
}

// jsonBlock reads JSON calls between a wrapper's tags.
func jsonBlock(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	rest := strings.TrimLeft(text, " \t\r\n")
	calls, used, ok = jsonCalls(rest, tools)
	used += len(text) - len(rest)
	for _, end := range []string{"</tools>", "</tool_calls>", "</TOOLCALL>", "</toolcall>"} {
		used += endTag(text[used:], end)
	}
	return calls, used, ok
}

// braced reads a tool's name and its arguments in JSON directly behind it.
func braced(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	name, _, ok := strings.Cut(text[:min(len(text), 64)], "{")
	spec, known := Find(name, tools)
	if !ok || !known {
		return nil, 0, false
	}
	return named(spec.Name, text, len(name))
}

// jsonCalls reads one JSON call or a list of them.
func jsonCalls(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil, 0, false
	}
	if strings.HasPrefix(text, "{") {
		r, err := Read(text)
		if err != nil {
			return broken(text, err)
		}
		c, ok := jsonCall(r, tools)
		return []Call{c}, r.End, ok
	}
	list, entered := Walk(text, 0, 1)
	if !entered {
		return nil, 0, false
	}
	for list.Next() {
		r, read := list.Read()
		if !read {
			break
		}
		if c, ok := jsonCall(r, tools); ok {
			calls = append(calls, c)
		}
	}
	return calls, list.Pos(), len(calls) > 0 && list.Err == nil
}

// broken is a call that cannot be read but names its tool: the model is told.
func broken(text string, err error) ([]Call, int, bool) {
	name := between(text[:min(len(text), 200)], `"name"`, `"`, `"`)
	if name == "" {
		return nil, 0, false
	}
	end := len(text)
	if i := strings.Index(text, "</"); i >= 0 {
		end = i
	}
	return []Call{{Name: name, Wrong: "the arguments are not valid JSON: " + err.Error() + ". Write the call again."}}, end, true
}

// between is what stands between open and close, behind the first key.
func between(text, key, open, close string) string {
	_, text, ok := strings.Cut(text, key)
	if !ok {
		return ""
	}
	_, text, ok = strings.Cut(text, open)
	if !ok {
		return ""
	}
	text, _, ok = strings.Cut(text, close)
	if !ok {
		return ""
	}
	return text
}

// jsonCall reads a call whose tool need not exist.
func jsonCall(r Reading, tools []nebula.ToolSpec) (Call, bool) {
	a, ok := CallOf(r, tools)
	return Call{Name: a.Tool, Args: Reading{JSON: a.Args, Repairs: r.Repairs, Doubts: r.Doubts, Twice: r.Twice}, Rows: a.Repairs, Reason: a.Reason, Points: a.Points, Wrong: a.Problem}, ok
}

// functionTag reads name>…</function>: JSON arguments (Llama) or parameter tags (Qwen Coder).
func functionTag(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	name, _, ok := strings.Cut(text[:min(len(text), 200)], ">")
	if !ok || strings.ContainsAny(name, "\n<") {
		return nil, 0, false
	}
	used = len(name) + 1
	body := text[used:]
	if rest := strings.TrimLeft(body, " \t\r\n"); strings.HasPrefix(rest, "{") {
		r, err := Read(rest)
		if err != nil {
			return []Call{{Name: name, Wrong: "the arguments are not valid JSON: " + err.Error() + "."}}, len(text), true
		}
		used += len(body) - len(rest) + r.End
		return []Call{{Name: strings.Trim(name, `"' )`), Args: r}}, used + endTag(text[used:], "</function>"), true
	}
	c, n, ok := parameters(body, markup{open: "<parameter=", key: ">", end: "</parameter>", closer: "</function>", padded: true})
	c.Name = strings.Trim(name, `"' )`)
	return []Call{c}, used + n, ok
}

// endTag is the length of white space and a closing tag.
func endTag(text, tag string) int {
	rest := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(rest, tag) {
		return len(text) - len(rest) + len(tag)
	}
	return 0
}

// invoke reads "name">…</invoke> (Anthropic, MiniMax), with a family's own mark before every tag's name (DeepSeek).
func invoke(mark string) func(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	return func(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
		name, _, ok := strings.Cut(text[:min(len(text), 200)], ">")
		if !ok || strings.ContainsAny(name, "\n<") {
			return nil, 0, false
		}
		used = len(name) + 1
		c, n, ok := parameters(text[used:], markup{open: "<" + mark + "parameter name=", key: ">", end: "</" + mark + "parameter>", closer: "</" + mark + "invoke>"})
		c.Name = strings.Trim(name, `"' /`)
		return []Call{c}, used + n, ok
	}
}

// markup is how a family sets the arguments of a call: what stands before a key and behind it, before a value, where its
// tag is another one, and behind it, and what closes the call. One line break on either side of a value belongs to the
// markup where padded says so; raw values hold no entities.
type markup struct {
	open, key, value, end, closer string
	padded, raw                   bool
}

// parameters reads tags with one argument each up to the closing tag. A value ends where the structure goes on, so
// that it may hold its own closing tag.
func parameters(text string, m markup) (c Call, used int, ok bool) {
	var object bytes.Buffer
	for pos := 0; ; {
		rest := strings.TrimLeft(text[pos:], " \t\r\n")
		pos = len(text) - len(rest)
		if strings.HasPrefix(rest, m.closer) {
			c.Args = closedObject(&object)
			return c, pos + len(m.closer), true
		}
		if !strings.HasPrefix(rest, m.open) {
			return c, 0, false
		}
		key, value, ok := strings.Cut(rest[len(m.open):], m.key)
		if m.value != "" && ok {
			value, ok = strings.CutPrefix(strings.TrimLeft(value, " \t\r\n"), m.value)
		}
		if !ok || len(key) > 100 {
			return c, 0, false
		}
		n, inner := valueEnd(value, m.open, m.end, m.closer)
		if n < 0 {
			return Call{Wrong: "the call is not closed, so it was not done."}, len(text), true
		}
		pos = len(text) - len(value) + n + len(m.end)
		key = strings.TrimLeft(key, "\"' \n")
		if i := strings.IndexAny(key, "\"' \n"); i >= 0 {
			key = key[:i]
		}
		text := value[:n]
		if m.padded {
			text = strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
		}
		if !m.raw && (inner || strings.Contains(text, "&lt;") || strings.Contains(text, "&gt;") || strings.Contains(text, "&amp;")) {
			c.Rows = []string{"value_markup"}
		}
		appendField(&object, key, Quote(text))
	}
}

// valueEnd is where a value's closing tag stands behind which the structure goes on, and whether one stood before.
func valueEnd(text, open, end, closer string) (n int, inner bool) {
	for from := 0; ; inner = true {
		i := strings.Index(text[from:], end)
		if i < 0 {
			return -1, inner
		}
		at := from + i
		rest := strings.TrimLeft(text[at+len(end):], " \t\r\n")
		if strings.HasPrefix(rest, open) || strings.HasPrefix(rest, closer) {
			return at, inner
		}
		from = at + len(end)
	}
}

// glm reads a name and <arg_key>, <arg_value> pairs up to </tool_call>.
func glm(text string) (calls []Call, used int, ok bool) {
	i := strings.Index(text[:min(len(text), 200)], "<arg_key>")
	if i < 0 {
		return nil, 0, false
	}
	c, n, ok := parameters(text[i:], markup{open: "<arg_key>", key: "</arg_key>", value: "<arg_value>", end: "</arg_value>", closer: "</tool_call>", raw: true})
	c.Name = strings.TrimSpace(text[:i])
	return []Call{c}, i + n, ok
}

// mistral reads a list of JSON calls, or name[ARGS]{…}.
func mistral(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	rest := strings.TrimLeft(text, " \t\r\n")
	skip := len(text) - len(rest)
	if strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "{") {
		calls, used, ok = jsonCalls(rest, tools)
		return calls, skip + used, ok
	}
	name, args, ok := strings.Cut(rest[:min(len(rest), 200)], "[ARGS]")
	if !ok {
		brace := strings.IndexByte(rest[:min(len(rest), 200)], '{')
		if brace < 0 {
			return nil, 0, false
		}
		name, args = rest[:brace], ""
	}
	at := skip + len(name)
	if args != "" || ok {
		at += len("[ARGS]")
	}
	name, _, _ = strings.Cut(name, "[CALL_ID]")
	return named(strings.TrimSpace(name), text, at)
}

// named reads the JSON arguments at text[at:] of a call whose name is known.
func named(name, text string, at int) (calls []Call, used int, ok bool) {
	if name == "" || strings.ContainsAny(name, "\n<> ") {
		return nil, 0, false
	}
	r, err := Read(text[at:])
	if err != nil {
		return []Call{{Name: name, Wrong: "the arguments are not valid JSON: " + err.Error() + "."}}, len(text), true
	}
	return []Call{{Name: name, Args: r}}, at + r.End, true
}

// pythonTag reads JSON calls behind <|python_tag|>, with semicolons between them (Llama).
func pythonTag(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	for {
		rest := strings.TrimLeft(text[used:], " \t\r\n;")
		at := len(text) - len(rest)
		if !strings.HasPrefix(rest, "{") && !strings.HasPrefix(rest, "[") {
			return calls, used, len(calls) > 0
		}
		more, n, ok := jsonCalls(rest, tools)
		if !ok {
			return calls, used, len(calls) > 0
		}
		calls, used = append(calls, more...), at+n
	}
}

// spelled are the spellings of a DeepSeek token: its own, and with what keyboards have for its bars and blanks.
func spelled(words string) (list []string) {
	for _, bar := range []string{"｜", "|"} {
		for _, blank := range []string{"▁", "_", " "} {
			list = append(list, "<"+bar+strings.ReplaceAll(words, " ", blank)+bar+">")
		}
	}
	return list
}

// separators part a call's name from what is before it, sectioned are the tokens around several calls and behind one.
var (
	separators = spelled("tool sep")
	sectioned  = func() (pairs [][2]string) {
		ends, each := spelled("tool calls end"), spelled("tool call end")
		for i, begin := range spelled("tool calls begin") {
			pairs = append(pairs, [2]string{begin, ends[i]}, [2]string{"", each[i]})
		}
		return pairs
	}()
)

// deepseek reads [function<｜tool▁sep｜>]name and JSON arguments, in a code block or not.
func deepseek(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	head := text[:min(len(text), 200)]
	at := slices.IndexFunc(separators, func(sep string) bool { return strings.Contains(head, sep) })
	if at < 0 {
		return nil, 0, false
	}
	sep := separators[at]
	i := strings.Index(head, sep)
	name, at := strings.TrimSpace(text[:i]), i+len(sep)
	if name == "function" {
		end := strings.IndexAny(text[at:], "\n`{")
		if end < 0 {
			return nil, 0, false
		}
		name, at = strings.TrimSpace(text[at:at+end]), at+end
	}
	rest := strings.TrimLeft(text[at:], " \t\r\n")
	for _, mark := range []string{"```json", "```"} {
		if inside, fenced := strings.CutPrefix(rest, mark); fenced {
			calls, used, ok = named(name, text, len(text)-len(inside))
			return calls, used + endTag(text[used:], "```"), ok
		}
	}
	return named(name, text, at)
}

// divided reads a name and JSON arguments with a token between them: functions.name:0<|tool_call_argument_begin|>{…} (Kimi),
// functions.name …<|message|>{…} (gpt-oss).
func divided(sep string) func(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	return func(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
		head, _, found := strings.Cut(text[:min(len(text), 200)], sep)
		name := strings.Fields(strings.ReplaceAll(head, "<|", " <|"))
		if !found || len(name) == 0 {
			return nil, 0, false
		}
		return named(name[0], text, len(head)+len(sep))
	}
}

// bareHarmony reads functions.name json{…}: the same without the tokens, which some servers take out.
func bareHarmony(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool) {
	head, _, found := strings.Cut(text[:min(len(text), 200)], "{")
	name := strings.Fields(head)
	if !found || len(name) == 0 || len(name) > 3 {
		return nil, 0, false
	}
	if _, known := Find(strings.TrimSuffix(name[0], "json"), tools); !known {
		return nil, 0, false
	}
	return named(strings.TrimSuffix(name[0], "json"), text, len(head))
}
