package state_test

import (
	"testing"

	"nebula"
	"nebula/internal/state"
)

// What somebody reports who may know a secret exposes as much, and so does a step, whose commands nobody here saw.
func TestWhatIsReportedExposes(t *testing.T) {
	for _, c := range []struct {
		b    nebula.Reported
		want bool
	}{{nebula.Reported{Session: "s"}, false}, {nebula.Reported{Session: "s", Exposed: true}, true}, {nebula.Reported{Plan: "p", Session: "s"}, true}} {
		s := state.New()
		if s.Apply(nebula.Event{Body: c.b}); s.Exposed != c.want {
			t.Errorf("%+v: %v", c.b, s.Exposed)
		}
	}
}

// After a command whose output can hold anything, the session counts as one that knows a secret; after names alone it does not.
func TestWhatCanTellASecretExposes(t *testing.T) {
	execute := func(line string) nebula.Proposal { return nebula.Proposal{Effect: nebula.Execute, Command: line} }
	asked := nebula.Verdict{Ruling: nebula.AskFirst, Risks: []nebula.Code{nebula.SecretFile}}
	for _, c := range []struct {
		p    nebula.Proposal
		v    nebula.Verdict
		want bool
	}{
		{execute("git ls-files -o | xargs rev"), nebula.Verdict{Ruling: nebula.Allow}, true},
		{execute("rev x"), nebula.Verdict{Ruling: nebula.Deny}, false},
		{execute("ls -A"), nebula.Verdict{Ruling: nebula.Allow}, false},
		{execute("git status --short"), nebula.Verdict{Ruling: nebula.Allow}, false},
		{execute("ls $(cat x)"), nebula.Verdict{Ruling: nebula.Allow}, true},
		{execute("lsx"), nebula.Verdict{Ruling: nebula.Allow}, true},
		{execute(""), nebula.Verdict{Ruling: nebula.Allow}, true},
		{nebula.Proposal{Effect: nebula.Read}, nebula.Verdict{Ruling: nebula.Allow}, false},
		{nebula.Proposal{Effect: nebula.Read}, asked, true},
	} {
		s := state.New()
		s.Apply(nebula.Event{Body: nebula.Proposed{Proposal: c.p, Verdict: c.v}})
		if s.Exposed != c.want {
			t.Errorf("%q: %v", c.p.Command, s.Exposed)
		}
		s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 2}})
		if s.Exposed != c.want {
			t.Errorf("%q in the next turn: %v", c.p.Command, s.Exposed)
		}
	}
}
