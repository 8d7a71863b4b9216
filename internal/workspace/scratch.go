package workspace

import (
	"os"
	"path/filepath"
	"strings"
)

// scratch is the folder that stands at /tmp for the commands of a session. Who made it holds it while they live, so one
// that nobody holds was left by a nebula that was killed.
type scratch struct {
	path string
	held *os.File
	lent bool // to what goes on without this nebula
}

const scratchPrefix = "nebula-tmp-"

// newScratch makes one; its path is "" where none can be made, and every command has a folder of its own.
func newScratch() scratch {
	for range 3 { // who takes away what is left may come between
		path, err := os.MkdirTemp("", scratchPrefix)
		if err != nil {
			break
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			break
		}
		if s, ok := holdScratch(path); ok {
			return s
		}
	}
	return scratch{}
}

// holdScratch takes a folder for this nebula, if it is there and nobody has it.
func holdScratch(path string) (scratch, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return scratch{}, false
	}
	f, err := os.Open(path)
	if err != nil {
		return scratch{}, false
	}
	held, err := hold(f)
	opened, _ := f.Stat()
	if now, gone := os.Lstat(path); err == nil && held && gone == nil && os.SameFile(opened, now) {
		return scratch{path: path, held: f}, true
	}
	_ = f.Close()
	return scratch{}, false
}

// close takes it away, and those of nebulas that were killed.
func (s scratch) close() {
	if s.held == nil {
		return
	}
	if s.lent {
		_ = s.held.Close()
	} else {
		s.remove()
	}
	list, _ := os.ReadDir(filepath.Dir(s.path))
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), scratchPrefix) {
			continue
		}
		if left, ok := holdScratch(filepath.Join(filepath.Dir(s.path), e.Name())); ok {
			left.remove()
		}
	}
}

// remove takes it away with all that is in it.
func (s scratch) remove() {
	_ = filepath.WalkDir(s.path, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(path, 0o700) // what is in a folder that may not be changed could not be taken out
		}
		return nil
	})
	_ = os.RemoveAll(s.path)
	_ = s.held.Close()
}
