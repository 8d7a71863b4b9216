package line

import (
	"strings"
	"testing"
	"time"

	"nebula"
)

// What could not even be proposed says why, and a refusal names the rule that it follows from.
func TestWhatWasNotDoneSaysWhy(t *testing.T) {
	run := func(bodies ...nebula.Body) string {
		v := newView(wordsFor("en"), palette{}, false, time.Time{})
		for _, b := range bodies {
			v.fold(nebula.Event{Body: b})
		}
		return strings.Join(v.lines, "\n")
	}
	if got := run(nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "look", Status: nebula.Failed, Summary: "There is no a.go.", Text: "There is no a.go."}}); got != "✗ There is no a.go." {
		t.Errorf("%q", got)
	}
	p := nebula.Proposal{Action: nebula.Action{ID: "a2"}, Summary: "create a.go"}
	got := run(nebula.Proposed{Proposal: p, Verdict: nebula.Verdict{Ruling: nebula.Deny, Why: "plan mode changes nothing"}}, nebula.Finished{Result: nebula.Result{Action: "a2", Status: nebula.Denied}})
	if got != "⊘ create a.go (refused: plan mode changes nothing)" {
		t.Errorf("%q", got)
	}
}
