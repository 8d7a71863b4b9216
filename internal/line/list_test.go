package line

import (
	"strings"
	"testing"
	"time"

	"nebula"
)

// A list moves below the lines while its turn goes on, and is printed once, as it stands at the end.
func TestAListMovesBelowAndIsPrintedAtTheEnd(t *testing.T) {
	v := newView(wordsFor("en"), palette{}, false, time.Time{})
	v.fold(nebula.Event{Seq: 1, Body: nebula.Submitted{Turn: 1, Text: "go"}})
	for i, stage := range []nebula.Stage{nebula.Pending, nebula.InProgress, nebula.Completed} {
		p := nebula.Proposal{Action: nebula.Action{ID: "a" + string(rune('1'+i)), Tool: "list"}, Effect: nebula.Update, Summary: "list",
			List: []nebula.Item{{Text: "first\x1b[2J", Status: stage}, {Text: "second", Status: nebula.Pending}}}
		v.fold(nebula.Event{Seq: int64(2 * i), Body: nebula.Proposed{Proposal: p}})
		v.fold(nebula.Event{Seq: int64(2*i + 1), Body: nebula.Finished{Result: nebula.Result{Action: p.Action.ID, Tool: "list", Status: nebula.Done, Summary: "so far"}}})
		moving := strings.Join(v.moving(time.Time{}), "\n")
		if want := []string{"○ first", "◐ first", "✓ first"}[i]; !strings.Contains(moving, want) || strings.Count(moving, "second") != 1 || strings.Contains(moving, "\x1b[2J") {
			t.Errorf("%d: %q", i, moving)
		}
	}
	if printed := strings.Join(v.lines, "\n"); strings.Contains(printed, "second") {
		t.Errorf("printed before its end: %q", printed)
	}
	v.fold(nebula.Event{Seq: 9, Body: nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: nebula.TurnDone}}})
	if printed := strings.Join(v.lines, "\n"); strings.Count(printed, "✓ first") != 1 || strings.Count(printed, "○ second") != 1 || len(v.list()) != 2 || strings.Contains(strings.Join(v.moving(time.Time{}), "\n"), "second") {
		t.Errorf("printed: %q", printed)
	}
}
