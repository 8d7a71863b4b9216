package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/lists"
	"nebula/internal/steer"
)

// effects tells what is different in a view.
func (d *Dir) effects(ctx context.Context, v *viewed) (*Effects, error) {
	if err := d.present(); err != nil {
		return nil, err
	}
	entries, err := v.view.Changed()
	if err != nil {
		return nil, err
	}
	upper, err := layer(v.view.Upper)
	if err != nil {
		return nil, err
	}
	defer upper.unlayer()
	e := &Effects{dir: d, v: v, upper: v.view.Upper, from: map[string]string{}}
	t := &telling{e: e, ctx: ctx, upper: upper, times: map[string][2]int64{}, news: map[uint64][]string{}}
	for _, n := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.tell(n)
	}
	lists.Sort(e.Changes, func(a, b nebula.Change) int { return cmp.Compare(a.Name(), b.Name()) })
	t.links()
	e.Changes = d.uncompiled(e.Changes)
	e.Renames = renames(e.Changes)
	return e, nil
}

// layer opens the folder that has a view's changes, for looks at what is in it.
func layer(upper string) (*Dir, error) {
	root, err := os.OpenRoot(upper)
	if err != nil {
		return nil, err
	}
	top, err := openTop(root)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Dir{path: upper, real: upper, root: root, top: top}, nil
}

func (d *Dir) unlayer() { _, _ = d.top.close(), d.root.Close() }

// A telling makes changes of the entries of a view.
type telling struct {
	e       *Effects
	ctx     context.Context
	upper   *Dir
	times   map[string][2]int64 // of folders, before and now; zero where they are not to be told
	news    map[uint64][]string // the names of files in the view that have several
	several bool                // a file with several names is changed or gone
	held    []string            // what is not kept with all that is below it
}

// tell takes in an entry of a view.
func (t *telling) tell(n confine.Entry) {
	if slices.ContainsFunc(t.held, func(p string) bool { return strings.HasPrefix(n.Path, p+"/") }) {
		return
	}
	s, err := t.e.dir.exact(n.Path)
	if err != nil {
		t.lose(n.Path)
		return
	}
	defer s.close()
	if n.Gone {
		t.gone(s)
		return
	}
	if t.refuse(n, s) {
		return
	}
	was, err := t.e.dir.inspect(s)
	if err != nil {
		t.lose(n.Path)
		return
	}
	now, err := t.now(n)
	if err != nil {
		t.lose(n.Path)
		return
	}
	t.compare(n, was, now)
}

// now is what stands at a path in the view.
func (t *telling) now(n confine.Entry) (state, error) {
	s, err := t.upper.exact(n.Path)
	if err != nil {
		return state{}, err
	}
	defer s.close()
	if !n.Mode.IsRegular() && !n.Mode.IsDir() && n.Mode&fs.ModeSymlink == 0 {
		return state{}, errors.ErrUnsupported
	}
	now, err := t.upper.inspect(s)
	if err != nil {
		return now, err
	}
	now.more = own(now.more)
	if n.Mode.IsRegular() {
		now.mode = exactMode(n.Mode)
	} else {
		now.mode = n.Mode
	}
	now.own, now.stat.mode = s.stat.owner(), n.Mode
	now.data = nil
	return now, nil
}

// compare makes a change of what stood at a path and what stands there.
func (t *telling) compare(n confine.Entry, was, now state) {
	p := n.Path
	same := was.same(now)
	if now.file() && now.stat.links > 1 && utf8.ValidString(p) {
		ino := now.stat.mark().ino
		t.news[ino] = append(t.news[ino], p)
	}
	if same && (was.dir() || was.link() || was.stat.mtime.Equal(now.stat.mtime) && now.stat.links < 2) {
		return
	}
	if t.clash(p, n.Was, was, now) {
		return
	}
	c := change(display(p), was, now)
	if same {
		c.Kind = "time"
	}
	t.add(p, c, was, now)
	if now.file() || now.link() {
		t.e.from[now.hash] = p
	}
	if was.file() && was.stat.links > 1 && n.Was {
		t.e.Apart = append(t.e.Apart, display(p))
	}
	if was.dir() && !now.dir() {
		t.below(p)
	}
}

// clash reports whether somebody else changed what the command changed.
func (t *telling) clash(p string, copied bool, was, now state) bool {
	late := was.exists() && was.stat.ctime.UnixNano() > t.e.v.view.Since
	switch {
	case was.dir() && now.dir():
		late = late && was.mode != now.mode // names that came and went are for themselves
	case copied && !was.exists(): // moved from elsewhere, or taken away by somebody meanwhile
		s, err := t.e.dir.exact(path.Dir(p))
		if err == nil {
			late = len(s.rest) == 0 && s.stat.ctime.UnixNano() > t.e.v.view.Since
			s.close()
		}
	case was.dir():
		late = false // what is in it is looked at
	}
	if late {
		t.e.Clashes = append(t.e.Clashes, display(p))
	}
	return late
}

func (t *telling) add(p string, c nebula.Change, was, now state) {
	if !utf8.ValidString(p) {
		c.Raw = []byte(p)
	}
	if was.exists() {
		c.TimeBefore = was.stat.mtime.UnixNano()
	}
	if now.exists() {
		c.TimeAfter = now.stat.mtime.UnixNano()
	}
	if up := t.folder(path.Dir(p)); up[0] != up[1] {
		c.FolderBefore, c.FolderAfter = up[0], up[1]
	}
	t.several = t.several || was.file() && was.stat.links > 1
	t.e.Changes = append(t.e.Changes, c)
}

// folder tells when a folder was changed, before and in the view; nothing where it is not in both, or others changed it.
func (t *telling) folder(p string) [2]int64 {
	if both, ok := t.times[p]; ok {
		return both
	}
	var both [2]int64
	was, err := t.e.dir.exact(p)
	if err == nil {
		defer was.close()
		now, err := t.upper.exact(p)
		if err == nil {
			defer now.close()
			if was.stat.mode.IsDir() && now.stat.mode.IsDir() && len(was.rest)+len(now.rest) == 0 && was.stat.ctime.UnixNano() <= t.e.v.view.Since {
				both = [2]int64{was.stat.mtime.UnixNano(), now.stat.mtime.UnixNano()}
			}
		}
	}
	t.times[p] = both
	return both
}

// gone takes in that what stands at a spot, and all that is below it, is gone in the view.
func (t *telling) gone(s spot) {
	if len(s.rest) > 0 || !s.stat.exists() || t.e.dir.owned(s.path) {
		return
	}
	was, err := t.e.dir.inspect(s)
	if err != nil {
		t.lose(s.path)
		return
	}
	if t.clash(s.path, false, was, state{}) {
		return
	}
	t.add(s.path, change(display(s.path), was, state{}), was, state{})
	if was.dir() {
		t.below(s.path)
	}
}

// below takes in that everything in a folder is gone.
func (t *telling) below(p string) {
	s, err := t.e.dir.exact(p)
	if err != nil {
		return
	}
	defer s.close()
	sub, err := s.dir.sub(s.name)
	if err != nil {
		t.lose(p)
		return
	}
	defer sub.close()
	names, err := sub.names()
	if err != nil {
		t.lose(p)
		return
	}
	for _, n := range names {
		if st, err := sub.lstat(n.name); err == nil {
			t.gone(spot{dir: sub, name: n.name, path: path.Join(p, n.name), stat: st})
		}
	}
}

//go:noinline
func (t *telling) lose(p string) { t.e.Lost = append(t.e.Lost, display(p)) }

// refuse reports whether something came to stand where a command may make nothing.
func (t *telling) refuse(n confine.Entry, s spot) bool {
	dir, name := path.Split(n.Path)
	filled := slices.ContainsFunc(strings.Split(dir, "/"), steer.Filled)
	base := path.Base(path.Join(t.e.dir.real, dir))
	switch {
	case strings.HasPrefix(name, tempPrefix), t.e.dir.owned(n.Path):
		t.lose(n.Path)
	case s.stat.exists() && len(s.rest) == 0, name == ".git", !steer.Held(base, name, filled):
		return false
	default:
		t.e.Refused = append(t.e.Refused, display(n.Path))
	}
	t.held = append(t.held, n.Path)
	return true
}

// links says which paths are names of one file.
func (t *telling) links() {
	at := map[string]int{}
	for i, c := range t.e.Changes {
		at[c.Name()] = i
	}
	for _, names := range t.news {
		lead := names[0]
		for _, p := range names { // best one that is not changed itself
			if _, changed := at[p]; !changed {
				lead = p
			}
		}
		for _, p := range names {
			if i, changed := at[p]; changed && p != lead {
				t.e.Changes[i].TwinAfter = lead
			} else if changed && len(names) > 1 {
				t.e.Changes[i].TwinAfter = names[(slices.Index(names, p)+1)%len(names)]
			}
		}
	}
	if !t.several {
		return
	}
	top, err := t.e.dir.survey(t.ctx, nil).walk(nil)
	if err != nil {
		return
	}
	olds := map[uint64][]string{}
	top.dir.each("", func(p string, k *kid) {
		if k.mark.links > 1 && k.mark.mode.IsRegular() && utf8.ValidString(p) {
			olds[k.mark.ino] = append(olds[k.mark.ino], p)
		}
	})
	for _, names := range olds {
		for _, p := range names {
			if i, changed := at[p]; changed {
				for _, other := range names {
					if _, too := at[other]; other != p && (t.e.Changes[i].TwinBefore == "" || !too) {
						t.e.Changes[i].TwinBefore = other
					}
				}
			}
		}
	}
}

// renames tells of new files where a file with the same content stood that is gone.
func renames(changes []nebula.Change) map[string]string {
	gone := map[string][]string{}
	for _, c := range changes {
		if c.Kind == "delete" && c.Before != "" && c.Before != nebula.Hash(nil) {
			gone[c.Before] = append(gone[c.Before], c.Path)
		}
	}
	found := map[string]string{}
	for _, c := range changes {
		if old := gone[c.After]; c.Kind == "create" && len(old) > 0 {
			at := max(slices.IndexFunc(old, func(p string) bool { return path.Base(p) == path.Base(c.Path) }), 0)
			found[c.Path] = old[at]
			gone[c.After] = lists.Delete(old, at, at+1)
		}
	}
	return found
}
