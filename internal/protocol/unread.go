package protocol

import (
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// unreadMarks begin a line of a call that was meant, in small letters, wherever no reader took it, beside those of the forms.
var unreadMarks = []string{
	"<use_mcp_tool", "<tool_code", "＜tool_call", "＜function_call", "call:", "[[actions]]", "[[action]]", "[action]", "[actions.", "operation =", "tool =", "functions.",
	"<<<<<<< search", "<<<<<<< original", "{\"operation\"", "{\"tool\"", "{\"actions\"", "{\"function\"", "{'tool'", "{'operation'", "｛", "［", "🦆▶️［", "🦆▶［", "🦆▶️t:", "🦆▶t:", "🦆&#", "<actions>", "<action>", "{\\\"", "\"{\\\"", "▶️[", "▶[", "[t:",
	"<tool>", "<tool name=", "<file name=", "<tool_name>", "&lt;tool_call", "{“", "[{“", "<|start|>assistant to=",
}

// askedFor is a whole reply that is a step without its tool's path: a verb behind a dollar and what it is of below it.
var askedFor = &lazy.Pattern{X: `(?s)^\$ (?:(?:run|exec(?:ute)?|shell|bash)[ \t]*|(?:create|write|edit|update|append|insert|replace|save|modify)(?:_?[fF]ile)? [\w./-]+[ \t]*)\n.*\S`}

// argues reports whether a text is one object that has all that a tool needs which changes something, and nothing but what it takes.
func argues(text string, tools []nebula.ToolSpec) bool {
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return false
	}
	m, ok := Walk(text, 0, 1)
	var keys []string
	for ok && m.Next() {
		keys = append(keys, m.Key)
		if _, read := m.Read(); !read {
			return false
		}
	}
	return ok && len(keys) > 0 && m.Err == nil && strings.TrimSpace(text[m.Pos():]) == "" && slices.ContainsFunc(tools, func(t nebula.ToolSpec) bool {
		need, payload := 0, false
		for _, p := range t.Params {
			if has := lists.Has(keys, p.Name); has {
				need++
				payload = payload || p.Payload
			} else if p.Required {
				return false
			}
		}
		return payload && need == len(keys)
	})
}

// aFile begins a line with an element that has a file's name among its attributes, as no page's elements do.
var aFile = &lazy.Pattern{X: `^<[A-Za-z][\w:-]*\s(?:[^<>]*\s)?(?i:path|file_?path|file_?name|file)\s*=\s*["'][^"'<>]+["'][^<>]*>`}

// torn reports whether a line, in small letters, begins as a call does that somebody was taught.
func torn(low string) bool {
	begins := func(mark string) bool { return strings.HasPrefix(low, mark) }
	return slices.ContainsFunc(unreadMarks, begins) || slices.ContainsFunc(forms, func(f form) bool { return slices.ContainsFunc(f.torn, begins) })
}

// Unread finds the first line of a reply that nothing was read of, and that was meant as a call all the same: such a
// reply is no answer. Code blocks are quotes, unless the reply is nothing else.
func Unread(r nebula.Reply, tools []nebula.ToolSpec) (line int, ok bool) {
	start, _ := Body(r)
	text := strings.TrimLeft(r.Text()[start:], " \t\r\n")
	at := 1 + strings.Count(r.Text()[:len(r.Text())-len(text)], "\n")
	text = strings.TrimRight(text, " \t\r\n")
	if _, said := Said(text); said {
		return 0, false
	}
	if cutObject(text) || listsActions(text, tools) || wordless(text) || askedFor.In(text) || argues(text, tools) || slices.ContainsFunc(tools, func(t nebula.ToolSpec) bool { return t.Name == strings.Trim(text, "`$ .:()") }) {
		return at, true
	}
	whole := strings.HasPrefix(text, "```") && strings.HasSuffix(text, "```") && strings.Count(text, "```") == 2
	fenced, prior, off, object := false, "", 0, false
	for l := range strings.Lines(text) {
		rest := text[off:]
		off += len(l)
		trimmed := strings.TrimLeft(l, " \t-*•\u3000")
		if strings.HasPrefix(trimmed, "```") {
			if !fenced && (listing(trimmed) || torn(strings.ToLower(trimmed[:min(len(trimmed), 64)]))) {
				return at, true
			}
			fenced = !fenced && !whole
		}
		if !fenced && (meantAsCall(trimmed, tools) || strings.HasPrefix(l, "*** ") && torn(strings.ToLower(l)) || callsInWords(trimmed, prior, tools) || saysCall(l, text, tools)) {
			return at, true
		}
		if !fenced && !object && strings.HasPrefix(l, "{\"") { // behind words; one try, as it reads to the end
			if object = true; cutObject(rest) && NamesTool(l, tools) {
				return at, true
			}
		}
		if strings.TrimSpace(trimmed) != "" {
			prior = strings.TrimSpace(trimmed)
		}
		at++
	}
	return 0, false
}

// BeginsCall reports whether a text's first line that is not empty begins like a call, in any form.
func BeginsCall(text string, tools []nebula.ToolSpec) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	line, _, _ := strings.Cut(text[:min(len(text), nearby)], "\n")
	if line == "" || line[0] == '`' {
		return false
	}
	if meantAsCall(line, tools) || strings.HasPrefix(line, "🦆") || Opens(text) {
		return true
	}
	if words := strings.Fields(line); len(words) > 3 && words[0] == "$" && words[2] == "@" {
		return true
	}
	_, _, ok := Printed(text, 0, tools)
	return ok
}

// NamesTool reports whether a text has a tool's own name as a text, or at the beginning of one.
//
//go:noinline
func NamesTool(text string, tools []nebula.ToolSpec) bool {
	return slices.ContainsFunc(tools, func(t nebula.ToolSpec) bool {
		return strings.Contains(text, `"`+t.Name) && (len(t.Name) > 4 || strings.Contains(text, `"`+t.Name+`"`))
	})
}

// wordless reports whether a reply says nothing: it is dots or signs, or the token that ends a turn.
func wordless(text string) bool {
	if text == "" {
		return false
	}
	return !strings.ContainsFunc(unwrapped(text), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.So, r) })
}

// meantAsCall reports whether a line begins like a call, or is a tool's name with arguments behind bars.
func meantAsCall(line string, tools []nebula.ToolSpec) bool {
	low := strings.ToLower(line[:min(len(line), 64)])
	if torn(low) || low != "" && low[0] == '<' && aFile.In(line) {
		return true
	}
	if list, ok := strings.CutPrefix(line, "["); ok {
		if called, _, ok := strings.Cut(list, "("); ok && answers(called, tools) {
			return true
		}
		if called, rest, ok := strings.Cut(list, "] "); ok && strings.TrimSpace(rest) != "" && slices.ContainsFunc(tools, func(t nebula.ToolSpec) bool { return len(t.Name) > 5 && t.Name == called }) {
			return true
		}
	}
	if called, args, ok := strings.Cut(strings.TrimSpace(line), "("); ok && strings.HasSuffix(args, ")") && len(args) > 1 && slices.ContainsFunc(tools, func(t nebula.ToolSpec) bool { return t.Name == called }) {
		return true
	}
	if birds.In(line) && strings.Count(line, "`")%2 == 0 && !strings.Contains(line, "`🦆") {
		return true
	}
	if m := namesWhat.For(line).FindStringSubmatch(line); m != nil && slices.ContainsFunc(tools, func(t nebula.ToolSpec) bool { return len(t.Name) > 4 && t.Name == m[1] }) {
		return true
	}
	name, rest, bar := strings.Cut(strings.TrimSpace(line), "|")
	return bar && rest != "" && answers(name, tools) && !strings.HasPrefix(rest, " ")
}

var (
	// birds are a macro between signs that nobody taught, or without its arrows; namesWhat is a call in YAML, or of ReAct without an input.
	birds     = &lazy.Pattern{X: `(?i)[^\x00-\x7f]\[t:\w+\||^t:\w+\|\S`}
	namesWhat = &lazy.Pattern{X: `^(?:operation|tool|tool_name|function):\s*["']?(\w+)["']?\s*$`}
)

// callsInWords reports whether a line, which prior stands above, has a tool's own name with its arguments in brackets: in words
// that say to call it, and not in a code span, a quotation or a table.
func callsInWords(line, prior string, tools []nebula.ToolSpec) bool {
	if line == "" || strings.IndexByte(">|", line[0]) >= 0 {
		return false
	}
	for _, t := range tools {
		at := strings.Index(line, t.Name)
		if at < 0 {
			if line[0] == '{' && strings.HasSuffix(prior, t.Name) || strings.HasPrefix(line, "Arguments: {") && strings.HasSuffix(prior, t.Name) {
				return true
			}
			continue
		}
		if strings.Count(line[:at], "`")%2 == 1 || at > 0 && strings.IndexByte("\"'.`", line[at-1]) >= 0 && !strings.Contains(line[:at], "{'name'") {
			continue
		}
		rest := strings.TrimLeft(line[at+len(t.Name):], "'\", :")
		for _, word := range []string{"with ", "arguments'", ": "} {
			rest = strings.TrimLeft(strings.TrimPrefix(rest, word), " :")
		}
		if rest != "" && (rest[0] == '{' && strings.ContainsAny(rest, "}") && strings.Contains(rest, ":") || rest[0] == '(' && strings.Contains(rest, "=")) {
			return true
		}
	}
	return false
}

// saysCall reports whether a line of a text says in words that a tool is called, by its own name at the line's beginning: with a file or
// behind a label, or with what it takes in the lines below.
func saysCall(line, text string, tools []nebula.ToolSpec) bool {
	m := callWords.For(line).FindStringSubmatch(line)
	if m == nil || !slices.ContainsFunc(tools, func(t nebula.ToolSpec) bool { return len(t.Name) > 5 && (t.Name == m[2] || snake(t.Name) == m[2]) }) {
		return false
	}
	rest := strings.TrimSpace(m[3])
	switch {
	case strings.Trim(rest, "])*:") == "":
		_, below, _ := strings.Cut(text, line)
		return m[1] != "" || givesValue.In(below)
	case strings.HasPrefix(rest, "|"):
		return m[1] != ""
	}
	first := callLeads.For(rest).ReplaceAllString(rest, "")
	first, more, _ := strings.Cut(first, " ")
	return fileLike(strings.Trim(first, "`'\".,;:!?…)]*")) && (m[1] != "" || strings.TrimSpace(more) == "")
}

var (
	callWords  = &lazy.Pattern{X: `(?i)^[\s(\[*]*((?:i'?ll |i will |let me |now |i )*(?:call|calls|calling|use|using|invoke|invoking|run|running|tool_call:|tool:|action:)\s+)?([A-Za-z_]+)\b(.*)`}
	givesValue = &lazy.Pattern{X: "(?m)^\\s*(?:\\w+\\s*[:=]|```|\\{)"}
	callLeads  = &lazy.Pattern{X: `^(?:with|on|for|path|file|the|:|=|\s)+`}
)

// snake is a name in small letters with a line between its words.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// answers reports whether a word is a tool's own name.
//
//go:noinline
func answers(name string, tools []nebula.ToolSpec) bool {
	return slices.ContainsFunc(tools, func(t nebula.ToolSpec) bool { return t.Answers(name) })
}

// listing reports whether a code block's label names the lines of a file that it is to replace.
func listing(label string) bool {
	parts := strings.SplitN(strings.Trim(label, "` \r\n"), ":", 3)
	return len(parts) == 3 && digits(parts[0]) && digits(parts[1])
}

// Said is what a document says that has a list of actions with nothing in it, whatever the order of its members, and
// whether in a code block or not. Such a document is an answer.
func Said(text string) (say string, ok bool) {
	text = strings.TrimSpace(text)
	if inside, fenced := strings.CutPrefix(text, "```"); fenced {
		_, inside, _ = strings.Cut(inside, "\n")
		text = strings.TrimSpace(strings.TrimSuffix(inside, "```"))
	}
	m, entered := Walk(text, 0, 1)
	if !entered || !strings.HasPrefix(text, "{") {
		return "", false
	}
	empty := false
	for m.Next() {
		key := fold(m.Key)
		r, read := m.Read()
		if !read || !r.Closed() {
			return "", false
		}
		switch {
		case lists.Has([]string{"actions", "toolcalls", "calls", "actionlist", "operations"}, key):
			if empty = string(r.JSON) == "[]" || string(r.JSON) == "null"; !empty {
				return "", false
			}
		case lists.Has([]string{"say", "answer", "message", "response", "finalanswer", "reply"}, key):
			say = strings.TrimSpace(Text(r.JSON))
		}
	}
	return say, empty && say != "" && m.Err == nil && !m.Cut && strings.TrimSpace(text[m.Pos():]) == ""
}

//go:noinline
func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// listsActions reports whether a text is an object with a list of actions, whatever their members are called, or with a tool's name in its place.
func listsActions(text string, tools []nebula.ToolSpec) bool {
	m, ok := Walk(text, 0, 1)
	if !ok || !strings.HasPrefix(text, "{") {
		return false
	}
	for m.Next() {
		key := m.Key
		if r, read := m.Read(); !read {
			return false
		} else if lists.Has([]string{"actions", "tool_calls", "calls"}, key) && (strings.HasPrefix(string(r.JSON), "[{") || NamesTool(string(r.JSON), tools)) {
			return true
		}
	}
	return false
}

// cutObject reports whether a text is an object, or a list of them, that ends before it is complete.
func cutObject(text string) bool {
	inner := strings.TrimLeft(text, "[ \n")
	if !strings.HasPrefix(inner, "{") || !strings.HasPrefix(strings.TrimLeft(inner[1:], " \t\r\n"), `"`) {
		return false
	}
	m, ok := Walk(text, 0, 1)
	if !ok {
		return false
	}
	for m.Next() {
		if r, ok := m.Read(); !ok || !r.Closed() {
			return m.Pos() == len(text) || m.Err != nil && strings.Contains(m.Err.Error(), "cut")
		}
	}
	return m.Cut
}
