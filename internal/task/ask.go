package task

import (
	"context"
	"fmt"
	"slices"

	"nebula"
)

// put has a question of the step's session wait in the person's conversation. The answer goes where the question came
// from.
func (j *job) put(ctx context.Context, a nebula.Asked, p nebula.Proposed) {
	q := nebula.Queued{Ask: j.step.ID + "/" + a.Ask, Question: a.Question}
	if a.Action != "" && p.Proposal.Action.ID == a.Action {
		p.Verdict = j.beside(p)
		q.Proposed = &p
	}
	talk := j.talk
	if j.loop.allowed(q) {
		go func() { _ = talk.Send(ctx, nebula.Answer{Ask: a.Ask, Answer: nebula.Always}) }() // void when the turn was stopped meanwhile
		return
	}
	if j.covered(ctx, q) {
		go func() { _ = talk.Send(ctx, nebula.Answer{Ask: a.Ask, Answer: nebula.Yes, By: "plan " + j.plan}) }()
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
	l := j.loop
	q.Plan, q.Step, q.Title, q.Session = j.plan, j.step.ID, j.step.Name, j.step.Session
	w := waiting{q, make(chan nebula.Answer, 1)}
	l.mu.Lock()
	l.waiting = append(l.waiting, w)
	l.mu.Unlock()
	l.out.tell(q)
	return w.answers
}

// take takes a question off those that wait.
func (l *Loop) take(ask string) (waiting, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.waiting, func(w waiting) bool { return w.asked.Ask == ask })
	if i < 0 {
		return waiting{}, false
	}
	w := l.waiting[i]
	l.waiting = slices.Delete(l.waiting, i, i+1)
	return w, true
}

// taken clears a question that has its answer; one that was given up is cleared in the person's conversation too.
func (l *Loop) taken(ask string, a nebula.Answered) {
	if w, ok := l.take(ask); ok {
		close(w.answers)
		l.out.tell(nebula.Answered{Ask: ask, Answer: a.Answer, Text: a.Text, By: a.By})
	}
}

// Answer answers a question that waits. A command that is allowed always is allowed in every step.
func (l *Loop) Answer(_ context.Context, a nebula.Answer) error {
	w, ok := l.take(a.Ask)
	if !ok {
		return fmt.Errorf("nothing waits for the answer to %s any more", a.Ask)
	}
	w.answers <- a
	close(w.answers)
	if a.Answer != nebula.Always || w.asked.Proposed == nil {
		return nil
	}
	l.mu.Lock()
	l.always[w.asked.Proposed.Proposal.Key()] = true
	var asks []string
	for _, other := range l.waiting {
		asks = append(asks, other.asked.Ask)
	}
	l.mu.Unlock()
	for _, ask := range asks {
		l.allow(ask, a)
	}
	return nil
}

// allowed reports whether what is asked for is a command that the person has allowed always.
func (l *Loop) allowed(q nebula.Queued) bool {
	if q.Proposed == nil || q.Proposed.Proposal.Effect != nebula.Execute || q.Proposed.Proposal.Action.Inferred {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.always[q.Proposed.Proposal.Key()]
}

// covered reports whether what is asked for is the very command that the person saw as the step's verification in the plan
// that the person approved. A plan that changes is a draft again, and covers nothing.
func (j *job) covered(ctx context.Context, q nebula.Queued) bool {
	if q.Proposed == nil || j.step.Verify.Command == "" {
		return false
	}
	p, err := j.loop.current(ctx, j.plan)
	proposal := q.Proposed.Proposal
	return err == nil && p.Approved == "person" && proposal.Action.Call == j.step.ID+".verify" && proposal.Command == j.step.Verify.Command
}

// allow answers a question that waits, if it is for what the person has just allowed always.
func (l *Loop) allow(ask string, a nebula.Answer) {
	l.mu.Lock()
	i := slices.IndexFunc(l.waiting, func(w waiting) bool { return w.asked.Ask == ask })
	var q nebula.Queued
	if i >= 0 {
		q = l.waiting[i].asked
	}
	l.mu.Unlock()
	if !l.allowed(q) {
		return
	}
	if w, ok := l.take(ask); ok {
		w.answers <- a
		close(w.answers)
		l.out.tell(nebula.Answered{Ask: ask, Answer: a.Answer, By: a.By})
	}
}

// wonder asks the person something of the loop's own and waits. Nobody's answer is a halt.
func (j *job) wonder(ctx context.Context, name string, q nebula.Question) (nebula.Answer, error) {
	ask := j.step.ID + "/" + name
	answers := j.queue(nebula.Queued{Ask: ask, Question: &q})
	select {
	case a := <-answers:
		if a.By == "nobody" || a.Answer == nebula.No && a.Text == "" {
			return a, &halt{nebula.NeedsInput, "step " + j.step.ID + " waits for the person: " + q.Text}
		}
		return a, nil
	case <-ctx.Done():
		j.loop.taken(ask, nebula.Answered{Answer: nebula.No, By: "stopped"})
		return nebula.Answer{}, ctx.Err()
	}
}
