package workspace

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"syscall"

	"nebula"
)

// clear takes away what is in the way of what was there before: what is below a directory goes before it. A name of a file that has others, and
// what it lies in, goes late: as long as it is there, an undo that is cut off can tell whose name it is.
func (r *undoing) clear(late bool) {
	waits := map[string]bool{}
	for _, i := range slices.Backward(r.items) {
		if linked := i.now.file() && i.now.stat.links > 1; (linked || waits[i.path]) && !i.want.exists() && r.free(i.path) {
			waits[i.path], waits[path.Dir(i.path)] = true, true
		}
	}
	for _, i := range slices.Backward(r.items) {
		if waits[i.path] != late || i.done || !i.now.exists() || i.want.exists() && i.want.dir() == i.now.dir() {
			continue
		}
		r.attempt(i, r.remove)
	}
}

// free reports whether nothing that was there before is to come in the place of a directory that a path is in.
func (r *undoing) free(p string) bool {
	for up := path.Dir(p); up != "."; up = path.Dir(up) {
		if i := r.by[up]; i != nil && i.want.exists() && !i.want.dir() {
			return false
		}
	}
	return true
}

func (r *undoing) remove(i *item) error {
	s, err := r.exact(i.path)
	if err != nil {
		return err
	}
	defer s.close()
	was := i.standing()
	if is, err := r.d.inspect(s); err == nil && was.file() && is.hash == was.hash && is.stat.mark().ino == was.stat.mark().ino && r.names[i.path] != nil {
		was = is // another of its names was given a mode, which is that of all
	}
	err = r.d.replace(s, was, state{lazy: r.many()}, r.ctx.Err)
	if i.now.dir() && (errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST)) && !i.want.exists() {
		i.done, i.now = true, i.want // it holds something else by now
		return nil
	}
	return err
}

// lay makes the directories that were there.
func (r *undoing) lay(i *item) error {
	if i.done || !i.want.dir() || i.now.dir() {
		return nil
	}
	s, err := r.exact(i.path)
	if err != nil {
		return err
	}
	defer s.close()
	if len(s.rest) > 0 {
		return fs.ErrNotExist
	}
	return r.d.replace(s, state{}, state{mode: i.want.mode | 0o700, lazy: r.many()}, r.ctx.Err)
}

// few is up to how many paths are brought onto the disk one by one. More are written side by side, brought onto the disk
// together, and then moved into place.
const (
	few   = 16
	chunk = 512
)

//go:noinline
func (r *undoing) many() bool { return len(r.items) > few }

// A filled item is written, and not in place yet.
type filled struct {
	i    *item
	s    spot
	temp string
	was  state
}

// fill brings files and links back.
func (r *undoing) fill() {
	var ready []filled
	place := func() {
		if r.many() && r.written {
			_ = flushed(r.d.top.file()) // what the disk does not take shows when it is read
		}
		for _, f := range ready {
			r.attempt(f.i, func(*item) error { return r.d.move(f.s, f.temp, f.was, r.many()) })
			f.s.close()
		}
		ready, r.written = ready[:0], false
	}
	for _, modes := range []bool{false, true} { // the mode is that of all names of a file: those that are to leave it go first
		for _, i := range r.items {
			if i.done || i.want.dir() || !i.want.exists() || i.onlyMode() != modes {
				continue
			}
			r.attempt(i, func(i *item) error {
				f, err := r.write(i)
				if err == nil && f.i != nil {
					ready = append(ready, f)
				}
				return err
			})
			if len(ready) >= chunk || !r.many() {
				place()
			}
		}
		place()
	}
}

// onlyMode reports whether the content of a file is where it is to be.
func (i *item) onlyMode() bool {
	return i.now.file() && i.want.file() && i.now.hash == i.want.hash && !i.parts()
}

// standing is what is at a path when a file is moved there, or it is removed.
//
//go:noinline
func (i *item) standing() state {
	now := i.now
	if i.opened && now.file() {
		now.mode = now.mode&^fs.ModeIrregular | 0o400
	}
	return now
}

// write writes what is to stand at a path beside it. Where only the mode is another nothing is left to be moved into place.
func (r *undoing) write(i *item) (filled, error) {
	s, err := r.exact(i.path)
	if err != nil {
		return filled{}, err
	}
	ready := false
	defer func() {
		if !ready {
			s.close()
		}
	}()
	if len(s.rest) > 0 {
		return filled{}, fs.ErrNotExist
	}
	if i.onlyMode() {
		return filled{}, r.inPlace(s, i)
	}
	was := i.standing()
	if was.dir() {
		was = state{} // it is gone by now
	}
	if e, ok := r.from.(*Effects); ok && i.want.file() {
		r.d.guild.note(path.Dir(s.path))
		if temp := tempName(r.d.guild.tag); e.lend(i.path, s.dir, temp) {
			ready = true
			return filled{i, s, temp, was}, nil
		}
	}
	f, err := r.from.OpenContent(r.ctx, i.want.hash)
	if err != nil {
		return filled{}, errNeverKept
	}
	r.written = true
	defer f.Close()
	next := i.want
	next.from, next.lazy = f, r.many()
	if next.link() {
		if next.data, err = io.ReadAll(f); err != nil {
			return filled{}, errNeverKept
		}
	}
	temp, err := r.d.writeTemp(s, was, next)
	ready = err == nil
	return filled{i, s, temp, was}, err
}

// inPlace gives a file its mode and attributes back without touching its content.
func (r *undoing) inPlace(s spot, i *item) error {
	now, err := r.d.inspect(s)
	switch {
	case err != nil:
		return err
	case now.same(i.want): // by another of its names
		return nil
	case now.hash != i.want.hash || !i.opened && !now.equal(i.now):
		return stale(s.path)
	}
	f, err := s.dir.read(s.name)
	if err != nil {
		return err
	}
	i.give(s)
	err = attribute(f, i.want.more)
	return errors.Join(err, f.Close(), s.dir.setMode(s.name, i.mode()))
}

// give gives what stands at a path back to its owner.
func (i *item) give(s spot) {
	if now, err := s.dir.lstat(s.name); err == nil && i.want.own != "" && now.owner() != i.want.own {
		i.foreign = s.dir.setOwner(s.name, i.want.own) != nil
	}
}

// mode is the mode that a path is to have: nothing runs as somebody whose it was not.
func (i *item) mode() fs.FileMode {
	if i.foreign {
		return i.want.mode &^ setID
	}
	return i.want.mode
}

// finish gives directories their modes and times back, the deepest first, and says what is done.
func (r *undoing) finish() {
	spoiled := map[string]bool{}
	for _, i := range r.items {
		if i.left != nil {
			spoiled[path.Dir(i.path)] = true
		}
	}
	times := map[string]int64{}
	touch := func(p string) {
		if at, ok := times[p]; ok {
			r.touch(p, at)
			delete(times, p)
		}
	}
	for _, i := range slices.Backward(r.items) {
		touch(i.path) // its own time, which comes after that of what is in it, is the one that stays
		r.attempt(i, r.dress)
		if i.opened && i.left != nil {
			r.closeAgain(i)
		}
		if up := path.Dir(i.path); i.left == nil && i.folder != 0 && !spoiled[up] {
			times[up] = i.folder
		}
	}
	for _, up := range slices.Collect(maps.Keys(times)) {
		touch(up)
	}
}

// dress gives what stands at a path now its mode, attributes and time.
func (r *undoing) dress(i *item) error {
	if !i.want.exists() || i.want.link() && i.done {
		return nil
	}
	s, err := r.exact(i.path)
	if err != nil {
		return err
	}
	defer s.close()
	given := s.stat.owner()
	i.give(s)
	if !i.want.link() && (exactMode(s.stat.mode) != i.mode() || i.want.own != "" && given != i.want.own) {
		if err := s.dir.setMode(s.name, i.mode()); err != nil {
			return err
		}
	}
	if i.want.dir() && !i.done {
		if sub, err := s.dir.sub(s.name); err == nil {
			err = attribute(sub.file(), i.want.more)
			sub.close()
			if err != nil {
				return err
			}
		}
	}
	if i.time != 0 && i.time != s.stat.mtime.UnixNano() {
		return s.dir.setTime(s.name, i.time)
	}
	return nil
}

// partly is the change that a path went through of which only a part could be done: what stands there is recorded as any other change.
func (r *undoing) partly(i *item) (c nebula.Change, some bool) {
	if i.fault == nil {
		return c, false
	}
	s, err := r.exact(i.path)
	if err != nil {
		return c, false
	}
	defer s.close()
	is, err := r.d.inspect(s)
	if err != nil || is.same(i.now) || is.exists() && is.hash != i.now.hash && is.hash != i.want.hash {
		return c, false // or another's
	}
	i.left.Why = nebula.InPart
	if no, ok := errors.AsType[syscall.Errno](i.fault); ok {
		i.left.Text = no.Error() // what was advised beside says that nothing was changed
	}
	c = change(display(i.path), i.now, is)
	c.Raw, c.Ignored, c.TwinBefore, c.TimeBefore = i.raw, i.last.Ignored, r.twinNow(i.path), i.nowTime
	if is.exists() {
		c.TimeAfter = is.stat.mtime.UnixNano()
	}
	if i.folder != 0 {
		c.FolderBefore, c.FolderAfter = i.upTime, i.folder
	}
	return c, true
}

// closeAgain gives back the mode of what was opened in vain.
func (r *undoing) closeAgain(i *item) {
	if s, err := r.exact(i.path); err == nil {
		if len(s.rest) == 0 {
			_ = s.dir.setMode(s.name, i.now.mode) // what could be done was
		}
		s.close()
	}
}

func (r *undoing) touch(p string, at int64) {
	if s, err := r.exact(p); err == nil {
		if len(s.rest) == 0 && s.stat.mode.IsDir() {
			_ = s.dir.setTime(s.name, at) // the time alone is nothing to stop for
		}
		s.close()
	}
}
