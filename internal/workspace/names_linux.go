package workspace

import (
	"bytes"
	"encoding/binary"
	"io/fs"

	"golang.org/x/sys/unix"
)

// names lists the directory from its beginning, in no order.
func (h *handle) names() ([]dirent, error) {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat(h.fd(), ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var (
		all []dirent
		buf = make([]byte, 32<<10)
	)
	for {
		n := 0
		if err := again(func() (err error) { n, err = unix.Getdents(fd, buf); return err }); err != nil {
			return nil, err
		}
		if n <= 0 {
			return all, nil
		}
		for rec := buf[:n]; len(rec) > direntName; {
			size := int(binary.NativeEndian.Uint16(rec[direntSize:]))
			name, _, _ := bytes.Cut(rec[direntName:size], []byte{0})
			if s := string(name); s != "." && s != ".." {
				all = append(all, h.typed(s, rec[direntType]))
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
