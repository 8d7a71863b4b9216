package workspace

import (
	"path"
	"strings"

	"nebula"
)

// Ignored tells of each of the changes whether nobody looks at its lines: the rules of the folder as it is leave the file out,
// or nothing but a tool writes what is called so.
func (e *Effects) Ignored() []bool {
	g := &ignoring{dir: e.dir, at: map[string]area{}}
	all := make([]bool, len(e.Changes))
	for i, c := range e.Changes {
		all[i] = c.Kind == "time" || g.ignores(c.Name(), c)
	}
	return all
}

// An ignoring asks the rules of a folder about many paths, and looks at each directory once.
type ignoring struct {
	dir *Dir
	at  map[string]area
}

// area is what holds in a directory: its rules, or that everything in it is ignored.
type area struct {
	rules *level
	all   bool
}

func (g *ignoring) ignores(p string, c nebula.Change) bool {
	if p == "." {
		return false
	}
	in := g.under(path.Dir(p))
	dir := c.Kind == "mkdir" || c.Kind == "rmdir"
	return in.all || generated(path.Base(p)) || in.rules.ignores(p, dir)
}

func (g *ignoring) under(dir string) area {
	if in, known := g.at[dir]; known {
		return in
	}
	in := area{rules: g.dir.above()}
	if dir != "." {
		in = g.under(path.Dir(dir))
		in.all = in.all || generated(path.Base(dir)) || in.rules.ignores(dir, true)
	}
	if !in.all {
		in.rules = g.dir.ruled(dir, in.rules)
	}
	g.at[dir] = in
	return in
}

// ruled adds the rules of a directory, if it is there, to those from above.
func (d *Dir) ruled(dir string, up *level) *level {
	s, err := d.exact(dir)
	if err != nil {
		return up
	}
	defer s.close()
	if len(s.rest) > 0 || !s.stat.mode.IsDir() {
		return up
	}
	h, err := s.dir.sub(s.name)
	if err != nil {
		return up
	}
	defer h.close()
	names, err := h.names()
	if err != nil {
		return up
	}
	return d.enter(h, dir, up, names)
}

// generated reports whether nothing but a tool writes what has a name: caches, and what compilers make of a file.
func generated(name string) bool {
	switch name {
	case "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".nyc_output", ".parcel-cache", ".turbo", ".gradle", ".coverage", ".DS_Store":
		return true
	}
	switch path.Ext(name) {
	case ".pyc", ".pyo", ".o", ".class", ".tsbuildinfo":
		return strings.TrimSuffix(name, path.Ext(name)) != ""
	}
	return false
}
