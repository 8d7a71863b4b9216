package actionlist

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/protocol"
)

// A document is one JSON value of a reply while it is read.
type document struct {
	decoder *decoder
	root    *protocol.Members
	pos     int
	line    int
	err     error    // of a list inside
	names   []string // of the root's fields
	values  map[string]protocol.Reading
	actions []nebula.Action
	lists   int    // how many lists of actions there were
	other   int    // items that are no action
	cut     bool   // a value of it is not complete
	twice   bool   // two lists of actions
	again   string // a field that came twice
	objects int    // values that are objects and no action
	inside  int    // where the last of them begins
	lost    bool   // what is behind the broken place cannot be told apart
}

// listNames are the fields in which models put the actions.
var listNames = map[string]bool{"actions": true, "action_list": true, "actionlist": true, "actionList": true, "tool_calls": true, "calls": true, "operations": true}

// looseNames may hold the actions, and anything else.
var looseNames = map[string]bool{"steps": true, "commands": true, "functions": true, "function_calls": true, "action_calls": true}

// fields reads an object: the whole document, or a single action.
func (doc *document) fields() {
	doc.values = map[string]protocol.Reading{}
	for doc.root.Next() {
		if (listNames[doc.root.Key] || looseNames[doc.root.Key]) && doc.root.Peek() == '[' {
			said := doc.root.Key
			inner, _ := doc.root.Enter()
			if doc.lists++; doc.lists > 1 {
				doc.decoder.problem(doc.line, "the document has two lists of actions; only one can be meant.")
				doc.twice = true
			}
			doc.items(inner, said)
			if inner.Err != nil || inner.Cut || doc.cut {
				doc.cut, doc.lost = true, true
				return
			}
			continue
		}
		key, start := doc.root.Key, doc.root.Start
		single := listNames[key] && doc.root.Peek() == '{'
		reading, ok := doc.root.Read()
		if !ok {
			return
		}
		if !reading.Closed() {
			doc.cut = true
			return
		}
		if single {
			doc.lists++
			doc.item(reading, start, doc.root.Pos(), key)
			continue
		}
		if text := protocol.Text(reading.JSON); listNames[key] && reading.JSON[0] == '"' && strings.TrimSpace(text) != "" {
			doc.other++
			doc.decoder.problem(doc.line, fmt.Sprintf("%s holds what is no action, so it was not done: %s", key, protocol.Clip(text, 80)))
		}
		if _, again := doc.values[key]; again {
			doc.again = key
		}
		if doc.names = append(doc.names, key); reading.JSON[0] == '{' {
			doc.objects, doc.inside = doc.objects+1, start
		}
		doc.values[key] = reading
	}
}

// item takes one of the list's values: an action, or in a list that can hold nothing else a problem.
func (doc *document) item(r protocol.Reading, start, end int, said string) {
	d := doc.decoder
	a, ok := protocol.CallOf(r, d.tools)
	if !ok {
		if doc.objects, doc.inside = doc.objects+1, start; r.JSON[0] != '{' {
			doc.objects++ // no wrapper
		}
		if doc.other++; listNames[said] {
			d.problem(d.lineOf(start), fmt.Sprintf("%s holds what is no action, so it was not done: %s", said, protocol.Clip(string(r.JSON), 80)))
		}
		return
	}
	a.Src = nebula.Span{Start: start, End: end, Line: d.lineOf(start)}
	doc.actions = append(doc.actions, a)
}

// items reads a list of actions, under the name that it has in the document.
func (doc *document) items(list *protocol.Members, said string) {
	for list.Next() {
		start := list.Start
		reading, ok := list.Read()
		if !ok || !reading.Closed() {
			doc.cut, doc.lost, doc.err = true, true, list.Err
			return
		}
		doc.item(reading, start, list.Pos(), said)
	}
}

// wraps reports whether what was read is nothing but another value's wrapper: an object with one object in it and words beside
// it, or a list with one; none whose name says that what is in it is only shown or not to be done.
func (doc *document) wraps() bool {
	if doc.objects != 1 || doc.lists > 0 || doc.root.Err != nil || doc.root.Cut || doc.cut {
		return false
	}
	for _, name := range doc.names {
		if value := doc.values[name].JSON; value[0] == '[' || protocol.Doubts(name) || value[0] == '"' && protocol.Doubts(protocol.Text(value)) {
			return false
		}
	}
	return true
}

// holds reports whether what was read is a document of this protocol, or the beginning of one.
func (doc *document) holds() bool {
	if len(doc.actions) > 0 {
		return true
	}
	if doc.values == nil {
		return doc.root.Err == nil && !doc.root.Cut && doc.other == 0 && !doc.cut
	}
	if doc.lists > 0 || doc.singular() {
		return true
	}
	for _, name := range doc.names {
		if decisionNames[name] {
			return true
		}
	}
	return false
}

var decisionNames = map[string]bool{"say": true, "rationale": true, "goal_consistency": true, "constraint_check": true, "next_step": true, "prompt_pattern": true, "state_delta": true}

// singular takes an object that is itself an action.
func (doc *document) singular() bool {
	if doc.root.Err != nil || doc.root.Cut || doc.cut || doc.lists > 0 {
		return false
	}
	var object strings.Builder
	var whole protocol.Reading
	for i, name := range doc.names {
		if i > 0 {
			object.WriteByte(',')
		}
		r := doc.values[name]
		object.WriteString(string(protocol.Quote(name)) + ":" + string(r.JSON))
		whole.Repairs = append(whole.Repairs, r.Repairs...)
		whole.Doubts = append(whole.Doubts, r.Doubts...)
		doc.again = cmp.Or(doc.again, r.Twice)
	}
	whole.JSON = json.RawMessage("{" + object.String() + "}")
	whole.Twice = doc.again
	a, ok := protocol.CallOf(whole, doc.decoder.tools)
	if !ok {
		return false
	}
	a.Src = nebula.Span{Start: doc.pos, End: doc.root.Pos(), Line: doc.line}
	doc.actions = append(doc.actions, a)
	return true
}

// begins reports whether an object that could not be read to its end began as an action.
func (doc *document) begins() bool {
	if doc.root.Err == nil && !doc.root.Cut && !doc.cut {
		return false
	}
	for _, name := range doc.names {
		if protocol.NamesCall(name, doc.values[name].JSON, doc.decoder.tools) {
			return true
		}
	}
	return false
}

// torn is why nothing of a document is done.
const torn = "cannot be read to its end, so nothing of it was done."

// broken tells the model where its document could not be read, and lets nothing of it be done.
func (doc *document) broken() {
	what, where := "the document ends before it is complete; nothing of it was done.", phrase.EndsBehind+phrase.Ending(doc.decoder.text)+". "
	if err := cmp.Or(doc.root.Err, doc.err); err != nil {
		what, where = err.Error()+"; nothing of it was done.", ""
	}
	d := doc.decoder
	for i := range doc.actions {
		doc.actions[i].Problem = cmp.Or(doc.actions[i].Problem, "the document that it is in "+torn)
	}
	d.in.Problems = append(d.in.Problems, nebula.Problem{Line: doc.line, Text: what, Hint: where + "Write one valid JSON object; in strings escape line breaks, quotation marks and backslashes."})
	doc.lost = true
}

// deliver puts what was read into the intent.
func (doc *document) deliver() {
	d := doc.decoder
	for _, r := range doc.root.Repairs() {
		d.in.Repairs = append(d.in.Repairs, nebula.Repair{Name: r.Name, Line: r.Line})
	}
	if doc.lists == 0 && len(doc.actions) > 0 {
		d.repair("list_bare", doc.line)
	} else if doc.lists > 0 && len(doc.names) > 0 && !doc.conforms() {
		d.repair("list_schema", doc.line)
	}
	if doc.twice {
		for i := range doc.actions {
			doc.actions[i].Problem = "the document has two lists of actions; only one can be meant, so nothing was done."
		}
	}
	protocol.Withhold(doc.actions, protocol.Text(doc.values["say"].JSON), protocol.Text(doc.values["next_step"].JSON))
	d.in.Actions = append(d.in.Actions, doc.actions...)
	if doc.lists > 0 || len(doc.actions) == 0 {
		for _, name := range doc.names {
			doc.field(name, doc.values[name].JSON)
		}
	}
}

// field takes one of the document's own fields in.
func (doc *document) field(name string, value json.RawMessage) {
	in := &doc.decoder.in
	text := protocol.Text(value)
	switch strings.ToLower(name) {
	case "say", "message", "response", "answer", "final_answer", "reply":
		in.Say = strings.TrimSpace(in.Say + "\n" + text)
	case "thought", "thoughts", "thinking", "reasoning":
		in.Thoughts = append(in.Thoughts, protocol.Strings(value)...)
	case "questions", "question":
		in.Questions = append(in.Questions, questions(value)...)
	case "errors":
		in.Errors = append(in.Errors, protocol.Strings(value)...)
	case "vitals":
		var vitals map[string]float64
		if json.Unmarshal(value, &vitals) == nil {
			for key, v := range vitals {
				protocol.Feel(&in.Vitals, key, v)
			}
		}
	case "state_delta":
		if delta := stateDelta(value); delta != nil {
			doc.decision().StateDelta = delta
		}
	default:
		if value[0] == 't' || value[0] == 'f' {
			text = string(value) // true or false
		}
		if a, ok := protocol.CallOf(doc.values[name], doc.decoder.tools); ok && value[0] == '{' && a.Problem == "" {
			a.Src = nebula.Span{Start: doc.pos, End: doc.root.Pos(), Line: doc.line}
			in.Actions = append(in.Actions, a)
			return
		}
		var number float64
		if json.Unmarshal(value, &number) == nil && protocol.Feel(&in.Vitals, name, number) {
			return
		}
		var d nebula.Decision
		if known, _ := protocol.Decide(&d, name, text); !known || text == "" {
			return
		}
		if _, problem := protocol.Decide(doc.decision(), name, text); problem != "" {
			in.Problems = append(in.Problems, nebula.Problem{Line: doc.line, Text: problem + "."})
		}
	}
}

func (doc *document) decision() *nebula.Decision {
	in := &doc.decoder.in
	if in.Decision == nil {
		in.Decision = &nebula.Decision{}
	}
	return in.Decision
}

func questions(value json.RawMessage) []nebula.Question {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		list = []json.RawMessage{value}
	}
	var out []nebula.Question
	for _, v := range list {
		q := nebula.Question{Text: protocol.Text(v)}
		var object struct {
			Text, Question string
			Options        []string
		}
		if json.Unmarshal(v, &object) == nil {
			q = nebula.Question{Text: object.Text + object.Question, Options: object.Options}
		}
		if strings.TrimSpace(q.Text) != "" {
			out = append(out, q)
		}
	}
	return out
}

// stateDelta reads a delta: an object of its fields, or free text.
func stateDelta(value json.RawMessage) *nebula.Delta {
	var d nebula.Delta
	if json.Unmarshal(value, &d) == nil && string(value) != "null" {
		return &d
	}
	if note := strings.TrimSpace(protocol.Text(value)); note != "" {
		return &nebula.Delta{Note: note}
	}
	return nil
}
