package workspace

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/lists"
)

// putAside puts what came to stand where a command may make nothing beside its place, under a name that nobody runs or
// reads: the person, too, may have made it while the command ran. A link that was there is there again. Nothing of the
// command runs any more. untouched are the absolute paths of what is not the command's work, or is not to be undone as
// such: what it could not change, what was put aside, and repositories that came while it ran no git.
func (d *Dir) putAside(was *before) (aside, untouched []string, err error) {
	if was == nil {
		return nil, nil, nil
	}
	s := &settling{d: d, was: was, untouched: unmoved(was.barred)}
	for _, g := range was.gaps {
		link, gone := g.stands()
		if link != g.link || !gone && link == "" {
			s.move(g, gone)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(was.runs)) {
		for _, line := range confine.Runs(path) {
			if !lists.Has(was.runs[path], line) {
				s.away(path)
				break
			}
		}
	}
	now, _ := d.pins()
	for _, n := range now {
		path, old := was.pins[n.at]
		switch {
		case old && path == n.path:
			s.stayed(n)
		case !old && !d.ownWork(n.path, was):
			s.settle(n)
		}
	}
	return s.aside, s.untouched, s.err
}

// ownWork reports whether what is new came through the folder's own methods, which are granted.
func (d *Dir) ownWork(full string, was *before) bool {
	rel, err := d.Clean(full)
	if err != nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for p, m := range d.made {
		if m.number > was.since && !was.kept[p] && (p == rel || strings.HasPrefix(p, rel+"/")) {
			return true
		}
	}
	return false
}

// settling is what is done when a command has ended.
type settling struct {
	d         *Dir
	was       *before
	aside     []string
	untouched []string
	err       error
}

// stayed notes what the command could not change. What it moved with the folder around it does not count.
func (s *settling) stayed(n pin) {
	switch {
	case n.kind == bare, n.kind == repo && s.was.git:
		for _, name := range confine.Git {
			s.untouched = append(s.untouched, filepath.Join(n.path, filepath.FromSlash(name)))
		}
	case n.kind != link:
		s.untouched = append(s.untouched, n.path)
	}
}

// settle takes care of one thing that is new. A repository stays, without what git would run.
func (s *settling) settle(n pin) {
	switch n.kind {
	case led:
		if _, old := s.was.pins[n.via]; old { // else the link itself is put aside
			s.away(n.path)
		}
	case named, link:
		if shared, good := confine.Linked(n.path); s.was.git && n.at.name == ".git" && good && s.was.known[shared] {
			return
		}
		s.away(n.path)
	case repo:
		s.clean(n.path)
		if !s.was.git {
			s.untouched = append(s.untouched, n.path)
		}
	case bare:
		if s.was.git {
			s.clean(n.path)
		} else {
			s.away(filepath.Join(n.path, "HEAD"))
		}
	}
}

// clean takes out of a repository what git itself would not have made.
func (s *settling) clean(repository string) {
	for _, name := range confine.Git {
		if !confine.Harmless(repository, name) {
			s.away(filepath.Join(repository, filepath.FromSlash(name)))
		}
	}
	for _, name := range confine.Stopped {
		if path := filepath.Join(repository, filepath.FromSlash(name)); len(confine.Runs(path)) > 0 {
			s.away(path)
		}
	}
}

// away puts aside what stands at a path, if anything does.
func (s *settling) away(path string) {
	bases := []string{s.d.real}
	for _, o := range s.d.more {
		bases = append(bases, o.real)
	}
	for repository := range s.was.known {
		bases = append(bases, repository)
	}
	if _, err := os.Lstat(path); err == nil {
		s.move(gapAt(path, bases), false)
	}
}

func (s *settling) move(g gap, gone bool) {
	full := filepath.Join(g.base, g.name)
	name := full
	if below, inside := strings.CutPrefix(full, s.d.real+"/"); inside {
		name = below
	}
	suffix, err := g.close(gone)
	switch {
	case errors.Is(err, fs.ErrNotExist): // with the folder that it was in
	case err != nil:
		s.err = errors.Join(s.err, nebula.Errorf("%s was made by a command, which may not make it, and cannot be put aside: %w", name, reason(err)))
	case !gone:
		s.aside, s.untouched = append(s.aside, name+suffix), append(s.untouched, full+suffix)
	}
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
