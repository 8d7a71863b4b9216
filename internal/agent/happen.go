package agent

import (
	"context"
	"slices"

	"nebula"
)

// record makes events of what happened: on disk, then seen by front ends. An error ends the session, since nothing may
// go on unrecorded.
func (s *Session) record(bodies ...nebula.Body) error {
	s.note(bodies...)
	return s.flush()
}

// note makes events that go to disk with the next ones recorded. It is for what nothing acts on before then.
func (s *Session) note(bodies ...nebula.Body) {
	now := s.setup.Now()
	for _, b := range bodies {
		if s.setup.Redact != nil {
			b = s.setup.Redact(b)
		}
		e := nebula.Event{Seq: s.state.Seq + 1, At: now, Body: b}
		s.state.Apply(e)
		s.queue = append(s.queue, e)
	}
}

// flush writes what is noted. Before the first message nothing is worth keeping: it is only shown.
func (s *Session) flush() error {
	if s.err != nil {
		return s.err
	}
	begun := s.kept || slices.ContainsFunc(s.queue, func(e nebula.Event) bool {
		_, ok := e.Body.(nebula.Submitted)
		return ok
	})
	if begun {
		if err := s.save(); err != nil {
			if s.err = nebula.Errorf("session %s: %w", s.state.Session, err); !s.kept { // nobody can go on with it
				s.err = nebula.Errorf("nothing was begun: %w", err)
			}
			if s.turn.stop != nil {
				s.turn.stop()
			}
			return s.err
		}
	}
	s.journal.append(s.queue[s.shown:]...)
	s.shown = len(s.queue)
	if begun {
		s.queue, s.shown, s.kept = nil, 0, true
	}
	return nil
}

func (s *Session) save() error {
	ctx := context.WithoutCancel(s.ctx)
	if !s.begun {
		b := s.queue[0].Body.(nebula.Started)
		info := nebula.SessionInfo{ID: b.Session, Dir: b.Dir, Model: s.state.Model, Started: s.queue[0].At}
		if err := s.setup.Store.Create(ctx, info); err != nil {
			return err
		}
		s.begun = true
	}
	return s.setup.Store.Append(ctx, s.state.Session, s.stored(s.queue)...)
}

// show publishes what is not kept.
func (s *Session) show(b nebula.Body) {
	s.journal.append(nebula.Event{Seq: s.state.Seq, At: s.setup.Now(), Body: b})
}

// await runs work beside the session's goroutine, which serves commands and shows output meanwhile.
func await[T any](s *Session, work func() T) (v T) {
	s.await(func() { v = work() })
	return v
}

func (s *Session) await(work func()) {
	done := make(chan struct{})
	go func() {
		work()
		close(done)
	}()
	for {
		select {
		case <-done:
			s.drain()
			return
		case in := <-s.inbox:
			s.busy(in)
		case piece := <-s.output:
			s.show(piece)
		case a := <-s.asks:
			answer, _ := s.question(a.ctx, a.action, a.question) // a lost disk ends the session elsewhere
			a.reply <- answer
		}
	}
}

// drain shows the output that is still on its way when an action has ended.
//
//go:noinline
func (s *Session) drain() {
	for {
		select {
		case piece := <-s.output:
			s.show(piece)
		default:
			return
		}
	}
}

func grantID(a nebula.Action) string { return "g" + a.ID[1:] }

// begins is that a proposal is carried out now.
func (s *Session) begins(p nebula.Proposal, g *nebula.Grant) nebula.Began {
	if p.Begins != nil && !p.Viewed {
		p.Begins(s.named(p.Action))
	}
	return began(p.Action, g)
}

func began(a nebula.Action, g *nebula.Grant) nebula.Began {
	return nebula.Began{Action: a.ID, Grant: g.ID, By: g.By}
}
