package symops

import (
	"encoding/json"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// A call is what a piece of another language says: JSON, tags or YAML in a Sym-Ops reply.
type call struct {
	first, last int // its lines
	actions     []Action
	vitals      Vitals
	thoughts    []string
	questions   []nebula.Question
	errors      []string
	repairs     []string
	scalar      bool            // the lines are the content of the action above
	here        bool            // and the last of them ends a here-document
	input       json.RawMessage // ReAct: the arguments of the action above
	doubts      []protocol.Doubt
	wrong       string // why nothing could be read from here to the end of the reply
}

func (c *call) empty() bool {
	return len(c.actions)+len(c.vitals)+len(c.thoughts)+len(c.questions)+len(c.errors) == 0
}

// readCall reads a foreign call that begins at line i. used is how many bytes were looked at.
func readCall(text string, lines []line, i, budget int) (c call, used int, ok bool) {
	l := lines[i]
	s := text[l.start+int32(l.indent):]
	s = s[:min(len(s), budget)]
	skip := 0
	switch {
	case len(s) < 2:
		return c, 0, false
	case l.kind == labelled && l.label == contentLabel:
		return readScalar(text, lines, i)
	case strings.HasPrefix(s, "<<<<<<< "):
		return readChanges(text, lines, i)
	case l.kind == labelled && l.label == inputLabel:
		if skip = strings.IndexByte(s[:min(len(s), 200)], '{'); skip < 0 {
			return c, 0, false
		}
		used, ok = c.readInput(s[skip:])
	case s[0] == '<':
		used, ok = c.readTag(s)
	default:
		skip = len(s) - len(strings.TrimPrefix(s, "$ "))
		for _, word := range []string{"[TOOL_CALLS]", "[TOOL_CALL]"} {
			skip += len(s[skip:]) - len(strings.TrimLeft(strings.TrimPrefix(s[skip:], word), " \n"))
		}
		if skip == len(s) || s[skip] != '{' && s[skip] != '[' {
			return c, 0, false
		}
		used, ok = c.readJSON(s[skip:])
	}
	if used += skip; !ok {
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
	c.input = r.JSON
	c.note("json_call", r)
	return r.End, err == nil && r.Closed()
}

// note names what a reading of JSON took.
func (c *call) note(name string, r protocol.Reading) {
	needed := nebula.Action{Repairs: append(c.repairs, name)}
	protocol.Needed(&needed, r)
	c.repairs, c.doubts = needed.Repairs, r.Doubts
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
	if !slices.Contains([]string{"|", "|-", "|+", ">", "|2"}, rest) {
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

// An object is a JSON object by its keys in lower case, the values as they were written.
type object map[string]json.RawMessage

func objectOf(raw json.RawMessage) object {
	var fields map[string]json.RawMessage
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	o := make(object, len(fields))
	for k, v := range fields {
		o[strings.ToLower(k)] = v
	}
	return o
}

// get is the value of the first key that is there.
func (o object) get(keys ...string) json.RawMessage {
	for _, k := range keys {
		if v := o[k]; len(v) > 0 && string(v) != "null" {
			return v
		}
	}
	return nil
}

// str is a value that is a text or a number.
func (o object) str(keys ...string) string { return textOf(o.get(keys...)) }

func textOf(raw json.RawMessage) (s string) {
	switch {
	case len(raw) == 0 || raw[0] == '{' || raw[0] == '[':
		return ""
	case raw[0] != '"':
		return string(raw)
	}
	_ = json.Unmarshal(raw, &s) // a string of valid JSON
	return s
}

// list are the texts of a value that is one or a list of them, or of objects that hold one.
func (o object) list(keys ...string) (out []string) {
	raw := o.get(keys...)
	var items []json.RawMessage
	if len(raw) > 0 && raw[0] == '[' {
		_ = json.Unmarshal(raw, &items) // a list of valid JSON
	} else {
		items = append(items, raw)
	}
	for _, item := range items {
		s := textOf(item)
		if s == "" {
			s = objectOf(item).str("text", "question", "message")
		}
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

var (
	verbKeys    = []string{"action", "type", "tool", "operation", "op", "tool_name", "name", "verb", "action_type", "function", "recipient_name"}
	pathKeys    = []string{"path", "target", "file", "file_path", "filename", "filepath", "file_name", "src", "targetfile", "target_file"}
	contentKeys = []string{"content", "contents", "new_content", "code", "body", "file_text", "text", "data", "block", "file_content", "diff"}
	commandKeys = []string{"command", "cmd", "script", "shell"}
	depKeys     = []string{"depends_on", "dependency", "dependencies", "depends", "requires", "after"}
	argKeys     = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs"}
	listKeys    = []string{"actions", "operations", "tool_calls", "calls", "steps", "files", "action", "tool_call", "function", "function_call", "functioncall", "params"}
	moreKeys    = []string{"thoughts", "thought", "vitals", "confidence", "c", "create", "edit", "delete", "run", "test", "id", "reasoning", "plan", "questions", "mood", "rationale", "tools", "jsonrpc"}
)

// isCallKey reports whether an object that begins with a key is worth reading as a call.
func isCallKey(key string) bool {
	for _, keys := range [][]string{verbKeys, pathKeys, commandKeys, argKeys, listKeys, moreKeys} {
		if slices.Contains(keys, key) {
			return true
		}
	}
	return false
}

func (c *call) readJSON(s string) (used int, ok bool) {
	if !isCallKey(strings.ToLower(firstKey(s))) {
		return 0, false
	}
	r, err := protocol.Read(s)
	if err != nil || !r.Closed() {
		c.wrong = "the call in JSON does not end: it was cut, or a quotation mark in it is not escaped"
		return len(s), namesCall(s)
	}
	c.object(r.JSON, 0)
	switch {
	case len(c.actions) > 0:
		c.note("json_call", r)
	case len(c.vitals) > 0:
		c.note("vitals_json", r)
	}
	return r.End, !c.empty()
}

// namesCall reports whether an object that cannot be read begins with a tool's name.
func namesCall(s string) bool {
	_, rest, _ := strings.Cut(s[:min(len(s), 200)], ":")
	word := firstKey(rest)
	_, known := canonical(word)
	return slices.Contains(verbKeys, strings.ToLower(firstKey(s))) && (known || toolWords[strings.ToLower(word)])
}

// firstKey is the first quoted word of a JSON text.
func firstKey(s string) string {
	s = strings.TrimLeft(s[:min(len(s), 200)], "[{ \t\r\n")
	if len(s) < 2 || s[0] != '"' && s[0] != '\'' {
		return ""
	}
	if i := strings.IndexByte(s[1:], s[0]); i > 0 {
		return s[1 : 1+i]
	}
	return ""
}

// object takes what an object or a list says.
func (c *call) object(raw json.RawMessage, depth int) {
	if depth > 4 || len(raw) == 0 {
		return
	}
	if raw[0] == '[' {
		var items []json.RawMessage
		_ = json.Unmarshal(raw, &items) // a list of valid JSON
		for _, item := range items {
			c.object(item, depth+1)
		}
		return
	}
	o := objectOf(raw)
	if o == nil || c.action(o, raw) {
		return
	}
	c.thoughts = append(c.thoughts, o.list("thoughts", "thought", "reasoning", "rationale")...)
	for _, q := range o.list("questions", "question") {
		c.questions = append(c.questions, nebula.Question{Text: q})
	}
	c.errors = append(c.errors, o.list("errors", "error")...)
	for _, key := range listKeys {
		c.object(o.get(key), depth+1)
	}
	if v := objectOf(o.get("vitals", "duck_vitals")); v != nil {
		o = v
	}
	c.condition(o)
}

// condition takes vitals from an object that holds nothing else, or under its own key.
func (c *call) condition(o object) {
	found := Vitals{}
	for k := range o {
		key, known := vitalWords[strings.TrimPrefix(k, "#")]
		if v, _, ok := readVitals("#" + string(key) + o.str(k)); known && ok {
			found[key] = v[key]
		}
	}
	if len(found) > 1 || len(found) == len(o) && len(found) == 1 {
		c.vitals = found
	}
}

// action takes an object that is one action: {"tool": …, "args": {…}}, {"action": "create", "path": …}, {"run": "ls"}.
func (c *call) action(o object, raw json.RawMessage) bool {
	if fn := o.get("function"); objectOf(fn) != nil {
		return c.action(objectOf(fn), fn)
	}
	if len(o) == 1 {
		for k, v := range o {
			verb, known := canonical(k)
			if s := textOf(v); known && s != "" && !writes(verb) {
				return c.take(verb, jsonObject("path", s), false)
			} else if known && objectOf(v) != nil {
				return c.take(verb, v, false)
			}
		}
	}
	word := ""
	for _, k := range verbKeys {
		if s := strings.TrimPrefix(o.str(k), "functions."); s != "" {
			word = s
			if _, known := canonical(s); known {
				break
			}
		}
	}
	args := o.get(argKeys...)
	if len(args) > 0 && args[0] == '"' {
		if r, err := protocol.Read(textOf(args)); err == nil {
			args = r.JSON
		}
	}
	if inner := objectOf(args); inner != nil && isWord(word) && inner["properties"] == nil {
		return c.take(word, args, onlyCall(o))
	}
	return c.take(word, raw, false)
}

// onlyCall reports whether an object holds nothing but a call: a word, its arguments, an id, a reason.
func onlyCall(o object) bool {
	for k := range o {
		if !slices.Contains(verbKeys, k) && !slices.Contains(argKeys, k) && !slices.Contains([]string{"id", "reason", "reasoning", "thought", "description"}, k) {
			return false
		}
	}
	return true
}

// take makes an action of a word and its arguments; sure says that the word can only be a tool's.
func (c *call) take(word string, args json.RawMessage, sure bool) bool {
	verb, known := canonical(word)
	o := objectOf(args)
	a := Action{Type: verb, Path: o.str(pathKeys...), Args: args}
	if dep := strings.Join(o.list(depKeys...), ", "); dep != "" {
		a.DependsOn = &dep
	}
	content := o.get(contentKeys...)
	if a.HasBlock = len(content) > 0 && content[0] == '"'; a.HasBlock {
		a.Content = strings.TrimSuffix(textOf(content), "\n")
	}
	switch {
	case known && (verb == run || verb == test):
		if command := o.str(commandKeys...); command != "" {
			a.Path = command
		} else if a.Path != "" {
			a.Args = jsonObject("command", a.Path)
		}
		if a.HasBlock = false; a.Path == "" && verb == run {
			return false
		}
	case known && a.Path == "" && !sure:
		return false
	case !known && word == "" && a.Path != "" && a.HasBlock:
		a.Type = create
		c.repairs = append(c.repairs, "missing_verb")
	case !known && !sure && !toolWords[strings.ToLower(word)]:
		return false
	}
	if !known && a.Type != create {
		a.HasBlock, a.Content = false, ""
	}
	c.actions = append(c.actions, a)
	return true
}

// jsonObject is an object of one text.
func jsonObject(key, value string) json.RawMessage {
	return protocol.AddField(json.RawMessage("{}"), key, protocol.Quote(value))
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
	case c.input != nil && b.cur == nil:
		b.problem(i, "arguments without an action", "write `$ verb @ target`")
		return
	case c.input != nil:
		c.take(b.cur.Type, c.input, true)
		c.repairs = append(b.cur.Rows, c.repairs...)
		b.cur = nil
	}
	b.flush()
	for _, t := range c.thoughts {
		b.think(t)
	}
	b.vitals(c.vitals)
	b.doc.Questions = append(b.doc.Questions, c.questions...)
	b.doc.Errors = append(b.doc.Errors, c.errors...)
	if len(c.actions) == 0 {
		b.fix(c.repairs, i)
	}
	for _, a := range c.actions {
		a.Src, a.Rows, a.doubts, a.Reason = b.src.span(i, c.last), slices.Clone(c.repairs), c.doubts, strings.Join(b.thoughts, "\n")
		b.thoughts = nil
		b.doc.Actions = append(b.doc.Actions, a)
	}
}

// heredocWord is the word that ends the here-document which a line begins; empty for none.
func heredocWord(s string) string {
	i := strings.LastIndex(s, "<<")
	if i <= 0 || s[i-1] == '<' {
		return ""
	}
	word := strings.Trim(strings.TrimLeft(s[i+2:], "- "), "\"'\\ ")
	if len(word) > 40 || !isWord(word) {
		return ""
	}
	return word
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

// here gives a here-document to its action: it is the file, or a part of the command.
func (b *builder) here(i int, c call) {
	b.fix(c.repairs, i)
	if b.cur.Type == run || b.cur.Type == test {
		b.cur.Path += "\n" + b.src.join(b.lines, c.first, c.last+1, "")
		b.cur.Src.End = b.src.span(c.last, c.last).End
		return
	}
	b.cur.Path = strings.TrimSpace(b.cur.Path[:max(0, strings.LastIndex(b.cur.Path, "<<"))])
	b.open, b.first, b.inside, b.fencer = -1, c.first, true, false
	b.unclosed = false
	b.endWith(c.last, c.last)
}

// scalar gives a YAML block to the action whose keys stand above it.
func (b *builder) scalar(i int, c call) {
	if b.cur == nil {
		b.problem(i, "content without an action", "write `$ create @ path` above the block")
		return
	}
	if c.here {
		b.here(i, c)
		return
	}
	b.fix(c.repairs, i)
	b.open, b.first, b.inside, b.fencer = -1, c.first, true, false
	b.endWith(c.last+1, c.last)
}
