package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"nebula"
	"nebula/internal/volume"
)

// reason is the system's reason alone, without the call and the path that it was about.
func reason(err error) error {
	var (
		p *fs.PathError
		l *os.LinkError
		s *os.SyscallError
	)
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	case errors.As(err, &s):
		return s.Err
	}
	return err
}

// fault is a fault of the world at a path, in one line with what to do about it.
func (d *Dir) fault(rel string, err error) error {
	err = reason(err)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrClosed) {
		if gone := d.present(); gone != nil {
			return gone
		}
	}
	return nebula.Errorf("%q: %w%s", rel, err, advice(err, d.real))
}

// advice is what to do about a fault at a path, where the person can do something.
func advice(err error, at string) nebula.Words {
	switch {
	case errors.Is(err, syscall.ENOSPC) && volume.Crowded(at, 1):
		return nebula.Say(": it was not changed; there is space, but no inodes are left for another file: remove some files and try again")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, errQuota):
		return nebula.Say(": it was not changed; make room on the disk and try again")
	case errors.Is(err, syscall.EROFS):
		return nebula.Say(": it was not changed; the folder is on a file system that cannot be written")
	case errors.Is(err, fs.ErrPermission):
		return nebula.Say(": nebula may do here only what the person who started it may")
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return nebula.Say(": too many open files; close some programs or raise the limit (ulimit -n)")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return nebula.Say(": use a shorter name")
	}
	return nebula.Words{}
}
