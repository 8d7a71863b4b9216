//go:build !windows

package tui

import (
	"fmt"
	"os"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/terminal"
)

// TestHostileInTerminal is no test: it is the program that the test below looks at.
func TestHostileInTerminal(t *testing.T) {
	if os.Getenv("NEBULA_HOSTILE") == "" {
		t.Skip("run by another test")
	}
	g := nebulatest.NewGatekeeper("en")
	go nebulatest.Offers(g)
	_ = Run(t.Context(), Options{In: os.Stdin, Out: os.Stdout, Lang: "en", Inline: os.Getenv("NEBULA_TUI_INLINE") != "", Ambiguous: "narrow",
		Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return g, nil }}})
}

// TestWhatRunsIsOnTheScreen reads commands and diffs back from a screen, to the byte.
func TestWhatRunsIsOnTheScreen(t *testing.T) {
	t.Parallel()
	n := nebulatest.Many(9, 340)
	command := fmt.Sprintf("NEBULA_HOSTILE='21 %d' %s -test.run=^TestHostileInTerminal$", n, os.Args[0])
	nebulatest.CheckHostile(t, "nebula-hostile-tui", command, 21, n, nebulatest.Reader{Begins: "\n? ", Indent: ` *\d+ `, Width: 96, First: true}, terminal.Width)
}
