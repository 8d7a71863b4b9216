package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
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

// A gap is a place that a box cannot keep as it is: nothing is there, or a link.
type gap struct {
	base string // a folder that a command cannot move away
	name string
	link string // where it led; "" when nothing was there
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
		g := gapAt(path, append([]string{b.Folder}, b.Write...))
		var gone bool
		if g.link, gone = g.stands(); gone || g.link != "" {
			gaps = append(gaps, g)
		}
	}
	return &b, gaps
}

// gapAt is a path below the nearest of the folders that it is in.
func gapAt(path string, bases []string) (g gap) {
	for _, base := range bases {
		if name, below := strings.CutPrefix(path, base+"/"); below && len(base) > len(g.base) {
			g = gap{base: base, name: name}
		}
	}
	return g
}

// stands tells where the link leads that is there, and whether nothing is.
func (g gap) stands() (link string, gone bool) {
	path := filepath.Join(g.base, g.name)
	link, err := os.Readlink(path)
	if err == nil {
		return link, false
	}
	_, err = os.Lstat(path)
	return "", errors.Is(err, fs.ErrNotExist)
}

// putAside puts what stands in gaps beside them, under a name that nobody runs or reads: the person, too, may have made it
// while the command ran. A link that was there is there again. Nothing of the command runs any more.
func (d *Dir) putAside(gaps []gap) (aside []string, err error) {
	for _, g := range gaps {
		link, gone := g.stands()
		if link == g.link && (gone || link != "") {
			continue
		}
		name := filepath.Join(g.base, g.name)
		if below, inside := strings.CutPrefix(name, d.real+"/"); inside {
			name = below
		}
		suffix, failed := g.close(gone)
		if !gone && failed == nil {
			aside = append(aside, name+suffix)
		}
		if failed != nil {
			err = errors.Join(err, nebula.Errorf("%s was made by a command, which may not make it, and cannot be put aside: %w", name, reason(failed)))
		}
	}
	return aside, err
}

// close has a gap be as it was.
func (g gap) close(gone bool) (suffix string, err error) {
	root, err := os.OpenRoot(g.base)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if !gone {
		suffix = asideSuffix
		for n := 1; ; n++ {
			if _, err := root.Lstat(g.name + suffix); errors.Is(err, fs.ErrNotExist) {
				break
			} else if err != nil {
				return "", err
			}
			suffix = asideSuffix + "." + strconv.Itoa(n)
		}
		if err := root.Rename(g.name, g.name+suffix); err != nil {
			return "", err
		}
	}
	if g.link != "" {
		return suffix, root.Symlink(g.link, g.name)
	}
	return suffix, nil
}
