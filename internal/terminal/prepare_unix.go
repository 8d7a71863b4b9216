//go:build !windows

package terminal

import (
	"os"
	"os/signal"
	"syscall"
)

func prepare(*os.File) (undo func(), err error) { return func() {}, nil }

// resized tells when the terminal has another size, until it is stopped. A note waits for whoever draws meanwhile: the size is
// asked for after it, so one is as good as many.
func resized() (notes <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c, func() { signal.Stop(c) }
}
