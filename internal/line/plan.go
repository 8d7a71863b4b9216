package line

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
)

// background shows what work beside the conversation came to. It takes nothing from what is being typed.
func (v *view) background(b nebula.Body) {
	switch b := b.(type) {
	case nebula.Planned:
		v.note(v.palette.note, terminal.Visible(fmt.Sprintf("%s · %s: %s", b.Plan.ID, v.happened(b.Change), b.Plan.Name)))
		v.resumed(b.Plan)
		if b.Plan.Status == nebula.Draft {
			for _, s := range b.Plan.Steps {
				v.print("  " + terminal.Visible(strings.TrimSpace(s.ID+"  "+s.Name+after(s))))
				if s.Verify.Command != "" { // a yes to the plan covers it
					v.print("     $ " + terminal.OneRow(s.Verify.Command))
				}
			}
		}
	case nebula.Stepped:
		v.stepped(b)
	case nebula.Tasked:
		for i := range v.steps {
			if v.steps[i].id == b.Step {
				v.steps[i].number, v.steps[i].of = b.Number, b.Of
			}
		}
	case nebula.Reported:
		v.note(v.stage(b.Report.Status), terminal.Visible(b.Step+" "+b.Report.Summary))
	case nebula.Queued:
		v.queued(b)
	}
}

// A progress is how far a step in the background has come.
type progress struct {
	id, name   string
	began      time.Time
	number, of int // of its tasks
}

// stepped says that a step began or ended, and follows it meanwhile.
func (v *view) stepped(b nebula.Stepped) {
	s := b.Step
	v.steps = slices.DeleteFunc(v.steps, func(p progress) bool { return p.id == s.ID })
	took := ""
	switch {
	case s.Status == nebula.InProgress:
		v.steps = append(v.steps, progress{id: s.ID, name: s.Name, began: s.Began})
	case s.Ended.Sub(s.Began) >= time.Second:
		took = " · " + phrase.Seconds(s.Ended.Sub(s.Began).Milliseconds())
	}
	v.note(v.stage(s.Status), terminal.Visible(fmt.Sprintf("%s %s: %s (%d/%d)%s", s.ID, s.Name, v.happened(b.Cause), b.Done, b.Of, took)))
}

// resumed follows the steps that a plan has under way, which began before this conversation was told of them.
func (v *view) resumed(p nebula.Plan) {
	var steps []progress
	for _, s := range p.Steps {
		if s.Status != nebula.InProgress {
			continue
		}
		at := progress{id: s.ID, name: s.Name, began: s.Began}
		if i := slices.IndexFunc(v.steps, func(p progress) bool { return p.id == s.ID }); i >= 0 {
			at = v.steps[i]
		}
		steps = append(steps, at)
	}
	v.steps = steps
}

// happened says in the person's language what became of a plan or a step.
func (v *view) happened(what string) string {
	if text := v.words.Happened[what]; text != "" {
		return text
	}
	first, step, _ := strings.Cut(what, " ")
	text := v.words.Happened[first]
	if text == "" || strings.Contains(step, " ") {
		return what
	}
	return text + " " + step
}

// stepsShown bounds the rows of steps that are under way.
const stepsShown = 4

// underWay is a row for each step in the background, with how far it is and since when.
func (v *view) underWay(now time.Time) (rows []string) {
	for i, p := range v.steps {
		if i == stepsShown {
			return append(rows, terminal.Paint(v.palette.dim, fmt.Sprintf("◆ +%d", len(v.steps)-i)))
		}
		text := "◆ " + terminal.OneLine(terminal.Visible(p.id+" "+p.name), max(v.width-24, 10))
		if p.of > 0 {
			text += fmt.Sprintf(" %d/%d", p.number, p.of)
		}
		if since := now.Sub(p.began); since >= time.Second && !p.began.IsZero() {
			text += " · " + phrase.Seconds(since.Truncate(time.Second).Milliseconds())
		}
		rows = append(rows, terminal.Paint(v.palette.dim, terminal.Clip(text, v.width)))
	}
	return rows
}

func after(s nebula.PlanStep) string {
	if len(s.DependsOn) == 0 {
		return ""
	}
	return " ← " + strings.Join(s.DependsOn, ", ")
}

func (v *view) stage(s nebula.Stage) string {
	switch s {
	case nebula.Completed:
		return v.palette.good
	case nebula.StageFailed:
		return v.palette.bad
	}
	return v.palette.note
}

// A waiting question keeps its number until nothing waits any more.
type waiting struct {
	nebula.Queued
	number int
	show   *showing // of an approval
}

// queued shows a question of the background. It waits until it is answered by its number.
func (v *view) queued(b nebula.Queued) {
	if len(v.queue) == 0 {
		v.numbered = 0
	}
	v.numbered++
	v.queue = append(v.queue, waiting{b, v.numbered, nil})
	v.gap()
	v.print(terminal.Paint(v.palette.warn, fmt.Sprintf(v.words.StepAsks, terminal.Visible(b.Step+" "+b.Title))))
	if b.Proposed != nil {
		show := v.decision(*b.Proposed, "  %s")
		show.keys = fmt.Sprintf(v.words.StepAnswer, v.numbered)
		v.queue[len(v.queue)-1].show = show
		v.page(show)
		return
	}
	if b.Question != nil {
		v.question(*b.Question)
	}
	v.print(terminal.Paint(v.palette.dim, fmt.Sprintf(v.words.StepAnswer, v.numbered)))
}

// settled takes a question that has its answer out of the queue.
func (v *view) settled(ask string) {
	v.queue = slices.DeleteFunc(v.queue, func(q waiting) bool { return q.Ask == ask })
}

// reply answers a question of the background: the one that a number names, or the oldest.
func (t *talk) reply(args []string) {
	at := min(0, len(t.view.queue)-1)
	if len(args) > 0 {
		if n, err := strconv.Atoi(args[0]); err == nil {
			args = args[1:]
			at = slices.IndexFunc(t.view.queue, func(w waiting) bool { return w.number == n })
		}
	}
	text := strings.Join(args, " ")
	if at < 0 || text == "" && t.view.queue[at].show == nil {
		row, _ := command.Find("answer")
		t.usage(row)
		return
	}
	q := t.view.queue[at]
	if q.Question != nil {
		told, ok := terminal.Choose(text, q.Question.Options)
		if !ok {
			t.hint = t.noOption(text, len(q.Question.Options))
			return
		}
		t.send(nebula.Answer{Ask: q.Ask, Answer: nebula.Told, Text: told})
		return
	}
	if text == "" && !q.show.Waits() && q.show.Left() == 0 { // no word is no answer here
		t.view.note(t.palette.warn, q.show.keys)
		return
	}
	if decided, reason, ok := t.view.answers(q.show, text); ok {
		t.send(nebula.Answer{Ask: q.Ask, Answer: decided, Text: reason})
	}
}

// tasks shows what works in the background, and what of it waits.
func (t *talk) tasks() {
	if len(t.view.steps) == 0 && len(t.view.queue) == 0 {
		t.view.note(t.palette.note, t.words.NoTasks)
		return
	}
	t.show(t.view.underWay(time.Now())...)
	for _, q := range t.view.queue {
		t.view.print(terminal.Paint(t.palette.warn, fmt.Sprintf(t.words.StepAsks, terminal.Visible(q.Step+" "+q.Title))) + " " +
			terminal.Paint(t.palette.dim, fmt.Sprintf(t.words.StepAnswer, q.number)))
	}
}
