package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

// below opens a directory some way below this one, through no link, in one step; nil where it cannot be.
func (h *handle) below(path string) *handle {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat2(h.fd(), path, &unix.OpenHow{
			Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
			Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
		})
		return err
	})
	if err != nil {
		return nil // what it is that keeps it is found out step by step
	}
	return &handle{f: os.NewFile(uintptr(fd), path)}
}

// exchange swaps two files in one step. It reports false where the file system cannot.
//
//go:noinline
func (h *handle) exchange(a, b string) (bool, error) {
	return h.renameWith(a, b, unix.RENAME_EXCHANGE)
}

// renameNew renames a file to a name that nothing has. It reports false where the file system cannot.
//
//go:noinline
func (h *handle) renameNew(a, b string) (bool, error) {
	return h.renameWith(a, b, unix.RENAME_NOREPLACE)
}

func (h *handle) renameWith(a, b string, flags uint) (bool, error) {
	err := again(func() error { return unix.Renameat2(h.fd(), a, h.fd(), b, flags) })
	switch err {
	case nil:
		return true, nil
	case unix.ENOSYS, unix.EINVAL, unix.ENOTSUP:
		return false, nil
	}
	return false, err
}
