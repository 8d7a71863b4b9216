package workspace

import (
	"path/filepath"
	"time"

	"nebula/internal/steer"
)

// notices are what of the names in folders matters to whoever looks for pins, by path.
type notices map[string]*notice

// A notice is of one folder: it holds for as long as the folder is as it was, and the names in it need not be read again.
type notice struct {
	mark   mark
	filled bool
	seen   int64 // when the names were read; 0 where that tells nothing later
	count  int

	held    []holding
	secrets []string // files that hold secrets, as their names say
	sockets []string
	below   []string // folders
	bare    bool     // it is a repository itself
	rules   bool     // it has a .nebulaignore
}

// A holding is a name that is held, and what kind of thing has it.
type holding struct {
	name string
	kind byte
}

// notice reads the names in a folder, where they can be others than they were.
func (w *pinning) notice(p peek, at string, self mark, filled bool) *notice {
	n := w.was[at]
	if n == nil || n.mark != self || n.filled != filled || !self.settled(n.seen) {
		n = w.read(p, at, self, filled)
	} else {
		w.left -= n.count
	}
	if n.seen != 0 {
		w.now[at] = n
	}
	return n
}

func (w *pinning) read(p peek, at string, self mark, filled bool) *notice {
	n := &notice{mark: self, filled: filled}
	base, parts, seen := filepath.Base(at), map[string]bool{}, time.Now().UnixNano()
	err := p.each(w.buf[:], func(raw []byte, kind byte) bool {
		name := string(raw)
		if kind == kindUnknown {
			m, _ := p.mark(name)
			kind = kindOf(m.mode)
		}
		if kind != kindFolder && !filled && tells((at + "/" + name)[len(w.d.real)+1:]) {
			n.secrets = append(n.secrets, name)
		}
		switch {
		case steer.Held(base, name, filled):
			n.held = append(n.held, holding{name, kind})
		case kind == kindSocket:
			n.sockets = append(n.sockets, name)
		case kind == kindFolder:
			n.below = append(n.below, name)
		}
		switch name {
		case "HEAD", "objects", "refs", "commondir", nebulaIgnore:
			parts[name] = true
		}
		n.count++
		w.left--
		return w.left > 0
	})
	n.bare = parts["HEAD"] && (parts["objects"] && parts["refs"] || parts["commondir"])
	n.rules = parts[nebulaIgnore]
	if err == nil && w.left > 0 && p.tells() {
		n.seen = seen
	}
	return n
}
