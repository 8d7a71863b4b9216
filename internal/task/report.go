package task

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/plan"
	"nebula/internal/state"
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
	report.Facts = []nebula.Code{tally(step, report)}
	// of a step that failed, words that tell of no trouble would stand against that
	if said := strings.TrimSpace(j.said); said != "" && (status == nebula.StageFailed && !state.Unspoken(said) || j.worked && status == nebula.Completed && !j.idle) {
		report.Said = shorter(said)
	}
	what := nebula.Code(status)
	if e != nil && e.How == nebula.Unchecked {
		if what = "not checked"; j.refused == nil {
			report.Facts = append(report.Facts, j.unseen(e))
		}
	}
	if j.refused != nil {
		report.Facts = append(report.Facts, nebula.NewCode(plan.WithoutIt, string(j.refused.why)))
	}
	if out := j.foreign(plan.Changed(step)); len(out) > 0 {
		report.Facts = append(report.Facts, nebula.NewCode(plan.NotItsFiles, step.ID, strings.Join(out, ", ")))
	}
	if status == nebula.StageFailed && step.Tree != "" {
		report.Facts = append(report.Facts, nebula.NewCode(plan.InItsCopy, step.Tree))
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
func (j *job) unseen(e *nebula.Evidence) nebula.Code {
	if j.idle {
		return nebula.NewCode(plan.NothingToShow, e.Detail)
	}
	return nebula.NewCode(plan.NobodyCanTell, e.Detail)
}

// tally is how much of a step succeeded, and how that is known.
func tally(s nebula.PlanStep, r nebula.Report) nebula.Code {
	counts := []string{s.Name, strconv.Itoa(r.Succeeded), strconv.Itoa(len(s.Tasks))}
	if s.Evidence != nil && s.Evidence.How != nebula.Unchecked {
		return nebula.NewCode(plan.StepVerified, append(counts, s.Evidence.How, s.Evidence.Detail)...)
	}
	return nebula.NewCode(plan.StepTasks, counts...)
}

// reported is a report as the model reads it in the conversation, with what could come next.
func reported(p nebula.Plan, s nebula.PlanStep, lang string) string {
	report := *s.Report
	report.Summary, report.Said, report.Facts = plan.Account(report, lang), "", nil
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
