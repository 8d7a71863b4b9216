package workspace

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"nebula"
	"nebula/internal/lists"
)

// Restore takes changes back to the byte, the mode and the time, and returns the changes that it made: given to Restore,
// they bring everything back again. The grant has to cover every path.
//
// Each path is for itself: one that cannot be brought back is left as it is, and told, and the others are brought back
// all the same. What somebody else wrote between two of the changes is kept: the path is taken back to that, and told as
// well. What stands at a path has to be what one of the changes left there; what is as it was before them is
// done already, so that a Restore that was cut off is finished by another with the same changes. A directory that a
// change made stays, unreported, when it holds something else by now.
//
//go:noinline
func (d *Dir) Restore(ctx context.Context, g *nebula.Grant, changes []nebula.Change) (made []nebula.Change, left []nebula.Left, err error) {
	return d.bring(ctx, g, changes)
}

// restore takes changes back; what was there before is in the effects that are put into the folder, or in the record.
func (d *Dir) restore(ctx context.Context, g *nebula.Grant, changes []nebula.Change, from *Effects) (made []nebula.Change, left []nebula.Left, err error) {
	done, err := d.alone(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	if err := d.present(); err != nil {
		return nil, nil, err
	}
	r := &undoing{d: d, ctx: ctx, began: time.Now(), batch: keeping{keep: d.keep}, from: d.keep}
	r.in = d
	defer r.leave()
	if from != nil {
		r.from = from
	}
	if from == nil || g != nil { // else it was begun with one
		if err := d.restores(g, changes); err != nil {
			return nil, nil, err
		}
	}
	r.arrange(changes)
	for _, i := range r.items {
		r.attempt(i, r.examine)
	}
	if r.names == nil && slices.ContainsFunc(r.items, func(i *item) bool { return i.now.file() && i.now.stat.links > 1 }) {
		r.look()
	}
	if slices.ContainsFunc(r.items, r.cut) {
		r.resume()
	}
	if err := r.batch.flush(ctx); err != nil { // nothing is replaced that is not kept
		return nil, nil, nebula.Errorf("what stands there now could not be kept, so nothing was changed: %w", err)
	}
	r.changing = true
	r.clear(false)
	for _, i := range r.items {
		r.attempt(i, r.lay)
	}
	r.fill()
	for _, i := range r.items {
		r.attempt(i, r.relink)
	}
	r.clear(true)
	r.finish()
	return r.outcome()
}

// dying is how long after its begin an undo waits for files to be closed: a process that was killed does so when it is gone.
const dying = time.Second

// An undoing is a Restore under way.
type undoing struct {
	d        *Dir
	ctx      context.Context
	began    time.Time
	batch    keeping
	written  bool    // what was written since is not on the disk yet
	changing bool    // it has begun to change what stands there
	from     reader  // of what was there before
	items    []*item // by path, a directory before what is in it
	by       map[string]*item
	changes  []nebula.Change
	linked   [][]string          // the names of each file that has several where a change left it
	twins    map[string][]string // all names of a file that had several before the changes
	ends     map[string][]string // and of one that has several after them, as far as they tell
	names    map[string][]string // and of one that has several when it begins; nil where no change tells of any
	stay
}

// An item is one path that is taken back.
type item struct {
	path   string
	key    string
	raw    []byte
	want   state // what was there before the first of the changes
	time   int64
	folder int64  // the time of the directory that it is in
	twin   string // another name of the same file, before the first of the changes

	chain   []state // what the changes left there, one after the other
	last    nebula.Change
	now     state // what stands there
	nowTime int64
	upTime  int64
	between bool // somebody else wrote it between two changes: only what was changed since is taken back
	foreign bool // its owner could not be given back
	opened  bool // the directory's mode was changed to get into it
	already bool // all is as it was when the undo begins
	done    bool
	apart   error // why it could not be made a name of its file again
	fault   error // with which changing it ended
	left    *nebula.Left
}

// restores reports why changes may not be taken back, without touching anything.
func (d *Dir) restores(g *nebula.Grant, changes []nebula.Change) error {
	for _, c := range changes {
		p := c.Name()
		if _, ok := g.Covers(d.name(p)); !ok {
			return nebula.Errorf("%q: %w", c.Path, nebula.ErrNoGrant)
		}
		if !d.restorable(p) {
			return untouchable(c.Path)
		}
	}
	return nil
}

// arrange makes an item of each path, a directory before what is in it.
func (r *undoing) arrange(changes []nebula.Change) {
	r.by = map[string]*item{}
	changes, between := unbroken(changes)
	for _, c := range changes {
		p := c.Name()
		before, after := ends(c)
		before.more, after.more, before.own, after.own = c.MoreBefore, c.MoreAfter, c.OwnerBefore, c.OwnerAfter
		i := r.by[p]
		if i == nil {
			i = &item{path: p, key: depth(p), raw: c.Raw, want: before, time: c.TimeBefore, folder: c.FolderBefore, between: between[p]}
			r.by[p] = i
			r.items = append(r.items, i)
		}
		i.chain, i.last = append(i.chain, after), c
	}
	r.changes, r.linked = changes, r.together(changes)
	r.pair(nil)
	lists.Sort(r.items, func(a, b *item) int { return cmp.Compare(a.key, b.key) })
}

// depth is what to sort a path by, so that a directory stands immediately before what is in it.
func depth(p string) string {
	if p == "." {
		return ""
	}
	return strings.ReplaceAll(p, "/", "\x00")
}

// restorable reports whether a path is one that a command could have changed: a plain one inside the folder, and none of
// nebula's own.
func (d *Dir) restorable(p string) bool {
	if p == "." {
		return true
	}
	for name := range strings.SplitSeq(p, "/") {
		if name == "" || name == "." || name == ".." || strings.ContainsRune(name, 0) || strings.HasPrefix(name, tempPrefix) {
			return false
		}
	}
	return !d.owned(p)
}

// attempt does something for an item, unless it was given up; where it cannot be done the item is.
func (r *undoing) attempt(i *item, do func(*item) error) {
	if i.left != nil {
		return
	}
	err := r.ctx.Err()
	if err == nil {
		err = do(i)
	}
	switch {
	case Stands(err):
	case errors.Is(err, ErrStale):
		i.left = &nebula.Left{Path: display(i.path), Why: nebula.ChangedSince}
	case errors.Is(err, errBeingWritten):
		i.left = &nebula.Left{Path: display(i.path), Why: nebula.BeingWritten}
	case errors.Is(err, errNeverKept):
		i.left = &nebula.Left{Path: display(i.path), Why: nebula.NeverKept}
	default:
		i.left = &nebula.Left{Path: display(i.path), Why: nebula.InTheWay, Text: reason(err).Error()}
		if r.changing {
			i.fault = err
		}
	}
}

var (
	errNeverKept    = errors.New("its content was not kept")
	errBeingWritten = errors.New("another program is writing it")
)

// exact finds a path through no link. Where the directory that it is in is not there the spot has a rest.
func (d *Dir) exact(p string) (spot, error) {
	if dir, name := path.Split(p); dir != "" {
		if h := d.top.below(dir); h != nil {
			return h.spot(name, p)
		}
	}
	h, err := d.top.sub(".")
	if err != nil {
		return spot{}, err
	}
	if p == "." {
		st, err := h.self()
		return spot{dir: h, name: ".", path: ".", stat: st}, err
	}
	names := strings.Split(p, "/")
	for n, name := range names[:len(names)-1] {
		sub, err := h.sub(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) {
			return spot{dir: h, name: name, path: p, rest: names[n+1:]}, nil
		}
		h.close()
		if err != nil {
			return spot{}, err
		}
		h = sub
	}
	return h.spot(names[len(names)-1], p)
}

// spot is a name in a directory, which is closed where nothing can be told of it.
func (h *handle) spot(name, p string) (s spot, err error) {
	s = spot{dir: h, name: name, path: p}
	s.stat, err = h.lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		h.close()
	}
	return s, err
}

// open gives a directory or a file that its owner may not read a mode with which that can be done.
func (i *item) open(s spot) error {
	need := fs.FileMode(0o400)
	if s.stat.mode.IsDir() {
		need = 0o700
	}
	mode := exactMode(s.stat.mode)
	known := i.want.mode == mode || slices.ContainsFunc(i.chain, func(c state) bool { return c.mode == mode })
	if len(s.rest) > 0 || !s.stat.exists() || !s.stat.mode.IsDir() && !s.stat.mode.IsRegular() || !known || mode&need == need {
		return nil
	}
	i.opened = true
	return s.dir.setMode(s.name, s.stat.mode|need)
}

// examine looks at what stands at a path, and keeps it where it is to be replaced.
func (r *undoing) examine(i *item) error {
	s, err := r.exact(i.path)
	if err != nil {
		return err
	}
	defer s.close()
	if up, err := s.dir.self(); err == nil && len(s.rest) == 0 {
		i.upTime = up.mtime.UnixNano()
	}
	if err := i.open(s); err != nil {
		return err
	}
	if i.now, err = r.d.inspect(s); err != nil {
		return err
	}
	if i.opened {
		i.now.mode = exactMode(s.stat.mode)
	}
	if i.now.exists() {
		i.nowTime = i.now.stat.mtime.UnixNano()
	}
	switch {
	case i.now.same(i.want) && !i.parts():
		i.done, i.already = true, true
		return nil
	case !i.known() && !r.shared(i):
		return stale(display(i.path))
	}
	if there := i.now.hash == i.want.hash; (i.want.file() || i.want.link()) && !there && !r.kept(i.want.hash) {
		return errNeverKept
	}
	for i.now.file() && s.written() { // the one that writes it knows more of it than the change
		if time.Since(r.began) > dying || r.ctx.Err() != nil {
			return errBeingWritten
		}
		time.Sleep(5 * time.Millisecond)
	}
	err = r.preserve(s, i)
	i.now.data = nil // there may be many
	return err
}

// known reports whether what stands at a path is what one of the changes left there, what was there before them, or what an
// undo that was cut off leaves between the two. Where an undo that was cut off had opened it, its mode is taken for the one that it had.
func (i *item) known() bool {
	all := append(lists.Clone(i.chain), i.want)
	if slices.ContainsFunc(all, i.now.equal) {
		return true
	}
	if swapped := func(c state) bool { return c.exists() && c.dir() != i.want.dir() }; !i.now.exists() && i.want.exists() && slices.ContainsFunc(i.chain, swapped) {
		return true // a directory in the place of a file, or the other way round, is cleared before the other is made
	}
	for _, c := range all {
		open := c
		if open.mode |= 0o400; c.dir() {
			open.mode |= 0o700
		}
		if open.mode &^= fs.ModeIrregular; c.exists() && !c.link() && i.now.equal(open) {
			i.now.mode, i.opened = c.mode, true
			return true
		}
	}
	return false
}

// shared reports whether a path is one of a file's names of which an undo that was cut off has brought another back: with its mode, all have it.
func (r *undoing) shared(i *item) bool {
	last := i.chain[len(i.chain)-1]
	is := i.now.file() && i.now.hash == last.hash && slices.ContainsFunc(r.names[i.path], func(name string) bool { return r.by[name] != nil && r.by[name].want.equal(i.now) })
	if is {
		i.now.mode, i.now.own, i.now.more = last.mode, last.own, last.more
	}
	return is
}

// parts reports whether a path that is another's name now is to be a file of its own.
//
//go:noinline
func (i *item) parts() bool {
	return i.twin == "" && i.last.TwinAfter != "" && i.now.stat.links > 1 && i.want.file()
}

// same reports whether two states are equal in all that an undo brings back.
func (s state) same(o state) bool {
	return s.equal(o) && s.more.equal(o.more) && (s.own == o.own || s.own == "" || o.own == "")
}

// inspect tells what stands at a spot. Of a large file it does not hold the content.
func (d *Dir) inspect(s spot) (state, error) {
	if len(s.rest) > 0 || !s.stat.exists() {
		return state{}, nil
	}
	if !s.stat.mode.IsRegular() {
		now, err := d.look(s)
		if now.dir() {
			if sub, err := s.dir.sub(s.name); err == nil {
				now.more = attributesOf(sub.file())
				sub.close()
			}
		}
		return now, err
	}
	f, err := s.dir.read(s.name)
	if err != nil {
		return state{}, err
	}
	defer f.Close()
	st, err := statFile(f)
	if err != nil {
		return state{}, err
	}
	now := state{mode: exactMode(st.mode), stat: st, more: attributesOf(f), own: st.owner()}
	if st.size > small {
		now.hash, err = hashOf(f)
		return now, err
	}
	now.data, err = io.ReadAll(f)
	now.hash = nebula.Hash(now.data)
	return now, err
}

// preserve keeps what stands at a path, so that the undo can be taken back, or so that it can stand there as a file of its own.
func (r *undoing) preserve(s spot, i *item) (err error) {
	switch {
	case !i.now.file() && !i.now.link() || i.onlyMode():
		return nil
	case i.now.link() || i.now.data != nil:
		_, err = r.batch.add(r.ctx, i.now.data)
		return err
	}
	f, err := s.dir.read(s.name)
	if err != nil {
		return err
	}
	defer f.Close()
	hash, err := r.d.keep.KeepFile(r.ctx, f, i.now.stat.size)
	if err == nil && hash != i.now.hash {
		err = stale(s.path)
	}
	return err
}
