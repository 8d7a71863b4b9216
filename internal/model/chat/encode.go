package chat

import (
	"encoding/base64"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/model/transport"
)

// Dialect is how one server's Chat Completions differ from OpenAI's. The zero Dialect is the plainest form.
type Dialect struct {
	Usage     bool              // takes stream_options.include_usage
	ModernMax bool              // max_completion_tokens, where max_tokens is refused
	Schema    bool              // takes response_format
	CacheKey  bool              // takes prompt_cache_key
	Cost      bool              // tells the cost when asked by usage.include
	Reasoning string            // the field in which the assistant's reasoning is wanted back, if any
	Wanted    bool              // it is refused where a call comes without that field, be it empty
	Titled    bool              // wants to know who asks
	KeyIn     string            // the header that the key is in, where it is another than Authorization
	Effort    transport.Efforts // how it is told how much to think
	Shape     Shape             // of the conversation
	Marked    string            // how the models are named of which a server keeps what stands before marks alone
}

// appendRequest appends the body of a request. What stays the same in a session comes first and the messages follow
// it, so a conversation that grew by some messages shares all bytes before the closing bracket with the one before;
// what may change from step to step stands behind the messages.
func appendRequest(dst []byte, model string, p nebula.Prompt, d Dialect, effort string) []byte {
	p = d.Shape.shaped(p)
	dst = append(dst, `{"model":`...)
	dst = transport.AppendString(dst, model)
	dst = append(dst, `,"stream":true`...)
	if d.Usage {
		dst = append(dst, `,"stream_options":{"include_usage":true}`...)
	}
	if d.Cost {
		dst = append(dst, `,"usage":{"include":true}`...)
	}
	dst = append(dst, effort...)
	if d.CacheKey && p.CacheKey != "" {
		dst = append(dst, `,"prompt_cache_key":`...)
		dst = transport.AppendString(dst, p.CacheKey)
	}
	if len(p.Tools) > 0 {
		dst = appendTools(append(dst, `,"tools":`...), p.Tools)
	}
	dst = append(dst, `,"messages":[`...)
	if !strings.HasPrefix(model, d.Marked) {
		d.Marked = ""
	}
	dst = appendMessages(dst, p, d)
	dst = append(dst, ']')
	if d.Schema && len(p.Schema) > 0 {
		dst = append(dst, `,"response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":`...)
		dst = append(append(dst, p.Schema...), `}}`...)
	}
	return append(appendMax(dst, p.MaxOutput, d), '}')
}

// appendMessages appends the conversation. Marks stand behind the system text, behind the last message that the next request will have,
// too, and behind the one that the request before had.
func appendMessages(dst []byte, p nebula.Prompt, d Dialect) []byte {
	if p.System != "" {
		dst = append(appendText(append(dst, `{"role":"system","content":`...), p.System, d, true), '}')
	}
	answered := len(p.Messages) - 1
	for answered > 0 && p.Messages[answered].Role != nebula.Assistant {
		answered--
	}
	for i, m := range p.Messages {
		if i > 0 || p.System != "" {
			dst = append(dst, ',')
		}
		dst = appendMessage(dst, m, d, i == len(p.Messages)-2 || i == answered-1)
	}
	return dst
}

// appendText appends a message's text, with a mark behind it where the server keeps what stands before one.
func appendText(dst []byte, text string, d Dialect, mark bool) []byte {
	if d.Marked == "" || text == "" {
		return transport.AppendString(dst, text)
	}
	dst = transport.AppendString(append(dst, `[{"type":"text","text":`...), text)
	if mark {
		dst = append(dst, `,"cache_control":{"type":"ephemeral"}`...)
	}
	return append(dst, `}]`...)
}

func appendMax(dst []byte, n int, d Dialect) []byte {
	switch {
	case n <= 0:
		return dst
	case d.ModernMax:
		dst = append(dst, `,"max_completion_tokens":`...)
	default:
		dst = append(dst, `,"max_tokens":`...)
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

func appendTools(dst []byte, tools []nebula.ToolSpec) []byte {
	for i, t := range tools {
		if i == 0 {
			dst = append(dst, '[')
		} else {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"type":"function","function":{"name":`...)
		dst = transport.AppendString(dst, t.Name)
		dst = append(dst, `,"description":`...)
		dst = transport.AppendString(dst, t.Description)
		dst = append(dst, `,"parameters":`...)
		dst = append(append(dst, t.Schema()...), `}}`...)
	}
	return append(dst, ']')
}

func appendMessage(dst []byte, m nebula.Message, d Dialect, mark bool) []byte {
	dst = append(dst, `{"role":`...)
	dst = transport.AppendString(dst, string(m.Role))
	if m.Role == nebula.ToolRole {
		dst = append(dst, `,"tool_call_id":`...)
		dst = transport.AppendString(dst, m.CallID)
	}
	dst = append(dst, `,"content":`...)
	switch {
	case len(m.Images()) > 0 && m.Role == nebula.User:
		dst = appendParts(dst, m)
	case m.Text() == "" && len(m.Calls()) > 0 && !d.Shape.Blank:
		dst = append(dst, `null`...)
	default:
		dst = appendText(dst, m.Text(), d, mark)
	}
	if raw := detailed(m); raw != nil {
		dst = append(append(dst, `,"reasoning_details":`...), raw...)
	}
	if len(m.Calls()) > 0 && d.Reasoning != "" && (d.Wanted || m.Reasoning() != "" && detailed(m) == nil) {
		dst = append(append(append(dst, `,"`...), d.Reasoning...), `":`...)
		dst = transport.AppendString(dst, m.Reasoning())
	}
	if len(m.Calls()) > 0 {
		dst = appendCalls(append(dst, `,"tool_calls":[`...), m.Parts)
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendCalls(dst []byte, parts nebula.Parts) []byte {
	first := true
	for _, p := range parts {
		if p.Call == nil {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, `{"id":`...)
		dst = transport.AppendString(dst, p.Call.ID)
		dst = append(dst, `,"type":"function","function":{"name":`...)
		dst = transport.AppendString(dst, p.Call.Name)
		dst = append(dst, `,"arguments":`...)
		if p.Call.Arguments == "" {
			dst = append(dst, `"{}"`...) // servers that parse arguments refuse the empty string
		} else {
			dst = transport.AppendString(dst, p.Call.Arguments)
		}
		dst = append(dst, '}')
		if p.Opaque != nil {
			dst = append(append(dst, `,"extra_content":`...), p.Opaque.Value...)
		}
		dst = append(dst, '}')
	}
	return dst
}

func appendParts(dst []byte, m nebula.Message) []byte {
	dst = append(dst, '[')
	if m.Text() != "" {
		dst = append(dst, `{"type":"text","text":`...)
		dst = append(transport.AppendString(dst, m.Text()), `},`...)
	}
	for i, img := range m.Images() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if img.Type == nebula.PDF {
			dst = append(dst, `{"type":"file","file":{"filename":"document.pdf","file_data":"data:`...)
		} else {
			dst = append(dst, `{"type":"image_url","image_url":{"url":"data:`...)
		}
		dst = append(append(dst, cleanType(img.Type)...), `;base64,`...)
		dst = append(base64.StdEncoding.AppendEncode(dst, img.Data), `"}}`...)
	}
	return append(dst, ']')
}

// cleanType keeps a media type from breaking out of its string.
func cleanType(t string) string {
	if t == "" || strings.ContainsAny(t, "\"\\\n\r,; ") {
		return "image/png"
	}
	return t
}

// requestSize is enough room for a request, so that encoding allocates once.
func requestSize(p nebula.Prompt) int {
	n := 512 + len(p.System) + len(p.System)/8 + len(p.Schema) + 1024*len(p.Tools)
	for _, m := range p.Messages {
		n += 96 + len(m.Text()) + len(m.Text())/8 + len(m.Reasoning())
		for _, c := range m.Calls() {
			n += 96 + len(c.ID) + len(c.Name) + len(c.Arguments) + len(c.Arguments)/4
		}
		for _, img := range m.Images() {
			n += 96 + len(img.Data)*4/3
		}
	}
	return n
}
