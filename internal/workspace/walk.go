package workspace

import (
	"cmp"
	"context"
	"io/fs"
	"iter"
	"path"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A Walk says what of the folder to list.
type Walk struct {
	Under     string // where to begin; the folder itself when empty
	Recursive bool   // directories below as well
	Pattern   string // only files and directories that match: *.go, cmd/**, {a,b}.txt
	Hidden    bool   // names that begin with a dot as well
}

// List walks through the folder: names in byte order, a directory before what is in it. What .gitignore, .nebulaignore
// and the repository's exclude file ignore is left out, and so are .git, .nebula and nebula's own files. Links are listed
// and not followed. A directory that cannot be read gives an error, and the walk goes on.
//
//go:noinline
func (d *Dir) List(ctx context.Context, w Walk) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if o, in := d.among(w.Under); o != d {
			w.Under = in
			for e, err := range o.List(ctx, w) {
				e.Path = o.name(e.Path)
				if !yield(e, o.withFolder(err)) {
					return
				}
			}
			return
		}
		s, err := d.begin(w.Under)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer s.close()
		if !s.stat.mode.IsDir() {
			yield(s.entry(), nil)
			return
		}
		h, err := s.dir.sub(s.name)
		if err != nil {
			yield(Entry{}, d.fault(s.path, err))
			return
		}
		defer h.close()
		l := &listing{d: d, ctx: ctx, walk: w, filter: newFilter(w.Pattern), from: under(s.path), yield: yield}
		l.list(h, s.path, d.levels(s.path), 0)
	}
}

// among is the folder in which a walk or a search begins, and where in it; the path as it is where it leads nowhere.
func (d *Dir) among(p string) (*Dir, string) {
	rel, err := d.Clean(cmp.Or(p, "."))
	if err != nil {
		return d, p
	}
	return d.of(rel)
}

// begin finds where a walk or a search begins.
func (d *Dir) begin(p string) (spot, error) {
	rel, err := d.Clean(cmp.Or(p, "."))
	if err != nil {
		return spot{}, err
	}
	s, err := d.standing(rel, true)
	if err != nil {
		return spot{}, err
	}
	if !s.stat.exists() {
		defer s.close()
		return spot{}, d.missing(rel, s)
	}
	return s, nil
}

// under is what the paths below a directory begin with.
//
//go:noinline
func under(rel string) string {
	if rel == "." {
		return ""
	}
	return rel + "/"
}

type listing struct {
	d      *Dir
	ctx    context.Context
	walk   Walk
	filter filter
	from   string
	yield  func(Entry, error) bool
}

// maxDepth is how deep a walk goes: every directory on the way is open.
const maxDepth = 200

func (l *listing) list(h *handle, rel string, up *level, depth int) bool {
	if err := l.ctx.Err(); err != nil {
		return l.yield(Entry{}, err) && false
	}
	if depth > maxDepth {
		return l.yield(Entry{}, nebula.Wrong("", "Directories are nested too deep here: %s.", path.Base(rel)))
	}
	all, here, err := l.d.scan(h, rel, up)
	if err != nil {
		return l.yield(Entry{}, l.d.fault(rel, err))
	}
	for _, e := range all {
		if !l.walk.Hidden && e.name[0] == '.' {
			continue
		}
		if !l.entry(h, under(rel)+e.name, e, here, depth) {
			return false
		}
	}
	return true
}

func (l *listing) entry(h *handle, rel string, e dirent, here *level, depth int) bool {
	if l.filter.passes(strings.TrimPrefix(rel, l.from), e.name) {
		st, err := h.lstat(e.name)
		if err != nil {
			return true // gone by now
		}
		if !l.yield(spot{dir: h, name: e.name, path: rel, stat: st}.entry(), nil) {
			return false
		}
	}
	if !l.walk.Recursive || !e.mode.IsDir() {
		return true
	}
	sub, err := h.sub(e.name)
	if err != nil {
		return l.yield(Entry{}, l.d.fault(rel, err))
	}
	defer sub.close()
	return l.list(sub, rel, here, depth+1)
}

// A dirent is a name in a directory with its type.
type dirent struct {
	name string
	mode fs.FileMode // type bits; 0 for a file
}

// order puts names as the paths below them sort.
func order(a, b dirent) int {
	if a.mode.IsDir() == b.mode.IsDir() && !strings.HasPrefix(a.name, b.name) && !strings.HasPrefix(b.name, a.name) {
		return cmp.Compare(a.name, b.name)
	}
	return cmp.Compare(a.key(), b.key())
}

func (e dirent) key() string {
	if e.mode.IsDir() {
		return e.name + "/"
	}
	return e.name
}

// scan reads a directory: what is shown of it, in order, and the rules that hold in it.
func (d *Dir) scan(h *handle, rel string, up *level) ([]dirent, *level, error) {
	all, err := h.names()
	if err != nil {
		return nil, nil, err
	}
	here := d.enter(h, rel, up, all)
	from := under(rel)
	all = lists.Drop(all, func(e dirent) bool {
		return hidden(e.name) || len(d.own) > 0 && d.owned(from+e.name) || here.ignores(from+e.name, e.mode.IsDir())
	})
	lists.Sort(all, order)
	return all, here, nil
}

// hidden names are never listed or searched.
func hidden(name string) bool {
	return name[0] == '.' && (name == ".git" || name == ".nebula" || strings.HasPrefix(name, tempPrefix))
}
