package agent

import (
	"fmt"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// shorten makes the conversation shorter at the person's wish. No turn is under way.
func (s *Session) shorten(c nebula.Compact) error {
	m, err := s.setup.Model(s.state.Model)
	if err != nil {
		return err
	}
	focus, _ := state.Cut(c.Focus, 2*state.LineLimit)
	done, gained := s.setup.Prompt.Shorten(s.state, s.window(m.Info()), focus)
	if !gained {
		return fmt.Errorf(s.say(noneLeft), done.Before)
	}
	s.shortening("manual", focus)
	return s.record(done)
}

// shortenLater notes that the conversation is to be made shorter when the turn under way is at its end: until then its
// model works with what it has read.
func (s *Session) shortenLater(c nebula.Compact) error {
	s.turn.shorten = &c
	return s.record(s.informs(atTheEnd))
}

// shortened does what shortenLater noted.
func (s *Session) shortened() {
	if s.turn.shorten == nil || s.err != nil {
		return
	}
	if err := s.shorten(*s.turn.shorten); err != nil && s.err == nil {
		_ = s.record(s.noted("info", phrase.Of(err))) // record keeps the error
	}
}
