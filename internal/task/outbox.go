package task

import (
	"context"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/plan"
)

// An outbox tells a conversation what happened, in order, without making whoever tells it wait. What came when the
// conversation had ended is told to the next one, if it is worth knowing by then. It is the owner's.
type outbox struct {
	chat    Chat
	since   bool // there was a conversation
	bodies  []nebula.Body
	plan    nebula.Plan // that it was told of last
	again   []string    // sessions of steps that it was told of once more
	sending bool
	idle    []func() // called when everything was sent
}

// attach turns to a conversation, which is told first what it has to know.
func (o *owner) attach(chat Chat, first []nebula.Body) {
	o.out.chat, o.out.since, o.out.plan, o.out.again = chat, true, nebula.Plan{}, nil
	o.out.bodies = append(first, o.out.bodies...)
	o.tell()
}

func (o *owner) planned(p nebula.Plan, change nebula.Code, by nebula.Decider) {
	if o.out.chat != nil {
		o.out.plan = p
	}
	o.tell(nebula.Planned{Plan: plan.Bare(p), Change: change, By: by})
}

// unseen shows the draft that a yes would be to, where it names none and the conversation was never told of this one, and says so
// in place of approving it: it may be from another conversation, or have become another there.
func (l *Loop) unseen(named string) (err error) {
	l.do(func(o *owner) {
		if o.under != nil || named != "" {
			return
		}
		p, lost := Find(context.Background(), l.setup.Plans, l.setup.Project, "")
		if lost != nil || p.Status != nebula.Draft || p.ID == o.out.plan.ID && p.Version == o.out.plan.Version {
			return
		}
		o.hold(p)
		o.planned(p, "draft", "") // nobody decided anything
		err = nebula.Errorf("this conversation had not shown the plan %s: here it is; say it again to approve it", p.ID)
	})
	l.flush()
	return err
}

func (o *owner) tell(bodies ...nebula.Body) {
	switch {
	case !o.out.since:
		return
	case o.out.chat == nil:
		o.out.bodies = append(o.out.bodies, lasting(bodies)...)
		return
	}
	o.out.bodies = append(o.out.bodies, bodies...)
	if !o.out.sending {
		o.send()
	}
}

// send sends what there is, beside the owner.
func (o *owner) send() {
	chat, bodies := o.out.chat, o.out.bodies
	if len(bodies) == 0 || chat == nil {
		o.out.sending = false
		for _, f := range o.out.idle {
			f()
		}
		o.out.idle = nil
		return
	}
	o.out.sending, o.out.bodies = true, nil
	go func() {
		err := chat.Send(context.Background(), nebula.Inform{Bodies: bodies})
		o.loop.do(func(o *owner) { o.sent(chat, bodies, err) })
	}()
}

func (o *owner) sent(chat Chat, bodies []nebula.Body, err error) {
	if err == nil {
		for _, b := range bodies {
			if r, ok := b.(nebula.Reported); ok {
				o.delivered(r)
			}
		}
	} else {
		o.out.bodies = append(lasting(bodies), lasting(o.out.bodies)...)
		if o.out.chat == chat {
			o.out.chat = nil // it has ended
		}
	}
	o.send()
}

// lasting are the bodies that another conversation is to be told later: questions are asked anew there.
func lasting(bodies []nebula.Body) (kept []nebula.Body) {
	for _, b := range bodies {
		switch b.(type) {
		case nebula.Planned, nebula.Stepped, nebula.Reported:
			kept = append(kept, b)
		}
	}
	return kept
}

// delivered keeps that a step's report is in a conversation. One that a crash kept from it is told again by the next run.
func (o *owner) delivered(r nebula.Reported) {
	_, _ = o.step(r.Plan, r.Step, "", func(s *nebula.PlanStep) { s.Told = s.Report != nil }) // else it is told twice
}

// tellAgain tells the reports of a plan that are in no conversation yet, and those of a run that a crash cut off and that goes on
// in this one: it is one run, and is told and taken back as one.
func (o *owner) tellAgain(p nebula.Plan) {
	for _, s := range p.Steps {
		if s.Report != nil && !lists.Has(o.out.again, s.Session) && (!s.Told || !p.Since.IsZero() && !s.Ended.Before(p.Since)) {
			o.out.again = append(o.out.again, s.Session)
			did := o.loop.made(s.Changing())
			o.tell(nebula.Reported{Plan: p.ID, Step: s.ID, Title: s.Name, Report: *s.Report, Changes: did.changes, Lost: did.lost, Blind: did.blind, Session: s.Changing(),
				Text: reported(p, s, o.loop.setup.Lang)})
		}
	}
}

// whenTold calls f when everything told so far is in the conversation.
//
//go:noinline
func (o *owner) whenTold(f func()) {
	if !o.out.sending {
		f()
		return
	}
	o.out.idle = append(o.out.idle, f)
}

// flush waits until everything told so far is in the conversation.
func (l *Loop) flush() {
	told := make(chan struct{})
	if l.do(func(o *owner) { o.whenTold(func() { close(told) }) }) {
		<-told
	}
}

// talk is the conversation in short, for planning; empty where it does not tell.
func (l *Loop) talk(ctx context.Context) string {
	var chat Chat
	l.do(func(o *owner) { chat = o.out.chat })
	if chat == nil {
		return ""
	}
	text, err := chat.Talk(ctx)
	if err != nil { // it has ended: then it has no more to say
		return ""
	}
	return text
}
