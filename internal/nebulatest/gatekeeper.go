package nebulatest

import (
	"context"
	"iter"
	"sync"
	"time"

	"nebula"
)

// A Gatekeeper is a conversation that does nothing but ask for permission. It is for tests of front ends: what a person
// types goes in at one end, and what was decided comes out here.
type Gatekeeper struct {
	mu      sync.Mutex
	events  []nebula.Event
	more    chan struct{} // closed and replaced when there is more
	answers chan nebula.Answer
	ended   bool
}

// NewGatekeeper is a session that has begun, in a language.
func NewGatekeeper(lang string) *Gatekeeper {
	g := &Gatekeeper{more: make(chan struct{}), answers: make(chan nebula.Answer, 64)}
	g.emit(nebula.Started{Session: "s1", Dir: "/work", Model: "m", Protocol: "auto", Mode: nebula.AgentMode, Lang: lang})
	g.emit(nebula.Submitted{Turn: 1, Text: "go"})
	return g
}

func (g *Gatekeeper) emit(b nebula.Body) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return
	}
	_, g.ended = b.(nebula.Closed)
	g.events = append(g.events, nebula.Event{Seq: int64(len(g.events) + 1), At: time.Unix(1_700_000_000, 0), Body: b})
	close(g.more)
	g.more = make(chan struct{})
}

// Events are those so far, and those to come.
func (g *Gatekeeper) Events(ctx context.Context, _ int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		for i := 0; ; {
			g.mu.Lock()
			events, more, ended := g.events[i:], g.more, g.ended
			g.mu.Unlock()
			for _, e := range events {
				i++
				if !yield(e) {
					return
				}
			}
			if ended {
				return
			}
			select {
			case <-more:
			case <-ctx.Done():
				return
			}
		}
	}
}

// Send takes answers; whoever asked gets them.
func (g *Gatekeeper) Send(_ context.Context, c nebula.Command) error {
	switch c := c.(type) {
	case nebula.Answer:
		g.answers <- c
	case nebula.Close:
		g.emit(nebula.Closed{})
	}
	return nil
}

// Ask proposes something and asks for permission, under an id of its own.
func (g *Gatekeeper) Ask(id string, p nebula.Proposal) {
	p.Action.ID = "a" + id
	g.emit(nebula.Proposed{Proposal: p, Verdict: nebula.Verdict{Risk: "low"}})
	g.emit(nebula.Asked{Ask: "q" + id, Action: p.Action.ID})
}

// Answered waits for the answer to what was asked under an id, and says no where none comes; ok tells which it was.
func (g *Gatekeeper) Answered(id string, patience time.Duration) (a nebula.Answer, ok bool) {
	end := time.After(patience)
	for a.Ask != "q"+id {
		select {
		case a = <-g.answers:
		case <-end:
			return nebula.Answer{}, false
		}
	}
	status := nebula.Denied
	if a.Answer != nebula.No {
		status = nebula.Done
	}
	g.emit(nebula.Answered{Ask: a.Ask, Answer: a.Answer, Text: a.Text, By: nebula.Person})
	g.emit(nebula.Finished{Result: nebula.Result{Action: "a" + id, Tool: "t", Status: status, Summary: "done " + id}})
	return a, true
}
