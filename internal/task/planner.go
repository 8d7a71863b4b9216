package task

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/plan"
)

// Preview is what a request would carry out, as a person reads it, and of which plan; tasks that fit no step of one would be a
// plan of their own, which has no ID yet. Nothing is changed.
func (l *Loop) Preview(ctx context.Context, r Request) (nebula.Plan, string, error) {
	p, err := l.current(r.Plan)
	given := len(r.Tasks) > 0 && string(r.Tasks) != "null"
	if err != nil && !given {
		return p, "", nebula.Wrong("Propose one first.", "There is no plan to run.")
	}
	var b strings.Builder
	if given {
		r = l.fits(r)
		fmt.Fprintf(&b, "%s\n", r.Tasks)
		if r.Step == "" {
			return nebula.Plan{Name: cmp.Or(r.Why, p.Name), Steps: []nebula.PlanStep{{}}}, b.String(), nil
		}
	}
	if r.Step == "" {
		return p, plan.Markdown(p), nil
	}
	i, err := plan.Find(p, r.Step)
	if err != nil {
		return p, "", wrong("", "%w.", err)
	}
	s := p.Steps[i]
	one := p
	one.Steps = []nebula.PlanStep{s}
	b.WriteString(plan.Markdown(one))
	if len(s.Tasks) > 0 && !given {
		b.WriteString("\n" + Tasks(s))
	}
	return p, b.String(), nil
}

// Tasks lists a step's tasks with their arguments.
func Tasks(s nebula.PlanStep) string {
	var b strings.Builder
	for n, t := range s.Tasks {
		args := string(t.Args)
		if r := []rune(args); len(r) > 400 {
			args = string(r[:400]) + "…"
		}
		fmt.Fprintf(&b, "%d. %s %s %s (%s) %s\n", n+1, t.ID, t.Operation, args, t.Status, t.Reason)
	}
	return b.String()
}

// Run starts a request. With wait it returns when the run has ended, and says how; without, the run goes on by itself.
func (l *Loop) Run(ctx context.Context, r Request, wait bool) (text string, end nebula.EndStatus, err error) {
	into := ""
	if len(r.Tasks) > 0 && string(r.Tasks) != "null" {
		if r, err = l.give(ctx, r); err != nil {
			return "", "", err
		}
		r.Tasks, into = nil, fmt.Sprintf("The tasks are those of step %s now. ", r.Step)
	}
	p, err := l.Start(ctx, r)
	if err != nil {
		return "", "", err
	}
	if !wait {
		return into + fmt.Sprintf("%s runs in the background; its reports will come by themselves. Say so to the person, and do not wait or ask for it.", p.ID), "", nil
	}
	e := l.Wait(ctx)
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	open := plan.Unchecked(e.Plan)
	text = into + fmt.Sprintf("%s %s: %d of %d steps done", e.Plan.Name, e.Plan.Status, plan.Done(e.Plan)-len(open), len(e.Plan.Steps))
	if len(open) > 0 {
		text += "; not checked: " + strings.Join(open, ", ")
	}
	if e.Why != "" {
		text += "; " + plan.Say(e.Why, l.setup.Lang)
	}
	return text, e.Status, nil
}

// Find is the plan of a project that id names; for "" the one that is worked on, else the newest.
func Find(ctx context.Context, plans nebula.PlanStore, project, id string) (nebula.Plan, error) {
	if id == "" {
		list, err := plans.Plans(ctx, project)
		at := slices.IndexFunc(list, func(p nebula.PlanInfo) bool { return p.Status == nebula.InProgress })
		if err == nil && at >= 0 {
			id = list[at].ID
		}
	}
	return plans.Plan(ctx, project, id)
}

// A Planner is a loop as tools see it.
type Planner struct {
	*Loop
	WaitFor bool // for the end of what runs
}

// Update changes a step; the change is a [Change] as JSON.
func (p Planner) Update(ctx context.Context, step string, change json.RawMessage) (nebula.Plan, error) {
	var c Change
	if err := json.Unmarshal(change, &c); err != nil {
		return nebula.Plan{}, wrong("", "The change cannot be read: %w.", err)
	}
	return p.Loop.Update(ctx, step, c, "model")
}

// Generate makes a step's tasks and lists them.
func (p Planner) Generate(ctx context.Context, step, talk string) (string, error) {
	s, err := p.Loop.Generate(ctx, "", step, talk)
	if err != nil {
		return "", err
	}
	return Tasks(s), nil
}
