//go:build !windows

package line

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
	"nebula/internal/transcript"

	"github.com/charmbracelet/x/xpty"
)

// TestOnlyAClearYesAllows types generated answers at real terminals.
func TestOnlyAClearYesAllows(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	const desks = 8
	each := nebulatest.Many(4, 250)
	all := nebulatest.Answers(t, 2, desks*each)
	var counted atomic.Int32
	t.Cleanup(func() {
		if counted.Load() == 0 {
			t.Error("no yes was ever taken: nothing was tried")
		}
	})
	for i := range desks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			g, keys := atTerminal(t, 100, 30)
			counted.Add(int32(nebulatest.CheckAnswers(t, g, keys, all[i*each:(i+1)*each])))
		})
	}
}

// atTerminal shows a conversation on a terminal of its own, which keys are written to.
func atTerminal(t *testing.T, width, height int) (*nebulatest.Gatekeeper, *os.File) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	pty, err := xpty.NewUnixPty(width, height)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	g := nebulatest.NewGatekeeper("en")
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { _, _ = io.Copy(io.Discard, pty) }()
	go func() {
		_, err := Run(ctx, Options{In: pty.Slave(), Out: pty.Slave(), Lang: "en",
			Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return g, nil }}})
		ended <- err
	}()
	t.Cleanup(func() { stop(); <-ended; _ = pty.Close() })
	time.Sleep(300 * time.Millisecond)
	return g, pty.Master()
}

// offered is a question at a terminal of a size, and the keys of it.
func offered(t *testing.T, width, height int, p nebula.Proposal) (*nebulatest.Gatekeeper, *os.File) {
	t.Helper()
	g, keys := atTerminal(t, width, height)
	p.Action.Reason = "to see"
	g.Ask("1", p)
	time.Sleep(nebulatest.Settled)
	return g, keys
}

// says types an answer and reports what it was taken for; false for nothing.
func says(t *testing.T, g *nebulatest.Gatekeeper, keys *os.File, text string) (nebula.Decided, bool) {
	t.Helper()
	if _, err := keys.WriteString(text); err != nil {
		t.Fatal(err)
	}
	a, ok := g.Answered("1", nebulatest.Settled)
	return a.Answer, ok
}

func TestCommandMustHaveBeenOnTheScreen(t *testing.T) {
	t.Parallel()
	var command strings.Builder
	for i := range 60 {
		fmt.Fprintf(&command, "echo %d\n", i)
	}
	{
		g, keys := offered(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: command.String()})
		if a, ok := says(t, g, keys, "yes\r"); ok {
			t.Fatalf("%s to a command whose end was on no screen", a)
		}
		for range 2 { // nothing typed shows the rest
			if _, ok := says(t, g, keys, "\x15\r"); ok {
				t.Fatal("an empty line decides")
			}
		}
		if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
			t.Errorf("all was shown, and yes is taken for %q, %v", a, ok)
		}
	}
}

func TestSecondEnterAllowsWhatWasNotSeen(t *testing.T) {
	t.Parallel()
	diff := "--- /dev/null\n+++ b/a\n@@ -0,0 +1,200 @@\n" + strings.Repeat("+row\n", 200)
	deeds, _ := nebulatest.Deeds(rand.New(rand.NewPCG(4, 4)), 60)
	for what, p := range map[string]nebula.Proposal{"a diff": {Effect: nebula.Write, Diff: diff}, "what became of files": deeds} {
		g, keys := offered(t, 80, 24, p)
		if a, ok := says(t, g, keys, "yes\r"); ok {
			t.Fatalf("%s, and most rows of %s were on no screen", a, what)
		}
		if a, ok := says(t, g, keys, "\r"); ok != (what == "a diff") || ok && a != nebula.Yes { // what becomes of files must have been seen, as a command must
			t.Errorf("%s: the second enter is taken for %q, %v", what, a, ok)
		}
	}
}

// TestSlashCommandIsNoAnswer though the question waits for one.
func TestSlashCommandIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"/help", "／status", "/undo", "/nonsense", "/cost"} {
		g, keys := offered(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
		if a, ok := says(t, g, keys, text+"\r"); ok {
			t.Errorf("%s is taken for %s", text, a)
		}
		if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
			t.Errorf("yes after %s is taken for %q, %v", text, a, ok)
		}
	}
	g, keys := offered(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
	if a, ok := says(t, g, keys, "/usr/bin/true instead\r"); !ok || a != nebula.No {
		t.Errorf("a path is taken for %q, %v", a, ok)
	}
}

func TestTooSmallATerminalTakesNoYes(t *testing.T) {
	t.Parallel()
	{
		g, keys := offered(t, 14, 5, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
		for range 3 {
			if a, ok := says(t, g, keys, "\x15yes\r"); ok {
				t.Fatalf("%s where nothing could be seen", a)
			}
		}
		if a, ok := says(t, g, keys, "\x15no\r"); !ok || a != nebula.No {
			t.Errorf("no is taken for %q, %v", a, ok)
		}
	}
}

func TestEscapeAndEnterIsNo(t *testing.T) {
	t.Parallel()
	for _, between := range []time.Duration{0, 200 * time.Millisecond} {
		g, keys := offered(t, 80, 24, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
		if _, ok := says(t, g, keys, "yes\x1b"); ok {
			t.Fatal("escape decides")
		}
		time.Sleep(between)
		if a, ok := says(t, g, keys, "\r"); !ok || a != nebula.No {
			t.Errorf("taken for %q, %v", a, ok)
		}
	}
}

// TestPasteThatBeganBeforeIsNoAnswer though it ends after the question was drawn.
func TestPasteThatBeganBeforeIsNoAnswer(t *testing.T) {
	t.Parallel()
	g, keys := atTerminal(t, 80, 24)
	_, _ = keys.WriteString("\x1b[200~ye")
	time.Sleep(100 * time.Millisecond)
	g.Ask("1", nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
	time.Sleep(nebulatest.Settled)
	if a, ok := says(t, g, keys, "s\x1b[201~\r"); ok && a != nebula.No {
		t.Fatalf("taken for %s", a)
	}
	time.Sleep(nebulatest.Settled)
	if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
		t.Errorf("yes is taken for %q, %v", a, ok)
	}
}

// All that a yes gives must have been on the screen before it, as the command.
func TestWhatIsGivenMustHaveBeenOnTheScreen(t *testing.T) {
	t.Parallel()
	p := nebula.Proposal{Effect: nebula.Execute, Command: "make test"}
	for i := range 121 {
		p.Risks = append(p.Risks, string(nebula.NewCode(nebula.Reads, fmt.Sprintf("/home/u/%d", i))))
	}
	g, keys := offered(t, 80, 24, p)
	for held := range 12 { // each yes that does not count yet shows a page
		if a, ok := says(t, g, keys, "yes\r"); ok {
			if a != nebula.Yes || held < 121/24-1 {
				t.Errorf("%s counts after %d pages", a, held+1)
			}
			return
		}
	}
	t.Error("all was shown, and no yes counts")
}

// What a yes gives is named on the question, and an "always" is offered only where it would hold.
func TestWhatIsGivenIsOnTheQuestion(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		words := wordsFor(lang)
		for _, risk := range []nebula.Code{nebula.NewCode(nebula.Reads, "/home/u/.ssh"), nebula.NewCode(nebula.Changes, "/srv"), nebula.NewCode(nebula.Reaches, "a.example:443"), gate.Unconfined} {
			v := &view{words: words, width: 200}
			a := transcript.Action{Proposal: nebula.Proposal{Effect: nebula.Execute, Command: "make", Risks: []string{string(risk)}}, Verdict: nebula.Verdict{Risks: []nebula.Code{risk}}}
			show := v.decision(a, "%s")
			if n := len(show.rows); n == 0 || !strings.Contains(show.rows[n-1], "! "+gate.Say(risk, lang)) {
				t.Errorf("%s: %q", risk, show.rows)
			}
			if offers := v.answerable(a) == words.GateKeys; offers != (risk != gate.Unconfined) {
				t.Errorf("%s: always is offered: %v", risk, offers)
			}
		}
	}
}

// Escape puts a no there, which a word that is typed then takes the place of.
func TestAWordAfterEscapeStandsForItself(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]nebula.Decided{"yes": nebula.Yes, "abort": nebula.No, ", never": nebula.No} {
		g, keys := offered(t, 100, 30, nebula.Proposal{Effect: nebula.Execute, Command: "make"})
		if _, ok := says(t, g, keys, "\x1b"); ok {
			t.Fatal("escape decides")
		}
		if a, ok := says(t, g, keys, typed+"\r"); !ok || a != want {
			t.Errorf("escape and %q: %q %t", typed, a, ok)
		}
	}
}
