package agent

import (
	"cmp"
	"context"
	"time"

	"nebula/internal/gate"
	"nebula/internal/state"
)

// Status tells what the session is doing, why and at what cost, as of this moment. It may be called from any goroutine,
// also in the middle of a turn.
func (s *Session) Status(ctx context.Context) (st state.Status, err error) {
	err = s.hand(ctx, request{look: func() { st = s.status() }, reply: make(chan error, 1)})
	return st, err
}

// Undoable is what an undo would take back, or a redo bring back, as of this moment; turn 0 where there is nothing.
func (s *Session) Undoable(ctx context.Context, redo bool) (turn state.TurnChanges, err error) {
	err = s.hand(ctx, request{look: func() { turn, _ = s.state.LastChanges(redo, s.ready) }, reply: make(chan error, 1)})
	return turn, err
}

func (s *Session) status() state.Status {
	st := s.state.Status(s.state.Lang)
	approve := s.rules().Approve
	st.Approve, st.Unasked = string(cmp.Or(approve, gate.Ask)), s.unasked()
	if len(s.turn.report.Layers) > 0 {
		st.Layers, st.Cuts = s.turn.report.Layers, s.turn.report.Cuts
	}
	if m, err := s.setup.Model(s.state.Model); err == nil {
		st.Window = s.window(m.Info())
		st.Effort = string(cmp.Or(s.state.Effort, m.Info().Effort))
	}
	st.Limits = Uses(s.state, s.setup.Limits, s.setup.Thresholds.Repeats, s.setup.Retries, s.turn.clock.spent())
	return st
}

// Uses are how much of each limit the last turn has used. took is the time it worked.
func Uses(s *state.State, l Limits, repeats, retries int, took time.Duration) []state.Use {
	u := s.Turn.Usage
	return []state.Use{
		{Name: "steps", Used: float64(s.Turn.Step), Most: float64(l.Steps)},
		{Name: "tokens", Used: float64(u.Input + u.Output), Most: float64(l.Tokens)},
		{Name: "cost", Used: u.Cost, Most: l.Cost},
		{Name: "time", Used: took.Seconds(), Most: l.Time.Seconds()},
		{Name: "repeats", Used: float64(s.Watch.Repeats), Most: float64(repeats)},
		{Name: "retries", Used: float64(s.Machine.Recovered), Most: float64(retries)},
	}
}
