package agent

import (
	"context"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A Brought is what a folder brings that could run, and that does nothing before the person has agreed.
type Brought struct {
	Question nebula.Question // shows it; the first of its options, and nothing else, agrees. Without options it is only told
	Notice   nebula.Words    // what is said where nobody is there to answer
	Agree    func() error    // keeps the person's word
	Amiss    []nebula.Words  // what could have brought something, and cannot be read
}

// offer asks the person once whether what the folder brings may run.
func (s *Session) offer(ctx context.Context) {
	if s.setup.Brings == nil {
		return
	}
	brought := s.setup.Brings()
	s.setup.Brings = nil
	if brought == nil {
		return
	}
	for _, w := range brought.Amiss {
		s.note(s.noted("warning", phrase.Said(w)))
	}
	switch {
	case brought.Notice.Format == "":
		return
	case s.setup.Alone || len(brought.Question.Options) == 0:
		s.note(s.noted("warning", phrase.Said(brought.Notice)))
		return
	}
	q := brought.Question
	q.Optional = true
	answer, err := s.question(ctx, "", q)
	if err != nil || answer == nil || answer.By != nebula.Person || answer.Text != q.Options[0] {
		if err == nil && answer != nil && answer.By == nebula.Person && answer.Answer == nebula.Told && !lists.Has(q.Options, answer.Text) {
			s.note(s.noted("warning", phrase.Said(brought.Notice))) // words of their own agree to nothing
		}
		return
	}
	if err := brought.Agree(); err != nil {
		s.note(s.noted("warning", phrase.Of(err)))
	}
}
