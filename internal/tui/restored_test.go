package tui

import (
	"strings"
	"testing"

	"nebula"
)

// What was allowed, for how long, and what was refused is on the screen of a session that is taken up again.
func TestARestoredSessionShowsTheGate(t *testing.T) {
	var bodies []nebula.Body
	gate := func(id, command string, a nebula.Answered, status nebula.Status) {
		a.Ask, a.By = id, "person"
		bodies = append(bodies, nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: id, Tool: "executeShell"}, Effect: nebula.Execute, Command: command}, Verdict: nebula.Verdict{}},
			nebula.Asked{Ask: id, Action: id}, a, nebula.Finished{Result: nebula.Result{Action: id, Tool: "executeShell", Status: status}})
	}
	bodies = append(bodies, nebula.Started{Session: "s1"}, nebula.Submitted{Turn: 1, Text: "go"})
	gate("a1", "touch one", nebula.Answered{Answer: nebula.Yes}, nebula.Done)
	gate("a2", "touch two", nebula.Answered{Answer: nebula.Always}, nebula.Done)
	gate("a3", "touch three", nebula.Answered{Answer: nebula.No, Text: "not this one"}, nebula.Denied)
	bodies = append(bodies, nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnDone}})
	if live := drawn(false, bodies...); strings.Contains(live, "→ allowed\n") {
		t.Errorf("who has just allowed it is told so:\n%s", live)
	}
	again := nebula.Started{Session: "s1", Resumed: true}
	got := drawn(false, append(bodies, again, again)...)
	last := -1
	for _, want := range []string{"touch one", "→ allowed\n", "touch two", "→ allowed for this session\n", "touch three", "→ refused: not this one"} {
		at := strings.Index(got, want)
		if at <= last || strings.Count(got, want) != 1 {
			t.Errorf("%q stands at %d, behind %d:\n%s", want, at, last, got)
		}
		last = at
	}
}
