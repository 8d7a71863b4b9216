package fork

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nebula/internal/lists"
)

// A tree is a folder that was opened once. What is in it is reached one name at a time and through no link: whoever works in
// a copy may have made a link of any of its folders, to anywhere.
type tree struct {
	root *os.Root
	path string
}

//go:noinline
func openTree(path string) (tree, error) {
	root, err := os.OpenRoot(path)
	return tree{root, path}, err
}

//go:noinline
func (t tree) close() { _ = t.root.Close() } // it was only looked from

// errInTheWay is of a place that cannot be reached or taken: a file or a link stands where a folder is to be, or a folder
// that holds something.
var errInTheWay = errors.New("something else stands in its place")

// folder opens a folder of the tree. With missing, those that are not there are made.
func (t tree) folder(rel string, missing bool) (*os.Root, error) {
	at, err := t.root.OpenRoot(".")
	if err != nil || rel == "." {
		return at, err
	}
	for name := range strings.SplitSeq(rel, string(filepath.Separator)) {
		if missing {
			if err := at.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, errors.Join(err, at.Close())
			}
		}
		sub, err := enter(at, name)
		_ = at.Close() // it was only looked from
		if err != nil {
			return nil, err
		}
		at = sub
	}
	return at, nil
}

// holder opens the folder that a path is in.
func (t tree) holder(rel string, missing bool) (at *os.Root, name string, err error) {
	at, err = t.folder(filepath.Dir(rel), missing)
	return at, filepath.Base(rel), err
}

// enter opens a folder by its name, and nothing that a link leads to: what was opened is what the name itself is.
func enter(at *os.Root, name string) (*os.Root, error) {
	is, err := at.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !is.IsDir() {
		return nil, errInTheWay
	}
	sub, err := at.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if opened, err := sub.Stat("."); err != nil || !os.SameFile(is, opened) {
		return nil, errors.Join(cmp.Or(err, errInTheWay), sub.Close())
	}
	return sub, nil
}

// file opens a regular file to be read.
func (t tree) file(rel string) (*os.File, error) {
	at, name, err := t.holder(rel, false)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	is, err := at.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !is.Mode().IsRegular() {
		return nil, errInTheWay
	}
	f, err := at.Open(name)
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(is, opened) {
		return nil, errors.Join(cmp.Or(err, errInTheWay), f.Close())
	}
	return f, nil
}

func (t tree) read(rel string) ([]byte, error) {
	f, err := t.file(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// dress gives a folder its mode.
func (t tree) dress(rel string, mode fs.FileMode) error {
	at, err := t.folder(rel, false)
	if err != nil {
		return err
	}
	return errors.Join(at.Chmod(".", mode), at.Close())
}

// write moves a file to its place that was written beside it.
func (t tree) write(rel string, from io.Reader, e entry) error {
	at, name, err := t.holder(rel, true)
	if err != nil {
		return err
	}
	defer at.Close()
	temp := temporary + "fork-" + name
	if err := at.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, err := at.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	if err = errors.Join(err, out.Chmod(e.mode), out.Close()); err == nil && !e.time.IsZero() {
		err = at.Chtimes(temp, e.time, e.time)
	}
	if err != nil {
		return errors.Join(err, at.Remove(temp))
	}
	return at.Rename(temp, name)
}

// putEntry makes what stands at a path of one tree at the same path of another. Files are shared with the copy where the file
// system can.
func putEntry(from, to tree, rel string, e entry) error {
	if e.mode.IsRegular() {
		in, err := from.file(rel)
		if err != nil {
			return err
		}
		defer in.Close()
		return to.write(rel, in, e)
	}
	at, name, err := to.holder(rel, true)
	if err != nil {
		return err
	}
	defer at.Close()
	if e.mode.IsDir() {
		if err := at.Mkdir(name, e.mode.Perm()|0o700); !errors.Is(err, fs.ErrExist) {
			return err
		}
		sub, err := enter(at, name)
		if err != nil {
			return err
		}
		return sub.Close()
	}
	_ = at.Remove(name) // it is made anew
	return at.Symlink(e.link, name)
}

// walk goes through what a tree holds, a folder before what is in it. Sockets, pipes and devices are nothing that can be
// copied.
func (t tree) walk(ctx context.Context, skip []string, do func(rel string, e entry) error) error {
	at, err := t.folder(".", false)
	if err != nil {
		return err
	}
	defer at.Close()
	return t.within(ctx, at, ".", skip, do)
}

func (t tree) within(ctx context.Context, at *os.Root, folder string, skip []string, do func(rel string, e entry) error) error {
	all, err := names(at)
	if err != nil {
		return err
	}
	for _, name := range all {
		rel := filepath.Join(folder, name)
		if strings.HasPrefix(name, temporary) || lists.Has(skip, filepath.Join(t.path, rel)) {
			continue
		}
		e, err := stat(at, name)
		if err = errors.Join(ctx.Err(), err); err != nil {
			return err
		}
		if !e.there() {
			continue
		}
		switch err = do(rel, e); {
		case errors.Is(err, fs.SkipDir) || err == nil && !e.mode.IsDir():
			continue
		case err != nil:
			return err
		}
		sub, err := enter(at, name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errInTheWay) {
			continue // it is gone meanwhile
		}
		if err != nil {
			return err
		}
		if err := errors.Join(t.within(ctx, sub, rel, skip, do), sub.Close()); err != nil {
			return err
		}
	}
	return nil
}

func names(at *os.Root) ([]string, error) {
	d, err := at.Open(".")
	if err != nil {
		return nil, err
	}
	all, err := d.Readdirnames(-1)
	slices.Sort(all)
	return all, errors.Join(err, d.Close())
}

func stat(at *os.Root, name string) (entry, error) {
	info, err := at.Lstat(name)
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
		e.link, err = at.Readlink(name)
	case info.Mode().IsRegular():
		e.size, e.time = info.Size(), info.ModTime()
	default:
		return entry{}, nil
	}
	return e, err
}
