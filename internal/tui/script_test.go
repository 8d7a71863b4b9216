//go:build !windows

package tui

import (
	"strings"
	"testing"
)

// TestScriptIsTypedWhereNobodyTypes has messages sent, a command carried out, questions answered and a long change looked at to its
// end, and says when it is over.
func TestScriptIsTypedWhereNobodyTypes(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "80x24", "en", "NEBULA_TUI_SCRIPT=gate,/plan,question,gate")
	m.waits("→ refused")
	m.waits("PLAN")
	m.waits("→ file")
	m.waits("✓ domain")
	if screen := m.waits("that was all"); strings.Contains(screen, "› gate") || strings.Count(screen, "▌ gate") != 1 {
		t.Errorf("something else was typed:\n%s", screen)
	}
	m.types("hello") // and then it is the person's
	m.press("Enter")
	m.waits("● done")
}

// TestScriptGivesWayToThePerson has somebody press a key while it types: what stands there is theirs, and is not sent.
func TestScriptGivesWayToThePerson(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "80x24", "en", "NEBULA_TUI_SCRIPT="+strings.Repeat("word.", 60))
	m.waits("› word.")
	m.press("PageUp", "PageDown") // to look around takes nothing over
	m.waits("word.word.word.word.word.word.")
	m.types("x")
	m.waits("x")
	if screen := m.still(); strings.Count(screen, "word.") >= 60 || strings.Contains(screen, "▌ word.") {
		t.Errorf("it goes on:\n%s", screen)
	}
}
