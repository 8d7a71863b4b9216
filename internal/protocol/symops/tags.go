package symops

import (
	"encoding/json"
	"html"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// An element is one XML element as models write it: its name, its attributes ("=" is that of <function=name>), and
// what stands between its tags.
type element struct {
	name string
	attr map[string]string
	body string
}

// callTags are elements that only hold a call.
var callTags = set("tool_call", "tool_calls", "function_call", "function_calls", "tool_use", "tool", "invoke", "call", "actions", "symops", "action", "file", "function",
	"operation", "tools", "files", "use_tool")

// readTag reads a call in tags at the front of s: <write_file><path>…, <tool_call>{…}</tool_call>,
// <function=run><parameter=command>….
func (c *call) readTag(s string) (used int, ok bool) {
	e, used, ok := readElement(s, func(e element) bool {
		_, known := canonical(e.name)
		return known || toolWords[e.name] || callTags[e.name] || sayTags[e.name] != noLabel || e.attr["="] != ""
	}, false)
	if !ok {
		return used, false
	}
	c.element(e, 0)
	if !c.empty() {
		c.repairs = append(c.repairs, "xml_call")
	}
	return used, !c.empty()
}

// readElement reads the element that s begins with, if it is wanted; last says that it ends with its last closing tag.
func readElement(s string, wanted func(element) bool, last bool) (e element, used int, ok bool) {
	end := strings.IndexByte(s[:min(len(s), 500)], '>')
	if end < 2 || s[0] != '<' {
		return e, 0, false
	}
	raw, e := tag(s[1:end])
	if !wanted(e) {
		return e, 0, false
	}
	if strings.HasSuffix(s[:end], "/") {
		return e, end + 1, true
	}
	shut := "</" + raw + ">"
	i := strings.Index(s[end+1:], shut)
	if last {
		i = strings.LastIndex(s[end+1:], shut)
	}
	if i < 0 {
		return e, len(s), false
	}
	e.body = s[end+1 : end+1+i]
	return e, end + 1 + i + len(shut), true
}

// tag parts a tag's inside: create path="a.py", and function=create.
func tag(s string) (raw string, e element) {
	e.attr = map[string]string{}
	raw, rest, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(s), "/"), " ")
	if n, v, ok := strings.Cut(raw, "="); ok {
		e.attr["="] = strings.Trim(v, `"'`)
		raw = n
	}
	e.name = strings.ToLower(raw)
	for {
		k, v, ok := strings.Cut(strings.TrimSpace(rest), "=")
		if !ok || v == "" || v[0] != '"' && v[0] != '\'' {
			return raw, e
		}
		v, rest, ok = strings.Cut(v[1:], v[:1])
		if !ok {
			return raw, e
		}
		e.attr[strings.ToLower(k)] = v
	}
}

// sayTags are elements for what is no action.
var sayTags = map[string]label{"thought": thoughtLabel, "thoughts": thoughtLabel, "reasoning": thoughtLabel, "vitals": vitalsLabel,
	"duck_vitals": vitalsLabel, "question": questionLabel, "error": errorLabel}

// says takes an element that is no action.
func (c *call) says(e element) bool {
	body := strings.TrimSpace(e.body)
	switch sayTags[e.name] {
	case thoughtLabel:
		if strings.HasPrefix(body, "<") {
			return false
		}
		for l := range strings.Lines(body) {
			if l = strings.TrimSpace(l); l != "" {
				c.thoughts = append(c.thoughts, l)
			}
		}
	case vitalsLabel:
		for k, v := range e.attr {
			body += " " + k + "=" + v
		}
		c.vitals, _, _ = readVitals(body)
	case questionLabel:
		c.questions = append(c.questions, nebula.Question{Text: body})
	case errorLabel:
		c.errors = append(c.errors, body)
	default:
		return false
	}
	return true
}

// element takes what an element says.
func (c *call) element(e element, depth int) {
	if depth > 4 || c.says(e) {
		return
	}
	body := strings.TrimSpace(e.body)
	if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
		if r, err := protocol.Read(body); err == nil && r.Closed() {
			c.doubts = r.Doubts
			word := e.attr["="] + e.attr["name"]
			if word == "" && !callTags[e.name] {
				word = e.name
			}
			if word == "" || !c.take(word, r.JSON, true) {
				c.object(r.JSON, 0)
			}
			return
		}
	}
	if c.fields(e) {
		return
	}
	for strings.HasPrefix(body, "<") {
		in, used, ok := readElement(body, func(e element) bool { return true }, false)
		if !ok {
			return
		}
		c.element(in, depth+1)
		body = strings.TrimSpace(body[used:])
	}
}

// fields takes an element whose children are arguments.
func (c *call) fields(e element) bool {
	args := json.RawMessage("{}")
	add := func(k, text string) { args = protocol.AddField(args, k, protocol.Quote(text)) }
	word := e.name
	switch {
	case e.attr["="] != "":
		word = e.attr["="]
	case callTags[e.name]:
		word = e.attr["type"] + e.attr["name"] + e.attr["action"] + e.attr["operation"]
	}
	for k, text := range e.attr {
		if !slices.Contains([]string{"type", "name", "action", "="}, k) {
			add(k, text)
		}
	}
	children, plain := childrenOf(e.body)
	for _, in := range children {
		k := in.name + in.attr["name"] + in.attr["="]
		for _, p := range []string{"parameter", "param", "arg"} {
			k = strings.TrimPrefix(k, p)
		}
		switch {
		case slices.Contains([]string{"action", "type", "tool", "operation", "tool_name"}, in.name):
			word = strings.TrimSpace(in.body)
		case slices.Contains(contentKeys, k):
			add(k, taggedText(in.body)+"\n") // lines between tags are lines of the file: the last one has its end, too
		default:
			add(k, taggedText(in.body))
		}
	}
	if strings.TrimSpace(plain) != "" {
		verb, _ := canonical(word)
		switch {
		case verb == run || verb == test:
			add("command", strings.TrimSpace(plain))
		case word == "" && e.attr["path"] == "":
			return false
		default:
			add("content", taggedText(plain)+"\n")
		}
	}
	return c.take(word, args, false)
}

// childrenOf reads the elements of a body whose text is arguments; other text stays plain.
func childrenOf(s string) (children []element, plain string) {
	rest := strings.TrimSpace(s)
	for rest != "" {
		name := strings.TrimPrefix(rest[:min(len(rest), 30)], "<")
		name = name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz_"))]
		e, used, ok := readElement(rest, argumentTag, slices.Contains(contentKeys, name)) // contents may hold their own closing tag
		if !ok {
			return nil, s
		}
		children = append(children, e)
		rest = strings.TrimSpace(rest[used:])
	}
	return children, ""
}

var argumentTags = set("parameter", "param", "arg", "type", "action", "tool", "operation", "tool_name", "description", "reason", "requires_approval", "line_count",
	"name", "pattern", "query", "directory", "keyword")

func argumentTag(e element) bool {
	for _, keys := range [][]string{pathKeys, contentKeys, commandKeys, depKeys} {
		if slices.Contains(keys, e.name) {
			return true
		}
	}
	return argumentTags[e.name]
}

// taggedText is an element's text: without the line breaks that only set the tags apart, and out of its CDATA.
func taggedText(s string) string {
	t := strings.TrimSpace(s)
	if strings.HasPrefix(t, "<![CDATA[") && strings.HasSuffix(t, "]]>") {
		s = t[len("<![CDATA[") : len(t)-len("]]>")]
	} else if escapedHTML(s) {
		s = html.UnescapeString(s)
	}
	if strings.HasPrefix(t, "```") && strings.HasSuffix(t, "\n```") && strings.Count(t, "```") == 2 {
		_, body, _ := strings.Cut(t, "\n")
		return strings.TrimSuffix(strings.TrimSuffix(body, "```"), "\n")
	}
	s = strings.TrimPrefix(s, "\n")
	if i := strings.LastIndexByte(s, '\n'); i >= 0 && strings.TrimSpace(s[i:]) == "" {
		s = s[:i]
	}
	return s
}
