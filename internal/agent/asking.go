package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/amend"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/state"
)

// put asks the person the model's question; the answer is the action's result.
func (s *Session) put(ctx context.Context, shown nebula.Proposed) nebula.Result {
	p := shown.Proposal
	if s.record(shown) != nil || p.Question == nil {
		return result(p.Action, nebula.Failed, s.say(nothingAsked))
	}
	polite := state.Polite([]nebula.Question{*p.Question})
	answer, err := s.question(ctx, p.Action.ID, polite[0])
	if err != nil {
		return nebula.Result{}
	}
	if answer == nil {
		return result(p.Action, nebula.Skipped, s.say(noAnswer))
	}
	return result(p.Action, nebula.Done, answer.Text)
}

// open is an answer with the question that nobody was there to answer, unless it has it.
func (s *Session) open(text string) string {
	q := s.state.Turn.Question
	if !s.setup.Alone || strings.Contains(text, q.Text) {
		return text
	}
	return strings.TrimSpace(text + "\n" + q.Lines())
}

// question waits for the person's answer; nil when none came.
func (s *Session) question(ctx context.Context, action string, q nebula.Question) (*nebula.Answered, error) {
	id := fmt.Sprintf("q%d.%d", s.state.Turn.Number, s.state.Seq+1)
	if err := s.record(nebula.Asked{Ask: id, Action: action, Question: &q}); err != nil {
		return nil, err
	}
	answer := s.hear(ctx)
	if s.err != nil || answer == nil || answer.Answer != nebula.Told {
		return nil, s.err
	}
	return answer, nil
}

// An asking is a question that a running action has for the person.
type asking struct {
	ctx      context.Context
	action   string
	question nebula.Question
	reply    chan *nebula.Answered
}

// asker lets a running action ask the person. What it asks can be left unanswered.
func (s *Session) asker(action string) func(context.Context, nebula.Question) (string, bool) {
	return func(ctx context.Context, q nebula.Question) (string, bool) {
		q.Optional = true
		a := asking{ctx, action, q, make(chan *nebula.Answered, 1)}
		select {
		case s.asks <- a:
		case <-ctx.Done():
			return "", false
		}
		answer := <-a.reply
		if answer == nil {
			return "", false
		}
		return answer.Text, true
	}
}

// wanted is what the person is waited for, as hooks are told it.
//
//go:noinline
func (s *Session) wanted() (kind, text string) {
	switch asked, pending := s.state.Turn.Asked, s.state.Turn.Pending; {
	case asked != nil && asked.Question != nil:
		return "question", asked.Question.Text
	case pending != nil:
		return "permission_prompt", pending.Proposal.Summary
	}
	return "question", ""
}

// hear serves commands until the question that waits is answered or the turn is stopped.
func (s *Session) hear(ctx context.Context) *nebula.Answered {
	s.turn.answer = nil
	s.turn.clock.pause()
	defer s.turn.clock.resume()
	defer s.notified(ctx)()
	for s.turn.answer == nil && ctx.Err() == nil { // an answer behind a stop is void
		select {
		case in := <-s.inbox:
			s.busy(in)
		case <-ctx.Done():
		}
	}
	if s.turn.answer == nil && s.err == nil && s.state.Turn.Asked != nil {
		_ = s.record(nebula.Answered{Ask: s.state.Turn.Asked.Ask, Answer: nebula.No, By: nebula.Stop})
	}
	return s.turn.answer
}

// answered takes the answer to what waits. A command that is allowed always is allowed to what works in the background, too,
// before the answer counts as taken in.
func (s *Session) answered(c nebula.Answer, reply chan<- error) {
	asked, pending := s.state.Turn.Asked, s.state.Turn.Pending
	switch {
	case asked == nil || asked.Ask != c.Ask:
		reply <- errors.New(s.say(noLonger))
		return
	case c.Answer == nebula.Some && (pending == nil || asked.Question != nil || pending.Proposal.Ran == ""):
		reply <- errors.New(s.say(nothingToChoose))
		return
	case c.Answer == nebula.Try && (pending == nil || asked.Question != nil || !pending.Proposal.Tries):
		reply <- errors.New(s.say(nothingToTry))
		return
	}
	if err := s.changeable(c, asked.Question, pending); err != nil {
		reply <- err
		return
	}
	if c.By == nebula.Nobody && c.Text == string(nobodyHears) {
		c.Text = s.say(nobodyHears)
	}
	a := nebula.Answered{Ask: c.Ask, Answer: holding(c.Answer, pending), Text: c.Text, By: c.By, Command: c.Command}
	if err := s.record(append(s.lasting(a, pending), a)...); err != nil {
		reply <- err
		return
	}
	s.turn.answer = &a
	if a.Answer != nebula.Always && a.Answer != nebula.Here || asked.Question != nil || pending == nil || pending.Proposal.Line() == "" || s.setup.Beside == nil {
		reply <- nil
		return
	}
	go func() {
		s.setup.Beside.Allow(s.ctx, pending.Proposal.Key())
		reply <- nil
	}()
}

// lasting is what an answer brings beside itself: edits that run unasked from then on, or what is allowed in this folder from now
// on. Where that cannot be kept, the person is told; this session it holds.
func (s *Session) lasting(a nebula.Answered, p *nebula.Proposed) []nebula.Body {
	switch {
	case p == nil || a.By != nebula.Person:
		return nil
	case a.Answer == nebula.Edits:
		return []nebula.Body{nebula.Switched{Approve: string(gate.Edits)}}
	case a.Answer != nebula.Here || s.setup.Rules == nil:
		return nil
	}
	rule, ok := gate.Lasting(p.Proposal, p.Verdict.Risks)
	if !ok {
		return nil
	}
	if err := s.setup.Rules.Add(rule); err != nil {
		return []nebula.Body{s.warns(notKept, err)}
	}
	s.lasts = append(s.standing(), rule)
	return nil
}

// standing is what is allowed in this folder from now on, as it was when it was first asked for.
func (s *Session) standing() []gate.Rule {
	if s.lasts == nil && s.setup.Rules != nil {
		s.lasts = append([]gate.Rule{}, s.setup.Rules.All()...)
	}
	return s.lasts
}

// holding is an answer as what it comes to: an "always" where none holds is a yes, this once.
func holding(d nebula.Decided, p *nebula.Proposed) nebula.Decided {
	more := d == nebula.Always || d == nebula.Here || d == nebula.Edits
	if more && (p == nil && d != nebula.Always || p != nil && lists.Has(gate.Lacks(p.Proposal, p.Verdict.Risks), d)) {
		return nebula.Yes
	}
	return d
}

// changeable says why an answer may not bring its own command or change: it is to be a yes to one that was shown.
func (s *Session) changeable(c nebula.Answer, q *nebula.Question, p *nebula.Proposed) error {
	if c.Command == "" {
		return nil
	}
	if c.Answer != nebula.Yes || q != nil || p == nil || amend.Offered(p.Proposal) == "" {
		return errors.New(s.say(noCommandHere))
	}
	return amend.Check(p.Proposal, c.Command)
}

// cut says why a turn goes on no more: by is for where the person stopped it.
func (s *Session) cut(ctx context.Context, by sentence) string {
	if context.Cause(ctx) == errTime {
		by = timeUp
	}
	return cmp.Or(s.signalled(ctx), s.say(by))
}
