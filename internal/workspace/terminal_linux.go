package workspace

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// newTerminal makes a terminal: nebula's end, and a command's.
func newTerminal() (near, far *os.File, err error) {
	near, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	raw, err := near.SyscallConn()
	if err != nil {
		return nil, nil, errors.Join(err, near.Close())
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		if failed = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); failed != nil {
			return
		}
		peer, _, no := unix.Syscall(unix.SYS_IOCTL, fd, unix.TIOCGPTPEER, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC)
		if no != 0 {
			failed = no
			return
		}
		far = os.NewFile(peer, "terminal")
		failed = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120})
	})
	if err = errors.Join(err, failed); err != nil {
		return nil, nil, errors.Join(err, near.Close())
	}
	return near, far, nil
}

// terminal reports whether a file is one.
func terminal(fd int) bool {
	_, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	return err == nil
}
