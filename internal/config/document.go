package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"nebula"
)

// A document is a JSON object in the order in which it was written, so that a change to one value leaves everything
// else, unknown keys among it, as the person wrote it.
type document []member

type member struct {
	key string
	raw json.RawMessage
}

// A ParseError says where in a file JSON stops being JSON.
type ParseError struct {
	Path         string
	Line, Column int
	Text         string
}

// Error is the sentence in English.
func (e *ParseError) Error() string { return e.Words().String() }

// Words implements [nebula.Speaker].
func (e *ParseError) Words() nebula.Words {
	return nebula.Say("%s:%d:%d: %s; correct it there, or move the file away to start afresh", e.Path, e.Line, e.Column, nebula.Say(e.Text))
}

// Readable is why a file is no JSON object, with the place; nil where it is one, or empty.
func Readable(path string, data []byte) error {
	_, err := parseDocument(path, data)
	return err
}

func parseDocument(path string, data []byte) (document, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	var probe json.RawMessage
	if err := json.Unmarshal(data, &probe); err != nil {
		return nil, parseError(path, data, err)
	}
	doc, ok := members(data)
	if !ok {
		return nil, &ParseError{path, 1, 1, "not a JSON object"}
	}
	return doc, nil
}

func parseError(path string, data []byte, err error) error {
	at, text := int64(len(data)), "the JSON ends too early"
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Error() != "unexpected end of JSON input" {
		at, text = syntax.Offset-1, syntax.Error()
	}
	before := string(data[:max(0, at)])
	line := 1 + strings.Count(before, "\n")
	column := 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	return &ParseError{path, line, column, text}
}

// members splits an object that is known to be valid JSON; ok is false for anything but an object. A key that is
// written twice counts as its last writing, as with every JSON reader.
func members(data []byte) (document, bool) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	doc := document{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, false
		}
		doc = doc.with(key.(string), raw)
	}
	_, err := dec.Token()
	return doc, err == nil || errors.Is(err, io.EOF)
}

func (d document) get(key string) (json.RawMessage, bool) {
	for _, m := range d {
		if m.key == key {
			return m.raw, true
		}
	}
	return nil, false
}

// with sets a key; nil removes it.
//
//go:noinline
func (d document) with(key string, raw json.RawMessage) document {
	out := make(document, 0, len(d)+1)
	found := false
	for _, m := range d {
		if m.key == key {
			if raw == nil {
				continue
			}
			found, m.raw = true, raw
		}
		out = append(out, m)
	}
	if !found && raw != nil {
		out = append(out, member{key, raw})
	}
	return out
}

// set puts raw at a path of keys and makes the objects on the way. An object that becomes empty goes with its last key.
func (d document) set(path []string, raw json.RawMessage) (document, error) {
	if len(path) == 1 {
		return d.with(path[0], raw), nil
	}
	inner := document{}
	if old, ok := d.get(path[0]); ok {
		if inner, ok = members(old); !ok {
			return nil, nebula.Errorf("%s is not an object", path[0])
		}
	}
	inner, err := inner.set(path[1:], raw)
	if err != nil {
		return nil, nebula.Errorf("%s: %w", path[0], err)
	}
	if len(inner) == 0 {
		return d.with(path[0], nil), nil
	}
	return d.with(path[0], inner.encode()), nil
}

func (d document) encode() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range d {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(m.key))
		b.WriteByte(':')
		b.Write(m.raw)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func (d document) text() []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, d.encode(), "", "  ") // encode writes valid JSON
	b.WriteByte('\n')
	return b.Bytes()
}

// quote writes a JSON string without escaping <, > and &.
func quote(s string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
