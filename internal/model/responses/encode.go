package responses

import (
	"encoding/base64"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/model/transport"
)

// request is the body for a prompt. What stays the same in a session stands first; what may change from step to step stands
// behind the input.
func (a *Adapter) request(p nebula.Prompt, effort string) []byte {
	dst := transport.AppendString([]byte(`{"model":`), a.at.Model)
	dst = append(dst, `,"store":false`...)
	for _, part := range [...]string{stream, include} {
		if a.learnt.Takes(part) {
			dst = append(dst, part...)
		}
	}
	dst = a.thinking(dst, effort)
	if p.CacheKey != "" && a.learnt.Takes(cacheKey) {
		dst = transport.AppendString(append(dst, cacheKey...), p.CacheKey)
	}
	for i, t := range p.Tools {
		dst = append(dst, list(i, `,"tools":[`)...)
		dst = transport.AppendString(append(dst, `{"type":"function","name":`...), t.Name)
		dst = transport.AppendString(append(dst, `,"description":`...), t.Description)
		dst = append(append(append(dst, `,"parameters":`...), t.Schema()...), `,"strict":false}`...)
	}
	if len(p.Tools) > 0 {
		dst = append(dst, ']')
	}
	if p.System != "" {
		dst = transport.AppendString(append(dst, `,"instructions":`...), p.System)
	}
	dst = append(dst, `,"input":[`...)
	for i, item := range a.input(p.Messages) {
		dst = append(append(dst, list(i, "")...), item...)
	}
	dst = append(dst, ']')
	if len(p.Schema) > 0 && a.learnt.Takes(schema) {
		dst = append(append(append(dst, schema...), p.Schema...), `}}`...)
	}
	if p.MaxOutput > 0 {
		dst = strconv.AppendInt(append(dst, `,"max_output_tokens":`...), int64(p.MaxOutput), 10)
	}
	return append(dst, '}')
}

// thinking is how the model is to think, and that it shows what it thought.
func (a *Adapter) thinking(dst []byte, effort string) []byte {
	if !a.learnt.Takes(reasoning) {
		return dst
	}
	var says []string
	if effort != "" {
		says = append(says, effort)
	}
	if a.learnt.Takes(summary) {
		says = append(says, summary)
	}
	if says == nil {
		return dst
	}
	return append(append(append(dst, reasoning...), strings.Join(says, ",")...), '}')
}

// list is what stands before the n-th element.
func list(n int, opens string) string {
	if n == 0 {
		return opens
	}
	return ","
}

// input are the items of a conversation.
func (a *Adapter) input(messages []nebula.Message) (items [][]byte) {
	for _, m := range messages {
		switch m.Role {
		case nebula.Assistant:
			items = append(items, said(a.learnt.Own(m.Parts, Name))...)
		case nebula.ToolRole:
			b := transport.AppendString([]byte(`{"type":"function_call_output","call_id":`), m.CallID)
			items = append(items, append(shown(append(b, `,"output":`...), m), '}'))
		default:
			items = append(items, append(shown([]byte(`{"role":"user","content":`), m), '}'))
		}
	}
	return items
}

// said are the items of what the model said, in its order. What it thought goes back as it came, before what followed from it,
// and not at all where nothing did.
func said(parts nebula.Parts) (items [][]byte) {
	followed := 0
	for _, p := range parts {
		switch {
		case p.Kind == nebula.ReasoningPart && p.Opaque != nil:
			items = append(items, p.Opaque.Value)
			continue
		case p.Kind == nebula.TextPart && p.Text != "":
			b := transport.AppendString([]byte(`{"role":"assistant","content":`), p.Text)
			if p.Opaque != nil {
				b = append(append(b, `,"phase":`...), p.Opaque.Value...)
			}
			items = append(items, append(b, '}'))
		case p.Call != nil:
			b := transport.AppendString([]byte(`{"type":"function_call","call_id":`), p.Call.ID)
			b = transport.AppendString(append(b, `,"name":`...), p.Call.Name)
			b = transport.AppendString(append(b, `,"arguments":`...), arguments(p.Call.Arguments))
			items = append(items, append(b, '}'))
		default:
			continue
		}
		followed = len(items)
	}
	return items[:followed]
}

func arguments(text string) string {
	if text == "" {
		return "{}"
	}
	return text
}

// shown appends what a message shows: a text, or a list where pictures are among it.
func shown(dst []byte, m nebula.Message) []byte {
	if !m.Has(nebula.ImagePart) {
		return transport.AppendString(dst, m.Text())
	}
	n := 0
	for _, p := range m.Parts {
		switch {
		case p.Image != nil:
			kind := `{"type":"input_image","detail":"auto","image_url":`
			if p.Image.Type == nebula.PDF {
				kind = `{"type":"input_file","filename":"document.pdf","file_data":`
			}
			dst = append(append(dst, list(n, "[")...), kind...)
			dst = transport.AppendString(dst, "data:"+p.Image.Type+";base64,"+base64.StdEncoding.EncodeToString(p.Image.Data))
			dst = append(dst, '}')
		case p.Kind == nebula.TextPart && p.Text != "":
			dst = append(append(dst, list(n, "[")...), `{"type":"input_text","text":`...)
			dst = append(transport.AppendString(dst, p.Text), '}')
		default:
			continue
		}
		n++
	}
	return append(dst, ']')
}
