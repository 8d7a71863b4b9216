package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
)

// blindFor is how long a folder that had too many files is not looked at again.
const blindFor = 10 * time.Minute

// A Snapshot is the folder before a command: everything in it, ignored files and the repository included, but for
// nebula's own files. It is the one seam between commands and undo: how it is taken is nobody else's concern. Who changed
// something between it and [Snapshot.Changes] it cannot tell: what the person wrote meanwhile counts as the command's, but
// for what other nebulas claim.
//
// Each file is copied once, those that git has clean and tracked as well: a command may remove or repack the repository
// that would hold them, filters make of a blob another content than the file has, and what is saved is reading them the
// first time.
type Snapshot struct {
	dir    *Dir
	id     string   // of the command; may be empty
	since  int      // changes that went through the folder's Dir before it
	claims int64    // of others
	top    *kid     // nil where the folder could not be looked at
	gen    string   // the album's generation that holds the contents
	loose  []string // files whose times do not tell whether they changed since
	run    *began
	lost   []string
	more   []*Snapshot // of the folders that were added
	except []string    // absolute paths below which nothing is the command's work
	died   time.Time   // when the command's nebula did, where that is why this is told by another one
	told   bool        // the command had ended by then; else it is when its nebula was last seen alive

	later map[string]nebula.Change // by path, the first change that was made there after the command; nil where none is known
}

// Snapshot remembers the folder as it is, on the disk, so that [Snapshot.Changes] can tell what a command changed and
// give back what was there before. What did not change since the last snapshot is not read again. Where id is not empty,
// [Dir.Left] tells of the changes by it when nebula ended before it did.
func (d *Dir) Snapshot(ctx context.Context, id string) (*Snapshot, error) {
	s, err := twice(ctx, func() (*Snapshot, error) { return d.snapshot(ctx, id) })
	if err != nil {
		return nil, err
	}
	for _, o := range d.more {
		further, err := twice(ctx, func() (*Snapshot, error) { return o.snapshot(ctx, id) })
		if err != nil {
			for _, begun := range append(s.more, s) {
				begun.run.end(true)
			}
			return nil, o.withFolder(err)
		}
		s.more = append(s.more, further)
	}
	return s, nil
}

// twice tries something again that failed: a fault may pass.
func twice[T any](ctx context.Context, do func() (T, error)) (T, error) {
	v, err := do()
	if err != nil && ctx.Err() == nil {
		v, err = do()
	}
	return v, err
}

func (d *Dir) snapshot(ctx context.Context, id string) (s *Snapshot, err error) {
	a := &d.album
	a.mu.Lock()
	defer a.mu.Unlock()
	if d.blinded() {
		return &Snapshot{dir: d}, nil
	}
	var run *began
	if id != "" {
		run, err = a.note(id)
		defer func() {
			if s == nil || s.run == nil {
				run.forget()
			}
		}()
	}
	if err == nil {
		err = a.open(ctx)
	}
	if err != nil {
		return nil, err
	}
	defer a.release()
	if err := a.renew(); err != nil {
		return nil, err
	}
	s = &Snapshot{dir: d, id: id, since: d.changes(), claims: d.guild.claimed(), gen: a.gen}
	l, end, big := d.survey(ctx, a), a.end, a.big
	top, err := l.walk(a.top)
	if err == nil {
		s.loose = lists.Concat(l.loose, a.putLarge(ctx, d, l.later))
		err = ctx.Err()
	}
	if err != nil {
		a.back(end, big)
		if errors.Is(err, errTooMany) {
			d.blind = time.Now().Add(blindFor)
			return s, nil
		}
		return nil, err
	}
	if err := a.settle(top, l.dirty); err != nil {
		a.shut() // what is in memory is not what is on the disk
		return nil, err
	}
	if run != nil {
		run.Claims = s.claims
	}
	if err := run.looked(a); err != nil {
		return nil, err
	}
	s.top, s.run = top, run
	return s, nil
}

// Forgo has no images kept of the folder: what commands change in it is not looked at, and undo does not cover it.
func (d *Dir) Forgo() {
	d.album.mu.Lock()
	defer d.album.mu.Unlock()
	d.forgone = true
}

// blinded reports whether the folder is not looked at. The album's mutex is held.
func (d *Dir) blinded() bool { return d.forgone || time.Now().Before(d.blind) }

// Uncovered are the files and directories that a command could change without that undo can take it back, as of the last
// look at the folder: what did not fit into the budget or cannot be read. whole is false where the folder has too many
// files to look at, or none are kept of it.
func (d *Dir) Uncovered(ctx context.Context) (paths []string, whole bool) {
	paths, whole = d.uncovered(ctx)
	for _, o := range d.more {
		further, all := o.uncovered(ctx)
		paths, whole = append(slices.Clip(paths), o.names(further)...), whole && all
	}
	return paths, whole
}

func (d *Dir) uncovered(ctx context.Context) (paths []string, whole bool) {
	a := &d.album
	a.mu.Lock()
	defer a.mu.Unlock()
	if d.blinded() || a.open(ctx) != nil {
		return nil, false
	}
	defer a.release()
	if a.top != nil {
		return uncovered(a.top), true
	}
	top, err := d.survey(ctx, nil).walk(nil)
	if err != nil {
		return nil, false
	}
	return a.unfit(top), true
}

// uncovered are the paths of a look that are not kept.
func uncovered(top *kid) (paths []string) {
	top.dir.each("", func(p string, k *kid) {
		switch {
		case k.mark.mode.IsRegular() && k.kept == nil:
			paths = append(paths, p)
		case k.dir != nil && k.dir.fault:
			paths = append(paths, p+"/")
		}
	})
	return paths
}

// unfit foretells what will not be kept of a folder that was never looked at.
func (a *album) unfit(top *kid) (paths []string) {
	var list []later
	top.dir.each("", func(p string, k *kid) {
		switch {
		case k.mark.mode.IsRegular():
			list = append(list, later{p, k})
		case k.dir != nil && k.dir.fault:
			paths = append(paths, p+"/")
		}
	})
	lists.Sort(list, func(x, y later) int { return int(min(max(x.kid.mark.size-y.kid.mark.size, -1), 1)) })
	total := int64(0)
	for _, l := range list {
		if size := l.kid.mark.size; size > largest || total+size > a.budget {
			paths = append(paths, l.path)
		} else {
			total += size
		}
	}
	slices.Sort(paths)
	return paths
}

// Left tells what a command changed that was under way when its nebula ended. known is false where none with that id
// was, or whose changes could not be seen when it ended. What was changed long after that is taken for somebody else's, but for the changes
// since, which nebula made after the command.
func (d *Dir) Left(ctx context.Context, id string, since []nebula.Change) (changes []nebula.Change, lost []string, known bool) {
	if made, told := d.toldOf(id); told {
		return made, nil, true
	}
	a := &d.album
	a.mu.Lock()
	r, err := d.left(ctx, id)
	a.mu.Unlock()
	if err != nil || r == nil {
		return nil, nil, false
	}
	if r.gen == "" { // it did not begin
		return nil, nil, true
	}
	r.first(since)
	changes, err = r.changes(ctx)
	lost, known = r.lost, err == nil && r.top != nil
	for _, o := range d.more {
		further, gone, _ := o.Left(ctx, id, d.those(o, since))
		changes, lost = append(changes, o.outward(further)...), append(lost, o.names(gone)...)
	}
	return changes, lost, known
}

// Waits reports whether [Dir.Left] has something to tell.
func (d *Dir) Waits(id string) bool {
	if _, told := d.toldOf(id); told {
		return true
	}
	a := &d.album
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.dir == "" {
		return false
	}
	r, err := readRun(a.runFile(id))
	return !errors.Is(err, fs.ErrNotExist) && (err != nil || r.Number > 0)
}

// left is the snapshot of such a command; nil where there is none.
func (d *Dir) left(ctx context.Context, id string) (*Snapshot, error) {
	a := &d.album
	if a.dir == "" {
		return nil, nil
	}
	r, err := readRun(a.runFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || r.ID != id || r.alive() {
		return nil, err
	}
	if r.Number == 0 {
		return &Snapshot{}, nil
	}
	if err := a.open(ctx); err != nil {
		return nil, err
	}
	defer a.release()
	gen := filepath.Join(a.dir, r.Gen)
	f, err := os.Open(filepath.Join(gen, "log"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r = r.over(ctx)
	s := &Snapshot{dir: d, id: id, since: d.changes(), claims: r.Claims, gen: gen, died: cmp.Or(r.Ended, r.Died), told: true}
	if fi, err := os.Stat(r.file); err == nil && s.died.IsZero() {
		s.died, s.told = fi.ModTime(), false
	}
	s.top, _, _, err = readLog(f, r.Number)
	if s.top != nil {
		s.top.dir.each("", func(p string, k *kid) {
			if k.kept != nil && k.mark.mode.IsRegular() && !k.mark.settled(k.kept.seen) {
				s.loose = append(s.loose, p)
			}
		})
	}
	return s, err
}

// Drop gives the snapshot up: its command did not begin.
func (s *Snapshot) Drop() {
	for _, o := range append(s.more, s) {
		o.run.end(true)
	}
}

// Except says below which absolute paths nothing is the command's work: what it could not change, and what was put aside.
// [Snapshot.Changes] does not tell of it.
func (s *Snapshot) Except(paths ...string) {
	for _, o := range append(s.more, s) {
		o.except = append(o.except, paths...)
	}
}

// excepted reports whether a path lies there.
func (s *Snapshot) excepted(rel string) bool {
	full := filepath.Join(s.dir.real, filepath.FromSlash(rel))
	return slices.ContainsFunc(s.except, func(p string) bool { return full == p || strings.HasPrefix(full, p+"/") })
}

// Lost are the paths that changed between the snapshot and the last Changes, and whose change cannot be taken back.
func (s *Snapshot) Lost() []string { return s.lost }

// Whole reports whether changes can be seen at all: a folder with too many files is not looked at.
func (s *Snapshot) Whole() bool {
	return s.top != nil && !slices.ContainsFunc(s.more, func(o *Snapshot) bool { return o.top == nil })
}
