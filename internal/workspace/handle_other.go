//go:build !unix

package workspace

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// A handle is an open directory. Its methods take single names and never follow a link.
type handle struct {
	r    *os.Root
	uses int // beside the first, see [handle.share]
}

// share gives the handle to one more, who closes it too.
func (h *handle) share() *handle {
	h.uses++
	return h
}

// A stat is what the system knows of a file.
type stat struct {
	mode  fs.FileMode
	size  int64
	mtime time.Time
	ctime time.Time // not told here
	links uint64
	info  fs.FileInfo
}

func (s stat) exists() bool     { return s.info != nil }
func (s stat) same(o stat) bool { return s.exists() && o.exists() && os.SameFile(s.info, o.info) }
func openTop(root *os.Root) (*handle, error) {
	r, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return &handle{r: r}, nil
}

func known(fi fs.FileInfo, err error) (stat, error) {
	if err != nil {
		return stat{}, err
	}
	return stat{mode: fi.Mode(), size: fi.Size(), mtime: fi.ModTime(), links: 1, info: fi}, nil
}

func (h *handle) close() error {
	if h.uses--; h.uses >= 0 {
		return nil
	}
	return h.r.Close()
}

func (h *handle) self() (stat, error)                  { return known(h.r.Stat(".")) }
func (h *handle) lstat(name string) (stat, error)      { return known(h.r.Lstat(name)) }
func statFile(f *os.File) (stat, error)                { return known(f.Stat()) }
func statPath(path string) (stat, error)               { return known(os.Stat(path)) }
func lstatPath(path string) (stat, error)              { return known(os.Lstat(path)) }
func (h *handle) readlink(name string) (string, error) { return h.r.Readlink(name) }

func (h *handle) file() *os.File {
	f, _ := h.r.Open(".") // there is nothing to do with it here
	return f
}

// linkTo gives a file a further name in another directory.
func (h *handle) linkTo(string, *handle, string) error { return fs.ErrInvalid }

// guard refuses a name that is not what it was when it was looked at.
func (h *handle) guard(name string, got func() (stat, error)) error {
	was, err := h.lstat(name)
	if err != nil {
		return err
	}
	now, err := got()
	if err != nil {
		return err
	}
	if !was.same(now) {
		return fs.ErrInvalid
	}
	return nil
}

// sub opens a directory.
func (h *handle) sub(name string) (*handle, error) {
	r, err := h.r.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	s := &handle{r: r}
	if err := h.guard(name, s.self); err != nil {
		r.Close()
		return nil, err
	}
	return s, nil
}

// read opens a file for reading.
func (h *handle) read(name string) (*os.File, error) {
	f, err := h.r.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	if err := h.guard(name, func() (stat, error) { return statFile(f) }); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// create makes a new file.
func (h *handle) create(name string, perm fs.FileMode) (*os.File, error) {
	return h.r.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm.Perm())
}

func (h *handle) mkdir(name string, perm fs.FileMode) error { return h.r.Mkdir(name, perm.Perm()) }
func (h *handle) remove(name string) error                  { return h.r.Remove(name) }
func (h *handle) rmdir(name string) error                   { return h.r.Remove(name) }
func (h *handle) rename(from, to string) error              { return h.r.Rename(from, to) }
func (h *handle) link(from, to string) error                { return h.r.Link(from, to) }
func (h *handle) symlink(target, name string) error         { return h.r.Symlink(target, name) }
func (h *handle) sync() error                               { return nil } // directories cannot be synced here
func (h *handle) chmod(mode fs.FileMode) error              { return h.r.Chmod(".", mode.Perm()) }

func dress(f *os.File, mode fs.FileMode, owner string) error { return nil }

// setID are bits that nothing has here.
const setID = fs.ModeSetuid | fs.ModeSetgid

// list opens the directory, to be read from its beginning.
func (h *handle) list() (*os.File, error) { return h.r.Open(".") }

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err == nil {
		p.Release()
	}
	return err == nil
}

func (h *handle) mayWrite(string) error { return nil }

// errQuota is a full disk by another name: ERROR_DISK_FULL.
const errQuota = syscall.Errno(112)

// A raw file is read and nothing else.
type raw struct{ f *os.File }

// open opens an ordinary file for reading.
func (h *handle) open(name string) (raw, error) {
	f, err := h.read(name)
	if err != nil {
		return raw{}, err
	}
	if st, err := statFile(f); err != nil || !st.mode.IsRegular() {
		f.Close()
		return raw{}, fs.ErrInvalid
	}
	return raw{f}, nil
}

func (r raw) read(buf []byte) (int, error) { return r.f.Read(buf) }
func (r raw) close()                       { r.f.Close() }
