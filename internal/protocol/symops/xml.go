package symops

import (
	"html"
	"strings"

	"nebula"
)

// An element is one XML element as models write it: attributes, children in order, text.
type element struct {
	name string
	attr map[string]string
	body string
}

// readXML reads a call in tags at the front of s: <write_file><path>…, <tool_call>{…}</tool_call>,
// <function=run><parameter=command>….
func readXML(s string, budget int) (c call, used int, ok bool) {
	e, used, ok := readElement(s[:min(len(s), budget)])
	if !ok {
		return c, used, false
	}
	c.element(e, 0)
	if !c.empty() {
		c.repairs = append(c.repairs, "xml_call")
	}
	return c, used, !c.empty()
}

// callTags are elements that only hold a call.
var callTags = set("tool_call", "tool_calls", "function_call", "function_calls", "tool_use", "tool", "invoke", "call", "actions", "symops", "action", "file", "function",
	"operation", "tools", "files", "use_tool", "write_to_file")

// sayTags are elements for what is no action.
var sayTags = set("thought", "thoughts", "reasoning", "vitals", "duck_vitals", "question", "error")

// says takes an element that is no action.
func (c *call) says(e element) bool {
	body := strings.TrimSpace(e.body)
	switch strings.ToLower(e.name) {
	case "thought", "thoughts", "reasoning":
		if strings.HasPrefix(body, "<") {
			return false
		}
		for l := range strings.Lines(body) {
			if l = strings.TrimSpace(l); l != "" {
				c.thoughts = append(c.thoughts, l)
			}
		}
	case "vitals", "duck_vitals":
		words := body
		for k, v := range e.attr {
			words += " " + k + "=" + v
		}
		c.vitals, _, _ = readVitals(words)
	case "question":
		c.questions = append(c.questions, nebula.Question{Text: body})
	case "error":
		c.errors = append(c.errors, body)
	default:
		return false
	}
	return true
}

func readElement(s string) (e element, used int, ok bool) {
	end := strings.IndexByte(s[:min(len(s), 500)], '>')
	if end < 2 || s[0] != '<' {
		return e, 0, false
	}
	e.name, e.attr = tag(s[1:end])
	if name := strings.ToLower(e.name); !callTags[name] && !sayTags[name] {
		if _, known := canonical(e.name); !known && e.attr["="] == "" {
			return e, 0, false
		}
	}
	if strings.HasSuffix(s[:end], "/") {
		return e, end + 1, true
	}
	i := strings.Index(s[end+1:], "</"+e.name+">")
	if i < 0 {
		return e, len(s), false
	}
	e.body = s[end+1 : end+1+i]
	return e, end + 1 + i + len(e.name) + 3, true
}

// tag parts a tag's inside: create path="a.py", and function=create.
func tag(s string) (name string, attr map[string]string) {
	attr = map[string]string{}
	s = strings.TrimSuffix(strings.TrimSpace(s), "/")
	name, rest, _ := strings.Cut(s, " ")
	if n, v, ok := strings.Cut(name, "="); ok {
		attr["="] = strings.Trim(v, `"'`)
		name = n
	}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		k, v, ok := strings.Cut(rest, "=")
		if !ok || v == "" || v[0] != '"' && v[0] != '\'' {
			break
		}
		end := strings.IndexByte(v[1:], v[0])
		if end < 0 {
			break
		}
		attr[strings.ToLower(strings.TrimSpace(k))] = v[1 : 1+end]
		rest = v[end+2:]
	}
	return name, attr
}

// element takes what an element says.
func (c *call) element(e element, depth int) {
	if depth > 4 {
		return
	}
	if c.says(e) {
		return
	}
	body := strings.TrimSpace(e.body)
	if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
		r := jsonReader{s: body}
		if v, ok := r.value(0); ok {
			word := e.attr["="] + e.attr["name"]
			if word == "" && !callTags[strings.ToLower(e.name)] {
				word = e.name
			}
			if word == "" || !c.take(word, &v) {
				c.object(&v, 0)
			}
			return
		}
	}
	if c.fields(e) {
		return
	}
	for strings.HasPrefix(body, "<") {
		in, used, ok := readElement(body)
		if !ok {
			return
		}
		c.element(in, depth+1)
		body = strings.TrimSpace(body[used:])
	}
}

// fields takes an element whose children are arguments.
func (c *call) fields(e element) bool {
	v := value{kind: '{'}
	add := func(k, text string) {
		v.keys, v.items = append(v.keys, k), append(v.items, value{kind: '"', text: text})
	}
	word := e.name
	switch {
	case e.attr["="] != "":
		word = e.attr["="]
	case callTags[strings.ToLower(e.name)] && e.name != "write_to_file":
		word = e.attr["type"] + e.attr["name"] + e.attr["action"] + e.attr["operation"]
	}
	for k, text := range e.attr {
		if k != "type" && k != "name" && k != "action" && k != "=" {
			add(k, text)
		}
	}
	children, plain := childrenOf(e.body)
	for _, in := range children {
		k := in.name + in.attr["name"] + in.attr["="]
		for _, p := range []string{"parameter", "param", "arg"} {
			k = strings.TrimPrefix(k, p)
		}
		if in.name == "action" || in.name == "type" || in.name == "tool" || in.name == "operation" || in.name == "tool_name" {
			word = strings.TrimSpace(in.body)
			continue
		}
		add(k, textOf(in.body))
	}
	if len(children) == 0 && strings.TrimSpace(plain) != "" {
		verb, known := canonical(word)
		switch {
		case known && (verb == run || verb == test):
			add("command", strings.TrimSpace(plain))
		case word == "" && e.attr["path"] == "":
			return false
		default:
			add("content", textOf(plain))
		}
	}
	if !c.take(word, &v) {
		return false
	}
	if a := &c.actions[len(c.actions)-1]; a.has {
		a.args = nil // lines between tags are lines of the file: the last one has its end, too
	}
	return true
}

// childrenOf reads the elements of a body whose text is arguments; other text stays plain.
func childrenOf(s string) (children []element, plain string) {
	rest := strings.TrimSpace(s)
	for strings.HasPrefix(rest, "<") && !strings.HasPrefix(rest, "<![CDATA[") {
		end := strings.IndexByte(rest[:min(len(rest), 200)], '>')
		if end < 2 {
			return nil, s
		}
		var e element
		e.name, e.attr = tag(rest[1:end])
		if !argumentTag(e) {
			return nil, s
		}
		shut := "</" + e.name + ">"
		i := strings.Index(rest[end+1:], shut)
		if isPayload(e) { // contents may hold their own closing tag: take the last
			i = strings.LastIndex(rest[end+1:], shut)
		}
		if i < 0 {
			return nil, s
		}
		e.body = rest[end+1 : end+1+i]
		children = append(children, e)
		rest = strings.TrimSpace(rest[end+1+i+len(shut):])
	}
	if rest != "" {
		return nil, s
	}
	return children, ""
}

func isPayload(e element) bool {
	for _, k := range contentKeys {
		if e.name == k {
			return true
		}
	}
	return false
}

var argumentTags = set("parameter", "param", "arg", "type", "action", "tool", "operation", "tool_name", "description", "reason", "requires_approval", "line_count",
	"name", "pattern", "query", "directory", "keyword")

func argumentTag(e element) bool {
	name := strings.ToLower(e.name)
	if argumentTags[name] {
		return true
	}
	for _, keys := range [][]string{pathKeys, contentKeys, commandKeys, depKeys} {
		for _, k := range keys {
			if k == name {
				return true
			}
		}
	}
	return false
}

// unfenced takes a Markdown fence off that is all there is.
func unfenced(s string) (string, bool) {
	if !strings.HasPrefix(s, "```") || !strings.HasSuffix(s, "\n```") || strings.Count(s, "```") != 2 {
		return s, false
	}
	_, body, _ := strings.Cut(s, "\n")
	return strings.TrimSuffix(strings.TrimSuffix(body, "```"), "\n"), true
}

// textOf is an element's text: without the line breaks that only set the tags apart, and out of its CDATA.
func textOf(s string) string {
	t := strings.TrimSpace(s)
	if strings.HasPrefix(t, "<![CDATA[") && strings.HasSuffix(t, "]]>") {
		s = t[len("<![CDATA[") : len(t)-len("]]>")]
	} else if escapedHTML(s) {
		s = html.UnescapeString(s)
	}
	if inner, ok := unfenced(t); ok {
		return inner
	}
	s = strings.TrimPrefix(s, "\n")
	if i := strings.LastIndexByte(s, '\n'); i >= 0 && strings.TrimSpace(s[i:]) == "" {
		s = s[:i]
	}
	return s
}
