package gemini

import (
	"bytes"
	"encoding/json"

	"nebula"
	"nebula/internal/model/transport"
)

// An answer is one of a stream, or all of it.
type answer struct {
	Candidates []struct {
		Index   int `json:"index"`
		Content struct {
			Parts []json.RawMessage `json:"parts"`
		} `json:"content"`
		Finish string `json:"finishReason"`
	} `json:"candidates"`
	Feedback struct {
		Blocked string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage json.RawMessage `json:"usageMetadata"`
	Model string          `json:"modelVersion"`
	Error json.RawMessage `json:"error"`
}

type usage struct {
	Prompt   float64 `json:"promptTokenCount"`
	Tools    float64 `json:"toolUsePromptTokenCount"`
	Cached   float64 `json:"cachedContentTokenCount"`
	Written  float64 `json:"candidatesTokenCount"`
	Thoughts float64 `json:"thoughtsTokenCount"`
}

// A part is a piece of what the model says. Of other kinds only the signature is known.
type part struct {
	Text      *string         `json:"text"`
	Thought   bool            `json:"thought"`
	Signature json.RawMessage `json:"thoughtSignature"`
	Call      *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
}

// A reader reads the answers of one reply.
type reader struct {
	out    *transport.Out
	model  string
	usage  json.RawMessage // as it was told last
	calls  int
	finish transport.End
}

// Event implements [transport.Reader]. A stream has no end mark.
func (r *reader) Event(_, data []byte) (ended bool, err error) {
	var a answer
	if json.Unmarshal(data, &a) != nil {
		return false, transport.NewDamaged(data)
	}
	return false, r.answer(a, data)
}

// Object implements [transport.Reader]: without a frame of events the answers are a list, and so is an error.
func (r *reader) Object(raw json.RawMessage) error {
	var all []json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		all = []json.RawMessage{raw}
	}
	for _, one := range all {
		var a answer
		if json.Unmarshal(one, &a) != nil || a.Candidates == nil && a.Usage == nil && a.Feedback.Blocked == "" {
			return &transport.Said{Body: bytes.Clone(one)}
		}
		if err := r.answer(a, one); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) answer(a answer, raw []byte) error {
	if transport.Present(a.Error) != nil {
		return &transport.Said{Body: bytes.Clone(raw)}
	}
	if a.Model != "" && a.Model != r.model {
		r.model = a.Model
		if err := r.out.Say(nebula.Chunk{Model: a.Model}); err != nil {
			return err
		}
	}
	if u := transport.Present(a.Usage); u != nil {
		r.usage = u
	}
	for _, c := range a.Candidates {
		if c.Index > 0 {
			continue // another answer to the same question, which nobody asked for
		}
		for _, raw := range c.Content.Parts {
			if err := r.part(raw); err != nil {
				return err
			}
		}
		r.finish.Take(c.Finish)
	}
	if a.Feedback.Blocked != "" {
		r.finish.Take("blocklist") // whatever it names
	}
	return nil
}

// part says one piece. A signature ends what it belongs to.
func (r *reader) part(raw json.RawMessage) error {
	var p part
	if json.Unmarshal(raw, &p) != nil {
		return transport.NewDamaged(raw)
	}
	var seal *nebula.Opaque
	if transport.Present(p.Signature) != nil {
		seal = &nebula.Opaque{Of: Name, Value: bytes.Clone(p.Signature)}
	}
	switch {
	case p.Call != nil:
		d := nebula.CallDelta{Index: r.calls, ID: p.Call.ID, Name: p.Call.Name, Arguments: "{}", Opaque: seal}
		if d.ID == "" {
			d.ID = transport.NewID()
		}
		if args := transport.Present(p.Call.Args); args != nil {
			d.Arguments = string(args)
		}
		r.calls++
		return r.out.Say(nebula.Chunk{Call: &d})
	case p.Text == nil, *p.Text == "" && seal != nil:
		return r.out.Say(nebula.Chunk{Part: &nebula.Part{Kind: nebula.OpaquePart, Opaque: &nebula.Opaque{Of: Name, Value: bytes.Clone(raw)}}})
	case *p.Text == "":
		return nil
	}
	said := nebula.Chunk{Text: *p.Text}
	if p.Thought {
		said = nebula.Chunk{Reasoning: *p.Text}
	}
	if err := r.out.Say(said); err != nil || seal == nil {
		return err
	}
	return r.out.Say(nebula.Chunk{Opaque: seal})
}

// Whole implements [transport.Reader].
func (r *reader) Whole() bool { return r.finish.Known() }

// End implements [transport.Reader].
func (r *reader) End() error {
	finish, err := r.finish.Word()
	if err != nil {
		return err
	}
	var u usage
	if json.Unmarshal(r.usage, &u) != nil {
		u = usage{}
	}
	prompt, thoughts := transport.Tokens(u.Prompt), transport.Tokens(u.Thoughts)
	told := nebula.Usage{Input: prompt + transport.Tokens(u.Tools), Cached: min(transport.Tokens(u.Cached), prompt), Output: transport.Tokens(u.Written) + thoughts, Reasoning: thoughts}
	if err := r.out.Say(nebula.Chunk{Usage: &told}); err != nil {
		return err
	}
	if finish == transport.Stop && r.calls > 0 {
		finish = transport.Calls
	}
	return r.out.Say(nebula.Chunk{Finish: finish})
}
