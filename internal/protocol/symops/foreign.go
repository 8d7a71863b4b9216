package symops

import (
	"encoding/json"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/protocol"
)

// A call is what a piece of another language says: JSON, tags or YAML in a Sym-Ops reply.
type call struct {
	first, last int      // its lines
	says        Document // but for its actions
	actions     []nebula.Action
	repairs     []string
	scalar      bool             // the lines are the content of the action above
	here        bool             // and the last of them ends a here-document
	input       protocol.Reading // ReAct: the arguments of the action above
	wrong       string           // why nothing could be read from here to the end of the reply
}

func (c *call) empty() bool {
	return len(c.actions)+len(c.says.Vitals)+len(c.says.Thoughts)+len(c.says.Questions)+len(c.says.Errors)+len(c.wrong) == 0
}

// readCall reads a foreign call that begins at line i. used is how many bytes were looked at.
func readCall(text string, lines []line, i, budget int, tools []nebula.ToolSpec) (c call, used int, ok bool) {
	l := lines[i]
	s := text[l.start+int32(l.indent):]
	s = s[:min(len(s), budget)]
	skip := 0
	switch {
	case len(s) < 2:
		return c, 0, false
	case l.label == contentLabel:
		return readScalar(text, lines, i)
	case protocol.Marker(s) == '<':
		return readChanges(text, lines, i)
	case l.label == inputLabel:
		if skip = strings.IndexByte(s[:min(len(s), 200)], '{'); skip < 0 {
			return c, 0, false
		}
		used, ok = c.readInput(s[skip:])
	case s[0] == '<' || s[0] == '[' || l.label == noLabel && l.kind != fence && protocol.Opens(s):
		used, ok = c.readPrinted(s, tools)
	default:
		if skip = len(s) - len(strings.TrimPrefix(s, "$ ")); skip == len(s) || s[skip] != '{' {
			return c, 0, false
		}
		used, ok = c.readJSON(s[skip:], tools)
	}
	if used += skip; !ok || c.empty() && c.input.JSON == nil {
		return c, used, false
	}
	c.last = i
	end := int(l.start) + int(l.indent) + used
	for c.last+1 < len(lines) && int(lines[c.last+1].start) < end {
		c.last++
	}
	return c, used, strings.Trim(text[min(end, int(lines[c.last].end)):lines[c.last].end], " \t,;`") == ""
}

// readInput reads the arguments of an action that was named above.
func (c *call) readInput(s string) (used int, ok bool) {
	r, err := protocol.Read(s)
	c.input, c.repairs = r, []string{"json_call"}
	return r.End, err == nil && r.Closed()
}

// readPrinted reads calls as model families print them, a list of calls in JSON, and what stands in tags.
func (c *call) readPrinted(s string, tools []nebula.ToolSpec) (used int, ok bool) {
	e, used, ok := readElement(s)
	file := e.attr["path"] + e.attr["target"] + e.attr["file"]
	if body := strings.TrimSpace(e.body); !ok || sayTags[e.name] == noLabel && file == "" && body != "" && strings.IndexByte("<{[", body[0]) >= 0 {
		if calls, end, ok := protocol.Printed(s, 0, tools); ok {
			for _, printed := range calls {
				c.actions = append(c.actions, printed.Action(nebula.Span{}, tools))
			}
			c.repairs = append(c.repairs, "xml_call")
			return end + closing(s, end), true
		}
	}
	if s[0] == '[' {
		return c.readJSON(s, tools)
	}
	if ok {
		c.repairs = append(c.repairs, "xml_call")
		c.element(e, tools)
	}
	return used, ok
}

// closing is the length of what closes the tag that s begins with, behind a call.
func closing(s string, end int) int {
	name, _, ok := strings.Cut(s[:min(len(s), 40)], ">")
	rest := strings.TrimLeft(s[end:], " \t\r\n")
	if shut := "</" + strings.TrimPrefix(name, "<") + ">"; ok && strings.HasPrefix(rest, shut) {
		return len(s) - end - len(rest) + len(shut)
	}
	return 0
}

// readChanges reads search and replace pairs that stand without a block below their file's name.
func readChanges(text string, lines []line, i int) (c call, used int, ok bool) {
	c = call{first: i, scalar: true, repairs: []string{"missing_delimiters"}}
	open := false
	for j := i; j < len(lines); j++ {
		s := text[lines[j].start:lines[j].end]
		switch {
		case strings.HasPrefix(s, "<<<<<<< "):
			open = true
		case strings.HasPrefix(s, ">>>>>>> ") && open:
			c.last, open, ok = j, false, true
		case !open && strings.TrimSpace(s) != "":
			return c, used, ok
		}
		used = int(lines[j].end - lines[i].start)
	}
	return c, used, ok
}

// readScalar reads "content: |" and the deeper lines below it.
func readScalar(text string, lines []line, i int) (c call, used int, ok bool) {
	_, rest := readLabel(clip(lines[i].trimmed(text)))
	if !lists.Has([]string{"|", "|-", "|+", ">", "|2"}, rest) {
		return c, 0, false
	}
	c = call{first: i + 1, last: i, scalar: true, repairs: []string{"yaml_call"}}
	for j := i + 1; j < len(lines); j++ {
		l := lines[j]
		if strings.TrimSpace(l.text(text)) == "" {
			continue
		}
		if l.indent <= lines[i].indent {
			break
		}
		c.last = j
	}
	return c, 0, c.last > i
}

// readJSON reads an object, or a list of them: calls, and what else a reply can say.
func (c *call) readJSON(s string, tools []nebula.ToolSpec) (used int, ok bool) {
	r, err := protocol.Read(s)
	if err != nil || !r.Closed() {
		if _, rest, _ := strings.Cut(s[:min(len(s), 200)], ":"); protocol.NamesCall(firstKey(s), protocol.Quote(firstKey(rest)), tools) {
			c.wrong = "the call in JSON does not end: it was cut, or a quotation mark in it is not escaped"
		}
		return len(s), true
	}
	c.object(r, 0, tools)
	switch {
	case len(c.actions) > 0:
		c.repairs = append(c.repairs, "json_call")
	case len(c.says.Vitals) > 0:
		c.repairs = append(c.repairs, "vitals_json")
	}
	return r.End, true
}

// firstKey is the first quoted word of a JSON text.
func firstKey(s string) string {
	s = strings.TrimLeft(s, "[{ \t\r\n")
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return ""
	}
	key, _, _ := strings.Cut(s[1:], s[:1])
	return key
}

// object takes what an object or a list says.
func (c *call) object(r protocol.Reading, depth int, tools []nebula.ToolSpec) {
	if depth > 4 || len(r.JSON) == 0 {
		return
	}
	inner := func(raw json.RawMessage) {
		each := r
		each.JSON = raw
		c.object(each, depth+1, tools)
	}
	var items []json.RawMessage
	if json.Unmarshal(r.JSON, &items) == nil {
		for _, item := range items {
			inner(item)
		}
		return
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(r.JSON, &o) != nil {
		return
	}
	if a, ok := protocol.CallOf(r, tools); ok {
		if spec, known := protocol.Find(a.Tool, tools); known || len(o["args"])+len(o["arguments"]) > 0 {
			if a.Problem != "" && hasParam(spec, "command") && len(o["path"]) > 0 { // a command as the target
				a = protocol.Call{Name: a.Tool, Args: protocol.Reading{JSON: protocol.AddField([]byte("{}"), "command", o["path"])}}.Action(nebula.Span{}, tools)
			}
			c.actions = append(c.actions, a)
			return
		}
	}
	if len(o) == 2 && len(o["path"]) > 0 && len(o["content"]) > 0 {
		c.repairs = append(c.repairs, "missing_verb")
		c.actions = append(c.actions, protocol.Call{Name: create, Args: r}.Action(nebula.Span{}, tools))
		return
	}
	for key, value := range o {
		if verb, known := canonical(key); known && len(o) == 1 && value[0] == '"' && !writes(verb) {
			c.actions = append(c.actions, protocol.Call{Name: verb, Args: protocol.Reading{JSON: value}}.Action(nebula.Span{}, tools))
			return
		}
	}
	for _, key := range []string{"thoughts", "thought", "reasoning", "questions", "question", "errors"} {
		for _, t := range protocol.Strings(o[key]) {
			c.says.said(sayTags[key], t)
		}
	}
	for _, key := range []string{"actions", "operations", "tool_calls", "calls", "steps", "files"} {
		before := len(c.actions)
		if inner(o[key]); len(c.actions) > before {
			c.repairs = append(c.repairs, "dialect_actionlist") // a document is nothing that was taught
		}
		if items = nil; json.Unmarshal(o[key], &items) == nil && len(c.actions)-before < len(items) && key != "files" {
			c.wrong = "a member of " + key + " is no call"
		}
	}
	var vitals map[string]json.RawMessage
	if json.Unmarshal(o["vitals"], &vitals) != nil { // they stand beside the rest
		vitals = o
	}
	c.condition(vitals)
}

// condition takes vitals from an object that holds nothing else, or under its own key.
func (c *call) condition(o map[string]json.RawMessage) {
	found := Vitals{}
	for k, raw := range o {
		key, known := vitalWords[strings.ToLower(strings.TrimPrefix(k, "#"))]
		if v, _, ok := readVitals("#" + string(key) + protocol.Text(raw)); known && ok {
			found[key] = v[key]
		}
	}
	if len(found) > 1 || len(found) == len(o) && len(found) == 1 {
		c.says.Vitals = found
	}
}

// call takes what a foreign call says into the document.
func (b *builder) call(i int, c call) {
	switch {
	case c.wrong != "":
		b.flush()
		b.problem(i, c.wrong, "write `$ create @ path` and the content between two lines --, or `$ run @ command`")
		return
	case c.scalar:
		b.scalar(i, c)
		return
	case c.input.JSON != nil && b.cur == nil:
		b.problem(i, "arguments without an action", "write `$ verb @ target`")
		return
	case c.input.JSON != nil:
		c.actions = append(c.actions, protocol.Call{Name: b.cur.Type, Args: c.input}.Action(nebula.Span{}, b.tools))
		c.repairs = append(b.cur.Rows, c.repairs...)
		b.cur = nil
	}
	b.flush()
	for _, t := range c.says.Thoughts {
		b.said(thoughtLabel, t)
	}
	b.vitals(c.says.Vitals)
	b.doc.Questions = append(b.doc.Questions, c.says.Questions...)
	b.doc.Errors = append(b.doc.Errors, c.says.Errors...)
	if len(c.actions) == 0 {
		b.fix(c.repairs, i)
	}
	for _, a := range c.actions {
		said := protocol.ReportOf(nebula.Intent{Actions: []nebula.Action{a}}, "").Actions[0]
		protocol.Need(&a, c.repairs...)
		a.Src = b.src.span(i, c.last)
		if reason := strings.Join(b.thoughts, "\n"); reason != "" {
			a.Reason = reason
		}
		b.thoughts = nil
		b.doc.Actions = append(b.doc.Actions, Action{Type: said.Type, Path: said.Path, DependsOn: said.DependsOn, Content: said.Content, HasBlock: said.HasBlock,
			Reason: a.Reason, Args: a.Args, Rows: a.Repairs, Src: a.Src, call: &a})
	}
}

var heredocEnd = &lazy.Pattern{X: "[^<]<<[- ]*[\"'\\\\ ]*([\\pL_.][\\pL\\d_.-]{0,39})[\"' ]*$"}

// heredocWord is the word that ends the here-document which a line begins; empty for none.
func heredocWord(s string) string {
	if !strings.Contains(s, "<<") {
		return ""
	}
	if m := heredocEnd.For(s).FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// heredoc finds the line that ends the here-document of an action line; 0 for none.
func heredoc(text string, lines []line, i, budget int) (last, used int) {
	word := heredocWord(clip(lines[i].trimmed(text)))
	if word == "" {
		return 0, 0
	}
	for j := i + 1; j < len(lines) && used < budget; j++ {
		used += int(lines[j].end-lines[j].start) + 1
		if strings.TrimSpace(text[lines[j].start:lines[j].end]) == word {
			return j, used
		}
	}
	return 0, used
}

// scalar gives the lines of YAML or of a here-document to the action above: a here-document is the file, or a part of the
// command.
func (b *builder) scalar(i int, c call) {
	if b.cur == nil {
		b.problem(i, "content without an action", "write `$ create @ path` above the block")
		return
	}
	b.fix(c.repairs, i)
	last := c.last + 1
	if c.here {
		if !writes(b.cur.Type) {
			b.cur.Path += "\n" + b.src.join(b.lines, c.first, last, "")
			b.cur.Src.End = b.src.span(c.last, c.last).End
			return
		}
		b.cur.Path = strings.TrimSpace(b.cur.Path[:max(0, strings.LastIndex(b.cur.Path, "<<"))])
		last--
	}
	b.startBlock(-1, c.first)
	b.unclosed = false
	b.endWith(last, c.last)
}
