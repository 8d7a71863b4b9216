package workspace

import "golang.org/x/sys/unix"

// exchange swaps two files in one step. It reports false where the file system cannot.
func (h *handle) exchange(a, b string) (bool, error) {
	return h.renameWith(a, b, unix.RENAME_EXCHANGE)
}

// renameNew renames a file to a name that nothing has. It reports false where the file system cannot.
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
