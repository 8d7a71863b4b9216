//go:build unix

package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

// hold locks a file, unless another has it open and locked: until release, or until it is closed, however that comes.
func hold(f *os.File) (bool, error) {
	err := again(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

//go:noinline
func release(f *os.File) error {
	return again(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) })
}
