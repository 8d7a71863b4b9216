package plan

import (
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// An Edit changes a plan. Edits never touch the plan they are given: what they return shares nothing that changed.
type Edit func(nebula.Plan) (nebula.Plan, error)

// Do makes edits one after another; the result must be a plan that makes sense. A change to an approved plan asks for
// approval again.
func Do(p nebula.Plan, edits ...Edit) (nebula.Plan, error) {
	out := p
	out.Steps = lists.Clone(p.Steps)
	for _, edit := range edits {
		var err error
		if out, err = edit(out); err != nil {
			return p, err
		}
	}
	if err := Validate(out); err != nil {
		return p, err
	}
	return out, nil
}

// redraft takes the approval back: what was approved is another plan now.
func redraft(p nebula.Plan) nebula.Plan {
	p.Status, p.Approved = nebula.Draft, ""
	return p
}

// Approve lets a plan run.
func Approve(by nebula.Decider) Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		if p.Status == nebula.Draft {
			p.Status, p.Approved = nebula.Approved, by
		}
		p.Why = ""
		return Settle(p), nil
	}
}

// Add puts a step in at a place, at the end for -1.
func Add(s nebula.PlanStep, at int) Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		if s.ID == "" {
			s.ID = fresh(p)
		}
		s.Status = nebula.Pending
		if at < 0 || at > len(p.Steps) {
			at = len(p.Steps)
		}
		p.Steps = lists.Insert(p.Steps, at, s)
		return redraft(p), nil
	}
}

// fresh is an id that no step has.
func fresh(p nebula.Plan) string {
	for n := len(p.Steps) + 1; ; n++ {
		if id := fmt.Sprintf("step_%03d", n); !slices.ContainsFunc(p.Steps, func(s nebula.PlanStep) bool { return s.ID == id }) {
			return id
		}
	}
}

// Fields are what a step may be changed in; nil leaves a field as it is.
type Fields struct {
	Name        *string
	Description *string
	DependsOn   *[]string
	Files       *[]string
	Verify      *nebula.Verify
}

// Change changes what a step says. A step that is under way or completed stays as it is.
func Change(id string, f Fields) Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		i, err := Find(p, id)
		if err != nil {
			return p, err
		}
		s := &p.Steps[i]
		if s.Status == nebula.InProgress || s.Status == nebula.Completed {
			return p, nebula.Errorf("step %s is %s and cannot be changed; retry it first", s.ID, s.Status)
		}
		if f.Name != nil {
			s.Name = *f.Name
		}
		if f.Description != nil {
			s.Description = *f.Description
		}
		if f.DependsOn != nil {
			s.DependsOn = *f.DependsOn
		}
		if f.Files != nil {
			s.Files = *f.Files
		}
		if f.Verify != nil {
			s.Verify = *f.Verify
		}
		s.Tasks = lists.Drop(lists.Clone(s.Tasks), func(t nebula.Task) bool { return t.Status == nebula.Pending })
		return redraft(p), nil
	}
}

// Remove takes a step out. What depended on it depends on what it depended on.
func Remove(id string) Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		i, err := Find(p, id)
		if err != nil {
			return p, err
		}
		gone := p.Steps[i]
		if gone.Status == nebula.InProgress {
			return p, nebula.Errorf("step %s is under way; cancel it first", gone.ID)
		}
		p.Steps = lists.Delete(p.Steps, i, i+1)
		for j, s := range p.Steps {
			if !lists.Has(s.DependsOn, gone.ID) {
				continue
			}
			var on []string
			for _, d := range s.DependsOn {
				if d != gone.ID {
					on = append(on, d)
				}
			}
			for _, d := range gone.DependsOn {
				if !lists.Has(on, d) {
					on = append(on, d)
				}
			}
			p.Steps[j].DependsOn = on
		}
		return redraft(p), nil
	}
}

// Move puts a step before another, or at the end where before is empty.
func Move(id, before string) Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		i, err := Find(p, id)
		if err != nil {
			return p, err
		}
		moved := p.Steps[i]
		rest := p
		rest.Steps = lists.Delete(lists.Clone(p.Steps), i, i+1)
		at := len(rest.Steps)
		if before != "" {
			target, err := Find(p, before)
			if err != nil {
				return p, err
			}
			if target == i {
				return p, nil
			}
			at, _ = Index(rest, p.Steps[target].ID)
		}
		p.Steps = lists.Insert(rest.Steps, at, moved)
		return redraft(p), nil
	}
}

// Skip leaves a step out: what depends on it can go on. It is a decision, and needs no new approval.
func Skip(id string) Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		i, err := Find(p, id)
		if err != nil {
			return p, err
		}
		return set(p, i, nebula.StageSkipped)
	}
}

// Retry makes a step that ended pending again. Tasks that succeeded stay as they are; all are done anew when the step
// was completed.
func Retry(id string) Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		i, err := Find(p, id)
		if err != nil {
			return p, err
		}
		if p.Steps[i].Status == nebula.Pending {
			return p, nil
		}
		if p.Steps[i].Status == nebula.InProgress {
			return p, nebula.Errorf("step %s is under way; cancel it first", p.Steps[i].ID)
		}
		anew := p.Steps[i].Status == nebula.Completed
		p, err = set(p, i, nebula.Pending)
		if err != nil {
			return p, err
		}
		s := &p.Steps[i]
		s.Evidence, s.Report, p.Why = nil, nil, ""
		if anew {
			s.Tasks, s.Session = nil, ""
		}
		s.Tasks = again(s.Tasks)
		return Settle(p), nil
	}
}

// again are tasks of which those that did not succeed are to be done. What the step's agent tried and failed at is no
// task of the next attempt.
//
//go:noinline
func again(tasks []nebula.Task) (out []nebula.Task) {
	for _, t := range tasks {
		if t.Status != nebula.Completed && t.Status != nebula.Pending {
			if t.By == nebula.ByAgent {
				continue
			}
			t.Status = nebula.Pending
		}
		out = append(out, t)
	}
	return out
}

// set moves a step to another stage, where the table lets it.
func set(p nebula.Plan, i int, to nebula.Stage) (nebula.Plan, error) {
	s := &p.Steps[i]
	if s.Status == to {
		return p, nil
	}
	if !Allows(s.Status, to) {
		var may []string
		for _, next := range transitions[s.Status] {
			may = append(may, string(next))
		}
		return p, nebula.Errorf("step %s is %s and cannot become %s; it can become %s", s.ID, s.Status, to, strings.Join(may, ", "))
	}
	s.Status = to
	return Settle(p), nil
}

// Set moves a step to another stage. Completed needs the evidence that the step works.
func Set(id string, to nebula.Stage) Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		i, err := Find(p, id)
		if err != nil {
			return p, err
		}
		if to == nebula.Completed && p.Steps[i].Evidence == nil {
			return p, nebula.Errorf("step %s is completed only when its verification has passed (%s)", p.Steps[i].ID, describe(p.Steps[i].Verify))
		}
		return set(p, i, to)
	}
}

func describe(v nebula.Verify) string {
	if text := v.String(); text != "" {
		return text
	}
	return "tests, a command or the person"
}

// Replace puts a plan as a person has edited it in the place of the one there is: what each step is about is the
// edited one's, and what was done stays.
//
//go:noinline
func Replace(edited nebula.Plan) Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		at := places(p)
		changed := edited.Name != p.Name || edited.Goal != p.Goal || len(edited.Steps) != len(p.Steps)
		steps := make([]nebula.PlanStep, 0, len(edited.Steps))
		kept := map[string]bool{}
		for n, e := range edited.Steps {
			i, known := at[e.ID]
			kept[e.ID] = true
			if !known {
				if e.ID == "" {
					e.ID = fresh(nebula.Plan{Steps: append(lists.Clone(p.Steps), edited.Steps...)})
					edited.Steps[n].ID = e.ID
				}
				e.Status, changed = nebula.Pending, true
				steps = append(steps, e)
				continue
			}
			s := p.Steps[i]
			if i != n || !same(s, e) {
				if (s.Status == nebula.InProgress || s.Status == nebula.Completed) && !same(s, e) {
					return p, nebula.Errorf("step %s is %s and cannot be changed; retry it first", s.ID, s.Status)
				}
				changed = true
				s.Name, s.Description, s.DependsOn, s.Files, s.Verify = e.Name, e.Description, e.DependsOn, e.Files, e.Verify
			}
			steps = append(steps, s)
		}
		for _, s := range p.Steps {
			if !kept[s.ID] && s.Status == nebula.InProgress {
				return p, nebula.Errorf("step %s is under way and cannot be removed; cancel it first", s.ID)
			}
		}
		if !changed {
			return p, nil
		}
		p.Name, p.Goal, p.Steps = edited.Name, edited.Goal, steps
		return redraft(p), nil
	}
}

func same(a, b nebula.PlanStep) bool {
	return a.Name == b.Name && a.Description == b.Description && lists.Equal(a.DependsOn, b.DependsOn) &&
		lists.Equal(a.Files, b.Files) && a.Verify == b.Verify
}
