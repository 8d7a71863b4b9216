package workspace

import (
	"os"
	"path/filepath"
	"strings"

	"nebula/internal/lists"
)

// scratch is the folder that stands at /tmp for the commands of a session. Who made it holds it while they live, so one
// that nobody holds was left by a nebula that was killed.
type scratch struct {
	path string
	held *os.File
	lent bool // to what goes on without this nebula
}

// scratches are those of a session: the one that stands there now, and those that something that runs has there yet.
type scratches struct {
	now scratch
	old []scratch
}

// tmp is the folder that stands at /tmp for the next command; "" where it has one of its own.
func (d *Dir) tmp() (path string) {
	d.boxes.tmp.with(func(t *scratches) { path = t.now.path })
	return path
}

// freshTmp puts an empty folder at /tmp for the commands after those that run. What is told by whether a file is gone from there, by its
// rights or its time, is gone with it.
func (d *Dir) freshTmp() {
	alone := running() == 0
	d.boxes.tmp.with(func(t *scratches) {
		if t.now.held == nil {
			return
		}
		if t.old = append(t.old, t.now); alone {
			for _, s := range t.old {
				s.leave()
			}
			t.old = nil
		}
		t.now = newScratch()
	})
}

// lend has the folder that stands at /tmp for a box stay when this nebula ends.
func (d *Dir) lend(path string) (held *os.File) {
	if !d.boxes.on {
		return nil
	}
	d.boxes.tmp.with(func(t *scratches) {
		for _, s := range append(lists.Clone(t.old), t.now) {
			if s.path == path && s.held != nil {
				held = s.held
			}
		}
		for i := range t.old {
			t.old[i].lent = t.old[i].lent || t.old[i].path == path
		}
		t.now.lent = t.now.lent || t.now.path == path
	})
	return held
}

// closeTmp takes all of them away, and those of nebulas that were killed.
func (d *Dir) closeTmp() {
	if !d.boxes.on {
		return
	}
	d.boxes.tmp.with(func(t *scratches) {
		for _, s := range t.old {
			s.leave()
		}
		t.now.close()
	})
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
	s.leave()
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

// leave takes it away, unless it is lent.
func (s scratch) leave() {
	if s.lent {
		_ = s.held.Close()
		return
	}
	s.remove()
}

// remove takes it away with all that is in it.
func (s scratch) remove() {
	_ = swept(s.path)
	_ = s.held.Close()
}

// swept takes a folder away with all that is in it.
func swept(path string) error {
	_ = filepath.WalkDir(path, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(path, 0o700) // what is in a folder that may not be changed could not be taken out
		}
		return nil
	})
	return os.RemoveAll(path)
}
