package gemini

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/model/transport"
)

// opening stands where a conversation would begin with what the model said.
const opening = "(The conversation goes on.)"

// request is the body for a prompt. What stays the same in a session stands first: tools, the system text, the messages.
func (a *Adapter) request(p nebula.Prompt, thinking string) []byte {
	dst := []byte(`{`)
	for i, t := range p.Tools {
		dst = append(dst, list(i, `"tools":[{"functionDeclarations":[`)...)
		dst = transport.AppendString(append(dst, `{"name":`...), t.Name)
		dst = transport.AppendString(append(dst, `,"description":`...), t.Description)
		dst = append(append(append(dst, `,"parametersJsonSchema":`...), t.Schema()...), '}')
	}
	if len(p.Tools) > 0 {
		dst = append(dst, `]}],`...)
	}
	if p.System != "" {
		dst = transport.AppendString(append(dst, `"systemInstruction":{"parts":[{"text":`...), p.System)
		dst = append(dst, `}]},`...)
	}
	dst = append(dst, `"contents":[`...)
	for i, t := range a.turns(p.Messages) {
		dst = append(append(append(append(dst, list(i, "")...), `{"role":"`...), t.role...), `","parts":[`...)
		for j, part := range t.parts {
			dst = append(append(dst, list(j, "")...), part...)
		}
		dst = append(dst, `]}`...)
	}
	return append(append(dst, ']'), a.configuration(p, thinking)+"}"...)
}

// configuration is how the reply is to be made; it stands behind the messages.
func (a *Adapter) configuration(p nebula.Prompt, thinking string) string {
	var says []string
	if thinking != "" {
		says = append(says, `"thinkingConfig":{`+thinking+`}`)
	}
	if len(p.Schema) > 0 && a.learnt.Takes(schema) {
		says = append(says, schema+string(p.Schema))
	}
	if p.MaxOutput > 0 {
		says = append(says, `"maxOutputTokens":`+strconv.Itoa(p.MaxOutput))
	}
	if says == nil {
		return ""
	}
	return `,"generationConfig":{` + strings.Join(says, ",") + `}`
}

// list is what stands before the n-th element.
func list(n int, opens string) string {
	if n == 0 {
		return opens
	}
	return ","
}

// A turn is what one side says until the other does. Results are a turn of their own: there are as many as calls.
type turn struct {
	role    string
	results bool
	parts   [][]byte
}

// turns are the messages as turns.
func (a *Adapter) turns(messages []nebula.Message) (turns []turn) {
	names := map[string]string{} // of the calls
	add := func(t turn) {
		switch n := len(turns); {
		case len(t.parts) == 0:
			return
		case n > 0 && turns[n-1].role == t.role && turns[n-1].results == t.results:
			turns[n-1].parts = append(turns[n-1].parts, t.parts...)
			return
		case n == 0 && t.role == "model":
			turns = append(turns, turn{"user", false, [][]byte{text(opening, nil)}})
		}
		turns = append(turns, t)
	}
	var held [][]byte // pictures of results, which stand behind all of them
	for _, m := range messages {
		if m.Role != nebula.ToolRole {
			add(turn{"user", false, held})
			held = nil
		}
		switch m.Role {
		case nebula.Assistant:
			for _, c := range m.Calls() {
				names[c.ID] = c.Name
			}
			add(turn{"model", false, a.said(a.learnt.Own(m.Parts, Name))})
		case nebula.ToolRole:
			b := transport.AppendString([]byte(`{"functionResponse":{"id":`), m.CallID)
			b = transport.AppendString(append(b, `,"name":`...), names[m.CallID])
			b = transport.AppendString(append(b, `,"response":{"result":`...), m.Text())
			add(turn{"user", true, [][]byte{append(b, `}}}`...)}})
			held = append(held, pictures(m)...)
		default:
			add(turn{"user", false, shown(m)})
		}
	}
	add(turn{"user", false, held})
	return turns
}

// said are the parts of what the model said, in its order. What has a signature goes back with it.
func (a *Adapter) said(parts nebula.Parts) (out [][]byte) {
	signed := false // a call of this turn
	for _, p := range parts {
		switch {
		case p.Kind == nebula.OpaquePart:
			out = append(out, p.Opaque.Value)
		case p.Kind == nebula.ReasoningPart && p.Opaque != nil:
			b := text(p.Text, p.Opaque)
			out = append(out, append(b[:len(b)-1], `,"thought":true}`...))
		case p.Kind == nebula.TextPart && p.Text != "":
			out = append(out, text(p.Text, p.Opaque))
		case p.Call != nil:
			b := transport.AppendString([]byte(`{"functionCall":{"id":`), p.Call.ID)
			b = transport.AppendString(append(b, `,"name":`...), p.Call.Name)
			b = append(append(append(b, `,"args":`...), transport.Object(p.Call.Arguments)...), '}')
			b = append(sign(b, a.signature(p, signed)), '}')
			out, signed = append(out, b), true
		}
	}
	return out
}

// foreign stands for the signature of a call that another model made, or this one in another form. It is Google's word for it.
const foreign = `"skip_thought_signature_validator"`

// signature is what a call goes back with. From the third generation on, the first call of a turn must have one.
func (a *Adapter) signature(p nebula.Part, signed bool) json.RawMessage {
	switch {
	case p.Opaque != nil:
		return p.Opaque.Value
	case !signed && (!a.second() || !a.learnt.Takes(unsigned)):
		return json.RawMessage(foreign)
	}
	return nil
}

func sign(part []byte, signature json.RawMessage) []byte {
	if signature == nil {
		return part
	}
	return append(append(part, `,"thoughtSignature":`...), signature...)
}

// shown are a text and pictures.
func shown(m nebula.Message) (out [][]byte) {
	for _, p := range m.Parts {
		if p.Kind == nebula.TextPart && p.Text != "" {
			out = append(out, text(p.Text, nil))
		}
	}
	return append(out, pictures(m)...)
}

func pictures(m nebula.Message) (out [][]byte) {
	for _, img := range m.Images() {
		b := transport.AppendString([]byte(`{"inlineData":{"mimeType":`), img.Type)
		b = base64.StdEncoding.AppendEncode(append(b, `,"data":"`...), img.Data)
		out = append(out, append(b, `"}}`...))
	}
	return out
}

func text(s string, seal *nebula.Opaque) []byte {
	b := transport.AppendString([]byte(`{"text":`), s)
	if seal != nil {
		b = sign(b, seal.Value)
	}
	return append(b, '}')
}
