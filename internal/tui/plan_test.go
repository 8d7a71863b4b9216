package tui

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

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
	if presses(a, "y\r"); len(c) > 0 || a.hint != fmt.Sprintf(a.words.PlanUnread, "3–5 / 5") {
		t.Fatalf("approved what was not shown: %q", a.hint)
	}
	a.page.window(d, 30)
	presses(a, "yes\r")
	if got := <-c; got != (nebula.Direct{Do: nebula.RunPlan, Plan: a.view.Beside.Plan.ID}) {
		t.Errorf("yes sends %#v", got)
	}
}

// since are the commands that were sent since the last time.
func since(a *app, c sent) (all []nebula.Command) {
	a.send(nebula.Cancel{})
	for {
		one := <-c
		if reflect.DeepEqual(one, nebula.Cancel{}) {
			return all
		}
		all = append(all, one)
	}
}

// TestAYesAsAMessageApprovesWhatWasSeen: a draft of which not all was on the screen is shown, and asked about there, also after its
// page was closed in the middle. What was seen whole is approved at once, and a yes to something else is none to the plan.
func TestAYesAsAMessageApprovesWhatWasSeen(t *testing.T) {
	frame := func(a *app) { a.settled(); a.saw() }
	begin := func(t *testing.T, inline bool, height, steps int) (*app, sent) {
		a, c := asks(t, 80, height, nebula.Proposal{Effect: nebula.Execute, Command: "ls"})
		a.options.Inline = inline
		tell(a, nebula.Answered{Ask: "q", Answer: nebula.No, By: nebula.Person}, nebula.Finished{Result: nebula.Result{Action: "a", Status: nebula.Denied}})
		plan := nebula.Plan{ID: "p", Name: "Store", Status: nebula.Draft}
		for range steps {
			plan.Steps = append(plan.Steps, nebula.PlanStep{ID: "t", Name: "Write", Files: []string{"store.go"}, Verify: nebula.Verify{Command: "make check"}})
		}
		tell(a, nebula.Planned{Plan: plan}, nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: nebula.TurnDone}})
		frame(a)
		return a, c
	}
	for _, inline := range []bool{false, true} {
		a, c := begin(t, inline, 40, 2)
		if presses(a, "yes\r"); len(since(a, c)) != 1 || a.page != nil {
			t.Errorf("inline %v: what was seen is asked about again", inline)
		}
		a, c = begin(t, inline, 40, 9) // the conversation shows what it covers; who opens its page reads that
		a.planPage()
		a.height = 12
		frame(a)
		a.key(uv.KeyPressEvent{Code: uv.KeyEscape})
		if presses(a, "y\r"); len(since(a, c)) > 0 || a.page == nil {
			t.Errorf("inline %v: approved though its page was closed half read", inline)
		}
		a, c = begin(t, inline, 14, 9)
		presses(a, "y\r")
		if frame(a); len(since(a, c)) > 0 || a.page == nil || a.hint != a.words.PlanSeen {
			t.Fatalf("inline %v: approved unseen: %q", inline, a.hint)
		}
		if presses(a, "y\r"); len(since(a, c)) > 0 || !strings.Contains(a.hint, " / ") {
			t.Fatalf("inline %v: approved in the middle of its page: %q", inline, a.hint)
		}
		a.key(uv.KeyPressEvent{Code: uv.KeyEscape}) // the page is closed half read
		presses(a, "はい\r")
		if frame(a); len(since(a, c)) > 0 || a.page == nil {
			t.Fatalf("inline %v: approved half read", inline)
		}
		for range 30 {
			a.key(uv.KeyPressEvent{Code: uv.KeyPgDown})
			frame(a)
		}
		a.key(uv.KeyPressEvent{Code: uv.KeyEscape})
		presses(a, "yes\r")
		if got := since(a, c); !reflect.DeepEqual(got, []nebula.Command{nebula.Submit{Text: "yes"}}) {
			t.Errorf("inline %v: read to its end, and %#v is sent: %q", inline, got, a.hint)
		}
		a, c = begin(t, inline, 14, 9)
		tell(a, nebula.Submitted{Turn: 2, Text: "and?"}, nebula.Ended{Outcome: nebula.Outcome{Turn: 2, Status: nebula.TurnDone}})
		if presses(a, "yes\r"); len(since(a, c)) != 1 || a.page != nil {
			t.Errorf("inline %v: a yes to a later question is taken for one to the plan", inline)
		}
	}
}

// TestDirectionsAreWhole: one without its step or its words is not sent, and the line that it takes is shown.
func TestDirectionsAreWhole(t *testing.T) {
	a, c := planned(t, nebula.InProgress)
	a.page = nil
	for _, text := range []string{"/tasks skip", "/tasks retry", "/tasks steer"} {
		a.hint = ""
		if a.submit(text); len(c) > 0 || !strings.Contains(a.hint, "/tasks [run") {
			t.Errorf("%s sends %d, and says %q", text, len(c), a.hint)
		}
	}
	for text, want := range map[string]nebula.Direct{
		"/tasks skip t1":        {Do: nebula.SkipStep, Step: "t1"},
		"/tasks retry t1":       {Do: nebula.RetryStep, Step: "t1"},
		"/tasks steer use tabs": {Do: nebula.SteerPlan, Text: "use tabs"},
	} {
		a.submit(text)
		select {
		case got := <-c:
			if got != want {
				t.Errorf("%s sends %#v", text, got)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s sends nothing", text)
		}
	}
}

// TestDirectionsWaitForASession where there is none yet.
func TestDirectionsWaitForASession(t *testing.T) {
	a := staged("en", 80)
	a.link, a.opening, a.pending = nil, true, nil
	a.submit("/tasks skip t1")
	if !slices.Equal(a.pending, []string{"/tasks skip t1"}) {
		t.Errorf("waiting: %q", a.pending)
	}
}
