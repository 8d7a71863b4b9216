//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A handle is an open directory. Its methods take single names and never follow a link.
type handle struct {
	f    *os.File
	uses int // beside the first, see [handle.share]
}

// share gives the handle to one more, who closes it too.
func (h *handle) share() *handle {
	h.uses++
	return h
}

// A stat is what the system knows of a file.
type stat struct {
	mode     fs.FileMode
	size     int64
	mtime    time.Time
	ctime    time.Time
	links    uint64
	dev, ino uint64
	uid, gid uint32
}

//go:noinline
func (s stat) exists() bool { return s.ino != 0 || s.dev != 0 }

//go:noinline
func (s stat) same(o stat) bool { return s.exists() && s.dev == o.dev && s.ino == o.ino }
func openTop(root *os.Root) (*handle, error) {
	f, err := root.OpenFile(".", os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &handle{f: f}, nil
}

//go:noinline
func (h *handle) fd() int { return int(h.f.Fd()) }

func (h *handle) close() error {
	if h.uses--; h.uses >= 0 {
		return nil
	}
	return h.f.Close()
}

func (h *handle) file() *os.File { return h.f }

// again repeats a call that a signal interrupted.
//
//go:noinline
func again(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

//go:noinline
func (h *handle) self() (stat, error) { return statFile(h.f) }

func statFile(f *os.File) (stat, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstat(int(f.Fd()), &st) })
	return known(&st), err
}

func statPath(path string) (stat, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Stat(path, &st) })
	if err != nil {
		return stat{}, err
	}
	return known(&st), nil
}

func lstatPath(path string) (stat, error) {
	var st unix.Stat_t
	if err := again(func() error { return unix.Lstat(path, &st) }); err != nil {
		return stat{}, err
	}
	return known(&st), nil
}

func (h *handle) lstat(name string) (stat, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstatat(h.fd(), name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return stat{}, err
	}
	return known(&st), nil
}

func known(st *unix.Stat_t) stat {
	return stat{
		mode: fileMode(uint32(st.Mode)), size: st.Size, links: uint64(st.Nlink), //nolint:unconvert // narrower on other systems
		mtime: time.Unix(st.Mtim.Unix()), ctime: time.Unix(st.Ctim.Unix()),
		dev: uint64(st.Dev), //nolint:unconvert // signed on other systems
		ino: st.Ino, uid: st.Uid, gid: st.Gid,
	}
}

// fileMode is the system's mode of a file as Go writes it.
//
//go:noinline
func fileMode(m uint32) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	switch m & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	}
	if m&unix.S_ISUID != 0 {
		mode |= fs.ModeSetuid
	}
	if m&unix.S_ISGID != 0 {
		mode |= fs.ModeSetgid
	}
	if m&unix.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	return mode
}

func (h *handle) openat(name string, flags int, perm fs.FileMode) (*os.File, error) {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat(h.fd(), name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint32(perm.Perm()))
		return err
	})
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// sub opens a directory.
func (h *handle) sub(name string) (*handle, error) {
	f, err := h.openat(name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &handle{f: f}, nil
}

// read opens a file for reading; it returns at once, whatever the file is.
//
//go:noinline
func (h *handle) read(name string) (*os.File, error) {
	return h.openat(name, unix.O_RDONLY|unix.O_NONBLOCK, 0) // which the runtime's poller is told of: a directory or a new file is spared that
}

// create makes a new file.
//
//go:noinline
func (h *handle) create(name string, perm fs.FileMode) (*os.File, error) {
	return h.openat(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, perm)
}

func (h *handle) readlink(name string) (string, error) {
	buf := make([]byte, 4096)
	n, err := unix.Readlinkat(h.fd(), name, buf)
	return string(buf[:max(n, 0)]), err
}

//go:noinline
func (h *handle) mkdir(name string, perm fs.FileMode) error {
	return again(func() error { return unix.Mkdirat(h.fd(), name, uint32(perm.Perm())) })
}

//go:noinline
func (h *handle) remove(name string) error {
	return again(func() error { return unix.Unlinkat(h.fd(), name, 0) })
}

//go:noinline
func (h *handle) rmdir(name string) error {
	return again(func() error { return unix.Unlinkat(h.fd(), name, unix.AT_REMOVEDIR) })
}

//go:noinline
func (h *handle) rename(from, to string) error {
	return again(func() error { return unix.Renameat(h.fd(), from, h.fd(), to) })
}

// link gives a file a further name, unless that name exists.
//
//go:noinline
func (h *handle) link(from, to string) error {
	return again(func() error { return unix.Linkat(h.fd(), from, h.fd(), to, 0) })
}

// linkTo gives a file a further name in another directory.
//
//go:noinline
func (h *handle) linkTo(from string, to *handle, name string) error {
	return again(func() error { return unix.Linkat(h.fd(), from, to.fd(), name, 0) })
}

//go:noinline
func (h *handle) symlink(target, name string) error {
	return again(func() error { return unix.Symlinkat(target, h.fd(), name) })
}

// sync makes names that were made or removed last.
func (h *handle) sync() error {
	err := again(func() error { return unix.Fsync(h.fd()) })
	if err == unix.EINVAL || err == unix.ENOTSUP {
		return nil // some network file systems do not sync directories
	}
	return err
}

// dress gives a new file a mode and an owner. The owner stays as it is where it may not be given away, and then the set-id
// bits go.
func dress(f *os.File, mode fs.FileMode, owner string) error {
	now, err := statFile(f)
	if err != nil {
		return err
	}
	if owner != "" && now.owner() != owner {
		uid, gid, err := numbers(owner)
		if err != nil || unix.Fchown(int(f.Fd()), uid, gid) != nil {
			mode &^= setID
		}
	}
	return f.Chmod(mode & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}

// setID are the bits that have a program run as its owner.
const setID = fs.ModeSetuid | fs.ModeSetgid

// chmod changes the mode of a directory that is open.
//
//go:noinline
func (h *handle) chmod(mode fs.FileMode) error { return h.f.Chmod(mode) }

// list opens the directory anew, to be read from its beginning.
//
//go:noinline
func (h *handle) list() (*os.File, error) {
	return h.openat(".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
}

func alive(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }

func (h *handle) mayWrite(name string) error {
	return unix.Faccessat(h.fd(), name, unix.W_OK, 0)
}

// errQuota is a full disk by another name.
const errQuota = unix.EDQUOT

// A raw file is read without the runtime's poller, which costs more than reading a small file does.
type raw int

// open opens an ordinary file for reading.
func (h *handle) open(name string) (raw, error) {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat(h.fd(), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
		return err
	})
	if err != nil {
		return -1, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		unix.Close(fd)
		return -1, fs.ErrInvalid
	}
	return raw(fd), nil
}

func (r raw) read(buf []byte) (n int, err error) {
	err = again(func() (err error) { n, err = unix.Read(int(r), buf); return err })
	return max(n, 0), err
}

//go:noinline
func (r raw) close() { unix.Close(int(r)) }
