package line

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
)

// What was allowed, for how long, and what was refused is printed when a session is taken up again, the last of it.
func TestARestoredSessionShowsTheGate(t *testing.T) {
	v := newView(wordsFor("en"), palette{}, true, time.Time{})
	fold := func(bodies ...nebula.Body) {
		for _, b := range bodies {
			v.fold(nebula.Event{Body: b})
		}
	}
	asked := 0
	gate := func(command string, a nebula.Answered, status nebula.Status) {
		asked++
		id := fmt.Sprintf("a%d", asked)
		a.Ask, a.By = id, "person"
		fold(nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: id, Tool: "executeShell"}, Effect: nebula.Execute, Command: command}, Verdict: nebula.Verdict{}},
			nebula.Asked{Ask: id, Action: id}, a, nebula.Finished{Result: nebula.Result{Action: id, Tool: "executeShell", Status: status}})
	}
	fold(nebula.Started{Session: "s1"}, nebula.Submitted{Turn: 1, Text: "go"})
	for range 10 {
		gate("touch x", nebula.Answered{Answer: nebula.Yes}, nebula.Done)
	}
	gate("touch\x1b[2J two", nebula.Answered{Answer: nebula.Always}, nebula.Done)
	gate("touch three", nebula.Answered{Answer: nebula.No, Text: "not this one"}, nebula.Denied)
	fold(nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnDone, Text: "All of it."}}, nebula.Started{Session: "s1", Resumed: true})
	got := strings.Join(v.lines, "\n")
	for want, times := range map[string]int{"  … 4 more lines": 1, "  → allowed · $ touch x\n": 6, "→ allowed for this session · $ touch": 1, "→ refused: not this one · $ touch three\n  All of it.": 1, "\x1b[2J": 0} {
		if strings.Count(got, want) != times {
			t.Errorf("%q is not there %d times:\n%s", want, times, got)
		}
	}
}
