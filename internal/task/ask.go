package task

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/plan"
)

// put has a question of the step's session wait in the person's conversation. The answer goes where the question came
// from.
func (j *job) put(ctx context.Context, a nebula.Asked, p nebula.Proposed) {
	q := nebula.Queued{Ask: j.step.ID + "/" + a.Ask, Question: a.Question}
	if a.Action != "" && p.Proposal.Action.ID == a.Action {
		p.Verdict = j.outside(p)
		q.Proposed = &p
	}
	talk := j.talk
	allowed := false
	j.loop.do(func(o *owner) { allowed = o.allowed(q) })
	if allowed {
		go func() { _ = talk.Send(ctx, nebula.Answer{Ask: a.Ask, Answer: nebula.Always, By: nebula.Person}) }() // void when the turn was stopped meanwhile
		return
	}
	if j.coming || j.covered(q) { // what comes into the folder was allowed where it was done
		go func() {
			_ = talk.Send(ctx, nebula.Answer{Ask: a.Ask, Answer: nebula.Yes, By: nebula.Decider("plan " + j.plan)})
		}()
		return
	}
	answers := j.queue(q)
	go func() {
		select {
		case answer, ok := <-answers:
			if ok {
				answer.Ask = a.Ask
				_ = talk.Send(ctx, answer) // void when the turn was stopped meanwhile
			}
		case <-ctx.Done():
		}
	}()
}

// queue puts a question up, and gives the channel on which its answer comes.
func (j *job) queue(q nebula.Queued) <-chan nebula.Answer {
	q.Plan, q.Step, q.Title, q.Session = j.plan, j.step.ID, j.step.Name, j.step.Session
	w := waiting{q, make(chan nebula.Answer, 1)}
	j.loop.do(func(o *owner) {
		o.waiting = append(o.waiting, w)
		o.tell(q)
	})
	return w.answers
}

// dequeue takes a question off those that wait.
func (o *owner) dequeue(ask string) (waiting, bool) {
	i := slices.IndexFunc(o.waiting, func(w waiting) bool { return w.asked.Ask == ask })
	if i < 0 {
		return waiting{}, false
	}
	w := o.waiting[i]
	o.waiting = lists.Delete(o.waiting, i, i+1)
	return w, true
}

// answered clears a question that has its answer; one that was given up is cleared in the person's conversation too.
//
//go:noinline
func (l *Loop) answered(ask string, a nebula.Answered) {
	l.do(func(o *owner) {
		if w, ok := o.dequeue(ask); ok {
			close(w.answers)
			o.tell(nebula.Answered{Ask: ask, Answer: a.Answer, Text: a.Text, By: a.By})
		}
	})
}

// Answer answers a question that waits. A command that is allowed always is allowed in every step.
func (l *Loop) Answer(_ context.Context, a nebula.Answer) error {
	if a.Answer != nebula.No && a.By.None() {
		return fmt.Errorf("nobody gave the answer to %s", a.Ask)
	}
	found := false
	l.do(func(o *owner) {
		var w waiting
		if w, found = o.dequeue(a.Ask); !found {
			return
		}
		w.answers <- a
		close(w.answers)
		if a.Answer == nebula.Always && w.asked.Proposed != nil {
			o.allow(w.asked.Proposed.Proposal.Key(), a)
		}
	})
	if !found {
		return fmt.Errorf("nothing waits for the answer to %s any more", a.Ask)
	}
	return nil
}

// Allow is told of a command, by its proposal's key, that the person allowed always in the conversation. It holds for the
// steps, too, those that wait for it among them.
//
//go:noinline
func (l *Loop) Allow(_ context.Context, key string) {
	l.do(func(o *owner) { o.allow(key, nebula.Answer{Answer: nebula.Always, By: nebula.Person}) })
}

// allow keeps what the person has just allowed always, and answers the questions that wait for it.
func (o *owner) allow(key string, a nebula.Answer) {
	if !lists.Has(o.with.Always, key) {
		o.with.Always = append(lists.Clone(o.with.Always), key)
	}
	for _, other := range lists.Clone(o.waiting) {
		if !o.allowed(other.asked) {
			continue
		}
		w, _ := o.dequeue(other.asked.Ask)
		w.answers <- a
		close(w.answers)
		o.tell(nebula.Answered{Ask: other.asked.Ask, Answer: a.Answer, By: a.By})
	}
}

// allowed reports whether what is asked for is a command that the person has allowed always, or what it did on a view, and nothing
// but that has it asked: where it is a guess, is doubted, or runs what was changed since, an always does not hold.
func (o *owner) allowed(q nebula.Queued) bool {
	if q.Proposed == nil || q.Proposed.Verdict.Why != "runs_command" && (q.Proposed.Proposal.Ran == "" || q.Proposed.Verdict.Why != "changes_files") {
		return false
	}
	return lists.Has(o.with.Always, q.Proposed.Proposal.Key())
}

// covered reports whether what is asked for was named in the plan that the person approved, and asks for no other reason
// than that it changes something: the very command that a step is verified with, all the tests where they verify one, or a change of the step's own files. A file
// that steers builds is covered where the step says its whole name; being in a named folder is not enough. A plan that
// changes is a draft again, and covers nothing; an errand has none.
func (j *job) covered(q nebula.Queued) bool {
	if j.plan == "" {
		return false
	}
	p, err := j.loop.current(j.plan)
	if err != nil || q.Proposed == nil || p.Approved != nebula.Person || q.Proposed.Proposal.Action.Inferred {
		return false
	}
	proposal := q.Proposed.Proposal
	tests := proposal.Action.Tool == j.loop.setup.Tests && plain(proposal.Action.Args)
	verifies := proposal.Line() != "" && slices.ContainsFunc(p.Steps, func(s nebula.PlanStep) bool {
		return s.Verify.Command == proposal.Line() || tests && s.Verify.Tests
	})
	switch proposal.Effect {
	case nebula.Execute:
		return verifies
	case nebula.Write:
		if verifies && q.Proposed.Verdict.Why == "changes_files" { // what the very command did, on a view
			return true
		}
		if q.Proposed.Verdict.Why == gate.AtBuild && !slices.ContainsFunc(proposal.Targets, j.unsaid) {
			return true
		}
		return q.Proposed.Verdict.Why == "changes_files" && len(j.step.Files) > 0 && !slices.ContainsFunc(proposal.Targets, j.unnamed)
	}
	return false
}

// plain reports whether the tests are run without a command of somebody's own, as the loop itself runs them.
func plain(args json.RawMessage) bool {
	var in struct{ Command string }
	return json.Unmarshal(args, &in) == nil && in.Command == ""
}

// unnamed reports whether a target is none that the step's files say will be made or changed.
func (j *job) unnamed(t nebula.Target) bool {
	if t.Kind == "mkdir" {
		return !plan.Leads(j.step.Files, t.Path)
	}
	return t.Kind != "create" && t.Kind != "edit" || len(j.foreign([]string{t.Path})) > 0
}

// unsaid reports whether a target is none that the step names as it is, a file that builds read by its name.
func (j *job) unsaid(t nebula.Target) bool {
	return j.unnamed(t) || t.Kind != "mkdir" && !(gate.Builds(t.Path) && lists.Has(j.step.Files, t.Path))
}

// wonder asks the person something of the loop's own and waits. Nobody's answer is a halt.
func (j *job) wonder(ctx context.Context, name string, q nebula.Question) (nebula.Answer, error) {
	ask := j.step.ID + "/" + name
	answers := j.queue(nebula.Queued{Ask: ask, Question: &q})
	select {
	case a := <-answers:
		if a.By == nebula.Nobody || a.Answer == nebula.No && a.Text == "" {
			return a, &halt{nebula.NeedsInput, code(plan.StepWaits, j.step.ID, q.Text)}
		}
		return a, nil
	case <-ctx.Done():
		j.loop.answered(ask, nebula.Answered{Answer: nebula.No, By: nebula.Stop})
		return nebula.Answer{}, ctx.Err()
	}
}
