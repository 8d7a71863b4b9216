package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"nebula"
)

// A decoder turns the body of an answer into pieces of a reply.
type decoder struct {
	emit   func(nebula.Chunk) bool // false: nobody listens any more
	size   *measure                // nil: the reply may be of any size
	taken  func(string) bool       // ids that earlier calls of the conversation have
	settle func()                  // called once the finish reason was read: what may still come can wait no longer
	drain  func()                  // called when nothing more is to come
	model  string
	usage  []byte
	finish string
	full   error // what bound the reply went over
	calls  callList
	some   bool // something of the reply was emitted
	step   int
}

var (
	errStopped = errors.New("the reply is not wanted any more")
	errCut     = errors.New("the reply was cut off")
)

// A brokenStream is an event that could not be read.
type brokenStream struct{ event string }

func (b *brokenStream) Error() string { return "the reply is damaged: " + b.event }

// A saidFault is an error that the server reports in the body of an answer that began well.
type saidFault struct{ body []byte }

func (f *saidFault) Error() string { return "the server reports an error: " + string(f.body) }

// A strange answer is neither a stream nor JSON.
type strange struct{ body string }

func (s *strange) Error() string { return "not a model's reply: " + s.body }

// run reads the whole body. Its error is nil only for a reply that has its finish reason.
func (d *decoder) run(body io.Reader) error {
	d.calls.taken = d.taken
	e := newEvents(body)
	switch e.first() {
	case '{', '[':
		return d.readWhole(e)
	case '<':
		page, _ := e.rest()
		return &strange{oneLine(string(page), 120)}
	}
	for {
		event, data, err := e.next()
		if err == nil {
			var done bool
			if done, err = d.event(event, data); done && err == nil {
				d.rest(e)
				return d.end()
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, errStopped):
			return err
		case d.finish != "" && !isFault(err) && d.full == nil: // all of the reply is there; only what follows it is missing
			return d.end()
		case err == io.EOF:
			return errCut
		default:
			return err
		}
	}
}

func isFault(err error) bool {
	_, ok := errors.AsType[*saidFault](err)
	return ok
}

// rest reads what follows the end mark, so that the connection can be used again.
func (d *decoder) rest(e *events) {
	if d.drain != nil {
		d.drain()
	}
	for range 100 {
		if _, err := e.line(); err != nil {
			return
		}
	}
}

// event reads one event and reports whether it is the end mark.
func (d *decoder) event(event, data []byte) (done bool, err error) {
	data = bytes.TrimSpace(data)
	switch {
	case len(data) == 0:
		return false, nil
	case string(data) == "[DONE]":
		return true, nil
	case string(event) == "error":
		return false, &saidFault{bytes.Clone(data)}
	}
	c, err := readChunk(data)
	if err != nil {
		return false, &brokenStream{oneLine(string(data), 120)}
	}
	return false, d.chunk(c)
}

func (d *decoder) chunk(c chunk) error {
	d.step++
	if c.fault != nil {
		return &saidFault{bytes.Clone(c.fault)}
	}
	if c.whole && d.some {
		c.text, c.reasoning, c.calls = nil, nil, nil // the stream once more, as a whole
	}
	if len(c.model) > 0 && string(c.model) != d.model {
		d.model = string(c.model)
		if !d.emit(nebula.Chunk{Model: d.model}) {
			return errStopped
		}
	}
	if err := d.content(c); err != nil {
		return err
	}
	if c.usage != nil {
		d.usage = append(d.usage[:0], c.usage...)
	}
	if string(c.finish) == "error" {
		return errCut
	}
	if len(c.finish) > 0 {
		if d.finish == "" && d.settle != nil {
			d.settle()
		}
		d.finish = string(c.finish)
	}
	return nil
}

// content passes on what the model said.
func (d *decoder) content(c chunk) error {
	if len(c.reasoning) > 0 && !d.say(nebula.Chunk{Reasoning: string(c.reasoning)}) {
		return d.stopped()
	}
	if len(c.text) > 0 && !d.say(nebula.Chunk{Text: string(c.text)}) {
		return d.stopped()
	}
	if len(c.calls) > 0 && !d.calls.add(c.calls, d.step, d.call) {
		return d.stopped()
	}
	return nil
}

func (d *decoder) say(c nebula.Chunk) bool {
	d.some = true
	if d.size != nil {
		if d.full = d.size.add(c); d.full != nil {
			return false
		}
	}
	return d.emit(c)
}

func (d *decoder) stopped() error {
	if d.full != nil {
		return d.full
	}
	return errStopped
}

func (d *decoder) call(c nebula.CallDelta) bool { return d.say(nebula.Chunk{Call: &c}) }

// end emits what closes a reply.
func (d *decoder) end() error {
	if d.finish == "" {
		return errCut
	}
	if !d.calls.finish(d.call) {
		return d.stopped()
	}
	if u, ok := readUsage(d.usage); ok && !d.emit(nebula.Chunk{Usage: &u}) {
		return errStopped
	}
	finish := finishName(d.finish)
	if finish == "stop" && d.calls.any() {
		finish = "tool_calls"
	}
	if !d.emit(nebula.Chunk{Finish: finish}) {
		return errStopped
	}
	return nil
}

// readWhole reads an answer that is JSON: a complete reply, several chunks without the frame of events, or an error.
func (d *decoder) readWhole(e *events) error {
	body, err := e.rest()
	_, much := errors.AsType[*tooMuch](err)
	if err != nil && err != io.EOF && (len(body) == 0 || much || errors.Is(err, errHuge)) {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	for {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("%w: %w", errCut, err)
		}
		if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '[' {
			return &saidFault{raw} // Google lists its errors
		}
		c, err := readChunk(raw)
		if err != nil {
			return &brokenStream{oneLine(string(raw), 120)}
		}
		if c.fault == nil && len(c.model)+len(c.text)+len(c.calls)+len(c.finish) == 0 {
			return &saidFault{raw}
		}
		if err := d.chunk(c); err != nil {
			return err
		}
	}
	return d.end()
}

// finishName is a finish reason in Chat Completions' words.
func finishName(s string) string {
	switch s = strings.ToLower(s); s {
	case "function_call", "tool_use", "tool_call":
		return "tool_calls"
	case "end_turn", "eos", "eos_token", "stop_sequence", "complete", "completed":
		return "stop"
	case "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded":
		return "length"
	case "safety", "recitation", "refusal", "content-filter":
		return "content_filter"
	}
	return s
}

// readUsage reads the usage in all the ways that it is written in.
func readUsage(raw []byte) (nebula.Usage, bool) {
	var u struct {
		Prompt     float64  `json:"prompt_tokens"`
		Completion float64  `json:"completion_tokens"`
		Input      float64  `json:"input_tokens"`
		Output     float64  `json:"output_tokens"`
		Cost       *float64 `json:"cost"`
		Details    struct {
			Cached float64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CacheHit   float64 `json:"prompt_cache_hit_tokens"` // DeepSeek
		CachedFlat float64 `json:"cached_tokens"`           // Moonshot
	}
	if len(raw) == 0 || json.Unmarshal(raw, &u) != nil {
		return nebula.Usage{}, false
	}
	out := nebula.Usage{
		Input:  count(max(u.Prompt, u.Input)),
		Output: count(max(u.Completion, u.Output)),
		Cached: count(max(u.Details.Cached, u.CacheHit, u.CachedFlat)),
	}
	out.Cached = min(out.Cached, out.Input)
	if u.Cost != nil && *u.Cost > 0 {
		out.Cost = *u.Cost
	}
	return out, true
}

func count(f float64) int {
	if f > 0 && f < 1e12 {
		return int(f)
	}
	return 0
}
