package state

import (
	"slices"

	"nebula"
	"nebula/internal/lists"
)

func (s *State) answer(b nebula.Answered) {
	if i := slices.IndexFunc(s.Queue, func(q nebula.Queued) bool { return q.Ask == b.Ask }); i >= 0 {
		s.decided(b, s.Queue[i].Question, s.Queue[i].Proposed)
		s.Queue = lists.Delete(lists.Clone(s.Queue), i, i+1)
		return
	}
	if s.Turn.Asked == nil || s.Turn.Asked.Ask != b.Ask {
		return
	}
	if p := s.Turn.Pending; p != nil {
		if _, before := s.Approved[p.Proposal.Key()]; b.Answer == nebula.Always || b.Answer == nebula.Here || b.Answer == nebula.Yes && before {
			s.Approved[p.Proposal.Key()] = s.Seq
		}
	}
	if b.Answer == nebula.Try && s.Turn.Pending != nil {
		on := *s.Turn.Pending
		on.Proposal.Viewed, s.Turn.Tried = true, on.Proposal.Beyond()
		s.Turn.Pending = &on
	}
	s.shown(b)
	s.decided(b, s.Turn.Asked.Question, s.Turn.Pending)
	refused := !b.Answer.Allows() && b.Answer != nebula.Told
	switch {
	case refused && s.Turn.Asked.Question != nil:
		if q := s.Turn.Asked.Question; !q.Optional {
			s.Turn.Unanswered, s.Turn.Question = true, *q
		}
	case refused && b.By != nebula.Person:
		s.lack(s.Turn.Pending)
	}
	s.Turn.Asked = nil
	s.Machine = s.Machine.Utter(true)
}

// shown takes in what the person refused at the gate.
func (s *State) shown(b nebula.Answered) {
	if s.Turn.Pending == nil || s.Turn.Asked.Question != nil {
		return
	}
	if b.Answer == nebula.No && b.By == nebula.Person {
		s.Turn.Denied = append(s.Turn.Denied, s.Turn.Pending.Proposal)
	}
}

// looked keeps which changes nobody saw: those of commands, and edits that no person was asked about.
func (s *State) looked(r nebula.Result) {
	seen := !s.Turn.Unasked && s.Turn.Pending != nil && s.Turn.Pending.Proposal.Effect == nebula.Write
	for _, c := range r.Changes {
		if delete(s.Unseen, c.Path); !seen {
			s.Unseen[c.Path] = s.Seq
		}
	}
}

// Held reports whether messages wait for the open reply's results.
func (s *State) Held() bool { return len(s.held) > 0 }
