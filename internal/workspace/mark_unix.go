//go:build unix

package workspace

func (s stat) mark() mark {
	if !s.exists() {
		return mark{}
	}
	return mark{
		dev: s.dev, ino: s.ino, size: s.size, mtime: s.mtime.UnixNano(), ctime: s.ctime.UnixNano(),
		mode: s.mode, links: uint32(s.links), uid: s.uid, gid: s.gid,
	}
}
