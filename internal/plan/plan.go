// Package plan is what a plan is: which plans make sense, which step can run, what may change and how, and how a plan
// is written for people and models. It is pure: plans go in and other plans come out.
package plan

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Bounds of a plan.
const (
	MostSteps = 2000
	MostTasks = 200 // of a step
)

// transitions say which stage may follow which, for steps and tasks alike. Completed is left by a person who wants it
// done again.
var transitions = map[nebula.Stage][]nebula.Stage{
	nebula.Pending:      {nebula.InProgress, nebula.StageSkipped},
	nebula.InProgress:   {nebula.Completed, nebula.StageFailed, nebula.Pending, nebula.StageSkipped},
	nebula.Completed:    {nebula.Pending},
	nebula.StageFailed:  {nebula.Pending, nebula.StageSkipped},
	nebula.StageSkipped: {nebula.Pending},
}

// Allows reports whether a step or task may go from one stage to another.
func Allows(from, to nebula.Stage) bool { return lists.Has(transitions[from], to) }

// Over reports whether a step needs no more work for those that depend on it.
//
//go:noinline
func Over(s nebula.Stage) bool { return s == nebula.Completed || s == nebula.StageSkipped }

// Index is the place of the step that id names: its id, or its number from 1.
func Index(p nebula.Plan, id string) (int, bool) {
	for i := range p.Steps {
		if p.Steps[i].ID == id {
			return i, true
		}
	}
	n := 0
	if _, err := fmt.Sscanf(id, "%d", &n); err == nil && fmt.Sprint(n) == id && n >= 1 && n <= len(p.Steps) {
		return n - 1, true
	}
	return 0, false
}

// Find is the place of a step, or an error that names those there are.
func Find(p nebula.Plan, id string) (int, error) {
	if i, ok := Index(p, id); ok {
		return i, nil
	}
	var ids []string
	for i, s := range p.Steps {
		if i == 10 {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, s.ID)
	}
	return 0, nebula.Errorf("plan %s has no step %q; there are %s", p.ID, id, strings.Join(ids, ", "))
}

// Done counts the steps that need no more work.
//
//go:noinline
func Done(p nebula.Plan) int {
	n := 0
	for i := range p.Steps {
		if Over(p.Steps[i].Status) {
			n++
		}
	}
	return n
}

// Unchecked are the ids of the steps that came to their end though nobody has looked.
//
//go:noinline
func Unchecked(p nebula.Plan) (out []string) {
	for _, s := range p.Steps {
		if unchecked(s) {
			out = append(out, s.ID)
		}
	}
	return out
}

func unchecked(s nebula.PlanStep) bool {
	return s.Status == nebula.Completed && s.Evidence != nil && s.Evidence.How == nebula.Unchecked
}

// Validate says everything that is wrong with a plan: steps without a name, twice the same id, steps that depend on
// what is not there or, in a circle, on themselves.
func Validate(p nebula.Plan) error {
	var wrong []error
	add := func(err error) { wrong = append(wrong, err) }
	switch {
	case strings.TrimSpace(p.Goal) == "":
		add(nebula.Errorf("the plan has no goal"))
	case len(p.Steps) == 0:
		add(nebula.Errorf("the plan has no steps"))
	case len(p.Steps) > MostSteps:
		add(nebula.Errorf("the plan has %d steps; %d are possible", len(p.Steps), MostSteps))
	}
	at := make(map[string]int, len(p.Steps))
	for i, s := range p.Steps {
		switch first, twice := at[s.ID]; {
		case s.ID == "" || strings.ContainsAny(s.ID, " \t\n,[]"):
			add(nebula.Errorf("step %d has the id %q; an id is one word", i+1, s.ID))
		case twice:
			add(nebula.Errorf("steps %d and %d have the same id %q", first+1, i+1, s.ID))
		default:
			at[s.ID] = i
		}
		if strings.TrimSpace(s.Name) == "" {
			add(nebula.Errorf("step %s has no name", s.ID))
		}
	}
	for _, s := range p.Steps {
		for _, d := range s.DependsOn {
			if _, ok := at[d]; !ok {
				add(nebula.Errorf("step %s depends on %q, which is no step of the plan", s.ID, d))
			}
		}
	}
	if circle := Circle(p); circle != nil {
		add(nebula.Errorf("steps depend on each other in a circle: %s", strings.Join(circle, " → ")))
	}
	return errors.Join(wrong...)
}

// Circle is a chain of steps that leads back to its first, if there is one.
func Circle(p nebula.Plan) []string {
	at := places(p)
	state := make([]int, len(p.Steps)) // 0 unseen, 1 on the way, 2 done
	var way []int
	var visit func(i int) []string
	visit = func(i int) []string {
		state[i] = 1
		way = append(way, i)
		for _, d := range p.Steps[i].DependsOn {
			j, ok := at[d]
			switch {
			case !ok || state[j] == 2:
			case state[j] == 1:
				var ids []string
				for _, k := range way[slices.Index(way, j):] {
					ids = append(ids, p.Steps[k].ID)
				}
				return append(ids, d)
			default:
				if circle := visit(j); circle != nil {
					return circle
				}
			}
		}
		way, state[i] = way[:len(way)-1], 2
		return nil
	}
	for i := range p.Steps {
		if state[i] == 0 {
			if circle := visit(i); circle != nil {
				return circle
			}
		}
	}
	return nil
}

//go:noinline
func places(p nebula.Plan) map[string]int {
	at := make(map[string]int, len(p.Steps))
	for i := range p.Steps {
		at[p.Steps[i].ID] = i
	}
	return at
}

// Ready are the places of the steps that could run now: not begun, and nothing they depend on is open. They stand in
// the plan's order.
func Ready(p nebula.Plan) []int {
	at := places(p)
	var ready []int
	for i := range p.Steps {
		s := &p.Steps[i]
		open := func(id string) bool {
			j, ok := at[id]
			return !ok || !Over(p.Steps[j].Status)
		}
		if s.Status == nebula.Pending && !slices.ContainsFunc(s.DependsOn, open) {
			ready = append(ready, i)
		}
	}
	return ready
}

// Next are the steps to begin now, so that at most that many run side by side: ready ones whose files are not those of
// a step under way.
func Next(p nebula.Plan, most int) []int {
	var under, next []int
	for i := range p.Steps {
		if p.Steps[i].Status == nebula.InProgress {
			under = append(under, i)
		}
	}
	for _, i := range Ready(p) {
		if len(under) >= most {
			break
		}
		apart := func(j int) bool { return Overlap(p.Steps[i].Files, p.Steps[j].Files) }
		if !slices.ContainsFunc(under, apart) {
			under, next = append(under, i), append(next, i)
		}
	}
	return next
}

// Overlap reports whether two steps may touch the same file. A step that declares none may touch every file; a
// declared folder, or one that ends in a slash or in /**, stands for everything in it.
func Overlap(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	for _, x := range a {
		for _, y := range b {
			if within(x, y) || within(y, x) {
				return true
			}
		}
	}
	return false
}

func within(path, in string) bool {
	path, in = declared(path), declared(in)
	return in == "" || path == in || strings.HasPrefix(path, in+"/")
}

// declared is a declared path as it is compared: without what is written around it, and up to its first wild card.
func declared(path string) string {
	path = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(path)), "./")
	if i := strings.IndexAny(path, "*?["); i >= 0 {
		path = path[:strings.LastIndexByte(path[:i], '/')+1]
	}
	path = strings.TrimRight(path, "/")
	if path == "." {
		return ""
	}
	return path
}

// Names reports whether a path is one that a step declares. Declarations may be folders and patterns; the path is what it is: no
// character of it stands for another, and a declaration that is the path itself is that path, whatever characters are in it.
//
//go:noinline
func Names(declarations []string, actual string) bool { return declares(declarations, actual, false) }

// Leads reports whether a folder is one that a step declares, or one that leads to what it declares.
func Leads(declarations []string, folder string) bool { return declares(declarations, folder, true) }

func declares(declarations []string, actual string, leads bool) bool {
	parts := strings.Split(path.Clean(actual), "/")
	return slices.ContainsFunc(declarations, func(d string) bool {
		d = path.Clean(strings.TrimSpace(d))
		return d == "." || fits(strings.Split(d, "/"), parts, leads)
	})
}

// fits reports whether a path is what a declaration stands for, or lies in it; leads, whether one that it lies below will do.
func fits(declared, path []string, leads bool) bool {
	switch {
	case len(declared) == 0:
		return true
	case len(path) == 0:
		return leads
	case declared[0] == "**":
		return fits(declared[1:], path, leads) || fits(declared, path[1:], leads)
	}
	return part(declared[0], path[0]) && fits(declared[1:], path[1:], leads)
}

// part reports whether a name is one that a part of a declaration stands for. Brackets stand for themselves: routes are called
// so, and what a declaration covers is to be seen from it.
func part(declared, name string) bool {
	matches, _ := path.Match(literally.Replace(declared), name)
	return matches
}

var literally = strings.NewReplacer(`\`, `\\`, `[`, `\[`)

// Settle is the plan with the status that follows from its steps, once it was approved.
func Settle(p nebula.Plan) nebula.Plan {
	if p.Status == nebula.Draft {
		return p
	}
	under, begun, failed := false, false, false
	for i := range p.Steps {
		switch p.Steps[i].Status {
		case nebula.InProgress:
			under, begun = true, true
		case nebula.StageFailed:
			failed, begun = true, true
		case nebula.Completed, nebula.StageSkipped:
			begun = true
		}
	}
	done := Done(p)
	switch {
	case done == len(p.Steps) && len(p.Steps) > 0:
		p.Status = nebula.Completed
	case under:
		p.Status = nebula.InProgress
	case failed && len(Ready(p)) == 0:
		p.Status = nebula.StageFailed
	case begun:
		p.Status = nebula.InProgress
	default:
		p.Status = nebula.Approved
	}
	return p
}
