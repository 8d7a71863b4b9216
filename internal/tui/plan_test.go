package tui

import (
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"nebula"
	"nebula/internal/terminal"
)

// planned is a screen with the view of a plan, and what it sends.
func planned(t *testing.T, status nebula.Stage) (*app, sent) {
	a := staged("en", 80)
	c := sent(make(chan nebula.Command, 8))
	a.link = terminal.NewLink(t.Context(), c)
	a.view.fold(nebula.Event{At: noon, Body: nebula.Planned{Plan: nebula.Plan{ID: "p", Name: "Store", Status: status, Steps: []nebula.PlanStep{
		{ID: "t1", Name: "Write", Files: []string{"store.go"}, Verify: nebula.Verify{Command: "make check"}}}}}})
	a.planPage()
	return a, c
}

func presses(a *app, text string) {
	for _, r := range text {
		switch r {
		case '\r':
			a.key(uv.KeyPressEvent{Code: uv.KeyEnter})
		case '\b':
			a.key(uv.KeyPressEvent{Code: uv.KeyBackspace})
		case ' ':
			a.key(uv.KeyPressEvent{Code: uv.KeySpace, Text: " "})
		default:
			a.key(uv.KeyPressEvent{Code: r, Text: string(r)})
		}
	}
}

// TestLettersInThePlanGoToThePrompt whatever they begin with: nothing runs, pauses or is cancelled by them.
func TestLettersInThePlanGoToThePrompt(t *testing.T) {
	for _, text := range []string{"remove step 2 please", "check the state", "put it off", "run the tests", "r it", "どう"} {
		a, c := planned(t, nebula.InProgress)
		if presses(a, text); a.editor.Text() != text || a.page != nil || len(c) > 0 {
			t.Errorf("%q is typed as %q, %d sent", text, a.editor.Text(), len(c))
		}
	}
	a, c := planned(t, nebula.InProgress)
	if presses(a, "r\b"); a.editor.Text() != "" || a.page == nil || len(c) > 0 {
		t.Errorf("taken back: %q, %v", a.editor.Text(), a.page)
	}
	presses(a, "p\r")
	if got := <-c; got != (nebula.Direct{Do: nebula.PausePlan}) {
		t.Errorf("p and enter send %#v", got)
	}
	a, c = planned(t, nebula.InProgress)
	a.page = nil
	presses(a, "c")
	a.planPage()
	if presses(a, "\r"); len(c) > 0 || a.editor.Text() != "c" {
		t.Error("what stood in the prompt before cancels the plan")
	}
}

// TestDraftIsAskedAboutInThePlan with the files and commands that a yes covers, all of which must have been shown.
func TestDraftIsAskedAboutInThePlan(t *testing.T) {
	a, c := planned(t, nebula.Draft)
	presses(a, "r\r")
	d := drawer{style: a.style, words: a.words, width: 80}
	page := strings.Join(a.page.window(d, 30), "\n")
	for _, want := range []string{"approve it", "store.go", "make check", "y⏎"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in:\n%s", want, page)
		}
	}
	if presses(a, "\r"); len(c) > 0 {
		t.Fatal("enter alone approves")
	}
	for _, typed := range []string{"/tasks run\r", "/plan approve\r"} {
		a, c = planned(t, nebula.Draft)
		a.page = nil
		if presses(a, typed); len(c) > 0 || a.page == nil || !strings.Contains(strings.Join(a.page.window(d, 30), "\n"), "make check") {
			t.Fatalf("%q approves what was not shown: %d sent", typed, len(c))
		}
		presses(a, "yes\r")
		if got, ok := (<-c).(nebula.Direct); !ok || got.Do != nebula.RunPlan && got.Do != nebula.ApprovePlan {
			t.Errorf("%q and yes send %#v", typed, got)
		}
	}
	a, c = planned(t, nebula.InProgress)
	a.page = nil
	presses(a, "/tasks run\r")
	if got := <-c; got != (nebula.Direct{Do: nebula.RunPlan}) || a.page != nil {
		t.Errorf("what is approved already asks again, or sends %#v", got)
	}
	a, c = planned(t, nebula.Draft)
	presses(a, "r\r")
	a.page.window(d, 6)
	if presses(a, "y\r"); len(c) > 0 || a.hint != a.words.PlanUnread {
		t.Fatalf("approved what was not shown: %q", a.hint)
	}
	a.page.window(d, 30)
	presses(a, "yes\r")
	if got := <-c; got != (nebula.Direct{Do: nebula.RunPlan}) {
		t.Errorf("yes sends %#v", got)
	}
}
