package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/state"
)

// A Beside is what works in the background of a conversation. Answer, Allow, Direct and Follow may wait for it; Progress and
// Plan are asked in the session's goroutine, and answer at once.
type Beside interface {
	Progress(lang string) string // of the plan under way, for the next request; empty when there is none
	Plan() *nebula.Plan          // for the outcome of a turn; nil when there is none
	Answer(ctx context.Context, a nebula.Answer) error
	// Allow is told of a command, by its proposal's key, that the person allowed always: its steps are not asked about it.
	Allow(ctx context.Context, key string)
	Direct(ctx context.Context, d nebula.Direct) error
	// Follow is told what the conversation was switched to. What runs in the background goes on under its mode and policy;
	// what is let run from then on runs with all of it.
	Follow(ctx context.Context, s nebula.Switched) error
}

// perform carries out actions that were given, as a turn: they are recorded like those of a reply and go through the
// same gate, each has its one result, and the model reads of them when it is asked next.
func (s *Session) perform(c nebula.Perform, reply chan<- error) {
	err := s.record(nebula.Submitted{Turn: s.state.Turn.Number + 1, Text: c.Text, By: cmp.Or(string(c.By), "nebula")})
	reply <- err
	if err != nil {
		return
	}
	if s.state.Machine.Step == state.Done && s.recordMoves(s.move(state.Planning, state.NewRequest)) != nil {
		return
	}
	s.carry(func(ctx context.Context) ending { return s.performActions(ctx, c) })
}

// outside is the argument with which a command leaves its box.
const outside = "outside"

// shell carries out a command of the person's own as an action of the tool that runs commands, as they would run it
// themself: outside of the box where commands have one.
func (s *Session) shell(c nebula.Shell, reply chan<- error) {
	if s.setup.Shell == "" {
		reply <- errors.New(s.say(noShell))
		return
	}
	in := map[string]any{"command": c.Command}
	if t := s.tool(s.setup.Shell); t != nil && slices.ContainsFunc(t.Spec().Params, func(p nebula.Param) bool { return p.Name == outside }) {
		in[outside] = true
	}
	args, _ := json.Marshal(in) // a text and a truth always marshal
	s.perform(nebula.Perform{Text: "! " + c.Command, By: nebula.Person, Actions: []nebula.Action{{Call: "shell", Tool: s.setup.Shell, Args: args}}}, reply)
}

// commandArgs are the arguments of a command that stays in its box.
func commandArgs(command string) json.RawMessage {
	args, _ := json.Marshal(map[string]any{"command": command}) // a text always marshals
	return args
}

func (s *Session) performActions(ctx context.Context, c nebula.Perform) ending {
	in := nebula.Intent{Actions: lists.Clone(c.Actions), Strategy: nebula.Strict, Confidence: 1}
	s.number(in.Actions)
	ids := map[string]string{} // by the call, which names an action before it has its id
	for _, a := range in.Actions {
		ids[a.Call] = a.ID
	}
	for i := range in.Actions {
		in.Actions[i].DependsOn = lists.Clone(in.Actions[i].DependsOn)
		for n, d := range in.Actions[i].DependsOn {
			in.Actions[i].DependsOn[n] = cmp.Or(ids[d], d)
		}
		in.Actions[i].Reason = cmp.Or(in.Actions[i].Reason, c.Text)
	}
	replied := nebula.Replied{Turn: s.state.Turn.Number, Step: 1, Intent: in, By: cmp.Or(string(c.By), "nebula")}
	s.note(replied)
	if _, err := s.act(ctx, in); err != nil {
		return s.failed(ctx, err)
	}
	text := summaries(s.state.Turn.Results)
	if err := s.observe(replied, nil); err != nil {
		return ending{status: nebula.TurnFailed, text: err.Error()}
	}
	if ctx.Err() != nil {
		return s.failed(ctx, ctx.Err())
	}
	return ending{status: s.performStatus(), text: text}
}

// performStatus is how a turn of given actions ended, as its results tell.
//
//go:noinline
func (s *Session) performStatus() nebula.EndStatus {
	status := nebula.TurnDone
	for _, r := range s.state.Turn.Results {
		switch {
		case r.End != "":
			return r.End
		case r.Status != nebula.Done:
			status = nebula.TurnFailed
		}
	}
	switch {
	case len(s.state.Turn.Lacking) > 0:
		return nebula.NeedsApproval
	case s.state.Turn.Unanswered:
		return nebula.NeedsInput
	}
	return status
}

// summaries are what results come to, the cause alone where something failed: what depended on it says no more.
func summaries(results []nebula.Result) string {
	failed := slices.ContainsFunc(results, func(r nebula.Result) bool { return r.Status == nebula.Failed })
	var lines []string
	for _, r := range results {
		if failed && r.Status == nebula.Skipped {
			continue
		}
		if text := cmp.Or(r.Summary, r.Text); text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// toldCap bounds what the model reads of each result of an action that it did not ask for, but of a file: what it has seen
// of one is all of it.
const toldCap = 4000

// performed is what the model reads of a turn of given actions.
func performed(r nebula.Replied, results []nebula.Result) nebula.Message {
	var b strings.Builder
	fmt.Fprintf(&b, "[Carried out by %s, not asked for by you]", r.By)
	for i, res := range results {
		what, reason := res.Tool, ""
		if i < len(r.Intent.Actions) {
			a := r.Intent.Actions[i]
			reason = a.Reason
			if path := aim(a); path != a.Tool {
				what += " " + path
			}
		}
		text := res.Text
		if half := toldCap / 2; len(text) > toldCap && len(res.Seen) == 0 { // what failed is told at its end
			text = strings.ToValidUTF8(text[:half], "") + "\n…\n" + strings.ToValidUTF8(text[len(text)-half:], "")
		}
		fmt.Fprintf(&b, "\n%s (%s): %s\n%s", what, reason, res.Status, text)
	}
	return nebula.Message{Role: nebula.User, Parts: nebula.Text(b.String())}
}

// direct hands a direction to what works in the background. It may take its time and tell the session things: so it
// is not the session's goroutine that waits for it.
func (s *Session) direct(c nebula.Direct, reply chan<- error) {
	switch {
	case s.setup.Beside == nil:
		reply <- errors.New("nothing can work in the background here")
		return
	case c.Do == nebula.RunPlan && s.state.Mode == nebula.PlanMode:
		reply <- errors.New(s.say(onlyPlans))
		return
	}
	go func() { reply <- s.setup.Beside.Direct(s.ctx, c) }()
}

// follow switches the session, and what works in the background with it.
func (s *Session) follow(c nebula.Switch, reply chan<- error) {
	err := s.switchTo(c)
	if err != nil || s.setup.Beside == nil {
		reply <- err
		return
	}
	go func() {
		reply <- s.setup.Beside.Follow(s.ctx, nebula.Switched{Mode: c.Mode, Model: c.Model, Protocol: c.Protocol, Approve: c.Approve, Effort: c.Effort})
	}()
}

// pass hands what the person has just said to hold from now on to what works in the background of the conversation.
func (s *Session) pass(text string) {
	rules := state.Rules(text)
	if s.setup.Beside == nil || len(rules) == 0 || !s.state.Planned() {
		return
	}
	d := nebula.Direct{Do: nebula.SteerPlan, Plan: s.state.Steps[0].Plan, Text: strings.Join(rules, "\n")}
	go func() { _ = s.setup.Beside.Direct(s.ctx, d) }() // a plan that is gone has no use for it
}

// consent approves the plan that waits for it when the person's message says so: a clear yes right after the turn that
// proposed it, or words that name it.
func (s *Session) consent(text string) error {
	d := s.state.Draft
	if d.Plan == "" || s.setup.Beside == nil || !gate.ReadConsent(text, d.Turn >= s.state.Turn.Number-1) {
		return nil
	}
	return await(s, func() error {
		return s.setup.Beside.Direct(s.ctx, nebula.Direct{Do: nebula.ApprovePlan, Plan: d.Plan})
	})
}

// queued answers a question of the background, if the answer is to one. What nobody gives is no answer but a no.
func (s *Session) queued(c nebula.Answer, reply chan<- error) bool {
	if c.Answer != nebula.No && c.By.None() {
		reply <- errors.New(s.say(unsigned))
		return true
	}
	at := slices.IndexFunc(s.state.Queue, func(q nebula.Queued) bool { return q.Ask == c.Ask })
	if at < 0 || s.setup.Beside == nil {
		return false
	}
	if err := s.changeable(c, s.state.Queue[at].Question, s.state.Queue[at].Proposed); err != nil {
		reply <- err
		return true
	}
	if err := s.record(nebula.Answered{Ask: c.Ask, Answer: c.Answer, Text: c.Text, By: c.By, Command: c.Command}); err != nil {
		reply <- err
		return true
	}
	go func() { reply <- s.setup.Beside.Answer(s.ctx, c) }()
	return true
}

// progress is what the next request says of the plan under way.
//
//go:noinline
func (s *Session) progress() string {
	if s.setup.Beside == nil {
		return ""
	}
	return s.setup.Beside.Progress(s.state.Lang)
}

// outcome sums the turn up, with the plan it worked on.
func (s *Session) summed(end ending) nebula.Outcome {
	o := s.state.Outcome(end.status, end.text)
	o.Cause, o.Unfounded, o.Reduced = end.cause, s.turn.unfounded, s.turn.reduced
	invented := slices.ContainsFunc(o.Unfounded, func(code string) bool { return !strings.HasPrefix(code, madeToFitCode) })
	if invented && o.Status == nebula.TurnDone && !strings.HasPrefix(s.state.Session, nebula.StepPrefix) { // a step has its own check
		o.Status, o.Cause = nebula.TurnUnchecked, nebula.NotChecked
	}
	if s.setup.Beside != nil && s.state.Turn.Planned {
		o.Plan = s.setup.Beside.Plan()
	}
	return o
}

// talkLines bounds what planning reads of the conversation.
const talkLines = 6

// Talk is the conversation in short, as of this moment. It may be called from any goroutine, also in the middle of a turn.
func (s *Session) Talk(ctx context.Context) (text string, err error) {
	err = s.hand(ctx, request{look: func() { text = s.talk() }, reply: make(chan error, 1)})
	return text, err
}

// Lent are the person's bars, as they hold for whoever is given a part now, and the rules that they set.
func (s *Session) Lent(ctx context.Context) (bars []state.Bar, rules []string, err error) {
	err = s.hand(ctx, request{look: func() { bars, rules = s.state.Lent(), lists.Clone(s.state.Rules) }, reply: make(chan error, 1)})
	return bars, rules, err
}

func (s *Session) talk() string {
	i := s.state.Items
	var b strings.Builder
	told := map[string]bool{} // what holds always is told once, whatever else it counts as
	add := func(name string, lines ...string) {
		for _, l := range lines {
			if l = strings.TrimSpace(l); l != "" && !told[l] {
				told[l] = true
				l, _ = state.Cut(l, 2*state.LineLimit)
				fmt.Fprintf(&b, "%s: %s\n", name, l)
			}
		}
	}
	add("goal", i.Goal)
	add("why now", i.WhyNow)
	add("constraint", i.Constraints...)
	add("decided", i.DecisionLog...)
	add("rule", s.state.Rules...)
	add("earlier", s.state.Compact.Summary...)
	said := 0
	for n := len(s.state.Messages) - 1; n >= 0 && said < talkLines; n-- {
		if s.state.Wrote(n) {
			said++
		}
		if said == talkLines || n == 0 {
			for i, m := range s.state.Messages[n:] {
				switch {
				case m.Role == nebula.Assistant:
					add(string(m.Role), s.words(m))
				case s.state.Wrote(n + i):
					add(string(m.Role), state.Words(m.Text()))
				}
			}
			break
		}
	}
	return b.String()
}

// words are what a message of the model's says, without the calls and contents that stand beside it; of one that says nothing,
// its thoughts.
func (s *Session) words(m nebula.Message) string {
	p := s.language(nebula.Replied{Protocol: cmp.Or(s.state.Turn.Protocol, s.state.Protocol)})
	if p == nil {
		return m.Text()
	}
	in := p.Decode(nebula.Reply{Parts: m.Parts}, s.specs())
	return cmp.Or(strings.TrimSpace(in.Say), strings.Join(in.Thoughts, " "))
}

// inform takes in what happened beside the conversation, in order.
func (s *Session) inform(bodies []nebula.Body) error {
	for _, b := range bodies {
		if b.Transient() {
			if err := s.flush(); err != nil {
				return err
			}
			s.show(b)
			continue
		}
		s.note(b)
	}
	return s.flush()
}
