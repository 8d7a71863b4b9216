package transport

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"nebula/internal/lazy"
)

type fields map[string]json.RawMessage

// Text returns the content of a JSON string, and nothing for anything else.
func Text(raw json.RawMessage) []byte {
	if n := len(raw); n > 1 && raw[0] == '"' && raw[n-1] == '"' && plain(raw[1:n-1]) {
		return raw[1 : n-1 : n-1]
	}
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return []byte(s)
}

// plain reports whether a JSON string's content says itself: nothing in it is escaped, ends it or has to be mended.
func plain(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.Valid(b)
}

// A Frame is an event's bytes around the one string in it that says something. Most events of a stream have the frame of the one before,
// and what they say is read without taking them apart.
type Frame struct{ head, tail []byte }

// Around reports whether it is now the frame of an event that says nothing but this, under a key that occurs once in it.
func (f *Frame) Around(said string, event []byte, key string) bool {
	f.head, f.tail = nil, nil
	name := []byte(`"` + key + `"`)
	at := bytes.Index(event, name)
	if at < 0 || bytes.Count(bytes.ToLower(event), name) > 1 {
		return false
	}
	value := bytes.TrimLeft(event[at+len(name):], ": ")
	if len(value) == 0 || value[0] != '"' {
		return false
	}
	from := len(event) - len(value) + 1
	end := from
	for end < len(event) && event[end] != '"' {
		if event[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(event) || string(Text(event[from-1:end+1])) != said || bytes.IndexByte(event[:from], '\\') >= 0 || bytes.IndexByte(event[end:], '\\') >= 0 {
		return false // a name with a stroke in it might be the key as well
	}
	f.head, f.tail = bytes.Clone(event[:from]), bytes.Clone(event[end:])
	return true
}

// Text is what an event in the frame says; one that says nothing is none.
func (f *Frame) Text(event []byte) []byte {
	h, t := len(f.head), len(f.tail)
	if h == 0 || len(event) < h+t || !bytes.HasPrefix(event, f.head) || !bytes.HasSuffix(event, f.tail) {
		return nil
	}
	return Text(event[h-1 : len(event)-t+1])
}

// Present returns raw unless it is absent or null.
//
//go:noinline
func Present(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}

// Tokens is a number of tokens as a server gives it. What can be no such number is none, so that no sum of them is wrong.
//
//go:noinline
func Tokens(f float64) int {
	if f > 0 && f < 1e12 {
		return int(f)
	}
	return 0
}

// AppendString appends s as a JSON string. Only what JSON demands is escaped; broken UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}

// Object are a call's arguments as an object in a request, which a strict parser takes as well: half of a surrogate pair becomes U+FFFD,
// as it does in texts. All else of them stays as it came.
func Object(arguments string) string {
	raw := strings.ToValidUTF8(strings.TrimSpace(arguments), "\uFFFD")
	switch {
	case !strings.HasPrefix(raw, "{"), !json.Valid([]byte(raw)):
		return "{}"
	case !strings.Contains(raw, `\u`):
		return raw
	}
	return escapes.Re().ReplaceAllStringFunc(raw, func(e string) string {
		if len(e) == len(`\ud83d`) {
			return `\ufffd`
		}
		return e
	})
}

// escapes are a whole surrogate pair, half of one, which alone has its length, and any other escape up to what tells it.
var escapes = &lazy.Pattern{X: `(?i)\\(?:ud[89ab]..\\ud[c-f]..|ud[89a-f]..|.)`}
