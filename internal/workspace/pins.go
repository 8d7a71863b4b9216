package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"nebula/internal/confine"
	"nebula/internal/lists"
	"nebula/internal/steer"
)

// A pin is something in the folders that steers other programs, see [steer.Held]: a command changes none of it. What is
// there when a command begins cannot be changed; what is new when it has ended is put aside.
type pin struct {
	path string // absolute
	at   spike
	kind pinKind
	via  spike // the link that leads to it
}

// A spike is where something stands: a folder, whatever its path is by now, and a name in it. What is mounted there moves
// with the folder and stays in it, so what stands there later is what stood there before.
type spike struct {
	dev, ino uint64
	name     string
}

type pinKind int

const (
	named pinKind = iota // a file or a folder
	led                  // what a link leads to
	link                 // such a link
	repo                 // a .git folder
	bare                 // a folder that is a repository itself
	socket
	veil    // what .nebulaignore names
	lasting // what may be written and not taken away
)

// Kinds of directory entries, see getdents(2).
const (
	kindUnknown = 0
	kindFolder  = 4
	kindLink    = 10
	kindSocket  = 12
)

// pins are those of the folder and of the folders that were added to it, and what there holds secrets.
//
//go:noinline
func (d *Dir) pins() (all []pin, secrets []string) { return d.pinsBy(true) }

// pinsBy are the same, by all of their names or by those alone that tell it.
func (d *Dir) pinsBy(twins bool) (all []pin, secrets []string) {
	for _, o := range append([]*Dir{d}, d.more...) {
		w := pinning{d: o, left: maxSeen, now: notices{}}
		if was := o.noticed.Load(); was != nil {
			w.was = *was
		}
		p, err := o.top.peek()
		if err != nil {
			continue // it is gone: the command does not begin either
		}
		w.folder(p, o.real, 0, false, nil)
		p.close()
		o.noticed.Store(&w.now)
		all, secrets = append(all, w.found...), append(secrets, w.secrets...)
		if twins && len(w.twins)+len(w.kin) > 0 {
			w.found, w.secrets, w.left = nil, nil, maxSeen
			if p, err := o.top.peek(); err == nil {
				w.others(p, o.real, 0)
				p.close()
			}
			all = append(all, w.found...)
			for _, file := range w.secrets {
				if !lists.Has(secrets, file) {
					secrets = append(secrets, file)
				}
			}
		}
	}
	return all, secrets
}

// pinning is one walk.
type pinning struct {
	d        *Dir
	was, now notices
	found    []pin
	left     int             // how many names are looked at
	twins    map[uint64]bool // files that are pinned and have further names
	buf      [listed]byte

	secrets []string        // files that hold secrets, see [steer.Secret]
	kin     map[uint64]bool // those that have further names
}

// folder looks at a folder, below the rules of those above. In a filled one only repositories count.
func (w *pinning) folder(p peek, at string, depth int, filled bool, above *level) {
	self, err := p.mark(".")
	if err != nil || depth > maxDepth {
		return
	}
	n := w.notice(p, at, self, filled)
	for _, name := range n.secrets[:min(len(n.secrets), max(maxSecretFiles-len(w.secrets), 0))] {
		w.secrets = append(w.secrets, at+"/"+name)
		if m, err := p.mark(name); err == nil {
			noteTwin(&w.kin, m)
		}
	}
	for _, h := range n.held {
		w.hold(p, at, spike{self.dev, self.ino, h.name}, h.kind)
	}
	for _, name := range n.sockets {
		w.found = append(w.found, pin{path: at + "/" + name, kind: socket})
	}
	if n.bare {
		w.found = append(w.found, pin{path: at, at: spike{self.dev, self.ino, "HEAD"}, kind: bare})
	}
	if n.rules {
		above = w.rules(at, above)
	}
	veiled := w.veiled(p, at, above)
	for _, name := range n.below {
		full := at + "/" + name
		if w.left <= 0 || w.d.owns(full) || lists.Has(veiled, name) {
			continue
		}
		if sub, err := p.sub(name); err == nil {
			w.folder(sub, full, depth+1, filled || steer.Filled(name), above)
			sub.close()
		}
	}
}

// rules are those of a folder's .nebulaignore, with those from above.
func (w *pinning) rules(at string, above *level) *level {
	data, err := os.ReadFile(at + "/" + nebulaIgnore)
	if err != nil || len(data) > maxIgnoreFile {
		return above
	}
	return &level{up: above, base: len(at+"/") - len(w.d.real+"/"), own: rules(data)}
}

// veiled takes in what of a folder .nebulaignore hides.
func (w *pinning) veiled(p peek, at string, by *level) (names []string) {
	if by == nil {
		return nil
	}
	_ = p.each(w.buf[:], func(raw []byte, kind byte) bool {
		name := string(raw)
		if kind == kindUnknown {
			m, _ := p.mark(name)
			kind = kindOf(m.mode)
		}
		full := at + "/" + name
		if name != nebulaIgnore && name != ".git" && by.ignores(full[len(w.d.real)+1:], kind == kindFolder) {
			w.found = append(w.found, pin{path: full, at: spike{name: full}, kind: veil})
			names = append(names, name)
		}
		return true
	})
	return names
}

// owns reports whether a folder is nebula's own, which no command sees.
func (d *Dir) owns(full string) bool {
	for _, o := range d.own {
		if o.path == full {
			return true
		}
	}
	return false
}

//go:noinline
func kindOf(m fs.FileMode) byte {
	switch {
	case m.IsDir():
		return kindFolder
	case m&fs.ModeSymlink != 0:
		return kindLink
	case m&fs.ModeSocket != 0:
		return kindSocket
	}
	return kindUnknown
}

// hold takes in what has a name that is held.
func (w *pinning) hold(p peek, at string, s spike, kind byte) {
	found := pin{path: at + "/" + s.name, at: s}
	switch {
	case kind == kindLink:
		found.kind = link
		w.led(found)
	case kind == kindFolder && s.name == ".git":
		found.kind = repo
		w.secrets = append(w.secrets, found.path+"/config")
		if config, err := statPath(found.path + "/config"); err == nil {
			noteTwin(&w.twins, config.mark())
		}
	case kind != kindFolder:
		if m, err := p.mark(s.name); err == nil {
			noteTwin(&w.twins, m)
		}
	}
	w.found = append(w.found, found)
}

// noteTwin notes a file that has further names.
//
//go:noinline
func noteTwin(files *map[uint64]bool, m mark) {
	if m.links < 2 || !m.mode.IsRegular() {
		return
	}
	if *files == nil {
		*files = map[uint64]bool{}
	}
	(*files)[m.ino] = true
}

// led takes in what a link leads to in the folder.
func (w *pinning) led(from pin) {
	real, err := filepath.EvalSymlinks(from.path)
	if err != nil || !strings.HasPrefix(real, w.d.real+"/") || strings.HasPrefix(from.path, real+"/") {
		return
	}
	if st, err := statPath(filepath.Dir(real)); err == nil {
		m := st.mark()
		w.found = append(w.found, pin{path: real, at: spike{m.dev, m.ino, filepath.Base(real)}, kind: led, via: from.at})
	}
}

// others takes in the further names of files that are pinned or hold secrets.
func (w *pinning) others(p peek, at string, depth int) {
	self, err := p.mark(".")
	if err != nil || depth > maxDepth {
		return
	}
	var below []string
	_ = p.each(w.buf[:], func(raw []byte, _ byte) bool {
		name := string(raw)
		m, err := p.mark(name)
		switch {
		case err != nil:
		case m.mode.IsDir() && name != ".git":
			below = append(below, name)
		case m.mode.IsRegular() && m.links > 1 && w.twins[m.ino]:
			w.found = append(w.found, pin{path: at + "/" + name, at: spike{self.dev, self.ino, name}, kind: led})
		case m.mode.IsRegular() && m.links > 1 && w.kin[m.ino] && len(w.secrets) < maxSecretFiles:
			w.secrets = append(w.secrets, at+"/"+name)
		}
		w.left--
		return w.left > 0
	})
	for _, name := range below {
		if sub, err := p.sub(name); err == nil && w.left > 0 {
			w.others(sub, at+"/"+name, depth+1)
			sub.close()
		}
	}
}

// pinned gives what a box is made for its pins.
func pinned(p confine.Place, pins []pin) confine.Place {
	listening := confine.Sockets()
	for _, n := range pins {
		switch n.kind {
		case named, led:
			p.Pins = append(p.Pins, n.path)
		case lasting:
			p.Stays = append(p.Stays, n.path)
		case repo:
			p.Trees = append(p.Trees, n.path)
		case bare:
			p.Bare = append(p.Bare, n.path)
		case veil:
			p.Hidden = append(p.Hidden, n.path)
		case socket:
			if listening[filepath.Base(n.path)] {
				p.Sockets = append(p.Sockets, n.path)
			}
		}
	}
	return p
}
