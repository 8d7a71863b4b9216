package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// A chunk is one event of a stream, taken apart. Its slices are valid until the next chunk is read.
type chunk struct {
	model     []byte
	text      []byte
	reasoning []byte
	calls     []piece
	finish    []byte
	usage     []byte // as written
	fault     []byte // the error as written
	whole     bool   // a complete message, as servers send that do not stream
}

// A piece is a part of one native call as a server wrote it.
type piece struct {
	index          int // -1 when not given
	id, name, args []byte
}

var errShape = errors.New("not a Chat Completions chunk")

// readChunk takes an event apart: by the scanner if it can, by encoding/json otherwise. Both agree.
func readChunk(data []byte, s *scanner) (chunk, error) {
	if c, ok := s.scan(data); ok {
		return c, nil
	}
	return parseChunk(data)
}

type fields map[string]json.RawMessage

// parseChunk is the thorough way: any valid JSON, any of the shapes that servers are known to send.
func parseChunk(data []byte) (c chunk, err error) {
	var top fields
	if err := json.Unmarshal(data, &top); err != nil {
		return chunk{}, err
	}
	c.model = text(top["model"])
	c.usage = present(top["usage"])
	c.fault = findFault(top)
	var choices []fields
	if raw := present(top["choices"]); raw != nil && json.Unmarshal(raw, &choices) != nil {
		return chunk{}, errShape
	}
	for _, choice := range choices {
		if string(bytes.TrimLeft(choice["index"], "0")) != "" && present(choice["index"]) != nil {
			continue // another answer to the same question, which nobody asked for
		}
		if f := text(choice["finish_reason"]); len(f) > 0 {
			c.finish = f
		}
		if raw := present(choice["delta"]); raw != nil {
			err = c.addDelta(raw)
		} else if raw := present(choice["message"]); raw != nil {
			c.whole = true
			err = c.addDelta(raw)
		}
		if err != nil {
			return chunk{}, err
		}
	}
	return c, nil
}

// findFault returns what a server says went wrong, in any of the ways it is said in.
func findFault(top fields) []byte {
	if raw := present(top["error"]); raw != nil {
		return raw
	}
	if string(text(top["object"])) == "error" {
		raw, _ := json.Marshal(top)
		return raw
	}
	return nil
}

func (c *chunk) addDelta(raw []byte) error {
	var d fields
	if json.Unmarshal(raw, &d) != nil {
		return errShape
	}
	said, thought := parts(d["content"])
	c.text = append(c.text, said...)
	c.text = append(c.text, text(d["refusal"])...)
	c.reasoning = append(c.reasoning, thought...)
	for _, name := range reasoningFields {
		if t, _ := parts(d[name]); len(t) > 0 {
			c.reasoning = append(c.reasoning, t...)
			break
		}
	}
	var calls []fields
	if raw := present(d["tool_calls"]); raw != nil && json.Unmarshal(raw, &calls) != nil {
		return errShape
	}
	for _, call := range calls {
		c.calls = append(c.calls, readPiece(call))
	}
	if raw := present(d["function_call"]); raw != nil && len(calls) == 0 {
		c.calls = append(c.calls, readPiece(fields{"index": json.RawMessage("0"), "function": raw}))
	}
	return nil
}

// reasoningFields are the names under which servers send reasoning. A delta that has several says the same in each.
var reasoningFields = [...]string{"reasoning_content", "reasoning", "reasoning_text", "thinking", "thought", "reasoning_details",
	"thinking_blocks"}

func readPiece(call fields) piece {
	p := piece{index: -1, id: text(call["id"])}
	var n int
	if raw := present(call["index"]); raw != nil && json.Unmarshal(raw, &n) == nil && n >= 0 && n <= maxIndex {
		p.index = n
	}
	var function fields
	if raw := present(call["function"]); raw != nil && json.Unmarshal(raw, &function) == nil {
		p.name = text(function["name"])
		p.args = text(function["arguments"])
		if raw := present(function["arguments"]); raw != nil && raw[0] == '{' {
			var b bytes.Buffer
			_ = json.Compact(&b, raw) // valid, or the chunk would not have been read
			p.args = b.Bytes()
		}
	}
	return p
}

// maxIndex bounds the index of a call; a larger one is a server's mistake and counts as not given.
const maxIndex = 9999

// parts returns the text of a content that is a string or a list of parts, and the reasoning among the parts.
func parts(raw json.RawMessage) (said, thought []byte) {
	raw = present(raw)
	if raw == nil || raw[0] == '"' {
		return text(raw), nil
	}
	var list []fields
	if raw[0] == '{' {
		raw = append(append(json.RawMessage("["), raw...), ']')
	}
	if json.Unmarshal(raw, &list) != nil {
		return nil, nil
	}
	for _, part := range list {
		if inner := present(part["thinking"]); inner != nil && string(text(part["type"])) == "thinking" {
			t, _ := parts(inner)
			thought = append(thought, t...)
			continue
		}
		for _, name := range [...]string{"text", "summary", "thinking", "refusal"} {
			if t := text(part[name]); len(t) > 0 {
				said = append(said, t...)
				break
			}
		}
	}
	return said, thought
}

// text returns the content of a JSON string, and nothing for anything else.
func text(raw json.RawMessage) []byte {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return []byte(s)
}

// present returns raw unless it is absent or null.
func present(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}

// oneLine makes text fit into an error: no control characters, at most n bytes.
func oneLine(s string, n int) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
