package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"nebula"
)

// A job is one step being carried out in its conversation. It belongs to one goroutine.
type job struct {
	loop    *Loop
	run     *run
	plan    string
	with    nebula.Conduct // what it runs with, as it began
	step    nebula.PlanStep
	talk    Conversation
	events  chan nebula.Event
	changes []nebula.Change // that its tasks made
	lost    []string        // what they changed that undo cannot bring back
	read    []string        // what its reading tasks have shown
	blind   bool            // the tasks were made just now, before anything was read
	mended  int             // how often its verification was mended
	used    nebula.Usage    // of the model, since it began
	worked  time.Duration   // without what it waited for the person
}

// A halt is why a step stops before its own end: it is pending again and can go on later.
type halt struct {
	status nebula.EndStatus
	why    string
}

func (h *halt) Error() string { return h.why }

// carry carries a step out. What comes back says whether the run has to end with it.
func (l *Loop) carry(u *run, step string) came {
	ctx, id := u.ctx, u.plan
	j := &job{loop: l, run: u, plan: id}
	l.do(func(*owner) { j.with = u.with })
	err := j.all(ctx, step)
	var h *halt
	switch {
	case err == nil:
		return came{step: step} // also when it was cancelled meanwhile: it is done
	case ctx.Err() != nil:
		h = &halt{nebula.Cancelled, "cancelled"}
	case !errors.As(err, &h):
		return j.failed(ctx, step, err)
	}
	if _, err := l.step(id, step, h.why, func(s *nebula.PlanStep) {
		s.Status = nebula.Pending
	}); err != nil && ctx.Err() == nil {
		h.why = err.Error()
	}
	return came{step, h.status, h.why}
}

// all is a step from its beginning to its report.
func (j *job) all(ctx context.Context, step string) (err error) {
	l := j.loop
	if j.step, err = l.step(j.plan, step, "began", func(s *nebula.PlanStep) {
		s.Status, s.Evidence, s.Report, s.Told = nebula.InProgress, nil, nil, false
		s.Began, s.Ended = l.setup.Now().UTC(), time.Time{}
	}); err != nil {
		return &halt{nebula.TurnFailed, err.Error()}
	}
	if len(j.step.Tasks) == 0 {
		if err := j.generate(ctx); err != nil {
			return err
		}
	}
	if err := j.open(ctx); err != nil {
		return err
	}
	defer j.leave()
	for _, part := range []func(context.Context) error{j.tasks, j.again, j.accept} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	evidence, err := j.verify(ctx)
	if err != nil {
		return err
	}
	return j.finish(ctx, nebula.Completed, "", evidence)
}

// failed ends a step that did not work.
func (j *job) failed(ctx context.Context, step string, cause error) came {
	if j.step.ID == "" {
		return came{step, nebula.TurnFailed, cause.Error()}
	}
	var api *nebula.APIError
	if errors.As(cause, &api) {
		_, _ = j.loop.step(j.plan, step, cause.Error(), func(s *nebula.PlanStep) { s.Status = nebula.Pending })
		return came{step, nebula.APIFailed, cause.Error()}
	}
	if err := j.finish(ctx, nebula.StageFailed, cause.Error(), nil); err != nil {
		return came{step, nebula.TurnFailed, err.Error()}
	}
	return came{step: step}
}

func (j *job) generate(ctx context.Context) error {
	p, err := j.loop.current(j.plan)
	if err != nil {
		return err
	}
	tasks, err := j.loop.generate(ctx, j.with, p, j.step, j.loop.talk(ctx), j.spend())
	if err != nil {
		return err
	}
	j.blind = true
	return j.keep("", func(s *nebula.PlanStep) { s.Tasks, s.Session = tasks, "" })
}

// keep changes the step on disk and here.
func (j *job) keep(cause string, edit func(*nebula.PlanStep)) error {
	s, err := j.loop.step(j.plan, j.step.ID, cause, func(s *nebula.PlanStep) {
		s.Tasks = slices.Clone(s.Tasks)
		edit(s)
	})
	if err == nil {
		j.step = s
	}
	return err
}

// open opens the step's conversation: the one it had, or a new one, whose name is kept before anything is done in it.
func (j *job) open(ctx context.Context) (err error) {
	if j.step.Session != "" {
		// opening it settles what an earlier process left under way in it
		talk, err := j.loop.setup.Open(ctx, j.with, j.step.Session)
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
		if j.talk, err = j.loop.setup.Open(ctx, j.with, ""); err != nil {
			return err
		}
		if err := j.keep("", func(s *nebula.PlanStep) { s.Session = j.talk.ID() }); err != nil {
			j.dismiss()
			return err
		}
	}
	if err := j.join(ctx, fresh); err != nil {
		j.dismiss()
		return err
	}
	j.events = make(chan nebula.Event, 256)
	go func() {
		defer close(j.events)
		for e := range j.talk.Events(context.WithoutCancel(ctx), nebula.FromOpening) { // ends with the conversation
			j.events <- e
		}
	}()
	return nil
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
	plan := j.loop.spending(j.plan)
	return func(u nebula.Usage) {
		j.used = j.used.Plus(u)
		plan(u)
	}
}

// over says that the step's budget is used up. The step can go on later, with a new one.
func (j *job) over() error {
	b := j.with.Step
	switch {
	case b.Tokens > 0 && j.used.Input+j.used.Output >= b.Tokens:
		return &halt{nebula.LimitReached, fmt.Sprintf("step %s used %d tokens (the limit is %d)", j.step.ID, j.used.Input+j.used.Output, b.Tokens)}
	case b.Cost > 0 && j.used.Cost >= b.Cost:
		return &halt{nebula.LimitReached, fmt.Sprintf("step %s cost $%.4f (the limit is $%.4f)", j.step.ID, j.used.Cost, b.Cost)}
	case b.Time > 0 && j.worked >= b.Time:
		return &halt{nebula.LimitReached, fmt.Sprintf("step %s worked for %s (the limit is %s)", j.step.ID, j.worked.Round(time.Millisecond), b.Time)}
	}
	return nil
}

// act carries an action out in the conversation, and has its questions wait in the person's.
func (j *job) act(ctx context.Context, a nebula.Action) (r nebula.Result, err error) {
	if err := j.talk.Send(ctx, nebula.Perform{Text: j.step.Name, Actions: []nebula.Action{a}, By: "plan " + j.plan}); err != nil {
		return r, err
	}
	var proposed nebula.Proposed
	mine := false
	var from time.Time // when it began, or went on after the person's answer
	for e := range j.events {
		switch b := e.Body.(type) {
		case nebula.Submitted:
			mine, from = true, e.At
		case nebula.Proposed:
			proposed = b
		case nebula.Asked:
			j.worked += e.At.Sub(from)
			j.put(ctx, b, proposed)
		case nebula.Answered:
			from = e.At
			j.loop.taken(j.step.ID+"/"+b.Ask, b)
		case nebula.Finished:
			r = b.Result
			j.changes, j.lost = append(j.changes, b.Result.Changes...), append(j.lost, b.Result.Lost...)
		case nebula.Ended:
			if !mine {
				continue
			}
			j.worked += e.At.Sub(from)
			return r, j.stopped(ctx, b.Outcome, r)
		}
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	return r, errors.Join(errors.New("the step's session ended"), j.talk.Wait())
}

// stopped says that a turn ended for a reason that is not the task's.
func (j *job) stopped(ctx context.Context, o nebula.Outcome, r nebula.Result) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case r.Status == nebula.Denied && o.Mode == nebula.PlanMode:
		return &halt{nebula.Cancelled, "nothing is carried out in plan mode"}
	case o.Status == nebula.NeedsApproval:
		return &halt{nebula.NeedsApproval, fmt.Sprintf("%s needs approval", r.Tool)}
	case o.Status == nebula.NeedsInput:
		return &halt{nebula.NeedsInput, "a question waits for an answer"}
	case o.Status == nebula.LimitReached:
		return &halt{nebula.LimitReached, o.Text}
	case o.Status == nebula.Cancelled:
		return &halt{nebula.Cancelled, "cancelled"}
	}
	return nil
}
