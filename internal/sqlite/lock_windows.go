package sqlite

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

// Flags and error of LockFileEx, https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-lockfileex.
const (
	failImmediately = 1
	exclusive       = 2
	lockViolation   = syscall.Errno(33)
)

func lock(f *os.File, wait bool) error {
	flags := uintptr(exclusive)
	if !wait {
		flags |= failImmediately
	}
	var at syscall.Overlapped
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	ok, _, err := call.Call(f.Fd(), flags, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case ok != 0:
		return nil
	case errors.Is(err, lockViolation):
		return errHeld
	}
	return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
}

// drop closes first: a file that someone has open cannot be removed here, and then it stays.
func drop(f *os.File) {
	_ = f.Close()
	_ = os.Remove(f.Name())
}
