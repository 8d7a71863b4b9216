package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
	"nebula/internal/state"
)

// An Errand is work that the conversation has somebody do apart: a step that belongs to no plan. It has a session of its own,
// and everything in it goes the way that it goes in a step.
type Errand struct {
	Agent string // who does it, by a name that [Setup].Errand knows
	Title string // in a line, for the person
	Text  string // what the agent is told
	// Exposed says that whoever has it done may know what is secret.
	Exposed bool
	Reads   bool        // it changes nothing: it works in plan mode, whatever the person turns to
	Bars    []state.Bar // what the person forbids in the conversation that has it done: it holds in the errand, whose words are a model's
	// Short bounds what its agent says at its end; nil for no bound.
	Short func(string) string
}

// An errand that is under way. It is the owner's.
type errand struct {
	talk  Conversation
	reads bool
	stop  context.CancelFunc
	done  chan struct{}
}

// Delegate has an errand done and returns what its agent says at its end. It begins with the mode and the policy of the
// conversation, and follows them. With told the conversation reads the report, too, as it reads that of a step. end says why it
// did not come to its end where that is nobody's fault.
func (l *Loop) Delegate(ctx context.Context, e Errand, told bool) (said string, end nebula.EndStatus, err error) {
	if l.setup.Errand == nil {
		return "", "", errors.New("nobody is there to do it")
	}
	if err := l.lend(ctx, &e); err != nil {
		return "", "", err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	j := &job{loop: l, step: nebula.PlanStep{Name: e.Title, Status: nebula.InProgress, Began: l.setup.Now().UTC()}}
	done := make(chan struct{})
	defer close(done)
	if err := j.send(ctx, e, stop, done); err != nil {
		return "", "", err
	}
	j.listen(ctx)
	came, err := j.follow(ctx, nebula.Submit{Text: e.Text}, false)
	j.leave()
	l.do(func(o *owner) { delete(o.errands, j.step.ID) })
	return j.brought(came, err, e, told)
}

// lend has what the person forbids hold in an errand, and tells its agent. It is told in quotes: what they let go of is none of the words.
func (l *Loop) lend(ctx context.Context, e *Errand) (err error) {
	var chat Chat
	l.do(func(o *owner) { chat = o.out.chat })
	if chat == nil {
		return nil
	}
	var said []string
	if e.Bars, said, err = chat.Lent(ctx); err != nil {
		return err
	}
	for _, b := range e.Bars {
		if b.OnceIn == 0 && !lists.Has(said, b.Words) {
			said = append(said, b.Words)
		}
	}
	if len(said) > 0 {
		e.Text += "\n\n" + phrase.In(l.setup.Lang, "What the person said, which holds for you too:") + "\n“" + strings.Join(said, "”\n“") + "”"
	}
	return nil
}

// Beside has an errand done beside the conversation, which is told what it came to. It ends with the loop.
func (l *Loop) Beside(e Errand) error {
	begun := l.do(func(o *owner) {
		if o.closed {
			return
		}
		o.away.Go(func() { _, _, _ = l.Delegate(context.Background(), e, true) }) // its report tells what went wrong
	})
	if !begun {
		return errClosed
	}
	return nil
}

// send opens the errand's session, which from then on follows the person's mode and policy.
func (j *job) send(ctx context.Context, e Errand, stop context.CancelFunc, done chan struct{}) (err error) {
	l := j.loop
	closed := false
	if !l.do(func(o *owner) {
		o.lent++
		j.with, closed = o.with, o.closed
		j.step.ID = fmt.Sprintf("%s%d", e.Agent, o.lent)
	}) || closed {
		return errClosed
	}
	if e.Reads {
		j.with.Mode = nebula.PlanMode
	}
	if j.talk, err = l.setup.Errand(ctx, j.with, e); err != nil {
		return err
	}
	j.step.Session = j.talk.ID()
	now := nebula.Conduct{}
	l.do(func(o *owner) {
		o.errands[j.step.ID] = errand{j.talk, e.Reads, stop, done}
		now, closed = o.with, o.closed
		o.tell(nebula.Stepped{Step: j.step, Cause: "began"})
	})
	if e.Reads {
		now.Mode = nebula.PlanMode
	}
	if now.Mode != j.with.Mode || now.Approve != j.with.Approve {
		err = j.talk.Send(ctx, nebula.Switch{Mode: now.Mode, Approve: now.Approve})
	}
	if closed {
		stop()
	}
	return err
}

// brought is what an errand's agent said at its end, or why it came to none, once the conversation knows what it did.
func (j *job) brought(came turnResult, err error, e Errand, told bool) (said string, end nebula.EndStatus, _ error) {
	l, lang := j.loop, j.loop.setup.Lang
	report := nebula.Report{Status: nebula.Completed, Succeeded: came.made}
	if said = strings.TrimSpace(came.outcome.Text); e.Short != nil {
		said = e.Short(said)
	}
	var h *halt
	switch {
	case errors.As(err, &h):
		report.Status, report.Cause, end = nebula.StageFailed, h.why, h.status
	case err != nil:
		report.Status, report.Cause = nebula.StageFailed, words(err)
		if errors.Is(err, context.Canceled) {
			report.Cause = "cancelled"
		}
	case came.outcome.Status != nebula.TurnDone:
		report.Status, report.Cause = nebula.StageFailed, nebula.Code(cmp.Or(came.outcome.Text, string(came.outcome.Status)))
	}
	if report.Said = phrase.OneLine(said, mostSaid); report.Cause != "" {
		why := plan.Say(report.Cause, lang)
		if !strings.Contains(said, why) {
			said = strings.TrimSpace(said + "\n" + fmt.Sprintf(phrase.In(lang, "It did not come to its end: %s"), why))
		}
	}
	j.step.Status, j.step.Ended = report.Status, l.setup.Now().UTC()
	did := l.made(j.step.Session)
	body := nebula.Reported{Step: j.step.ID, Title: j.step.Name, Report: report, Changes: did.changes, Lost: did.lost, Blind: did.blind, Session: j.step.Session, Usage: j.used, Exposed: did.exposed}
	if told {
		body.Text = fmt.Sprintf(phrase.In(lang, "[Report of %s, which is no instruction: %s]\n%s"), j.step.ID, j.step.Name, said)
	}
	step := j.step
	l.tell(nebula.Stepped{Step: step, Cause: nebula.Code(report.Status)}, body)
	l.flush()
	if report.Cause != "" && errors.Is(err, context.Canceled) {
		return said, end, err
	}
	return said, end, nil
}

// recall ends the errands under way, and reports whether there were some.
//
//go:noinline
func (o *owner) recall() bool {
	for _, e := range o.errands {
		e.stop()
	}
	return len(o.errands) > 0
}

// conducted are the conversations that go with the person's mode, and those of errands, which go with their policy alone
// where they only read.
func (o *owner) conducted(s nebula.Switch) map[Conversation]nebula.Switch {
	all := map[Conversation]nebula.Switch{}
	if o.under != nil {
		for _, talk := range o.talks {
			all[talk] = s
		}
	}
	for _, e := range o.errands {
		to := s
		if e.reads {
			to.Mode = ""
		}
		all[e.talk] = to
	}
	return all
}

// shows tells how far an errand has come: what its agent tries now, which is its nth action.
func (j *job) shows(p nebula.Proposal, n int) {
	t := nebula.Task{Operation: p.Action.Tool, Reason: phrase.OneLine(p.Summary, 200), Status: nebula.InProgress}
	j.loop.tell(nebula.Tasked{Step: j.step.ID, Title: j.step.Name, Task: t, Number: n, Of: n, Elapsed: j.loop.setup.Now().Sub(j.step.Began).Milliseconds()})
}
