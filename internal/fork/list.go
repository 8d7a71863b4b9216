package fork

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

func (e entry) there() bool { return e.here }

// temporary begins the names of files that nebula is about to move to where they belong, and that a nebula which was killed
// left.
const temporary = ".nebula-tmp-"

// walk goes through what a folder holds, a folder before what is in it. Sockets, pipes and devices are nothing that can be
// copied.
func walk(ctx context.Context, folder string, skip []string, do func(rel string, e entry) error) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case path == folder:
			return err
		case strings.HasPrefix(d.Name(), temporary):
			return nil
		case slices.Contains(skip, path):
			return fs.SkipDir
		case errors.Is(err, fs.ErrNotExist):
			return nil // it is gone meanwhile
		case err != nil:
			return err
		}
		e, err := stat(path)
		if err != nil || !e.there() {
			return err
		}
		rel, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		return do(rel, e)
	})
}

func stat(path string) (entry, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return entry{}, nil
	}
	if err != nil {
		return entry{}, err
	}
	e := entry{mode: info.Mode(), here: true}
	switch {
	case info.IsDir():
	case info.Mode()&fs.ModeSymlink != 0:
		e.link, err = os.Readlink(path)
	case info.Mode().IsRegular():
		e.size, e.time = info.Size(), info.ModTime()
	default:
		return entry{}, nil
	}
	return e, err
}

// list is everything in a folder by its path, but for repositories.
func list(ctx context.Context, folder string, skip ...string) (map[string]entry, error) {
	all := map[string]entry{}
	err := walk(ctx, folder, skip, func(rel string, e entry) error {
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
func (f *Fork) same(a string, was entry, b string, is entry) bool {
	if was.there() != is.there() || was.mode != is.mode || was.size != is.size || was.link != is.link {
		return false
	}
	if !was.mode.IsRegular() || !was.there() {
		return true
	}
	if was.time.Equal(is.time) && was.time.Before(f.moved.Add(-racy)) {
		return true
	}
	return alike(a, b)
}

// alike compares two files.
func alike(a, b string) bool {
	one, err := os.Open(a)
	if err != nil {
		return false
	}
	defer one.Close()
	other, err := os.Open(b)
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
