package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// What waits in the background is answered in a row: behind an answer stands the next question, until somebody puts it back.
func TestWaitingQuestionsAreAnsweredInARow(t *testing.T) {
	a, text := played(t, "en", 80)
	a.waiting, a.waitingBlock, a.hint = nil, nil, ""
	fold := func(b nebula.Body) { a.view.fold(nebula.Event{At: noon, Body: b}); a.follow(); a.frame() }
	for i := range 3 {
		fold(nebula.Queued{Ask: fmt.Sprintf("t%d/q1", i), Step: fmt.Sprint(i), Title: fmt.Sprintf("Step %d", i), Proposed: &nebula.Proposed{
			Proposal: nebula.Proposal{Action: nebula.Action{ID: fmt.Sprint(i)}, Effect: nebula.Execute, Command: fmt.Sprintf("make %d", i)}, Verdict: nebula.Verdict{Risk: "low"}}})
	}
	a.openWaiting(a.view.Beside.Waits[0])
	a.frame()
	if got := text(); !strings.Contains(got, "Step 0 asks · and 2 more") || !strings.Contains(got, "$ make 0") {
		t.Fatal(got)
	}
	a.gate.lock = terminal.Lock{}
	time.Sleep(2 * terminal.Guard)
	a.answer(nebula.Yes, "")
	fold(nebula.Answered{Ask: "t0/q1", Answer: nebula.Yes})
	if got := text(); a.gate == nil || a.gate.ask.Ask != "t1/q1" || a.gate.sent || !strings.Contains(got, "Step 1 asks · and 1 more") {
		t.Fatalf("the next one does not follow:\n%s", got)
	}
	a.putBack()
	fold(nebula.Answered{Ask: "t1/q1", Answer: nebula.No})
	if a.gate != nil {
		t.Error("what was put back comes by itself")
	}
}
