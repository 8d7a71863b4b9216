package workspace

import (
	"context"
	"slices"

	"nebula"
)

// Ready reports whether Restore could bring something of changes back as the folder is now: something that is not as it was
// already, that nobody changed or writes, and whose content was kept. What cannot be told by looking counts as ready, and Restore tells why it is not. Nothing is
// touched.
//
//go:noinline
func (d *Dir) Ready(ctx context.Context, changes []nebula.Change) bool {
	return d.some(ctx, changes, (*undoing).ready)
}

// Idle reports whether everything is as it was before changes already: Restore would do nothing.
//
//go:noinline
func (d *Dir) Idle(ctx context.Context, changes []nebula.Change) bool {
	return !d.some(ctx, changes, (*undoing).differs)
}

// some reports whether something is so of one of the paths that changes tell of.
func (d *Dir) some(ctx context.Context, changes []nebula.Change, is func(*undoing, *item) bool) bool {
	own := map[*Dir][]nebula.Change{}
	for _, c := range changes {
		o, _ := d.of(c.Name())
		own[o] = append(own[o], c)
	}
	for o, changes := range own {
		r := &undoing{d: o, ctx: ctx, from: o.keep}
		r.arrange(o.inward(changes))
		if slices.ContainsFunc(r.items, func(i *item) bool { return is(r, i) }) {
			return true
		}
	}
	return false
}

// differs reports whether a path is not as it was. A directory that holds something goes with that.
func (r *undoing) differs(i *item) bool {
	s, err := r.d.exact(i.path)
	if err != nil {
		return true
	}
	defer s.close()
	i.now, err = r.d.inspect(s)
	i.now.data = nil
	return err != nil || (!i.now.same(i.want) || i.parts()) && (!i.now.dir() || i.want.exists() || s.empty())
}

func (r *undoing) ready(i *item) bool {
	if !r.d.restorable(i.path) {
		return false
	}
	s, err := r.d.exact(i.path)
	if err != nil {
		return true
	}
	defer s.close()
	if i.now, err = r.d.inspect(s); err != nil {
		return true
	}
	i.now.data = nil
	switch {
	case i.now.same(i.want) && !i.parts(), !i.known(), i.now.file() && s.written():
		return false
	case i.now.dir() && !i.want.dir() && !s.empty():
		return false // it goes with what it holds
	}
	return !i.want.file() && !i.want.link() || i.onlyMode() || r.kept(i.want.hash)
}

// kept reports whether a content can be read.
func (r *undoing) kept(hash string) bool {
	if e, ok := r.from.(*Effects); ok {
		return e.from[hash] != "" // whether it is still there shows before anything is replaced
	}
	f, err := r.from.OpenContent(r.ctx, hash)
	if err != nil {
		return false
	}
	_ = f.Close()
	return true
}

// empty reports whether nothing is in a directory.
func (s spot) empty() bool {
	sub, err := s.dir.sub(s.name)
	if err != nil {
		return true
	}
	defer sub.close()
	list, err := sub.list()
	if err != nil {
		return true
	}
	defer list.Close()
	names, _ := list.Readdirnames(1)
	return len(names) == 0
}
