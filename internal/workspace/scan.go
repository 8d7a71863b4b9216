package workspace

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nebula/internal/lists"
)

// maxSeen is how many entries a folder may have to be looked at at all.
const maxSeen = 1_200_000

// A survey is one walk through everything in the folder: ignored files, hidden ones and the repository are part of it,
// nebula's own are not. Where keep is set, the contents of files that are new, or others than before, are kept on the
// way.
type survey struct {
	d      *Dir
	ctx    context.Context
	keep   *album
	device uint64
	tells  bool            // a directory's times tell whether its names are others
	left   map[string]bool // paths of nebula's own
	free   chan struct{}   // a place for each look that goes on beside this one
	count  atomic.Int64

	lists   sync.Pool // of buffers for directories
	buffers sync.Pool // and for files
	mu      sync.Mutex
	dirty   []written // folders whose own entries are not what they were
	later   []later   // large files
	loose   []string  // files whose content has to be compared: their times do not tell
}

// A written folder is one that the album has to note down.
type written struct {
	path string
	dir  *folder
}

// A later file is large: it is kept when the walk is over, the smaller first.
type later struct {
	path string
	kid  *kid
}

func (d *Dir) survey(ctx context.Context, keep *album) *survey {
	l := &survey{d: d, ctx: ctx, keep: keep, left: map[string]bool{}, free: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	for _, o := range d.own {
		if rel, ok := strings.CutPrefix(o.path, strings.TrimSuffix(d.real, "/")+"/"); ok {
			l.left[rel] = true
		}
	}
	return l
}

// walk looks at the whole folder. was is the last look at it.
func (l *survey) walk(was *kid) (*kid, error) {
	p, err := l.d.top.peek()
	if err != nil {
		return nil, err
	}
	defer p.close()
	m, err := p.mark(".")
	if err != nil {
		return nil, err
	}
	l.device, l.tells = m.dev, p.tells()
	top := &kid{name: ".", mark: m}
	var old *folder
	if was != nil {
		old = was.dir
	}
	top.kept = l.around(p, top, was)
	top.dir = l.folder(p, ".", old, was != nil && l.names(&m, was), 0)
	if l.count.Load() > maxSeen {
		return nil, errTooMany
	}
	return top, l.ctx.Err()
}

// folder looks at a directory and what is below it. Where nothing is other than before, it gives back the same folder.
// same says that the directory itself is as it was when was was read.
func (l *survey) folder(p peek, rel string, was *folder, same bool, depth int) *folder {
	if depth > maxDepth {
		return l.closed(rel, was)
	}
	f := &folder{seen: time.Now().UnixNano()}
	still, err := l.still(p, rel, was, same)
	if still {
		f = was
	} else if err == nil {
		f.kids, err = l.list(p, rel)
	}
	if err != nil {
		return l.closed(rel, was)
	}
	if l.count.Add(int64(len(f.kids))) > maxSeen || l.ctx.Err() != nil {
		return was
	}
	if still && !slices.ContainsFunc(f.kids, func(k kid) bool { return k.dir != nil }) {
		return was
	}
	if still {
		f = &folder{kids: lists.Clone(was.kids), seen: was.seen}
	}
	own := was == nil || was.fault || len(was.kids) != len(f.kids)
	var below sync.WaitGroup
	for i := range f.kids {
		k := &f.kids[i]
		old := was.named(k.name)
		if still || l.same(&k.mark, old) {
			k.kept, k.link = old.kept, old.link
		} else {
			own = true
			l.meet(p, rel, k, old)
		}
		if k.mark.mode.IsDir() {
			l.enter(&below, p, path.Join(rel, k.name), k, old, depth)
		}
	}
	below.Wait()
	if own {
		l.note(written{rel, f})
	} else if !slices.ContainsFunc(f.kids, func(k kid) bool { return k.dir != nil && k.dir != was.named(k.name).dir }) {
		return was
	}
	return f
}

// list gives what is in a directory, by name; what goes meanwhile is left out.
func (l *survey) list(p peek, rel string) (kids []kid, err error) {
	err = l.each(p, rel, func(name []byte) bool {
		k := kid{name: string(name)}
		var err error
		if k.mark, err = p.mark(k.name); err == nil {
			kids = append(kids, k)
		}
		return true
	})
	lists.Sort(kids, func(a, b kid) int { return strings.Compare(a.name, b.name) })
	return kids, err
}

// still reports whether what was in a directory is what is in it, without taking it in anew. The names are read only where
// they can be others: a directory that is the same has the same.
func (l *survey) still(p peek, rel string, was *folder, same bool) (bool, error) {
	if was == nil || was.fault {
		return false, nil
	}
	left := len(was.kids)
	found := func(old *kid) bool {
		if old != nil {
			if m, err := p.mark(old.name); err == nil && l.same(&m, old) {
				left--
				return true
			}
		}
		left = -1
		return false
	}
	if same && was.seen != 0 {
		for i := 0; i < len(was.kids) && found(&was.kids[i]); i++ {
		}
		return left == 0, nil
	}
	seen := time.Now().UnixNano()
	err := l.each(p, rel, func(name []byte) bool { return found(was.named(string(name))) })
	if left == 0 && err == nil {
		was.seen = seen
	}
	return left == 0, err
}

// each visits what is in a directory, but for what is nebula's own.
func (l *survey) each(p peek, rel string, visit func(name []byte) bool) error {
	buf, _ := l.lists.Get().(*[listed]byte)
	if buf == nil {
		buf = new([listed]byte)
	}
	defer l.lists.Put(buf)
	return p.each(buf[:], func(name []byte, _ byte) bool {
		if bytes.HasPrefix(name, []byte(tempPrefix)) || len(l.left) > 0 && l.ours(path.Join(rel, string(name))) {
			return true
		}
		return visit(name)
	})
}

// listed is how many bytes of a directory are read at once.
const listed = 32 << 10

// closed is a directory that cannot be looked into.
func (l *survey) closed(rel string, was *folder) *folder {
	if was != nil && was.fault {
		return was
	}
	f := &folder{fault: true}
	l.note(written{rel, f})
	return f
}

func (l *survey) note(w written) {
	if l.keep == nil {
		return
	}
	l.mu.Lock()
	l.dirty = append(l.dirty, w)
	l.mu.Unlock()
}

// ours reports whether a path is one of nebula's own, or a companion of its database.
func (l *survey) ours(rel string) bool {
	if l.left[rel] {
		return true
	}
	stem, _, ok := strings.Cut(path.Base(rel), "-")
	return ok && l.left[path.Join(path.Dir(rel), stem)]
}

// enter looks at a directory below, beside this look where there is a place for one more.
func (l *survey) enter(below *sync.WaitGroup, p peek, rel string, k, old *kid, depth int) {
	var was *folder
	if old != nil {
		was = old.dir
	}
	if k.mark.dev != l.device {
		k.dir = l.closed(rel, was)
		return
	}
	sub, err := p.sub(k.name)
	if err != nil {
		k.dir = l.closed(rel, was)
		return
	}
	same := old != nil && l.names(&k.mark, old)
	select {
	case l.free <- struct{}{}:
		below.Go(func() {
			k.dir = l.folder(sub, rel, was, same, depth+1)
			sub.close()
			<-l.free
		})
	default:
		k.dir = l.folder(sub, rel, was, same, depth+1)
		sub.close()
	}
}

// same reports whether what is at a name is what was there at the last look.
//
//go:noinline
func (l *survey) same(m *mark, old *kid) bool {
	if old == nil || old.mark != *m {
		return false
	}
	if l.keep == nil || !m.mode.IsRegular() {
		return true
	}
	return old.kept != nil && m.settled(old.kept.seen)
}

// names reports whether the names in a directory are what they were when they were last read.
//
//go:noinline
func (l *survey) names(m *mark, old *kid) bool {
	return l.tells && old.dir != nil && old.mark == *m && m.settled(old.dir.seen)
}

// meet takes in what is new, or another than before.
func (l *survey) meet(p peek, rel string, k, old *kid) {
	switch mode := k.mark.mode; {
	case mode&fs.ModeSymlink != 0:
		k.link = p.readlink(k.name)
	case mode.IsDir():
		if sub, err := p.sub(k.name); err == nil {
			k.kept = l.around(sub, k, old)
			sub.close()
		}
	case mode.IsRegular() && l.keep != nil:
		l.file(p, rel, k)
	}
}

// around are the extended attributes of a directory, where it has any.
func (l *survey) around(p peek, k, old *kid) *image {
	if old != nil && old.mark.ctime == k.mark.ctime {
		return old.kept
	}
	if more := p.more(); more != nil {
		return &image{more: more}
	}
	return nil
}

// small is how much a file may have to be kept on the way.
const small = 1 << 20

// file keeps a file's content.
func (l *survey) file(p peek, rel string, k *kid) {
	if l.ctx.Err() != nil {
		return
	}
	at := path.Join(rel, k.name)
	if k.mark.size > small {
		l.mu.Lock()
		l.later = append(l.later, later{at, k})
		l.mu.Unlock()
		return
	}
	seen := time.Now().UnixNano()
	buf, _ := l.buffers.Get().(*[small]byte)
	if buf == nil {
		buf = new([small]byte)
	}
	data, more, ok := p.load(k.name, k.mark, buf[:])
	if ok {
		k.kept = l.keep.put(data, more, seen)
	}
	l.buffers.Put(buf)
	if !k.mark.settled(seen) {
		l.mu.Lock()
		l.loose = append(l.loose, at)
		l.mu.Unlock()
	}
}
