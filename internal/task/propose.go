package task

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

// asks is how often the model is asked for something that can be used.
const asks = 2

// ask gets an answer that read accepts; what it refuses is told to the model once.
func (l *Loop) ask(ctx context.Context, with nebula.Conduct, spent func(nebula.Usage), p nebula.Prompt, read func(text string) error) error {
	if l.setup.Base != nil {
		p.System = l.setup.Base() + p.System
	}
	if complex := l.complex(with); complex != "" {
		with.Model = complex
		if !l.named.Swap(true) {
			l.tell(l.noted("info", "%s plans; nebula config set complex_model NAME chooses another", complex))
		}
	}
	var amiss error
	for range asks {
		r, err := l.setup.Ask(ctx, with, p, l.instead)
		if err != nil {
			return err
		}
		spent(r.Usage)
		amiss = read(r.Text())
		if r.Finish == "length" {
			amiss = errors.New("the answer was cut at the model's limit; write less")
		} else if !nebula.Ends(r.Finish) {
			amiss = fmt.Errorf("the answer ended as %q, which may not be its end", r.Finish)
		}
		if amiss == nil {
			return nil
		}
		p = plan.Again(p, r, amiss, l.setup.Lang)
	}
	return wrong("Try again, or give it yourself.", "The model's answer could not be used: %w.", amiss)
}

// noted is a note for the person, which every reader's language says.
func (l *Loop) noted(level, format string, args ...any) nebula.Noted {
	c := phrase.Note(format, args...)
	return nebula.Noted{Level: level, Text: phrase.Told(l.setup.Lang, c), Code: c}
}

// Instead is told that a model does not answer, why, and which one is asked in its place.
type Instead func(failed, why, next string)

// instead says so in the conversation.
func (l *Loop) instead(failed, why, next string) {
	l.tell(l.noted("warning", "%s does not answer: %s; %s is asked in its place", failed, why, next))
}

// complex is the model that does what is hard where with's does the rest; empty where that does all.
func (l *Loop) complex(with nebula.Conduct) string {
	if l.setup.Complex == nil {
		return ""
	}
	if name := l.setup.Complex(with.Model); name != with.Model {
		return name
	}
	return ""
}

// spending adds to what a plan has cost.
//
//go:noinline
func (l *Loop) spending(id string) func(nebula.Usage) {
	return func(u nebula.Usage) {
		if u == (nebula.Usage{}) {
			return
		}
		l.do(func(o *owner) {
			_, _ = o.change(id, []string{}, func(p nebula.Plan) (nebula.Plan, error) { // a plan that is gone costs nothing
				p.Usage = p.Usage.Plus(u)
				return p, nil
			})
		})
	}
}

// Propose makes a draft: of the steps that are given, or of those that the model answers with (Duckflow v4 §4.3).
func (l *Loop) Propose(ctx context.Context, goal string, steps json.RawMessage, talk string) (nebula.Plan, error) {
	var p nebula.Plan
	var err error
	used := nebula.Usage{}
	if len(steps) > 0 && string(steps) != "null" && string(steps) != "[]" {
		p, err = plan.Read(`{"steps":`+string(steps)+`}`, goal)
		if err != nil {
			return p, wrong("Propose it again, or give no steps.", "This is no plan: %w.", err)
		}
	} else {
		prompt := plan.Planning(goal, plan.Context{Lang: l.setup.Lang, Talk: talk, Facts: l.facts(goal)})
		err = l.ask(ctx, l.conduct(), func(u nebula.Usage) { used = used.Plus(u) }, prompt, func(text string) (err error) {
			p, err = plan.Read(text, goal)
			return err
		})
	}
	if err != nil {
		return p, err
	}
	p.ID, p.Version, p.Usage = newID(), 1, used
	p.Made = l.setup.Now().UTC()
	p.Changed = p.Made
	if !l.do(func(o *owner) {
		if err = l.setup.Plans.SavePlan(ctx, l.setup.Project, p); err == nil {
			o.hold(p)
			o.planned(p, "proposed", "model")
		}
	}) {
		err = errClosed
	}
	l.flush()
	return p, err
}

// conduct is what a plan would run with now.
//
//go:noinline
func (l *Loop) conduct() (with nebula.Conduct) {
	l.do(func(o *owner) { with = o.with })
	return with
}

// sentence is what is wrong, the parts of it behind one another.
// wrong is a mistake that is told by an error, on one line.
func wrong(hint, format string, err error) error {
	m := nebula.Wrong(hint, format, err)
	m.Text = strings.ReplaceAll(m.Text, "\n", "; ")
	return m
}

// Show is a plan and its text for the model.
func (l *Loop) Show(ctx context.Context, id string) (nebula.Plan, string, error) {
	p, err := l.current(id)
	if err != nil {
		return p, "", wrong("", "%w.", err)
	}
	return p, Text(p, l.setup.Now(), l.setup.Lang), nil
}

// Text is a plan as the model and the person read it: what it is, where it stands, and what its steps came to.
func Text(p nebula.Plan, now time.Time, lang string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s (%s)\n\n%s", p.ID, p.Status, p.Name, plan.Markdown(p))
	for _, s := range p.Steps {
		if len(s.Tasks) == 0 && s.Report == nil && s.Status == nebula.Pending {
			continue
		}
		fmt.Fprintf(&b, "\n%s: %s%s\n%s", s.ID, s.Status, elapsed(s, now), plan.Log(s))
		if s.Session != "" {
			fmt.Fprintf(&b, "session: %s\n", s.Session)
		}
		if s.Report != nil {
			fmt.Fprintf(&b, "report: %s\n", plan.Account(*s.Report, lang))
		}
	}
	return b.String()
}

// elapsed is how long a step has been under way, or took.
func elapsed(s nebula.PlanStep, now time.Time) string {
	switch {
	case s.Began.IsZero():
		return ""
	case s.Status == nebula.InProgress:
		return fmt.Sprintf(" for %s", now.Sub(s.Began).Round(time.Second))
	case s.Ended.After(s.Began):
		return fmt.Sprintf(" after %s", s.Ended.Sub(s.Began).Round(100*time.Millisecond))
	}
	return ""
}

// Update changes a step as the model or the person asks: fields, place, stage, or whether it is there at all.
func (l *Loop) Update(ctx context.Context, step string, change Change, by nebula.Decider) (nebula.Plan, error) {
	edits, what, err := change.edits(step)
	if err != nil {
		return nebula.Plan{}, wrong("", "%w.", err)
	}
	p, err := l.Edit(ctx, change.Plan, what, by, edits...)
	if err != nil {
		return p, wrong("", "Not changed: %w.", err)
	}
	return p, nil
}

// A Change is what may be changed about a step; nil and empty fields leave it as it is.
type Change struct {
	Plan        string         `json:"plan_id"`
	Status      string         `json:"status"` // a stage, or skip, retry, remove, add
	Name        *string        `json:"name"`
	Description *string        `json:"description"`
	DependsOn   *[]string      `json:"depends_on"`
	Files       *[]string      `json:"files"`
	Verify      *nebula.Verify `json:"verify"`
	Before      string         `json:"before"`
}

func (c Change) edits(step string) (edits []plan.Edit, what nebula.Code, err error) {
	fields := plan.Fields{Name: c.Name, Description: c.Description, DependsOn: c.DependsOn, Files: c.Files, Verify: c.Verify}
	switch c.Status {
	case "":
	case "add", "new":
		if c.Name == nil {
			return nil, "", errors.New("a new step needs a name")
		}
		return []plan.Edit{plan.Add(nebula.PlanStep{ID: step, DependsOn: []string{}}, -1), plan.Change(step, fields), c.move(step)}, nebula.NewCode(plan.Added, step), nil
	case "remove", "delete":
		return []plan.Edit{plan.Remove(step)}, nebula.NewCode(plan.Removed, step), nil
	case "skip", string(nebula.StageSkipped):
		return []plan.Edit{plan.Skip(step)}, nebula.NewCode(plan.Skipped, step), nil
	case "retry", string(nebula.Pending):
		edits = append(edits, plan.Retry(step))
	default:
		edits = append(edits, plan.Set(step, nebula.Stage(c.Status)))
	}
	if fields != (plan.Fields{}) {
		edits = append(edits, plan.Change(step, fields))
	}
	if c.Before != "" {
		edits = append(edits, c.move(step))
	}
	if len(edits) == 0 {
		return nil, "", errors.New("nothing to change: give a status, or what is to be different")
	}
	return edits, nebula.NewCode(plan.Altered, step), nil
}

//go:noinline
func (c Change) move(step string) plan.Edit {
	if c.Before == "" {
		return func(p nebula.Plan) (nebula.Plan, error) { return p, nil }
	}
	before := c.Before
	if before == "end" {
		before = ""
	}
	return plan.Move(step, before)
}

// Generate asks the model for the tasks of a step and keeps them (Duckflow v4 §4.4).
func (l *Loop) Generate(ctx context.Context, id, step, talk string) (nebula.PlanStep, error) {
	p, err := l.current(id)
	if err != nil {
		return nebula.PlanStep{}, err
	}
	i, err := plan.Find(p, step)
	if err != nil {
		return nebula.PlanStep{}, wrong("", "%w.", err)
	}
	s := p.Steps[i]
	if s.Status == nebula.InProgress && l.running(s.ID) || plan.Over(s.Status) {
		return s, nebula.Wrong("", "Step %s runs already, or is over.", s.ID)
	}
	tasks, err := l.generate(ctx, l.conduct(), p, s, talk, l.spending(p.ID))
	if err != nil {
		return s, err
	}
	return l.step(p.ID, s.ID, "tasks", func(s *nebula.PlanStep) { s.Tasks, s.Session = tasks, "" })
}

func (l *Loop) generate(ctx context.Context, with nebula.Conduct, p nebula.Plan, s nebula.PlanStep, talk string, spent func(nebula.Usage)) (tasks []nebula.Task, err error) {
	c := plan.Context{Lang: l.setup.Lang, Talk: talk, Facts: l.facts(s.Name + " " + s.Description), Tools: l.setup.Tools}
	err = l.ask(ctx, with, spent, plan.Tasks(p, s, c), func(text string) (err error) {
		tasks, err = plan.ReadTasks(text, l.setup.Tools)
		return err
	})
	return plan.Number(s.ID, tasks, nil), err
}

// facts are what is known of the project, most of it about what is to be done.
func (l *Loop) facts(about string) string {
	text := ""
	for _, known := range []func() string{l.setup.Facts, func() string { return l.mapped(about) }} {
		if known != nil {
			text += known() + "\n"
		}
	}
	return strings.TrimSpace(text)
}

//go:noinline
func (l *Loop) mapped(about string) string {
	if l.setup.Map == nil {
		return ""
	}
	return l.setup.Map(about)
}

//go:noinline
func pathOf(args json.RawMessage) string {
	var in struct {
		Path string `json:"path"`
	}
	_ = json.Unmarshal(args, &in) // other arguments name no path
	return in.Path
}

//go:noinline
func arguments(name, value string) json.RawMessage {
	args, _ := json.Marshal(map[string]string{name: value}) // a string always marshals
	return args
}

// fits names the step that tasks are for which were written for none: the first that is ready of the plan that is worked on.
func (l *Loop) fits(r Request) Request {
	p, err := l.current(r.Plan)
	if err != nil || r.Step != "" || p.Status == nebula.Completed {
		return r
	}
	if ready := plan.Ready(p); len(ready) > 0 {
		r.Plan, r.Step = p.ID, p.Steps[ready[0]].ID
	}
	return r
}

// give puts tasks that were written elsewhere into a step: the one that is named, or the one that is ready; where there is
// none, into a plan of their own.
func (l *Loop) give(ctx context.Context, r Request) (Request, error) {
	var ids []string
	if json.Unmarshal(r.Tasks, &ids) == nil {
		return l.meant(r, ids)
	}
	var in []plan.ProposedTask
	if err := json.Unmarshal(r.Tasks, &in); err != nil {
		return r, nebula.Wrong(`Give [{"operation": …, "args": {…}, "reason": …}], or step_id alone.`, "task_list is no list of tasks.")
	}
	for _, t := range in {
		ids = append(ids, t.ID)
	}
	if !lists.Has(ids, "") {
		if meant, err := l.meant(r, ids); err == nil {
			return meant, nil
		}
	}
	tasks, err := plan.MakeTasks(in, l.setup.Tools)
	if err != nil {
		return r, wrong("Correct the tasks.", "Nothing was run: %w.", err)
	}
	if r = l.fits(r); r.Step == "" {
		p, err := l.Propose(ctx, cmp.Or(r.Why, "carry out tasks"), json.RawMessage(`[{"step_id":"step_001","name":"tasks"}]`), "")
		if err != nil {
			return r, err
		}
		r.Plan, r.Step = p.ID, p.Steps[0].ID
	}
	s, err := l.step(r.Plan, r.Step, "tasks", func(s *nebula.PlanStep) { s.Tasks, s.Session = plan.Number(s.ID, tasks, nil), "" })
	if err != nil {
		return r, wrong("", "%w.", err)
	}
	r.Step = s.ID
	return r, nil
}

// meant finds the step whose tasks have these ids.
func (l *Loop) meant(r Request, ids []string) (Request, error) {
	p, err := l.current(r.Plan)
	if err != nil {
		return r, err
	}
	for _, s := range p.Steps {
		for _, t := range s.Tasks {
			if lists.Has(ids, t.ID) {
				r.Plan, r.Step = p.ID, s.ID
				return r, nil
			}
		}
	}
	return r, nebula.Wrong("Give step_id.", "No step has these tasks.")
}
