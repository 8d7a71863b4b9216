package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"

	uv "github.com/charmbracelet/ultraviolet"
)

// long is a conversation of many turns, laid out once.
func long(t *testing.T, turns int) *app {
	var all []nebula.Body
	for i := range turns {
		all = append(all, nebula.Submitted{Turn: i + 1, Text: fmt.Sprintf("message %d", i)}, nebula.Requested{},
			nebula.Streamed{Kind: "thought", Text: fmt.Sprintf("a thought about 制限 %d", i)},
			nebula.Replied{Intent: nebula.Intent{Say: strings.Repeat("Some words of an answer.\n\n", 20) + fmt.Sprintf("The Limiter is number %d.", i)}},
			nebula.Ended{Outcome: nebula.Outcome{Turn: i + 1, Status: nebula.TurnDone}})
	}
	a, _ := played(t, "en", 80, all...)
	a.hint, a.home = "", nil
	a.frame()
	return a
}

func (a *app) shows() string { return terminal.Unpainted(strings.Join(a.frame().body, "\n")) }

func (a *app) presses(keys ...uv.KeyPressEvent) {
	for _, k := range keys {
		a.key(k)
		a.frame()
	}
}

func (a *app) writes(text string) {
	for _, r := range text {
		a.presses(uv.KeyPressEvent{Code: r, Text: string(r)})
	}
}

var ctrlF = uv.KeyPressEvent{Code: 'f', Mod: uv.ModCtrl}

func TestWordsOfTheConversationAreFound(t *testing.T) {
	a := long(t, 12)
	a.presses(ctrlF)
	a.writes("limiter")
	if got := a.shows(); !strings.Contains(got, "The Limiter is number 11.") {
		t.Errorf("the newest place first:\n%s", got)
	}
	dock := terminal.Unpainted(strings.Join(a.frame().dock, "\n"))
	if !strings.Contains(dock, "find: limiter  12/12 · ↑ older") {
		t.Error(dock)
	}
	a.presses(uv.KeyPressEvent{Code: uv.KeyEnter}, uv.KeyPressEvent{Code: uv.KeyUp})
	f := a.frame()
	if got := strings.Join(f.body, "\n"); !strings.Contains(got, "\x1b[7mLimiter\x1b[0m is number 9.") {
		t.Errorf("the place stands out:\n%s", got)
	}
	if got := terminal.Unpainted(f.body[0]); !strings.HasPrefix(got, "▌ message 9") || !strings.Contains(got, "10/12 · ") {
		t.Errorf("above stands %q, not the message that the answer belongs to", got)
	}
	a.presses(uv.KeyPressEvent{Code: uv.KeyEscape})
	if got := a.shows(); a.finder != nil || !strings.Contains(got, "number 9.") {
		t.Errorf("it stays where it is:\n%s", got)
	}
	a.presses(ctrlF)
	a.writes("制限 3")
	if got := a.shows(); !strings.Contains(got, "a thought about 制限 3") {
		t.Errorf("what is folded is opened:\n%s", got)
	}
	a.presses(uv.KeyPressEvent{Code: 'u', Mod: uv.ModCtrl})
	a.writes("nothing like it")
	if dock := terminal.Unpainted(strings.Join(a.frame().dock, "\n")); !strings.Contains(dock, "nowhere") || a.editor.Text() != "" {
		t.Error(dock, a.editor.Text())
	}
}

func TestMessagesAreJumpedTo(t *testing.T) {
	a := long(t, 5)
	up, down := uv.KeyPressEvent{Code: uv.KeyUp, Mod: uv.ModCtrl}, uv.KeyPressEvent{Code: uv.KeyDown, Mod: uv.ModCtrl}
	first := func() string { return strings.TrimSpace(terminal.Unpainted(strings.Join(a.frame().body[:2], " "))) }
	for _, want := range []string{"▌ message 4", "▌ message 3", "▌ message 2"} {
		if a.presses(up); first() != want {
			t.Errorf("%q, want %q", first(), want)
		}
	}
	if a.presses(down); first() != "▌ message 3" {
		t.Errorf("%q after going back", first())
	}
	a.presses(uv.KeyPressEvent{Code: uv.KeyPgDown})
	if a.presses(up); first() != "▌ message 3" {
		t.Errorf("%q, though the message that is read begins nearer", first())
	}
	if a.presses(down, down); a.scroll.held {
		t.Error("behind the last message is the newest")
	}
}

// In 100,000 lines what is typed is found before the next key. bench/screens measures it.
func TestSearchTakesNoTime(t *testing.T) {
	var all []nebula.Body
	for i := range 1000 {
		all = append(all, nebula.Submitted{Turn: i + 1, Text: fmt.Sprintf("message %d", i)}, nebula.Requested{},
			nebula.Replied{Intent: nebula.Intent{Say: strings.Repeat("Some words of an answer, e.g. 日本語の回答も含む長い行.\n", 100) + fmt.Sprintf("needle %d", i)}},
			nebula.Ended{Outcome: nebula.Outcome{Turn: i + 1, Status: nebula.TurnDone}})
	}
	a, _ := played(t, "en", 80, all...)
	a.hint = ""
	a.frame()
	a.presses(ctrlF)
	for _, text := range []string{"needle 7", "e", "日本", "NEEDLE 500", "not there"} {
		best := time.Hour
		for range 5 {
			a.finder.query.Set(text)
			began := time.Now()
			a.seek()
			a.frame()
			best = min(best, time.Since(began))
		}
		t.Logf("%q: %d places, %v", text, a.finder.total, best)
		if best > 2*time.Second { // a machine forty times slower
			t.Errorf("%q takes %v", text, best)
		}
	}
}
