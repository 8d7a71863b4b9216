//go:build linux || darwin

package volume

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

func crowded(path string, need int) bool {
	var st syscall.Statfs_t
	err := syscall.Statfs(path, &st)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path {
		path = filepath.Dir(path)
		err = syscall.Statfs(path, &st)
	}
	return err == nil && st.Files > 0 && st.Ffree < uint64(need) && st.Bavail > 0 // some file systems count no files
}
