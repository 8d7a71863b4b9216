package task

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
	"nebula/internal/state"
)

// repairs is how often the step's agent is sent back to make good what failed or what a check found.
const repairs = 3

// hard is at which of these times the step is taken for hard, and goes on with the model for such.
const hard = 2

// baseline runs the tests before anything of the plan is done, where they, or a command that runs them, are to show that the step works: what failed then is no
// failure of the plan's. It is done once for a plan, and kept with it.
func (j *job) baseline(ctx context.Context) error {
	p, err := j.loop.current(j.plan)
	j.before = p.Before
	if err != nil || p.Before != nil || !j.tested() && !(j.checkable() && state.RunsTests(j.step.Verify.Command)) || j.briefed || slices.ContainsFunc(p.Steps, func(s nebula.PlanStep) bool { return len(plan.Changed(s)) > 0 }) {
		return err
	}
	r, err := j.act(ctx, nebula.Action{Call: j.step.ID + ".before", Tool: j.loop.setup.Tests, Args: json.RawMessage(`{}`), Reason: phrase.In(j.loop.setup.Lang, "as it was before the plan")})
	if h, is := errors.AsType[*halt](err); is && h.status == nebula.NeedsApproval {
		return nil // it is asked about again when there is something to show
	}
	if err != nil || r.Tests == nil {
		return err
	}
	j.loop.do(func(o *owner) {
		_, err = o.change(j.plan, []string{}, func(p nebula.Plan) (nebula.Plan, error) {
			p.Before = cmp.Or(p.Before, r.Tests)
			j.before = p.Before
			return p, nil
		})
	})
	return err
}

// tested reports whether the project's tests are to show that the step works, and are there.
//
//go:noinline
func (j *job) tested() bool {
	v := j.step.Verify
	return (v.Tests || v == nebula.Verify{}) && j.checkable()
}

func (j *job) checkable() bool {
	s := j.loop.setup
	return j.plan != "" && (s.Checkable == nil || s.Checkable(j.step.Tree))
}

// old reports whether all that fails in a test run failed before the step and is not the step's to mend, and names what is new.
func (j *job) old(r *nebula.TestReport) (fresh []string, all bool) {
	p, err := j.loop.current(j.plan)
	if err != nil || r == nil || j.before == nil || j.before.OK || len(r.Failing) == 0 {
		return nil, false
	}
	fresh = lists.Drop(lists.Clone(r.Failing), func(name string) bool { return redBefore(j.before, name) })
	return fresh, len(fresh) == 0 && r.Failed <= max(j.before.Failed, len(r.Failing)) && len(plan.Owed(p, j.step, r.Failing, j.before.Failing...)) == 0
}

// redBefore reports whether a test is among those that failed, by its name or in what failed as a whole: some runners name the package, too,
// and of a file that does not load no test.
//
//go:noinline
func redBefore(r *nebula.TestReport, test string) bool {
	return slices.ContainsFunc(r.Failing, func(was string) bool {
		return was == test || strings.HasSuffix(was, " "+test) || strings.HasSuffix(test, " "+was) ||
			strings.HasPrefix(test, was+"::") || strings.HasPrefix(test, was+" ") && !strings.Contains(was, " ")
	})
}

// left takes in a run of the tests in which nothing fails that passed before the step, and names what does. shown says that others pass by
// now: such that failed, or that the step wrote, in a run of no fewer. What fails in it and failed before is all that the steps after this one find red.
func (j *job) left(r *nebula.TestReport) (names string, shown bool) {
	all := j.before.Command == r.Command || r.Passed+r.Failed >= j.before.Passed+j.before.Failed
	shown = all && r.Passed > j.before.Passed && (slices.ContainsFunc(j.before.Failing, func(name string) bool { return !lists.Has(r.Failing, name) }) ||
		slices.ContainsFunc(plan.Changed(j.step), state.TestFile))
	return strings.Join(r.Failing[:min(len(r.Failing), mostLeft)], ", "), shown
}

// mostLeft bounds how many tests are named that failed before a step.
const mostLeft = 20

// later takes in a run of the tests in which all that is new and fails are tests of the step's own, which says that it writes such, or is about
// tests and wrote nothing else, or that a step before it left, where other steps are still to end. It is how the step is known by that; empty for any other run.
func (j *job) later(r *nebula.Result, how string) string {
	p, err := j.loop.current(j.plan)
	if err != nil || r.Tests == nil || r.Tests.OK || r.Tests.Failed > len(r.Tests.Failing) || plan.Last(p, j.step) {
		return ""
	}
	changed := plan.Changed(j.step)
	only := lazy.Any("test|spec|テスト", j.step.Name+" "+j.step.Description) && !slices.ContainsFunc(changed, func(f string) bool { return !state.TestFile(f) })
	own, whole, names := false, true, []string(nil)
	for _, name := range r.Tests.Failing {
		file, _, _ := strings.Cut(name, "::")
		named := strings.Contains(path.Base(file), ".") // else its package is
		switch {
		case j.before != nil && redBefore(j.before, name):
			continue
		case slices.ContainsFunc(p.Steps, func(o nebula.PlanStep) bool {
			return o.ID != j.step.ID && o.Evidence != nil && strings.Contains(o.Evidence.Detail, file)
		}):
		case len(changed) > 0 && (only || plan.RedFirst(j.step)) && slices.ContainsFunc(changed, func(f string) bool { return state.TestFile(f) && (!named || path.Base(f) == path.Base(file)) }):
			own = true
		default:
			return ""
		}
		names, whole = append(names, name), whole && !strings.ContainsAny(name, " :›>")
	}
	// what passed before passes, or did not run since a file does not load that holds nothing but tests
	if len(names) == 0 || j.before != nil && r.Tests.Passed < j.before.Passed && !(whole && (only || !own)) || !own && len(plan.Owed(p, j.step, names)) > 0 {
		return ""
	}
	if !own {
		how = nebula.Unchecked
	}
	r.Summary = fmt.Sprintf(phrase.In(j.loop.setup.Lang, "%s; left for a later step: %s"), r.Summary, strings.Join(names[:min(len(names), mostLeft)], ", "))
	return how
}

// reds keeps that less fails than before: a step after this one that has it fail again broke it.
//
//go:noinline
func (j *job) reds(r *nebula.TestReport) {
	tells := func(before *nebula.TestReport) bool {
		return r != nil && before != nil && !before.OK && before.Command == r.Command && (r.OK || len(r.Failing) > 0)
	}
	if p, err := j.loop.current(j.plan); err != nil || !tells(p.Before) {
		return // nothing is to be kept
	}
	j.loop.do(func(o *owner) {
		_, _ = o.change(j.plan, []string{}, func(p nebula.Plan) (nebula.Plan, error) {
			if tells(p.Before) {
				now := *r
				now.Failing = lists.Drop(lists.Clone(r.Failing), func(name string) bool { return !redBefore(p.Before, name) })
				now.Failed = len(now.Failing)
				now.OK = now.Failed == 0
				p.Before = &now
			}
			return p, nil
		})
	})
}

// verify shows that the step works, or says why not; some times, its agent may mend what it did. What a check said stands in its
// conversation already.
func (j *job) verify(ctx context.Context) (*nebula.Evidence, error) {
	for {
		e, wrong, err := j.check(ctx)
		if err != nil || e != nil {
			return e, err
		}
		j.turned = true
		short := wrong.text
		if wrong.summary != "" {
			short = code(plan.CheckFailed, fmt.Sprintf(phrase.In(j.loop.setup.Lang, "%s (its output stands above)"), wrong.summary))
		}
		made, err := j.mend(ctx, plan.Say(short, j.loop.setup.Lang))
		if err != nil {
			return nil, err
		}
		if !made {
			return nil, failure(wrong.text)
		}
	}
}

// A finding is what a check found wrong: all of it, and in one line where its output stands in the step's conversation.
type finding struct {
	text    nebula.Code
	summary string
}

// found is what is wrong by a result.
func found(id string, r nebula.Result) finding {
	text := cmp.Or(r.Text, r.Summary)
	return finding{code(id, text), r.Summary}
}

// check carries the verification out, all of it: evidence, or what is wrong. Where no program can tell, the evidence says
// that nobody has looked, provided that the step's agent came to its end.
func (j *job) check(ctx context.Context) (e *nebula.Evidence, wrong finding, err error) {
	s, v := j.loop.setup, j.step.Verify
	var how, detail []string
	red := false // tests that failed before, and nothing shows that the step did more than leave them
	left := func(r nebula.Result) string {
		names, shown := j.left(r.Tests)
		red = red || !shown
		return fmt.Sprintf(phrase.In(s.Lang, "%s; failed before this step: %s"), r.Summary, names)
	}
	if j.tested() {
		r, err := j.act(ctx, nebula.Action{Call: j.step.ID + ".verify", Tool: s.Tests, Args: json.RawMessage(`{}`), Reason: j.step.Name})
		fresh, old := j.old(r.Tests)
		open := j.later(&r, "tests")
		switch {
		case err == nil && old:
			r.Summary = left(r)
		case err == nil && open != "":
			return j.evidence(open, r.Summary), wrong, nil
		case err != nil || r.Status != nebula.Done || r.Tests != nil && !r.Tests.OK:
			if len(fresh) > 0 && len(fresh) < len(r.Tests.Failing) {
				r.Summary += fmt.Sprintf(phrase.In(s.Lang, "; new since the plan began: %s"), strings.Join(fresh, ", "))
			}
			return nil, found(plan.CheckFailed, r), err
		case r.Tests != nil && !r.Tests.Chosen && r.Tests.Passed == 0:
			return nil, found(plan.RanNoTest, r), nil
		}
		j.reds(r.Tests)
		how, detail = append(how, "tests"), append(detail, cmp.Or(r.Summary, r.Text))
	}
	if v.Command != "" {
		r, err := j.act(ctx, nebula.Action{Call: j.step.ID + ".verify", Tool: s.Command, Args: arguments("command", v.Command), Reason: j.step.Name})
		_, old := j.old(r.Tests)
		open := j.later(&r, "command")
		switch {
		case err == nil && old && state.RunsTests(v.Command):
			detail = append(detail, left(r))
		case err == nil && state.RunsTests(v.Command) && open != "":
			return j.evidence(open, v.Command+"; "+r.Summary), wrong, nil
		case err != nil || r.Status != nebula.Done || r.Exit != nil && *r.Exit != 0:
			return nil, found(plan.CheckFailed, r), err
		case s.Counted != nil && s.Counted(v.Command, r.Text).Passed == 0:
			return nil, found(plan.RanNoTest, r), nil
		}
		j.reds(r.Tests)
		how, detail = append(how, "command"), append(detail, v.Command)
	}
	switch {
	case red: // nobody can tell whether the step is right by tests that fail
		return j.evidence(nebula.Unchecked, strings.Join(detail, "; ")), wrong, nil
	case len(how) > 0:
		return j.evidence(strings.Join(how, ", "), strings.Join(detail, "; ")), wrong, nil
	case j.broke != "":
		return nil, finding{text: code(plan.CheckFailed, j.broke)}, nil
	}
	return j.evidence(nebula.Unchecked, cmp.Or(v.Person, j.step.Description, j.step.Name)), wrong, nil
}

func (j *job) evidence(how, detail string) *nebula.Evidence {
	return &nebula.Evidence{How: how, Detail: detail, By: "nebula", At: j.loop.setup.Now().UTC()}
}

// earned is the evidence of a step that did something for it. Where it touched none of the files that it names, or did
// nothing at all, and no check failed before, the check passed without it and shows nothing of it: then nobody has looked,
// whatever its agent says.
func (j *job) earned(e *nebula.Evidence) *nebula.Evidence {
	if e.How == nebula.Unchecked || j.turned || j.did() {
		return e
	}
	j.idle = true
	return j.evidence(nebula.Unchecked, cmp.Or(strings.TrimSpace(j.said), j.step.Description, j.step.Name))
}
