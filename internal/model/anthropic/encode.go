package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/model/transport"
)

// opening stands where a conversation would begin with what the assistant said.
const opening = "(The conversation goes on.)"

// breakpoint ends what a server may keep of a request.
const breakpoint = `,"cache_control":{"type":"ephemeral"}`

// request is the body for a prompt. What stays the same in a session stands first: tools, the system text, the messages.
// Breakpoints stand behind the system text, behind the last content that the next request will have, too, and behind the one that the
// request before had: a server looks for what it keeps twenty blocks before a breakpoint, and a reply may have more calls.
func (a *Adapter) request(p nebula.Prompt, thinking string) []byte {
	dst := transport.AppendString([]byte(`{"model":`), a.at.Model)
	limit := a.output
	if p.MaxOutput > 0 {
		limit = min(limit, p.MaxOutput)
	}
	dst = strconv.AppendInt(append(dst, `,"stream":true,"max_tokens":`...), int64(limit), 10)
	dst = append(dst, a.shaped(thinking, p.Schema)...)
	for i, t := range p.Tools {
		dst = append(dst, list(i, `,"tools":[`)...)
		dst = transport.AppendString(append(dst, `{"name":`...), t.Name)
		dst = transport.AppendString(append(dst, `,"description":`...), t.Description)
		dst = append(append(append(dst, `,"input_schema":`...), t.Schema()...), '}')
	}
	if len(p.Tools) > 0 {
		dst = append(dst, ']')
	}
	if p.System != "" {
		dst = transport.AppendString(append(dst, `,"system":[{"type":"text","text":`...), p.System)
		dst = append(append(dst, breakpoint...), `}]`...)
	}
	dst = append(dst, `,"messages":[`...)
	turns := a.turns(p.Messages)
	for i, t := range turns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `{"role":"`...), t.role...), `","content":[`...)
		for j, block := range t.blocks {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, block[:len(block)-1]...)
			if i == len(turns)-1 && j == t.kept() || i == len(turns)-3 && j == len(t.blocks)-1 {
				dst = append(dst, breakpoint...)
			}
			dst = append(dst, '}')
		}
		dst = append(dst, `]}`...)
	}
	return append(dst, `]}`...)
}

// shaped is how to think, with what the reply has to be, where something: both may stand in the same object.
func (a *Adapter) shaped(thinking string, schema json.RawMessage) string {
	if len(schema) == 0 || !a.learnt.Takes(format) {
		return thinking
	}
	form := format + string(schema) + `}}`
	if strings.HasPrefix(thinking, adaptive) {
		return strings.TrimSuffix(thinking, "}") + "," + form
	}
	return thinking + `,"output_config":{` + form
}

// list is what stands before the n-th element.
func list(n int, opens string) string {
	if n == 0 {
		return opens
	}
	return ","
}

// A turn is all that one side says until the other does.
type turn struct {
	role   nebula.Role
	blocks [][]byte
}

// kept is the last block that the next request will have, too: the last of all may say where the work stands now.
func (t turn) kept() int { return max(0, len(t.blocks)-2) }

// turns are the messages with the neighbours of one role joined, as they must be: results are the user's.
func (a *Adapter) turns(messages []nebula.Message) (turns []turn) {
	for _, m := range messages {
		var blocks [][]byte
		role := nebula.User
		switch m.Role {
		case nebula.Assistant:
			role, blocks = nebula.Assistant, said(a.learnt.Own(m.Parts, Name))
		case nebula.ToolRole:
			blocks = [][]byte{result(m)}
		default:
			blocks = shown(m.Parts)
		}
		switch n := len(turns); {
		case len(blocks) == 0:
			continue
		case n > 0 && turns[n-1].role == role:
			turns[n-1].blocks = append(turns[n-1].blocks, blocks...)
			continue
		case n == 0 && role == nebula.Assistant:
			turns = append(turns, turn{nebula.User, [][]byte{text(opening)}})
		}
		turns = append(turns, turn{role, blocks})
	}
	return turns
}

// said are the blocks of what the model said, in its order. Thinking goes back with its signature or not at all.
func said(parts nebula.Parts) (blocks [][]byte) {
	for _, p := range parts {
		switch {
		case p.Kind == nebula.ReasoningPart && p.Opaque != nil && isText(p.Opaque.Value):
			b := transport.AppendString([]byte(`{"type":"thinking","thinking":`), p.Text)
			blocks = append(blocks, append(append(append(b, `,"signature":`...), p.Opaque.Value...), '}'))
		case p.Opaque != nil && (p.Kind == nebula.ReasoningPart || p.Kind == nebula.OpaquePart):
			blocks = append(blocks, p.Opaque.Value)
		case p.Kind == nebula.TextPart && strings.TrimSpace(p.Text) != "": // a blank one is refused
			blocks = append(blocks, text(p.Text))
		case p.Call != nil:
			b := transport.AppendString([]byte(`{"type":"tool_use","id":`), transport.PlainID(p.Call.ID))
			b = transport.AppendString(append(b, `,"name":`...), p.Call.Name)
			blocks = append(blocks, append(append(append(b, `,"input":`...), transport.Object(p.Call.Arguments)...), '}'))
		}
	}
	return blocks
}

func isText(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

func result(m nebula.Message) []byte {
	b := transport.AppendString([]byte(`{"type":"tool_result","tool_use_id":`), transport.PlainID(m.CallID))
	b = append(b, `,"content":[`...)
	for i, block := range shown(m.Parts) {
		b = append(append(b, list(i, "")...), block...)
	}
	return append(b, `]}`...)
}

// shown are the blocks of texts and pictures.
func shown(parts nebula.Parts) (blocks [][]byte) {
	for _, p := range parts {
		switch {
		case p.Image != nil:
			kind := `{"type":"image"`
			if p.Image.Type == nebula.PDF {
				kind = `{"type":"document"`
			}
			b := transport.AppendString([]byte(kind+`,"source":{"type":"base64","media_type":`), p.Image.Type)
			b = base64.StdEncoding.AppendEncode(append(b, `,"data":"`...), p.Image.Data)
			blocks = append(blocks, append(b, `"}}`...))
		case p.Kind == nebula.TextPart && strings.TrimSpace(p.Text) != "":
			blocks = append(blocks, text(p.Text))
		}
	}
	return blocks
}

//go:noinline
func text(s string) []byte {
	return append(transport.AppendString([]byte(`{"type":"text","text":`), s), '}')
}
