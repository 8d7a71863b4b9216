package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// onView is a proposal that was shown as it would be on a view of the folder: no risk is new there, and nothing else is another.
func onView(p, again nebula.Proposal) nebula.Proposal {
	if p.Tries && !slices.ContainsFunc(again.Risks, func(r string) bool { return !lists.Has(p.Risks, r) }) {
		p.Viewed, p.Risks = true, again.Risks
	}
	return p
}

// weigh has what a command did on a view of the folder kept there, or dropped: that is a proposal of its own, judged, asked
// about and recorded as any other. The result is the command's, with what became of it.
func (s *Session) weigh(ctx context.Context, p nebula.Proposal, r nebula.Result) nebula.Result {
	e := r.Effects
	r.Effects = nil
	want, drop := e.Keep, e.Drop
	hides := e.Opened != nil && (!gate.Expected(s.rules(), p) || s.steered(p))
	if hides {
		want, drop = e.Opened.Tell, e.Opened.Hide
		if s.rules().Mode != nebula.AgentMode {
			want.Effect, want.Targets = nebula.Read, nil // nothing is kept, but it may be told
		}
	}
	if want.Action = p.Action; !hides && len(want.Targets) == 0 {
		await(s, func() nebula.Result { return drop("") })
		return r
	}
	if at := p.Beyond(); s.turn.trying && len(at) > 0 {
		want.Summary += fmt.Sprintf(s.say(andBeyond), strings.Join(at, ", "))
	}
	want = s.known(want)
	want, held := s.spared(want)
	g, keep, why := s.keeping(ctx, want)
	var then nebula.Result
	if g != nil && s.err == nil {
		if then = s.carryOut(ctx, keep, g); held != "" {
			then.Text = strings.TrimSuffix(then.Text, "\n") + "\n" + fmt.Sprintf(s.say(sparedOf), held)
		}
	} else {
		then = await(s, func() nebula.Result { return drop(why) })
		if hides {
			r = hushed(r)
		}
		if len(then.Dropped) == 0 && !hides && s.approve() != gate.None && !s.shows(r, want) { // only what the project ignores, which was asked about all the same
			then.Dropped = paths(want.Targets)
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

// steered reports whether the settings of the folder's repository name programs that git runs for a command: what it shows is theirs.
func (s *Session) steered(p nebula.Proposal) bool {
	return s.setup.Script != nil && strings.Contains(p.Line(), "git") && gate.Steered(s.setup.Script(".git/config"))
}

// shows reports whether a run says what the folder is like though all that it made there is dropped, which the project ignores: tests that
// passed leave caches and reports behind, and need none of them. What holds secrets could be what they ran with.
func (s *Session) shows(r nebula.Result, want nebula.Proposal) bool {
	return r.Tests != nil && r.Tests.OK && (r.Tests.Passed > 0 || r.Tests.Chosen) &&
		!slices.ContainsFunc(want.Targets, func(t nebula.Target) bool { return gate.Full.Secret(t.Path) })
}

// unprinted is a proposal without what a command printed that opened what holds secrets, and what it called what it made.
func unprinted(b nebula.Proposed) nebula.Proposed {
	if slices.ContainsFunc(b.Proposal.Risks, risks(gate.Opening)) {
		b.Proposal.Diff, b.Proposal.Targets, b.Proposal.Summary, b.Points = "", nil, b.Proposal.Ran, nil
	}
	return b
}

// risks is a question about a danger, of a risk as a proposal names it.
//
//go:noinline
func risks(is func(gate.Danger) bool) func(string) bool {
	return func(risk string) bool { return is(gate.Danger(risk)) }
}

// stored are events as they stand in the record: what such a command printed, and what stands beside a change in a file with secrets, is
// shown to the person alone. What may be told of it stands in its result.
func (s *Session) stored(events []nebula.Event) []nebula.Event {
	kept := lists.Clone(events)
	for i, e := range kept {
		if b, ok := e.Body.(nebula.Proposed); ok {
			if b = unprinted(b); s.secrets != nil && b.Proposal.Diff != "" {
				b.Proposal.Diff = s.secrets.Diff(b.Proposal)
			}
			kept[i].Body = b
		}
	}
	return kept
}

// hushed is a result of which nothing is told: what it says beside is the same however the command ended.
func hushed(r nebula.Result) nebula.Result {
	return nebula.Result{Action: r.Action, Call: r.Call, Tool: r.Tool, Status: nebula.Failed, Confined: r.Confined}
}

// keeping is the grant by which effects are kept, all or those that the person chose, recorded as begun; nil where they are not, and why. They are what they were
// when they were shown: nothing changes on the view any more, and what changed in the folder is left there.
func (s *Session) keeping(ctx context.Context, keep nebula.Proposal) (g *nebula.Grant, kept nebula.Proposal, why string) {
	if ctx.Err() != nil {
		if keep.Ran != "" && slices.ContainsFunc(keep.Risks, risks(gate.Opening)) { // what was opened is in the record all the same
			v := gate.Judge(s.rules(), keep)
			v.Ruling, v.Missing = nebula.Deny, true
			_ = s.record(unprinted(nebula.Proposed{Proposal: keep, Verdict: v})) // record keeps the error
		}
		return nil, keep, s.cut(ctx, turnStopped)
	}
	id, v := keep.Action.ID[1:]+"k", gate.Judge(s.rules(), keep)
	if s.turn.lets == keep.Action.ID { // what was allowed is what it does
		v = s.under(v, keep, nebula.Heeded{Decision: "allow", Own: true})
	}
	v = s.asked(ctx, v, keep)
	if s.turn.trying && v.Ruling == nebula.Allow {
		v.Ruling = nebula.AskFirst
	}
	shown := nebula.Proposed{Proposal: keep, Verdict: v}
	if why = gate.Why(v, s.state.Lang); v.Ruling != nebula.Deny && s.refusedBefore(keep) {
		shown.Verdict.Ruling, why = nebula.Deny, s.say(refusedBefore)
	}
	if shown.Verdict.Ruling == nebula.Deny {
		_ = s.record(unprinted(shown)) // record keeps the error
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
	case s.rules().Mode != nebula.AgentMode && keep.Effect != nebula.Read:
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
