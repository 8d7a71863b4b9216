package workspace

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"nebula"
	"nebula/internal/steer"
)

// maxBarred bounds how many places a box keeps as they are because the person forbids changing them: each costs a command some 20 µs.
const maxBarred = 2000

// barred are the places of the folder that a command is not to change though it runs in the folder itself: files, and folders of which
// everything is forbidden, also what is not there yet. What is beyond the bound is told when the command has ended.
func (d *Dir) barred(c Command) []pin {
	if c.Barred == nil || c.View || c.Outside || !d.boxes.on {
		return nil
	}
	var all []pin
	linked := map[spike]bool{}
	for _, o := range append([]*Dir{d}, d.more...) {
		w := &barring{d: o, forbids: c.Barred, git: c.Repository, rules: &ignoring{dir: o, at: map[string]area{}}, linked: linked}
		w.folder(".", 0)
		all = append(all, w.found...)
	}
	if len(linked) > 0 {
		w := &barring{d: d, found: all, linked: linked}
		for _, o := range append([]*Dir{d}, d.more...) {
			w.links(o.real, 0)
		}
		for _, at := range c.Needs.Write {
			w.links(at, 0)
		}
		all = w.found
	}
	return all[:min(len(all), maxBarred)]
}

// barring is one walk.
type barring struct {
	d       *Dir
	forbids func(nebula.Target) bool
	git     bool // it may change the repository, which replaces files by taking them away first
	rules   *ignoring
	found   []pin
	linked  map[spike]bool // the forbidden files that have more than one name
}

// folder takes in what of a folder is forbidden, and reports whether that is all of it.
func (w *barring) folder(rel string, depth int) bool {
	at := filepath.Join(w.d.real, rel)
	entries, err := os.ReadDir(at)
	if err != nil || depth > maxDepth || len(w.found) > maxBarred {
		return false
	}
	in, already := w.rules.under(rel), len(w.found)
	all := !in.all && !in.made && w.forbids(nebula.Target{Path: w.d.name(path.Join(rel, anyName)), Kind: "create"})
	for _, e := range entries {
		name := path.Join(rel, e.Name())
		switch {
		case e.Name() == ".git", w.d.owns(filepath.Join(w.d.real, name)):
			all = false
		case e.IsDir():
			all = !steer.Filled(e.Name()) && w.folder(name, depth+1) && all
		case !e.Type().IsRegular():
		case w.forbids(nebula.Target{Path: w.d.name(name), Kind: "edit", Ignored: in.all || in.made || generated(e.Name()) || in.rules.ignores(name, false)}):
			w.take(filepath.Join(at, e.Name()))
		case !w.git && w.forbids(nebula.Target{Path: w.d.name(name), Kind: "delete", Ignored: in.made || generated(e.Name())}):
			w.found = append(w.found, pin{path: filepath.Join(at, e.Name()), kind: lasting})
			all = false
		default:
			all = false
		}
	}
	if all && rel != "." {
		w.found = w.found[:already]
		w.take(at)
	}
	return all
}

func (w *barring) take(file string) {
	st, err := statPath(filepath.Dir(file))
	if err != nil {
		return
	}
	m, found := st.mark(), pin{path: file}
	found.at = spike{m.dev, m.ino, filepath.Base(file)}
	switch self, err := lstatPath(found.path); {
	case err != nil:
		found.kind = led
	case self.links > 1 && self.mode.IsRegular():
		found.kind = led // it can be written by another name
		w.linked[inode(self)] = true
	}
	w.found = append(w.found, found)
}

// links takes in the further names, wherever they stand in a place, of the files that are forbidden by one.
func (w *barring) links(at string, depth int) {
	self, err := lstatPath(at)
	taken := func() bool { return slices.ContainsFunc(w.found, func(n pin) bool { return n.path == at }) }
	switch {
	case err != nil || depth > maxDepth || len(w.found) > maxBarred || w.d.owns(at):
	case self.mode.IsRegular() && self.links > 1 && w.linked[inode(self)] && !taken():
		w.take(at)
	case self.mode.IsDir() && !taken():
		entries, _ := os.ReadDir(at) // what cannot be read the command cannot reach either
		for _, e := range entries {
			w.links(filepath.Join(at, e.Name()), depth+1)
		}
	}
}

// inode is what a file is, by whatever name.
//
//go:noinline
func inode(s stat) spike {
	m := s.mark()
	return spike{dev: m.dev, ino: m.ino}
}

// unmoved are the paths of pins that are still where they were: nothing below the box could change what stands there.
func unmoved(pins []pin) (paths []string) {
	for _, n := range pins {
		if st, err := statPath(filepath.Dir(n.path)); err == nil {
			if m := st.mark(); n.kind == named && m.dev == n.at.dev && m.ino == n.at.ino {
				paths = append(paths, n.path)
			}
		}
	}
	return paths
}
