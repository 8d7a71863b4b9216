package actionlist

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"nebula"
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
	lists   int  // how many lists of actions there were
	other   int  // items that are no action
	cut     bool // a value of it is not complete
	lost    bool // what is behind the broken place cannot be told apart
}

// listNames are the fields in which models put the actions.
var listNames = map[string]bool{"actions": true, "action_list": true, "actionlist": true, "actionList": true, "tool_calls": true, "calls": true, "operations": true}

// fields reads an object: the whole document, or a single action.
func (doc *document) fields() {
	doc.values = map[string]protocol.Reading{}
	for doc.root.Next() {
		if listNames[doc.root.Key] && doc.root.Peek() == '[' {
			inner, _ := doc.root.Enter()
			doc.lists++
			doc.items(inner)
			if inner.Err != nil || inner.Cut || doc.cut {
				doc.cut, doc.lost = true, true
				return
			}
			continue
		}
		key := doc.root.Key
		reading, ok := doc.root.Read()
		if !ok {
			return
		}
		if !reading.Closed() {
			doc.cut = true
			return
		}
		doc.names = append(doc.names, key)
		doc.values[key] = reading
	}
}

// items reads a list of actions.
func (doc *document) items(list *protocol.Members) {
	for list.Next() {
		start := list.Start
		reading, ok := list.Read()
		if !ok || !reading.Closed() {
			doc.cut, doc.lost, doc.err = true, true, list.Err
			return
		}
		a, ok := action(reading, doc.decoder.tools)
		if !ok {
			doc.other++
			continue
		}
		a.Src = nebula.Span{Start: start, End: list.Pos(), Line: doc.decoder.lineOf(start)}
		doc.actions = append(doc.actions, a)
	}
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
	}
	whole.JSON = json.RawMessage("{" + object.String() + "}")
	a, ok := action(whole, doc.decoder.tools)
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
		if slices.Contains(sureNames, name) {
			return true
		}
		if _, known := protocol.Find(plain(doc.values[name].JSON), doc.decoder.tools); known && slices.Contains(otherNames, name) {
			return true
		}
	}
	return false
}

// broken tells the model how far its document could be read.
func (doc *document) broken() {
	what := "the document ends before it is complete"
	if err := cmp.Or(doc.root.Err, doc.err); err != nil {
		what = err.Error()
	}
	d := doc.decoder
	text := fmt.Sprintf("%s; %d complete actions before it were read, nothing behind.", what, len(doc.actions))
	d.in.Problems = append(d.in.Problems, nebula.Problem{Line: doc.line, Text: text, Hint: "Write one valid JSON object; in strings write \\n, \\\" and \\\\."})
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
	text := plain(value)
	switch strings.ToLower(name) {
	case "say", "message", "response", "answer", "final_answer", "reply":
		in.Say = strings.TrimSpace(in.Say + "\n" + text)
	case "thought", "thoughts", "thinking", "reasoning":
		in.Thoughts = append(in.Thoughts, texts(value)...)
	case "questions", "question":
		in.Questions = append(in.Questions, questions(value)...)
	case "errors":
		in.Errors = append(in.Errors, texts(value)...)
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

// plain is a value as text: a string's own, nothing for null, else as written.
func plain(value json.RawMessage) string {
	var s string
	switch {
	case json.Unmarshal(value, &s) == nil, string(value) == "null":
		return s
	}
	return string(value)
}

func texts(value json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		list = []json.RawMessage{value}
	}
	var out []string
	for _, v := range list {
		if s := strings.TrimSpace(plain(v)); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func questions(value json.RawMessage) []nebula.Question {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		list = []json.RawMessage{value}
	}
	var out []nebula.Question
	for _, v := range list {
		q := nebula.Question{Text: plain(v)}
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
	if note := strings.TrimSpace(plain(value)); note != "" {
		return &nebula.Delta{Note: note}
	}
	return nil
}
