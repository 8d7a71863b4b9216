package tui

import (
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/terminal"
)

// A background is what goes on beside the conversation: a plan, how far it has come, and what of it waits for the
// person.
type background struct {
	plan  *nebula.Plan
	done  int
	of    int
	task  nebula.Tasked
	waits []nebula.Queued
}

// aside folds what happens beside the conversation.
func (v *view) aside(body nebula.Body) {
	g := &v.beside
	switch b := body.(type) {
	case nebula.Planned:
		g.plan, g.done, g.of = &b.Plan, 0, len(b.Plan.Steps)
		for _, s := range b.Plan.Steps {
			if s.Status == nebula.Completed || s.Status == nebula.StageSkipped {
				g.done++
			}
		}
	case nebula.Stepped:
		g.done, g.of = b.Done, b.Of
		if g.plan == nil || g.plan.ID != b.Plan {
			return
		}
		plan := *g.plan
		plan.Steps = slices.Clone(plan.Steps)
		for i, s := range plan.Steps {
			if s.ID == b.Step.ID {
				plan.Steps[i] = b.Step
			}
		}
		g.plan = &plan
	case nebula.Tasked:
		g.task = b
	case nebula.Queued:
		g.waits = append(g.waits, b)
	case nebula.Reported:
		t := good
		if b.Report.Status == nebula.StageFailed {
			t = warning
		}
		v.note(t, terminal.Visible("◆ "+b.Title+": "+b.Report.Summary))
	}
}

// settled takes an answered question off the queue.
func (g *background) settled(ask string) {
	g.waits = slices.DeleteFunc(g.waits, func(q nebula.Queued) bool { return q.Ask == ask })
}

// runs reports whether there is something to show all the time.
func (g background) runs() bool {
	return len(g.waits) > 0 || g.plan != nil && (g.plan.Status == nebula.InProgress || g.plan.Status == nebula.Draft || g.plan.Status == nebula.Approved)
}

// strip is the background in one row.
func (g background) strip(d drawer) string {
	parts := []string{}
	if g.plan != nil {
		parts = append(parts, fmt.Sprintf("%s %d/%d %s", bar(g.done, g.of), g.done, g.of, terminal.Visible(g.plan.Name)))
	}
	if g.task.Title != "" && g.plan != nil && g.plan.Status == nebula.InProgress {
		parts = append(parts, fmt.Sprintf("%s %d/%d", terminal.Visible(g.task.Title), g.task.Number, g.task.Of))
	}
	text := terminal.Paint(d.style.dim, "◆ "+strings.Join(parts, " · "))
	tail := ""
	if n := len(g.waits); n > 0 {
		tail = " " + terminal.Paint(d.style.warn, fmt.Sprintf(d.words.WaitsBeside, n))
	}
	if terminal.Bare(tail) >= d.width {
		return terminal.Paint(d.style.warn, terminal.Clip(fmt.Sprintf(d.words.WaitsBeside, len(g.waits)), d.width))
	}
	room := d.width - terminal.Bare(tail)
	if terminal.Bare(text) > room {
		text = terminal.Paint(d.style.dim, terminal.Clip("◆ "+strings.Join(parts, " · "), room))
	}
	return text + tail
}

func bar(done, of int) string {
	full := 0
	if of > 0 {
		full = min(done*5/of, 5)
	}
	return strings.Repeat("█", full) + strings.Repeat("░", 5-full)
}

// tasks opens what waits, or shows the plan; with a word it says how the work goes on.
func (a *app) tasks(word string) {
	directions := []nebula.Direction{nebula.RunPlan, nebula.ApprovePlan, nebula.PausePlan, nebula.CancelPlan}
	if slices.Contains(directions, nebula.Direction(word)) {
		a.send(nebula.Direct{Do: nebula.Direction(word)})
		return
	}
	g := a.view.beside
	if len(g.waits) == 0 {
		a.planPage()
		return
	}
	p := &picker{title: a.words.PickWaiting, chosen: func(a *app, i int, _ string) {
		if i < len(g.waits) {
			a.openWaiting(g.waits[i])
		} else {
			a.planPage()
		}
	}}
	for _, q := range g.waits {
		p.rows = append(p.rows, choice{q.Title, waitingFor(q)})
	}
	if g.plan != nil {
		p.rows = append(p.rows, choice{a.words.PlanBrief, g.plan.Name})
	}
	a.offer(p)
}

func waitingFor(q nebula.Queued) string {
	switch {
	case q.Question != nil:
		return q.Question.Text
	case q.Proposed != nil:
		return q.Proposed.Proposal.Summary
	}
	return q.Ask
}

// openWaiting asks a question of the background here and now.
func (a *app) openWaiting(q nebula.Queued) {
	a.waiting = &nebula.Asked{Ask: q.Ask, Question: q.Question}
	a.waitingBlock = nil
	if q.Proposed != nil {
		a.waitingBlock = a.view.add(&block{kind: act, gap: true,
			action: &action{proposal: q.Proposed.Proposal, verdict: q.Proposed.Verdict, points: q.Proposed.Points, asked: true}})
	} else if q.Question != nil {
		a.view.add(&block{kind: say, text: q.Question.Text, gap: true})
	}
	a.follow()
}

// opened is the question of the background that the person opened, as long as it waits and nothing else does.
func (a *app) opened() *nebula.Asked {
	if a.waiting == nil {
		return nil
	}
	if !slices.ContainsFunc(a.view.beside.waits, func(q nebula.Queued) bool { return q.Ask == a.waiting.Ask }) {
		a.shut()
		return nil
	}
	return a.waiting
}

// shut ends the showing of a question of the background; putBack lets it go on waiting.
func (a *app) shut() {
	if b := a.waitingBlock; b != nil {
		b.action.asked, b.action.why = false, false
		b.stale()
	}
	a.waiting, a.waitingBlock = nil, nil
}

func (a *app) putBack() {
	a.shut()
	a.follow()
}

// planPage shows the plan with its steps.
func (a *app) planPage() {
	plan := a.view.beside.plan
	if plan == nil {
		a.hint = a.words.NoPlan
		return
	}
	p := &reading{title: terminal.Visible(plan.Name) + " · " + string(plan.Status)}
	if plan.Goal != "" {
		p.lines = append(p.lines, terminal.Visible(plan.Goal), "")
	}
	marks := map[nebula.Stage]string{nebula.Completed: "✓", nebula.InProgress: "◐", nebula.StageFailed: "✗", nebula.StageSkipped: "–"}
	for i, s := range plan.Steps {
		mark := marks[s.Status]
		if mark == "" {
			mark = "○"
		}
		line := fmt.Sprintf("%s %d. %s", mark, i+1, terminal.Visible(s.Name))
		if len(s.DependsOn) > 0 {
			line += " ← " + terminal.Visible(strings.Join(s.DependsOn, ", "))
		}
		p.lines = append(p.lines, line)
		if s.Description != "" {
			p.lines = append(p.lines, "     "+terminal.Visible(s.Description))
		}
		if s.Report != nil && s.Report.Summary != "" {
			p.lines = append(p.lines, "     → "+terminal.Visible(s.Report.Summary))
		}
	}
	p.lines = append(p.lines, "", a.words.PlanKeys)
	a.page = p
}
