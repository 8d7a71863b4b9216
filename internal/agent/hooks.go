package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
)

// consult asks the hooks of a moment, and keeps what ran. The zero answer is that nobody had something to say.
func (s *Session) consult(ctx context.Context, o nebula.Occasion) nebula.Heeded {
	if s.setup.Hooks == nil {
		return nebula.Heeded{}
	}
	o.Session, o.Mode = s.state.Session, s.state.Mode
	h := await(s, func() nebula.Heeded { return s.setup.Hooks.At(ctx, o) })
	s.ran(h)
	return h
}

// ran keeps which hooks ran, and tells of those that gave no answer.
func (s *Session) ran(h nebula.Heeded) {
	for _, r := range h.Runs {
		s.note(r)
		if r.Failed != "" {
			s.note(s.warns(hookFailed, r.Moment, r.Command, r.From, r.Failed))
		}
	}
	for _, w := range h.Notes {
		s.note(s.noted("warning", phrase.Said(w)))
	}
}

// heeded is a verdict after the hooks spoke. They may tighten it; one of the person's own may also allow what policy alone would
// have asked about, and nothing that is asked about under every policy.
func (s *Session) heeded(ctx context.Context, t nebula.Tool, v nebula.Verdict, p nebula.Proposal) (nebula.Proposal, nebula.Verdict, error) {
	if v.Ruling == nebula.Deny && !v.Missing {
		return p, v, nil
	}
	a := p.Action
	h := s.consult(ctx, nebula.Occasion{Moment: nebula.BeforeTool, Action: &a})
	s.turn.heard, s.turn.lets = h.Context, ""
	if h.Input != nil && h.Decision != "deny" {
		a.Reason, a.Points = fmt.Sprintf(s.say(hookInstead), phrase.OneLine(string(a.Args), 200)), nil // the model's are of what it wanted
		a.Args = h.Input
		other, err := s.propose(ctx, t, a)
		if err != nil {
			return p, v, err
		}
		p, a = other, other.Action
		v = s.reworded(s.tightened(gate.Judge(s.rules(), p), p), p, h)
	}
	if v = s.asked(ctx, s.under(v, p, h), p); h.Decision == "allow" {
		s.turn.lets = a.ID
	}
	return p, v, nil
}

// asked is a verdict after the hooks that speak before the person is asked.
func (s *Session) asked(ctx context.Context, v nebula.Verdict, p nebula.Proposal) nebula.Verdict {
	if s.setup.Hooks == nil || v.Ruling != nebula.AskFirst && !v.Missing {
		return v
	}
	return s.under(v, p, s.consult(ctx, nebula.Occasion{Moment: nebula.BeforeAsk, Action: &p.Action}))
}

// hookChanges is why something is asked about that a hook put in the place of what the model wanted.
const hookChanges nebula.Code = "hook_changes"

// reworded is the verdict on what a hook put in the place of what the model wanted. It is judged as any other, and what a folder's
// hook makes of an action is never done unseen.
func (s *Session) reworded(v nebula.Verdict, p nebula.Proposal, h nebula.Heeded) nebula.Verdict {
	if v.Ruling == nebula.Allow && !h.Own && p.Effect.Changes() {
		v.Ruling = nebula.AskFirst
		if s.approve() == gate.None {
			v.Ruling, v.Missing = nebula.Deny, true
		}
	}
	if v.Ruling == nebula.AskFirst || v.Missing {
		v.Why = hookChanges
	}
	return v
}

// notified has hooks know that the person is waited for, for as long as they are. What it gives ends that.
func (s *Session) notified(ctx context.Context) (end func()) {
	if s.setup.Hooks == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	ran := make(chan nebula.Heeded, 1)
	kind, text := s.wanted()
	o := nebula.Occasion{Moment: nebula.OnAsk, Session: s.state.Session, Mode: s.state.Mode, Kind: kind, Text: text}
	go func() { ran <- s.setup.Hooks.At(ctx, o) }()
	return func() {
		select {
		case h := <-ran:
			s.ran(h)
		default: // it is ended with the question, and says nothing more
			stop()
			h := <-ran
			for i := range h.Runs {
				h.Runs[i].Failed = ""
			}
			s.ran(h)
		}
		stop()
	}
}

// shortening has hooks know that the conversation is made shorter.
func (s *Session) shortening(kind, focus string) {
	if s.setup.Hooks == nil {
		return
	}
	ctx, stop := context.WithTimeout(s.ctx, parting)
	defer stop()
	s.ran(s.setup.Hooks.At(ctx, nebula.Occasion{Moment: nebula.AtShort, Session: s.state.Session, Mode: s.state.Mode, Kind: kind, Text: focus}))
}

// hookAsks is why something is asked about that a hook wants asked about: no other hook allows it.
const hookAsks = "hook_asks"

// under is a verdict under what hooks say.
func (s *Session) under(v nebula.Verdict, p nebula.Proposal, h nebula.Heeded) nebula.Verdict {
	switch {
	case h.Decision == "deny":
		v.Ruling, v.Missing, v.Why = nebula.Deny, false, nebula.NewCode("hook_denies", h.Why)
	case h.Decision == "ask" && v.Ruling == nebula.Allow:
		v.Ruling, v.Why = nebula.AskFirst, nebula.NewCode(hookAsks, h.Why)
		if s.approve() == gate.None {
			v.Ruling, v.Missing = nebula.Deny, true
		}
	case h.Decision == "allow" && v.Ruling != nebula.Allow && v.Why != notNeeded && (v.Why != hookChanges || h.Own) && !strings.HasPrefix(string(v.Why), hookAsks):
		rules := s.rules()
		rules.Approve = gate.All
		if slices.ContainsFunc(p.Risks, risks(gate.Opening)) {
			break // no hook is told what was opened
		}
		if all := gate.Judge(rules, p); all.Ruling == nebula.Allow && (h.Leaves || !gate.Leaves(p)) {
			v.Ruling, v.Missing, v.Why = nebula.Allow, false, "hook_allows"
		}
	}
	return v
}

// after has the hooks look at a result; what they say stands behind it, for the model to read.
func (s *Session) after(ctx context.Context, a nebula.Action, r nebula.Result) nebula.Result {
	if s.setup.Hooks == nil || r.Status != nebula.Done && r.Status != nebula.Failed {
		return r
	}
	told := r
	h := s.consult(ctx, nebula.Occasion{Moment: nebula.AfterTool, Action: &a, Result: &told})
	before := s.turn.heard
	s.turn.heard = ""
	for _, text := range []string{before, h.Why, h.Context} {
		if text != "" {
			r.Text += "\n" + fmt.Sprintf(s.say(hookSays), text)
		}
	}
	return r
}

// checked has what knows the language look at what was changed; what is wrong since stands behind the result.
func (s *Session) checked(ctx context.Context, r nebula.Result) nebula.Result {
	if s.setup.Finds == nil || r.Status != nebula.Done || len(r.Changes) == 0 {
		return r
	}
	var began []string
	text := await(s, func() (wrong string) {
		wrong, began = s.setup.Finds(ctx, r.Changes)
		return wrong
	})
	for _, program := range began {
		began := s.informs(serverBegan, program)
		began.Did = "start"
		s.note(began)
	}
	if text != "" {
		r.Text = strings.TrimSuffix(r.Text, "\n") + "\n" + text
	}
	return r
}

// parting is how long hooks may take at the end of a session.
const parting = 5 * time.Second

// part tells hooks that the session ends. Nobody waits for what they say of it.
func (s *Session) part() {
	if s.setup.Hooks == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(s.ctx), parting)
	defer stop()
	s.ran(s.setup.Hooks.At(ctx, nebula.Occasion{Moment: nebula.AtEnd, Session: s.state.Session, Mode: s.state.Mode, Kind: "other"}))
}

// goOns is how often hooks can have a turn go on that is at its end.
const goOns = 3

// resumed reports whether a hook has a turn go on that is done.
func (s *Session) resumed(ctx context.Context, end ending, t *tally) bool {
	if !end.status.Did() || t.held == goOns || s.setup.Hooks == nil {
		return false
	}
	h := s.consult(ctx, nebula.Occasion{Moment: nebula.AtStop, Text: end.text, Again: t.held > 0})
	if h.Decision != "deny" || ctx.Err() != nil {
		return false
	}
	t.held++
	return s.record(nebula.Observed{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text(fmt.Sprintf(s.say(hookSays), h.Why))}}}) == nil
}

// greet has the hooks look at a message before it is taken in. It runs where the message is sent from.
func (s *Session) greet(ctx context.Context, c nebula.Command) (nebula.Heeded, error) {
	m, ok := c.(nebula.Submit)
	if !ok || s.setup.Hooks == nil {
		return nebula.Heeded{}, nil
	}
	h := s.setup.Hooks.At(ctx, nebula.Occasion{Moment: nebula.OnMessage, Session: s.ID(), Text: m.Text})
	if h.Decision != "deny" && s.greeted.CompareAndSwap(false, true) {
		first := s.setup.Hooks.At(ctx, nebula.Occasion{Moment: nebula.OnStart, Session: s.ID(), Kind: s.source()})
		h.Runs, h.Context = append(first.Runs, h.Runs...), strings.TrimSpace(first.Context+"\n"+h.Context)
	}
	if h.Decision == "deny" {
		_ = s.hand(ctx, request{look: func() { s.ran(h); _ = s.flush() }, reply: make(chan error, 1)}) // the session tells what became of it
		return h, nebula.Errorf("a hook does not let this message through: %s", h.Why)
	}
	return h, nil
}

// source is how the session began, as hooks know it.
func (s *Session) source() string {
	if s.resumes {
		return "resume"
	}
	return "startup"
}

// amended tells the model that it was something else that was done than what it wanted.
func (s *Session) amended(r nebula.Result, p nebula.Proposal) nebula.Result {
	r.Text = fmt.Sprintf(s.say(hookChanged), string(p.Action.Args)) + "\n" + r.Text
	return r
}
