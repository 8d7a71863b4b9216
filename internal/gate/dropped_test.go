package gate

import (
	"testing"

	"nebula"
)

// What is dropped may run where nothing may be changed; what leaves the box, or was guessed, may not.
func TestOnlyWhatIsDroppedRunsInPlanMode(t *testing.T) {
	for _, tt := range []struct {
		p    nebula.Proposal
		want nebula.Ruling
	}{
		{nebula.Proposal{Effect: nebula.Execute, Command: "make", Dropped: true}, nebula.Allow},
		{nebula.Proposal{Effect: nebula.Execute, Command: "make"}, nebula.Deny},
		{nebula.Proposal{Effect: nebula.Execute, Command: "make", Risks: []string{nebula.Unconfined}}, nebula.Deny},
		{nebula.Proposal{Effect: nebula.Execute, Command: "make", Dropped: true, Action: nebula.Action{Inferred: true}}, nebula.AskFirst},
	} {
		if v := Judge(Rules{Mode: nebula.PlanMode, Approve: Ask}, tt.p); v.Ruling != tt.want {
			t.Errorf("%+v: %q, %s", tt.p, v.Ruling, v.Why)
		}
	}
	dropped := nebula.Proposal{Effect: nebula.Execute, Command: "make", Dropped: true}
	kept := dropped
	kept.Dropped = false
	if nebula.Digest(dropped) == nebula.Digest(kept) {
		t.Error("a word for one holds for the other")
	}
}
