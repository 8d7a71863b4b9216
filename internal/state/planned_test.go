package state_test

import (
	"testing"

	"nebula"
	"nebula/internal/state"
)

// What a command carries out for a plan is for the plan's goal, and what proposing it took is spent in the conversation.
func TestPlanIsTheGoalOfWhoSaidNone(t *testing.T) {
	for said, want := range map[string]string{"": "a page for cats", "a page": "a page"} {
		s := state.New()
		goal := said
		bodies := []nebula.Body{nebula.Updated{Delta: nebula.Delta{Goal: &goal}, By: "program"},
			nebula.Planned{Plan: nebula.Plan{ID: "p", Goal: "a page for cats", Usage: nebula.Usage{Input: 7}}, Change: "proposed"},
			nebula.Planned{Plan: nebula.Plan{ID: "p", Goal: "a page for cats", Usage: nebula.Usage{Input: 9}}, Change: "running"}}
		for i, b := range bodies {
			s.Apply(nebula.Event{Seq: int64(i + 1), Body: b})
		}
		if s.Items.Goal != want || s.Usage.Input != 7 || s.Turn.Usage.Input != 7 {
			t.Errorf("goal %q, used %+v", s.Items.Goal, s.Usage)
		}
	}
}
