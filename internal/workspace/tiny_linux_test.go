package workspace

import (
	"testing"

	"golang.org/x/sys/unix"
)

// tiny puts a file system of one megabyte at a folder, where that is allowed.
func tiny(t *testing.T, dir string) bool {
	if unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m,nr_inodes=2000") != nil {
		return false
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return true
}

func readOnly(t *testing.T, dir string) {
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
}
