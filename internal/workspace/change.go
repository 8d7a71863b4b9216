package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"syscall"

	"nebula"
)

// Write makes a file, or replaces one, with the content data. The grant has to cover the path as [Dir.Clean] gives it,
// with the hash of the content that was shown (none for a new file); where the file is another by now, Write fails with
// [ErrStale]. The file keeps its mode. A link is followed when it leads inside, and stays; the change then names the file
// behind it. The directory has to exist: see [Dir.Mkdir].
func (d *Dir) Write(ctx context.Context, g *nebula.Grant, p string, data []byte) (nebula.Change, error) {
	if o, in := d.among(p); o != d {
		c, err := o.Write(ctx, g, in, data)
		return o.renamed(c, o.name), o.withFolder(err)
	}
	done, err := d.alone(ctx)
	if err != nil {
		return nebula.Change{}, err
	}
	defer done()
	s, shown, err := d.target(g, p, true)
	if err != nil {
		return nebula.Change{}, err
	}
	defer s.close()
	if err := d.writable(s); err != nil {
		return nebula.Change{}, err
	}
	if len(data) > maxKept {
		return nebula.Change{}, tooLarge(s.path, int64(len(data)), maxKept)
	}
	was, err := d.look(s)
	var open bool // in an editor that had not saved it
	var otherwise nebula.Change
	if err == nil && was.exists() && !was.dir() {
		was, open, otherwise, err = d.saved(ctx, &s, was, shown)
	}
	if err != nil {
		return otherwise, err
	}
	if was.hash != shown {
		return nebula.Change{}, stale(s.path)
	}
	next := state{mode: was.mode, hash: nebula.Hash(data), data: data, more: was.more.plain(), own: was.own}
	c, err := d.carry(ctx, s, was, next, granted(ctx, g, p, d))
	if open && err == nil {
		if otherwise, err = d.taken(&s, was, next); err != nil {
			return otherwise, err
		}
	}
	return c, err
}

// carry keeps what was, makes the change and says what it was, also where the disk did not confirm it.
func (d *Dir) carry(ctx context.Context, s spot, was, next state, last func() error) (nebula.Change, error) {
	if err := d.preserve(ctx, s.path, was); err != nil {
		return nebula.Change{}, err
	}
	twin := d.twin(ctx, s.path, was)
	err := d.replace(s, was, next, last)
	if !Stands(err) {
		return nebula.Change{}, err
	}
	if st, err := s.dir.lstat(s.name); err == nil && next.exists() {
		if next.own = st.owner(); next.mode.Perm() == 0 {
			next.mode = st.mode
		}
	}
	d.count++
	d.made[s.path] = made{d.count, state{mode: next.mode, hash: next.hash}}
	c := change(s.path, was, next)
	c.TwinBefore = twin
	d.guild.claim("", []nebula.Change{c})
	return c, err
}

// made is what a change left at a path, and its number.
type made struct {
	number int
	left   state
}

// changes is how many changes went through here so far.
func (d *Dir) changes() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count
}

// meanwhile reports whether what stands at a path is what a change made of it that went through here after the first so many.
func (d *Dir) meanwhile(path string, since int, now state) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	m, ok := d.made[path]
	return ok && m.number > since && m.left.equal(now)
}

// target finds where a change that the grant covers would be made, and the hash that was shown for it.
func (d *Dir) target(g *nebula.Grant, p string, follow bool) (spot, string, error) {
	rel, err := d.Clean(p)
	if err != nil {
		return spot{}, "", err
	}
	shown, ok := g.Covers(d.name(rel))
	if !ok {
		return spot{}, "", nebula.Errorf("%q: %w", rel, nebula.ErrNoGrant)
	}
	if d.Protected(rel) {
		return spot{}, "", untouchable(rel)
	}
	if err := d.present(); err != nil {
		return spot{}, "", err
	}
	s, err := d.sought(rel, follow)
	if err != nil {
		return spot{}, "", err
	}
	if err := d.changeable(rel, s); err != nil {
		s.close()
		return spot{}, "", err
	}
	return s, shown, nil
}

// changeable refuses places that must not change, however they were reached.
func (d *Dir) changeable(rel string, s spot) error {
	switch {
	case s.path == ".":
		return nebula.Wrong("", "The folder itself cannot be changed: name a file in it.")
	case d.Protected(path.Join(append([]string{s.path}, s.rest...)...)):
		return untouchable(rel)
	case !s.stat.exists() && !printable(path.Join(append([]string{s.path}, s.rest...)...)):
		return nebula.Wrong("", "%q has characters that do not belong in a new file's name.", rel)
	}
	return nil
}

//go:noinline
func untouchable(rel string) error {
	return nebula.Wrong("", "%q is protected: .git, .nebula and names that stand for them are never changed.", rel)
}

// writable refuses files that are marked read-only: replacing them would get around the mark.
func (d *Dir) writable(s spot) error {
	if len(s.rest) > 0 {
		return nebula.Wrong("Create the directory first.", "The directory %q does not exist.", s.path)
	}
	if !s.stat.exists() {
		return nil
	}
	if err := regular(s.path, s.stat.mode); err != nil {
		return err
	}
	err := s.dir.mayWrite(s.name)
	if errors.Is(err, syscall.EROFS) {
		return d.fault(s.path, err)
	}
	if s.stat.mode&0o222 == 0 || err != nil {
		return nebula.Errorf("%q: %w: the file is read-only; it was not changed", s.path, fs.ErrPermission)
	}
	return nil
}

// granted asks for the grant again, and whether the turn still goes on.
func granted(ctx context.Context, g *nebula.Grant, p string, d *Dir) func() error {
	return func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		rel, err := d.Clean(p)
		if err != nil {
			return err
		}
		if _, ok := g.Covers(d.name(rel)); !ok {
			return nebula.Errorf("%q: %w", rel, nebula.ErrNoGrant)
		}
		return nil
	}
}

// Delete removes a file, a link (not what it leads to) or an empty directory. The hash shown for a link may be that of
// the content it leads to, or that of its target as it is written.
func (d *Dir) Delete(ctx context.Context, g *nebula.Grant, p string) (nebula.Change, error) {
	if o, in := d.among(p); o != d {
		c, err := o.Delete(ctx, g, in)
		return o.renamed(c, o.name), o.withFolder(err)
	}
	done, err := d.alone(ctx)
	if err != nil {
		return nebula.Change{}, err
	}
	defer done()
	s, shown, err := d.target(g, p, false)
	if err != nil {
		return nebula.Change{}, err
	}
	defer s.close()
	if !s.stat.exists() {
		return nebula.Change{}, d.missing(s.path, s)
	}
	was, err := d.look(s)
	if err != nil {
		return nebula.Change{}, err
	}
	if was.dir() {
		if err := d.empty(s); err != nil {
			return nebula.Change{}, err
		}
	}
	if was.hash != shown && !(was.link() && d.behind(s.path) == shown) {
		return nebula.Change{}, stale(s.path)
	}
	return d.carry(ctx, s, was, state{}, granted(ctx, g, p, d))
}

// behind is the hash of the content that a link leads to.
func (d *Dir) behind(rel string) string {
	data, _, err := d.Read(rel, maxKept)
	if err != nil {
		return ""
	}
	return nebula.Hash(data)
}

func (d *Dir) empty(s spot) error {
	sub, err := s.dir.sub(s.name)
	if err != nil {
		return d.fault(s.path, err)
	}
	defer sub.close()
	all, err := sub.names()
	if err != nil {
		return d.fault(s.path, err)
	}
	if len(all) > 0 {
		return nebula.Wrong("Only empty directories can be deleted: delete the files in it first.", "%q is a directory with %d entries.", s.path, len(all))
	}
	return nil
}

// Mkdir makes a directory and those above it that are missing, the topmost first in the changes. The grant covers the
// path itself, with no hash. A directory that exists is no change and no error.
func (d *Dir) Mkdir(ctx context.Context, g *nebula.Grant, p string) ([]nebula.Change, error) {
	if o, in := d.among(p); o != d {
		made, err := o.Mkdir(ctx, g, in)
		return o.outward(made), o.withFolder(err)
	}
	done, err := d.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	var made []nebula.Change
	var unsure error // of the last that the disk did not confirm
	for {
		s, _, err := d.target(g, p, true)
		if err != nil {
			return made, err
		}
		if s.stat.mode.IsDir() {
			s.close()
			return made, unsure
		}
		if s.stat.exists() {
			s.close()
			return made, nebula.Wrong("", "%q exists and is not a directory.", s.path)
		}
		c, err := d.carry(ctx, s, state{}, state{mode: fs.ModeDir}, granted(ctx, g, p, d))
		s.close()
		if c.Kind != "" {
			made = append(made, c)
		}
		if !Stands(err) {
			return made, err
		}
		unsure = cmp.Or(err, unsure)
	}
}
