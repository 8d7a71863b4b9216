// Package nebulatest has what tests of every part share: a scripted model and the conformance suites of the seams.
package nebulatest

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"sync"

	"nebula"
)

// A Script is a nebula.Model that answers with the given replies, one a request, in pieces. It keeps the prompts it
// was sent. When the replies are used up it fails the way a provider does.
type Script struct {
	Name    string
	Replies []nebula.Reply
	Piece   int                                        // bytes a chunk; 0 means 7
	Before  func(ctx context.Context, request int)     // called before each answer, to block or to look
	Faults  map[int]error                              // request number (from 0) to the error it ends with
	Infos   func(nebula.ModelInfo) nebula.ModelInfo    // changes what Info says
	Answers func(n int, p nebula.Prompt) *nebula.Reply // answers instead of Replies where it returns one

	mu      sync.Mutex
	prompts []nebula.Prompt
}

// Info implements nebula.Model.
func (s *Script) Info() nebula.ModelInfo {
	info := nebula.ModelInfo{Name: cmp.Or(s.Name, "scripted"), Provider: "script", Window: 128_000, Native: true}
	if s.Infos != nil {
		info = s.Infos(info)
	}
	return info
}

// Prompts are the requests so far.
func (s *Script) Prompts() []nebula.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]nebula.Prompt{}, s.prompts...)
}

func (s *Script) next(p nebula.Prompt) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.Messages = append([]nebula.Message{}, p.Messages...)
	s.prompts = append(s.prompts, p)
	return len(s.prompts) - 1
}

// Stream implements nebula.Model.
func (s *Script) Stream(ctx context.Context, p nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		n := s.next(p)
		if s.Before != nil {
			s.Before(ctx, n)
		}
		reply, err := s.reply(n, p)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			yield(nebula.Chunk{}, err)
			return
		}
		for _, c := range pieces(reply, s.Piece) {
			if ctx.Err() != nil {
				yield(nebula.Chunk{}, ctx.Err())
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

func (s *Script) reply(n int, p nebula.Prompt) (nebula.Reply, error) {
	if err, ok := s.Faults[n]; ok {
		return nebula.Reply{}, err
	}
	if s.Answers != nil {
		if r := s.Answers(n, p); r != nil {
			return *r, nil
		}
	}
	if n >= len(s.Replies) {
		return nebula.Reply{}, &nebula.APIError{Kind: "script", Text: fmt.Sprintf("the script has no reply %d", n+1)}
	}
	return s.Replies[n], nil
}

func pieces(r nebula.Reply, size int) []nebula.Chunk {
	if size <= 0 {
		size = 7
	}
	var out []nebula.Chunk
	calls := 0
	for _, part := range r.Parts {
		switch {
		case part.Call != nil:
			out = append(out, nebula.Chunk{Call: &nebula.CallDelta{Index: calls, ID: part.Call.ID, Name: part.Call.Name, Opaque: part.Opaque}})
			for _, piece := range split(part.Call.Arguments, size) {
				out = append(out, nebula.Chunk{Call: &nebula.CallDelta{Index: calls, Arguments: piece}})
			}
			calls++
			continue
		case part.Text == "":
			out = append(out, nebula.Chunk{Part: &part})
			continue
		}
		for _, piece := range split(part.Text, size) {
			if part.Kind == nebula.ReasoningPart {
				out = append(out, nebula.Chunk{Reasoning: piece})
			} else {
				out = append(out, nebula.Chunk{Text: piece})
			}
		}
		if part.Opaque != nil {
			out = append(out, nebula.Chunk{Opaque: part.Opaque})
		}
	}
	usage := r.Usage
	finish := cmp.Or(r.Finish, "stop")
	if r.Finish == "" && calls > 0 {
		finish = "tool_calls"
	}
	return append(out, nebula.Chunk{Usage: &usage}, nebula.Chunk{Model: r.Model}, nebula.Chunk{Finish: finish})
}

func split(text string, size int) []string {
	var out []string
	for len(text) > size {
		out = append(out, text[:size])
		text = text[size:]
	}
	if text != "" {
		out = append(out, text)
	}
	return out
}
