package task

import (
	"cmp"
	"context"
	"encoding/json"
	"nebula/internal/plan"
	"strings"

	"nebula"
)

// repairs is how often the step's agent is sent back to make good what failed or what a check found.
const repairs = 3

// hard is at which of these times the step is taken for hard, and goes on with the model for such.
const hard = 2

// verify shows that the step works, or says why not; some times, its agent may mend what it did.
func (j *job) verify(ctx context.Context) (*nebula.Evidence, error) {
	for {
		e, wrong, err := j.check(ctx)
		if err != nil || e != nil {
			return e, err
		}
		j.turned = true
		made, err := j.mend(ctx, plan.Say(wrong, j.loop.setup.Lang))
		if err != nil {
			return nil, err
		}
		if !made {
			return nil, failure(wrong)
		}
	}
}

// check carries the verification out, all of it: evidence, or what is wrong. Where no program can tell, the evidence says
// that nobody has looked, provided that the step's agent came to its end.
func (j *job) check(ctx context.Context) (e *nebula.Evidence, wrong nebula.Code, err error) {
	s, v := j.loop.setup, j.step.Verify
	var how, detail []string
	if (v.Tests || v == nebula.Verify{}) && (s.Checkable == nil || s.Checkable()) {
		r, err := j.act(ctx, nebula.Action{Call: j.step.ID + ".verify", Tool: s.Tests, Args: json.RawMessage(`{}`), Reason: j.step.Name})
		switch {
		case err != nil || r.Status != nebula.Done || r.Tests != nil && !r.Tests.OK:
			return nil, code(plan.CheckFailed, cmp.Or(r.Text, r.Summary)), err
		case r.Tests != nil && !r.Tests.Chosen && r.Tests.Passed == 0:
			return nil, code(plan.RanNoTest, cmp.Or(r.Text, r.Summary)), nil
		}
		how, detail = append(how, "tests"), append(detail, cmp.Or(r.Summary, r.Text))
	}
	if v.Command != "" {
		r, err := j.act(ctx, nebula.Action{Call: j.step.ID + ".verify", Tool: s.Command, Args: arguments("command", v.Command), Reason: j.step.Name})
		switch {
		case err != nil || r.Status != nebula.Done || r.Exit != nil && *r.Exit != 0:
			return nil, code(plan.CheckFailed, cmp.Or(r.Text, r.Summary)), err
		case s.Counted != nil && s.Counted(v.Command, r.Text).Passed == 0:
			return nil, code(plan.RanNoTest, cmp.Or(r.Text, r.Summary)), nil
		}
		how, detail = append(how, "command"), append(detail, v.Command)
	}
	switch {
	case len(how) > 0:
		return j.evidence(strings.Join(how, ", "), strings.Join(detail, "; ")), "", nil
	case j.broke != "":
		return nil, code(plan.CheckFailed, j.broke), nil
	}
	return j.evidence(nebula.Unchecked, cmp.Or(v.Person, j.step.Description, j.step.Name)), "", nil
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
