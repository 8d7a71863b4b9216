package task

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

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
	err := l.ask(ctx, j.with, j.spend(), plan.Reporting(step, cause, l.setup.Lang), func(text string) (err error) {
		report, err = plan.ReadReport(text, known)
		return err
	})
	if err != nil { // the step stands without fine words
		report = known
	}
	what := nebula.Code(status)
	if e != nil && e.How == nebula.Unchecked {
		what = "not checked"
		report.Summary += "\n" + j.unseen(e)
	}
	if out := j.foreign(plan.Changed(step)); len(out) > 0 {
		report.Summary += "\n" + j.notIts(out)
	}
	if err := j.keep(what, func(s *nebula.PlanStep) {
		s.Status, s.Evidence, s.Report, s.Ended = status, e, &report, l.setup.Now().UTC()
	}); err != nil {
		return &halt{nebula.TurnFailed, words(err)}
	}
	p, err := l.current(j.plan)
	if err != nil {
		return err
	}
	changes, lost := l.made(j.step.Session)
	l.tell(nebula.Reported{Plan: j.plan, Step: j.step.ID, Title: j.step.Name, Report: report, Changes: changes, Lost: lost, Session: j.step.Session, Usage: j.used,
		Text: reported(p, j.step, l.setup.Lang)})
	return nil
}

// unseen says that nobody has looked, and at what.
func (j *job) unseen(e *nebula.Evidence) string {
	if j.idle {
		return fmt.Sprintf(phrase.In(j.loop.setup.Lang, "not checked, nothing was done that a check could show; its agent says: %s"), e.Detail)
	}
	return fmt.Sprintf(phrase.In(j.loop.setup.Lang, "not checked, no program can tell: %s"), e.Detail)
}

func summary(s nebula.PlanStep, r nebula.Report, lang string) string {
	text := fmt.Sprintf(phrase.In(lang, "%s: %d of %d tasks succeeded"), s.Name, r.Succeeded, len(s.Tasks))
	if s.Evidence != nil && s.Evidence.How != nebula.Unchecked {
		text += fmt.Sprintf(phrase.In(lang, "; verified by %s (%s)"), s.Evidence.How, s.Evidence.Detail)
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
	text := fmt.Sprintf(phrase.In(lang, "[Report of the task loop: step %s %q ended]\n%s"), s.ID, s.Name, data)
	if changed := plan.Changed(s); len(changed) > 0 {
		text += "\n" + phrase.In(lang, "changed: ") + fmt.Sprint(changed)
	}
	if next := plan.Ready(p); len(next) > 0 {
		n := p.Steps[next[0]]
		text += "\n" + fmt.Sprintf(phrase.In(lang, "Next could be %s: %s"), n.ID, n.Name)
	} else if p.Status == nebula.Completed {
		text += "\n" + phrase.In(lang, "The plan is completed.")
		if open := plan.Unchecked(p); len(open) > 0 {
			text += " " + fmt.Sprintf(phrase.In(lang, "Not checked of it: %s"), strings.Join(open, ", "))
		}
	}
	return text
}
