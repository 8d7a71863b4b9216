package cli

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/plan"
)

// What is said of a plan that stopped is how that plan goes on, and nothing of what it does not wait for.
func TestAStoppedPlanSaysHowItGoesOn(t *testing.T) {
	person := nebula.Person
	for _, c := range []struct {
		end      nebula.EndStatus
		approved nebula.Decider
		why      nebula.Code
		has, not string
	}{
		{nebula.LimitReached, person, nebula.NewCode(plan.StepTokens, "s1", "9", "5"), "9 tokens (the limit is 5); go on with nebula plan run p1", "--session"},
		{nebula.NeedsInput, person, "waits", "a question waits for an answer; answer in a terminal with nebula plan run p1", "--cut-off"},
		{nebula.NeedsInput, person, "", "a question waits for an answer", "--cut-off"},
		{nebula.NeedsInput, person, nebula.NewCode(plan.StepWaits, "s1", "was it done?"), "see its --cut-off", "--session"},
		{nebula.NeedsApproval, "", "", "nebula plan approve p1 && nebula plan run p1", "--approve"},
	} {
		o := nebula.Outcome{Status: c.end, Plan: &nebula.Plan{ID: "p1", Approved: c.approved, Why: c.why}}
		words, is := unapproved(o, "ask", "en")
		if said := words.String(); !is || !strings.Contains(said, c.has) || strings.Contains(said, c.not) {
			t.Errorf("%s, %q: %q", c.end, c.why, said)
		}
	}
}
