package transcript

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Beside is what goes on beside the conversation: a plan, how far it has come, and what of it waits for the person.
type Beside struct {
	Plan     *nebula.Plan
	Done, Of int        // steps
	Steps    []Progress // that are under way
	Waits    []Waiting
	Drafted  int    // the turn in which a draft was proposed or changed last
	Covered  []*Row // what was told then of what a yes to it covers

	numbered int // of those that wait, since none did
}

// A Progress is a step under way, how far it has come, and when that was said.
type Progress struct {
	nebula.PlanStep
	Tasked *nebula.Tasked // nil when nothing was said yet
	Alone  bool           // it is a step of no plan
	At     time.Time
}

// A Waiting question keeps its number until nothing waits any more.
type Waiting struct {
	nebula.Queued
	Number int
}

// Meant is the question that the words of an answer are for, the one that a number before them names or the oldest, and the
// words; false where there is none.
func (g Beside) Meant(args []string) (q Waiting, text string, ok bool) {
	at := min(0, len(g.Waits)-1)
	if len(args) > 0 {
		if n, err := strconv.Atoi(args[0]); err == nil {
			args = args[1:]
			at = slices.IndexFunc(g.Waits, func(w Waiting) bool { return w.Number == n })
		}
	}
	if text = strings.Join(args, " "); at < 0 {
		return Waiting{}, text, false
	}
	return g.Waits[at], text, true
}

// Vague reports whether an answer names none of several questions.
func (g Beside) Vague(args []string) bool {
	if len(args) == 0 || len(g.Waits) < 2 {
		return false
	}
	_, err := strconv.Atoi(args[0])
	return err != nil
}

// Works reports whether steps are being carried out.
func (g Beside) Works() bool { return g.Plan != nil && g.Plan.Status == nebula.InProgress }

// Runs reports whether there is something to show all the time.
//
//go:noinline
func (g Beside) Runs() bool {
	return len(g.Waits) > 0 || len(g.Steps) > 0 || g.Plan != nil && (g.Plan.Status == nebula.InProgress || g.Plan.Status == nebula.Draft || g.Plan.Status == nebula.Approved)
}

// UnderWay is how far a step has come; false for one that is not under way.
//
//go:noinline
func (g Beside) UnderWay(step string) (Progress, bool) {
	i := slices.IndexFunc(g.Steps, func(p Progress) bool { return p.ID == step })
	if i < 0 {
		return Progress{}, false
	}
	return g.Steps[i], true
}

// Took is how long a step has taken; 0 where that is not known.
func (g Beside) Took(s nebula.PlanStep, now time.Time) time.Duration {
	p, _ := g.UnderWay(s.ID)
	switch {
	case !s.Began.IsZero() && !s.Ended.IsZero():
		return s.Ended.Sub(s.Began)
	case s.Status != nebula.InProgress:
	case !s.Began.IsZero():
		return now.Sub(s.Began)
	case p.Tasked != nil:
		return time.Duration(p.Tasked.Elapsed)*time.Millisecond + now.Sub(p.At)
	}
	return 0
}

// aside folds what happens beside the conversation.
func (t *Transcript) aside(body nebula.Body, at time.Time) {
	g := &t.Beside
	switch b := body.(type) {
	case nebula.Planned:
		t.planned(b)
	case nebula.Stepped:
		g.stepped(b)
		t.stepped = b.Cause
		s, took := b.Step, ""
		if d := s.Ended.Sub(s.Began); s.Status != nebula.InProgress && d >= time.Second {
			took = " · " + phrase.Seconds(d.Milliseconds())
		}
		of := ""
		if b.Plan != "" {
			of = fmt.Sprintf(" (%d/%d)", b.Done, b.Of)
		}
		t.note(stageTone(s.Status), fmt.Sprintf("%s %s: %s%s%s", s.ID, s.Name, t.words.Happened(b.Cause), of, took)).Known = true
	case nebula.Tasked:
		for i := range g.Steps {
			if g.Steps[i].ID == b.Step {
				g.Steps[i].Tasked, g.Steps[i].At = &b, at
			}
		}
	case nebula.Queued:
		if len(g.Waits) == 0 {
			g.numbered = 0
		}
		g.numbered++
		g.Waits = append(g.Waits, Waiting{b, g.numbered})
	case nebula.Reported:
		t.reported(b)
	}
}

// planned takes in how a plan stands. Of a draft is said what a yes to it covers.
func (t *Transcript) planned(b nebula.Planned) {
	worked := t.Beside.Works()
	t.Beside.planned(b.Plan)
	t.note(Info, fmt.Sprintf("%s · %s: %s", b.Plan.ID, t.words.Happened(b.Change), b.Plan.Name)).Known = true
	if worked && b.Plan.Status == nebula.Approved {
		t.note(Info, b.Plan.Name+": "+t.words.Standing(b.Plan))
	}
	if b.Plan.Status != nebula.Draft {
		return
	}
	t.Beside.Drafted, t.Beside.Covered = t.Turns, Covered(b.Plan)
	t.Rows = append(t.Rows, t.Beside.Covered...)
}

// Covered are the rows that name the steps of a plan, with the files and the commands that a yes to it covers.
func Covered(p nebula.Plan) (rows []*Row) {
	for _, s := range p.Steps {
		name := "  " + strings.TrimSpace(s.ID+"  "+s.Name)
		if len(s.DependsOn) > 0 {
			name += " ← " + strings.Join(s.DependsOn, ", ")
		}
		rows = append(rows, &Row{Kind: Note, Text: name, Known: s.Verify.Command == "" && len(s.Files) == 0})
		if len(s.Files) > 0 {
			rows = append(rows, &Row{Kind: Note, Text: "     " + strings.Join(s.Files, ", ")})
		}
		if s.Verify.Command != "" {
			rows = append(rows, &Row{Kind: Note, Text: "     $ ", Exact: s.Verify.Command})
		}
	}
	return rows
}

func (g *Beside) planned(p nebula.Plan) {
	g.Plan, g.Done, g.Of = &p, 0, len(p.Steps)
	steps := lists.Drop(lists.Clone(g.Steps), func(s Progress) bool { return !s.Alone })
	for _, s := range p.Steps {
		switch s.Status {
		case nebula.Completed, nebula.StageSkipped:
			g.Done++
		case nebula.InProgress:
			at, _ := g.UnderWay(s.ID)
			at.PlanStep = s
			steps = append(steps, at)
		}
	}
	g.Steps = steps
}

func (g *Beside) stepped(b nebula.Stepped) {
	if b.Plan != "" {
		g.Done, g.Of = b.Done, b.Of
	}
	at, _ := g.UnderWay(b.Step.ID)
	g.Steps = lists.Drop(g.Steps, func(p Progress) bool { return p.ID == b.Step.ID })
	if at.PlanStep, at.Alone = b.Step, b.Plan == ""; b.Step.Status == nebula.InProgress {
		g.Steps = append(g.Steps, at)
	}
	if g.Plan == nil || g.Plan.ID != b.Plan {
		return
	}
	plan := *g.Plan
	plan.Steps = lists.Clone(plan.Steps)
	if b.Step.Status == nebula.InProgress {
		plan.Status = nebula.InProgress
	}
	for i, s := range plan.Steps {
		if s.ID == b.Step.ID {
			plan.Steps[i] = b.Step
		}
	}
	g.Plan = &plan
}

// StepMark tells how a step of a plan stands: done is not what nobody has checked.
//
//go:noinline
func StepMark(s nebula.PlanStep) (mark string, tone Tone) {
	switch {
	case s.Status == nebula.Completed && s.Evidence != nil && s.Evidence.How == nebula.Unchecked:
		return "◑", Warning
	case s.Status == nebula.Completed:
		return "✓", Good
	case s.Status == nebula.InProgress:
		return "◐", Info
	case s.Status == nebula.StageFailed:
		return "✗", Bad
	case s.Status == nebula.StageSkipped:
		return "–", Faint
	}
	return "○", Faint
}

// unchecked reports whether a report is of a step of the plan that nobody has checked.
func (g *Beside) unchecked(b nebula.Reported) bool {
	if g.Plan == nil || g.Plan.ID != b.Plan {
		return false
	}
	i := slices.IndexFunc(g.Plan.Steps, func(s nebula.PlanStep) bool { return s.ID == b.Step })
	if i < 0 {
		return false
	}
	mark, _ := StepMark(g.Plan.Steps[i])
	return mark == "◑"
}

func (t *Transcript) reported(b nebula.Reported) {
	mark, tone := "✓", Good
	switch {
	case b.Report.Status == nebula.StageFailed:
		mark, tone = "✗", Warning
	case t.Beside.unchecked(b):
		mark, tone = "◑", Warning
	}
	said, cause := t.words.Reported(b.Report), t.words.Happened(b.Report.Cause)
	t.add(&Row{Kind: Note, Tone: tone, Mark: mark, Text: cmp.Or(b.Title, b.Step) + ": " + said})
	if b.Report.Status == nebula.StageFailed && b.Report.Cause != t.stepped && !strings.Contains(said, cause) {
		t.note(Faint, "  "+cause)
	}
	for _, next := range b.Report.Next {
		t.note(Faint, "  → "+next)
	}
}

// settled takes an answered question off the queue, and reports whether it was there.
func (g *Beside) settled(ask string) bool {
	before := len(g.Waits)
	g.Waits = lists.Drop(g.Waits, func(q Waiting) bool { return q.Ask == ask })
	return len(g.Waits) < before
}

func stageTone(s nebula.Stage) Tone {
	switch s {
	case nebula.Completed:
		return Good
	case nebula.StageFailed:
		return Bad
	}
	return Info
}
