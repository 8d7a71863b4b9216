package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"

	"nebula"
	"nebula/internal/model/transport"
)

// An event is one of a stream. Events and blocks of kinds that are not known yet are stepped over.
type event struct {
	Type    string `json:"type"`
	Index   *int   `json:"index"` // of the block that it is about
	Message struct {
		Model string `json:"model"`
		Usage usage  `json:"usage"`
	} `json:"message"`
	Block json.RawMessage `json:"content_block"`
	Delta struct {
		Type      string `json:"type"`
		Text      string `json:"text"`
		Thinking  string `json:"thinking"`
		Signature string `json:"signature"`
		Input     string `json:"partial_json"`
		Stop      string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage `json:"usage"`
}

type usage struct {
	Input   int `json:"input_tokens"`
	Written int `json:"cache_creation_input_tokens"`
	Cached  int `json:"cache_read_input_tokens"`
	Output  int `json:"output_tokens"`
}

// A block is the beginning of one.
type block struct {
	Type string `json:"type"`
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text"`

	Thinking  string `json:"thinking"`
	Signature string `json:"signature"`

	Input json.RawMessage `json:"input"`
}

// A reader reads the events of one reply. Blocks come one after the other; where pieces of calls come in turns, each goes to its own, and
// other pieces out of their turn are damage: nobody could tell what was signed.
type reader struct {
	out       *transport.Out
	usage     usage
	stop      transport.End
	at        int    // the index of the block that began last
	open      string // its kind, while it is under way
	thought   bool   // it has said some of its thinking
	signature string
	calls     []call // that have begun
}

// A call is one that has begun.
type call struct {
	at    int    // its block's index
	whole string // the arguments that stand where it begins, until pieces come
}

// Event implements [transport.Reader].
func (r *reader) Event(_, data []byte) (ended bool, err error) {
	var e event
	if json.Unmarshal(data, &e) != nil {
		return false, transport.NewDamaged(data)
	}
	switch e.Type {
	case "message_start":
		r.usage = e.Message.Usage
		if e.Message.Model != "" {
			err = r.out.Say(nebula.Chunk{Model: e.Message.Model})
		}
	case "content_block_start":
		r.at = e.at(r.at + 1)
		err = r.begin(e.Block)
	case "content_block_delta":
		if e.at(r.at) != r.at {
			switch e.Delta.Type {
			case "text_delta", "thinking_delta", "signature_delta":
				return false, transport.NewDamaged(data)
			}
		}
		err = r.more(e)
	case "content_block_stop":
		if e.at(r.at) == r.at {
			err = r.seal()
		}
	case "message_delta":
		r.stop.Take(e.Delta.Stop)
		r.usage.Output = max(r.usage.Output, e.Usage.Output)
	case "message_stop":
		ended = true
	case "error":
		err = &transport.Said{Body: bytes.Clone(data)}
	}
	return ended, err
}

// at is the index of its block; an event that does not say is about one that others show.
func (e event) at(shown int) int {
	if e.Index == nil {
		return shown
	}
	return *e.Index
}

// begin opens a block.
func (r *reader) begin(raw json.RawMessage) error {
	var b block
	if json.Unmarshal(raw, &b) != nil {
		return transport.NewDamaged(raw)
	}
	r.open, r.thought, r.signature = b.Type, false, b.Signature
	switch b.Type {
	case "text":
		return r.text(b.Text)
	case "thinking":
		return r.think(b.Thinking)
	case "tool_use":
		r.calls = append(r.calls, call{r.at, string(b.Input)})
		return r.out.Say(nebula.Chunk{Call: &nebula.CallDelta{Index: len(r.calls) - 1, ID: cmp.Or(b.ID, transport.NewID()), Name: b.Name}})
	case "redacted_thinking":
		return r.out.Say(nebula.Chunk{Part: &nebula.Part{Kind: nebula.ReasoningPart, Opaque: own(raw)}})
	}
	return r.out.Say(nebula.Chunk{Part: &nebula.Part{Kind: nebula.OpaquePart, Opaque: own(raw)}})
}

func own(raw json.RawMessage) *nebula.Opaque {
	return &nebula.Opaque{Of: Name, Value: bytes.Clone(raw)}
}

// more is a piece of the block under way.
func (r *reader) more(e event) error {
	switch e.Delta.Type {
	case "text_delta":
		return r.text(e.Delta.Text)
	case "thinking_delta":
		return r.think(e.Delta.Thinking)
	case "signature_delta":
		r.signature += e.Delta.Signature
	case "input_json_delta":
		for i := range r.calls {
			if c := &r.calls[i]; c.at == e.at(r.at) && e.Delta.Input != "" {
				c.whole = ""
				return r.out.Say(nebula.Chunk{Call: &nebula.CallDelta{Index: i, Arguments: e.Delta.Input}})
			}
		}
	}
	return nil
}

//go:noinline
func (r *reader) text(s string) error {
	if s == "" {
		return nil
	}
	return r.out.Say(nebula.Chunk{Text: s})
}

//go:noinline
func (r *reader) think(s string) error {
	if s == "" {
		return nil
	}
	r.thought = true
	return r.out.Say(nebula.Chunk{Reasoning: s})
}

// seal ends the block: thinking gets its signature.
func (r *reader) seal() error {
	defer func() { r.open, r.signature = "", "" }()
	if r.open != "thinking" || r.signature == "" {
		return nil
	}
	seal := own(transport.AppendString(nil, r.signature))
	if !r.thought {
		return r.out.Say(nebula.Chunk{Part: &nebula.Part{Kind: nebula.ReasoningPart, Opaque: seal}})
	}
	return r.out.Say(nebula.Chunk{Opaque: seal})
}

// Object implements [transport.Reader]: what comes in place of a stream is an error.
func (r *reader) Object(raw json.RawMessage) error { return &transport.Said{Body: bytes.Clone(raw)} }

// Whole implements [transport.Reader].
func (r *reader) Whole() bool { return r.stop.Known() }

// End implements [transport.Reader].
func (r *reader) End() error {
	finish, err := r.stop.Word()
	if err != nil {
		return err
	}
	for i, c := range r.calls { // what no piece came of came whole
		if c.whole != "" && c.whole != "{}" {
			if err := r.out.Say(nebula.Chunk{Call: &nebula.CallDelta{Index: i, Arguments: c.whole}}); err != nil {
				return err
			}
		}
	}
	u := nebula.Usage{Input: r.usage.Input + r.usage.Cached + r.usage.Written, Cached: r.usage.Cached, Written: r.usage.Written, Output: r.usage.Output}
	if err := r.out.Say(nebula.Chunk{Usage: &u}); err != nil {
		return err
	}
	return r.out.Say(nebula.Chunk{Finish: finish})
}
