package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// A background is what goes on beside the conversation: a plan, how far it has come, and what of it waits for the
// person.
type background struct {
	plan  *nebula.Plan
	done  int
	of    int
	tasks map[string]progress // by step
	waits []nebula.Queued
}

// A progress is how far a step has come, and when that was said.
type progress struct {
	nebula.Tasked
	at time.Time
}

// aside folds what happens beside the conversation.
func (v *view) aside(body nebula.Body, at time.Time) {
	g := &v.beside
	switch b := body.(type) {
	case nebula.Planned:
		worked := g.works()
		if g.planned(b.Plan); worked && g.plan.Status == nebula.Approved {
			v.note(info, terminal.Visible(g.plan.Name)+": "+v.words.planStage(*g.plan))
		}
		v.verifications(b.Plan)
	case nebula.Stepped:
		g.done, g.of = b.Done, b.Of
		if g.plan == nil || g.plan.ID != b.Plan {
			return
		}
		plan := *g.plan
		plan.Steps = slices.Clone(plan.Steps)
		if b.Step.Status == nebula.InProgress {
			plan.Status = nebula.InProgress
		}
		for i, s := range plan.Steps {
			if s.ID == b.Step.ID {
				plan.Steps[i] = b.Step
			}
		}
		if b.Step.Status != nebula.InProgress {
			delete(g.tasks, b.Step.ID)
		}
		g.plan = &plan
	case nebula.Tasked:
		if g.tasks == nil {
			g.tasks = map[string]progress{}
		}
		g.tasks[b.Step] = progress{b, at}
	case nebula.Queued:
		g.waits = append(g.waits, b)
	case nebula.Reported:
		v.reported(b)
	}
}

// verifications shows the commands that a yes to a plan covers, before it can be said.
func (v *view) verifications(p nebula.Plan) {
	if p.Status != nebula.Draft {
		return
	}
	var lines []string
	for _, s := range p.Steps {
		if s.Verify.Command != "" {
			lines = append(lines, terminal.OneRow(s.ID+"  "+s.Name), "   $ "+terminal.OneRow(s.Verify.Command))
		}
	}
	if len(lines) > 0 {
		v.note(info, strings.Join(lines, "\n"))
	}
}

func (g *background) planned(p nebula.Plan) {
	g.plan, g.done, g.of = &p, 0, len(p.Steps)
	if p.Status != nebula.InProgress {
		g.tasks = nil
	}
	for _, s := range p.Steps {
		if s.Status == nebula.Completed || s.Status == nebula.StageSkipped {
			g.done++
		}
	}
}

func (v *view) reported(b nebula.Reported) {
	mark, t := "✓ ", good
	if b.Report.Status == nebula.StageFailed {
		mark, t = "✗ ", warning
	}
	v.note(t, terminal.Visible(mark+b.Title+": "+b.Report.Summary))
	if b.Report.Cause != "" && b.Report.Status == nebula.StageFailed {
		v.note(faint, "  "+terminal.Visible(b.Report.Cause))
	}
	for _, next := range b.Report.Next {
		v.note(faint, "  → "+terminal.Visible(next))
	}
}

// settled takes an answered question off the queue, and reports whether it was there.
func (g *background) settled(ask string) bool {
	before := len(g.waits)
	g.waits = slices.DeleteFunc(g.waits, func(q nebula.Queued) bool { return q.Ask == ask })
	return len(g.waits) < before
}

// works reports whether steps are being carried out.
func (g background) works() bool { return g.plan != nil && g.plan.Status == nebula.InProgress }

// runs reports whether there is something to show all the time.
func (g background) runs() bool {
	return len(g.waits) > 0 || g.plan != nil && (g.plan.Status == nebula.InProgress || g.plan.Status == nebula.Draft || g.plan.Status == nebula.Approved)
}

// panelWidth is how wide the background's panel is, and panelFrom from which width of the terminal it stands beside the
// conversation. In a narrower one the background has a row of its own.
const (
	panelWidth = 36
	panelFrom  = 112
)

// panelled reports whether the background stands beside the conversation.
func (a *app) panelled() bool {
	return a.width >= panelFrom && a.height >= 12 && !a.options.Inline && a.page == nil && a.view.beside.runs()
}

// withPanel sets the panel beside the rows of the conversation.
func (a *app) withPanel(d drawer, rows []string) []string {
	in := d
	in.width = panelWidth - 2
	panel := a.view.beside.panel(in, len(rows), a.options.Now())
	all := make([]string, len(rows))
	for i, r := range rows {
		all[i] = r + strings.Repeat(" ", max(a.width-panelWidth-terminal.Bare(r), 0)) + terminal.Paint(d.style.dim, glyph("│")) + " " + panel[i]
	}
	return all
}

// panel lays the background out in so many rows.
func (g background) panel(d drawer, height int, now time.Time) []string {
	s := d.style
	var rows []string
	if p := g.plan; p != nil {
		rows = append(rows, terminal.Paint(s.bold, terminal.Clip(terminal.Visible(p.Name), d.width)))
		stage := d.words.planStage(*p)
		share := bar(float64(g.done)/float64(max(g.of, 1)), 10)
		rows = append(rows, terminal.Paint(s.accent, share)+terminal.Paint(s.dim, terminal.Clip(fmt.Sprintf(" %d/%d %s", g.done, g.of, stage), d.width-10)), "")
		rows = append(rows, g.steps(d, height-len(rows)-3-2*len(g.waits), now)...)
		if p.Why != "" && p.Status != nebula.Completed {
			rows = append(rows, terminal.Wrap(terminal.Paint(s.warn, terminal.Visible(p.Why)), d.width)...)
		}
	}
	for _, q := range g.waits {
		rows = append(rows, "", terminal.Paint(s.warn, "? "+terminal.Clip(fmt.Sprintf(d.words.StepAsks, terminal.Visible(q.Title)), d.width-2)),
			"  "+terminal.OneLine(waitingFor(q), d.width-2))
	}
	hint := d.words.PanelKeys
	if len(g.waits) > 0 {
		hint = d.words.PanelAnswer
	}
	if len(rows) < height {
		rows = append(rows, "", d.keys(hint)[0])
	}
	for len(rows) < height {
		rows = append(rows, "")
	}
	return rows[:height]
}

var stepMarks = map[nebula.Stage]string{nebula.Completed: "✓", nebula.InProgress: "◐", nebula.StageFailed: "✗", nebula.StageSkipped: "–"}

// stepMark tells how a step stands, also without colour.
func (d drawer) stepMark(status nebula.Stage) string {
	style := map[nebula.Stage]string{nebula.Completed: d.style.good, nebula.InProgress: d.style.accent, nebula.StageFailed: d.style.bad}[status]
	mark := glyph(stepMarks[status])
	if mark == "" {
		mark = glyph("○")
	}
	if style == "" {
		style = d.style.dim
	}
	return terminal.Paint(style, mark)
}

// steps are the plan's steps in at most so many rows: those around where the work stands.
func (g background) steps(d drawer, most int, now time.Time) []string {
	var rows []string
	here := 0
	for _, s := range g.plan.Steps {
		tail := ""
		if took := g.took(s, now); took >= time.Second {
			tail = " " + terminal.Seconds(took.Truncate(time.Second).Milliseconds())
		}
		style := d.style.dim
		if s.Status == nebula.InProgress {
			style = ""
			here = len(rows)
		}
		name := terminal.Clip(terminal.Visible(s.Name), max(d.width-2-terminal.Width(tail), 4))
		pad := strings.Repeat(" ", max(d.width-2-terminal.Width(name)-terminal.Width(tail), 0))
		rows = append(rows, d.stepMark(s.Status)+" "+terminal.Paint(style, name)+pad+terminal.Paint(d.style.dim, tail))
		if t, ok := g.tasks[s.ID]; ok && s.Status == nebula.InProgress {
			what := fmt.Sprintf("%d/%d", t.Number, t.Of)
			if t.Task.Reason != "" {
				what += " " + terminal.OneLine(terminal.Visible(t.Task.Reason), d.width)
			}
			rows = append(rows, terminal.Paint(d.style.dim, "  "+terminal.Clip(what, d.width-2)))
		}
	}
	if most = max(most, 3); len(rows) > most {
		from := min(max(here-most/2, 0), len(rows)-most)
		rows = rows[from : from+most]
	}
	return rows
}

// took is how long a step has taken; 0 where that is not known.
func (g background) took(s nebula.PlanStep, now time.Time) time.Duration {
	t, told := g.tasks[s.ID]
	took := time.Duration(0)
	switch {
	case !s.Began.IsZero() && !s.Ended.IsZero():
		took = s.Ended.Sub(s.Began)
	case s.Status != nebula.InProgress:
	case !s.Began.IsZero():
		took = now.Sub(s.Began)
	case told:
		took = time.Duration(t.Elapsed)*time.Millisecond + now.Sub(t.at)
	}
	return took
}

// strip is the background in one row.
func (g background) strip(d drawer, now time.Time) string {
	var parts []string
	if g.plan != nil {
		parts = append(parts, fmt.Sprintf("%s %d/%d %s", bar(float64(g.done)/float64(max(g.of, 1)), 5), g.done, g.of, terminal.Visible(g.plan.Name)))
		for _, s := range g.plan.Steps {
			if s.Status != nebula.InProgress {
				continue
			}
			part := terminal.Visible(s.Name)
			if t, ok := g.tasks[s.ID]; ok {
				part += fmt.Sprintf(" %d/%d", t.Number, t.Of)
			}
			if took := g.took(s, now); took >= time.Second {
				part += " " + terminal.Seconds(took.Truncate(time.Second).Milliseconds())
			}
			parts = append(parts, part)
		}
		if !g.works() {
			parts = append(parts, d.words.planStage(*g.plan))
		}
	}
	tail := ""
	if n := len(g.waits); n > 0 {
		tail = fmt.Sprintf(d.words.WaitsBeside, n)
	}
	if terminal.Width(tail) >= d.width-8 {
		return terminal.Paint(d.style.warn, terminal.Clip(glyph("◆")+" "+tail, d.width))
	}
	if tail != "" {
		tail = " · " + tail
	}
	return terminal.Paint(d.style.dim, terminal.Clip(glyph("◆")+" "+strings.Join(parts, " · "), d.width-terminal.Width(tail))) + terminal.Paint(d.style.warn, tail)
}

// tasks opens what waits, or shows the plan.
func (a *app) tasks() {
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

// waitingFor says what a question of the background is about.
func waitingFor(q nebula.Queued) string {
	switch {
	case q.Question != nil:
		return terminal.Visible(q.Question.Text)
	case q.Proposed != nil:
		return (&action{proposal: q.Proposed.Proposal}).title()
	}
	return q.Ask
}

// openWaiting asks a question of the background here and now.
func (a *app) openWaiting(q nebula.Queued) {
	a.shut()
	a.waiting = &nebula.Asked{Ask: q.Ask, Question: q.Question}
	from := stroke("─", 2) + " " + fmt.Sprintf(a.words.StepAsks, terminal.Visible(q.Title))
	if q.Proposed != nil {
		a.view.note(warning, from)
		a.waitingBlock = a.view.add(&block{kind: act,
			action: &action{proposal: q.Proposed.Proposal, verdict: q.Proposed.Verdict, points: q.Proposed.Points, asked: true, beside: true}})
	} else if q.Question != nil {
		a.view.note(warning, from)
		a.view.add(&block{kind: say, tone: warning, text: q.Question.Text})
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
		b.action.asked, b.action.why, b.action.instead = false, false, ""
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
	if a.view.beside.plan == nil {
		a.hint = a.words.NoPlan
		return
	}
	a.page = &reading{title: terminal.Visible(a.view.beside.plan.Name), rows: a.planRows, keys: a.words.PlanKeys, does: map[string]func(*app){
		"r": direct(nebula.RunPlan), "p": direct(nebula.PausePlan), "c": direct(nebula.CancelPlan)}}
}

func direct(how nebula.Direction) func(*app) {
	return func(a *app) { a.send(nebula.Direct{Do: how}) }
}

func (a *app) planRows(d drawer) []string {
	g, s := a.view.beside, d.style
	plan := g.plan
	wide := min(20, d.width/3)
	rows := []string{terminal.Paint(s.accent, bar(float64(g.done)/float64(max(g.of, 1)), wide)) +
		terminal.Paint(s.dim, terminal.Clip(fmt.Sprintf(" %d/%d · %s", g.done, g.of, d.words.planStage(*plan)), d.width-wide)), ""}
	put := func(lead, style, text string) {
		if text == "" {
			return
		}
		for _, r := range terminal.Wrap(terminal.Paint(style, terminal.Visible(text)), max(min(d.width, proseMax)-len(lead), 8)) {
			rows = append(rows, lead+r)
		}
	}
	if plan.Goal != "" {
		put("", "", plan.Goal)
		rows = append(rows, "")
	}
	names := map[string]string{}
	for i, step := range plan.Steps {
		names[step.ID] = fmt.Sprint(i + 1)
	}
	now := a.options.Now()
	for i, step := range plan.Steps {
		tail := ""
		if len(step.DependsOn) > 0 {
			var on []string
			for _, id := range step.DependsOn {
				on = append(on, names[id])
			}
			tail += " ← " + strings.Join(on, ", ")
		}
		if took := g.took(step, now); took >= time.Second {
			tail += " · " + terminal.Seconds(took.Truncate(time.Second).Milliseconds())
		}
		for k, r := range terminal.Wrap(fmt.Sprintf("%d. %s", i+1, terminal.Visible(step.Name))+terminal.Paint(s.dim, tail), max(d.width-2, 8)) {
			mark := "  "
			if k == 0 {
				mark = d.stepMark(step.Status) + " "
			}
			rows = append(rows, mark+r)
		}
		put("     ", s.dim, step.Description)
		if v := step.Verify.String(); v != "" && step.Status != nebula.Completed {
			put("     ", s.dim, d.words.VerifiedBy+": "+v)
		}
		if step.Evidence != nil {
			put("     ", s.good, step.Evidence.Detail)
		}
		if step.Report != nil {
			put("     ", "", step.Report.Summary)
		}
	}
	if plan.Why != "" {
		rows = append(rows, "")
		put("", s.warn, plan.Why)
	}
	return rows
}

// planStage says in words how a plan stands.
func (w words) planStage(p nebula.Plan) string {
	switch p.Status {
	case nebula.Draft:
		return w.PlanDraft
	case nebula.Approved:
		if p.Why != "" {
			return w.PlanStopped
		}
		return w.PlanApproved
	case nebula.InProgress:
		if p.Why != "" && !slices.ContainsFunc(p.Steps, func(s nebula.PlanStep) bool { return s.Status == nebula.InProgress }) {
			return w.PlanStopped
		}
		return w.PlanRunning
	case nebula.Completed:
		return w.Done
	case nebula.StageFailed:
		return w.TurnFailed
	}
	return string(p.Status)
}
