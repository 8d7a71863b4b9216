package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/confine"
)

// boxes say what the commands of a folder run in.
type boxes struct {
	on    bool
	place confine.Place
	tried func() bool // whether the system gives boxes
}

// Confine has commands run in a box, made for a place; its folder is this one's. Whether the system gives boxes is tried
// before the first command: when it does not, commands run in none, and [Exit] says so; when it does, a command that
// cannot be confined is not started. Commands run below a guard, see [Dir.Guarded].
func (d *Dir) Confine(p confine.Place, probe func() (confine.Held, error)) bool {
	p.Folder = d.Path()
	for _, o := range d.more {
		p.Further = append(p.Further, o.Path())
	}
	if p.Shared == "" {
		if dir, err := os.MkdirTemp("", "nebula-tmp-"); err == nil {
			p.Shared, _ = filepath.EvalSymlinks(dir)
		}
	}
	if _, ok := confine.For(p); !ok {
		return false
	}
	d.boxes = boxes{on: true, place: p, tried: sync.OnceValue(func() bool {
		_, err := probe()
		return err == nil
	})}
	d.guards.prepareBoxes()
	return true
}

// closeBoxes takes away what commands left each other.
func (d *Dir) closeBoxes() {
	if d.boxes.on && d.boxes.place.Shared != "" {
		_ = os.RemoveAll(d.boxes.place.Shared)
	}
}

// Confines reports whether commands run in a box.
func (d *Dir) Confines() bool { return d.boxes.on }

// box is what a command runs in, and what is not to be there when it has ended; nil for none.
func (d *Dir) box(c Command) (*confine.Box, []string) {
	if !d.boxes.on || c.Outside || !d.boxes.tried() {
		return nil, nil
	}
	p := d.boxes.place
	p.Repository = c.Repository
	b, ok := confine.For(p)
	if !ok {
		return nil, nil
	}
	var missing []string
	for _, path := range b.ReadOnly {
		name, err := filepath.Rel(b.Folder, path)
		if err != nil {
			continue
		}
		first, _, below := strings.Cut(name, "/")
		if below && d.vacant(first) {
			continue // it is made with all that is in it
		}
		if d.vacant(name) {
			missing = append(missing, name)
		}
	}
	return &b, missing
}

// vacant reports whether nothing is at a path of the folder that could be kept as it is.
func (d *Dir) vacant(name string) bool {
	info, err := os.Lstat(filepath.Join(d.Path(), name))
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink != 0
}

// unmake takes away what stands where nothing was. Nothing of the command runs any more.
func (d *Dir) unmake(names []string) (removed []string, err error) {
	for _, name := range slices.Compact(names) {
		info, odd := d.root.Lstat(name)
		if odd != nil || info.Mode()&fs.ModeSymlink != 0 {
			continue
		}
		removed = append(removed, name)
		if failed := d.root.RemoveAll(name); failed != nil {
			err = errors.Join(err, nebula.Errorf("%s was made by a command, which may not make it, and cannot be taken away: %w", name, reason(failed)))
		}
	}
	return removed, err
}
