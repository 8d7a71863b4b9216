package symops

import (
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/protocol"
)

// An element is one XML element as models write it: its name, its attributes, and what stands between its tags.
type element struct {
	name  string
	attr  map[string]string
	twice string // an attribute that came again
	body  string
}

// sayTags are elements for what is no action.
var sayTags = map[string]label{"thought": thoughtLabel, "thoughts": thoughtLabel, "reasoning": thoughtLabel, "vitals": vitalsLabel,
	"duck_vitals": vitalsLabel, "question": questionLabel, "questions": questionLabel, "error": errorLabel, "errors": errorLabel}

// callTags are elements that say with an attribute what is to be done.
var callTags = []string{"action", "file", "operation", "call", "tool"}

// readElement reads an element that s begins with: one of Sym-Ops' words in tags.
func readElement(s string) (e element, used int, ok bool) {
	end := strings.IndexByte(s[:min(len(s), 500)], '>')
	if end < 2 || s[0] != '<' {
		return e, 0, false
	}
	name, e := tag(s[1:end])
	if _, known := canonical(e.name); !known && sayTags[e.name] == noLabel && (!lists.Has(callTags, e.name) || len(e.attr) == 0) {
		return e, 0, false
	}
	if e.name == "del" && len(e.attr) == 0 { // it strikes out what stands in it
		return e, 0, false
	}
	if strings.HasSuffix(s[:end], "/") {
		return e, end + 1, true
	}
	shut := "</" + name + ">"
	i := strings.Index(s[end+1:], shut)
	if i < 0 {
		return e, len(s), false
	}
	e.body = s[end+1 : end+1+i]
	return e, end + 1 + i + len(shut), true
}

// tag parts a tag's inside: create path="a.py".
func tag(s string) (name string, e element) {
	e.attr = map[string]string{}
	name, rest, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(s), "/"), " ")
	e.name = strings.ToLower(name)
	for {
		k, v, ok := strings.Cut(strings.TrimSpace(rest), "=")
		if !ok || v == "" || v[0] != '"' && v[0] != '\'' {
			return name, e
		}
		if v, rest, ok = strings.Cut(v[1:], v[:1]); !ok {
			return name, e
		}
		if k = strings.ToLower(k); e.attr[k] != "" {
			e.twice = k
		}
		e.attr[k] = v
	}
}

// element takes what an element says.
func (c *call) element(e element, tools []nebula.ToolSpec) {
	body := strings.TrimSpace(e.body)
	switch lab := sayTags[e.name]; lab {
	case noLabel:
	case vitalsLabel:
		for k, v := range e.attr {
			body += " " + k + "=" + v
		}
		c.says.Vitals, _, _ = readVitals(body)
		return
	default:
		texts := []string{body}
		if lab == thoughtLabel {
			texts = strings.Split(body, "\n")
		}
		for _, t := range texts {
			if t = strings.TrimSpace(t); t != "" {
				c.says.said(lab, t)
			}
		}
		return
	}
	word := e.name
	args := []byte("{}")
	for k, v := range e.attr {
		switch k {
		case "type", "name", "action":
			word = v
		case "depends_on":
		default:
			args = protocol.AddField(args, k, protocol.Quote(v))
		}
	}
	switch verb, known := canonical(word); {
	case !known:
		return
	case body == "":
	case writes(verb): // lines between tags are lines of the file: the last one has its end, too
		args = protocol.AddField(args, "content", protocol.Quote(taggedText(e.body)+"\n"))
	case verb == remove:
		args = protocol.AddField(args, "path", protocol.Quote(body))
	default:
		args = protocol.AddField(args, "command", protocol.Quote(body))
	}
	verb, _ := canonical(word)
	a := protocol.Call{Name: verb, Args: protocol.Reading{JSON: args, Twice: e.twice}}.Action(nebula.Span{}, tools)
	a.DependsOn = parts(e.attr["depends_on"])
	c.actions = append(c.actions, a)
}

// taggedText is an element's text: without the line breaks that only set the tags apart, and out of its fence.
func taggedText(s string) string {
	t := strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(t, "<content>"); ok && strings.HasSuffix(t, "</content>") {
		s = strings.TrimSuffix(inner, "</content>")
		t = strings.TrimSpace(s)
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
