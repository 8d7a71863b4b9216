// Package fork gives work that runs beside other work a copy of the folder to itself, and says what came of it there: a
// step of a plan runs the whole project's tests in its own copy, whatever the steps beside it have half done in theirs.
//
// A fork holds what the folder holds, what git ignores and what nobody committed too. Beside the copy that is worked in
// lies one that stays as it was, so that three-way merges and what was changed need nothing but the two ([Fork.Bring],
// [Fork.Changes]). Changing the folder itself is not done here: that takes a grant.
//
// What it leaves alone are repositories: they are copied, and what becomes of them in a fork stays there.
package fork

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"nebula"
)

// A Fork is a folder of nebula's own with the copy that is worked in and the one that stays.
type Fork struct {
	// Ignores reports whether the project's rules leave a path out, or only tools write it; nil for none. Two versions of such a file are not
	// merged: one of them stays.
	Ignores func(path string) bool

	home  string
	moved time.Time // when it was made: what was changed shortly before is compared by its content
}

// A Bound is how large a folder may be that is copied.
type Bound struct {
	Bytes int64
	Files int
}

// The parts of a fork.
const (
	workName  = "work"
	baseName  = "base"
	wholeName = "whole" // made last: without it the copying was cut off
)

// errLarge ends the look at a folder that is over its bound.
var errLarge = errors.New("the folder is too large to be copied")

// Fits reports whether a folder can be copied: it is within the bound, and no work tree whose repository lies elsewhere,
// which a copy would change. skip are folders that are left out.
func Fits(ctx context.Context, folder string, most Bound, skip ...string) bool {
	if info, err := os.Lstat(filepath.Join(folder, ".git")); err == nil && !info.IsDir() {
		return false
	}
	t, err := openTree(folder)
	if err != nil {
		return false
	}
	defer t.close()
	return t.walk(ctx, skip, func(_ string, e entry) error {
		most.Bytes -= e.size
		if most.Files--; most.Bytes < 0 || most.Files < 0 {
			return errLarge
		}
		return nil
	}) == nil
}

// Make copies a folder into a new folder home. What stands there of a copy that was cut off is removed.
func Make(ctx context.Context, folder, home string, skip ...string) (*Fork, error) {
	if err := os.RemoveAll(home); err != nil {
		return nil, err
	}
	f := &Fork{home: home, moved: time.Now()}
	for _, part := range []string{f.base(), f.Work()} {
		if err := os.MkdirAll(part, 0o700); err != nil {
			return nil, err
		}
	}
	if err := f.fill(ctx, folder, skip); err != nil {
		return nil, errors.Join(err, os.RemoveAll(home))
	}
	return f, nil
}

// fill copies the folder into both parts, and says that the fork is whole. Folders get their modes, which may forbid writing
// in them, when all is there.
func (f *Fork) fill(ctx context.Context, folder string, skip []string) error {
	from, err := openTree(folder)
	if err != nil {
		return err
	}
	defer from.close()
	base, work, err := f.parts()
	if err != nil {
		return err
	}
	defer base.close()
	defer work.close()
	modes := map[string]fs.FileMode{}
	err = from.walk(ctx, skip, func(rel string, e entry) error {
		if e.mode.IsDir() {
			modes[rel] = e.mode
		}
		if err := putEntry(from, base, rel, e); err != nil {
			return err
		}
		return putEntry(base, work, rel, e)
	})
	if err != nil {
		return err
	}
	for _, rel := range slices.Backward(slices.Sorted(maps.Keys(modes))) {
		if err := errors.Join(base.dress(rel, modes[rel]), work.dress(rel, modes[rel])); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(f.home, wholeName), nil, 0o600)
}

// parts opens the copy that stays and the one that is worked in.
func (f *Fork) parts() (base, work tree, err error) {
	if base, err = openTree(f.base()); err != nil {
		return base, work, err
	}
	if work, err = openTree(f.Work()); err != nil {
		base.close()
	}
	return base, work, err
}

// Open is the fork in a folder; false where there is none that is whole.
func Open(home string) (*Fork, bool) {
	info, err := os.Stat(filepath.Join(home, wholeName))
	if err != nil {
		return nil, false
	}
	return &Fork{home: home, moved: info.ModTime()}, true
}

// ignored reports whether a path is ignored, and whether a tool keeps it for itself: such a cache stays in the fork.
func (f *Fork) ignored(rel string) (ignored, cache bool) {
	path := filepath.ToSlash(rel)
	ignored = f.Ignores != nil && f.Ignores(path)
	return ignored, nebula.Change{Path: path, Ignored: ignored}.Cache()
}

// Work is the folder to work in.
//
//go:noinline
func (f *Fork) Work() string { return filepath.Join(f.home, workName) }

//go:noinline
func (f *Fork) base() string { return filepath.Join(f.home, baseName) }

// Remove removes the fork with all that was not joined.
func (f *Fork) Remove() error { return os.RemoveAll(f.home) }

// Changes are what leads from the folder as it was to what was made of it, told the wrong way round: as changes that led
// away from it, which an undo takes back. keep keeps contents for it.
func (f *Fork) Changes(ctx context.Context, keep func(context.Context, []byte) (string, error)) (changes []nebula.Change, err error) {
	before, after, err := f.parts()
	if err != nil {
		return nil, err
	}
	defer before.close()
	defer after.close()
	made, err := f.differing(ctx, before, after)
	if err != nil {
		return nil, err
	}
	for _, p := range made {
		rel, was, is := p.rel, p.was, p.is
		if _, cache := f.ignored(rel); cache && is.there() { // what is gone may be in the way of its folder
			continue
		}
		c := nebula.Change{Path: filepath.ToSlash(rel), Kind: kind(is, was), ModeBefore: uint32(is.mode), ModeAfter: uint32(was.mode)}
		if c.Before, err = kept(ctx, after, rel, is, keep); err != nil {
			return nil, err
		}
		hash := func(_ context.Context, data []byte) (string, error) { return nebula.Hash(data), nil }
		if c.After, err = kept(ctx, before, rel, was, hash); err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// kind says how one entry became another.
func kind(before, after entry) string {
	switch {
	case before.there() && before.mode.IsDir() && !after.there():
		return "rmdir"
	case after.there() && after.mode.IsDir() && !before.there():
		return "mkdir"
	case !after.there():
		return "delete"
	case !before.there():
		return "create"
	}
	return "edit"
}

// kept is the hash of what stands at a path, kept.
func kept(ctx context.Context, in tree, rel string, e entry, keep func(context.Context, []byte) (string, error)) (string, error) {
	switch {
	case !e.there() || e.mode.IsDir():
		return "", nil
	case e.mode&fs.ModeSymlink != 0:
		return keep(ctx, []byte(e.link))
	}
	data, err := in.read(rel)
	if err != nil {
		return "", err
	}
	return keep(ctx, data)
}
