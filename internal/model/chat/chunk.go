package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"nebula/internal/model/transport"
)

// A chunk is one event of a stream, taken apart.
type chunk struct {
	model     []byte
	text      []byte
	reasoning []byte
	details   []json.RawMessage // of the reasoning, as written
	calls     []piece
	finish    []byte
	usage     []byte // as written
	fault     []byte // the error as written
	refused   bool   // the text is a refusal, in which nothing is to be done
	whole     bool   // a complete message, as servers send that do not stream
}

// A piece is a part of one native call as a server wrote it.
type piece struct {
	index          int // -1 when not given
	id, name, args []byte
	extra          json.RawMessage // what the server wants back with the call
}

var errShape = errors.New("not a Chat Completions chunk")

type fields map[string]json.RawMessage

// A word is a string; anything else in its place is none.
type word []byte

// UnmarshalJSON never fails.
func (w *word) UnmarshalJSON(data []byte) error {
	*w = transport.Text(data)
	return nil
}

// wire is a chunk as servers write it: what they disagree about is read as it stands.
type wire struct {
	Model   word            `json:"model"`
	Object  word            `json:"object"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Choices []wireChoice    `json:"choices"`
}

type wireChoice struct {
	Index   json.RawMessage `json:"index"`
	Finish  word            `json:"finish_reason"`
	Delta   *wireDelta      `json:"delta"`
	Message *wireDelta      `json:"message"`
}

type wireDelta struct {
	Content  json.RawMessage `json:"content"`
	Refusal  word            `json:"refusal"`
	Calls    []wireCall      `json:"tool_calls"`
	Function *wireFunction   `json:"function_call"`

	// The names under which servers send reasoning. A delta that has several says the same in each.
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningText    json.RawMessage `json:"reasoning_text"`
	Thinking         json.RawMessage `json:"thinking"`
	Thought          json.RawMessage `json:"thought"`
	ReasoningDetails json.RawMessage `json:"reasoning_details"`
	ThinkingBlocks   json.RawMessage `json:"thinking_blocks"`
}

type wireCall struct {
	Index    json.RawMessage `json:"index"`
	ID       word            `json:"id"`
	Function wireFunction    `json:"function"`
	Extra    json.RawMessage `json:"extra_content"` // Google's signature of a thought
}

type wireFunction struct {
	Name      word            `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// readChunk takes an event apart, in any of the shapes that servers are known to send.
func readChunk(data []byte) (c chunk, err error) {
	var w wire
	if json.Unmarshal(data, &w) != nil {
		return chunk{}, errShape
	}
	c = chunk{model: w.Model, usage: transport.Present(w.Usage), fault: transport.Present(w.Error)}
	if c.fault == nil && string(w.Object) == "error" {
		c.fault = bytes.Clone(data)
	}
	for _, choice := range w.Choices {
		if string(bytes.TrimLeft(choice.Index, "0")) != "" && transport.Present(choice.Index) != nil {
			continue // another answer to the same question, which nobody asked for
		}
		if len(choice.Finish) > 0 {
			c.finish = choice.Finish
		}
		if choice.Delta != nil {
			err = c.addDelta(choice.Delta)
		} else if choice.Message != nil {
			c.whole = true
			err = c.addDelta(choice.Message)
		}
		if err != nil {
			return chunk{}, err
		}
	}
	return c, nil
}

// addDelta adds what a delta says. One whose content or arguments are of a kind that holds none is damaged: something of the
// reply would be missing, and nobody would know.
func (c *chunk) addDelta(d *wireDelta) error {
	said, thought, ok := parts(d.Content)
	if !ok {
		return errShape
	}
	c.text = append(append(c.text, said...), d.Refusal...)
	c.refused = c.refused || len(d.Refusal) > 0 || refuses(d.Content)
	c.reasoning = append(c.reasoning, thought...)
	for _, raw := range [...]json.RawMessage{d.ReasoningContent, d.Reasoning, d.ReasoningText, d.Thinking, d.Thought, d.ReasoningDetails, d.ThinkingBlocks} {
		if t, _, _ := parts(raw); len(t) > 0 {
			c.reasoning = append(c.reasoning, t...)
			break
		}
	}
	if raw := transport.Present(d.ReasoningDetails); raw != nil {
		c.details = append(c.details, raw)
	}
	for _, call := range d.Calls {
		p, ok := call.piece()
		if !ok {
			return errShape
		}
		c.calls = append(c.calls, p)
	}
	if d.Function != nil && len(d.Calls) == 0 {
		p, ok := wireCall{Index: json.RawMessage("0"), Function: *d.Function}.piece()
		if !ok {
			return errShape
		}
		c.calls = append(c.calls, p)
	}
	return nil
}

// refuses reports whether a content has a part that is a refusal.
func refuses(content json.RawMessage) bool {
	var list []fields
	if !bytes.Contains(content, []byte("refusal")) || json.Unmarshal(content, &list) != nil {
		return false
	}
	return slices.ContainsFunc(list, func(part fields) bool { return len(transport.Text(part["refusal"])) > 0 })
}

func (w wireCall) piece() (p piece, ok bool) {
	p = piece{index: -1, id: w.ID, name: w.Function.Name, args: transport.Text(w.Function.Arguments), extra: transport.Present(w.Extra)}
	var n int
	if raw := transport.Present(w.Index); raw != nil && json.Unmarshal(raw, &n) == nil && n >= 0 && n <= maxIndex {
		p.index = n
	}
	raw := transport.Present(w.Function.Arguments)
	if raw != nil && raw[0] == '{' {
		var b bytes.Buffer
		_ = json.Compact(&b, raw) // valid, or the chunk would not have been read
		p.args = b.Bytes()
	}
	return p, raw == nil || raw[0] == '{' || raw[0] == '"'
}

// maxIndex bounds the index of a call; a larger one is a server's mistake and counts as not given.
const maxIndex = 9999

// parts returns the text of a content that is a string or a list of parts, and the reasoning among the parts; ok is false
// for one that is neither.
func parts(raw json.RawMessage) (said, thought []byte, ok bool) {
	raw = transport.Present(raw)
	if raw == nil || raw[0] == '"' {
		return transport.Text(raw), nil, true
	}
	var list []fields
	if raw[0] == '{' {
		raw = append(append(json.RawMessage("["), raw...), ']')
	}
	if json.Unmarshal(raw, &list) != nil {
		return nil, nil, false
	}
	for _, part := range list {
		if inner := transport.Present(part["thinking"]); inner != nil && string(transport.Text(part["type"])) == "thinking" {
			t, _, _ := parts(inner)
			thought = append(thought, t...)
			continue
		}
		for _, name := range [...]string{"text", "summary", "thinking", "refusal"} {
			if t := transport.Text(part[name]); len(t) > 0 {
				said = append(said, t...)
				break
			}
		}
	}
	return said, thought, true
}
