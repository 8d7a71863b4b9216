package model

import (
	"context"
	"iter"

	"nebula"
	"nebula/internal/redact"
)

// Veil returns a model that answers as m does, and neither sends nor says what the redactor knows.
func Veil(m nebula.Model, r redact.Redactor) nebula.Model { return &veiled{m, r} }

type veiled struct {
	nebula.Model
	redactor redact.Redactor
}

func (v *veiled) Stream(ctx context.Context, p nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		var s veil
		for c, err := range v.Model.Stream(ctx, v.redactor.Prompt(p)) {
			if c.Retry != nil {
				s = veil{}
			}
			if c.Finish != "" {
				for _, rest := range s.rest() {
					if !yield(rest, nil) {
						return
					}
				}
			}
			if c = s.pass(c, v.redactor); c == (nebula.Chunk{}) && err == nil {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// A veil is what of a reply is held back.
type veil struct {
	text, reasoning *redact.Stream
	calls           []*redact.Stream
}

// pass gives what of a piece can be passed on.
func (s *veil) pass(c nebula.Chunk, r redact.Redactor) nebula.Chunk {
	switch {
	case c.Text != "":
		c.Text = stream(&s.text, r).Feed(c.Text)
	case c.Reasoning != "":
		c.Reasoning = stream(&s.reasoning, r).Feed(c.Reasoning)
	case c.Call != nil && c.Call.Index >= 0:
		for len(s.calls) <= c.Call.Index {
			s.calls = append(s.calls, nil)
		}
		call := *c.Call
		call.Arguments = stream(&s.calls[call.Index], r).Feed(call.Arguments)
		if c.Call = &call; call.Arguments+call.ID+call.Name == "" {
			c.Call = nil
		}
	}
	return c
}

func stream(s **redact.Stream, r redact.Redactor) *redact.Stream {
	if *s == nil {
		*s = r.Stream()
	}
	return *s
}

// rest is what was held back to the end.
func (s *veil) rest() (chunks []nebula.Chunk) {
	if s.reasoning != nil {
		chunks = append(chunks, nebula.Chunk{Reasoning: s.reasoning.End()})
	}
	if s.text != nil {
		chunks = append(chunks, nebula.Chunk{Text: s.text.End()})
	}
	for i, call := range s.calls {
		if call != nil {
			chunks = append(chunks, nebula.Chunk{Call: &nebula.CallDelta{Index: i, Arguments: call.End()}})
		}
	}
	return chunks
}
