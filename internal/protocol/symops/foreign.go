package symops

import (
	"encoding/json"
	"slices"
	"strings"

	"nebula"
)

// A call is what a piece of another language says: JSON, XML or YAML in a Sym-Ops reply.
type call struct {
	last      int // its last line
	actions   []foreignAction
	vitals    Vitals
	thoughts  []string
	questions []nebula.Question
	errors    []string
	repairs   []string
	first     int // YAML: the first line of a block scalar
	scalar    bool
	here      bool  // the last line ends a here-document
	input     bool  // ReAct: the arguments of the action above
	args      value // with input
}

type foreignAction struct {
	verb, path, dep, content string
	has                      bool
	args                     []byte
}

func (c *call) empty() bool {
	return len(c.actions)+len(c.vitals)+len(c.thoughts)+len(c.questions)+len(c.errors) == 0
}

// readCall reads a foreign call that begins at line i. used is how many bytes were looked at.
func readCall(text string, lines []line, i, budget int) (c call, used int, ok bool) {
	l := lines[i]
	s := text[l.start+int32(l.indent):]
	if len(s) < 2 {
		return c, 0, false
	}
	switch {
	case l.kind == labelled && l.label == contentLabel:
		return readScalar(text, lines, i)
	case l.kind == labelled && l.label == inputLabel:
		skip := strings.IndexByte(s[:min(len(s), 200)], '{')
		if skip < 0 {
			return c, 0, false
		}
		if c, used, ok = readInput(s[skip:], budget); ok {
			used += skip
		}
	case strings.HasPrefix(s, "<<<<<<< "):
		return readChanges(text, lines, i)
	case strings.HasPrefix(s, "$ {"):
		if c, used, ok = readJSON(s[2:], budget); ok {
			used += 2
		}
	case s[0] == '{', s[0] == '[':
		c, used, ok = readJSON(s, budget)
	case s[0] == '<':
		c, used, ok = readXML(s, budget)
	default:
		return c, 0, false
	}
	if !ok {
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
func readInput(s string, budget int) (c call, used int, ok bool) {
	r := jsonReader{s: s[:min(len(s), budget)]}
	c.args, ok = r.value(0)
	c.input, c.repairs = true, []string{"json_call"}
	return c, r.i, ok
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
	if rest != "|" && rest != "|-" && rest != "|+" && rest != ">" && rest != "|2" {
		return c, 0, false
	}
	c = call{first: i + 1, last: i, scalar: true, repairs: []string{"yaml_call"}}
	depth := lines[i].indent
	for j := i + 1; j < len(lines); j++ {
		l := lines[j]
		switch {
		case strings.TrimSpace(l.text(text)) == "":
			continue
		case l.indent <= depth:
			return c, 0, c.last > i
		}
		c.last = j
	}
	return c, 0, c.last > i
}

// jsonKeys are the first keys by which an object is worth reading as a call.
var jsonKeys = set("action", "actions", "type", "tool", "tools", "tool_calls", "tool_call", "name", "operation", "operations", "op", "function", "verb", "command", "cmd", "thoughts",
	"thought", "vitals", "confidence", "c", "path", "file", "target", "arguments", "args", "parameters", "create", "edit", "delete", "run", "test", "id", "reasoning",
	"plan", "questions", "mood", "tool_name", "recipient_name", "steps", "files", "file_path", "filename", "calls", "rationale")

func readJSON(s string, budget int) (c call, used int, ok bool) {
	head := s
	for _, prefix := range []string{"[TOOL_CALLS]", "[TOOL_CALL]"} {
		if t, cut := strings.CutPrefix(s, prefix); cut {
			head = strings.TrimLeft(t, " \n")
		}
	}
	skip := len(s) - len(head)
	if !jsonKeys[strings.ToLower(firstKey(head))] {
		return c, 0, false
	}
	r := jsonReader{s: head}
	if len(head) > budget {
		r.s = head[:budget]
	}
	v, ok := r.value(0)
	if !ok {
		return c, r.i, false
	}
	c.object(&v, 0)
	c.noteJSON(&r)
	return c, skip + r.i, !c.empty()
}

func (c *call) noteJSON(r *jsonReader) {
	if len(c.actions) > 0 {
		c.repairs = append(c.repairs, "json_call")
	} else if len(c.vitals) > 0 {
		c.repairs = append(c.repairs, "vitals_json")
	}
	if r.raw || r.loose {
		c.repairs = append(c.repairs, "broken_json")
	}
	if r.guessed {
		c.repairs = append(c.repairs, "unescaped_json")
	}
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
func (c *call) object(v *value, depth int) {
	if depth > 4 {
		return
	}
	if v.kind == '[' {
		for i := range v.items {
			c.object(&v.items[i], depth+1)
		}
		return
	}
	if v.kind != '{' || c.action(v) {
		return
	}
	c.thoughts = append(c.thoughts, v.get("thoughts", "thought", "reasoning", "rationale").list()...)
	for _, q := range v.get("questions", "question").list() {
		c.questions = append(c.questions, nebula.Question{Text: q})
	}
	c.errors = append(c.errors, v.get("errors", "error").list()...)
	for _, key := range []string{"actions", "operations", "tool_calls", "calls", "steps", "files", "action", "tool_call", "function", "function_call"} {
		if in := v.get(key); in != nil && (in.kind == '[' || in.kind == '{') {
			c.object(in, depth+1)
		}
	}
	vit := v.get("vitals", "duck_vitals")
	if vit == nil {
		vit = v
	}
	c.condition(vit)
}

// condition takes vitals from an object that holds nothing else, or under its own key.
func (c *call) condition(v *value) {
	found := Vitals{}
	for i, k := range v.keys {
		key, known := vitalWords[strings.ToLower(strings.TrimPrefix(k, "#"))]
		if !known {
			continue
		}
		if got, _, ok := readVitals("#" + string(key) + v.items[i].text); ok {
			found[key] = got[key]
		}
	}
	if len(found) > 1 || len(found) == len(v.keys) && len(found) == 1 {
		c.vitals = found
	}
}

var (
	verbKeys    = []string{"action", "type", "tool", "operation", "op", "tool_name", "name", "verb", "action_type", "function", "recipient_name"}
	pathKeys    = []string{"path", "target", "file", "file_path", "filename", "filepath", "file_name", "src", "targetfile", "target_file"}
	contentKeys = []string{"content", "contents", "new_content", "code", "body", "file_text", "text", "data", "block", "file_content", "diff"}
	commandKeys = []string{"command", "cmd", "script", "shell"}
	depKeys     = []string{"depends_on", "dependency", "dependencies", "depends", "requires", "after"}
	argKeys     = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs"}
)

// action takes an object that is one action.
func (c *call) action(v *value) bool {
	if fn := v.get("function"); fn != nil && fn.kind == '{' {
		return c.action(fn)
	}
	if len(v.keys) == 1 && c.short(v) {
		return true
	}
	word := ""
	for _, k := range verbKeys {
		if s := v.get(k).str(); s != "" {
			word = s
			if _, known := canonical(strings.TrimPrefix(s, "functions.")); known {
				break
			}
		}
	}
	args, boxed := v, false
	for _, k := range argKeys {
		if in := v.get(k); in != nil && in.kind == '{' {
			args, boxed = in, true
		} else if in != nil && in.kind == '"' {
			r := jsonReader{s: in.text}
			if inner, ok := r.value(0); ok && inner.kind == '{' {
				args, boxed = &inner, true
			}
		}
	}
	word = strings.TrimPrefix(word, "functions.")
	if _, known := canonical(word); boxed && isWord(word) && (!known || args.get("edits") != nil) && args.get("properties") == nil && onlyCall(v) {
		c.actions = append(c.actions, foreignAction{verb: word, path: args.get(pathKeys...).str(), args: args.json()})
		return true
	}
	return c.take(word, args)
}

// onlyCall reports whether an object holds nothing but a call: a word, its arguments, an id, a reason.
func onlyCall(v *value) bool {
	for _, k := range v.keys {
		k = strings.ToLower(k)
		if !slices.Contains(verbKeys, k) && !slices.Contains(argKeys, k) && k != "id" && k != "reason" && k != "reasoning" && k != "thought" && k != "description" {
			return false
		}
	}
	return true
}

// short takes {"create": {…}} and {"run": "pytest"}.
func (c *call) short(v *value) bool {
	verb, known := canonical(v.keys[0])
	if !known {
		return false
	}
	if in := &v.items[0]; in.kind == '{' {
		return c.take(verb, in)
	}
	if s := v.items[0].str(); s != "" && (verb == run || verb == test || verb == remove) {
		c.actions = append(c.actions, foreignAction{verb: verb, path: s})
		return true
	}
	return false
}

// take makes an action of a word and its arguments.
func (c *call) take(word string, args *value) bool {
	verb, known := canonical(word)
	a := foreignAction{verb: verb, path: args.get(pathKeys...).str(), dep: strings.Join(args.get(depKeys...).list(), ", ")}
	if content := args.get(contentKeys...); content != nil && (content.kind == '"') {
		a.content, a.has = strings.TrimSuffix(content.text, "\n"), true
	}
	command := args.get(commandKeys...).str()
	switch {
	case !known && toolWords[strings.ToLower(word)]:
		a.args = args.json()
	case !known && word == "" && a.path != "" && a.has:
		a.verb = create
		c.repairs = append(c.repairs, "missing_verb")
	case !known:
		return false
	case verb == run || verb == test:
		if command == "" {
			command = a.path
		}
		a.path = command
	}
	if a.path == "" && a.args == nil && verb != test {
		return false
	}
	if a.args == nil {
		a.args = args.exact(&a)
	}
	c.actions = append(c.actions, a)
	return true
}

// exact are the arguments with every string as it was: a call in JSON says how a file ends, a block does not.
func (v *value) exact(a *foreignAction) []byte {
	fields := map[string]any{}
	for i, k := range v.keys {
		k = strings.ToLower(k)
		if !slices.Contains(pathKeys, k) && !slices.Contains(contentKeys, k) && !slices.Contains(commandKeys, k) && !slices.Contains(depKeys, k) && !slices.Contains(verbKeys, k) {
			fields[k] = v.items[i].plain()
		}
	}
	content := v.get(contentKeys...).str()
	switch a.verb {
	case run, test:
		if a.path != "" {
			fields["command"] = a.path
		}
	case edit:
		fields["path"], fields["new_content"] = a.path, content
	case create:
		fields["path"], fields["content"] = a.path, content
	default:
		fields["path"] = a.path
	}
	return marshal(fields)
}

// json writes an object back, for tools whose arguments the language has no words for.
func (v *value) json() []byte {
	fields := map[string]any{}
	for i, k := range v.keys {
		fields[k] = v.items[i].plain()
	}
	return marshal(fields)
}

func (v *value) plain() any {
	switch v.kind {
	case '{':
		fields := map[string]any{}
		for i, k := range v.keys {
			fields[k] = v.items[i].plain()
		}
		return fields
	case '[':
		out := make([]any, 0, len(v.items))
		for i := range v.items {
			out = append(out, v.items[i].plain())
		}
		return out
	case '"':
		return v.text
	}
	switch v.text {
	case "true", "True":
		return true
	case "false", "False":
		return false
	case "null", "None":
		return nil
	}
	if json.Valid([]byte(v.text)) {
		return json.Number(v.text)
	}
	return v.text
}

// call takes what a foreign call says into the document.
func (b *builder) call(i int, c call) {
	switch {
	case c.scalar:
		b.scalar(i, c)
		return
	case c.input && b.cur == nil:
		b.problem(i, "arguments without an action", "write `$ verb @ target`")
		return
	case c.input:
		c.take(b.cur.Type, &c.args)
		c.repairs = append(b.cur.repairs, c.repairs...)
		b.cur = nil
	}
	b.flush()
	b.doc.Thoughts = append(b.doc.Thoughts, c.thoughts...)
	b.thoughts = append(b.thoughts, c.thoughts...)
	b.vitals(c.vitals)
	b.doc.Questions = append(b.doc.Questions, c.questions...)
	b.doc.Errors = append(b.doc.Errors, c.errors...)
	if len(c.actions) == 0 {
		b.fix(c.repairs, i)
	}
	for _, f := range c.actions {
		a := Action{Type: f.verb, Path: f.path, Content: f.content, HasBlock: f.has, Args: f.args, Src: b.src.span(i, c.last)}
		a.repairs = slices.Clone(c.repairs)
		if f.dep != "" {
			a.DependsOn = &f.dep
		}
		a.Reason = strings.Join(b.thoughts, "\n")
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
