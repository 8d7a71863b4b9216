//go:build !windows

package tui

import (
	"syscall"
	"testing"
)

// TestSizeThatCameBackIsDrawnAnew: a terminal that was smaller for a moment has lost what stood there.
func TestSizeThatCameBackIsDrawnAnew(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	t.Parallel()
	s := sit(t)
	if err := s.cmd.Process.Signal(syscall.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	s.expect("describe a change")
}
