package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"nebula/internal/confine"
)

// Forget takes the view away, and where the command could leave something for those after it: they find an empty /tmp, and where it
// changed anything in the private layers of the caches, those are empty as well. What it did there could be told by what is missing, by rights and
// by times as much as by contents, so nothing of it is looked through for what was there before.
func (e *Effects) Forget() {
	e.dir.freshTmp()
	if changed := func(l confine.Layer) bool { return changedSince(l.Upper, e.v.view.Since) }; slices.ContainsFunc(e.v.layers, changed) {
		for _, l := range e.v.layers {
			emptied(l)
		}
	}
	e.Drop()
}

// changedSince reports whether something in a folder was changed at a moment or later, or cannot be looked at.
func changedSince(dir string, ctime int64) bool {
	return dir != "" && filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil && os.IsNotExist(err) {
			return nil
		}
		st, failed := lstatPath(path)
		if err != nil || failed != nil || st.mark().ctime >= ctime {
			return fs.ErrExist // the first is enough
		}
		return nil
	}) != nil
}

// emptied empties a layer, unless another command has it: then the one that is forgotten had none that lasts. It has its own as long as
// the kernel takes to end its box.
func emptied(l confine.Layer) {
	if l.Upper == "" {
		return
	}
	f, err := os.OpenFile(l.Lock(), os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	held, err := hold(f)
	for until := time.Now().Add(hopeless); err == nil && !held && time.Now().Before(until); held, err = hold(f) {
		time.Sleep(5 * time.Millisecond)
	}
	if err == nil && held {
		_, _ = swept(l.Upper), swept(l.Work) // what stays is swept with the next
	}
}
