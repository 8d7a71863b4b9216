package workspace

import (
	"context"
	"errors"
	"iter"
	"path"
	"path/filepath"

	"nebula"
	"nebula/internal/lists"
)

// Add opens a further folder, which files may be read and changed in as in this one, under the same grants. Its paths are
// absolute, with slashes, wherever the package takes or gives any. own is as for [Open]. Share and Cover come after it.
func (d *Dir) Add(dir string, own ...string) error {
	o, err := Open(dir, d.keep, own...)
	if err != nil {
		return err
	}
	for _, there := range append([]*Dir{d}, d.more...) {
		switch {
		case covers(there.real, o.real):
			return o.Close() // it can be reached already
		case covers(o.real, there.real):
			return errors.Join(nebula.Errorf("folder %q holds the folder %q: name one that lies beside it", dir, there.real), o.Close())
		}
	}
	o.abroad = filepath.ToSlash(o.real)
	d.more = append(d.more, o)
	return nil
}

// Further are the folders that were added.
func (d *Dir) Further() []string {
	var dirs []string
	for _, o := range d.more {
		dirs = append(dirs, o.abroad)
	}
	return dirs
}

// Everything lists the folder and those that were added to it, as [Dir.List] does.
func (d *Dir) Everything(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, under := range append([]string{""}, d.Further()...) {
			for e, err := range d.List(ctx, Walk{Under: under, Recursive: true}) {
				if !yield(e, err) {
					return
				}
			}
		}
	}
}

// further is the path of something in a folder that was added; full is absolute.
func (d *Dir) further(full string) (string, bool) {
	for _, o := range d.more {
		if rel, ok := o.inside(full); ok {
			return o.name(rel), true
		}
	}
	return "", false
}

// of gives a clean path's folder, and the path in it.
func (d *Dir) of(rel string) (*Dir, string) {
	if !path.IsAbs(rel) && !filepath.IsAbs(rel) {
		return d, rel
	}
	for _, o := range d.more {
		if in, ok := o.inside(filepath.FromSlash(rel)); ok {
			return o, in
		}
	}
	return d, rel
}

// those are the changes in a folder that was added, as they are named there.
func (d *Dir) those(o *Dir, changes []nebula.Change) (own []nebula.Change) {
	for _, c := range changes {
		if in, _ := d.of(c.Name()); in == o {
			own = append(own, c)
		}
	}
	return o.inward(own)
}

// name is what a path of this folder is called outside of it.
//
//go:noinline
func (d *Dir) name(rel string) string {
	if d.abroad == "" {
		return rel
	}
	return path.Join(d.abroad, rel)
}

// names are such paths.
func (d *Dir) names(rel []string) []string {
	out := make([]string, len(rel))
	for i, p := range rel {
		out[i] = d.name(p)
	}
	return out
}

func (d *Dir) renamed(c nebula.Change, rename func(string) string) nebula.Change {
	if d.abroad == "" {
		return c
	}
	c.Path = rename(c.Path)
	if c.Raw != nil {
		c.Raw = []byte(rename(string(c.Raw)))
	}
	if c.TwinBefore != "" {
		c.TwinBefore = rename(c.TwinBefore)
	}
	if c.TwinAfter != "" {
		c.TwinAfter = rename(c.TwinAfter)
	}
	return c
}

// outward gives changes the names that they have outside, inward takes those away.
//
//go:noinline
func (d *Dir) outward(changes []nebula.Change) []nebula.Change {
	return each(changes, func(c nebula.Change) nebula.Change { return d.renamed(c, d.name) })
}

//go:noinline
func (d *Dir) inward(changes []nebula.Change) []nebula.Change {
	return each(changes, func(c nebula.Change) nebula.Change {
		return d.renamed(c, func(p string) string {
			if p == d.abroad {
				return "."
			}
			return p[len(d.abroad)+1:]
		})
	})
}

func each[T any](all []T, f func(T) T) []T {
	all = lists.Clone(all)
	for i := range all {
		all[i] = f(all[i])
	}
	return all
}

// withFolder is an error that says in which folder it came about.
func (d *Dir) withFolder(err error) error {
	if d.abroad == "" || err == nil {
		return err
	}
	if m, ok := errors.AsType[*nebula.Mistake](err); ok {
		said := *m
		said.Text = "In " + d.abroad + ": " + m.Text
		return abroad{&said, err}
	}
	return nebula.Errorf("in %s: %w", d.abroad, err)
}

// An abroad mistake is one about another folder.
type abroad struct {
	*nebula.Mistake
	err error
}

// Unwrap gives what the model reads, and the error.
func (a abroad) Unwrap() []error { return []error{a.Mistake, a.err} }

// bring has each folder take back its own changes. Where one of them is not open nothing is taken back.
func (d *Dir) bring(ctx context.Context, g *nebula.Grant, changes []nebula.Change) (made []nebula.Change, left []nebula.Left, err error) {
	own := map[*Dir][]nebula.Change{}
	for _, c := range changes {
		o, in := d.of(c.Name())
		if o == d && path.IsAbs(in) {
			return nil, nil, nebula.Errorf("%q lies in a folder that is not open: add it with --add-dir; nothing was changed", c.Path)
		}
		own[o] = append(own[o], c)
	}
	for _, o := range append([]*Dir{d}, d.more...) {
		if len(own[o]) == 0 {
			continue
		}
		done, not, restored := o.restore(ctx, g, o.inward(own[o]), nil)
		made = append(made, o.outward(done)...)
		for _, l := range not {
			l.Path = o.name(l.Path)
			left = append(left, l)
		}
		err = errors.Join(err, o.withFolder(restored))
	}
	return made, left, err
}
