//go:build !unix

package workspace

// mark has no number of the file: what is another file of the same size and time is not seen to be one.
func (s stat) mark() mark {
	if !s.exists() {
		return mark{}
	}
	at := s.mtime.UnixNano()
	return mark{ino: 1, size: s.size, mtime: at, ctime: at, mode: s.mode, links: 1}
}
