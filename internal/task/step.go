package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"nebula"
	"nebula/internal/plan"
)

// A job is one step being carried out in its conversation. It belongs to one goroutine.
type job struct {
	loop    *Loop
	plan    string
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
func (l *Loop) carry(ctx context.Context, id, step string) came {
	j := &job{loop: l, plan: id}
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
	if _, err := l.step(ctx, id, step, h.why, func(s *nebula.PlanStep) {
		s.Status = nebula.Pending
	}); err != nil && ctx.Err() == nil {
		h.why = err.Error()
	}
	return came{step, h.status, h.why}
}

// all is a step from its beginning to its report.
func (j *job) all(ctx context.Context, step string) (err error) {
	l := j.loop
	if j.step, err = l.step(ctx, j.plan, step, "began", func(s *nebula.PlanStep) {
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
		_, _ = j.loop.step(ctx, j.plan, step, cause.Error(), func(s *nebula.PlanStep) { s.Status = nebula.Pending })
		return came{step, nebula.APIFailed, cause.Error()}
	}
	if err := j.finish(ctx, nebula.StageFailed, cause.Error(), nil); err != nil {
		return came{step, nebula.TurnFailed, err.Error()}
	}
	return came{step: step}
}

func (j *job) generate(ctx context.Context) error {
	p, err := j.loop.current(ctx, j.plan)
	if err != nil {
		return err
	}
	tasks, err := j.loop.generate(ctx, p, j.step, j.loop.out.talk(ctx), j.spend(ctx))
	if err != nil {
		return err
	}
	j.blind = true
	return j.keep(ctx, "", func(s *nebula.PlanStep) { s.Tasks, s.Session = tasks, "" })
}

// keep changes the step on disk and here.
func (j *job) keep(ctx context.Context, cause string, edit func(*nebula.PlanStep)) error {
	s, err := j.loop.step(ctx, j.plan, j.step.ID, cause, func(s *nebula.PlanStep) {
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
		talk, err := j.loop.setup.Open(ctx, j.step.Session)
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
		if j.talk, err = j.loop.setup.Open(ctx, ""); err != nil {
			return err
		}
		if err := j.keep(ctx, "", func(s *nebula.PlanStep) { s.Session = j.talk.ID() }); err != nil {
			j.dismiss()
			return err
		}
	}
	if err := j.join(ctx, fresh); err != nil {
		j.dismiss()
		return err
	}
	j.events = make(chan nebula.Event, 256)
	after := int64(0)
	if o, ok := j.talk.(interface{ Opened() int64 }); ok {
		after = o.Opened()
	}
	go func() {
		defer close(j.events)
		for e := range j.talk.Events(context.WithoutCancel(ctx), after) { // ends with the conversation
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

// join brings the step's conversation under the policy of the person's, now and from now on.
func (j *job) join(ctx context.Context, fresh bool) error {
	l := j.loop
	l.mu.Lock()
	l.talks[j.step.ID] = j.talk
	policy := l.policy
	l.mu.Unlock()
	if fresh && policy.Mode == nebula.AgentMode {
		policy.Mode = "" // as steps begin
	}
	if fresh && policy.Approve == l.setup.Approve {
		policy.Approve = ""
	}
	if policy == (nebula.Switched{}) {
		return nil
	}
	return j.talk.Send(ctx, nebula.Switch{Mode: policy.Mode, Approve: policy.Approve})
}

// part takes the step's conversation away from those that follow the person's.
func (j *job) part() {
	j.loop.mu.Lock()
	defer j.loop.mu.Unlock()
	delete(j.loop.talks, j.step.ID)
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
func (j *job) spend(ctx context.Context) func(nebula.Usage) {
	plan := j.loop.spending(ctx, j.plan)
	return func(u nebula.Usage) {
		j.used = j.used.Plus(u)
		plan(u)
	}
}

// over says that the step's budget is used up. The step can go on later, with a new one.
func (j *job) over() error {
	b := j.loop.setup.StepBudget
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

// tasks carries out what is not done yet, in order.
func (j *job) tasks(ctx context.Context) error {
	for n := 0; n < len(j.step.Tasks); n++ {
		t := j.step.Tasks[n]
		if t.Status == nebula.Completed || t.Status == nebula.StageSkipped {
			continue
		}
		if err := j.over(); err != nil {
			return err
		}
		r, err := j.one(ctx, n)
		if err != nil {
			return err
		}
		if r.Status == nebula.Done {
			j.shown(t, r)
			continue
		}
		if r.Status == nebula.Denied {
			return j.rest(ctx, n, fmt.Errorf("%s was refused: %s", t.Operation, or(r.Summary, r.Text)))
		}
		if t.Tries >= repairs {
			return j.rest(ctx, n, fmt.Errorf("%s failed again: %s", t.Operation, or(r.Text, r.Summary)))
		}
		if err := j.fix(ctx, n, r.Text); err != nil {
			return err
		}
		n-- // what took its place
	}
	return nil
}

// shown keeps what a task that only reads has shown.
func (j *job) shown(t nebula.Task, r nebula.Result) {
	if j.loop.reads(t.Operation) {
		j.read = append(j.read, t.Operation+" "+string(t.Args)+"\n"+r.Text)
	}
}

// rest leaves out what follows a task that failed.
func (j *job) rest(ctx context.Context, n int, cause error) error {
	err := j.keep(ctx, "", func(s *nebula.PlanStep) {
		for i := n + 1; i < len(s.Tasks); i++ {
			if s.Tasks[i].Status == nebula.Pending {
				s.Tasks[i].Status = nebula.StageSkipped
			}
		}
	})
	return errors.Join(cause, err)
}

// one carries out one task. That it is under way is on disk before it begins, and what it came to when it returns.
func (j *job) one(ctx context.Context, n int) (nebula.Result, error) {
	if err := j.keep(ctx, "", func(s *nebula.PlanStep) { s.Tasks[n].Status = nebula.InProgress }); err != nil {
		return nebula.Result{}, err
	}
	j.tell(n)
	t := j.step.Tasks[n]
	r, err := j.act(ctx, nebula.Action{Call: t.ID, Tool: t.Operation, Args: t.Args, Reason: or(t.Reason, j.step.Name)})
	if err != nil {
		return r, errors.Join(err, j.keep(ctx, "", func(s *nebula.PlanStep) { s.Tasks[n].Status = nebula.Pending }))
	}
	if err := j.keep(ctx, "", func(s *nebula.PlanStep) { ended(&s.Tasks[n], r) }); err != nil {
		return r, err
	}
	j.tell(n)
	return r, nil
}

// ended is a task after its result.
func ended(t *nebula.Task, r nebula.Result) {
	t.Result = &nebula.TaskResult{Action: r.Action, Status: r.Status, Summary: r.Summary}
	for _, c := range r.Changes {
		t.Result.Changed = append(t.Result.Changed, c.Path)
	}
	t.Status = nebula.Completed
	if r.Status != nebula.Done {
		t.Status = nebula.StageFailed
		t.Result.Error = r.Text
		if text := []rune(r.Text); len(text) > 2000 {
			t.Result.Error = string(text[:1000]) + "\n…\n" + string(text[len(text)-1000:])
		}
	}
}

// tell says how far the step has come.
func (j *job) tell(n int) {
	t := j.step.Tasks[n]
	t.Args = nil
	j.loop.out.tell(nebula.Tasked{Plan: j.plan, Step: j.step.ID, Title: j.step.Name, Task: t, Number: n + 1, Of: len(j.step.Tasks),
		Elapsed: j.loop.setup.Now().Sub(j.step.Began).Milliseconds()})
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

// fix has the model write what takes the place of a task that failed. Where it cannot, the task is tried as it is.
func (j *job) fix(ctx context.Context, n int, why string) error {
	l := j.loop
	p, err := l.current(ctx, j.plan)
	if err != nil {
		return err
	}
	instead, err := j.instead(ctx, p, j.step.Tasks[n], why)
	if err != nil {
		return err
	}
	return j.keep(ctx, "", func(s *nebula.PlanStep) {
		failed := s.Tasks[n]
		if len(instead) == 1 && instead[0].Operation == failed.Operation {
			instead[0].ID = failed.ID + "b"
		}
		if instead == nil {
			failed.ID += "b"
			failed.Status = nebula.Pending
			failed.Tries = repairs - 1 // as it is, once more is enough
			instead = []nebula.Task{failed}
		}
		for i := range instead {
			instead[i].Tries = failed.Tries + 1
			if instead[i].ID == "" {
				instead[i].ID = fmt.Sprintf("%s%c", failed.ID, 'b'+i)
			}
		}
		s.Tasks = slices.Replace(s.Tasks, n, n+1, instead...)
	})
}

// mostInstead bounds what may take the place of one task.
const mostInstead = 10

func (j *job) instead(ctx context.Context, p nebula.Plan, t nebula.Task, why string) (tasks []nebula.Task, err error) {
	l := j.loop
	if err := j.over(); err != nil {
		return nil, err
	}
	err = l.ask(ctx, j.spend(ctx), plan.Fixing(p, j.step, t, why, l.around(j.step, l.out.talk(ctx))), func(text string) (err error) {
		tasks, err = plan.ReadTasks(text, l.setup.Tools)
		if err == nil && len(tasks) > mostInstead {
			err = fmt.Errorf("%d tasks are too many", len(tasks))
		}
		return err
	})
	var m *nebula.Mistake
	if errors.As(err, &m) {
		return nil, nil
	}
	return l.readFirst(j.step.Tasks, tasks), err
}

// repairs is how often the model may mend a task that failed, or what a verification found.
const repairs = 3

// verify shows that the step works, or says why not; some times, the model may mend what it did.
func (j *job) verify(ctx context.Context) (*nebula.Evidence, error) {
	for {
		e, wrong, err := j.check(ctx)
		if err != nil || e != nil {
			return e, err
		}
		if j.mended == repairs || j.step.Verify.Person != "" {
			return nil, fmt.Errorf("its verification failed: %s", wrong)
		}
		j.mended++
		p, err := j.loop.current(ctx, j.plan)
		if err != nil {
			return nil, err
		}
		tasks, err := j.instead(ctx, p, nebula.Task{Operation: "verify", Args: json.RawMessage(fmt.Sprintf("%q", j.step.Verify.String()))}, wrong)
		if err != nil {
			return nil, err
		}
		if len(tasks) == 0 {
			return nil, fmt.Errorf("its verification failed: %s", wrong)
		}
		if err := j.more(ctx, tasks, 1); err != nil {
			return nil, err
		}
	}
}

// check carries the verification out: evidence, or what is wrong.
func (j *job) check(ctx context.Context) (e *nebula.Evidence, wrong string, err error) {
	s, v := j.loop.setup, j.step.Verify
	tests := v.Tests || v == nebula.Verify{}
	if tests && (s.Checkable == nil || s.Checkable()) {
		r, err := j.act(ctx, nebula.Action{Call: j.step.ID + ".verify", Tool: s.Tests, Args: json.RawMessage(`{}`), Reason: j.step.Name})
		if err == nil && r.Status == nebula.Done && r.Tests != nil && !r.Tests.Chosen && r.Tests.Passed == 0 {
			return nil, j.noTest(r), nil
		}
		if err == nil && r.Status == nebula.Done && (r.Tests == nil || r.Tests.OK) {
			return j.evidence("tests", or(r.Summary, r.Text), "nebula"), "", nil
		}
		return nil, or(r.Text, r.Summary), err
	}
	if v.Command != "" {
		args, err := json.Marshal(map[string]string{"command": v.Command})
		if err != nil {
			return nil, "", err
		}
		r, err := j.act(ctx, nebula.Action{Call: j.step.ID + ".verify", Tool: s.Command, Args: args, Reason: j.step.Name})
		if err == nil && r.Status == nebula.Done && s.Counted != nil && s.Counted(v.Command, r.Text).Passed == 0 {
			return nil, j.noTest(r), nil
		}
		if err == nil && r.Status == nebula.Done && (r.Exit == nil || *r.Exit == 0) {
			return j.evidence("command", v.Command, "nebula"), "", nil
		}
		return nil, or(r.Text, r.Summary), err
	}
	return j.look(ctx, or(v.Person, j.step.Description))
}

// noTest is what is wrong with a verification that ended well and ran no test: it would have ended so without the step.
func (j *job) noTest(r nebula.Result) string {
	return word(j.loop.setup.Lang, "it ran no test", "テストが一つも実行されていません") + "\n" + or(r.Text, r.Summary)
}

func (j *job) evidence(how, detail, by string) *nebula.Evidence {
	return &nebula.Evidence{How: how, Detail: detail, By: by, At: j.loop.setup.Now().UTC()}
}

// finish ends the step: what it came to is on disk, and the report is in the person's conversation.
func (j *job) finish(ctx context.Context, status nebula.Stage, cause string, e *nebula.Evidence) error {
	l := j.loop
	known := nebula.Report{Status: status, Cause: cause}
	for _, t := range j.step.Tasks {
		switch t.Status {
		case nebula.Completed:
			known.Succeeded++
		case nebula.StageFailed:
			known.Failed++
		}
	}
	step := j.step
	step.Evidence = e
	known.Summary = summary(step, known, l.setup.Lang)
	report := known
	err := l.ask(ctx, j.spend(ctx), plan.Reporting(step, cause, l.setup.Lang), func(text string) (err error) {
		report, err = plan.ReadReport(text, known)
		return err
	})
	if err != nil { // the step stands without fine words
		report = known
	}
	if out := j.foreign(plan.Changed(step)); len(out) > 0 {
		report.Summary += "\n" + j.notIts(out)
	}
	if err := j.keep(ctx, string(status), func(s *nebula.PlanStep) {
		s.Status, s.Evidence, s.Report, s.Ended = status, e, &report, l.setup.Now().UTC()
	}); err != nil {
		return &halt{nebula.TurnFailed, err.Error()}
	}
	p, err := l.current(context.WithoutCancel(ctx), j.plan)
	if err != nil {
		return err
	}
	l.out.tell(nebula.Reported{Plan: j.plan, Step: j.step.ID, Title: j.step.Name, Report: report, Changes: j.changes, Lost: j.lost, Session: j.step.Session, Usage: j.used,
		Text: reported(p, j.step, l.setup.Lang)})
	return nil
}

func word(lang, en, ja string) string {
	if lang == "ja" {
		return ja
	}
	return en
}

func summary(s nebula.PlanStep, r nebula.Report, lang string) string {
	text := fmt.Sprintf(word(lang, "%s: %d of %d tasks succeeded", "%s: %[3]d 件中 %[2]d 件のタスクが成功しました"), s.Name, r.Succeeded, len(s.Tasks))
	if s.Evidence != nil {
		text += fmt.Sprintf(word(lang, "; verified by %s (%s)", "。確認: %s (%s)"), s.Evidence.How, s.Evidence.Detail)
	}
	if r.Cause != "" {
		text += ": " + r.Cause
	}
	return text
}

// reported is a report as the model reads it in the conversation, with what could come next.
func reported(p nebula.Plan, s nebula.PlanStep, lang string) string {
	data, err := json.Marshal(s.Report)
	if err != nil {
		data = []byte(s.Report.Summary)
	}
	text := fmt.Sprintf(word(lang, "[Report of the task loop: step %s %q ended]\n%s", "[タスクループからの報告: ステップ %s「%s」が終了]\n%s"), s.ID, s.Name, data)
	if changed := plan.Changed(s); len(changed) > 0 {
		text += "\n" + word(lang, "changed: ", "変更: ") + fmt.Sprint(changed)
	}
	if next := plan.Ready(p); len(next) > 0 {
		n := p.Steps[next[0]]
		text += "\n" + fmt.Sprintf(word(lang, "Next could be %s: %s", "次の候補: %s: %s"), n.ID, n.Name)
	} else if p.Status == nebula.Completed {
		text += "\n" + word(lang, "The plan is completed.", "計画はすべて完了しました。")
	}
	return text
}
