package task

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"nebula"
)

// repairs is how often the model may mend a task that failed, or what a verification found.
const repairs = 3

// verify shows that the step works, or says why not; some times, the model may mend what it did.
func (j *job) verify(ctx context.Context) (*nebula.Evidence, error) {
	for {
		e, wrong, err := j.check(ctx)
		if err != nil || e != nil {
			return e, err
		}
		if waited, err := j.wait(ctx, wrong); err != nil {
			return nil, err
		} else if waited {
			continue
		}
		if j.mended == repairs || j.step.Verify.Person != "" {
			return nil, fmt.Errorf("its verification failed: %s", wrong)
		}
		j.mended++
		p, err := j.loop.current(j.plan)
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
			return j.evidence("tests", cmp.Or(r.Summary, r.Text), "nebula"), "", nil
		}
		return nil, cmp.Or(r.Text, r.Summary), err
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
		return nil, cmp.Or(r.Text, r.Summary), err
	}
	return j.look(ctx, cmp.Or(v.Person, j.step.Description))
}

// noTest is what is wrong with a verification that ended well and ran no test: it would have ended so without the step.
func (j *job) noTest(r nebula.Result) string {
	return word(j.loop.setup.Lang, "it ran no test", "テストが一つも実行されていません") + "\n" + cmp.Or(r.Text, r.Summary)
}

func (j *job) evidence(how, detail, by string) *nebula.Evidence {
	return &nebula.Evidence{How: how, Detail: detail, By: by, At: j.loop.setup.Now().UTC()}
}

// look has the person verify the step.
func (j *job) look(ctx context.Context, what string) (e *nebula.Evidence, wrong string, err error) {
	lang := j.loop.setup.Lang
	q := nebula.Question{
		Text:    fmt.Sprintf(word(lang, "Step %s is done as far as nebula can tell. Please check: %s. Does it work?", "ステップ %s の作業が終わりました。確認してください: %s。問題ありませんか?"), j.step.ID, what),
		Options: []string{word(lang, "yes", "はい"), word(lang, "no", "いいえ")},
	}
	a, err := j.wonder(ctx, "verify", q)
	if err != nil {
		return nil, "", err
	}
	if a.Answer == nebula.Yes || a.Answer == nebula.Always || a.Answer == nebula.Told && (a.Text == q.Options[0] || j.loop.setup.Yes(a.Text)) {
		return j.evidence("person", what, cmp.Or(a.By, "person")), "", nil
	}
	return nil, cmp.Or(a.Text, q.Options[1]), nil
}
