package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/state"
)

// act carries a reply's actions out in order, asks its questions, and returns what the model is to be told beside the
// results. Every action has its result when act returns without an error.
func (s *Session) act(ctx context.Context, in nebula.Intent) (told []nebula.Message, err error) {
	for _, a := range in.Actions {
		result := s.action(ctx, a)
		if s.err != nil {
			return nil, s.err
		}
		if effect := s.effect(a.Tool); result.Status == nebula.Failed && !result.Moot && (effect == nebula.Write || effect.Changes() && a.Problem != "") {
			result.Unmade = s.aim(a)
		}
		s.narrow(result.Narrows)
		result = s.after(ctx, a, s.checked(ctx, result))
		result.Seen = s.withhold(result)
		result = s.untold(result)
		bodies := []nebula.Body{nebula.Finished{Result: s.once(result)}}
		if s.turn.outcome != nil {
			bodies, s.turn.outcome = append(bodies, *s.turn.outcome), nil
		}
		s.note(bodies...)
		refused, err := s.decide(nebula.Intent{Decision: result.Decision})
		if err != nil {
			return nil, err
		}
		s.turn.refused = append(s.turn.refused, refused...)
	}
	for _, q := range state.Polite(in.Questions) {
		if ctx.Err() != nil || s.state.Turn.Unanswered {
			break
		}
		answer, err := s.question(ctx, "", q)
		if err != nil {
			return nil, err
		}
		if answer != nil {
			told = append(told, nebula.Message{Role: nebula.User, Parts: nebula.Text(answer.Text)})
		}
	}
	return told, nil
}

// action carries out one action.
func (s *Session) action(ctx context.Context, a nebula.Action) nebula.Result {
	if why := s.skip(ctx, a); why != "" {
		return result(a, nebula.Skipped, why)
	}
	tool := s.tool(a.Tool)
	if tool == nil {
		tool, a = s.lent(a)
	}
	if a.Problem != "" {
		return s.unread(a)
	}
	if tool == nil {
		return result(a, nebula.Failed, fmt.Sprintf(s.say(noTool), a.Tool))
	}
	a.Inferred = a.Inferred && !s.insists(a)
	p, err := s.propose(ctx, tool, a)
	if err != nil {
		return s.mistaken(a, err)
	}
	if s.setup.Hidden != "" && p.Effect.Changes() && strings.Contains(string(a.Args), s.setup.Hidden) {
		return result(a, nebula.Failed, s.say(keyHidden))
	}
	if why := s.early(p); why != "" {
		return result(a, nebula.Skipped, why)
	}
	p, v, err := s.heeded(ctx, tool, s.tightened(gate.Judge(s.rules(), p), p), p)
	if err != nil {
		return s.mistaken(a, err)
	}
	if string(p.Action.Args) != string(a.Args) {
		return s.amended(s.ruled(ctx, tool, p, v), p)
	}
	return s.ruled(ctx, tool, p, v)
}

// ruled does with a proposal what its verdict says.
func (s *Session) ruled(ctx context.Context, tool nebula.Tool, p nebula.Proposal, v nebula.Verdict) nebula.Result {
	a := p.Action
	shown := nebula.Proposed{Proposal: p, Verdict: v}
	if len(p.Targets) > 0 && !slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return t.Kind != "delete" }) {
		s.turn.removals = append(s.turn.removals, a.ID)
	}
	if v.Ruling == nebula.Deny {
		if v.Missing && s.onlyShows(a) {
			return result(a, nebula.Skipped, s.say(shownOnly))
		}
		if s.record(shown) != nil {
			return nebula.Result{}
		}
		if v.Missing {
			return s.unallowed(p, gate.Why(v, s.state.Lang))
		}
		return s.denied(a, gate.Why(v, s.state.Lang))
	}
	if s.refusedBefore(p) {
		shown.Verdict.Ruling = nebula.Deny
		if s.record(shown) != nil {
			return nebula.Result{}
		}
		return s.denied(a, s.say(refusedBefore))
	}
	switch {
	case v.Ruling == nebula.Allow && p.Effect == nebula.Ask:
		return s.put(ctx, shown)
	case v.Ruling == nebula.Allow && !p.Effect.Changes():
		if s.record(shown) != nil {
			return nebula.Result{}
		}
		return s.do(ctx, p, nil)
	case v.Ruling == nebula.Allow:
		return s.allowed(ctx, tool, shown)
	}
	return s.gate(ctx, tool, shown)
}

// allowed carries out what policy lets run unasked. Where the steps lead to it through an approval alone, the person is
// asked after all.
func (s *Session) allowed(ctx context.Context, t nebula.Tool, shown nebula.Proposed) nebula.Result {
	a := shown.Proposal.Action
	way, open := s.enter(shown.Proposal.Effect, false)
	if shown.Proposal.Viewed && (!open || s.state.Mode != nebula.AgentMode) {
		way, open = nil, true // what it changes there needs the step, when it is kept
	}
	if !open {
		return s.gate(ctx, t, shown)
	}
	g := nebula.NewGrant(grantID(a), nebula.ByPolicy(gate.Why(shown.Verdict, "en")), shown.Proposal)
	if s.record(append(append([]nebula.Body{shown}, way...), s.begins(shown.Proposal, g))...) != nil {
		return nebula.Result{}
	}
	r := s.do(ctx, shown.Proposal, g)
	if r.Status == nebula.Done {
		s.reduced(shown.Proposal)
	}
	return r
}

// reduced tells the person, and how the turn ends, which files lost lines to a content that was sent back and given again.
func (s *Session) reduced(p nebula.Proposal) {
	for _, t := range p.Targets {
		if now := t.Lines - t.Del + t.Add; t.Lines > 0 {
			s.turn.reduced = append(s.turn.reduced, fmt.Sprintf("%s: %d > %d", t.Path, t.Lines, now))
			s.note(s.warns(fewerLines, t.Path, t.Lines, now))
		}
	}
}

// refusedBefore reports whether the person refused in this turn what a proposal comes to.
func (s *Session) refusedBefore(p nebula.Proposal) bool {
	return p.Effect.Changes() && slices.ContainsFunc(s.state.Turn.Denied, func(was nebula.Proposal) bool { return gate.Again(s.state.Dir, was, p) })
}

// skip says why an action is not tried at all.
func (s *Session) skip(ctx context.Context, a nebula.Action) string {
	if ctx.Err() != nil {
		return s.cut(ctx, turnStopped)
	}
	for _, r := range s.state.Turn.Results {
		if r.Status != nebula.Done && (lists.Has(a.DependsOn, r.Action) || s.targets(r.Action, a.DependsOn)) {
			return fmt.Sprintf(s.say(dependsOn), r.Tool, s.say(endings[r.Status]))
		}
	}
	return ""
}

// early says why an action has to wait for the model's next word, although it is not said to depend on anything: what
// stands behind a question waits for its answer, what destroys waits where something before it did not succeed, and a
// command for the change it was to run with. Empty when it need not.
func (s *Session) early(p nebula.Proposal) string {
	for _, r := range s.state.Turn.Results {
		switch asked := s.effect(r.Tool) == nebula.Ask; {
		case asked && p.Effect == nebula.Ask && r.Status == nebula.Done:
			return s.say(oneQuestion)
		case asked && p.Effect != nebula.Read && p.Effect != nebula.Ask:
			return fmt.Sprintf(s.say(behindQuestion), r.Tool)
		}
	}
	for _, r := range s.state.Turn.Results {
		if r.Status != nebula.Done && !r.Moot && gate.Destructive(p) {
			return fmt.Sprintf(s.say(behindFailure), r.Tool, s.say(endings[r.Status]))
		}
	}
	if p.Effect == nebula.Execute {
		return s.unchanged()
	}
	return ""
}

// unchanged says that a command has not what it was to run with: a change of the same reply that was refused, or that
// failed and was not made good behind it. Empty when it has.
func (s *Session) unchanged() string {
	var missing []nebula.Result
	for _, r := range s.state.Turn.Results {
		switch {
		case r.Status == nebula.Denied && s.effect(r.Tool) == nebula.Write && !s.removes(r.Action):
			return fmt.Sprintf(s.say(withoutChange), s.whose(r))
		case r.Unmade != "" && s.effect(r.Tool) == nebula.Write:
			missing = append(missing, r)
		default:
			missing = lists.Drop(missing, func(m nebula.Result) bool { return state.Makes(r, m.Unmade) })
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf(s.say(onOldFile), missing[0].Tool, missing[0].Unmade)
}

// whose is the tool of a result of the open reply, with the file that it was for.
func (s *Session) whose(r nebula.Result) string {
	if s.state.Turn.Reply != nil {
		for _, a := range s.state.Turn.Reply.Intent.Actions {
			if file := aim(a); a.ID == r.Action && file != a.Tool {
				return r.Tool + " (" + file + ")"
			}
		}
	}
	return r.Tool
}

// effect is what a tool does at most: what counts of an action that never came to a proposal, which says it itself.
func (s *Session) effect(name string) nebula.Effect {
	if t := s.tool(name); t != nil {
		return t.Spec().Effect
	}
	return nebula.Read
}

// targets reports whether an action of the open reply has one of the paths among its arguments.
func (s *Session) targets(id string, paths []string) bool {
	if len(paths) == 0 || s.state.Turn.Reply == nil {
		return false
	}
	for _, a := range s.state.Turn.Reply.Intent.Actions {
		if a.ID != id {
			continue
		}
		var args struct {
			Path string `json:"path"`
		}
		return json.Unmarshal(a.Args, &args) == nil && args.Path != "" && lists.Has(paths, args.Path)
	}
	return false
}

func (s *Session) tool(name string) nebula.Tool {
	for _, t := range s.setup.Tools {
		if t.Spec().Answers(name) {
			return t
		}
	}
	return nil
}

//go:noinline
func (s *Session) approve() gate.Approve {
	return cmp.Or(gate.Approve(s.state.Approve), s.setup.Approve, gate.Ask)
}

type proposed struct {
	proposal nebula.Proposal
	err      error
}

func (s *Session) propose(ctx context.Context, t nebula.Tool, a nebula.Action) (nebula.Proposal, error) {
	s.forbids()
	view := s.view()
	if t.Spec().Effect == nebula.Arrange {
		view.Talk = s.talk()
	}
	p := await(s, func() proposed {
		p, err := t.Propose(ctx, a, view)
		return proposed{p, err}
	})
	p.proposal.Action = a
	p.proposal.Action.Tool = t.Spec().Name
	return s.known(p.proposal), p.err
}

// gate asks the person. The answer holds for what was shown: when the files, the mode or the action are others by
// then, nothing is done.
func (s *Session) gate(ctx context.Context, t nebula.Tool, shown nebula.Proposed) nebula.Result {
	p, a := shown.Proposal, shown.Proposal.Action
	answer, yes := s.wonder(ctx, shown, "q"+a.ID[1:])
	if s.err != nil {
		return nebula.Result{}
	}
	switch {
	case answer == nil:
		return s.denied(a, s.say(turnStopped))
	case !yes && answer.By == nebula.Nobody && s.onlyShows(a):
		return result(a, nebula.Skipped, s.say(shownOnly))
	case !yes && answer.By == nebula.Nobody && s.onlyForm(p):
		return result(a, nebula.Failed, s.rewrite(a))
	case !yes && answer.By == nebula.Nobody:
		return s.unallowed(p, s.cause(shown, answer.Text))
	case !yes:
		return s.denied(a, answer.Text)
	}
	if answer.Command != "" {
		return s.instead(ctx, t, p, answer)
	}
	s.turn.trying = answer.Answer == nebula.Try
	defer func() { s.turn.trying = false }()
	again, err := s.propose(ctx, t, a)
	if err != nil {
		return s.mistaken(a, err)
	}
	if s.turn.trying {
		p = onView(p, again)
	}
	if nebula.Digest(again) != nebula.Digest(p) || s.rules().Mode != nebula.AgentMode && !again.Viewed {
		return result(a, nebula.Failed, s.say(changedSince))
	}
	return s.granted(ctx, again, answer.By)
}

// wonder puts a proposal to the person and waits for the answer, which is nil where none came.
func (s *Session) wonder(ctx context.Context, shown nebula.Proposed, ask string) (answer *nebula.Answered, yes bool) {
	p := shown.Proposal
	points := gate.Points(p, gate.Dangers(p, s.setup.Protection, s.setup.Own...))
	shown.Points = &points
	bodies := []nebula.Body{shown}
	if m := s.wait(p.Effect); m != nil {
		bodies = append(bodies, *m)
	}
	if s.record(append(bodies, nebula.Asked{Ask: ask, Action: p.Action.ID, Digest: nebula.Digest(p)})...) != nil {
		return nil, false
	}
	answer = s.hear(ctx)
	yes = answer != nil && answer.Answer.Allows()
	if s.err == nil {
		_ = s.recordMoves(s.release(yes)) // record keeps the error
	}
	return answer, yes
}

// granted carries a proposal out on somebody's word.
func (s *Session) granted(ctx context.Context, p nebula.Proposal, by nebula.Decider) nebula.Result {
	way, _ := s.enter(p.Effect, true)
	g := nebula.NewGrant(grantID(p.Action), by, p)
	if s.record(append(way, s.begins(p, g))...) != nil {
		return nebula.Result{}
	}
	return s.do(ctx, p, g)
}

type finished struct {
	result nebula.Result
	err    error
}

// do carries a proposal out under its grant, and sees to what became of it on a view of the folder.
func (s *Session) do(ctx context.Context, p nebula.Proposal, g *nebula.Grant) nebula.Result {
	r := s.carryOut(ctx, p, g)
	ran := r.Exit != nil
	if r.Effects != nil {
		r = s.weigh(ctx, p, r)
	} else {
		r = s.broken(p, r)
	}
	if at := p.Beyond(); s.turn.trying && ran && len(at) > 0 {
		r.Text = strings.TrimSuffix(r.Text, "\n") + "\n[" + fmt.Sprintf(s.say(doneBeyond), strings.Join(at, ", ")) + "]"
		r.Summary += fmt.Sprintf(s.say(andBeyond), strings.Join(at, ", "))
	}
	s.turn.outcome = s.judged(p, r)
	return r
}

// carryOut carries a proposal out under its grant, which nothing acts on afterwards.
func (s *Session) carryOut(ctx context.Context, p nebula.Proposal, g *nebula.Grant) nebula.Result {
	if g != nil {
		if err := g.Open(p); err != nil {
			return result(p.Action, nebula.Failed, err.Error())
		}
		defer g.Close()
	}
	run := nebula.Run{Grant: g, ID: s.named(p.Action)}
	if !s.setup.Unwatched {
		run.Output = func(chunk []byte) {
			select {
			case s.output <- nebula.Streamed{Kind: "output", Text: string(chunk), Action: p.Action.ID}:
			case <-ctx.Done():
			}
		}
	}
	if !s.setup.Alone {
		run.Ask = s.asker(p.Action.ID)
	}
	if s.secrets != nil {
		s.secrets.Open(p)
	}
	start := s.setup.Now()
	f := await(s, func() finished {
		r, err := p.Do(ctx, run)
		return finished{r, err}
	})
	if f.err != nil {
		was := f.result
		f.result = s.mistaken(p.Action, f.err)
		f.result.Changes, f.result.Lost, f.result.Blind = was.Changes, was.Lost, was.Blind
		s.inPart(&f.result)
		if ctx.Err() != nil {
			f.result.Status = nebula.Interrupted
			if errors.Is(f.err, context.Canceled) {
				f.result.Text = s.cut(ctx, stoppedBefore)
				f.result.Summary = f.result.Text
			}
		}
	}
	f.result.Action, f.result.Call, f.result.Tool = p.Action.ID, p.Action.Call, p.Action.Tool
	f.result.Status = cmp.Or(f.result.Status, nebula.Done)
	if names := p.Action.Ignored; len(names) > 0 {
		f.result.Text = strings.TrimSuffix(f.result.Text, "\n") + "\n" + fmt.Sprintf(s.say(readWithout), p.Action.Tool, strings.Join(names, ", "))
	}
	f.result.Took = int64(s.setup.Now().Sub(start) / time.Millisecond)
	return f.result
}
