package state

import (
	"slices"

	"nebula"
	"nebula/internal/lists"
)

// planned takes in where a plan stands. What is worked on without a request of the person's own is for the plan's goal; what
// it took to propose it was spent in this conversation.
func (s *State) planned(b nebula.Planned) {
	s.Turn.Planned = true
	s.draft(b.Plan)
	s.chose(b)
	if s.Items.Goal == "" {
		s.Items.Goal, _ = Cut(b.Plan.Goal, LineLimit)
	}
	if b.Change == "proposed" {
		s.Usage, s.Turn.Usage = s.Usage.Plus(b.Plan.Usage), s.Turn.Usage.Plus(b.Plan.Usage)
	}
}

// report takes in what work in the background came to: the model reads of it, and what it changed can be undone.
func (s *State) report(b nebula.Reported) {
	s.Turn.Planned = s.Turn.Planned || b.Plan != ""
	s.Exposed = s.Exposed || b.Exposed || b.Plan != "" // what a step runs can tell it as much
	m := nebula.Message{Role: nebula.User, Parts: nebula.Text(b.Text)}
	switch {
	case b.Text == "": // the result of an action says it
	case s.Turn.Open:
		s.held = append(s.held, incoming{m, false})
	default:
		s.Messages = append(s.Messages, m)
	}
	s.Usage = s.Usage.Plus(b.Usage)
	s.Turn.Usage = s.Turn.Usage.Plus(b.Usage)
	s.stepDid(b.Session, b.Changes, b.Lost, b.Blind)
}

// Planned reports whether the conversation has a plan that began and is not at its end.
//
//go:noinline
func (s *State) Planned() bool {
	done, of := 0, 0
	for _, b := range s.Steps {
		done, of = max(done, b.Done), b.Of
	}
	return done < of
}

// UnderWay reports whether a step of the plan is being worked.
func (s *State) UnderWay() bool {
	return slices.ContainsFunc(s.Steps, func(b nebula.Stepped) bool { return b.Step.Status == nebula.InProgress })
}

// stepped keeps how the steps of the plan stand that is worked on. An errand is a step of none.
func (s *State) stepped(b nebula.Stepped) {
	if b.Plan == "" {
		return
	}
	if len(s.Steps) > 0 && s.Steps[0].Plan != b.Plan {
		s.Steps = nil
	}
	if i := slices.IndexFunc(s.Steps, func(o nebula.Stepped) bool { return o.Step.ID == b.Step.ID }); i >= 0 {
		s.Steps = lists.Clone(s.Steps)
		s.Steps[i] = b
		return
	}
	s.Steps = append(s.Steps, b)
}
