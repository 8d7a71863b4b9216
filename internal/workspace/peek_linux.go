package workspace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A peek is a directory that is looked at and nothing else: a bare descriptor, since a look at many thousand
// directories costs little more than its system calls.
type peek int

func (h *handle) peek() (peek, error) { return openDir(h.fd(), ".") }

func openDir(at int, name string) (peek, error) {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NOATIME, 0)
		return err
	})
	if err == unix.EPERM { // only the owner may leave the time of reading alone
		err = again(func() (err error) {
			fd, err = unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
			return err
		})
	}
	return peek(fd), err
}

//go:noinline
func (p peek) sub(name string) (peek, error) { return openDir(int(p), name) }

//go:noinline
func (p peek) close() { unix.Close(int(p)) }

// each visits what is in the directory, in no order, until visit returns false. kind is one of unix.DT_*.
func (p peek) each(buf []byte, visit func(name []byte, kind byte) bool) error {
	if _, err := unix.Seek(int(p), 0, io.SeekStart); err != nil {
		return err
	}
	for {
		n := 0
		if err := again(func() (err error) { n, err = unix.Getdents(int(p), buf); return err }); err != nil || n <= 0 {
			return err
		}
		for rec := buf[:n]; len(rec) > direntName; {
			size := int(binary.NativeEndian.Uint16(rec[direntSize:]))
			name, _, _ := bytes.Cut(rec[direntName:size], []byte{0})
			if string(name) != "." && string(name) != ".." && !visit(name, rec[direntType]) {
				return nil
			}
			rec = rec[size:]
		}
	}
}

// Offsets in struct linux_dirent64: see getdents64(2).
const (
	direntSize = 16
	direntType = 18
	direntName = 19
)

// names lists the directory from its beginning, in no order.
func (h *handle) names() (all []dirent, err error) {
	p, err := h.peek()
	if err != nil {
		return nil, err
	}
	defer p.close()
	err = p.each(make([]byte, 32<<10), func(name []byte, kind byte) bool {
		all = append(all, h.typed(string(name), kind))
		return true
	})
	return all, err
}

func (h *handle) typed(name string, kind byte) dirent {
	e := dirent{name: name}
	switch kind {
	case unix.DT_REG:
	case unix.DT_DIR:
		e.mode = fs.ModeDir
	case unix.DT_LNK:
		e.mode = fs.ModeSymlink
	case unix.DT_UNKNOWN: // some file systems do not tell
		st, err := h.lstat(name)
		if e.mode = st.mode.Type(); err != nil {
			e.mode = fs.ModeIrregular
		}
	default:
		e.mode = fs.ModeIrregular
	}
	return e
}

// tells reports whether a directory here has another time whenever a name in it is made or goes. Not every file system
// keeps to that.
func (p peek) tells() bool {
	var st unix.Statfs_t
	if again(func() error { return unix.Fstatfs(int(p), &st) }) != nil {
		return false
	}
	switch uint32(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC:
		return true
	}
	return false
}

func (p peek) mark(name string) (mark, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstatat(int(p), name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return mark{}, err
	}
	return markOf(&st), nil
}

func markOf(st *unix.Stat_t) mark {
	return mark{
		dev: uint64(st.Dev), ino: st.Ino, size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), //nolint:unconvert // narrower elsewhere
		mode: fileMode(uint32(st.Mode)), links: uint32(st.Nlink), uid: st.Uid, gid: st.Gid, //nolint:unconvert // wider elsewhere
	}
}

//go:noinline
func (p peek) readlink(name string) string {
	buf := make([]byte, 4096)
	n, _ := unix.Readlinkat(int(p), name, buf)
	return string(buf[:max(n, 0)])
}

// open opens a file for reading, with its mark.
func (p peek) open(name string) (*os.File, mark, error) {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat(int(p), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
		return err
	})
	if err != nil {
		return nil, mark{}, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		unix.Close(fd)
		return nil, mark{}, fs.ErrInvalid
	}
	return os.NewFile(uintptr(fd), name), markOf(&st), nil
}

// load reads a whole file into buf, if it is what it was marked as before and after. It reports false else.
func (p peek) load(name string, m mark, buf []byte) ([]byte, extras, bool) {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat(int(p), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
		return err
	})
	if err != nil {
		return nil, nil, false
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || markOf(&st) != m {
		return nil, nil, false
	}
	buf = buf[:m.size]
	for at := 0; at < len(buf); {
		n := 0
		err := again(func() (err error) { n, err = unix.Read(fd, buf[at:]); return err })
		if err != nil || n <= 0 {
			return nil, nil, false
		}
		at += n
	}
	more := attributes(fd)
	if unix.Fstat(fd, &st) != nil || markOf(&st) != m {
		return nil, nil, false
	}
	return buf, more, true
}

// more are the extended attributes of a directory.
//
//go:noinline
func (p peek) more() extras { return attributes(int(p)) }

// attributes are an open file's extended attributes that belong to its content: the system's own, but for the access
// list, come from elsewhere.
func attributes(fd int) extras {
	var buf [1024]byte
	n, err := unix.Flistxattr(fd, buf[:])
	if err != nil || n <= 0 {
		return nil
	}
	var more extras
	for name := range strings.SplitSeq(strings.TrimSuffix(string(buf[:n]), "\x00"), "\x00") {
		if !strings.HasPrefix(name, "user.") && name != "system.posix_acl_access" && name != "security.capability" {
			continue
		}
		value := make([]byte, 4096)
		if n, err := unix.Fgetxattr(fd, name, value); err == nil {
			if more == nil {
				more = extras{}
			}
			more[name] = value[:n]
		}
	}
	return more
}

func attributesOf(f *os.File) extras { return attributes(int(f.Fd())) }

// attribute gives an open file the extended attributes that it is to have, and takes others away.
func attribute(f *os.File, want extras) error {
	fd := int(f.Fd())
	for name := range attributes(fd) {
		if _, ok := want[name]; !ok {
			_ = unix.Fremovexattr(fd, name) // what cannot go is not ours to judge
		}
	}
	for name, value := range want {
		if err := unix.Fsetxattr(fd, name, value, 0); err != nil {
			return &fs.PathError{Op: "set attribute " + name, Path: f.Name(), Err: err}
		}
	}
	return nil
}

// shed takes from a file what the kernel noted about it in a layer.
func (h *handle) shed(name string) {
	r, err := h.open(name)
	if err != nil {
		return // nothing of the kind has anything, or it stays with a file that nobody may read
	}
	defer r.close()
	for name := range attributes(int(r)) {
		if strings.HasPrefix(name, layerNote) {
			_ = unix.Fremovexattr(int(r), name) // it says nothing outside of a layer
		}
	}
}

// clone makes one file share the disk space of another, where the file system can.
func clone(to, from *os.File) bool {
	return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) == nil
}

// written reports whether anybody has the file at a spot open to write in it: the system gives a lease for reading only
// where nobody has. What belongs to somebody else it does not tell.
func (s spot) written() bool {
	f, err := s.dir.read(s.name)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		_, _ = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK) // closing gives it back too
	}
	return errors.Is(err, unix.EAGAIN)
}

// flushed gets everything that was written to a file system onto the disk.
//
//go:noinline
func flushed(f *os.File) error { return again(func() error { return unix.Syncfs(int(f.Fd())) }) }

// setTime sets when the thing at a name, also a link, was last changed.
func (h *handle) setTime(name string, mtime int64) error {
	ts := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, unix.NsecToTimespec(mtime)}
	return again(func() error { return unix.UtimesNanoAt(h.fd(), name, ts, unix.AT_SYMLINK_NOFOLLOW) })
}

// setMode changes the mode of a directory or a file, also of one that cannot be opened.
func (h *handle) setMode(name string, mode fs.FileMode) error {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat(h.fd(), name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return os.Chmod("/proc/self/fd/"+strconv.Itoa(fd), mode&(fs.ModePerm|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
}
