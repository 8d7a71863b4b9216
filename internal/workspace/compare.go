package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
)

// Changes tells what is different from the snapshot, sorted by path, after the contents from before were kept in the
// record. What changed and cannot be taken back is in [Snapshot.Lost]. What was changed meanwhile by other nebulas, or
// through the folder's own methods, is not the command's.
func (s *Snapshot) Changes(ctx context.Context) ([]nebula.Change, error) {
	changes, err := s.changes(ctx)
	for _, o := range s.more {
		further, failed := o.changes(ctx)
		changes, s.lost = append(changes, o.dir.outward(further)...), append(s.lost, o.dir.names(o.lost)...)
		err = errors.Join(err, o.dir.withFolder(failed))
	}
	return changes, err
}

func (s *Snapshot) changes(ctx context.Context) ([]nebula.Change, error) {
	s.dir.album.mu.Lock()
	defer s.dir.album.mu.Unlock()
	changes, err := twice(ctx, func() ([]nebula.Change, error) { return s.compare(ctx) })
	s.run.end(err == nil)
	return changes, err
}

func (s *Snapshot) compare(ctx context.Context) ([]nebula.Change, error) {
	s.lost = nil
	if s.top == nil {
		return nil, nil
	}
	now, err := s.dir.survey(ctx, nil).walk(s.top)
	if errors.Is(err, errTooMany) {
		s.top = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := &comparison{s: s, ctx: ctx, batch: keeping{keep: s.dir.keep}, now: now}
	defer c.close()
	pairs := differences("", s.top.dir, now.dir, [2]*mark{&s.top.mark, &now.mark}, nil)
	if s.top.rights() != now.rights() || !s.top.extra().equal(now.extra()) {
		pairs = append(pairs, pair{path: ".", was: s.top, now: now})
	}
	for _, p := range s.loose {
		if was, is := s.top.dir.at(p), now.dir.at(p); was != nil && is != nil && was.mark == is.mark && was.kept != nil {
			pairs = append(pairs, pair{path: p, was: was, now: is})
		}
	}
	pairs = s.further(pairs, now)
	lists.Sort(pairs, func(a, b pair) int { return cmp.Compare(a.path, b.path) })
	pairs = lists.Drop(pairs, func(p pair) bool { return s.excepted(p.path) })
	for _, p := range pairs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := c.take(p); err != nil {
			return nil, err
		}
	}
	if err := c.batch.flush(ctx); err != nil {
		return nil, err
	}
	slices.Sort(s.lost)
	s.dir.claim(s.id, c.changes)
	return c.changes, nil
}

// A comparison makes changes of what two looks at the folder tell.
type comparison struct {
	s       *Snapshot
	ctx     context.Context
	batch   keeping
	now     *kid
	pack    *os.File
	at      string // the directory that is open
	dir     peek
	open    bool
	changes []nebula.Change
	names   [2]map[uint64][]string // of files with several, before and now, by their numbers
}

// twin is another path of the same file: one that is its name both before and now, where there is one.
func (c *comparison) twin(p string, k *kid, look int) (twin string) {
	if k == nil || k.mark.links < 2 || !k.mark.mode.IsRegular() {
		return ""
	}
	tops := [2]*kid{c.s.top, c.now}
	if c.names[look] == nil {
		c.names[look] = map[uint64][]string{}
		tops[look].dir.each("", func(p string, k *kid) {
			if k.mark.links > 1 && k.mark.mode.IsRegular() && utf8.ValidString(p) {
				c.names[look][k.mark.ino] = append(c.names[look][k.mark.ino], p)
			}
		})
	}
	for _, other := range c.names[look][k.mark.ino] {
		if other == p {
			continue
		}
		if o := tops[1-look].dir.at(other); o != nil && o.mark.ino == k.mark.ino {
			return other
		}
		twin = cmp.Or(twin, other)
	}
	return twin
}

func (c *comparison) close() {
	if c.pack != nil {
		_ = c.pack.Close()
	}
	c.leave()
}

// take makes a change of a pair, unless it is somebody else's or none at all.
func (c *comparison) take(p pair) error {
	lose := func() error {
		c.s.lost = append(c.s.lost, display(p.path))
		return nil
	}
	if strings.HasSuffix(p.path, "/") {
		return lose()
	}
	after, readable := c.after(p)
	next, again := c.s.later[p.path]
	if again { // what is there now is not the command's work: what the next change found is
		after, _ = ends(next)
		after.more, after.own, readable = next.MoreBefore, next.OwnerBefore, true
	}
	late, sure := c.late(p)
	if !again && (late && sure || readable && c.s.dir.elsewhere(c.s.id, p.path, c.s.since, c.s.claims, after)) {
		return nil
	}
	if !again && late {
		return lose()
	}
	before, ok, err := c.before(p.was)
	if err != nil {
		return err
	}
	if !readable && p.was != nil && p.was.mark.ino == p.now.mark.ino && p.was.mark.size == p.now.mark.size && p.was.mark.mtime == p.now.mark.mtime {
		after.hash, readable = before.hash, true // its mode says that it cannot be read: its content is what it was
	}
	if !ok || !readable {
		return lose()
	}
	ch := change(display(p.path), before, after)
	if before.same(after) {
		if again || before.dir() || before.link() || p.was.mark.mtime == p.now.mark.mtime && !p.relinked() {
			return nil
		}
		ch.Kind = "time"
	}
	if !utf8.ValidString(p.path) {
		ch.Raw = []byte(p.path)
	}
	ch.TimeBefore, ch.TimeAfter = p.was.time(), p.now.time()
	if again {
		ch.TimeAfter = next.TimeBefore
	}
	ch.TwinBefore, ch.TwinAfter = c.twin(p.path, p.was, 0), c.twin(p.path, p.now, 1)
	if p.up[0] != nil && p.up[1] != nil && p.up[0].mtime != p.up[1].mtime {
		ch.FolderBefore, ch.FolderAfter = p.up[0].mtime, p.up[1].mtime
	}
	c.changes = append(c.changes, ch)
	return nil
}

// first keeps which of the changes since a command was the first at each path.
func (s *Snapshot) first(since []nebula.Change) {
	s.later = map[string]nebula.Change{}
	for _, c := range since {
		if _, again := s.later[c.Name()]; !again {
			s.later[c.Name()] = c
		}
	}
}

// further adds the paths of the changes since, which may be as they were before the command by now.
func (s *Snapshot) further(pairs []pair, now *kid) []pair {
	there := map[string]bool{}
	for _, p := range pairs {
		there[p.path] = true
	}
	for p := range s.later {
		if !there[p] && p != "." {
			pairs = append(pairs, pair{path: p, was: s.top.dir.at(p), now: now.dir.at(p)})
		}
	}
	return pairs
}

// relinked reports whether a path is the name of another file now, where one of the two has other names.
//
//go:noinline
func (p pair) relinked() bool {
	return p.was.mark.ino != p.now.mark.ino && (p.was.mark.links > 1 || p.now.mark.links > 1)
}

// late reports whether what is at a path now came there when the command's nebula was not seen alive any more, and whether it is
// sure that the command, too, had ended by then: somebody else did it. What is in a directory changes its time: it is empty.
func (c *comparison) late(p pair) (late, sure bool) {
	if c.s.died.IsZero() || p.now == nil || p.now.mark.mode.IsDir() && (p.was != nil || p.now.dir == nil || len(p.now.dir.kids) > 0) {
		return false, false
	}
	after := p.now.mark.ctime - c.s.died.UnixNano()
	return after > 0, c.s.told || after > int64(doubt) && runtime.GOOS == "linux"
}

func (k *kid) time() int64 {
	if k == nil {
		return 0
	}
	return k.mark.mtime
}

// display is a path as it can be shown and written as JSON.
//
//go:noinline
func display(p string) string { return strings.ToValidUTF8(p, "\uFFFD") }

// before is what was there, with its content kept in the record; ok is false when it is not.
func (c *comparison) before(was *kid) (s state, ok bool, err error) {
	if was == nil {
		return state{}, true, nil
	}
	s = state{mode: exactMode(was.mark.mode), more: was.extra(), own: was.mark.owner()}
	switch mode := was.mark.mode; {
	case mode.IsDir():
		return s, true, nil
	case mode&fs.ModeSymlink != 0:
		s.hash, err = c.batch.add(c.ctx, []byte(was.link))
		return s, true, err
	case !mode.IsRegular() || was.kept == nil:
		return s, false, nil
	}
	if was.mark.size > small {
		f, err := c.s.dir.album.content(c.s.gen, was.kept, was.mark)
		if err != nil {
			return s, false, nil
		}
		defer f.Close()
		s.hash, err = c.s.dir.keep.KeepFile(c.ctx, f, was.mark.size)
		return s, true, err
	}
	if c.pack == nil {
		if c.pack, err = os.Open(filepath.Join(c.s.gen, "pack")); err != nil {
			return s, false, nil
		}
	}
	data := make([]byte, was.mark.size)
	if _, err := c.pack.ReadAt(data, was.kept.off); err != nil && !errors.Is(err, io.EOF) {
		return s, false, nil
	}
	s.hash, err = c.batch.add(c.ctx, data)
	return s, true, err
}

// after is what is there now; readable is false where that cannot be told.
func (c *comparison) after(p pair) (s state, readable bool) {
	if p.now == nil {
		return state{}, true
	}
	s = state{mode: exactMode(p.now.mark.mode), more: p.now.extra(), own: p.now.mark.owner()}
	switch mode := p.now.mark.mode; {
	case mode.IsDir():
		return s, true
	case mode&fs.ModeSymlink != 0:
		s.hash = nebula.Hash([]byte(p.now.link))
		return s, true
	case !mode.IsRegular() || !c.enter(path.Dir(p.path)):
		return s, false
	}
	f, m, err := c.dir.open(path.Base(p.path))
	if err != nil {
		return s, false
	}
	defer f.Close()
	s.mode, s.more, s.own = exactMode(m.mode), attributesOf(f), m.owner()
	s.hash, err = hashOf(f)
	return s, err == nil
}

func hashOf(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// enter opens the directory that the next file is in, if it is not open.
func (c *comparison) enter(dir string) bool {
	if c.open && c.at == dir {
		return true
	}
	c.leave()
	p, err := c.s.dir.into(dir)
	if err != nil {
		return false
	}
	c.dir, c.at, c.open = p, dir, true
	return true
}

//go:noinline
func (c *comparison) leave() {
	if c.open {
		c.dir.close()
		c.open = false
	}
}

// into opens a directory by its exact path, through no link.
func (d *Dir) into(dir string) (peek, error) {
	p, err := d.top.peek()
	if err != nil || dir == "." {
		return p, err
	}
	for name := range strings.SplitSeq(dir, "/") {
		sub, err := p.sub(name)
		p.close()
		if err != nil {
			return p, err
		}
		p = sub
	}
	return p, nil
}

// A keeping collects contents and keeps many at once.
type keeping struct {
	keep nebula.Contents
	all  [][]byte
	size int
}

// Bounds of a batch.
const (
	batchBytes = 16 << 20
	batchCount = 4096
)

// add takes a content that is kept at the next flush at the latest.
func (b *keeping) add(ctx context.Context, data []byte) (string, error) {
	b.all = append(b.all, data)
	if b.size += len(data); b.size >= batchBytes || len(b.all) >= batchCount {
		if err := b.flush(ctx); err != nil {
			return "", err
		}
	}
	return nebula.Hash(data), nil
}

func (b *keeping) flush(ctx context.Context) (err error) {
	if len(b.all) == 0 {
		return nil
	}
	err = b.keep.KeepMany(ctx, b.all)
	b.all, b.size = nil, 0
	return err
}

// elsewhere reports whether what stands at a path is the work of another: of a change that went through here meanwhile,
// or of another nebula.
func (d *Dir) elsewhere(run, p string, since int, claims int64, now state) bool {
	return d.meanwhile(p, since, now) || d.guild.others(run, claims, p, now)
}

// claim says that changes are the work of a command: another that ran beside it does not take them for its own.
func (d *Dir) claim(run string, changes []nebula.Change) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.claimed(run, changes)
}

func (d *Dir) claimed(run string, changes []nebula.Change) {
	for _, c := range changes {
		_, after := ends(c)
		d.count++
		d.made[c.Name()] = made{d.count, after}
	}
	d.guild.claim(run, changes)
}
