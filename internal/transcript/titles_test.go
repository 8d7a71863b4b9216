package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula"
)

// What could not be done is still said by what it was about, once; why stands behind it or below.
func TestWhatDidNotComeAboutIsSaidByItsObject(t *testing.T) {
	read := nebula.Action{ID: "a1", Tool: "readFile", Args: json.RawMessage(`{"path":"api/none.go","from":3}`)}
	plan := nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a1", Tool: "proposePlan"}, Summary: "plan: Due dates"}}
	for name, c := range map[string]struct {
		bodies []nebula.Body
		want   string
	}{
		"not proposed": {[]nebula.Body{nebula.Replied{Intent: nebula.Intent{Actions: []nebula.Action{read}}},
			nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "readFile", Status: nebula.Failed, Summary: "it does not exist."}}}, "act: ✗ readFile api/none.go failed"},
		"not tried": {[]nebula.Body{nebula.Replied{Intent: nebula.Intent{Actions: []nebula.Action{read}}},
			nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "readFile", Status: nebula.Skipped, Summary: "The turn was over."}}}, "act: – readFile api/none.go The turn was over."},
		"a text is no first argument": {[]nebula.Body{nebula.Replied{Intent: nebula.Intent{Actions: []nebula.Action{{ID: "a1", Tool: "x", Args: json.RawMessage(`{"all":[1],"b":"c"}`)}}}},
			nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "x", Status: nebula.Failed}}}, "act: ✗ x failed"},
		"proposed": {[]nebula.Body{plan, nebula.Finished{Result: nebula.Result{Action: "a1", Status: nebula.Failed, Summary: "This is no plan: it has no steps"}}}, "act: ✗ plan: Due dates failed"},
	} {
		if got := strings.TrimSpace(rows(folded("en", c.bodies...))); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A question of the model's has a row of its own, and its action none beside it; a turn's last words are not said twice.
func TestNothingStandsThereTwice(t *testing.T) {
	v := folded("en", nebula.Submitted{Turn: 1, Text: "go"},
		nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a1", Tool: "askUser"}, Summary: "ask: Which?"}},
		nebula.Asked{Ask: "q1", Action: "a1", Question: &nebula.Question{Text: "Which?"}},
		nebula.Answered{Ask: "q1", Answer: nebula.Told, Text: "this", By: nebula.Person},
		nebula.Finished{Result: nebula.Result{Action: "a1", Status: nebula.Done, Summary: "this"}},
		nebula.Noted{Text: "Nothing was changed.", Level: "warning"},
		nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: nebula.TurnFailed, Text: "Nothing was changed."}})
	if got := rows(v); !v.Rows[1].Action.Asks || strings.Count(got, "Nothing was changed.") != 1 {
		t.Errorf("asks: %v\n%s", v.Rows[1].Action.Asks, got)
	}
}
