package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"

	uv "github.com/charmbracelet/ultraviolet"
)

var (
	keyUp = uv.KeyPressEvent{Code: uv.KeyUp}
	ctrlC = uv.KeyPressEvent{Code: 'c', Mod: uv.ModCtrl}
)

// A draft that was cleared comes back, by undo and by going up.
func TestDraftSurvivesCtrlC(t *testing.T) {
	a := staged("en", 80)
	a.view.Busy, a.queue = false, nil
	a.editor.Set("a long draft\nof two lines")
	a.key(ctrlC)
	if !a.editor.Empty() || a.hint != a.words.DraftBack {
		t.Errorf("%q, %q", a.editor.Text(), a.hint)
	}
	if a.key(keyUp); a.editor.Text() != "a long draft\nof two lines" {
		t.Errorf("up gives %q", a.editor.Text())
	}
	a.ctrlC = time.Time{} // long ago: it does not leave
	a.key(ctrlC)
	if a.key(uv.KeyPressEvent{Code: '_', Mod: uv.ModCtrl}); a.editor.Text() != "a long draft\nof two lines" {
		t.Errorf("undo gives %q", a.editor.Text())
	}
}

// On the first screen up leads through what was typed before, and down through the sessions.
func TestUpOnTheFirstScreen(t *testing.T) {
	a := staged("en", 80)
	a.queue, a.view, a.home = nil, newView(a.words), []nebula.SessionInfo{{ID: "s1"}, {ID: "s2"}}
	a.remember("typed before")
	if a.key(keyUp); a.editor.Text() != "typed before" || a.selected != -1 {
		t.Errorf("%q, session %d", a.editor.Text(), a.selected)
	}
	a.editor = a.editor.Cleared()
	a.key(uv.KeyPressEvent{Code: uv.KeyDown})
	a.key(uv.KeyPressEvent{Code: uv.KeyDown})
	if a.key(keyUp); a.selected != 0 || !a.editor.Empty() {
		t.Errorf("session %d, %q", a.selected, a.editor.Text())
	}
}

func TestPicturesAreNamedWithAnAtSign(t *testing.T) {
	got := terminal.Mentioned("look at @shots/A.PNG and @b.webp, not at c.png, @notes.md or @d.gif")
	if want := []string{"shots/A.PNG", "b.webp", "d.gif"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Shift-Tab goes from planning to asking to free edits and round, and never frees everything; the status line says it.
func TestShiftTabGoesThroughThePolicies(t *testing.T) {
	a := staged("en", 80)
	a.view, a.folder = newView(a.words), nebula.Folder{Dir: "/work/shop", Branch: "main", Mode: nebula.PlanMode, Approve: "ask"}
	a.wanted = chosen(a.folder)
	for _, want := range []string{"PLAN  asks first", "AGENT  asks first", "AGENT  edits free", "PLAN  asks first"} {
		if got := terminal.Unpainted(a.statusLine(a.drawer())); !strings.Contains(got, want) || !strings.Contains(got, "shop (main)") {
			t.Errorf("%q, want %q", got, want)
		}
		a.key(uv.KeyPressEvent{Code: uv.KeyTab, Mod: uv.ModShift})
	}
	a.wanted = nebula.Switch{Mode: nebula.AgentMode, Approve: "all"}
	if got := a.statusLine(a.drawer()); !strings.Contains(got, a.style.bad+"ALL FREE") || a.differs() != (nebula.Switch{Mode: nebula.AgentMode, Approve: "all"}) {
		t.Errorf("%q, %v", got, a.differs())
	}
	if a.key(uv.KeyPressEvent{Code: uv.KeyTab, Mod: uv.ModShift}); a.policyNow() != "ask" {
		t.Errorf("from all to %q", a.policyNow())
	}
}

// What was to be sent after a turn that is stopped stands in the prompt again, before what is being typed.
func TestQueuedComesBackWhenTheTurnIsStopped(t *testing.T) {
	for _, key := range []uv.KeyPressEvent{ctrlC, {Code: uv.KeyEscape}} {
		a, _ := played(t, "en", 80, nebula.Submitted{Turn: 1, Text: "go"})
		for _, text := range []string{"first", "second"} {
			a.editor.Set(text)
			a.key(uv.KeyPressEvent{Code: uv.KeyTab})
		}
		a.editor.Set("third")
		if a.key(key); a.editor.Text() != "first\nsecond\nthird" || len(a.queue) != 0 {
			t.Errorf("%s: %q, %q", key, a.editor.Text(), a.queue)
		}
	}
	a, _ := played(t, "en", 80, nebula.Submitted{Turn: 1, Text: "go"}, nebula.Asked{Ask: "q", Question: &nebula.Question{Text: "Which?"}})
	a.queue = []string{"later"}
	a.follow()
	if a.key(ctrlC); a.gate.draft.Text() != "later" || !a.editor.Empty() {
		t.Errorf("with a question: %q, the answer %q", a.gate.draft.Text(), a.editor.Text())
	}
}

// Ctrl-C again and again stops the turn, clears the prompt, says that one more leaves, and leaves.
func TestCtrlCLeavesOnlyAfterItsHint(t *testing.T) {
	a, _ := played(t, "en", 80, nebula.Submitted{Turn: 1, Text: "go"})
	a.editor.Set("half a thought")
	for i, want := range []struct{ typed, hint string }{{"half a thought", a.words.Stopping}, {"", a.words.DraftBack}, {"", a.words.CtrlC}} {
		if i == 0 {
			a.hint = ""
		}
		if a.key(ctrlC); a.left || a.editor.Text() != want.typed || a.hint != want.hint {
			t.Fatalf("%d: left %t, %q, %q", i, a.left, a.editor.Text(), a.hint)
		}
	}
	if a.key(ctrlC); !a.left {
		t.Error("it does not leave")
	}
	if text, _ := a.history.Move(-1, ""); text != "half a thought" {
		t.Errorf("up brings %q back", text)
	}
}
