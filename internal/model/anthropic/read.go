package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"nebula"
	"nebula/internal/model/transport"
)

// An event is one of a stream. Events and blocks of kinds that are not known yet are stepped over.
type event struct {
	Type    string `json:"type"`
	Index   *int   `json:"index"` // of the block that it is about
	Message struct {
		Model string          `json:"model"`
		Usage json.RawMessage `json:"usage"`
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
	Usage json.RawMessage `json:"usage"`
}

type usage struct {
	Input   float64 `json:"input_tokens"`
	Written float64 `json:"cache_creation_input_tokens"`
	Cached  float64 `json:"cache_read_input_tokens"`
	Output  float64 `json:"output_tokens"`
}

// readUsage reads a usage; one that cannot be read is none.
func readUsage(raw json.RawMessage) nebula.Usage {
	var u usage
	if json.Unmarshal(raw, &u) != nil {
		return nebula.Usage{}
	}
	cached, written := transport.Tokens(u.Cached), transport.Tokens(u.Written)
	return nebula.Usage{Input: transport.Tokens(u.Input) + cached + written, Cached: cached, Written: written, Output: transport.Tokens(u.Output)}
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
	usage     nebula.Usage
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
		r.usage = readUsage(e.Message.Usage)
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
		if e.Delta.Type == "input_json_delta" && !r.begun(e.at(r.at)) {
			return false, transport.NewDamaged(data)
		}
		err = r.more(e)
	case "content_block_stop":
		switch at := e.at(r.at); {
		case at > r.at:
			return false, transport.NewDamaged(data) // the beginning of its block was lost
		case at == r.at:
			err = r.seal()
		}
	case "message_delta":
		r.stop.Take(e.Delta.Stop)
		r.usage.Output = max(r.usage.Output, readUsage(e.Usage).Output)
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

// begun reports whether a block began that has arguments: a call, or what the server does itself.
func (r *reader) begun(at int) bool {
	own := at == r.at && r.open != "" && r.open != "text" && r.open != "thinking"
	return own || slices.ContainsFunc(r.calls, func(c call) bool { return c.at == at })
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

// Object implements [transport.Reader]: an answer that did not stream, or an error.
func (r *reader) Object(raw json.RawMessage) error {
	var whole struct {
		Type    string            `json:"type"`
		Model   string            `json:"model"`
		Content []json.RawMessage `json:"content"`
		Stop    string            `json:"stop_reason"`
		Usage   json.RawMessage   `json:"usage"`
	}
	if json.Unmarshal(raw, &whole) != nil || whole.Type != "message" {
		return &transport.Said{Body: bytes.Clone(raw)}
	}
	if whole.Model != "" {
		if err := r.out.Say(nebula.Chunk{Model: whole.Model}); err != nil {
			return err
		}
	}
	for i, b := range whole.Content {
		r.at = i
		if err := r.begin(b); err != nil {
			return err
		}
		if err := r.seal(); err != nil {
			return err
		}
	}
	r.usage = readUsage(whole.Usage)
	r.stop.Take(whole.Stop)
	return nil
}

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
	if err := r.out.Say(nebula.Chunk{Usage: &r.usage}); err != nil {
		return err
	}
	return r.out.Say(nebula.Chunk{Finish: finish})
}
