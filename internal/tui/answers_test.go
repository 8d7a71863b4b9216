//go:build !windows

package tui

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

	"github.com/charmbracelet/x/xpty"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestOnlyAClearYesAllows types generated answers at real terminals, on the whole screen and inline.
func TestOnlyAClearYesAllows(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	const desks = 8
	each := nebulatest.Many(4, 250)
	all := nebulatest.Answers(t, 1, desks*each)
	var counted atomic.Int32
	t.Cleanup(func() {
		if counted.Load() == 0 {
			t.Error("no yes was ever taken: nothing was tried")
		}
	})
	for i := range desks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			g, keys := atTerminal(t, 100, 30, i%2 == 1)
			counted.Add(int32(nebulatest.CheckAnswers(t, g, keys, all[i*each:(i+1)*each])))
		})
	}
}

// atTerminal shows a conversation on a terminal of its own, which keys are written to.
func atTerminal(t *testing.T, width, height int, inline bool) (*nebulatest.Gatekeeper, *os.File) {
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
		ended <- Run(ctx, Options{In: pty.Slave(), Out: pty.Slave(), Lang: "en", Inline: inline, Env: os.Getenv, Ambiguous: "narrow",
			Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return g, nil }}})
	}()
	t.Cleanup(func() { stop(); <-ended; _ = pty.Close() })
	time.Sleep(300 * time.Millisecond)
	return g, pty.Master()
}

// offered is a question at a terminal of a size, and the keys of it.
func offered(t *testing.T, width, height int, inline bool, p nebula.Proposal) (*nebulatest.Gatekeeper, *os.File) {
	t.Helper()
	g, keys := atTerminal(t, width, height, inline)
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
	for _, inline := range []bool{false, true} {
		g, keys := offered(t, 80, 24, inline, nebula.Proposal{Effect: nebula.Execute, Command: command.String()})
		if a, ok := says(t, g, keys, "yes\r"); ok {
			t.Fatalf("%s to a command whose end was on no screen", a)
		}
		for range 8 { // nothing typed shows the rest
			if _, ok := says(t, g, keys, "\x15\r"); ok {
				t.Fatal("an empty line decides")
			}
		}
		if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
			t.Errorf("all was shown, and yes is taken for %q, %v", a, ok)
		}
	}
}

// All that a yes gives must have been on the screen before it, as the command.
func TestWhatIsGivenMustHaveBeenOnTheScreen(t *testing.T) {
	t.Parallel()
	p := nebula.Proposal{Effect: nebula.Execute, Command: "make test"}
	for i := range 121 {
		p.Risks = append(p.Risks, string(nebula.NewCode(nebula.Reads, fmt.Sprintf("/home/u/%d", i))))
	}
	for _, inline := range []bool{false, true} {
		g, keys := offered(t, 80, 24, inline, p)
		if a, ok := says(t, g, keys, "yes\r"); ok {
			t.Fatalf("inline %v: %s to what was on no screen", inline, a)
		}
		for range 16 {
			if _, ok := says(t, g, keys, "\x15\r"); ok {
				t.Fatal("an empty line decides")
			}
		}
		if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
			t.Errorf("inline %v: all was shown, and yes is taken for %q, %v", inline, a, ok)
		}
	}
}

func TestSecondEnterAllowsWhatWasNotSeen(t *testing.T) {
	t.Parallel()
	diff := "--- /dev/null\n+++ b/a\n@@ -0,0 +1,200 @@\n" + strings.Repeat("+row\n", 200)
	deeds, _ := nebulatest.Deeds(rand.New(rand.NewPCG(4, 4)), 60)
	for _, inline := range []bool{false, true} {
		for what, p := range map[string]nebula.Proposal{"a diff": {Effect: nebula.Write, Diff: diff}, "what became of files": deeds} {
			g, keys := offered(t, 80, 24, inline, p)
			if a, ok := says(t, g, keys, "yes\r"); ok {
				t.Fatalf("%s, and most rows of %s were on no screen", a, what)
			}
			if a, ok := says(t, g, keys, "\r"); ok != (what == "a diff") || ok && a != nebula.Yes { // what becomes of files must have been seen, as a command must
				t.Errorf("%s: the second enter is taken for %q, %v", what, a, ok)
			}
		}
	}
}

// TestYesTypedAgainAllows what a first yes did not: the line is empty again. What else was typed is no part of it.
func TestYesTypedAgainAllows(t *testing.T) {
	t.Parallel()
	diff := "--- /dev/null\n+++ b/a\n@@ -0,0 +1,200 @@\n" + strings.Repeat("+row\n", 200)
	for _, c := range []struct {
		again string
		want  nebula.Decided
	}{{"yes\r", nebula.Yes}, {"always\r", ""}, {"x\x7f\r", ""}, {"no\r", nebula.No}} {
		g, keys := offered(t, 80, 24, false, nebula.Proposal{Effect: nebula.Write, Diff: diff})
		if a, ok := says(t, g, keys, "yes\r"); ok {
			t.Fatalf("%s, and most rows were on no screen", a)
		}
		if a, ok := says(t, g, keys, c.again); a != c.want || ok != (c.want != "") {
			t.Errorf("%q after it is taken for %q, %v", c.again, a, ok)
		}
	}
}

// TestSlashCommandIsNoAnswer though the question waits for one.
func TestSlashCommandIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"/help", "／status", "/undo", "/nonsense", "/cost"} {
		g, keys := offered(t, 80, 24, false, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
		if a, ok := says(t, g, keys, text+"\r"); ok {
			t.Errorf("%s is taken for %s", text, a)
		}
		if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
			t.Errorf("yes after %s is taken for %q, %v", text, a, ok)
		}
	}
	g, keys := offered(t, 80, 24, false, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
	if a, ok := says(t, g, keys, "/usr/bin/true instead\r"); !ok || a != nebula.No {
		t.Errorf("a path is taken for %q, %v", a, ok)
	}
}

// TestNumberWithoutNumberedRowsIsAskedAgain, and is no no: it was meant for the rows of another screen.
func TestNumberWithoutNumberedRowsIsAskedAgain(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"1\r", "4\r", " 2. \r", "１\r"} {
		g, keys := offered(t, 40, 12, false, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
		if a, ok := says(t, g, keys, text); ok {
			t.Errorf("%q is taken for %s", text, a)
		}
		if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
			t.Errorf("yes after %q is taken for %q, %v", text, a, ok)
		}
	}
}

// TestBackspaceTakesAChosenRowAway whole, so that another number can be typed.
func TestBackspaceTakesAChosenRowAway(t *testing.T) {
	t.Parallel()
	g, keys := offered(t, 80, 40, false, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
	if a, ok := says(t, g, keys, "1\x7f"); ok {
		t.Fatalf("a key decides: %s", a)
	}
	if a, ok := says(t, g, keys, "2\r"); !ok || a != nebula.Always {
		t.Errorf("1, backspace, 2 is taken for %q, %v", a, ok)
	}
	g, keys = offered(t, 80, 40, false, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
	if a, ok := says(t, g, keys, "yesx\x7f\r"); !ok || a != nebula.Yes {
		t.Errorf("what was typed loses more than its last letter: %q, %v", a, ok)
	}
}

// TestNarrowTerminalPagesThroughACommand that it cannot show at once: it has room for some of it, enter shows the rest,
// and then a yes counts.
func TestNarrowTerminalPagesThroughACommand(t *testing.T) {
	t.Parallel()
	command := "echo 0"
	for i := range 11 {
		command += fmt.Sprintf("\necho %d", i+1)
	}
	for _, inline := range []bool{false, true} {
		g, keys := offered(t, 40, 12, inline, nebula.Proposal{Effect: nebula.Execute, Summary: "run some of what there is, one after the other", Command: command})
		if a, ok := says(t, g, keys, "yes\r"); ok {
			t.Fatalf("inline %v: %s, and the end of the command was on no screen", inline, a)
		}
		for range 8 {
			if a, ok := says(t, g, keys, "\r"); ok {
				t.Fatalf("%s for an empty line", a)
			}
		}
		if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
			t.Errorf("inline %v: all was shown, and yes is taken for %q, %v", inline, a, ok)
		}
	}
}

// TestOptionsAreShownWhole on a narrow screen, too.
func TestOptionsAreShownWhole(t *testing.T) {
	a := staged("en", 40)
	a.height = 24
	q := &question{ask: nebula.Asked{Question: &nebula.Question{Options: []string{"a long answer with many words that goes on to its very end", "short"}}}, at: 0}
	if text := strings.Join(q.options(a.drawer(), 10), "\n"); !strings.Contains(text, "very end") || !strings.Contains(text, "2  short") {
		t.Errorf("cut off:\n%s", text)
	}
	if n := len(q.options(a.drawer(), 3)); n != 3 {
		t.Errorf("%d rows where there is room for 3", n)
	}
}

func TestTooSmallATerminalTakesNoYes(t *testing.T) {
	t.Parallel()
	for _, inline := range []bool{false, true} {
		g, keys := offered(t, 14, 5, inline, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
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
		g, keys := offered(t, 80, 24, false, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
		if _, ok := says(t, g, keys, "yes\x1b"); ok {
			t.Fatal("escape decides")
		}
		time.Sleep(between)
		if a, ok := says(t, g, keys, "\r"); !ok || a != nebula.No {
			t.Errorf("taken for %q, %v", a, ok)
		}
	}
}

// TestWhoLeavesBeforeAQuestionAllowsNothing, also where the word was pasted; at the question the same word is a no.
func TestWhoLeavesBeforeAQuestionAllowsNothing(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"quit\r", "\x1b[200~quit\x1b[201~\r", "exit\r"} {
		g, keys := atTerminal(t, 80, 24, false)
		_, _ = keys.WriteString(word)
		time.Sleep(nebulatest.Settled)
		g.Ask("1", nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
		if a, ok := says(t, g, keys, "yes\r"); ok {
			t.Errorf("%q, and then a yes is taken for %s", word, a)
		}
		g, keys = offered(t, 80, 24, false, nebula.Proposal{Effect: nebula.Execute, Command: "make all"})
		if a, ok := says(t, g, keys, word); !ok || a != nebula.No {
			t.Errorf("%q at the question is taken for %q, %v", word, a, ok)
		}
	}
}

// TestPasteThatBeganBeforeIsNoAnswer though it ends after the question was drawn.
func TestPasteThatBeganBeforeIsNoAnswer(t *testing.T) {
	t.Parallel()
	g, keys := atTerminal(t, 80, 24, false)
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

// Escape puts a no there, which a word that is typed then takes the place of.
func TestAWordAfterEscapeStandsForItself(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]nebula.Decided{"yes": nebula.Yes, "abort": nebula.No, ", never": nebula.No} {
		g, keys := offered(t, 100, 30, false, nebula.Proposal{Effect: nebula.Execute, Command: "make"})
		if _, ok := says(t, g, keys, "\x1b"); ok {
			t.Fatal("escape decides")
		}
		if a, ok := says(t, g, keys, typed+"\r"); !ok || a != want {
			t.Errorf("escape and %q: %q %t", typed, a, ok)
		}
	}
}

// The five points that "?" opened are closed by escape, and nothing is answered by that.
func TestEscapeClosesThePoints(t *testing.T) {
	t.Parallel()
	g, keys := offered(t, 100, 30, false, nebula.Proposal{Effect: nebula.Execute, Command: "make"})
	for _, typed := range []string{"?\r", "\x1b", "\r"} {
		if a, ok := says(t, g, keys, typed); ok {
			t.Fatalf("%q is %s", typed, a)
		}
	}
	if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
		t.Errorf("yes is %q, %t", a, ok)
	}
}

// TestAChangeIsWrittenOtherwise before it is allowed: it is shown as it was written, and asked about again. What is no such change is told.
func TestAChangeIsWrittenOtherwise(t *testing.T) {
	t.Parallel()
	edit := nebula.Proposal{Effect: nebula.Write, Diff: "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n one\n+two\n", Targets: []nebula.Target{{Path: "x", Kind: "edit"}}}
	for _, inline := range []bool{false, true} {
		g, keys := offered(t, 80, 30, inline, edit)
		for _, typed := range []string{"e\r", strings.Repeat("\x7f", 4) + "zwei\r"} {
			if a, ok := says(t, g, keys, typed); ok {
				t.Fatalf("%q is taken for %s", typed, a)
			}
		}
		if _, err := keys.WriteString("yes\r"); err != nil {
			t.Fatal(err)
		}
		a, ok := g.Answered("1", 10*nebulatest.Settled)
		if want := strings.Replace(edit.Diff, "two", "zwei", 1); !ok || a.Answer != nebula.Yes || a.Command != want {
			t.Errorf("inline %t: %+v, %v", inline, a, ok)
		}
	}
	g, keys := offered(t, 80, 30, false, edit)
	for _, typed := range []string{"e\r", strings.Repeat("\x7f", 9) + "\r", "yes\r"} { // the context line lost its end
		if a, ok := says(t, g, keys, typed); ok {
			t.Fatalf("%q is taken for %s", typed, a)
		}
	}
	if a, ok := says(t, g, keys, "\x1b"); ok {
		t.Fatalf("Esc is taken for %s", a)
	}
	time.Sleep(nebulatest.Settled)
	if a, ok := says(t, g, keys, "yes\r"); !ok || a != nebula.Yes {
		t.Errorf("the change as it was proposed: %q, %v", a, ok)
	}
}
