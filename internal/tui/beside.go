package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// panelWidth is how wide the background's panel is, and panelFrom from which width of the terminal it stands beside the
// conversation. In a narrower one the background has a row of its own.
const (
	panelWidth = 36
	panelFrom  = 112
)

// panelled reports whether the background stands beside the conversation.
//
//go:noinline
func (a *app) panelled() bool {
	return a.width >= panelFrom && a.height >= 12 && !a.options.Inline && a.page == nil && a.view.Beside.Runs()
}

// withPanel sets the panel beside the rows of the conversation.
func (a *app) withPanel(d drawer, rows []string) []string {
	in := d
	in.width = panelWidth - 2
	panel := in.panel(a.view.Beside, len(rows), a.options.Now())
	all := make([]string, len(rows))
	for i, r := range rows {
		all[i] = r + strings.Repeat(" ", max(a.width-panelWidth-terminal.Bare(r), 0)) + terminal.Paint(d.style.dim, glyph("│")) + " " + panel[i]
	}
	return all
}

// panel lays the background out in so many rows.
func (d drawer) panel(g transcript.Beside, height int, now time.Time) []string {
	s := d.style
	var rows []string
	if p := g.Plan; p != nil {
		rows = append(rows, terminal.Paint(s.bold, terminal.Clip(terminal.Visible(p.Name), d.width)))
		rows = append(rows, append(d.standing(g), "")...)
		rows = append(rows, d.steps(g, height-len(rows)-3-2*len(g.Waits), now)...)
		if p.Why != "" && p.Status != nebula.Completed {
			rows = append(rows, terminal.Wrap(terminal.Paint(s.warn, terminal.Visible(d.words.Happened(p.Why))), d.width)...)
		}
	}
	for _, p := range g.Steps {
		if p.Alone {
			rows = append(rows, d.step(g, p.PlanStep, now)...)
		}
	}
	for _, q := range g.Waits {
		rows = append(rows, "", terminal.Paint(s.warn, "? "+terminal.Clip(fmt.Sprintf(d.words.StepAsks, terminal.Visible(q.Title)), d.width-2)),
			"  "+terminal.OneLine(waitingFor(q), d.width-2))
	}
	hint := d.words.PanelKeys
	if len(g.Waits) > 0 {
		hint = d.words.PanelAnswer
	} else if g.Plan != nil && !g.Works() {
		hint = d.words.PanelRun
	}
	if len(rows) < height {
		rows = append(rows, "", d.keys(hint)[0])
	}
	for len(rows) < height {
		rows = append(rows, "")
	}
	return rows[:height]
}

// standing is how far the plan has come and how it stands: whole, since that says how it goes on.
func (d drawer) standing(g transcript.Beside) []string {
	share := terminal.Paint(d.style.accent, bar(float64(g.Done)/float64(max(g.Of, 1)), 10))
	figures, stage := fmt.Sprintf(" %d/%d", g.Done, g.Of), d.words.Standing(*g.Plan)
	if terminal.Width(figures+" "+stage) <= d.width-10 {
		return []string{share + terminal.Paint(d.style.dim, figures+" "+stage)}
	}
	return append([]string{share + terminal.Paint(d.style.dim, figures)}, terminal.Wrap(terminal.Paint(d.style.dim, stage), d.width)...)
}

// stepMark tells how a step stands, also without colour.
func (d drawer) stepMark(s nebula.PlanStep) string {
	mark, tone := transcript.StepMark(s)
	return terminal.Paint(d.tone(tone), glyph(mark))
}

// steps are the plan's steps in at most so many rows: those around where the work stands.
func (d drawer) steps(g transcript.Beside, most int, now time.Time) []string {
	var rows []string
	here := 0
	for _, s := range g.Plan.Steps {
		if s.Status == nebula.InProgress {
			here = len(rows)
		}
		rows = append(rows, d.step(g, s, now)...)
	}
	if most = max(most, 3); len(rows) > most {
		from := min(max(here-most/2, 0), len(rows)-most)
		rows = rows[from : from+most]
	}
	return rows
}

// step is one step, and what is done in it now.
func (d drawer) step(g transcript.Beside, s nebula.PlanStep, now time.Time) (rows []string) {
	tail := ""
	if took := g.Took(s, now); took >= time.Second {
		tail = " " + phrase.Seconds(took.Truncate(time.Second).Milliseconds())
	}
	style := d.style.dim
	if s.Status == nebula.InProgress {
		style = ""
	}
	name := terminal.Clip(terminal.Visible(s.Name), max(d.width-2-terminal.Width(tail), 4))
	pad := strings.Repeat(" ", max(d.width-2-terminal.Width(name)-terminal.Width(tail), 0))
	rows = append(rows, d.stepMark(s)+" "+terminal.Paint(style, name)+pad+terminal.Paint(d.style.dim, tail))
	if p, _ := g.UnderWay(s.ID); p.Tasked != nil && s.Status == nebula.InProgress {
		what := fmt.Sprintf("%d/%d", p.Tasked.Number, p.Tasked.Of)
		if p.Tasked.Task.Reason != "" {
			what += " " + terminal.OneLine(terminal.Visible(p.Tasked.Task.Reason), d.width)
		}
		rows = append(rows, terminal.Paint(d.style.dim, "  "+terminal.Clip(what, d.width-2)))
	}
	return rows
}

// strip is the background in one row.
func (d drawer) strip(g transcript.Beside, now time.Time) string {
	var parts []string
	if g.Plan != nil {
		parts = append(parts, fmt.Sprintf("%s %d/%d %s", bar(float64(g.Done)/float64(max(g.Of, 1)), 5), g.Done, g.Of, terminal.Visible(g.Plan.Name)))
		for _, s := range g.Plan.Steps {
			if s.Status == nebula.InProgress {
				parts = append(parts, short(g, s, now))
			}
		}
		if !g.Works() {
			parts = append(parts, d.words.Standing(*g.Plan))
		}
	}
	for _, p := range g.Steps {
		if p.Alone {
			parts = append(parts, short(g, p.PlanStep, now))
		}
	}
	tail := ""
	if n := len(g.Waits); n > 0 {
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
	g := a.view.Beside
	if len(g.Waits) == 0 {
		a.planPage()
		return
	}
	p := &picker{title: a.words.PickWaiting, chosen: func(a *app, i int, _ string) {
		if i < len(g.Waits) {
			a.openWaiting(g.Waits[i])
		} else {
			a.planPage()
		}
	}}
	for _, q := range g.Waits {
		title := q.Title
		if len(g.Waits) > 1 {
			title = fmt.Sprintf("%d  %s", q.Number, title)
		}
		p.rows = append(p.rows, choice{title, waitingFor(q)})
	}
	if g.Plan != nil {
		p.rows = append(p.rows, choice{a.words.PlanBrief, g.Plan.Name})
	}
	a.offer(p)
}

// waitingFor says what a question of the background is about.
func waitingFor(q transcript.Waiting) string {
	switch {
	case q.Question != nil:
		return terminal.Visible(q.Question.Text)
	case q.Proposed != nil:
		return proposedRow(*q.Proposed, false).title()
	}
	return q.Ask
}

// proposedRow is an action of the background as a block.
//
//go:noinline
func proposedRow(p nebula.Proposed, asked bool) *block {
	return &block{row: &transcript.Row{Kind: transcript.Act, Action: &transcript.Action{Proposal: p.Proposal, Verdict: p.Verdict, Points: p.Points, Asked: asked}}, beside: true}
}

// openWaiting asks a question of the background here and now.
func (a *app) openWaiting(q transcript.Waiting) {
	a.present(q)
	a.follow()
}

// present puts a question of the background before the person, and says how many others wait.
func (a *app) present(q transcript.Waiting) {
	a.shut()
	a.waiting = &nebula.Asked{Ask: q.Ask, Question: q.Question}
	title := fmt.Sprintf(a.words.StepAsks, q.Title)
	if n := len(a.view.Beside.Waits) - 1; n > 0 {
		title += " · " + fmt.Sprintf(a.words.Others, n)
	}
	a.waitingAll = []*block{{row: &transcript.Row{Kind: transcript.Note, Tone: transcript.Warning, Mark: "──", Text: title}}}
	if q.Proposed != nil {
		a.waitingBlock = proposedRow(*q.Proposed, true)
		a.waitingAll = append(a.waitingAll, a.waitingBlock)
	} else if q.Question != nil {
		a.waitingAll = append(a.waitingAll, &block{row: &transcript.Row{Kind: transcript.Question, Text: q.Question.Text}, gap: true})
	}
}

// opened is the question of the background that the person opened, as long as it waits and nothing else does. Where they
// answered it, the next one follows.
func (a *app) opened() *nebula.Asked {
	if a.waiting == nil {
		return nil
	}
	if !slices.ContainsFunc(a.view.Beside.Waits, func(q transcript.Waiting) bool { return q.Ask == a.waiting.Ask }) {
		a.shut()
		if waits := a.view.Beside.Waits; len(waits) > 0 && a.gate != nil && a.gate.sent {
			a.present(waits[0])
		}
	}
	return a.waiting
}

// reply answers a question of the background in words that name it. A yes to an action counts only where the action is seen:
// it is shown, and the words stand there for enter to decide.
func (a *app) reply(args []string) {
	q, text, ok := a.view.Beside.Meant(args)
	switch {
	case a.view.Beside.Vague(args):
		a.tasks()
		a.hint = a.words.WhichOne
		return
	case text == "" && (ok || len(args) == 0):
		a.tasks()
		return
	case !ok:
		a.hint = a.words.NoWaiting
		return
	case q.Question != nil:
		told, fits := terminal.Choose(text, q.Question.Options)
		if !fits {
			a.hint = fmt.Sprintf(a.words.NoSuchOption, terminal.Visible(text), len(q.Question.Options))
			return
		}
		a.send(nebula.Answer{Ask: q.Ask, Answer: nebula.Told, Text: told, By: nebula.Person})
		return
	}
	if decided, reason, clear := gate.ReadAnswer(text); decided == nebula.No && clear {
		a.send(nebula.Answer{Ask: q.Ask, Answer: nebula.No, Text: reason, By: nebula.Person})
		return
	}
	if a.gate != nil && a.gate.ask.Ask != q.Ask {
		a.hint = fmt.Sprintf(a.words.NotNow, "/answer")
		return
	}
	if a.gate == nil {
		a.openWaiting(q)
	}
	a.editor.Set(text)
}

// shut ends the showing of a question of the background; putBack lets it go on waiting.
func (a *app) shut() {
	if b := a.waitingBlock; b != nil {
		b.row.Action.Asked = false
		b.stale()
	}
	if a.waiting != nil && a.view.pinned.ask == a.waiting.Ask { // it goes on waiting
		a.view.drop()
	}
	a.waiting, a.waitingBlock, a.waitingAll = nil, nil, nil
}

func (a *app) putBack() {
	a.shut()
	a.follow()
}

// planPage shows the plan with its steps.
func (a *app) planPage() {
	if a.view.Beside.Plan == nil {
		a.hint = a.words.NoPlan
		return
	}
	plan := *a.view.Beside.Plan
	a.page = &reading{title: terminal.Visible(plan.Name), rows: a.planRows, plan: &plan, keys: a.words.PlanKeys, does: map[string]func(*app){
		"r": (*app).runPlan, "run": (*app).runPlan, "p": direct(nebula.PausePlan), "pause": direct(nebula.PausePlan), "c": direct(nebula.CancelPlan), "cancel": direct(nebula.CancelPlan)}}
}

func direct(how nebula.Direction) func(*app) {
	return func(a *app) { a.send(nebula.Direct{Do: how}) }
}

func (a *app) runPlan() { a.direct(nebula.Direct{Do: nebula.RunPlan}) }

func (a *app) planRows(d drawer) []string {
	g, s := a.view.Beside, d.style
	plan := g.Plan
	wide := min(20, d.width/3)
	rows := []string{terminal.Paint(s.accent, bar(float64(g.Done)/float64(max(g.Of, 1)), wide)) +
		terminal.Paint(s.dim, terminal.Clip(fmt.Sprintf(" %d/%d · %s", g.Done, g.Of, d.words.Standing(*plan)), d.width-wide)), ""}
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
		if took := g.Took(step, now); took >= time.Second {
			tail += " · " + phrase.Seconds(took.Truncate(time.Second).Milliseconds())
		}
		for k, r := range terminal.Wrap(fmt.Sprintf("%d. %s", i+1, terminal.Visible(step.Name))+terminal.Paint(s.dim, tail), max(d.width-2, 8)) {
			mark := "  "
			if k == 0 {
				mark = d.stepMark(step) + " "
			}
			rows = append(rows, mark+r)
		}
		put("     ", s.dim, step.Description)
		if plan.Status == nebula.Draft { // what a yes to it covers
			rows = append(rows, d.covered(step)...)
		}
		if v := step.Verify.String(); v != "" && step.Status != nebula.Completed && (plan.Status != nebula.Draft || step.Verify.Command == "") {
			put("     ", s.dim, d.words.VerifiedBy+": "+v)
		}
		if e := step.Evidence; e != nil && e.How == nebula.Unchecked { // the report says it in words
			put("     ", s.warn, "? "+e.Detail)
		} else if e != nil {
			put("     ", s.good, e.Detail)
		}
		if step.Report != nil {
			put("     ", "", d.words.Reported(*step.Report))
		}
	}
	if plan.Why != "" {
		rows = append(rows, "")
		put("", s.warn, a.words.Happened(plan.Why))
	}
	return rows
}

// covered are the files and the command of a step, which a yes to its plan allows.
func (d drawer) covered(step nebula.PlanStep) (rows []string) {
	if len(step.Files) > 0 {
		for _, r := range terminal.Wrap(terminal.Visible(strings.Join(step.Files, ", ")), max(min(d.width, proseMax)-5, 8)) {
			rows = append(rows, "     "+r)
		}
	}
	if command := step.Verify.Command; command != "" {
		for _, r := range terminal.Lines(command, max(d.width-5, 8), d.words.Lang) {
			rows = append(rows, "     "+terminal.Paint(d.style.dim, r.Lead)+r.Text)
		}
	}
	return rows
}

// short is a step under way in a few words.
func short(g transcript.Beside, s nebula.PlanStep, now time.Time) string {
	part := terminal.Visible(s.Name)
	if p, _ := g.UnderWay(s.ID); p.Tasked != nil {
		part += fmt.Sprintf(" %d/%d", p.Tasked.Number, p.Tasked.Of)
	}
	if took := g.Took(s, now); took >= time.Second {
		part += " " + phrase.Seconds(took.Truncate(time.Second).Milliseconds())
	}
	return part
}
