package workspace

import (
	"cmp"
	"context"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"nebula"
	"nebula/internal/lists"
)

// A Query says what to search for.
type Query struct {
	Under      string // a directory or a file; the folder itself when empty
	Keyword    string
	Regex      bool   // Keyword is a regular expression (RE2)
	Glob       string // only files that match: *.go, cmd/**, {a,b}.txt
	IgnoreCase bool
	Limit      int // how many matches at most; 0 is no limit
}

// A Match is a line that matches.
type Match struct {
	Path string
	Line int    // from 1
	Text string // without its ending, cut when very long
}

// Search finds the lines that match, by path and line. With a limit these are the first; more says that there are
// others. Files that List leaves out for being ignored are left out, hidden ones are searched; so are binary files (a
// NUL in the first 8 KB) and links. Files that cannot be read are passed over.
func (d *Dir) Search(ctx context.Context, q Query) (matches []Match, more bool, err error) {
	if q.Keyword == "" {
		return nil, false, nebula.Wrong("", "There is nothing to search for: the keyword is empty.")
	}
	m, err := newMatcher(q)
	if err != nil {
		return nil, false, err
	}
	if o, in := d.among(q.Under); o != d {
		q.Under = in
		matches, more, err = o.Search(ctx, q)
		for i := range matches {
			matches[i].Path = o.name(matches[i].Path)
		}
		return matches, more, o.withFolder(err)
	}
	s, err := d.begin(q.Under)
	if err != nil {
		return nil, false, err
	}
	defer s.close()
	f := &finder{d: d, ctx: ctx, matcher: m, filter: newFilter(q.Glob), limit: q.Limit}
	f.more.L = &f.mu
	if s.stat.mode.IsDir() {
		f.from = under(s.path)
		f.push(task{rel: s.path, up: d.levels(s.path)})
	} else {
		if err := regular(s.path, s.stat.mode); err != nil {
			return nil, false, err
		}
		f.push(task{rel: path.Dir(s.path), dir: &shared{handle: s.dir}, files: []string{s.name}})
		f.tasks[0].dir.refs.Store(2) // the spot closes it
	}
	f.work(runtime.GOMAXPROCS(0))
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	return f.result()
}

// A finder is one search under way. Tasks are taken in path order, so that with a limit what lies behind the last of
// enough matches is never looked at.
type finder struct {
	d       *Dir
	ctx     context.Context
	matcher *matcher
	filter  filter
	from    string
	limit   int

	mu    sync.Mutex
	more  sync.Cond
	tasks []task // a stack: the next in path order is on top
	busy  int
	found []Match
	bound atomic.Pointer[string] // with a limit, paths behind it are not needed any more
	first error
}

// A task is a directory to read, or some files of one to search.
type task struct {
	rel   string
	up    *level
	dir   *shared
	files []string
}

// A shared directory is closed with its last task.
type shared struct {
	*handle
	refs atomic.Int32
}

func (s *shared) done() {
	if s.refs.Add(-1) == 0 {
		s.close()
	}
}

func (f *finder) work(n int) {
	var workers sync.WaitGroup
	for range n {
		workers.Go(func() {
			e := f.matcher.engine()
			for t, ok := f.pop(); ok; t, ok = f.pop() {
				f.do(t, e)
				f.finish()
			}
		})
	}
	workers.Wait()
}

func (f *finder) push(tasks ...task) {
	f.mu.Lock()
	f.tasks = append(f.tasks, tasks...)
	f.mu.Unlock()
	f.more.Broadcast()
}

// pop takes the next task; false when there is none and none will come.
func (f *finder) pop() (task, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.tasks) == 0 {
		if f.busy == 0 {
			return task{}, false
		}
		f.more.Wait()
	}
	t := f.tasks[len(f.tasks)-1]
	f.tasks = f.tasks[:len(f.tasks)-1]
	f.busy++
	return t, true
}

func (f *finder) finish() {
	f.mu.Lock()
	f.busy--
	end := f.busy == 0 && len(f.tasks) == 0
	f.mu.Unlock()
	if end {
		f.more.Broadcast()
	}
}

func (f *finder) do(t task, e *engine) {
	if t.dir != nil {
		defer t.dir.done()
		f.files(t, e)
		return
	}
	if f.ctx.Err() != nil || f.beyond(under(t.rel)) {
		return
	}
	if err := f.directory(t); err != nil {
		f.mu.Lock()
		if f.first == nil {
			f.first = err
		}
		f.mu.Unlock()
	}
}

// batch is how many files of a directory make a task.
const batch = 64

func (f *finder) directory(t task) error {
	h, err := f.d.reach(t.rel)
	if err != nil {
		return err
	}
	all, here, err := f.d.scan(h, t.rel, t.up)
	if err != nil {
		h.close()
		return err
	}
	dir := &shared{handle: h}
	from := under(t.rel)
	var (
		tasks []task
		files []string
	)
	flush := func() {
		if len(files) > 0 {
			tasks = append(tasks, task{rel: t.rel, dir: dir, files: files})
			files = nil
		}
	}
	for _, e := range all {
		switch {
		case e.mode.IsDir():
			flush()
			tasks = append(tasks, task{rel: from + e.name, up: here})
		case e.mode != 0:
		case f.filter == nil || f.filter.passes(strings.TrimPrefix(from, f.from)+e.name, e.name):
			if files = append(files, e.name); len(files) == batch {
				flush()
			}
		}
	}
	flush()
	users := int32(0)
	for _, t := range tasks {
		if t.dir != nil {
			users++
		}
	}
	if users == 0 {
		h.close()
	}
	dir.refs.Store(users)
	slices.Reverse(tasks)
	f.push(tasks...)
	return nil
}

// reach opens a directory that a walk came upon, without following links.
func (d *Dir) reach(rel string) (*handle, error) {
	h, err := d.top.sub(".")
	if err != nil || rel == "." {
		return h, err
	}
	for name := range strings.SplitSeq(rel, "/") {
		sub, err := h.sub(name)
		h.close()
		if err != nil {
			return nil, err
		}
		h = sub
	}
	return h, nil
}

func (f *finder) files(t task, e *engine) {
	from := under(t.rel)
	for _, name := range t.files {
		if f.ctx.Err() != nil {
			return
		}
		rel := from + name
		if f.beyond(rel) {
			return
		}
		left := 0
		if f.limit > 0 {
			left = f.limit + 1
		}
		hits := e.search(f.ctx, t.dir.handle, name, left)
		if len(hits) == 0 {
			continue
		}
		for i := range hits {
			hits[i].Path = rel
		}
		f.add(hits)
	}
}

//go:noinline
func (f *finder) beyond(rel string) bool {
	b := f.bound.Load()
	return b != nil && rel > *b
}

func (f *finder) add(hits []Match) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = append(f.found, hits...)
	if f.limit <= 0 || len(f.found) <= 2*f.limit+batch {
		return
	}
	f.prune()
}

// prune drops matches that cannot be among the first any more. One more than the limit stays, for more.
func (f *finder) prune() {
	lists.Sort(f.found, byPlace)
	if f.limit > 0 && len(f.found) > f.limit {
		f.found = f.found[:f.limit+1]
		last := f.found[f.limit].Path
		f.bound.Store(&last)
	}
}

func byPlace(a, b Match) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) }

func (f *finder) result() ([]Match, bool, error) {
	f.prune()
	if len(f.found) == 0 && f.first != nil {
		if gone := f.d.present(); gone != nil {
			return nil, false, gone
		}
	}
	if f.limit > 0 && len(f.found) > f.limit {
		return f.found[:f.limit:f.limit], true, nil
	}
	return f.found, false, nil
}
