package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

// An Expansion is the request that a command of somebody's own stands for.
type Expansion struct {
	Name   string       // as it is typed
	Pieces []Piece      // in their order
	Model  string       // for this turn; empty for the session's
	Needs  []string     // the only tools that run unasked in this turn; nil for all that may
	Not    []string     // tools that do not run unasked in this turn
	Notice nebula.Words // what of it is not done here; empty for nothing
}

// A Piece of a request is a text, or a command whose output stands there.
type Piece struct{ Text, Command string }

// text is the request with what commands gave in their places.
func (x *Expansion) text(gave []string) string {
	var b strings.Builder
	for _, p := range x.Pieces {
		if p.Command == "" {
			b.WriteString(p.Text)
			continue
		}
		out := ""
		if len(gave) > 0 {
			out, gave = gave[0], gave[1:]
		}
		fmt.Fprintf(&b, "$ %s\n%s\n", p.Command, out)
	}
	return strings.TrimSpace(b.String())
}

// expanded is what a message stands for; nil where it stands for itself.
func (s *Session) expanded(c nebula.Command) (*Expansion, error) {
	m, ok := c.(nebula.Submit)
	if !ok || s.setup.Expand == nil || !strings.HasPrefix(strings.TrimSpace(m.Text), "/") {
		return nil, nil
	}
	return s.setup.Expand(m.Text)
}

// spell tells the model what the person's command stands for. What it has run goes the way of every action before.
func (s *Session) spell(ctx context.Context, x *Expansion) error {
	if x == nil {
		return nil
	}
	if x.Notice.Format != "" {
		s.note(s.noted("warning", phrase.Said(x.Notice)))
	}
	if x.Model != "" {
		if _, err := s.setup.Model(x.Model); err != nil {
			s.note(s.noted("warning", phrase.Of(err)))
		} else {
			s.turn.model = x.Model
		}
	}
	var in nebula.Intent
	for _, p := range x.Pieces {
		if p.Command != "" {
			in.Actions = append(in.Actions, nebula.Action{Tool: s.setup.Shell, Args: commandArgs(p.Command), Reason: x.Name})
		}
	}
	var gave []string
	if len(in.Actions) > 0 {
		in.Strategy, in.Confidence = nebula.Strict, 1
		s.number(in.Actions)
		s.note(nebula.Replied{Turn: s.state.Turn.Number, Step: 1, Intent: in, By: x.Name})
		if _, err := s.act(ctx, in); err != nil {
			return err
		}
		for _, r := range s.state.Turn.Results {
			gave = append(gave, r.Text)
		}
	}
	s.narrow(x.Needs) // what it has run itself was agreed to, or is asked about
	if err := s.record(nebula.Observed{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text(x.text(gave))}}}); err != nil {
		return err
	}
	return ctx.Err()
}

// narrow lets only some tools run unasked for the rest of the turn.
func (s *Session) narrow(needs []string) {
	if needs != nil {
		s.turn.needs = append(s.turn.needs, needs)
	}
}

// notNeeded is of a tool that the skill or command in use does not say it needs.
const notNeeded nebula.Code = "not_needed"

// tightened is a verdict under what a skill or a command says it needs: whatever else would change something asks.
func (s *Session) tightened(v nebula.Verdict, p nebula.Proposal) nebula.Verdict {
	if v.Ruling != nebula.Allow || !p.Effect.Changes() || s.setup.Fits == nil {
		return v
	}
	if !slices.ContainsFunc(s.turn.needs, func(needs []string) bool { return !s.setup.Fits(needs, p) }) {
		return v
	}
	v.Ruling, v.Why = nebula.AskFirst, notNeeded
	if s.approve() == gate.None {
		v.Ruling, v.Missing = nebula.Deny, true
	}
	return v
}

// wish is what a message asks for, as far as the session has to know before the model is told.
func wish(c nebula.Submit, x *Expansion) string {
	if x == nil {
		return c.Text
	}
	text, _ := state.Cut(x.text(nil), 20*state.LineLimit)
	return text
}

// offers are the skills that the model is told of, chosen by the first message that the session was given since it was opened.
func (s *Session) offers(request string) {
	if s.setup.Skills != nil && !s.stocked {
		s.stocked, s.skills = true, s.setup.Skills(request, s.state.Lang)
	}
}
