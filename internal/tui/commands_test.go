package tui

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/nebulatest"
	"nebula/internal/terminal"
)

// TestPageTakesNoText that is meant for the line: it goes there whole.
func TestPageTakesNoText(t *testing.T) {
	for _, text := range []string{"quite so", "jump", "どう", "yes"} {
		a := staged("en", 80)
		a.run("status", nil)
		for _, r := range text {
			a.key(uv.KeyPressEvent{Code: r, Text: string(r)})
		}
		if a.page != nil || a.editor.Text() != text {
			t.Errorf("%q on a page is typed as %q", text, a.editor.Text())
		}
		a = staged("en", 80)
		a.run("status", nil)
		if a.paste(text); a.page != nil || a.editor.Text() != text {
			t.Errorf("%q pasted on a page is typed as %q", text, a.editor.Text())
		}
	}
}

// TestStatusShowsWhatTheSessionSays of itself: which files it was instructed by, with their tokens.
func TestStatusShowsWhatTheSessionSays(t *testing.T) {
	a := staged("en", 80)
	a.options.Host = nebulatest.Host{OnStatus: func(string) (string, error) {
		return "context:\n  instructions 420 · ~/.nebula/AGENTS.md 30 · web/AGENTS.md 42\n", nil
	}}
	a.link = terminal.NewLink(t.Context(), sent(make(chan nebula.Command, 1)))
	a.ctx, a.calls = t.Context(), make(chan func(), 1)
	a.run("status", nil)
	(<-a.calls)()
	if text := strings.Join(a.page.lines, "\n"); !strings.Contains(text, "~/.nebula/AGENTS.md 30 · web/AGENTS.md 42") {
		t.Errorf("%q", text)
	}
}

// TestWhatPeopleWroteIsCompletedAndListed beside what comes with nebula, with what it takes; nothing is asked for before a slash is typed.
func TestWhatPeopleWroteIsCompletedAndListed(t *testing.T) {
	a, asked := staged("en", 120), 0
	a.options.Host = nebulatest.Host{OnCommands: func() []nebula.CommandInfo {
		asked++
		return []nebula.CommandInfo{{Name: "explain", Takes: "[file]", About: "Says what a file does"}, {Name: "git:commit", About: "Commits"}}
	}}
	a.ctx, a.calls = t.Context(), make(chan func(), 1)
	if a.types("hi "); asked != 0 {
		t.Error("it was asked for before it was needed")
	}
	a.editor.Set("")
	a.types("/expl")
	(<-a.calls)()
	if a.popup == nil || !slices.Contains(a.popup.rows, choice{"explain", "[file] Says what a file does"}) {
		t.Fatalf("offered are %+v", a.popup)
	}
	if a.key(uv.KeyPressEvent{Code: uv.KeyTab}); a.editor.Text() != "/explain " {
		t.Errorf("%q is filled in", a.editor.Text())
	}
	if a.bare("explain") || !a.bare("git:commit") {
		t.Error("one that takes something is sent without it, or one that takes nothing waits")
	}
	a.run("help", nil)
	rows := strings.Join(a.page.rows(drawer{width: 100, style: a.style}), "\n")
	if !strings.Contains(rows, "/git:commit") || !strings.Contains(rows, "Says what a file does") || asked != 1 {
		t.Errorf("after %d questions the help is\n%s", asked, rows)
	}
}

// types types a text.
func (a *app) types(text string) {
	for _, r := range text {
		a.key(uv.KeyPressEvent{Code: r, Text: string(r)})
	}
}

func TestEveryCommandIsKnown(t *testing.T) {
	for _, r := range command.Rows {
		sent, _ := r.Sends([]string{"x"}, "en")
		if c, _ := r.Sends(nil, "en"); c == nil && sent == nil && acts()[r.Name] == nil && r.Text("en").Instead == "" {
			t.Errorf("%s does nothing here", r.Title())
		}
	}
}

// TestWordsFromElsewhere are understood.
func TestWordsFromElsewhere(t *testing.T) {
	for _, name := range []string{"clear", "compact", "cost", "resume", "init", "permissions"} {
		a := staged("en", 80)
		a.hint = ""
		a.run(name, nil)
		if strings.Contains(a.hint, "There is no command") {
			t.Errorf("/%s: %s", name, a.hint)
		}
	}
	a := staged("en", 80)
	if a.run("cost", nil); a.page == nil {
		t.Error("/cost shows no figures")
	}
}

// TestCompactIsSent to the session with its focus; where there is none, it says so.
func TestCompactIsSent(t *testing.T) {
	a := staged("en", 80)
	if a.run("compact", nil); a.hint != "There is nothing to shorten yet." {
		t.Errorf("without a session: %q", a.hint)
	}
	c := sent(make(chan nebula.Command, 1))
	a.link = terminal.NewLink(t.Context(), c)
	a.submit("/compact the gate")
	if got := <-c; got != (nebula.Compact{Focus: "the gate"}) {
		t.Errorf("sent was %#v", got)
	}
}

// sent is a conversation that only hands on what it is sent.
type sent chan nebula.Command

func (s sent) Send(_ context.Context, c nebula.Command) error {
	s <- c
	return nil
}

func (s sent) Events(ctx context.Context, _ int64) iter.Seq[nebula.Event] {
	return func(func(nebula.Event) bool) { <-ctx.Done() }
}

// TestStoppedScreenSettles says nothing more of stopping, or of work, once the turn has ended.
func TestStoppedScreenSettles(t *testing.T) {
	a := staged("en", 80)
	a.pending = nil // it would be sent, and its turn would go on beside this one
	c := newScripted("en", false)
	a.link = terminal.NewLink(t.Context(), c)
	a.stop()
	if a.hint == "" {
		t.Fatal("nothing is said of stopping")
	}
	c.emit(nebula.Moved{From: "PLANNING", To: "EXECUTION", Status: "ERROR"})
	c.emit(nebula.Ended{Outcome: nebula.Outcome{Status: nebula.Cancelled}})
	for a.take(); a.hint != ""; a.take() { // the end comes in a while
		<-a.link.Wake
	}
	if text, _ := a.words.stepLabel(a.view.Step, a.view.Status, a.view.Busy); text != "" {
		t.Errorf("still %q", text)
	}
}

// TestResumeSelectsTheNewest so that enter takes it.
func TestResumeSelectsTheNewest(t *testing.T) {
	for _, choose := range []bool{true, false} {
		a := staged("en", 80)
		a.options.Choose = choose
		a.offerSessions([]nebula.SessionInfo{{ID: "s9"}, {ID: "s8"}}, nil)
		if (a.selected == 0) != choose {
			t.Errorf("chosen %v: %d is selected", choose, a.selected)
		}
	}
}
