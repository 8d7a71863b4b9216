package workspace

import (
	"io/fs"
	"path"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Ignore notes of each of some changes whether nobody looks at its lines: nothing but a tool writes what is called so, or it is
// a plain file in a directory that the rules of the folder as it is leave out. What is deleted, linked, or could be run is looked at,
// and rules that leave everything out say nothing.
func (d *Dir) Ignore(changes []nebula.Change) {
	g := &ignoring{dir: d, at: map[string]area{}}
	for i, c := range changes {
		changes[i].Ignored = c.Kind == "time" || g.leaves(c.Name(), c)
	}
}

// Ignores reports whether the rules of the folder as it is leave a path out, or nothing but a tool writes it.
func (d *Dir) Ignores(p string) bool {
	g := &ignoring{dir: d, at: map[string]area{}}
	in := g.under(path.Dir(p))
	left := in.made || in.all || generated(path.Base(p)) || in.rules.ignores(p, false) && !in.rules.ignores(path.Join(path.Dir(p), anyName), false)
	return left && !g.tracked(p) // that reads the repository's index
}

// Ignore notes it of each of the changes.
func (e *Effects) Ignore() { e.dir.Ignore(e.Changes) }

// compiled is where Python keeps what it compiled.
const compiled = "__pycache__"

// uncompiled leaves out what is kept there beside files that are looked at: it runs in their place, nobody can read in it whether it is made
// of them, and it is made anew where it is not there. So what a command left of it on its view is no change.
func (d *Dir) uncompiled(changes []nebula.Change) []nebula.Change {
	g := &ignoring{dir: d, at: map[string]area{}}
	return lists.Drop(changes, func(c nebula.Change) bool {
		of, _, kept := strings.Cut("/"+c.Name()+"/", "/"+compiled+"/")
		made := c.Kind == "mkdir" || c.Kind == "create" || c.Kind == "edit"
		return kept && made && g.leaves(c.Name(), c) && !g.under(path.Clean("./"+of)).all
	})
}

// anyName is that of a file which no rule means: one that leaves it out leaves out everything.
const anyName = "nebula-asks-of-any-file"

// An ignoring asks the rules of a folder about many paths, and looks at each directory once.
type ignoring struct {
	dir     *Dir
	at      map[string]area
	indexes map[string]*index
}

// area is what holds in a directory.
type area struct {
	rules *level
	all   bool // everything in it is ignored
	made  bool // only tools write it
	built bool // a tool can make all of it anew
}

// leaves reports whether a change of a path is ignored. Of what the repository has none is.
func (g *ignoring) leaves(p string, c nebula.Change) bool { return g.ignores(p, c) && !g.tracked(p) }

func (g *ignoring) ignores(p string, c nebula.Change) bool {
	if p == "." || path.IsAbs(p) { // what lies in a further folder, the rules of this one say nothing of
		return false
	}
	in := g.under(path.Dir(p))
	dir := c.Kind == "mkdir" || c.Kind == "rmdir"
	switch parent := path.Base(path.Dir(p)); {
	case in.made, generated(path.Base(p)):
		return dir || (c.Kind == "delete" || ordinary(c)) && !scripts[path.Ext(p)] && path.Base(p) != "Makefile"
	case dir && c.Kind != "mkdir", !dir && !ordinary(c), parent == "bin", parent == ".bin", in.built && scripts[path.Ext(p)], !in.all && path.Ext(p) == ".pyc": // it is loaded in the place of a file that is not there
		return false
	}
	return in.all || (dir || c.Kind == "create" || passing[path.Ext(p)]) && in.rules.ignores(p, dir) && !in.rules.ignores(path.Join(path.Dir(p), anyName), dir)
}

// passing are the endings of files that a program writes while it runs.
var passing = map[string]bool{".log": true, ".tmp": true, ".out": true, ".pid": true, ".cache": true, ".cov": true, ".prof": true}

// scripts are the endings of what other programs run: no cache holds such files.
var scripts = map[string]bool{".py": true, ".pth": true, ".sh": true, ".js": true, ".cjs": true, ".mjs": true, ".ts": true, ".rb": true, ".pl": true, ".mk": true}

// ordinary reports whether a change makes or writes a file that is nothing but one.
//
//go:noinline
func ordinary(c nebula.Change) bool {
	before, after := fs.FileMode(c.ModeBefore), fs.FileMode(c.ModeAfter)
	return (c.Kind == "create" || c.Kind == "edit") && before.IsRegular() && after.IsRegular() && (before|after)&0o111 == 0
}

func (g *ignoring) under(dir string) area {
	if in, known := g.at[dir]; known {
		return in
	}
	in := area{rules: g.dir.above()}
	if dir != "." {
		in = g.under(path.Dir(dir))
		in.made = in.made || generated(path.Base(dir))
		in.built = in.built || g.built(dir)
		in.all = in.all || in.built || in.rules.ignores(dir, true) && !in.rules.ignores(path.Join(path.Dir(dir), anyName), true)
	}
	if !in.all {
		in.rules = g.dir.ruled(dir, in.rules)
	}
	g.at[dir] = in
	return in
}

// built reports whether a directory is where a package manager or a compiler keeps what it can make anew, by its name and what it lies beside.
func (g *ignoring) built(dir string) bool {
	up := path.Dir(dir)
	for _, row := range []struct{ name, in, beside string }{{".cache", "node_modules", ""}, {"target", "", "Cargo.toml"}, {"target", "", "pom.xml"}} {
		if path.Base(dir) == row.name && (row.in == "" || path.Base(up) == row.in) && (row.beside == "" || g.dir.file(path.Join(up, row.beside))) {
			return true
		}
	}
	return false
}

// file reports whether the folder has a plain file.
func (d *Dir) file(p string) bool {
	s, err := d.exact(p)
	if err != nil {
		return false
	}
	defer s.close()
	return len(s.rest) == 0 && s.stat.exists() && s.stat.mode.IsRegular()
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
	case ".o", ".class", ".tsbuildinfo":
		return strings.TrimSuffix(name, path.Ext(name)) != ""
	}
	return false
}
