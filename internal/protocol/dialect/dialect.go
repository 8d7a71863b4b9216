// Package dialect understands a reply that is not in the language its model was taught: calls printed as text in any
// model family's own markup, native calls where text was asked for, or another of nebula's protocols.
//
// The language taught always comes first. A reply in another is read only where it says unmistakably that it acts;
// what is quoted in prose or code blocks stays a quote. What was read so is less certain than what was taught, and
// says so by its confidence.
package dialect

import (
	"encoding/json"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/protocol"
	"nebula/internal/protocol/actionlist"
	"nebula/internal/protocol/toolcall"
)

// Decode reads a reply in the language taught, or, where it says nothing to do in that, in the one it is written in.
func Decode(r nebula.Reply, taught nebula.Protocol, tools []nebula.ToolSpec) nebula.Intent {
	if len(r.Calls()) > 0 {
		in := toolcall.Protocol{}.Read(r, tools)
		if taught.Name() != "toolcall" {
			in.Dialect = "toolcall"
			in.Repairs = append(in.Repairs, nebula.Repair{Name: "dialect_toolcall", Line: 1})
		}
		protocol.Settle(r, &in)
		return in
	}
	if in, ok := changes(r, tools); ok {
		return in
	}
	in := taught.Decode(r, tools)
	if len(in.Actions)+len(in.Questions) > 0 {
		return in
	}
	return otherwise(r, in, taught, tools)
}

// otherwise is what a reply that does nothing in the language taught means: an action in another, one that was meant
// and cannot be read, or what it says.
func otherwise(r nebula.Reply, in nebula.Intent, taught nebula.Protocol, tools []nebula.ToolSpec) nebula.Intent {
	if other, ok := foreign(r, taught.Name(), tools); ok {
		return other
	}
	other, ok := shell(r, tools)
	if !ok {
		other, ok = block(r, tools)
	}
	if !ok {
		other, ok = given(r, tools)
	}
	if ok {
		protocol.Settle(r, &other)
		return other
	}
	if other, ok := fenced(r, taught, tools); ok {
		protocol.Settle(r, &other)
		return other
	}
	if start, _ := protocol.Body(r); start > 0 { // no reader says what opens a reply and is for itself
		say, _ := strings.CutPrefix(in.Say, strings.TrimSpace(r.Text()[:start]))
		in.Say = strings.TrimSpace(say)
	}
	if say, ok := protocol.Said(in.Say); ok {
		in.Say = say
	}
	if line, ok := protocol.Unread(r, tools); ok && len(in.Problems) == 0 {
		problem := nebula.Problem{Line: line, Text: "this looks like a call, and it could not be read, so nothing was done."}
		if known, ok := language.Named(taught.Name()); ok {
			problem.Hint = "Write " + known.Form
		}
		in.Problems = append(in.Problems, problem)
	}
	return in
}

// foreign reads a reply in another language than the one taught.
func foreign(r nebula.Reply, taught string, tools []nebula.ToolSpec) (nebula.Intent, bool) {
	in, documents, name := other(r, taught, tools)
	if name == "" {
		return nebula.Intent{}, false
	}
	in.Dialect = name
	in.Repairs = append(in.Repairs, nebula.Repair{Name: "dialect_" + name, Line: max(1, in.Actions[0].Src.Line)})
	protocol.Settle(r, &in, documents...)
	return in, true
}

// other is a reply's reading in the first language that it acts in, and that language's name.
func other(r nebula.Reply, taught string, tools []nebula.ToolSpec) (in nebula.Intent, documents []nebula.Span, name string) {
	if in, ok := printed(r, tools); ok {
		return in, nil, "toolcall"
	}
	for _, l := range slices.Backward(language.All()) {
		if l.Name() == taught || l.Read == nil || !l.Speaks(r.Text()) {
			continue
		}
		in, documents = l.Read(r, tools)
		if !sound(in, tools) {
			continue
		}
		name = l.Name()
		if src := in.Actions[0].Src; name == "actionlist" && isCall(r.Text()[src.Start:src.End]) {
			name = "toolcall"
		}
		return in, documents, name
	}
	return yaml(r, tools)
}

// yaml reads a reply that is wholly YAML, in a code block or not, as the document that it would be in JSON. Its actions
// are inferred, and ask.
func yaml(r nebula.Reply, tools []nebula.ToolSpec) (in nebula.Intent, documents []nebula.Span, name string) {
	start, thoughts := protocol.Body(r)
	body := strings.TrimSpace(r.Text()[start:])
	if inside, ok := strings.CutPrefix(body, "```"); ok {
		_, inside, _ = strings.Cut(inside, "\n")
		body = strings.TrimSuffix(strings.TrimRight(inside, " \t\r\n"), "```")
	}
	object, ok := protocol.YAML(body)
	if !ok {
		return in, nil, ""
	}
	in, _ = actionlist.Protocol{}.Read(nebula.Reply{Parts: nebula.Text(string(object))}, tools)
	if !sound(in, tools) {
		return in, nil, ""
	}
	at := nebula.Span{Start: start, End: len(r.Text()), Line: 1 + strings.Count(r.Text()[:start], "\n")}
	for i := range in.Actions {
		in.Actions[i].Src = at
		protocol.Need(&in.Actions[i], "yaml")
	}
	in.Thoughts, in.Repairs, in.Problems = thoughts, nil, nil
	return in, nil, "actionlist"
}

// sound reports whether every action of an intent is one of a tool there is.
func sound(in nebula.Intent, tools []nebula.ToolSpec) bool {
	for _, a := range in.Actions {
		if !slices.ContainsFunc(tools, func(t nebula.ToolSpec) bool { return t.Answers(a.Tool) }) {
			return false
		}
	}
	return len(in.Actions) > 0
}

// isCall reports whether what an action was read from is a printed native call rather than one of an action list.
func isCall(text string) bool {
	var object struct{ Name, Operation json.RawMessage }
	return json.Unmarshal([]byte(text), &object) == nil && object.Name != nil && object.Operation == nil
}

// Tolerant is a protocol that understands replies in other languages. It streams, corrects, describes and has a schema
// as the protocol inside does.
func Tolerant(p nebula.Protocol) nebula.Protocol { return tolerant{p} }

type tolerant struct{ nebula.Protocol }

// Decode implements nebula.Protocol.
func (t tolerant) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	return Decode(r, t.Protocol, tools)
}

// Encode implements nebula.Protocol: native calls are answered natively, whatever was taught.
func (t tolerant) Encode(r nebula.Reply, in nebula.Intent, results []nebula.Result) []nebula.Message {
	if len(r.Calls()) > 0 {
		return toolcall.Protocol{}.Encode(r, in, results)
	}
	return t.Protocol.Encode(r, in, results)
}

// Stream implements nebula.Streamer. What a protocol without streams says is shown as it comes.
func (t tolerant) Stream(tools []nebula.ToolSpec) nebula.StreamDecoder {
	s, ok := t.Protocol.(nebula.Streamer)
	if !ok {
		s = toolcall.Protocol{}
	}
	return &stream{StreamDecoder: s.Stream(tools), taught: t.Protocol, tools: tools}
}

// Form implements nebula.Former: of the language that is taught. An action that was only shown gets none.
func (t tolerant) Form(a nebula.Action, tools []nebula.ToolSpec) string {
	if f, ok := t.Protocol.(nebula.Former); ok && !protocol.Misplaced(a) {
		return f.Form(protocol.Unfinished(a), tools)
	}
	return ""
}

// Correction implements nebula.Corrector.
func (t tolerant) Correction(r nebula.Reply, in nebula.Intent, lang string) string {
	if c, ok := t.Protocol.(nebula.Corrector); ok {
		return c.Correction(r, in, lang)
	}
	return toolcall.Protocol{}.Correction(r, in, lang)
}

// Same implements nebula.Corrector.
func (t tolerant) Same(r nebula.Reply, before, after nebula.Intent) error {
	if c, ok := t.Protocol.(nebula.Corrector); ok {
		return c.Same(r, before, after)
	}
	return protocol.Same(r, before, after)
}

// Schema implements nebula.Schemer.
func (t tolerant) Schema(tools []nebula.ToolSpec) json.RawMessage {
	if s, ok := t.Protocol.(nebula.Schemer); ok {
		return s.Schema(tools)
	}
	return nil
}

// Describe implements nebula.Describer.
func (t tolerant) Describe(s nebula.Surroundings) string {
	if d, ok := t.Protocol.(nebula.Describer); ok {
		return d.Describe(s)
	}
	return ""
}

// A stream shows what is complete in the language taught; what the reply means is settled at its end.
type stream struct {
	nebula.StreamDecoder
	taught nebula.Protocol
	tools  []nebula.ToolSpec
	text   strings.Builder
}

// Feed implements nebula.StreamDecoder.
func (s *stream) Feed(text string) []nebula.Piece {
	s.text.WriteString(text)
	return s.StreamDecoder.Feed(text)
}

// Close implements nebula.StreamDecoder.
func (s *stream) Close() nebula.Intent {
	in := s.StreamDecoder.Close()
	if in, ok := changes(nebula.Reply{Parts: nebula.Text(s.text.String())}, s.tools); ok {
		return in
	}
	if _, ok := s.taught.(nebula.Streamer); !ok {
		in = s.taught.Decode(nebula.Reply{Parts: nebula.Text(s.text.String())}, s.tools)
	}
	if len(in.Actions)+len(in.Questions) > 0 {
		return in
	}
	return otherwise(nebula.Reply{Parts: nebula.Text(s.text.String())}, in, s.taught, s.tools)
}
