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
