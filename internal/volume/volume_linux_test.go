package volume

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A file system without room for another file is told from one without space.
func TestCrowdedIsToldFromFull(t *testing.T) {
	for name, c := range map[string]struct {
		options string
		want    bool
	}{"files": {"size=8m,nr_inodes=8", true}, "space": {"size=64k,nr_inodes=1000", false}} {
		dir := t.TempDir()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, c.options); err != nil {
			t.Skip("needs a file system of its own")
		}
		t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
		if Crowded(dir, 1) || !Crowded(dir, 1001) {
			t.Errorf("%s: before", name)
		}
		for n := range 100 {
			if os.WriteFile(filepath.Join(dir, fmt.Sprint(n)), make([]byte, 4096), 0o600) != nil {
				break
			}
		}
		if got := Crowded(filepath.Join(dir, "none", "there"), 1); got != c.want {
			t.Errorf("%s: crowded %v", name, got)
		}
	}
}
