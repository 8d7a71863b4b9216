//go:build unix

package workspace

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// foreign reports whether a file is another's, and this process may not give one away.
func (s stat) foreign() bool {
	me := os.Geteuid()
	return me != 0 && s.uid != uint32(me)
}

// owner is who owns a file, as a [nebula.Change] tells it.
func (s stat) owner() string { return s.mark().owner() }

//go:noinline
func (m mark) owner() string {
	if m.ino == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d", m.uid, m.gid)
}

// setOwner gives what is at a name, also a link, to an owner.
func (h *handle) setOwner(name, owner string) error {
	uid, gid, err := numbers(owner)
	if err != nil {
		return err
	}
	return again(func() error { return unix.Fchownat(h.fd(), name, uid, gid, unix.AT_SYMLINK_NOFOLLOW) })
}

func numbers(owner string) (uid, gid int, err error) {
	_, err = fmt.Sscanf(owner, "%d:%d", &uid, &gid)
	return uid, gid, err
}

func (s stat) mark() mark {
	if !s.exists() {
		return mark{}
	}
	return mark{
		dev: s.dev, ino: s.ino, size: s.size, mtime: s.mtime.UnixNano(), ctime: s.ctime.UnixNano(),
		mode: s.mode, links: uint32(s.links), uid: s.uid, gid: s.gid,
	}
}
