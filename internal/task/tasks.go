package task

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"nebula"
	"nebula/internal/plan"
)

// runTasks carries out the tasks that were given and are not done yet, in order and as they stand. What fails is the step's
// agent's to make good; then the rest follows.
func (j *job) runTasks(ctx context.Context) error {
	for n := 0; n < len(j.step.Tasks); n++ {
		t := j.step.Tasks[n]
		if t.By == nebula.ByAgent || t.Status != nebula.Pending {
			continue
		}
		if err := j.over(); err != nil {
			return err
		}
		r, err := j.runTask(ctx, n)
		if err != nil {
			return err
		}
		if r.Status == nebula.Done {
			continue
		}
		if r.Status == nebula.Denied {
			return j.rest(n, failure(code(plan.Refused, t.Operation, cmp.Or(r.Summary, r.Text))))
		}
		why := code(plan.TaskFailed, t.Operation, cmp.Or(r.Text, r.Summary))
		if made, err := j.mend(ctx, plan.Say(why, j.loop.setup.Lang)); err != nil {
			return err
		} else if !made {
			return j.rest(n, failure(why))
		}
	}
	return nil
}

// mend has the step's agent make good what failed or is missing, so often and no more. It reports whether anything was
// done about it.
func (j *job) mend(ctx context.Context, wrong string) (made bool, err error) {
	switch {
	case j.refused != nil:
		return false, j.refused
	case j.mended == repairs:
		return false, nil
	}
	if j.mended++; j.mended == hard {
		if complex := j.loop.complex(j.with); complex != "" {
			if err := j.talk.Send(ctx, nebula.Switch{Model: complex}); err != nil {
				return false, err
			}
		}
	}
	n, err := j.turn(ctx, wrong)
	return n > 0, err
}

// rest leaves out what follows a task that failed.
func (j *job) rest(n int, cause error) error {
	err := j.keep("", func(s *nebula.PlanStep) {
		for i := n + 1; i < len(s.Tasks); i++ {
			if s.Tasks[i].Status == nebula.Pending {
				s.Tasks[i].Status = nebula.StageSkipped
			}
		}
	})
	return errors.Join(cause, err)
}

// runTask carries out one task. That it is under way is on disk before it begins, and what it came to when it returns.
func (j *job) runTask(ctx context.Context, n int) (nebula.Result, error) {
	if err := j.keep("", func(s *nebula.PlanStep) { s.Tasks[n].Status = nebula.InProgress }); err != nil {
		return nebula.Result{}, err
	}
	j.tell(n)
	t := j.step.Tasks[n]
	came, err := j.perform(ctx, nebula.Action{Call: t.ID, Tool: t.Operation, Args: t.Args, Reason: cmp.Or(t.Reason, j.step.Name)})
	r := came.result
	if came.dropped { // it ran for nothing
		r.Status = nebula.Denied
	}
	if err != nil {
		return r, errors.Join(err, j.keep("", func(s *nebula.PlanStep) { s.Tasks[n].Status = nebula.Pending }))
	}
	if err := j.keep("", func(s *nebula.PlanStep) { ended(&s.Tasks[n], r) }); err != nil {
		return r, err
	}
	j.tell(n)
	return r, nil
}

// ended is a task after its result.
func ended(t *nebula.Task, r nebula.Result) {
	t.Result = &nebula.TaskResult{Action: r.Action, Status: r.Status, Summary: r.Summary}
	for _, c := range r.Changes {
		if !c.OfFile() || c.Left() {
			continue
		}
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
	j.loop.tell(nebula.Tasked{Plan: j.plan, Step: j.step.ID, Title: j.step.Name, Task: t, Number: n + 1, Of: len(j.step.Tasks),
		Elapsed: j.loop.setup.Now().Sub(j.step.Began).Milliseconds()})
}

// takes takes an action of the step's agent into the step's tasks, as one that has begun: the task that was proposed for
// it, or a new one. What is no tool of tasks is none, and neither is what comes after as many as a step has.
func (j *job) takes(a nebula.Action) error {
	if !slices.ContainsFunc(j.loop.setup.Tools, func(t nebula.ToolSpec) bool { return t.Name == a.Tool }) {
		return nil
	}
	n := -1
	err := j.keep("", func(s *nebula.PlanStep) { n = list(s, a) })
	if err == nil && n >= 0 {
		j.tell(n)
	}
	return err
}

// list puts an action among a step's tasks and gives its place, -1 where there is no room.
func list(s *nebula.PlanStep, a nebula.Action) int {
	id := taskOf(s.ID, a.ID)
	n := slices.IndexFunc(s.Tasks, func(t nebula.Task) bool { return t.ID == id })
	if n < 0 {
		n = slices.IndexFunc(s.Tasks, func(t nebula.Task) bool { return meant(t, a) })
	}
	if n < 0 {
		if len(s.Tasks) >= plan.MostTasks {
			return -1
		}
		n = len(s.Tasks)
		s.Tasks = append(s.Tasks, nebula.Task{})
	}
	s.Tasks[n] = nebula.Task{ID: id, Operation: a.Tool, Args: a.Args, Reason: cmp.Or(a.Reason, s.Tasks[n].Reason), By: nebula.ByAgent, Status: nebula.InProgress}
	return n
}

// taskOf is the id of the task that an action of a step's agent is.
func taskOf(step, action string) string { return step + "." + action }

// meant reports whether an action is a task that was proposed and not made yet: the same tool, on the same file.
func meant(t nebula.Task, a nebula.Action) bool {
	return t.By == nebula.ByAgent && t.Status == nebula.Pending && t.Operation == a.Tool && pathOf(t.Args) == pathOf(a.Args)
}

// taskIndex is where the task with an id stands, -1 where there is none.
//
//go:noinline
func (j *job) taskIndex(id string) int {
	return slices.IndexFunc(j.step.Tasks, func(t nebula.Task) bool { return t.ID == id })
}

// ends keeps what an action of the step's agent came to.
func (j *job) ends(r nebula.Result) error {
	n := j.taskIndex(taskOf(j.step.ID, r.Action))
	if n < 0 {
		return nil
	}
	if err := j.keep("", func(s *nebula.PlanStep) { ended(&s.Tasks[n], r) }); err != nil {
		return err
	}
	j.tell(n)
	return nil
}
