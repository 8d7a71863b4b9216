package chat

import (
	"bytes"
	"encoding/json"

	"nebula"
	"nebula/internal/model/transport"
)

// A decoder turns the events of an answer into pieces of a reply; it is a [transport.Reader].
type decoder struct {
	out     *transport.Out
	model   string
	usage   []byte
	finish  transport.End
	calls   callList
	details details
	some    bool // something of the reply was said
	refused bool // some of it is a refusal
	step    int
	frame   transport.Frame // of the last event, where it was a piece of one thing
	framed  func(said []byte) chunk
	looked  int // how often in vain
}

// Event reads one event; [DONE] is the end mark.
func (d *decoder) Event(name, data []byte) (ended bool, err error) {
	switch {
	case string(data) == "[DONE]":
		return true, nil
	case string(name) == "error":
		return false, &transport.Said{Body: bytes.Clone(data)}
	}
	if said := d.frame.Text(data); len(said) > 0 {
		d.looked = 0
		return false, d.chunk(d.framed(said))
	}
	c, err := readChunk(data)
	if err != nil {
		return false, transport.NewDamaged(data)
	}
	d.look(c, data)
	return false, d.chunk(c)
}

// look keeps the frame of an event that adds a piece of the text or of the thoughts and nothing else: what else it says is said once.
func (d *decoder) look(c chunk, data []byte) {
	if len(c.calls)+len(c.details) > 0 || c.whole || len(c.text) > 0 && len(c.reasoning) > 0 {
		d.frame = transport.Frame{}
		return
	}
	if d.looked++; d.looked > 8 { // no two are alike here
		return
	}
	d.framed = func(said []byte) chunk { return chunk{text: said} }
	if len(c.text) > 0 && d.frame.Around(string(c.text), data, "content") {
		return
	}
	d.framed = func(said []byte) chunk { return chunk{reasoning: said} }
	thought := string(c.reasoning)
	_ = d.frame.Around(thought, data, "reasoning_content") || d.frame.Around(thought, data, "reasoning")
}

// Object reads a complete reply, or a chunk without the frame of an event.
func (d *decoder) Object(raw json.RawMessage) error {
	if len(raw) > 0 && raw[0] == '[' {
		return &transport.Said{Body: raw} // Google lists its errors
	}
	c, err := readChunk(raw)
	switch {
	case err != nil:
		return transport.NewDamaged(raw)
	case c.fault == nil && len(c.model)+len(c.text)+len(c.calls)+len(c.finish) == 0:
		return &transport.Said{Body: raw}
	}
	return d.chunk(c)
}

// Whole reports whether a finish reason came that is known.
func (d *decoder) Whole() bool { return d.finish.Known() }

func (d *decoder) chunk(c chunk) error {
	d.step++
	if c.fault != nil {
		return &transport.Said{Body: bytes.Clone(c.fault)}
	}
	if c.whole && d.some {
		c.text, c.reasoning, c.details, c.calls = nil, nil, nil, nil // the stream once more, as a whole
	}
	if len(c.model) > 0 && string(c.model) != d.model {
		d.model = string(c.model)
		if err := d.out.Say(nebula.Chunk{Model: d.model}); err != nil {
			return err
		}
	}
	if err := d.content(c); err != nil {
		return err
	}
	d.refused = d.refused || c.refused
	if c.usage != nil {
		d.usage = append(d.usage[:0], c.usage...)
	}
	d.finish.Take(string(c.finish))
	return nil
}

// content passes on what the model said.
func (d *decoder) content(c chunk) error {
	for _, raw := range c.details {
		d.details.add(raw)
	}
	if len(c.reasoning) > 0 {
		if err := d.say(nebula.Chunk{Reasoning: string(c.reasoning)}); err != nil {
			return err
		}
	}
	if len(c.text) > 0 {
		if err := d.say(nebula.Chunk{Text: string(c.text)}); err != nil {
			return err
		}
	}
	return d.calls.add(c.calls, d.step, d.call)
}

//go:noinline
func (d *decoder) say(c nebula.Chunk) error {
	d.some = true
	return d.out.Say(c)
}

func (d *decoder) call(c nebula.CallDelta) error { return d.say(nebula.Chunk{Call: &c}) }

// End says what closes a reply.
func (d *decoder) End() error {
	finish, err := d.finish.Word()
	if err != nil {
		return err
	}
	if err := d.calls.finish(d.call); err != nil {
		return err
	}
	if part := d.details.part(); part != nil {
		if err := d.out.Say(nebula.Chunk{Part: part}); err != nil {
			return err
		}
	}
	if u, ok := readUsage(d.usage); ok {
		if err := d.out.Say(nebula.Chunk{Usage: &u}); err != nil {
			return err
		}
	}
	if finish == transport.Stop && d.calls.any() {
		finish = transport.Calls
	}
	if d.refused {
		finish = transport.Filtered
	}
	return d.out.Say(nebula.Chunk{Finish: finish})
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
		Within struct {
			Reasoning float64 `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
		CacheHit   float64 `json:"prompt_cache_hit_tokens"` // DeepSeek
		CachedFlat float64 `json:"cached_tokens"`           // Moonshot
	}
	if len(raw) == 0 || json.Unmarshal(raw, &u) != nil {
		return nebula.Usage{}, false
	}
	out := nebula.Usage{
		Input:  transport.Tokens(max(u.Prompt, u.Input)),
		Output: transport.Tokens(max(u.Completion, u.Output)),
		Cached: transport.Tokens(max(u.Details.Cached, u.CacheHit, u.CachedFlat)),
	}
	out.Cached = min(out.Cached, out.Input)
	out.Reasoning = min(transport.Tokens(u.Within.Reasoning), out.Output)
	if u.Cost != nil && *u.Cost > 0 {
		out.Cost = *u.Cost
	}
	return out, true
}
