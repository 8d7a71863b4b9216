package tui

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// played is a view of what has happened, with the rows of all of it.
func played(t *testing.T, lang string, width int, bodies ...nebula.Body) (*app, func() string) {
	t.Helper()
	a := staged(lang, width)
	a.view, a.queue, a.pending = newView(a.words), nil, nil
	for _, b := range bodies {
		a.view.fold(nebula.Event{At: noon, Body: b})
	}
	return a, func() string {
		var rows []string
		for i := range a.view.blocks {
			rows = append(rows, a.rowsOf(i)...)
		}
		return terminal.Unpainted(strings.Join(rows, "\n"))
	}
}

func looked(id string, status nebula.Status, paths ...string) []nebula.Body {
	p := nebula.Proposal{Action: nebula.Action{ID: id, Tool: "look"}, Effect: nebula.Read, Summary: "look at " + id}
	r := nebula.Result{Action: id, Status: status, Summary: "looked at " + id}
	for _, path := range paths {
		r.Seen = append(r.Seen, nebula.FileRef{Path: path})
	}
	return []nebula.Body{nebula.Proposed{Proposal: p}, nebula.Began{Action: id}, nebula.Finished{Result: r}}
}

func editing(id string, lines int) []nebula.Body {
	diff := fmt.Sprintf("--- a/api/limiter.go\n+++ b/api/limiter.go\n@@ -1,1 +1,%d @@\n package api\n", lines+1)
	for i := range lines {
		diff += fmt.Sprintf("+var v%d int\n", i)
	}
	p := nebula.Proposal{Action: nebula.Action{ID: id}, Effect: nebula.Write, Summary: "edit api/limiter.go", Diff: diff}
	return []nebula.Body{nebula.Proposed{Proposal: p}, nebula.Began{Action: id}, nebula.Finished{Result: nebula.Result{Action: id, Status: nebula.Done,
		Summary: fmt.Sprintf("edited api/limiter.go (+%d -0)", lines)}}}
}

// A change that was made stays to be read: its first rows, and how many more there are.
func TestChangesStayInTheConversation(t *testing.T) {
	a, text := played(t, "en", 80, editing("e", 20)...)
	got := text()
	if !strings.Contains(got, "✓ edited api/limiter.go (+20 -0)\n") || !strings.Contains(got, "+var v10 int") || strings.Contains(got, "+var v11 int") ||
		!strings.Contains(got, "9 more · ctrl+o") || strings.Count(got, "limiter.go") != 1 {
		t.Error(got)
	}
	a.toggle(a.chosen())
	if got := text(); !strings.Contains(got, "+var v19 int") || strings.Contains(got, "more ·") {
		t.Error(got)
	}
	if _, text := played(t, "en", 80, editing("e", 12)...); !strings.Contains(text(), "+var v11 int") {
		t.Error("a single row is not worth leaving out")
	}
}

// Looks that follow one another are one row, which opens; what was changed between them parts them.
func TestLooksAreOneRow(t *testing.T) {
	var all []nebula.Body
	for i := range 4 {
		all = append(all, looked(fmt.Sprint("r", i), nebula.Done, fmt.Sprintf("f%d.go", i/2))...)
	}
	all = append(append(append(all, looked("s", nebula.Done)...), looked("n", nebula.Failed)...), editing("e", 1)...)
	a, text := played(t, "en", 80, append(all, looked("last", nebula.Done)...)...)
	got := text()
	if !strings.Contains(got, "▸ read 2 files · looked 1 time · 1 not found\n✓ edited") || strings.Contains(got, "looked at r") || !strings.Contains(got, "✓ looked at last") {
		t.Error(got)
	}
	a.choose(-1)
	a.choose(-1)
	if a.choose(-1); !a.view.blocks[a.selected].leads() {
		t.Fatalf("%d is selected", a.selected)
	}
	a.toggle(a.selected)
	if got := text(); strings.Contains(got, "▸") || strings.Count(got, "looked at ") != 6 || !strings.Contains(got, "✗ look at n failed") {
		t.Error(got)
	}
	a.toggle(a.selected)
	a.toggle(a.selected)
	if got := text(); !strings.Contains(got, "▸ read 2 files") {
		t.Error(got)
	}
	if _, text := played(t, "ja", 80, all...); !strings.Contains(text(), "▸ 2 ファイルを読みました · 1 回調べました · 1 件は見つかりません") {
		t.Error(text())
	}
}

// How a command ended, and how long it took, stands at the right edge.
func TestCommandsEndAtTheRight(t *testing.T) {
	exit := 1
	_, text := played(t, "en", 60, nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "c"}, Effect: nebula.Execute, Summary: "run it", Command: "go test ./..."}},
		nebula.Finished{Result: nebula.Result{Action: "c", Status: nebula.Failed, Summary: "exit 1", Exit: &exit, Took: 2100, Text: "--- FAIL: TestX"}})
	if want := "✗ $ go test ./..." + strings.Repeat(" ", 60-17-len("exit 1  2.1 s")) + "exit 1  2.1 s\n  --- FAIL: TestX"; strings.TrimSpace(text()) != want {
		t.Errorf("%q, want %q", text(), want)
	}
}

// unseen is a screen that shows nothing.
type unseen struct{}

func (unseen) show(frameRows) error { return nil }
func (unseen) resize(int, int)      {}
func (unseen) clear()               {}
func (unseen) leave() error         { return nil }

// hearing is a conversation that only hears.
type hearing chan nebula.Command

func (hearing) Events(context.Context, int64) iter.Seq[nebula.Event] {
	return func(func(nebula.Event) bool) {}
}
func (h hearing) Send(_ context.Context, c nebula.Command) error { h <- c; return nil }

// asking is an interface of some rows in which a change of so many lines waits for the person.
func asking(t *testing.T, lines, height int, inline bool) (*app, func() string) {
	a, _ := played(t, "en", 80, append([]nebula.Body{nebula.Submitted{Turn: 1, Text: "go"}}, editing("e", lines)[:1]...)...)
	a.height, a.options.Inline = height, inline
	a.screen = unseen{}
	a.view.fold(nebula.Event{At: noon, Body: nebula.Asked{Ask: "q", Action: "e"}})
	a.follow()
	return a, func() string {
		if err := a.draw(); err != nil {
			t.Fatal(err)
		}
		return terminal.Unpainted(strings.Join(a.shown, "\n"))
	}
}

// A long change is shown from its top, with its head always there and where one is in it; every enter goes on, until all was seen.
func TestLongChangesAreReadFromTheTop(t *testing.T) {
	for _, inline := range []bool{false, true} {
		for lines := 5; lines < 60; lines++ {
			a, shown := asking(t, lines, 20, inline)
			first := shown()
			if !strings.Contains(first, "+var v0 int") || !strings.Contains(first, "edit api/limiter.go") {
				t.Fatalf("inline %v: %d lines do not begin with the first:\n%s", inline, lines, first)
			}
			for presses := 0; a.gate.seen.Next() >= 0; presses++ {
				a.gateKey("enter")
				screen := shown()
				if !strings.Contains(screen, "? edit api/limiter.go") {
					t.Fatalf("inline %v, %d lines: the head is gone:\n%s", inline, lines, screen)
				}
				if presses > 20 {
					t.Fatalf("inline %v: never at the end of %d lines:\n%s", inline, lines, screen)
				}
			}
			if screen := shown(); lines > 30 && !strings.Contains(screen, fmt.Sprintf("–%d of %d", lines+2, lines+2)) || !strings.Contains(screen, fmt.Sprintf("+var v%d int", lines-1)) {
				t.Fatalf("inline %v, %d lines:\n%s", inline, lines, screen)
			}
		}
	}
}

// The answers stand below what is asked: keys and their numbers select them, enter decides, and what is typed is as it was.
func TestAnswersStandAsRows(t *testing.T) {
	for _, c := range []struct {
		keys []string
		text string
		want nebula.Decided
	}{
		{[]string{"down"}, "", nebula.Yes}, {[]string{"1"}, "", nebula.Yes}, {[]string{"2"}, "", nebula.Always}, {[]string{"3"}, "", nebula.Edits}, {[]string{"4"}, "", nebula.No}, {[]string{"up"}, "not so", nebula.No},
		{[]string{"1", "2", "down", "down", "down", "up"}, "", nebula.Edits}, {[]string{"1", "esc"}, "", nebula.No}, {[]string{"2", "9"}, "", ""}, // no row has that number: asked again
	} {
		a, shown := asking(t, 3, 30, false)
		p := &a.gate.block.row.Action.Proposal
		p.Action.Tool, p.Effect, p.Targets = "patchFile", nebula.Write, []nebula.Target{{Path: "api/limiter.go", Kind: "edit"}}
		heard := hearing(make(chan nebula.Command, 8))
		a.link = terminal.NewLink(t.Context(), heard)
		if screen := shown(); !strings.Contains(screen, "  1  Allow once\n  2  Allow further changes of api/limiter.go in this session (patchFile)\n  3  Allow all edits in this session\n  4  Refuse, and say why\n") {
			t.Fatal(screen)
		}
		for _, key := range c.keys {
			if !a.gateKey(key) {
				a.editor.Insert(key)
			}
			shown()
			if a.gate.sent {
				t.Fatalf("%q decided", key)
			}
		}
		a.editor.Insert(c.text)
		if a.gateKey("enter"); c.want == "" {
			time.Sleep(50 * time.Millisecond)
			if len(heard) > 0 || a.hint != a.words.NoNumber {
				t.Errorf("%q: %d sent, %q", c.keys, len(heard), a.hint)
			}
			continue
		}
		if got := (<-heard).(nebula.Answer); got.Answer != c.want || got.Text != c.text && c.text != "" {
			t.Errorf("%q: %+v, want %s", c.keys, got, c.want)
		}
	}
	a, shown := asking(t, 30, 30, false)
	if screen := shown(); strings.Contains(screen, "1  Allow once") || !strings.Contains(screen, "yes⏎ allow") {
		t.Errorf("rows take the place of what is asked:\n%s", screen)
	}
	a.editor.Clear()
	if a.digit("1") {
		t.Error("a number chooses what does not stand there")
	}
}

// The whole screen can show what is asked.
func TestChangesGetTheWholeScreen(t *testing.T) {
	a, shown := asking(t, 100, 24, false)
	before := strings.Count(shown(), "+var")
	a.editor.Set("f")
	a.gateKey("enter")
	if after := strings.Count(shown(), "+var"); after <= before || a.gate.sent {
		t.Errorf("%d rows instead of %d", after, before)
	}
}
