package confine

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"nebula/internal/lists"
)

// A tree is a mount that stands nowhere yet.
type tree int

// A spot is a tree and where it will stand.
type spot struct {
	path string
	tree tree
}

const (
	safe  = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	quiet = safe | unix.MOUNT_ATTR_RDONLY
)

// mounts makes the view of the files: everything as it is, to be read only, without devices and programs with rights of
// their own; then, over it, what may be changed and what is hidden. What is needed of the old view is taken first.
func (o order) mounts() error {
	b := o.Box
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("mounts of its own: %w", err)
	}
	wanted, err := b.wanted()
	if err != nil {
		return err
	}
	nodes, err := devices()
	if err != nil {
		return err
	}
	shared := spot{"/tmp", -1}
	if b.Shared != "" {
		if shared.tree, err = cloneTree(b.Shared, safe); err != nil {
			return fmt.Errorf("%s: %w", b.Shared, err)
		}
	}
	if !o.Skip.Has(skipReadOnly) {
		if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: quiet}); err != nil {
			return fmt.Errorf("read-only root: %w", err)
		}
	}
	nothing, err := fresh("tmpfs", map[string]string{"mode": "0755", "size": "64k"}, 0)
	if err != nil {
		return err
	}
	if err := nothing.fill(); err != nil {
		return err
	}
	if err := b.resolve(nothing); err != nil {
		return err
	}
	if err := b.cover(nothing, wanted, false); err != nil {
		return err
	}
	for _, path := range b.Private {
		if path == shared.path && shared.tree >= 0 {
			err = shared.mount()
		} else {
			err = private(path, "1777", b.Limits.Temporary)
		}
		if err != nil {
			return err
		}
	}
	if err := o.own(nodes); err != nil {
		return err
	}
	for _, s := range wanted {
		if err := s.mount(); err != nil {
			return err
		}
	}
	if err := b.cover(nothing, wanted, true); err != nil {
		return err
	}
	return b.pin()
}

// skipReadOnly leaves the root as it is, in tests of what stands behind it.
const skipReadOnly Held = 1 << 30

// wanted takes what may be changed from the old view. Parents come before what is below them.
func (b Box) wanted() ([]spot, error) {
	folder, err := b.source(b.Folder, safe)
	if err != nil {
		return nil, fmt.Errorf("folder %s: %w", b.Folder, err)
	}
	all := []spot{{b.Folder, folder}}
	for _, l := range b.Layers {
		over, err := l.over()
		if err != nil {
			continue // it stays as it is, to be read
		}
		all = append(all, spot{l.Path, over})
	}
	for i, path := range lists.Concat(b.Write, b.Read) {
		if within(path, b.Folder) {
			continue // see pin
		}
		attributes := uint64(safe)
		if i >= len(b.Write) {
			attributes = quiet
		}
		t, err := b.source(path, attributes)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, spot{path, t})
	}
	lists.Sort(all, func(a, b spot) int { return cmp.Compare(len(a.path), len(b.path)) })
	return all, nil
}

// source is what stands at a path: what is there, or a view of it.
func (b Box) source(path string, attributes uint64) (tree, error) {
	for _, v := range b.Views {
		if v.Lower == path {
			return v.over()
		}
	}
	return cloneTree(path, attributes)
}

// cloneTree is a copy of what stands at a path.
func cloneTree(path string, attributes uint64) (tree, error) {
	at, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
	if err != nil {
		return -1, err
	}
	defer unix.Close(at)
	return copied(at, attributes)
}

func copied(at int, attributes uint64) (tree, error) {
	fd, err := unix.OpenTree(at, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_EMPTY_PATH)
	if err != nil {
		return -1, err
	}
	if attributes == 0 {
		return tree(fd), nil
	}
	return tree(fd), unix.MountSetattr(fd, "", unix.AT_RECURSIVE|unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: attributes})
}

// mount puts the tree where it belongs. Where a private folder stands over the path, the path is made.
func (s spot) mount() error {
	var st unix.Stat_t
	if unix.Fstat(int(s.tree), &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
		_ = os.MkdirAll(s.path, 0o755) // if it cannot be made, the next step says so
	} else if _, err := os.Lstat(s.path); err != nil {
		_ = errors.Join(os.MkdirAll(filepath.Dir(s.path), 0o755), os.WriteFile(s.path, nil, 0o600))
	}
	if err := unix.MoveMount(int(s.tree), "", unix.AT_FDCWD, s.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	return unix.Close(int(s.tree))
}

// fresh makes a file system.
func fresh(kind string, options map[string]string, attributes int, flags ...string) (tree, error) {
	fd, err := unix.Fsopen(kind, unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, fmt.Errorf("%s: %w", kind, err)
	}
	defer unix.Close(fd)
	for _, f := range flags {
		if err := unix.FsconfigSetFlag(fd, f); err != nil {
			return -1, fmt.Errorf("%s, %s: %w", kind, f, err)
		}
	}
	for key, value := range options {
		if err := unix.FsconfigSetString(fd, key, value); err != nil {
			return -1, fmt.Errorf("%s, %s: %w", kind, key, err)
		}
	}
	if err := unix.FsconfigCreate(fd); err != nil {
		return -1, fmt.Errorf("%s: %w", kind, err)
	}
	t, err := unix.Fsmount(fd, unix.FSMOUNT_CLOEXEC, safe|attributes)
	if err != nil {
		return -1, fmt.Errorf("%s: %w", kind, err)
	}
	return tree(t), nil
}

// fill gives the tree of nothing an empty folder and an empty file, and what says where names are asked for, and closes it.
func (t tree) fill() error {
	if err := unix.Mkdirat(int(t), "folder", 0o555); err != nil {
		return fmt.Errorf("nothing: %w", err)
	}
	fd, err := unix.Openat(int(t), "file", unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o444)
	if err != nil {
		return fmt.Errorf("nothing: %w", err)
	}
	_ = unix.Close(fd)
	if fd, err = unix.Openat(int(t), "resolver", unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC|unix.O_WRONLY, 0o444); err != nil {
		return fmt.Errorf("resolver: %w", err)
	}
	_, err = unix.Write(fd, []byte(resolving))
	if err = errors.Join(err, unix.Close(fd)); err != nil {
		return fmt.Errorf("resolver: %w", err)
	}
	return unix.MountSetattr(int(t), "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: quiet | unix.MOUNT_ATTR_NOEXEC})
}

// resolve has programs ask the box for names. Where the machine's settings for it are not there, they do so by themselves.
func (b Box) resolve(nothing tree) error {
	if b.Network {
		return nil
	}
	at, err := unix.Open("/etc/resolv.conf", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(at)
	return nothing.put("resolver", at)
}

// cover puts nothing over what is hidden: first what is outside of the wanted places, then what is in them.
func (b Box) cover(nothing tree, wanted []spot, inner bool) error {
	for _, path := range b.Hide {
		is := slices.ContainsFunc(wanted, func(s spot) bool { return within(path, s.path) })
		if is != inner || within(path, b.Private...) && !is {
			continue
		}
		if !inner && slices.ContainsFunc(wanted, func(s spot) bool { return within(s.path, path) }) {
			if err := private(path, "0755", 1<<16); err != nil {
				return err
			}
			continue
		}
		at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.EACCES) {
			continue // it is not there for the command either
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		err = nothing.over(at)
		_ = unix.Close(at)
		if err != nil {
			return fmt.Errorf("%s cannot be hidden: %w", path, err)
		}
	}
	return unix.Close(dup(nothing, inner))
}

// dup is the tree itself when it is not needed any more, else a copy to be closed in its place.
func dup(t tree, last bool) int {
	if last {
		return int(t)
	}
	fd, _ := unix.FcntlInt(uintptr(t), unix.F_DUPFD_CLOEXEC, 3)
	return fd
}

// over puts a piece of nothing over an open path.
func (t tree) over(at int) error {
	var st unix.Stat_t
	if err := unix.Fstat(at, &st); err != nil {
		return err
	}
	piece := "file"
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		piece = "folder"
	}
	return t.put(piece, at)
}

// put puts what the tree has under a name over an open path.
func (t tree) put(piece string, at int) error {
	fd, err := unix.OpenTree(int(t), piece, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.MoveMount(fd, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// private puts an empty folder in the place of one, if there is one.
func private(path, mode string, size uint64) error {
	options := map[string]string{"mode": mode}
	if size > 0 {
		options["size"] = strconv.FormatUint(size, 10)
	}
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		return nil
	}
	t, err := fresh("tmpfs", options, 0)
	if err != nil {
		return err
	}
	return spot{path, t}.mount()
}

// devices takes what every program needs of /dev from the old view.
func devices() (nodes []spot, err error) {
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		at, err := unix.Open("/dev/"+name, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			continue
		}
		t, err := copied(at, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC)
		_ = unix.Close(at)
		if err != nil {
			return nil, fmt.Errorf("/dev/%s: %w", name, err)
		}
		nodes = append(nodes, spot{"/dev/" + name, t})
	}
	return nodes, nil
}

// own are the box's own devices and processes.
func (o order) own(nodes []spot) error {
	if err := private("/dev", "0755", 1<<20); err != nil {
		return err
	}
	for _, n := range nodes {
		if err := os.WriteFile(n.path, nil, 0o600); err != nil {
			return err
		}
		if err := n.mount(); err != nil {
			return err
		}
	}
	for _, dir := range []string{"/dev/pts", "/dev/shm"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(target, "/dev/"+name); err != nil {
			return err
		}
	}
	if err := private("/dev/shm", "1777", o.Box.Limits.Temporary); err != nil {
		return err
	}
	if err := unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0600"); err != nil {
		_ = os.Remove("/dev/ptmx") // no terminals: few programs want one
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/dev", 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOEXEC}); err != nil {
		return fmt.Errorf("/dev: %w", err)
	}
	if o.Skip.Has(PIDs) {
		return nil
	}
	processes, err := fresh("proc", nil, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOEXEC)
	if err != nil {
		return err
	}
	return spot{"/proc", processes}.mount()
}

// over is the private layer over a folder. Where another command has its upper folder, what is written is not kept.
func (l Layer) over() (tree, error) {
	if l.Upper == "" || os.MkdirAll(l.Upper, 0o700) != nil || os.MkdirAll(l.Work, 0o700) != nil || !locked(l.Lock()) {
		scratch, err := fresh("tmpfs", map[string]string{"mode": "0700"}, 0)
		if err != nil {
			return -1, err
		}
		if err := errors.Join(unix.Mkdirat(int(scratch), "changed", 0o755), unix.Mkdirat(int(scratch), "work", 0o755)); err != nil {
			return -1, err
		}
		if err := unix.MoveMount(int(scratch), "", unix.AT_FDCWD, "/tmp", unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return -1, err
		}
		defer func() { _ = unix.Unmount("/tmp", unix.MNT_DETACH) }() // it lives on below the layer
		l.Upper, l.Work = "/tmp/changed", "/tmp/work"
	}
	return fresh("overlay", map[string]string{"lowerdir+": l.Path, "upperdir": l.Upper, "workdir": l.Work}, 0, "userxattr")
}

// locked takes a lock that is held as long as the box lives. What is open to be written would keep its mount from becoming
// read-only.
func locked(path string) bool {
	fd, err := unix.Open(path, unix.O_CREAT|unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return false
	}
	if unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) != nil {
		_ = unix.Close(fd)
		return false
	}
	return true
}

// pin keeps what is below the places that may be changed from being changed, and what may be, or is on the way there, from
// being moved away. A symbolic link is not followed: it could lead to where nothing is to be changed.
func (b Box) pin() error {
	for _, path := range lists.Concat(b.Write, b.Fixed) {
		if within(path, append([]string{b.Folder}, b.Write...)...) {
			if err := fixed(path, 0); err != nil {
				return err
			}
		}
	}
	for _, path := range b.ReadOnly {
		if err := fixed(path, quiet); err != nil {
			return err
		}
	}
	return nil
}

func fixed(path string, attributes uint64) error {
	at, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer unix.Close(at)
	t, err := copied(at, attributes)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer unix.Close(int(t))
	if err := unix.MoveMount(int(t), "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
