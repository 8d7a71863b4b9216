//go:build !windows

package headless

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"testing"

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
	person := &Terminal{In: bufio.NewReader(os.Stdin), Out: os.Stdout, Flush: func() bool { return terminal.Flush(os.Stdin) },
		Size: func() (int, int) { return terminal.Size(os.Stdout) }}
	_, _ = Run(t.Context(), g, Request{Prompt: "go", Output: Text, Stdout: io.Discard, Stderr: io.Discard, Person: person.Answer})
}

// TestWhatRunsIsOnTheScreen reads commands and diffs back from a screen, to the byte.
func TestWhatRunsIsOnTheScreen(t *testing.T) {
	t.Parallel()
	n := nebulatest.Many(9, 330)
	command := fmt.Sprintf("NEBULA_HOSTILE='23 %d' %s -test.run=^TestHostileInTerminal$", n, os.Args[0])
	nebulatest.CheckHostile(t, "nebula-hostile-run", command, 23, n, nebulatest.Reader{Begins: "\nrun  ", Indent: `  `, Width: 96}, terminal.Width)
}
