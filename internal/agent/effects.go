package agent

import (
	"cmp"
	"context"
	"fmt"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
)

// weigh has what a command did on a view of the folder kept there, or dropped: that is a proposal of its own, judged, asked
// about and recorded as any other. The result is the command's, with what became of it.
func (s *Session) weigh(ctx context.Context, a nebula.Action, r nebula.Result) nebula.Result {
	e := r.Effects
	r.Effects = nil
	e.Keep.Action = a
	g, keep, why := s.keeping(ctx, e.Keep)
	var then nebula.Result
	if g != nil && s.err == nil {
		then = s.carryOut(ctx, keep, g)
	} else {
		then = await(s, func() nebula.Result { return e.Drop(why) })
		if len(then.Dropped) == 0 && s.approve() != gate.None { // only what the project ignores, which was asked about all the same
			then.Dropped = paths(e.Keep.Targets)
		}
	}
	if s.err != nil {
		return nebula.Result{}
	}
	if then.Status == nebula.Failed {
		r.Status, then.Text, then.Summary = nebula.Failed, "\n"+then.Text, "; "+then.Summary
	}
	r.Text, r.Summary = r.Text+then.Text, r.Summary+then.Summary
	r.Changes, r.Lost, r.Dropped = append(r.Changes, then.Changes...), append(r.Lost, then.Lost...), then.Dropped
	r.Took += then.Took
	return r
}

// keeping is the grant by which effects are kept, all or those that the person chose, recorded as begun; nil where they are not, and why. They are what they were
// when they were shown: nothing changes on the view any more, and what changed in the folder is left there.
func (s *Session) keeping(ctx context.Context, keep nebula.Proposal) (g *nebula.Grant, kept nebula.Proposal, why string) {
	if ctx.Err() != nil {
		return nil, keep, s.cut(ctx, turnStopped)
	}
	id, v := keep.Action.ID[1:]+"k", gate.Judge(s.rules(), keep)
	shown := nebula.Proposed{Proposal: keep, Verdict: v}
	if why = gate.Why(v, s.state.Lang); v.Ruling != nebula.Deny && s.refusedBefore(keep) {
		shown.Verdict.Ruling, why = nebula.Deny, s.say(refusedBefore)
	}
	if shown.Verdict.Ruling == nebula.Deny {
		_ = s.record(shown) // record keeps the error
		return nil, keep, why
	}
	way, open := s.enter(keep.Effect, false)
	if v.Ruling == nebula.Allow && open {
		g = nebula.NewGrant("g"+id, nebula.ByPolicy(gate.Why(v, "en")), keep)
		_ = s.record(append(append([]nebula.Body{shown}, way...), began(keep.Action, g))...)
		return g, keep, ""
	}
	answer, yes := s.wonder(ctx, shown, "q"+id)
	switch {
	case s.err != nil:
		return nil, keep, ""
	case answer == nil:
		return nil, keep, s.say(turnStopped)
	case !yes && answer.By == nebula.Nobody:
		v.Missing = true
		return nil, keep, gate.Why(v, s.state.Lang)
	case !yes:
		return nil, keep, cmp.Or(answer.Text, s.say(personRefused))
	case s.rules().Mode != nebula.AgentMode:
		return nil, keep, gate.Why(nebula.Verdict{Why: "plan_mode"}, s.state.Lang)
	}
	if answer.Answer == nebula.Some {
		some, fits := gate.Chosen(keep, answer.Text)
		if !fits {
			return nil, some, fmt.Sprintf(s.say(noneFits), answer.Text)
		}
		keep = some
	}
	way, _ = s.enter(keep.Effect, true)
	g = nebula.NewGrant("g"+id, answer.By, keep)
	_ = s.record(append(way, began(keep.Action, g))...)
	return g, keep, ""
}

// policy tells the model what runs unasked and whether anybody can answer, so that it can plan with it.
func (s *Session) policy() string {
	form := somebodyThere
	if s.setup.Alone {
		form = nobodyThere
	}
	return fmt.Sprintf(s.say(form), s.approve(), s.unasked())
}

// unasked says what the policy lets run.
func (s *Session) unasked() string {
	said := gate.Says(s.approve(), s.state.Lang)
	if s.setup.Views == nil || s.state.Mode != nebula.AgentMode {
		return said
	}
	if view := gate.OnView(s.approve(), s.state.Lang); view != "" && s.setup.Views() {
		said += phrase.In(s.state.Lang, "; ") + view
	}
	return said
}

func paths(targets []nebula.Target) (all []string) {
	for _, t := range targets {
		all = append(all, t.Path)
	}
	return all
}
