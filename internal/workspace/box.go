package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"nebula/internal/confine"
	"nebula/internal/lists"
)

// boxes say what the commands of a folder run in.
type boxes struct {
	on    bool
	place confine.Place
	tried func() bool // whether the system gives boxes; what commands share is there then
	lost  atomic.Bool // it did, and has refused a layer since
	tmp   handed[scratches]

	viewable func() error // whether there are views of the folder
	expected func() bool  // what is said of it before that is tried
}

// Confine has commands run in a box, made for a place; its folder is this one's. Whether the system gives boxes is tried
// before the first command: when it does not, commands run in none, and [Exit] says so; when it does, a command that
// cannot be confined is not started; where that is because the system refused a layer, those after it run in none. Commands run below a guard, see [Dir.Guarded].
func (d *Dir) Confine(p confine.Place, probe func() (confine.Held, error)) bool {
	p.Folder = d.Path()
	for _, o := range d.more {
		p.Further = append(p.Further, o.Path())
	}
	if _, ok := confine.For(p); !ok {
		return false
	}
	given := sync.OnceValue(func() bool {
		_, err := probe()
		if err == nil {
			d.boxes.tmp.with(func(t *scratches) { t.now = newScratch() })
		}
		return err == nil
	})
	d.boxes = boxes{on: true, place: p, tmp: hand(scratches{}), tried: func() bool { return given() && !d.boxes.lost.Load() }, viewable: sync.OnceValue(d.tryView), expected: sync.OnceValue(d.expectView)}
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

// A before is what a command found that it may not change.
type before struct {
	pins   map[spike]string // their paths
	known  map[string]bool  // repositories
	gaps   []gap
	runs   map[string][]string // what repositories that were stopped go on with, see [confine.Stopped]
	since  int                 // changes that went through the folder's Dir before it
	git    bool                // it may change repositories
	kept   map[string]bool     // what was kept of its effects, where it ran on a view
	barred []pin               // see [Command].Barred
	unread []string            // see [Command].Unread
}

// box is what a command runs in below some pins, and what to compare with when it has ended; nil for none.
func (d *Dir) box(c Command, pins []pin) (*confine.Box, *before) {
	if !d.boxes.on || c.Outside || !d.boxes.tried() {
		return nil, nil
	}
	barred := d.barred(c)
	p := pinned(d.boxes.place, lists.Concat(pins, barred))
	p.Repository, p.Shared, p.Programs = c.Repository, d.tmp(), c.Programs
	p.Hosts = lists.Concat(p.Hosts, c.Needs.Hosts)
	p.Write, p.Read = c.Needs.Write, c.Needs.Read
	b, ok := confine.For(p)
	if !ok {
		return nil, nil
	}
	was := &before{pins: map[spike]string{}, known: map[string]bool{}, runs: map[string][]string{}, since: d.changes(), git: c.Repository, barred: barred, unread: d.unread(c)}
	b.Hide = append(slices.Clip(b.Hide), was.unread...)
	paths := b.ReadOnly
	for _, n := range pins {
		was.pins[n.at] = n.path
		if n.kind == link {
			paths = append(paths[:len(paths):len(paths)], n.path)
		}
	}
	for _, path := range append(b.Write, b.Read...) {
		was.known[path] = true
		for _, name := range confine.Stopped {
			was.runs[filepath.Join(path, name)] = confine.Runs(filepath.Join(path, name))
		}
	}
	for _, path := range p.Trees {
		was.known[path] = true
	}
	bases := append([]string{b.Folder}, b.Write...)
	for _, path := range paths {
		g := gapAt(path, bases)
		var gone bool
		if g.link, gone = g.stands(); gone || g.link != "" {
			was.gaps = append(was.gaps, g)
		}
	}
	return &b, was
}

// gapAt is a path below the nearest of the folders that it is in.
//
//go:noinline
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

// Box is what holds a program that is no command of the folder's but may change it, beside what is needed; false where
// none can be had. What it may not change is as of now.
func (d *Dir) Box(n Needs) (confine.Box, bool) {
	pins, _ := d.pins()
	b, _ := d.box(Command{Needs: n}, pins)
	if b == nil {
		return confine.Box{}, false
	}
	return *b, true
}
