package tui

import (
	"fmt"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"nebula"
	"nebula/internal/terminal"
)

// told brings events to a screen, as they come from the session.
func tell(a *app, bodies ...nebula.Body) {
	keep := a.anchor()
	for _, b := range bodies {
		a.view.fold(nebula.Event{At: noon, Body: b})
	}
	a.follow()
	keep()
}

func frameOf(a *app) string {
	f := a.settled()
	return terminal.Unpainted(strings.Join(append(append(f.done, f.body...), f.dock...), "\n"))
}

// inOrder reports whether texts stand below one another.
func inOrder(screen string, texts ...string) bool {
	for _, text := range texts {
		_, rest, found := strings.Cut(screen, text)
		if !found {
			return false
		}
		screen = rest
	}
	return true
}

func queued(ask, command string) nebula.Queued {
	return nebula.Queued{Ask: ask, Step: ask, Title: "Step " + ask, Proposed: &nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: ask}, Effect: nebula.Execute, Summary: "run it", Command: command}, Verdict: nebula.Verdict{Risk: "low"}}}
}

// TestWhatIsAskedStandsAboveItsAnswers whatever else comes: a question of the background and the session's own, on a small screen,
// followed or held in the middle.
func TestWhatIsAskedStandsAboveItsAnswers(t *testing.T) {
	var reports []nebula.Body
	for i := range 30 {
		reports = append(reports, nebula.Reported{Step: fmt.Sprint(i), Report: nebula.Report{Status: nebula.Completed, Summary: "wrote it\nand more"}})
	}
	reports = append(reports, nebula.Streamed{Kind: "text", Text: "An answer\n\nof three\n\nparts."}, nebula.Replied{})
	long := strings.TrimSuffix(strings.Repeat("make one-of-many-parts\necho and another\n", 20), "\n")
	for _, inline := range []bool{false, true} {
		for _, command := range []string{"make store", long} {
			a, _ := asks(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: "first"})
			a.options.Inline = inline
			tell(a, nebula.Answered{Ask: "q", Answer: nebula.No, By: nebula.Person}, nebula.Finished{Result: nebula.Result{Action: "a", Status: nebula.Denied}})
			tell(a, queued("t1/q", command), queued("t2/q", "make other"))
			a.openWaiting(a.view.Beside.Waits[0])
			frameOf(a)
			for _, r := range reports {
				tell(a, r)
				if screen := frameOf(a); !inOrder(screen, "$ make", "Allow?") {
					t.Fatalf("inline %v: the question is not above its answers:\n%s", inline, screen)
				}
			}
			a.gate.sent = true
			tell(a, nebula.Answered{Ask: "t1/q", Answer: nebula.Yes, By: nebula.Person})
			if screen := frameOf(a); !inOrder(screen, "allowed", "$ make other", "Allow?") {
				t.Errorf("inline %v: the answer to the last stands not above the next:\n%s", inline, screen)
			}
			a.putBack()
			if screen := frameOf(a); a.gate != nil || strings.Contains(screen, "$ make other") && strings.Contains(screen, "Allow?") {
				t.Errorf("inline %v: put back, it is still asked:\n%s", inline, screen)
			}
		}
	}
	a, _ := asks(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
	for _, r := range reports[:30] {
		tell(a, r)
	}
	if screen := frameOf(a); !inOrder(screen, "$ make all", "Allow?") {
		t.Errorf("the session's own question drifts away:\n%s", screen)
	}
}

// TestNoteOfAnAnswerStandsBelowIt and above the next question: what was typed is judged there, not beside what comes after.
func TestNoteOfAnAnswerStandsBelowIt(t *testing.T) {
	a, c := asks(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: "make one"})
	frameOf(a)
	a.editor.Set("ye")
	a.decide()
	if got, ok := (<-c).(nebula.Answer); !ok || got.Answer != nebula.No {
		t.Fatalf("sent: %#v", got)
	}
	tell(a, nebula.Answered{Ask: "q", Answer: nebula.No, Text: "ye", By: nebula.Person}, nebula.Finished{Result: nebula.Result{Action: "a", Status: nebula.Denied}},
		nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "b"}, Effect: nebula.Execute, Command: "make two"}, Verdict: nebula.Verdict{Risk: "low"}}, nebula.Asked{Ask: "r", Action: "b"})
	screen := frameOf(a)
	if note := strings.TrimSuffix(a.words.Unclear, "."); !inOrder(screen, "refused: ye", note[:20], "$ make two", "Allow?") || strings.Count(screen, note[:20]) != 1 {
		t.Errorf("%q:\n%s", note, screen)
	}
}

// TestAnswerOfAnotherTerminalIsTold: to who was about to answer, and to whose answer came too late; not to who gave it.
func TestAnswerOfAnotherTerminalIsTold(t *testing.T) {
	for _, tt := range []struct {
		gave, given nebula.Decided
		by          nebula.Decider
		told        func(w words) string
	}{
		{"", nebula.Yes, nebula.Person, func(w words) string { return w.Elsewhere }},
		{nebula.No, nebula.Yes, nebula.Person, func(w words) string { return w.TooLate }},
		{nebula.Yes, nebula.Yes, nebula.Person, nil},
		{nebula.Always, nebula.Here, nebula.Person, nil},
		{"", nebula.No, "stopped", nil},
	} {
		for _, attached := range []bool{true, false} {
			a, _ := asks(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: "make one"})
			a.options.Attached = attached
			if frameOf(a); tt.gave != "" {
				a.answer(tt.gave, "")
			}
			tell(a, nebula.Answered{Ask: "q", Answer: tt.given, By: tt.by})
			screen := frameOf(a)
			for _, text := range []string{a.words.Elsewhere, a.words.TooLate} {
				if want := attached && tt.told != nil && tt.told(a.words) == text; strings.Contains(screen, text) != want {
					t.Errorf("%+v, attached %v: %q is said: %v\n%s", tt, attached, text, !want, screen)
				}
			}
		}
	}
}

// TestWhatWasHalfTypedIsKeptWhenAnotherTerminalAnswers: it is no answer and no message, and the up arrow brings it back.
func TestWhatWasHalfTypedIsKeptWhenAnotherTerminalAnswers(t *testing.T) {
	a, c := asks(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: "make one"})
	a.options.Attached = true
	frameOf(a)
	a.editor.Set("no, write it to the oth")
	tell(a, nebula.Answered{Ask: "q", Answer: nebula.Yes, By: nebula.Person})
	if screen := frameOf(a); !a.editor.Empty() || len(since(a, c)) > 0 || !strings.Contains(screen, a.words.DraftBack) {
		t.Errorf("%q is left:\n%s", a.editor.Text(), screen)
	}
	a.key(uv.KeyPressEvent{Code: uv.KeyUp})
	if a.editor.Text() != "no, write it to the oth" {
		t.Errorf("the up arrow brings %q", a.editor.Text())
	}
}

// TestAYesToNoneOfSeveralIsAskedFor: they are listed with their numbers, and nothing is answered.
func TestAYesToNoneOfSeveralIsAskedFor(t *testing.T) {
	a, c := asks(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: "first"})
	tell(a, nebula.Answered{Ask: "q", Answer: nebula.No, By: nebula.Person}, queued("t1/q", "make one"))
	if a.reply([]string{"yes"}); a.gate == nil || a.gate.ask.Ask != "t1/q" || a.editor.Text() != "yes" {
		t.Fatal("a yes to the only one does not open it")
	}
	a.editor = a.editor.Cleared()
	a.putBack()
	tell(a, queued("t2/q", "make two"))
	a.reply([]string{"no"})
	if screen := frameOf(a); a.gate != nil || len(since(a, c)) > 0 || !inOrder(screen, "1  Step t1/q", "2  Step t2/q") || a.hint != a.words.WhichOne {
		t.Errorf("%q:\n%s", a.hint, screen)
	}
	for _, r := range "/answer 2 no" {
		a.key(uv.KeyPressEvent{Code: r, Text: string(r)})
	}
	if a.key(uv.KeyPressEvent{Code: uv.KeyEnter}); a.picker != nil || len(since(a, c)) != 1 {
		t.Error("a no with its number is not sent from the list")
	}
	a.tasks()
	for _, r := range "/usr" {
		a.key(uv.KeyPressEvent{Code: r, Text: string(r)})
	}
	if a.key(uv.KeyPressEvent{Code: uv.KeyEnter}); a.picker == nil || a.picker.query.Text() != "/usr" {
		t.Error("a path is no command")
	}
	a.picker = nil
	if a.reply([]string{"2", "no"}); len(since(a, c)) != 1 {
		t.Error("a no with its number is not sent")
	}
}
