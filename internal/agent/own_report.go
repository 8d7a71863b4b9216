package agent

import (
	"slices"

	"nebula"
)

// keepReport keeps the answer that the model gave with its last action for the case that it ends well, where all of the reply did and nothing
// is to be said to the model: then no further request is made for it.
func (s *Session) keepReport(was nebula.Replied, more bool) {
	results := s.state.Turn.Results
	s.turn.answered = nil
	if n := len(results); n == 0 || more || results[n-1].Report == "" || slices.ContainsFunc(results, func(r nebula.Result) bool { return r.Status != nebula.Done }) {
		return
	}
	text := results[len(results)-1].Report
	s.turn.answered = &nebula.Replied{Turn: was.Turn, Step: was.Step, Protocol: was.Protocol, Reply: nebula.Reply{Parts: nebula.Text(text), Finish: "stop"},
		Intent: nebula.Intent{Say: text, Strategy: nebula.Strict, Confidence: 1}, Vitals: was.Vitals, Model: was.Model, Server: was.Server}
}

// ownReport is the reply that such an answer is, false where there is none. What is asked of any answer is asked of it.
func (s *Session) ownReport() (nebula.Replied, bool) {
	r := s.turn.answered
	if s.turn.answered = nil; r == nil {
		return nebula.Replied{}, false
	}
	s.note(*r)
	return *r, true
}
