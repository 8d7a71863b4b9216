package task

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/plan"
)

// A job is one step being carried out in its conversation. It belongs to one goroutine.
type job struct {
	loop     *Loop
	run      *run
	plan     string         // empty for an errand
	with     nebula.Conduct // what it runs with, as it began
	step     nebula.PlanStep
	apart    bool // in a copy of the folder
	coming   bool // what it did there into the folder
	talk     Conversation
	events   chan nebula.Event
	before   *nebula.TestReport     // of the tests as the step found them; nil where that is not known
	briefed  bool                   // its agent knows what the step is
	worked   bool                   // its agent came to its end
	broke    string                 // why its agent did not
	refused  *halt                  // what its agent wanted leave for and came to its end without; nil for nothing
	noes     map[string]nebula.Code // the person's, to changes of files
	told     bool                   // its agent was told of files that stand as they were
	said     string                 // what its agent said last, when it came to its end
	declared []string               // commands that were cut off and that the person calls done, not told to its agent yet
	turned   bool                   // a check failed first
	idle     bool                   // nothing was done that the check could show
	notes    int                    // of the person's, that its agent knows
	talked   string                 // what its agent knows of the person's conversation
	mended   int                    // how often its agent was sent back
	used     nebula.Usage           // of the model, since it began
	time     time.Duration          // without what it waited for the person
}

// A halt is why a step stops before its own end: it is pending again and can go on later.
type halt struct {
	status nebula.EndStatus
	why    nebula.Code
}

// Error is the reason in English.
func (h *halt) Error() string { return plan.Say(h.why, "") }

// carry carries a step out. What comes back says whether the run has to end with it.
func (l *Loop) carry(u *run, step string, apart bool) stepEnd {
	ctx, id := u.ctx, u.plan
	j := &job{loop: l, run: u, plan: id, apart: apart}
	l.do(func(*owner) { j.with = u.with })
	err := j.all(ctx, step)
	var h *halt
	switch {
	case err == nil:
		return stepEnd{step: step} // also when it was cancelled meanwhile: it is done
	case ctx.Err() != nil:
		h = &halt{nebula.Cancelled, "cancelled"}
	case !errors.As(err, &h):
		return j.failed(step, err)
	}
	if _, err := l.step(id, step, h.why, func(s *nebula.PlanStep) {
		s.Status = nebula.Pending
	}); err != nil && ctx.Err() == nil {
		h.why = words(err)
	}
	return stepEnd{step, h.status, h.why}
}

// all is a step from its beginning to its report.
func (j *job) all(ctx context.Context, step string) (err error) {
	l := j.loop
	if j.step, err = l.step(j.plan, step, "began", func(s *nebula.PlanStep) {
		s.Status, s.Evidence, s.Report, s.Told = nebula.InProgress, nil, nil, false
		s.Began, s.Ended = l.setup.Now().UTC(), time.Time{}
		if s.Joined != "" && s.Tree == "" { // it is done once more
			s.Session, s.Joined = "", ""
		}
	}); err != nil {
		return &halt{nebula.TurnFailed, words(err)}
	}
	if err := j.settled(ctx); err != nil {
		return err
	}
	if err := j.open(ctx); err != nil {
		return err
	}
	defer j.leave()
	for _, part := range []func(context.Context) error{j.baseline, j.runTasks, j.work, j.deliver} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	evidence, err := j.verify(ctx)
	if h, is := errors.AsType[*halt](err); is && h.status == nebula.NeedsApproval && j.refused != nil {
		return j.refused // what was refused first is named
	}
	if err != nil {
		return err
	}
	if evidence = j.earned(evidence); j.refused != nil {
		if evidence.How == nebula.Unchecked {
			return j.refused // what was refused may be what it lacks
		}
		evidence = j.evidence(nebula.Unchecked, evidence.Detail) // the check knows nothing of what was refused
	} else if err := j.untouched(); err != nil {
		return err
	}
	if j.step.Tree != "" {
		if evidence, err = j.come(ctx, evidence); err != nil {
			return err
		}
	}
	return j.finish(nebula.Completed, "", evidence)
}

// failed ends a step that did not work.
func (j *job) failed(step string, cause error) stepEnd {
	if j.step.ID == "" {
		return stepEnd{step, nebula.TurnFailed, words(cause)}
	}
	var api *nebula.APIError
	if errors.As(cause, &api) {
		_, _ = j.loop.step(j.plan, step, words(cause), func(s *nebula.PlanStep) { s.Status = nebula.Pending })
		return stepEnd{step, nebula.APIFailed, words(cause)}
	}
	if err := j.finish(nebula.StageFailed, words(cause), nil); err != nil {
		return stepEnd{step, nebula.TurnFailed, words(err)}
	}
	return stepEnd{step: step}
}

// keep changes the step on disk and here.
func (j *job) keep(cause nebula.Code, edit func(*nebula.PlanStep)) error {
	s, err := j.loop.step(j.plan, j.step.ID, cause, func(s *nebula.PlanStep) {
		s.Tasks = lists.Clone(s.Tasks)
		edit(s)
	})
	if err == nil {
		j.step = s
	}
	return err
}

// bounds are what the step runs with, within what is left of its plan's budget.
func (j *job) bounds(used nebula.Usage) nebula.Conduct {
	with := j.with
	if most := with.Plan.Tokens; most > 0 {
		if left := max(1, most-used.Input-used.Output); with.Step.Tokens == 0 || left < with.Step.Tokens {
			with.Step.Tokens = left
		}
	}
	if most := with.Plan.Cost; most > 0 {
		if left := max(1e-9, most-used.Cost); with.Step.Cost == 0 || left < with.Step.Cost {
			with.Step.Cost = left
		}
	}
	return with
}

// open opens the step's conversation: the one it had, or a new one, whose name is kept before anything is done in it.
func (j *job) open(ctx context.Context) error {
	p, err := j.loop.current(j.plan)
	if err != nil {
		return err
	}
	with := j.bounds(p.Usage)
	if j.step.Session != "" {
		// opening it settles what an earlier process left under way in it
		talk, err := j.loop.setup.Open(ctx, with, j.step.Session, j.step.Tree)
		if err != nil && !errors.Is(err, nebula.ErrNoSession) {
			return err
		}
		if err == nil {
			j.talk = talk
			if err := j.recover(ctx); err != nil {
				j.dismiss()
				return err
			}
		}
	}
	fresh := j.talk == nil
	if fresh {
		if j.talk, err = j.loop.setup.Open(ctx, with, "", j.step.Tree); err != nil {
			return err
		}
		if err := j.keep("", func(s *nebula.PlanStep) {
			s.Session = j.talk.ID()
			rewind(s)
		}); err != nil {
			j.dismiss()
			return err
		}
	}
	if err := j.join(ctx, fresh); err != nil {
		j.dismiss()
		return err
	}
	j.listen(ctx)
	return nil
}

// listen follows the conversation to its end.
func (j *job) listen(ctx context.Context) {
	j.events = make(chan nebula.Event, 256)
	go func() {
		defer close(j.events)
		for e := range j.talk.Events(context.WithoutCancel(ctx), nebula.FromOpening) { // ends with the conversation
			j.events <- e
		}
	}()
}

func (j *job) recover(ctx context.Context) error {
	past, err := j.past(ctx)
	if err != nil {
		return err
	}
	return j.settle(ctx, past)
}

// join brings the step's conversation under the policy of the person's, now and from now on. A fresh one began with it.
func (j *job) join(ctx context.Context, fresh bool) error {
	was := nebula.Switch{}
	if fresh {
		was = nebula.Switch{Mode: j.with.Mode, Approve: j.with.Approve}
	}
	for {
		var now nebula.Switch
		j.loop.do(func(o *owner) {
			o.talks[j.step.ID] = j.talk
			now = nebula.Switch{Mode: j.run.with.Mode, Approve: j.run.with.Approve}
		})
		if now == was {
			return nil
		}
		if err := j.talk.Send(ctx, now); err != nil {
			return err
		}
		was = now // it may have changed once more meanwhile
	}
}

// part takes the step's conversation away from those that follow the person's.
//
//go:noinline
func (j *job) part() {
	j.loop.do(func(o *owner) { delete(o.talks, j.step.ID) })
}

// dismiss closes a conversation that nobody listens to yet.
func (j *job) dismiss() {
	j.part()
	_ = j.talk.Send(context.Background(), nebula.Close{}) // it may have ended
	_ = j.talk.Wait()
}

// leave closes the conversation and waits for it.
func (j *job) leave() {
	j.part()
	go func() { _ = j.talk.Send(context.Background(), nebula.Close{}) }() // it may have ended
	for range j.events {
	}
	_ = j.talk.Wait() // what broke it was the result of what was under way
}

// spend counts what the step costs, as its own and as the plan's.
func (j *job) spend() func(nebula.Usage) {
	return func(u nebula.Usage) {
		if j.used = j.used.Plus(u); j.plan != "" {
			j.loop.spending(j.plan)(u)
		}
	}
}

// over says that the step's budget is used up. The step can go on later, with a new one.
func (j *job) over() error {
	b := j.with.Step
	switch {
	case b.Tokens > 0 && j.used.Input+j.used.Output >= b.Tokens:
		return &halt{nebula.LimitReached, code(plan.StepTokens, j.step.ID, j.used.Input+j.used.Output, b.Tokens)}
	case b.Cost > 0 && j.used.Cost >= b.Cost:
		return &halt{nebula.LimitReached, code(plan.StepCost, j.step.ID, dollars(j.used.Cost), dollars(b.Cost))}
	case b.Time > 0 && j.time >= b.Time:
		return &halt{nebula.LimitReached, code(plan.StepTime, j.step.ID, j.time.Round(time.Millisecond), b.Time)}
	}
	return nil
}

// A failure is why a step did not come about, as it is recorded.
type failure nebula.Code

// Error is the failure in English.
func (f failure) Error() string { return plan.Say(nebula.Code(f), "en") }

// words are an error as a code: a failure's own, or the error's words.
func words(err error) nebula.Code {
	if f, ok := errors.AsType[failure](err); ok {
		return nebula.Code(f)
	}
	return nebula.Code(err.Error())
}

// code is one with arguments.
func code(id string, args ...any) nebula.Code {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = fmt.Sprint(a)
	}
	return nebula.NewCode(id, texts...)
}

//go:noinline
func dollars(cost float64) string { return fmt.Sprintf("%.4f", cost) }
