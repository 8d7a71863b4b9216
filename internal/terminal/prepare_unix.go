//go:build !windows

package terminal

import (
	"image"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func prepare(*os.File) (undo func(), err error) { return func() {}, nil }

// Stop stops the whole job, and returns when it goes on. A signal to oneself comes when it comes, so that is waited for, and no longer
// than a job takes to stop that can: one without a shell does not.
func Stop() error {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	err := syscall.Kill(0, syscall.SIGTSTP)
	select {
	case <-goesOn:
	case <-time.After(stops):
	}
	return err
}

const stops = 300 * time.Millisecond

// resized tells when the terminal has another size, until it is stopped. A note waits for whoever draws meanwhile: the size is
// asked for after it, so one is as good as many.
func resized() (notes <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c, func() { signal.Stop(c) }
}

// pixels is how many pixels a cell of a terminal has; none where it does not tell.
func pixels(out *os.File) image.Point {
	size, err := unix.IoctlGetWinsize(int(out.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 || size.Row == 0 {
		return image.Point{}
	}
	return image.Pt(int(size.Xpixel/size.Col), int(size.Ypixel/size.Row))
}
