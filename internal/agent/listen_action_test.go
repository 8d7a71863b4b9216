package agent

import (
	"testing"
	"time"

	"nebula"
	"nebula/internal/state"
)

// A tool is shown, while a reply comes in, without what nobody may read.
func TestAToolIsShownWithoutKeys(t *testing.T) {
	s := &Session{setup: Setup{Now: time.Now, Redact: func(b nebula.Body) nebula.Body {
		if shown, ok := b.(nebula.Streamed); ok && shown.Text == "key" {
			shown.Text = "[redacted]"
			return shown
		}
		return b
	}}}
	s.state, s.journal = &state.State{}, newJournal(nil)
	(&listener{session: s}).piece(nebula.Piece{Action: &nebula.Action{Tool: "key"}})
	if e := s.journal.entries; len(e) != 1 || e[0].event.Body.(nebula.Streamed).Text != "[redacted]" {
		t.Errorf("%+v", e)
	}
}
