package task

import (
	"context"
	"fmt"
	"slices"

	"nebula"
)

// A trace is what a step's session tells of one task.
type trace struct {
	proposal *nebula.Proposal
	began    bool
	result   *nebula.Result
}

// past is what an earlier process did in the step's session, by task.
func (j *job) past(ctx context.Context) (map[string]*trace, error) {
	tasks := map[string]*trace{}
	calls := map[string]*trace{} // by action
	of := func(action string) *trace {
		if t := calls[action]; t != nil {
			return t
		}
		return &trace{}
	}
	for e, err := range j.loop.setup.Load(ctx, j.step.Session) {
		if err != nil {
			return nil, err
		}
		switch b := e.Body.(type) {
		case nebula.Replied:
			for _, a := range b.Intent.Actions {
				t := &trace{}
				tasks[a.Call], calls[a.ID] = t, t
			}
		case nebula.Proposed:
			of(b.Proposal.Action.ID).proposal = &b.Proposal
		case nebula.Began:
			of(b.Action).began = true
		case nebula.Finished:
			of(b.Result.Action).result = &b.Result
		}
	}
	return tasks, nil
}

// settle decides what became of the tasks that an earlier process left open: what is recorded as done is done; of what
// was under way the files tell whether it happened; and where they do not, the person does.
func (j *job) settle(ctx context.Context, past map[string]*trace) error {
	for n, t := range j.step.Tasks {
		tr := past[t.ID]
		if tr != nil && tr.result != nil {
			j.changes = append(j.changes, tr.result.Changes...)
		}
		if t.Status != nebula.InProgress && t.Status != nebula.Pending || tr == nil {
			continue
		}
		switch {
		case tr.result != nil && tr.result.Status == nebula.Done:
			if err := j.keep(ctx, "", func(s *nebula.PlanStep) { ended(&s.Tasks[n], *tr.result) }); err != nil {
				return err
			}
		case !tr.began:
		default:
			if tr.result != nil && tr.result.Status != nebula.Interrupted {
				continue // it failed, and may be tried
			}
			if err := j.decide(ctx, n, tr); err != nil {
				return err
			}
		}
	}
	return nil
}

// decide finds out whether a task that was under way took effect.
func (j *job) decide(ctx context.Context, n int, tr *trace) error {
	happened, known := j.happened(tr)
	t := j.step.Tasks[n]
	if !known {
		lang := j.loop.setup.Lang
		again := word(lang, "run it again", "もう一度実行する")
		accept := word(lang, "it is done", "完了している")
		a, err := j.wonder(ctx, t.ID, nebula.Question{
			Text:    fmt.Sprintf(word(lang, "nebula ended while this ran: %s. Whether it took effect is not known.", "実行中に nebula が終了しました: %s。効果があったかは分かりません。"), describe(tr)),
			Options: []string{again, accept},
		})
		if err != nil {
			return err
		}
		happened = a.Text == accept || a.Text == "2"
	}
	if !happened {
		return nil
	}
	return j.keep(ctx, "", func(s *nebula.PlanStep) {
		r := nebula.Result{Status: nebula.Done, Summary: word(j.loop.setup.Lang, "done before nebula ended", "nebula の終了前に完了")}
		ended(&s.Tasks[n], r)
		for _, target := range tr.proposal.Targets {
			s.Tasks[n].Result.Changed = append(s.Tasks[n].Result.Changed, target.Path)
		}
	})
}

// happened compares the files with what they were when the task was shown and with what it makes of them. It is known
// only where all files tell the same.
func (j *job) happened(tr *trace) (happened, known bool) {
	p := tr.proposal
	if p != nil && p.Action.Tool == j.loop.setup.Tests {
		return false, true // running tests again does no harm
	}
	if p == nil || p.Command != "" || p.Effect != nebula.Write {
		return false, p != nil && !p.Effect.Changes()
	}
	files := slices.DeleteFunc(slices.Clone(p.Targets), func(t nebula.Target) bool { return t.Kind == "mkdir" && len(p.Targets) > 1 })
	before, after := 0, 0
	for _, t := range files {
		hash, there := j.loop.setup.Hash(t.Path)
		if t.Kind == "mkdir" {
			if there {
				after++
			} else {
				before++
			}
			continue
		}
		switch {
		case there && t.After != "" && hash == t.After, !there && t.After == "":
			after++
		case there && t.Hash != "" && hash == t.Hash, !there && t.Hash == "":
			before++
		}
	}
	switch len(files) {
	case after:
		return true, true
	case before:
		return false, true
	}
	return false, false
}

func describe(tr *trace) string {
	if tr.proposal == nil {
		return "?"
	}
	return or(tr.proposal.Command, tr.proposal.Summary)
}
