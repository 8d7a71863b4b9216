package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A spot is where a path leads: a name in a directory that is open. The directory cannot be swapped any more.
type spot struct {
	dir  *handle
	name string   // "." for the folder itself
	path string   // relative to the folder, no link in it but perhaps the last name
	rest []string // what follows name where name does not exist: directories that are missing
	stat stat     // zero when there is nothing
}

//go:noinline
func (s spot) close() { s.dir.close() }

// maxLinks is how many links one path may lead through, as in Linux.
const maxLinks = 40

// find looks a clean path up. Links are followed, the last one only when follow is set.
func (d *Dir) find(rel string, follow bool) (spot, error) {
	todo := strings.Split(rel, "/")
	for range maxLinks {
		s, next, err := d.descend(rel, todo, follow)
		if err != nil || next == nil {
			return s, err
		}
		todo = next
	}
	return spot{}, nebula.Wrong("", "%q leads through links in a circle.", rel)
}

// descend goes down from the top until the path ends or a link has to be followed: then it returns the path that the
// link makes of it.
func (d *Dir) descend(rel string, todo []string, follow bool) (s spot, next []string, err error) {
	h, err := d.top.sub(".")
	if err != nil {
		return spot{}, nil, d.fault(rel, err)
	}
	defer func() {
		if h != s.dir {
			h.close()
		}
	}()
	var done []string
	todo = lists.Drop(lists.Clone(todo), func(n string) bool { return n == "." || n == "" })
	if len(todo) == 0 {
		st, err := h.self()
		return spot{dir: h, name: ".", path: ".", stat: st}, nil, err
	}
	for {
		name := todo[0]
		if name == ".." {
			if len(done) == 0 {
				return spot{}, nil, d.outside(rel)
			}
			return spot{}, append(done[:len(done)-1], todo[1:]...), nil
		}
		name, st, err := h.entry(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return spot{}, nil, d.fault(rel, err)
		}
		here := path.Join(append(lists.Clone(done), name)...)
		last := len(todo) == 1
		switch {
		case d.mine(here, st):
			return spot{}, nil, private(rel)
		case st.mode&fs.ModeSymlink != 0 && (follow || !last):
			next, err := d.through(rel, h, name, done, todo[1:])
			return spot{}, next, err
		case !st.exists() || last:
			return spot{dir: h, name: name, path: here, rest: todo[1:], stat: st}, nil, nil
		case !st.mode.IsDir():
			return spot{}, nil, nebula.Wrong("", "%q is not there: %q is not a directory.", rel, here)
		}
		sub, err := h.sub(name)
		if err != nil {
			return spot{}, nil, d.fault(rel, err)
		}
		h.close()
		h, done, todo = sub, append(done, name), todo[1:]
	}
}

// through is the path that a link makes of what follows it.
func (d *Dir) through(rel string, h *handle, name string, done, rest []string) ([]string, error) {
	target, err := h.readlink(name)
	if err != nil {
		return nil, d.fault(rel, err)
	}
	to := filepath.ToSlash(target)
	if filepath.IsAbs(target) || strings.HasPrefix(to, "/") {
		in, ok := d.inside(target)
		if !ok {
			return nil, leadsOut(rel, target)
		}
		done, to = nil, in
	}
	next := lists.Concat(done, strings.Split(to, "/"), rest)
	depth := 0
	for _, n := range next {
		switch n {
		case "", ".":
		case "..":
			depth--
		default:
			depth++
		}
		if depth < 0 {
			return nil, leadsOut(rel, target)
		}
	}
	return next, nil
}

//go:noinline
func leadsOut(rel, target string) error {
	return nebula.Wrong("Only files inside can be used.", "%q is reached through a link to %q, which lies outside the folder.", rel, target)
}

// mine reports whether a file is one of nebula's own, however it was reached.
func (d *Dir) mine(rel string, st stat) bool {
	for _, o := range d.own {
		if st.same(o.stat) {
			return true
		}
	}
	return d.owned(rel)
}

//go:noinline
func private(rel string) error {
	return nebula.Wrong("", "%q belongs to nebula itself and stays as it is.", rel)
}

// entry finds a name in the directory. A name in another Unicode form (as macOS writes them) is found as well.
func (h *handle) entry(name string) (string, stat, error) {
	st, err := h.lstat(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || phrase.ASCII(name) {
		return name, st, err
	}
	all, listErr := h.names()
	if listErr != nil {
		return name, st, err
	}
	for _, e := range all {
		if sameForm(e.name, name) {
			if st, err := h.lstat(e.name); err == nil {
				return e.name, st, nil
			}
		}
	}
	return name, st, err
}
