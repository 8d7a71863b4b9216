package agent_test

import (
	"context"
	"slices"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// What a command changed that could not be seen is named by undo, which looks again: as soon as it can be seen, it is taken
// back in its place among the changes of its turn, and comes again with a redo.
func TestCommandThatWasNotSeenIsNamedAndLookedAtAgain(t *testing.T) {
	st := newStage(t, reply("", call("1", "note", "path", "a", "content", "one"), call("2", "shout", "command", "hide it"), call("3", "note", "path", "b", "content", "two")), reply("Done."))
	st.setup.Approve = gate.All
	seen := false
	var since []nebula.Change
	st.setup.Remains = func(_ context.Context, _ string, later []nebula.Change) ([]nebula.Change, []string, bool) {
		since = later
		return []nebula.Change{{Path: "hidden", Kind: "edit", Before: "was", After: "is"}}, nil, seen
	}
	last := func() (done nebula.Undone, began nebula.Began) {
		for e := range st.store.Load(t.Context(), st.session.ID()) {
			switch b := e.Body.(type) {
			case nebula.Undone:
				done = b
			case nebula.Began:
				began = b
			}
		}
		return done, began
	}
	st.say("go", nil)
	if err := st.session.Send(t.Context(), nebula.Undo{}); err != nil {
		t.Fatal(err)
	}
	if len(since) != 1 || since[0].Path != "b" {
		t.Errorf("made after it: %+v", since)
	}
	done, _ := last()
	if want := []nebula.Left{{Why: nebula.Unseen, Text: "hide it"}}; len(done.Changes) != 2 || !slices.Equal(done.Left, want) {
		t.Errorf("undone %+v", done)
	}
	seen = true
	if err := st.session.Send(t.Context(), nebula.Undo{}); err != nil {
		t.Fatal(err)
	}
	done, began := last()
	if text, _ := st.world.get("hidden"); text != "content was" || len(done.Left) > 0 || len(began.Found) != 1 {
		t.Errorf("%q: %+v, found %+v", text, done, began.Found)
	}
	if err := st.session.Send(t.Context(), nebula.Undo{}); err == nil {
		t.Error("it is taken back twice")
	}
	if err := st.session.Send(t.Context(), nebula.Undo{Redo: true}); err != nil {
		t.Fatal(err)
	}
	if text, _ := st.world.get("hidden"); text != "content is" {
		t.Errorf("after a redo: %q", text)
	}
}

// Such a command of a plan's step is the conversation's undo's to name too, once however often it is told of, and to look at again.
func TestStepsCommandThatWasNotSeenIsNamed(t *testing.T) {
	st := newStage(t, reply("Fine."))
	seen := false
	var asked string
	st.setup.Remains = func(_ context.Context, name string, later []nebula.Change) ([]nebula.Change, []string, bool) {
		asked = name
		if !seen && (len(later) != 1 || later[0].Path != "b") {
			t.Errorf("made after it: %+v", later)
		}
		return []nebula.Change{{Path: "hidden", Kind: "edit", Before: "was", After: "is"}}, nil, seen
	}
	s := st.open("")
	st.say("hello", nil)
	report := nebula.Reported{
		Plan: "plan_1", Step: "step_0", Text: "[report]", Session: "step-session", Blind: []nebula.Blind{{Session: "step-session", Action: "a1", What: "hide it", At: 1}},
		Changes: []nebula.Change{{Path: "a", Kind: "create", After: "h"}, {Path: "b", Kind: "create", After: "h"}},
	}
	stopped := nebula.Stepped{Plan: "plan_1", Step: nebula.PlanStep{ID: "step_0", Session: "step-session"}, Changes: report.Changes[:1], Blind: report.Blind}
	if err := s.Send(t.Context(), nebula.Inform{Bodies: []nebula.Body{stopped, report}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]nebula.Left{{{Why: nebula.Unseen, Text: "hide it"}}, nil} {
		if err := s.Send(t.Context(), nebula.Undo{}); err != nil {
			t.Fatal(err)
		}
		var done nebula.Undone
		for e := range st.store.Load(t.Context(), s.ID()) {
			if b, ok := e.Body.(nebula.Undone); ok {
				done = b
			}
		}
		if !slices.Equal(done.Left, want) || asked != "step-session/a1" {
			t.Errorf("left %+v, asked for %q; want %+v", done.Left, asked, want)
		}
		if seen = true; want == nil {
			if text, _ := st.world.get("hidden"); text != "content was" {
				t.Errorf("it is %q", text)
			}
		}
	}
}
