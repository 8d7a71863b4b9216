package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// From the system's headers: how much waits to be read (sys/filio.h), and the queue that is read from (sys/fcntl.h).
const (
	fionread = 0x4004667f
	fread    = 1
)

// Flush drops what was typed and not read yet, and reports whether a line of that was whole. Nobody may be reading
// meanwhile.
func Flush(in *os.File) (dropped bool) {
	fd := int(in.Fd())
	n, _ := unix.IoctlGetInt(fd, fionread) // unknown is none: it only tells
	_ = unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, fread)
	return n > 0
}
