package line

import (
	"fmt"
	"reflect"
	"time"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// stepsShown bounds the rows of steps that are under way.
const stepsShown = 4

// underWay is a row for each step in the background, with how far it is and since when.
func (v *view) underWay(now time.Time) (rows []string) {
	for i, p := range v.Beside.Steps {
		if i == stepsShown {
			return append(rows, terminal.Paint(v.palette.dim, fmt.Sprintf("◆ +%d", len(v.Beside.Steps)-i)))
		}
		text := "◆ " + terminal.OneLine(terminal.Visible(p.ID+" "+p.Name), max(v.width-24, 10))
		if p.Tasked != nil {
			text += fmt.Sprintf(" %d/%d", p.Tasked.Number, p.Tasked.Of)
		}
		if took := v.Beside.Took(p.PlanStep, now); took >= time.Second {
			text += " · " + phrase.Seconds(took.Truncate(time.Second).Milliseconds())
		}
		rows = append(rows, terminal.Paint(v.palette.dim, terminal.Clip(text, v.width)))
	}
	return rows
}

// queued shows a question of the background. It waits until it is answered by its number.
func (v *view) queued(q transcript.Waiting) {
	v.gap()
	v.print(terminal.Paint(v.palette.warn, fmt.Sprintf(v.words.StepAsks, terminal.Visible(q.Step+" "+q.Title))))
	keys := fmt.Sprintf(v.words.StepAnswer, q.Number)
	if p := q.Proposed; p != nil {
		show := v.decision(transcript.Action{Proposal: p.Proposal, Verdict: p.Verdict, Points: p.Points}, "  %s")
		show.keys, v.shows[q.Ask] = keys, show
		v.page(show)
		return
	}
	if q.Question != nil {
		v.question(*q.Question)
	}
	v.print(terminal.Paint(v.palette.dim, keys))
}

// reply answers a question of the background: the one that a number names, or the oldest.
func (t *talk) reply(args []string) {
	q, text, ok := t.view.Beside.Meant(args)
	if t.view.Beside.Vague(args) {
		t.tasks()
		t.view.note(t.palette.warn, t.words.WhichOne)
		return
	}
	if !ok || text == "" && q.Proposed == nil {
		row, _ := command.Find("answer")
		t.usage(row)
		return
	}
	show := t.view.shows[q.Ask]
	if q.Question != nil {
		told, ok := terminal.Choose(text, q.Question.Options)
		if !ok {
			t.hint = t.noOption(text, len(q.Question.Options))
			return
		}
		t.send(nebula.Answer{Ask: q.Ask, Answer: nebula.Told, Text: told, By: nebula.Person})
		return
	}
	if text == "" && !show.Waits() && show.Left() == 0 { // no word is no answer here
		t.view.note(t.palette.warn, show.keys)
		return
	}
	if decided, reason, ok := t.view.answers(show, text); ok {
		t.send(nebula.Answer{Ask: q.Ask, Answer: decided, Text: reason, By: nebula.Person})
	}
}

// order sends a command. What would approve the draft of a plan shows first what that covers, and does it when it is given
// again; in a script it is given once.
func (t *talk) order(c nebula.Command) {
	p := t.approves(c)
	if d, ok := c.(nebula.Direct); ok && p != nil {
		d.Plan = p.ID
		c = d
	}
	if p == nil || t.draft != nil && reflect.DeepEqual(*t.draft, *p) {
		t.send(c)
		return
	}
	draft := *p
	t.draft = &draft
	t.show(fmt.Sprintf("%s · %s", terminal.Visible(p.Name), t.words.Standing(*p)))
	if p.Goal != "" {
		t.view.print(terminal.Visible(p.Goal))
	}
	for _, r := range transcript.Covered(*p) {
		t.view.print(r.Said(terminal.Visible, terminal.OneRow))
	}
	if t.options.Script {
		t.send(c)
		return
	}
	t.view.note(t.palette.warn, t.words.PlanAgain)
}

// approves is the draft that a command would approve without having been shown: a message does where what was told of the
// draft had more rows than the screen.
func (t *talk) approves(c nebula.Command) *nebula.Plan {
	g := t.view.Beside
	if g.Plan == nil || g.Plan.Status != nebula.Draft {
		return nil
	}
	switch c := c.(type) {
	case nebula.Direct:
		if c.Do == nebula.RunPlan || c.Do == nebula.ApprovePlan {
			return g.Plan
		}
	case nebula.Submit:
		rows := 0
		for _, r := range g.Covered {
			rows += max(len(terminal.Wrap(r.Said(terminal.Visible, terminal.OneRow), max(t.view.width, leastWidth))), 1)
		}
		if rows > t.view.room && gate.ReadConsent(c.Text, g.Drafted >= t.view.Turns) {
			return g.Plan
		}
	}
	return nil
}

// tasks shows how the plan stands, what works in the background, and what of it waits.
func (t *talk) tasks() {
	g := t.view.Beside
	if !g.Runs() {
		t.view.note(t.palette.note, t.words.NoTasks)
		return
	}
	if p := g.Plan; p != nil {
		t.show(fmt.Sprintf("%s · %d/%d · %s", terminal.Visible(p.Name), g.Done, g.Of, t.words.Standing(*p)))
	}
	for _, row := range t.view.underWay(time.Now()) {
		t.view.print(row)
	}
	for _, q := range g.Waits {
		t.view.print(terminal.Paint(t.palette.warn, fmt.Sprintf(t.words.StepAsks, terminal.Visible(q.Step+" "+q.Title))) + " " +
			terminal.Paint(t.palette.dim, fmt.Sprintf(t.words.StepAnswer, q.Number)))
	}
}
