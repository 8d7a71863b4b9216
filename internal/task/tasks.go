package task

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/plan"
)

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
			return j.rest(n, fmt.Errorf("%s was refused: %s", t.Operation, cmp.Or(r.Summary, r.Text)))
		}
		if waited, err := j.wait(ctx, r.Text); err != nil {
			return err
		} else if waited {
			if err := j.keep("", func(s *nebula.PlanStep) { s.Tasks[n].Status = nebula.Pending }); err != nil {
				return err
			}
			n--
			continue
		}
		if t.Tries >= repairs {
			return j.rest(n, fmt.Errorf("%s failed again: %s", t.Operation, cmp.Or(r.Text, r.Summary)))
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

// one carries out one task. That it is under way is on disk before it begins, and what it came to when it returns.
func (j *job) one(ctx context.Context, n int) (nebula.Result, error) {
	if err := j.keep("", func(s *nebula.PlanStep) { s.Tasks[n].Status = nebula.InProgress }); err != nil {
		return nebula.Result{}, err
	}
	j.tell(n)
	t := j.step.Tasks[n]
	r, err := j.act(ctx, nebula.Action{Call: t.ID, Tool: t.Operation, Args: t.Args, Reason: cmp.Or(t.Reason, j.step.Name)})
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

// fix has the model write what takes the place of a task that failed. Where it cannot, the task is tried as it is.
func (j *job) fix(ctx context.Context, n int, why string) error {
	l := j.loop
	p, err := l.current(j.plan)
	if err != nil {
		return err
	}
	instead, err := j.instead(ctx, p, j.step.Tasks[n], why)
	if err != nil {
		return err
	}
	return j.keep("", func(s *nebula.PlanStep) {
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
	err = l.ask(ctx, j.with, j.spend(), plan.Fixing(p, j.step, t, why, l.around(j.step, l.talk(ctx))), func(text string) (err error) {
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

// mend has the model write tasks for what the step still lacks, and carries them out. It may have none.
func (j *job) mend(ctx context.Context, what, about, why string) error {
	p, err := j.loop.current(j.plan)
	if err != nil {
		return err
	}
	args, err := json.Marshal(about)
	if err != nil {
		return err
	}
	tasks, err := j.instead(ctx, p, nebula.Task{Operation: what, Args: args}, why)
	if err != nil || len(tasks) == 0 {
		return err
	}
	return j.more(ctx, tasks, 1)
}

// more adds tasks to the step and carries them out.
func (j *job) more(ctx context.Context, tasks []nebula.Task, tries int) error {
	if err := j.keep("", func(s *nebula.PlanStep) {
		tasks = plan.Number(s.ID, tasks, s.Tasks)
		for i := range tasks {
			tasks[i].Tries = tries
		}
		s.Tasks = append(s.Tasks, tasks...)
	}); err != nil {
		return err
	}
	return j.tasks(ctx)
}

// again asks for tasks once more where those of the step only read: the model wrote them before it knew what it would see.
func (j *job) again(ctx context.Context) error {
	l := j.loop
	if len(j.step.Tasks) == 0 || slices.ContainsFunc(j.step.Tasks, func(t nebula.Task) bool { return !l.reads(t.Operation) }) {
		return nil
	}
	if missing, same := j.lacking(); !j.blind && len(missing)+len(same) == 0 {
		return nil // the tasks were given, and no file asks for more
	}
	if err := j.over(); err != nil {
		return err
	}
	p, err := l.current(j.plan)
	if err != nil {
		return err
	}
	c := l.around(j.step, l.talk(ctx))
	c.Read = strings.Join(j.read, "\n\n")
	var tasks []nebula.Task
	err = l.ask(ctx, j.with, j.spend(), plan.Tasks(p, j.step, c), func(text string) (err error) {
		tasks, err = plan.ReadTasks(text, l.setup.Tools)
		return err
	})
	var m *nebula.Mistake
	if errors.As(err, &m) {
		return nil // it has no more to do; what is lacking is told next
	}
	if err != nil {
		return err
	}
	return j.more(ctx, l.readFirst(j.step.Tasks, tasks), 0)
}

// reads reports whether a tool changes nothing.
func (l *Loop) reads(tool string) bool {
	return slices.ContainsFunc(l.setup.Tools, func(t nebula.ToolSpec) bool { return t.Name == tool && t.Effect == nebula.Read })
}
