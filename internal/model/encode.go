package model

import (
	"encoding/base64"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"nebula"
)

// dialect is how one server's Chat Completions differ from OpenAI's. The zero dialect is the plainest form.
type dialect struct {
	usage     bool   // takes stream_options.include_usage
	modernMax bool   // max_completion_tokens, where max_tokens is refused
	schema    bool   // takes response_format
	cacheKey  bool   // takes prompt_cache_key
	cost      bool   // tells the cost when asked by usage.include
	reasoning string // the field in which the assistant's reasoning is wanted back, if any
	shape     shape  // of the conversation
}

// appendRequest appends the body of a request. What stays the same in a session comes first and the messages follow
// it, so a conversation that grew by some messages shares all bytes before the closing bracket with the one before;
// what may change from step to step stands behind the messages.
func appendRequest(dst []byte, model string, p nebula.Prompt, d dialect) []byte {
	p = d.shape.shaped(p)
	dst = append(dst, `{"model":`...)
	dst = appendString(dst, model)
	dst = append(dst, `,"stream":true`...)
	if d.usage {
		dst = append(dst, `,"stream_options":{"include_usage":true}`...)
	}
	if d.cost {
		dst = append(dst, `,"usage":{"include":true}`...)
	}
	if d.cacheKey && p.CacheKey != "" {
		dst = append(dst, `,"prompt_cache_key":`...)
		dst = appendString(dst, p.CacheKey)
	}
	if len(p.Tools) > 0 {
		dst = appendTools(append(dst, `,"tools":`...), p.Tools)
	}
	dst = append(dst, `,"messages":[`...)
	if p.System != "" {
		dst = append(dst, `{"role":"system","content":`...)
		dst = append(appendString(dst, p.System), '}')
	}
	for i, m := range p.Messages {
		if i > 0 || p.System != "" {
			dst = append(dst, ',')
		}
		dst = appendMessage(dst, m, d)
	}
	dst = append(dst, ']')
	if d.schema && len(p.Schema) > 0 {
		dst = append(dst, `,"response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":`...)
		dst = append(append(dst, p.Schema...), `}}`...)
	}
	return append(appendMax(dst, p.MaxOutput, d), '}')
}

func appendMax(dst []byte, n int, d dialect) []byte {
	switch {
	case n <= 0:
		return dst
	case d.modernMax:
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
		dst = appendString(dst, t.Name)
		dst = append(dst, `,"description":`...)
		dst = appendString(dst, t.Description)
		dst = append(dst, `,"parameters":`...)
		dst = append(append(dst, t.Schema()...), `}}`...)
	}
	return append(dst, ']')
}

func appendMessage(dst []byte, m nebula.Message, d dialect) []byte {
	dst = append(dst, `{"role":`...)
	dst = appendString(dst, string(m.Role))
	if m.Role == nebula.ToolRole {
		dst = append(dst, `,"tool_call_id":`...)
		dst = appendString(dst, m.CallID)
	}
	dst = append(dst, `,"content":`...)
	switch {
	case len(m.Images()) > 0 && m.Role == nebula.User:
		dst = appendParts(dst, m)
	case m.Text() == "" && len(m.Calls()) > 0 && !d.shape.blank:
		dst = append(dst, `null`...)
	default:
		dst = appendString(dst, m.Text())
	}
	if m.Reasoning() != "" && d.reasoning != "" && len(m.Calls()) > 0 {
		dst = append(append(append(dst, `,"`...), d.reasoning...), `":`...)
		dst = appendString(dst, m.Reasoning())
	}
	if len(m.Calls()) > 0 {
		dst = appendCalls(append(dst, `,"tool_calls":[`...), m.Calls())
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendCalls(dst []byte, calls []nebula.Call) []byte {
	for i, c := range calls {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"id":`...)
		dst = appendString(dst, c.ID)
		dst = append(dst, `,"type":"function","function":{"name":`...)
		dst = appendString(dst, c.Name)
		dst = append(dst, `,"arguments":`...)
		if c.Arguments == "" {
			dst = append(dst, `"{}"`...) // servers that parse arguments refuse the empty string
		} else {
			dst = appendString(dst, c.Arguments)
		}
		dst = append(dst, `}}`...)
	}
	return dst
}

func appendParts(dst []byte, m nebula.Message) []byte {
	dst = append(dst, '[')
	if m.Text() != "" {
		dst = append(dst, `{"type":"text","text":`...)
		dst = append(appendString(dst, m.Text()), `},`...)
	}
	for i, img := range m.Images() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"type":"image_url","image_url":{"url":"data:`...)
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

const hexDigits = "0123456789abcdef"

// escapes says of an ASCII byte how a JSON string holds it: 0 as it is, 'u' as \u00XX, else behind a backslash.
var escapes = [256]byte{
	0: 'u', 1: 'u', 2: 'u', 3: 'u', 4: 'u', 5: 'u', 6: 'u', 7: 'u', '\b': 'b', '\t': 't', '\n': 'n', 11: 'u', '\f': 'f',
	'\r': 'r', 14: 'u', 15: 'u', 16: 'u', 17: 'u', 18: 'u', 19: 'u', 20: 'u', 21: 'u', 22: 'u', 23: 'u', 24: 'u',
	25: 'u', 26: 'u', 27: 'u', 28: 'u', 29: 'u', 30: 'u', 31: 'u', '"': '"', '\\': '\\',
}

// appendString appends s as a JSON string. Only what JSON demands is escaped; broken UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	dst = append(dst, '"')
	from := 0
	for i := plainEnd(s, 0); i < len(s); i = plainEnd(s, i+1) {
		dst = append(dst, s[from:i]...)
		if e := escapes[s[i]]; e == 'u' {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[s[i]>>4], hexDigits[s[i]&15])
		} else {
			dst = append(dst, '\\', e)
		}
		from = i + 1
	}
	return append(append(dst, s[from:]...), '"')
}

// plainEnd is where the first byte at or after i stands that must be escaped, or the end. It looks at eight bytes at
// once: in the words below, the lowest set high bit marks the first byte under space, equal to a quote or a backslash.
func plainEnd(s string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		quote, slash := w^('"'*ones), w^('\\'*ones)
		if hit := ((w-' '*ones)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs; hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for i < len(s) && escapes[s[i]] == 0 {
		i++
	}
	return i
}
