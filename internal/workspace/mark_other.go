//go:build !unix

package workspace

// Files have no numbers of their owners here.

func (s stat) foreign() bool                        { return false }
func (s stat) owner() string                        { return "" }
func (m mark) owner() string                        { return "" }
func (h *handle) setOwner(name, owner string) error { return nil }

// mark has no number of the file: what is another file of the same size and time is not seen to be one.
func (s stat) mark() mark {
	if !s.exists() {
		return mark{}
	}
	at := s.mtime.UnixNano()
	return mark{ino: 1, size: s.size, mtime: at, ctime: at, mode: s.mode, links: 1}
}
