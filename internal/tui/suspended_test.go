//go:build !windows

package tui

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestTheShellHasTheScreenWhileSuspended stops the program and lets it go on, soon after one another: no answer of the terminal is
// typed into the shell, which stands on its own screen, and the program is back in the end.
func TestTheShellHasTheScreenWhileSuspended(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "80x24", "en")
	m.waits("describe a change")
	m.run("respawn-pane", "-k", "env PS1='P> ' bash --norc --noprofile -i")
	m.waits("P>")
	m.types(fmt.Sprintf("LC_ALL=C.UTF-8 NEBULA_TUI_TERMINAL=en %s -test.run=^TestInTerminal$", os.Args[0]))
	m.press("Enter")
	for i := range 12 {
		m.waits("describe a change")
		time.Sleep(time.Duration(i%4) * 8 * time.Millisecond)
		m.press("C-z")
		prompt := false
		for end := time.Now().Add(20 * time.Second); !prompt && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			screen := strings.TrimRight(m.screen(), "\n ")
			_, last, _ := strings.Cut(screen, "Stopped")
			prompt = strings.HasSuffix(last, "\nP>") && !strings.Contains(last, "AGENT")
		}
		time.Sleep(50 * time.Millisecond)
		if screen := strings.TrimRight(m.screen(), "\n "); !prompt || !strings.HasSuffix(screen, "\nP>") || strings.TrimSpace(m.run("display", "-p", "#{alternate_on}")) != "0" {
			t.Fatalf("round %d:\n%s", i, screen)
		}
		m.types("clear; fg")
		m.press("Enter")
	}
	m.waits("describe a change")
}
