package tui

import (
	"fmt"
	"testing"

	"nebula"
	"nebula/internal/terminal"
)

// waiting is a screen with questions of the background, and what it sends.
func waiting(t *testing.T, asks ...nebula.Queued) (*app, sent) {
	a := staged("en", 80)
	a.gate, a.queue, a.pending, a.view.Busy, a.view.Ask = nil, nil, nil, false, nil
	c := sent(make(chan nebula.Command, 8))
	a.link = terminal.NewLink(t.Context(), c)
	a.view.Beside.Waits = nil
	for _, q := range asks {
		a.view.fold(nebula.Event{At: noon, Body: q})
	}
	return a, c
}

// An answer in words goes to the question that it names. A yes to an action has it shown first, and enter decides.
func TestAnswerNamesAQuestionOfTheBackground(t *testing.T) {
	colour := nebula.Queued{Ask: "s1/q1", Title: "core", Question: &nebula.Question{Text: "Which?", Options: []string{"red", "blue"}}}
	action := nebula.Queued{Ask: "s2/q1", Title: "store", Proposed: &nebula.Proposed{Proposal: nebula.Proposal{Effect: nebula.Execute, Command: "make all"}}}
	for typed, want := range map[string]nebula.Answer{
		"/answer 1 2\r":           {Ask: "s1/q1", Answer: nebula.Told, Text: "blue", By: nebula.Person},
		"/answer 1 green\r":       {Ask: "s1/q1", Answer: nebula.Told, Text: "green", By: nebula.Person},
		"/answer 2 no, not now\r": {Ask: "s2/q1", Answer: nebula.No, Text: "not now", By: nebula.Person},
	} {
		a, c := waiting(t, colour, action)
		presses(a, typed)
		if got := <-c; got != want {
			t.Errorf("%q sends %#v, want %#v", typed, got, want)
		}
	}
	a, c := waiting(t, colour, action)
	if presses(a, "/answer 7 yes\r"); len(c) > 0 || a.hint != a.words.NoWaiting {
		t.Errorf("a number that there is not: %q", a.hint)
	}
	if presses(a, "/answer 1 yes\r"); len(c) > 0 || a.hint != fmt.Sprintf(a.words.NoSuchOption, "yes", 2) {
		t.Errorf("a yes to a question with answers of its own: %d sent, %q", len(c), a.hint)
	}
	if presses(a, "/answer 2 yes\r"); len(c) > 0 || a.gate == nil || a.gate.ask.Ask != "s2/q1" || a.editor.Text() != "yes" {
		t.Fatalf("a yes to what was not seen: %d sent, %q stands there", len(c), a.editor.Text())
	}
}

// A command is no answer to a question of the model's; a path is one.
func TestACommandIsNoAnswerToAQuestion(t *testing.T) {
	ask := &nebula.Asked{Ask: "q9", Question: &nebula.Question{Text: "Where?"}}
	a, c := waiting(t, nebula.Queued{Ask: "s1/q1", Title: "core", Question: &nebula.Question{Text: "Which?"}})
	a.view.Ask = ask
	a.follow()
	a.gate.lock = terminal.Lock{}
	a.gate.lock.Shown(noon)
	a.editor.Set("/answer 1 yes")
	a.optionKey("enter")
	if got := <-c; got != (nebula.Answer{Ask: "s1/q1", Answer: nebula.Told, Text: "yes", By: nebula.Person}) {
		t.Errorf("/answer sends %#v", got)
	}
	a.editor.Set("/undo")
	if a.optionKey("enter"); len(c) > 0 || a.hint == "" {
		t.Errorf("/undo is an answer: %q", a.hint)
	}
	a.editor.Set("/etc")
	a.optionKey("enter")
	if got := <-c; got != (nebula.Answer{Ask: "q9", Answer: nebula.Told, Text: "/etc", By: nebula.Person}) {
		t.Errorf("/etc sends %#v", got)
	}
}
