//go:build !windows

package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// TestNoChangeOfSizeIsLost while nobody looks, as when a frame is being drawn.
func TestNoChangeOfSizeIsLost(t *testing.T) {
	notes, stop := resized()
	defer stop()
	witness := make(chan os.Signal, 2)
	signal.Notify(witness, syscall.SIGWINCH)
	defer signal.Stop(witness)
	for range 2 { // when the second is told, the first was told to everybody
		if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil {
			t.Fatal(err)
		}
		<-witness
	}
	select {
	case <-notes:
	default:
		t.Error("the terminal has another size, and nobody is told")
	}
}
