//go:build unix

package sqlite

import (
	"errors"
	"os"
	"syscall"
)

func lock(f *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errHeld
		default:
			return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}

// drop removes the file while it is locked, so nobody can hold a lock on it unseen.
func drop(f *os.File) {
	_ = os.Remove(f.Name())
	_ = f.Close()
}
