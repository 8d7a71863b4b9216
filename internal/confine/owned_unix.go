//go:build unix

package confine

import (
	"os"
	"syscall"
)

// owned reports whether a folder is one's own. In a box root has no more rights than the folder's owner gives: what
// belongs to another could not be changed.
func owned(folder string) bool {
	info, err := os.Stat(folder)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (os.Geteuid() != 0 || st.Uid == 0)
}
