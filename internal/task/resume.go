package task

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A trace is what a step's session tells of one task.
type trace struct {
	action   nebula.Action
	agent    bool // its own, not given
	proposal *nebula.Proposal
	began    bool
	result   *nebula.Result
}

// A past is what an earlier process did in the step's session.
type past struct {
	tasks map[string]*trace
	order []string
	last  string // the task that was given last, if its agent has not worked since
}

// past reads the step's session: by task what was done, and how far its agent has come.
func (j *job) past(ctx context.Context) (past, error) {
	p := past{tasks: map[string]*trace{}}
	calls := map[string]*trace{} // by action
	of := func(action string) *trace {
		if t := calls[action]; t != nil {
			return t
		}
		return &trace{}
	}
	agent := false
	for e, err := range j.loop.setup.Load(ctx, j.step.Session) {
		if err != nil {
			return p, err
		}
		switch b := e.Body.(type) {
		case nebula.Submitted:
			if agent = b.By == ""; agent {
				j.briefed, j.worked, p.last = true, false, ""
			}
		case nebula.Replied:
			for _, a := range b.Intent.Actions {
				id := a.Call
				if b.By == "" {
					id = taskOf(j.step.ID, a.ID)
				} else {
					p.last = id
				}
				t := &trace{action: a, agent: b.By == ""}
				if p.tasks[id] == nil {
					p.order = append(p.order, id)
				}
				p.tasks[id], calls[a.ID] = t, t
			}
		case nebula.Proposed:
			of(b.Proposal.Action.ID).proposal = &b.Proposal
		case nebula.Began:
			of(b.Action).began = true
		case nebula.Finished:
			of(b.Result.Action).result = &b.Result
		case nebula.Ended:
			if agent && b.Status == nebula.TurnDone {
				j.worked, j.said = true, b.Text
			}
		}
	}
	return p, nil
}

// cutOff is how it is said of a plan and a step that an earlier process left under way.
const cutOff = "interrupted"

// interrupted tells of a plan that an earlier process left under way: nothing of it is, and it can go on.
func (l *Loop) interrupted(ctx context.Context) {
	open := func(s nebula.PlanStep) bool { return s.Status == nebula.InProgress }
	p, err := l.current("")
	if err != nil || !slices.ContainsFunc(p.Steps, open) {
		return
	}
	unlock, err := l.alone(ctx)
	if err != nil { // another nebula carries it out
		return
	}
	defer unlock()
	var left []string
	l.do(func(o *owner) {
		p, err = o.change(p.ID, nil, func(p nebula.Plan) (nebula.Plan, error) {
			left = nil
			for _, s := range p.Steps {
				if open(s) {
					left = append(left, s.ID)
				}
			}
			p.Why = "cut_off"
			return reopen(p)
		})
		if err != nil || len(left) == 0 {
			return // it is told when it is run
		}
		if !l.setup.GoesOn {
			o.tellAgain(p) // what was done before it stands before it
		}
		for _, s := range p.Steps {
			if lists.Has(left, s.ID) {
				o.stepped(p, s, cutOff)
			}
		}
		o.planned(p, cutOff, "nebula")
	})
}

// since notes when a run began. One that goes on after a crash began when it did first.
func (o *owner) since(p nebula.Plan) (nebula.Plan, error) {
	if p.Since.IsZero() {
		p.Since = o.loop.setup.Now().UTC()
	}
	return p, nil
}

// endKnown notes that the conversation knows how a run ended. What a crash kept from it is told by the next run.
func (o *owner) endKnown(u *run) {
	if o.under == nil {
		_, _ = o.change(u.plan, []string{}, func(p nebula.Plan) (nebula.Plan, error) {
			p.Since = time.Time{}
			return p, nil
		})
	}
}

// settle takes over what an earlier process did: what is recorded as done is done; of what was under way the session
// has told, from the files, whether it happened; and where it could not, the person does. What the step's agent did and
// no task tells of yet is one.
func (j *job) settle(ctx context.Context, p past) error {
	for _, id := range p.order {
		tr := p.tasks[id]
		if tr.result == nil || tr.agent && tr.proposal == nil {
			continue
		}
		n := j.taskIndex(id)
		if n < 0 && tr.agent {
			if err := j.takes(tr.proposal.Action); err != nil {
				return err
			}
			n = j.taskIndex(id)
		}
		if n < 0 {
			continue
		}
		if err := j.take(ctx, n, tr, id == p.last); err != nil {
			return err
		}
	}
	return j.keep("", rewind)
}

// rewind makes tasks pending that no session knows of: they were not begun.
func rewind(s *nebula.PlanStep) {
	for n := range s.Tasks {
		if s.Tasks[n].Status == nebula.InProgress {
			s.Tasks[n].Status = nebula.Pending
		}
	}
}

// take takes over what became of a task. One that was given, and was not begun or has failed last, is to be done; what the
// agent did not begin, it can propose again.
func (j *job) take(ctx context.Context, n int, tr *trace, last bool) error {
	to := func(stage nebula.Stage) error {
		return j.keep("", func(s *nebula.PlanStep) { s.Tasks[n].Status = stage })
	}
	switch stage := j.step.Tasks[n].Status; {
	case stage == nebula.StageFailed && last && !tr.agent:
		return to(nebula.Pending)
	case stage != nebula.InProgress && stage != nebula.Pending:
		return nil
	case tr.result.Status == nebula.Interrupted && tr.began:
		if err := to(nebula.InProgress); err != nil {
			return err
		}
		return j.decide(ctx, n, tr)
	case tr.result.Status == nebula.Done, tr.agent:
		return j.keep("", func(s *nebula.PlanStep) { ended(&s.Tasks[n], *tr.result) })
	}
	return to(nebula.Pending)
}

// decide has the person say whether a task that was under way took effect. Running tests again does no harm.
func (j *job) decide(ctx context.Context, n int, tr *trace) error {
	t := j.step.Tasks[n]
	anew := func() error { // by the loop, whoever made it
		return j.keep("", func(s *nebula.PlanStep) { s.Tasks[n].Status, s.Tasks[n].By = nebula.Pending, "" })
	}
	if t.Operation == j.loop.setup.Tests && tr.agent {
		return j.keep("", func(s *nebula.PlanStep) { ended(&s.Tasks[n], *tr.result) })
	}
	if t.Operation == j.loop.setup.Tests {
		return anew()
	}
	lang := j.loop.setup.Lang
	again := phrase.In(lang, "run it again")
	accept := phrase.In(lang, "it is done")
	done := func() error {
		return j.keep("", func(s *nebula.PlanStep) {
			ended(&s.Tasks[n], nebula.Result{Status: nebula.Done, Summary: accept})
		})
	}
	switch j.loop.setup.CutOff {
	case "again":
		return anew()
	case "done":
		j.declared = append(j.declared, describe(tr))
		return done()
	}
	a, err := j.wonder(ctx, t.ID, nebula.Question{
		Text:    fmt.Sprintf(phrase.In(lang, "This was cut off while it ran: %s. Whether it took effect is not known."), describe(tr)),
		Options: []string{again, accept},
	})
	switch {
	case err != nil:
		return err
	case a.Text == accept:
		j.declared = append(j.declared, describe(tr))
		return done()
	}
	return anew()
}

// Became tells from the files whether what was proposed took effect: they are what it makes of them, or what they were
// when it was shown. It is known only where all files tell the same; else the changes are those that they tell of. What took effect can be taken back like any other
// change, directories too that were made for a file that was not. look gives the hash and the mode of what stands at a path.
//
//go:noinline
func Became(look func(path string) (hash string, mode uint32, there bool)) func(p nebula.Proposal) (nebula.Result, bool) {
	return func(p nebula.Proposal) (nebula.Result, bool) {
		if p.Effect != nebula.Write || len(p.Targets) == 0 {
			return nebula.Result{}, !p.Effect.Changes()
		}
		before, after, files := 0, 0, 0
		var stand []nebula.Change // what took effect
		r := nebula.Result{Status: nebula.Done}
		for n, t := range p.Targets {
			hash, mode, there := look(t.Path)
			switch {
			case t.Kind == "mkdir" && n < len(p.Targets)-1: // made on the way to what comes last, which tells
			case t.Kind == "mkdir" && there, there && t.After != "" && hash == t.After, t.Kind == "delete" && !there:
				files, after = files+1, after+1
			case !there && t.Hash == "", there && hash == t.Hash && (hash != "" || t.Kind == "delete"):
				files, before = files+1, before+1
			default:
				files++
			}
			if t.After != "" {
				r.Seen = append(r.Seen, nebula.FileRef{Path: t.Path, Hash: t.After})
			}
			r.Changes = append(r.Changes, changed(t, mode))
			if t.Hash != t.After && (there && hash == t.After && t.After != "" || t.Kind == "delete" && !there) {
				stand = append(stand, r.Changes[n])
			}
		}
		if files == before {
			r = nebula.Result{Status: nebula.Skipped, Changes: lists.Drop(r.Changes, func(c nebula.Change) bool {
				_, _, there := look(c.Path)
				return c.Kind != "mkdir" || !there
			})}
		}
		if files != after && files != before {
			return nebula.Result{Changes: stand}, false
		}
		return r, files > 0
	}
}

// Declared tells of what was under way as became does, and of commands where the person said beforehand what becomes of
// those that were cut off: that they are done. tests is the tool that they say nothing of, as it can run again.
func Declared(became func(nebula.Proposal) (nebula.Result, bool), cutOff, tests, lang string) func(nebula.Proposal) (nebula.Result, bool) {
	return func(p nebula.Proposal) (nebula.Result, bool) {
		r, known := became(p)
		if known || cutOff != "done" || p.Effect != nebula.Execute || p.Action.Tool == tests {
			return r, known
		}
		return nebula.Result{Status: nebula.Done, Text: phrase.In(lang, declared)}, true
	}
}

// declared is what an agent reads of a command that was cut off and that the person called done.
const declared = "It was cut off while it ran; the person says that it is done. Do not do it again."

// changed is the change that made of a target what it was to become.
func changed(t nebula.Target, mode uint32) nebula.Change {
	c := nebula.Change{Path: t.Path, Kind: t.Kind, Before: t.Hash, After: t.After, ModeBefore: t.Mode, ModeAfter: mode}
	if t.Kind == "delete" && fs.FileMode(t.Mode).IsDir() {
		c.Kind = "rmdir"
	}
	return c
}

//go:noinline
func describe(tr *trace) string {
	if tr.proposal == nil {
		return "?"
	}
	return cmp.Or(tr.proposal.Line(), tr.proposal.Summary)
}
