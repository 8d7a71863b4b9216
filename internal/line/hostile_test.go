//go:build !windows

package line

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
	_, _ = Run(t.Context(), Options{In: os.Stdin, Out: os.Stdout, Lang: "en",
		Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return g, nil }}})
}

// TestWhatRunsIsOnTheScreen reads commands and diffs back from a screen, to the byte.
func TestWhatRunsIsOnTheScreen(t *testing.T) {
	t.Parallel()
	n := nebulatest.Many(9, 330)
	command := fmt.Sprintf("NEBULA_HOSTILE='22 %d' %s -test.run=^TestHostileInTerminal$", n, os.Args[0])
	nebulatest.CheckHostile(t, "nebula-hostile-line", command, 22, n, nebulatest.Reader{Begins: "Permission needed", Indent: ``, Width: 95}, terminal.Width)
}
