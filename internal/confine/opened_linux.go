package confine

import (
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/sys/unix"

	"nebula/internal/lists"
)

// A witness sees which of a box's watched files are opened, by whatever name and program: the kernel tells it of the file itself, on a
// view of the view's. It sees that a file was opened, not what was read. Of one that is given a further name on a view the kernel tells
// nothing by that name, so that counts as well, and with it what looks the same: other rights, and deletion.
type witness struct {
	fd    int              // where the kernel tells, see inotify(7)
	files map[int32]string // by the number that it tells
	blind []string         // what cannot be watched: nobody can say that it was not opened
}

// told is what counts as opening.
const told = unix.IN_OPEN | unix.IN_ATTRIB

// witness has the kernel tell of the files. What is not there, or may not be read, the command cannot open either.
func (b Box) witness() *witness {
	w := &witness{fd: -1, files: map[int32]string{}}
	if len(b.Watch) == 0 {
		return w
	}
	var err error
	if w.fd, err = unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK); err != nil {
		w.blind = lists.Clone(b.Watch)
		return w
	}
	for _, path := range b.Watch {
		n, err := unix.InotifyAddWatch(w.fd, path, told|unix.IN_ONESHOT)
		switch {
		case err == nil:
			w.files[int32(n)] = path
			_, _ = unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0) // held, so that its name leads to what is watched as long as the box lives
		case !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.ENOTDIR) && !errors.Is(err, unix.EACCES):
			w.blind = append(w.blind, path)
		}
	}
	return w
}

// opened are the files of which it was told, and those of which it could not be.
func (w *witness) opened() []string {
	all := lists.Clone(w.blind)
	for buf := make([]byte, 16<<10); w.fd >= 0; {
		n, err := unix.Read(w.fd, buf)
		if err == unix.EINTR {
			continue
		}
		if n < unix.SizeofInotifyEvent || err != nil {
			break
		}
		for rest := buf[:n]; len(rest) >= unix.SizeofInotifyEvent; rest = rest[unix.SizeofInotifyEvent:] { // those of files have no names behind them
			path, ok := w.files[int32(binary.NativeEndian.Uint32(rest))]
			if mask := binary.NativeEndian.Uint32(rest[4:]); ok && mask&told != 0 {
				all = append(all, path)
			}
		}
	}
	slices.Sort(all)
	return lists.Compact(all)
}
