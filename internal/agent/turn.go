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
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/prompt"
	"nebula/internal/state"
)

// submit takes a message in and carries its turn through.
func (s *Session) submit(in request, c nebula.Submit) {
	meant, reply := in.meant, in.reply
	request := wish(c, meant)
	bodies := s.withNotice(in, nebula.Submitted{Turn: s.state.Turn.Number + 1, Text: c.Text, Images: c.Images})
	if s.state.Items.Goal == "" || s.anew(request) {
		goal, _ := state.Cut(state.Words(request), state.LineLimit)
		bodies = append(bodies, nebula.Updated{Delta: nebula.Delta{Goal: &goal}, By: "program"})
	}
	err := s.record(bodies...)
	reply <- err
	if err != nil || s.moveOnMessage(c.Text) != nil {
		return
	}
	s.pass(c.Text)
	outcome := s.carry(func(ctx context.Context) ending {
		s.turn.schema = c.Schema
		s.offer(ctx)
		s.offers(request)
		s.ran(in.heeded)
		if text := in.heeded.Context; text != "" {
			s.note(nebula.Observed{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text(fmt.Sprintf(s.say(hookSays), text))}}})
		}
		if err := s.spell(ctx, meant); err != nil {
			return s.failed(ctx, err)
		}
		s.gather(request)
		if err := s.consent(c.Text); err != nil {
			s.note(s.noted("warning", phrase.Of(err)))
		}
		return s.work(ctx)
	})
	if s.setup.Learn != nil && s.err == nil {
		s.setup.Learn(s.state.Turn.Asks, outcome)
	}
}

// A turn is what one goes on with beside the state, from its beginning to the next one's: a session that is resumed begins
// another.
type turn struct {
	stop       context.CancelFunc // nil when it is over
	signalled  func(string)       // the same, for a signal from the system
	clock      *clock
	evidence   string                     // looked up for it
	report     prompt.Report              // of the last request
	fresh      int                        // tokens of it that the model had not read before
	answer     *nebula.Answered           // to the Asked that waits
	refused    []string                   // moves of the reply under way that were refused, for the model to read
	correcting *faulty                    // the unreadable reply that the next one corrects
	unread     bool                       // nothing of the last reply could be acted on
	before     map[string]*nebula.FileRef // what the model knew of the files that the reply under way reads, nil for nothing
	shorten    *nebula.Compact            // what the person wants of the conversation at its end; nil for nothing
	outcome    *nebula.Moved              // what the last action's result does to the step
	model      string                     // that answers in it; empty for the session's
	schema     json.RawMessage            // what its reply has to be, which is words alone; nil for any
	told       map[string][]string        // the words for which actions were sent back, by deed
	trying     bool                       // the person wants to see what the command did before it counts
	removals   []string                   // actions that only delete
	answered   *nebula.Replied            // the model's answer, given with the last reply's actions and not shown yet
	unfounded  []string                   // what the answer says without that the turn shows it
	reduced    []string                   // files that lost lines to a content that was given twice
	heard      string                     // what hooks say of the action that is looked at, for the model to read with its result
	lets       string                     // the action that a hook allowed: what it does on a view of the folder is kept without a question
	needs      [][]string                 // what skills and commands need: nothing else that changes something runs unasked
}

// carry gives a turn its bounds and closes it with its outcome.
func (s *Session) carry(work func(context.Context) ending) (outcome nebula.Outcome) {
	ctx, stop := context.WithCancelCause(s.ctx)
	s.turn = turn{stop: func() { stop(nil) }, signalled: func(name string) { stop(nebula.Signalled(name)) }}
	s.turn.clock = newClock(s.setup.Limits.Time, func() { stop(errTime) })
	end := work(ctx)
	s.turn.clock.end()
	s.turn.stop, s.turn.model = nil, ""
	stop(nil)
	if s.err == nil {
		outcome = s.summed(end)
		outcome.Layers, outcome.Cuts = s.turn.report.Layers, s.turn.report.Cuts
		_ = s.record(nebula.Ended{Outcome: outcome}) // record keeps the error
	}
	s.shortened()
	return outcome
}

// signalled says which signal from the system ended a turn; empty for none.
func (s *Session) signalled(ctx context.Context) string {
	var by nebula.Signalled
	if !errors.As(context.Cause(ctx), &by) {
		return ""
	}
	return fmt.Sprintf(s.say(endedBy), string(by))
}

var errTime = errors.New("the time limit was reached")

type ending struct {
	status nebula.EndStatus
	text   string
	cause  nebula.EndCause
}

// corrections is how often a turn asks for a reply that can be read before it gives up (Sym-Ops §5.3).
const corrections = 2

// work goes round between model and world until nothing is left to do.
func (s *Session) work(ctx context.Context) ending {
	t := tally{}
	for step := 1; ; step++ {
		if text, cause := s.spentUp(step); cause != "" {
			return s.parting(ctx, step, text, cause)
		}
		replied, given := s.ownReport()
		if !given {
			var err error
			if replied, err = s.ask(ctx, step); err != nil {
				return s.failed(ctx, err)
			}
		}
		s.turn.before = map[string]*nebula.FileRef{}
		told, err := s.act(ctx, replied.Intent)
		s.turn.before = nil
		if err != nil {
			return s.failed(ctx, err)
		}
		told = append(told, s.remarks(ctx, replied, &t)...)
		steered := s.state.Held()
		s.keepReport(replied, steered || len(told) > 0)
		if err := s.observe(replied, told); err != nil {
			return ending{status: nebula.TurnFailed, text: err.Error()}
		}
		if ctx.Err() != nil {
			return s.failed(ctx, ctx.Err())
		}
		going := steered || len(told) > 0 || len(replied.Intent.Actions) > 0 && !s.final(replied.Intent)
		if end, over := s.closing(replied, t, going); over && !s.resumed(ctx, end, &t) {
			return end
		}
	}
}

// A tally counts what a turn bears only so often.
type tally struct {
	unread, unproven, idle int
	held, worked           int // that hooks had the turn go on; what was done when evidence was asked for
	advised, unmade, vain  bool
	parted, uncalled       bool     // it was asked about parts of the request; a call was said to come and did not, and that was said
	doubted, boasted       bool     // it told of work where none was, and was asked about that; and told of it again
	pressed                bool     // it was asked for evidence
	asked                  bool     // it was asked about what it says was done and nothing shows
	missing, belied        string   // what evidence was asked for; what it said again of what nothing shows
	shown                  bool     // an action was shown and not called, and that was said
	parts                  *account // what was said before they were asked for
}

// repeated is what the model is told of what came to the same again, by whether that was a run of tests that passed.
var repeated = map[bool]sentence{false: circling, true: passedAgain}

// remarks are what the program has to say to the model about its reply, beside the results.
func (s *Session) remarks(ctx context.Context, r nebula.Replied, t *tally) (told []nebula.Message) {
	say := func(text string) { told = append(told, nebula.Message{Role: nebula.User, Parts: nebula.Text(text)}) }
	in := r.Intent
	in.Say = ends(in.Say)
	if s.turn.schema != nil {
		return nil // whoever asked looks at it
	}
	idle := len(in.Actions) == 0 && len(in.Questions) == 0
	for _, text := range s.turn.refused {
		if !idle { // an answer is not held up by a step that it may not take
			say(text)
		}
	}
	s.turn.refused = nil
	var unshown []string
	if (idle || s.final(in)) && len(s.state.Turn.Lacking) == 0 {
		unshown = s.unshown(in.Say)
	}
	switch {
	case idle && !nebula.Ends(r.Reply.Finish) && r.Reply.Finish != "length" && r.Reply.Finish != "malformed_call": // asked again, it would be withheld again
	case idle && t.idle < corrections && (r.Reply.Finish == "pause" || len(in.Problems) == 0 && in.Decision != nil && in.Decision.NextStep == "continue"):
		t.idle++
		say(s.say(goOn))
	case len(in.Problems) > 0 && len(in.Actions) == 0:
		t.unread++
		told = append(told, s.correction(r))
	case r.Reply.Finish == "length": // it was not the end of what the model wanted to say
	case idle && r.Reply.Finish == "tool_calls" && !t.uncalled && !s.callsAlways:
		say(s.callless(t))
	case !t.unmade && (idle && len(s.state.Turn.Lacking) == 0 || s.final(in)) && len(s.state.Turn.Untold(in.Say)) > 0:
		t.unmade = true
		say(s.unmade(in.Say, &nothingUnmade))
	case idle && !t.shown && s.uncalled(r) != "":
		t.shown, t.vain = true, true
		say(fmt.Sprintf(s.say(notCalled), s.uncalled(r)))
	case idle && len(s.state.Turn.Lacking) == 0 && s.hollow(in, t.doubted):
		if !t.vain {
			t.vain, t.doubted = true, true
			say(s.say(nothingDone))
			break
		}
		s.unfounded(nothingDoneCode, onlySaid)
		t.boasted = (boasts(in.Say, true) || bare.In(in.Say) || s.finished(in.Say) || len(unshown) > 0) && !excuses.In(in.Say)
	case len(unshown) > 0:
		if asked := s.belie(unshown, t); asked != "" {
			say(asked)
		}
	case idle && s.unproven(ctx, in) != "":
		if asked := s.prove(s.unproven(ctx, in), in.Say, t); asked != "" {
			say(asked)
		}
	case (idle || s.final(in)) && !t.parted && ctx.Err() == nil && s.parts(in) != "":
		t.parted, t.parts = true, s.account(t.parts)
		say(s.parts(in))
	case s.state.Watch.Repeats >= state.Steered && len(in.Actions) > 0:
		say(fmt.Sprintf(s.say(repeated[s.state.Watch.Passed == s.state.Watch.What]), s.state.Watch.What, s.state.Watch.Repeats))
	case s.setup.Thresholds.Lost(s.state.Vitals) && len(in.Actions) > 0:
		say(s.say(stepBack))
	case !t.advised && len(in.Actions) > 0 && s.advice() != "":
		t.advised = true
		say(s.advice())
	}
	return told
}

// closing says how the turn ends, if it does.
func (s *Session) closing(r nebula.Replied, t tally, going bool) (ending, bool) {
	text := s.report(t.parts)
	switch {
	case t.unread > corrections:
		return ending{status: nebula.TurnFailed, text: s.say(unread(r))}, true
	case s.state.Turn.Unanswered:
		return ending{status: nebula.NeedsInput, text: s.open(text)}, true
	case going:
		return ending{}, false
	case t.unproven > corrections && !(len(s.state.Turn.Lacking) > 0 && (s.state.Evidence.Tests == nil || s.state.Evidence.Tests.OK) && len(s.unshown(ends(r.Intent.Say))) > 0):
		status, why := nebula.TurnUnchecked, nebula.NotChecked
		tests, unstarted := s.state.Evidence.Tests, s.unstarted(r.Intent.Say)
		if tests != nil && !tests.OK && !unstarted {
			status, why = nebula.TurnFailed, ""
		} else if s.state.Turn.Forbidden { // that it was refused says more than that it was not checked
			status, why = nebula.NeedsApproval, nebula.Forbidden
		}
		s.doubtful(r.Intent.Say)
		if what := s.state.Evidence.Passes(r.Intent.Say); what != "" && t.pressed && status == nebula.TurnUnchecked {
			status, s.turn.unfounded = nebula.TurnFailed, append(s.turn.unfounded, unshownCode+what)
		}
		if s.state.Evidence.Owned(r.Intent.Say) && !unstarted {
			return ending{status, strings.TrimSpace(text + "\n" + s.say(testsFail)), why}, true
		}
		return ending{status, strings.TrimSpace(text + "\n" + fmt.Sprintf(s.say(notProven), s.lacked(r.Intent.Say))), why}, true
	case t.boasted:
		return ending{nebula.TurnFailed, strings.TrimSpace(text + "\n" + s.say(onlySaid)), nebula.NotChecked}, true
	case t.belied != "":
		return ending{nebula.TurnFailed, strings.TrimSpace(text + "\n" + fmt.Sprintf(s.say(onlyClaimed), t.belied)), nebula.NotChecked}, true
	case len(s.state.Turn.Lacking) > 0 && !s.without(r.Intent.Say):
		why := s.state.Turn.Lacks()
		if claims := s.unshown(ends(r.Intent.Say)); len(claims) > 0 { // it is not asked about: what it says was refused
			t.asked = true
			s.belie(claims, &t)
			text = strings.TrimSpace(text + "\n" + fmt.Sprintf(s.say(onlyClaimed), t.belied))
		}
		return ending{nebula.NeedsApproval, text, why}, true
	case r.Reply.Finish == "content_filter":
		return ending{status: nebula.TurnFailed, text: strings.TrimSpace(text + "\n" + s.say(replyWithheld))}, true
	case r.Reply.Finish == "length":
		s.note(s.warns(replyCut))
		return ending{nebula.LimitReached, text, nebula.ReplyCut}, true
	case !nebula.Ends(r.Reply.Finish) || r.Reply.Finish == "pause": // as often as it was sent back
		return ending{status: nebula.TurnFailed, text: strings.TrimSpace(text + "\n" + fmt.Sprintf(s.say(endedOtherwise), r.Reply.Finish))}, true
	}
	if r.Reply.Finish == "tool_calls" && len(r.Intent.Actions) == 0 {
		s.callsAlways = true // asked again, it would say so again
		s.unfounded(neverCalledCode, neverCalled)
	}
	if len(s.state.Turn.Unmade) > 0 {
		return ending{status: nebula.TurnFailed, text: strings.TrimSpace(text + "\n" + s.unmade(r.Intent.Say, &stillUnmade))}, true
	}
	s.concluded(r.Intent)
	return ending{status: nebula.TurnDone, text: strings.TrimSpace(text + "\n" + s.doubtful(text))}, true
}

// unread says why nothing was done for a reply, as often as it was asked for.
func unread(r nebula.Replied) sentence {
	mute := strings.TrimSpace(r.Intent.Say) == "" && len(r.Intent.Thoughts) > 0 && len(r.Intent.Problems) == 1 && len(r.Intent.Actions) == 0
	switch reply := r.Reply; {
	case mute && reply.Finish != "malformed_call" && len(reply.Calls()) == 0:
		return onlyThought
	case strings.TrimSpace(reply.Text()) != "" || len(reply.Calls()) > 0 || reply.Finish == "malformed_call":
		return unreadable
	case slices.ContainsFunc(r.Reply.Parts, func(p nebula.Part) bool { return p.Kind == nebula.ReasoningPart }):
		return onlyThought
	}
	return nothingSaid
}

// spentUp is why no further step is taken, and which limit that is; empty when one may be.
func (s *Session) spentUp(step int) (string, nebula.EndCause) {
	if text, cause := s.over(step); cause != "" {
		return text, cause
	}
	return s.exhausted()
}

// over names the limit that the next step would break.
func (s *Session) over(step int) (string, nebula.EndCause) {
	l, used, all := s.setup.Limits, s.state.Turn.Usage, s.state.Usage
	all.Input, all.Output, all.Cost = all.Input-s.earlier.Input, all.Output-s.earlier.Output, all.Cost-s.earlier.Cost
	switch {
	case l.Steps > 0 && step > l.Steps:
		return fmt.Sprintf(s.say(stepsUp), l.Steps), nebula.StepsUp
	case l.Tokens > 0 && used.Input+used.Output >= l.Tokens:
		return fmt.Sprintf(s.say(tokensUp), used.Input+used.Output, l.Tokens), nebula.TokensUp
	case l.New > 0 && s.turn.fresh >= l.New:
		return fmt.Sprintf(s.say(newUp), s.turn.fresh, l.New), nebula.TokensUp
	case l.Cost > 0 && used.Cost >= l.Cost:
		return fmt.Sprintf(s.say(costUp), used.Cost, l.Cost), nebula.CostUp
	case l.All.Tokens > 0 && all.Input+all.Output >= l.All.Tokens:
		return fmt.Sprintf(s.say(tokensUp), all.Input+all.Output, l.All.Tokens), nebula.TokensUp
	case l.All.Cost > 0 && all.Cost >= l.All.Cost:
		return fmt.Sprintf(s.say(costUp), all.Cost, l.All.Cost), nebula.CostUp
	}
	return "", ""
}

func (s *Session) failed(ctx context.Context, err error) ending {
	var api *nebula.APIError
	switch {
	case context.Cause(ctx) == errTime:
		return ending{nebula.LimitReached, s.say(timeUp), nebula.TimeUp}
	case ctx.Err() != nil:
		return ending{status: nebula.Cancelled, text: s.signalled(ctx)}
	case errors.As(err, &api) && api.Next != "":
		return ending{status: nebula.APIFailed, text: fmt.Sprintf(s.say(apiFailed), api.Text, api.Next)}
	case api != nil:
		return ending{status: nebula.APIFailed, text: api.Text}
	}
	return ending{status: nebula.TurnFailed, text: err.Error()}
}

// number gives actions their ids. Arguments that are no JSON object can neither run nor be recorded.
func (s *Session) number(actions []nebula.Action) {
	for i := range actions {
		a := &actions[i]
		a.ID = fmt.Sprintf("a%d", s.state.Actions+i+1)
		if !json.Valid(a.Args) {
			a.Args = json.RawMessage("{}")
			a.Problem = cmp.Or(a.Problem, "The arguments are not a JSON object.")
		}
	}
}

func (s *Session) specs() []nebula.ToolSpec {
	specs := make([]nebula.ToolSpec, 0, len(s.setup.Tools))
	for _, t := range s.setup.Tools {
		spec := t.Spec()
		spec.Quiet = spec.Quiet || s.unfit(t, spec)
		specs = append(specs, spec)
	}
	return specs
}

// offered are the tools that the model is told of: those that there is something for, the one that notes where the work
// stands where something reads it. Where nobody can answer there is none to ask with: a question would end the turn. One
// that is called all the same is understood: what it needs may come about in the same reply.
func (s *Session) offered(progress string) (specs []nebula.ToolSpec) {
	for _, t := range s.setup.Tools {
		spec := t.Spec()
		noted := spec.Effect == nebula.Update && (s.state.Told() || progress != "")
		if s.unfit(t, spec) || spec.Quiet && !noted {
			continue
		}
		specs = append(specs, spec)
	}
	return specs
}

// unfit reports whether there is nothing for a tool, or nobody who could answer.
func (s *Session) unfit(t nebula.Tool, spec nebula.ToolSpec) bool {
	o, occasional := t.(nebula.Occasional)
	return occasional && !o.Usable() || s.setup.Alone && spec.Effect == nebula.Ask
}

// observe adds the reply, its results and what else is to be told to the conversation.
func (s *Session) observe(r nebula.Replied, told []nebula.Message) error {
	if r.By != "" {
		return s.record(nebula.Observed{Messages: append([]nebula.Message{performed(r, s.state.Turn.Results)}, told...)})
	}
	m, err := s.model()
	if err != nil {
		return err
	}
	p, err := s.setup.Protocol(r.Protocol, m.Info())
	if err != nil {
		return err
	}
	results := lists.Clone(s.state.Turn.Results)
	for i, r := range results {
		results[i] = s.state.Rerun(r)
	}
	messages := p.Encode(r.Reply, r.Intent, results)
	return s.record(nebula.Observed{Messages: append(messages, told...)})
}
