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

// Stream implements nebula.Model.
func (v *veiled) Stream(ctx context.Context, p nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		var s veil
		for c, err := range v.Model.Stream(ctx, v.redactor.Prompt(p)) {
			if c.Retry != nil {
				s = veil{}
			}
			for _, rest := range s.before(c) {
				if !yield(rest, nil) {
					return
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

// before is what was held back and must be said before a piece: the rest of a text before anything that is no text, so that
// every part keeps its place and its end.
func (s *veil) before(c nebula.Chunk) (chunks []nebula.Chunk) {
	if c.Text+c.Reasoning+c.Finish == "" && c.Call == nil && c.Part == nil && c.Opaque == nil {
		return nil
	}
	end := func(held **redact.Stream, chunk func(string) nebula.Chunk) {
		if *held == nil {
			return
		}
		if rest := (*held).End(); rest != "" {
			chunks = append(chunks, chunk(rest))
		}
		*held = nil
	}
	if c.Reasoning == "" {
		end(&s.reasoning, func(rest string) nebula.Chunk { return nebula.Chunk{Reasoning: rest} })
	}
	if c.Text == "" {
		end(&s.text, func(rest string) nebula.Chunk { return nebula.Chunk{Text: rest} })
	}
	for i := range s.calls {
		if c.Finish != "" {
			end(&s.calls[i], func(rest string) nebula.Chunk {
				return nebula.Chunk{Call: &nebula.CallDelta{Index: i, Arguments: rest}}
			})
		}
	}
	return chunks
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
		if c.Call = &call; call == (nebula.CallDelta{Index: call.Index}) {
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
