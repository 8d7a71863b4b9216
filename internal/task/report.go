package task

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

// finish ends the step: what it came to is on disk, and the report, which is its agent's last words and what the record
// knows, is in the person's conversation.
func (j *job) finish(status nebula.Stage, cause nebula.Code, e *nebula.Evidence) error {
	l := j.loop
	report := nebula.Report{Status: status, Cause: cause}
	for _, t := range j.step.Tasks {
		switch t.Status {
		case nebula.Completed:
			report.Succeeded++
		case nebula.StageFailed:
			report.Failed++
		}
	}
	step := j.step
	step.Evidence = e
	report.Summary = summary(step, report, l.setup.Lang)
	if said := strings.TrimSpace(j.said); said != "" && j.worked && status == nebula.Completed && !j.idle {
		report.Summary = shorter(said) + "\n" + report.Summary
	}
	what := nebula.Code(status)
	if e != nil && e.How == nebula.Unchecked {
		what = "not checked"
		report.Summary += "\n" + j.unseen(e)
	}
	if j.refused != nil {
		report.Summary += "\n" + fmt.Sprintf(phrase.In(l.setup.Lang, "refused, and its check passed without it: %s"), plan.Say(j.refused.why, l.setup.Lang))
	}
	if out := j.foreign(plan.Changed(step)); len(out) > 0 {
		report.Summary += "\n" + j.notIts(out)
	}
	if status == nebula.StageFailed && step.Tree != "" {
		report.Summary += "\n" + fmt.Sprintf(phrase.In(l.setup.Lang, "what it did is not in the folder, it stands in its copy of it: %s"), step.Tree)
	}
	tree := ""
	if err := j.keep(what, func(s *nebula.PlanStep) {
		s.Status, s.Evidence, s.Report, s.Ended = status, e, &report, l.setup.Now().UTC()
		if tree = s.Tree; status == nebula.Completed {
			s.Tree = ""
		}
	}); err != nil {
		return &halt{nebula.TurnFailed, words(err)}
	}
	if tree != "" && status == nebula.Completed {
		defer l.setup.Forks.Remove(tree)
	}
	p, err := l.current(j.plan)
	if err != nil {
		return err
	}
	did := l.made(j.step.Changing())
	l.tell(nebula.Reported{Plan: j.plan, Step: j.step.ID, Title: j.step.Name, Report: report, Changes: did.changes, Lost: did.lost, Blind: did.blind, Session: cmp.Or(j.step.Changing(), j.step.Session), Usage: j.used,
		Text: reported(p, j.step, l.setup.Lang)})
	return nil
}

// mostSaid bounds what a report has of an agent's last words, in characters.
const mostSaid = 1000

func shorter(text string) string {
	if r := []rune(text); len(r) > mostSaid {
		return string(r[:mostSaid-1]) + "…"
	}
	return text
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
		text += ": " + plan.Say(r.Cause, lang)
	}
	return text
}

// reported is a report as the model reads it in the conversation, with what could come next.
func reported(p nebula.Plan, s nebula.PlanStep, lang string) string {
	report := *s.Report
	report.Cause = nebula.Code(plan.Say(report.Cause, lang))
	data, err := json.Marshal(report)
	if err != nil {
		data = []byte(report.Summary)
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
