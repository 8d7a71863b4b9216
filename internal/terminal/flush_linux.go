package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// Flush drops what was typed and not read yet, and reports whether that was anything. Nobody may be reading meanwhile.
func Flush(in *os.File) (dropped bool) {
	fd := int(in.Fd())
	was, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return false
	}
	if was.Lflag&unix.ICANON != 0 { // a line that has no end yet is counted in this mode only
		raw := *was
		raw.Lflag &^= unix.ICANON
		if unix.IoctlSetTermios(fd, unix.TCSETS, &raw) == nil {
			defer func() { _ = unix.IoctlSetTermios(fd, unix.TCSETS, was) }()
		}
	}
	n, _ := unix.IoctlGetInt(fd, unix.TIOCINQ) // unknown is none: it only tells
	_ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH)
	return n > 0
}
