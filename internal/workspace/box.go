package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/confine"
)

// boxes say what the commands of a folder run in.
type boxes struct {
	on    bool
	place confine.Place
	tried func() bool // whether the system gives boxes; what commands share is there then
	tmp   scratch
}

// Confine has commands run in a box, made for a place; its folder is this one's. Whether the system gives boxes is tried
// before the first command: when it does not, commands run in none, and [Exit] says so; when it does, a command that
// cannot be confined is not started. Commands run below a guard, see [Dir.Guarded].
func (d *Dir) Confine(p confine.Place, probe func() (confine.Held, error)) bool {
	p.Folder = d.Path()
	for _, o := range d.more {
		p.Further = append(p.Further, o.Path())
	}
	if _, ok := confine.For(p); !ok {
		return false
	}
	d.boxes = boxes{on: true, place: p, tried: sync.OnceValue(func() bool {
		_, err := probe()
		if err == nil {
			d.boxes.tmp = newScratch()
		}
		return err == nil
	})}
	d.guards.prepareBoxes()
	return true
}

// Confines reports whether commands run in a box.
func (d *Dir) Confines() bool { return d.boxes.on }

// A gap is a place where nothing is, and nothing is to be made.
type gap struct {
	base string // a folder that a command cannot move away
	name string
}

// box is what a command runs in, and what is not to be there when it has ended; nil for none.
func (d *Dir) box(c Command) (*confine.Box, []gap) {
	if !d.boxes.on || c.Outside || !d.boxes.tried() {
		return nil, nil
	}
	p := d.boxes.place
	p.Repository, p.Shared = c.Repository, d.boxes.tmp.path
	b, ok := confine.For(p)
	if !ok {
		return nil, nil
	}
	var gaps []gap
	for _, path := range b.ReadOnly {
		if g := gapAt(path, append([]string{b.Folder}, b.Write...)); g.vacant() {
			gaps = append(gaps, g)
		}
	}
	return &b, gaps
}

// gapAt is a path below the nearest of the folders that it is in.
func gapAt(path string, bases []string) (g gap) {
	for _, base := range bases {
		if name, below := strings.CutPrefix(path, base+"/"); below && len(base) > len(g.base) {
			g = gap{base, name}
		}
	}
	return g
}

// vacant reports whether nothing is there that could be kept as it is.
func (g gap) vacant() bool {
	info, err := os.Lstat(filepath.Join(g.base, g.name))
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink != 0
}

// unmake takes away what stands where nothing was. Nothing of the command runs any more.
func (d *Dir) unmake(gaps []gap) (removed []string, err error) {
	for _, g := range gaps {
		if g.vacant() {
			continue
		}
		name := filepath.Join(g.base, g.name)
		if below, inside := strings.CutPrefix(name, d.real+"/"); inside {
			name = below
		}
		removed = append(removed, name)
		if failed := g.clear(); failed != nil {
			err = errors.Join(err, nebula.Errorf("%s was made by a command, which may not make it, and cannot be taken away: %w", name, reason(failed)))
		}
	}
	return removed, err
}

func (g gap) clear() error {
	root, err := os.OpenRoot(g.base)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.RemoveAll(g.name)
}
