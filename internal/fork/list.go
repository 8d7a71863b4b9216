package fork

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"
)

// An entry is what stands at a path; the zero entry is nothing.
type entry struct {
	mode fs.FileMode
	size int64
	time time.Time
	link string
	here bool
}

//go:noinline
func (e entry) there() bool { return e.here }

// temporary begins the names of files that nebula is about to move to where they belong, and that a nebula which was killed
// left.
const temporary = ".nebula-tmp-"

// list is everything in a folder by its path, but for repositories.
func list(ctx context.Context, folder tree, skip ...string) (map[string]entry, error) {
	all := map[string]entry{}
	err := folder.walk(ctx, skip, func(rel string, e entry) error {
		if filepath.Base(rel) == ".git" {
			if e.mode.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		all[rel] = e
		return nil
	})
	return all, err
}

// union are the paths of several lists, a folder before what is in it.
func union(lists ...map[string]entry) []string {
	all := map[string]bool{}
	for _, l := range lists {
		for rel := range l {
			all[rel] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// racy is how long before the fork was made a file was changed whose time alone tells nothing: the clock of file systems is
// coarse.
const racy = 2 * time.Second

// same reports whether two entries are the same, as far as a merge goes: what they are, their modes and contents.
func (f *Fork) same(rel string, a tree, was entry, b tree, is entry) bool {
	if was.there() != is.there() || was.mode != is.mode || was.size != is.size || was.link != is.link {
		return false
	}
	if !was.mode.IsRegular() || !was.there() {
		return true
	}
	if was.time.Equal(is.time) && was.time.Before(f.moved.Add(-racy)) {
		return true
	}
	return alike(rel, a, b)
}

// A pair is a path that is not the same in two trees.
type pair struct {
	rel     string
	was, is entry
}

// differing are the paths that are not the same in two trees, a folder before what is in it.
func (f *Fork) differing(ctx context.Context, a, b tree, skip ...string) (all []pair, err error) {
	was, err := list(ctx, a)
	if err != nil {
		return nil, err
	}
	is, err := list(ctx, b, skip...)
	if err != nil {
		return nil, err
	}
	for _, rel := range union(was, is) {
		if !f.same(rel, a, was[rel], b, is[rel]) {
			all = append(all, pair{rel, was[rel], is[rel]})
		}
	}
	return all, nil
}

// alike compares the files of two trees.
func alike(rel string, a, b tree) bool {
	one, err := a.file(rel)
	if err != nil {
		return false
	}
	defer one.Close()
	other, err := b.file(rel)
	if err != nil {
		return false
	}
	defer other.Close()
	var x, y [64 << 10]byte
	for {
		n, errX := io.ReadFull(one, x[:])
		m, errY := io.ReadFull(other, y[:])
		if !bytes.Equal(x[:n], y[:m]) {
			return false
		}
		if errX != nil || errY != nil {
			return errX == errY
		}
	}
}
