package workspace

import "path"

// A stay finds one path after the other, mostly in the same directory, which stays open until [stay.leave].
type stay struct {
	in   *Dir
	dir  *handle // of the last path; nil for none
	at   string
	used int
}

// together is how many paths are found through one open directory: it may be moved meanwhile.
const together = 64

// exact finds a path through no link, see [Dir.exact].
func (s *stay) exact(p string) (spot, error) {
	at, name := path.Split(p)
	if s.dir != nil && s.at == at && p != "." && s.used < together {
		s.used++
		return s.dir.share().spot(name, p)
	}
	found, err := s.in.exact(p)
	if err == nil && len(found.rest) == 0 && p != "." {
		s.leave()
		s.dir, s.at, s.used = found.dir.share(), at, 0
	}
	return found, err
}

//go:noinline
func (s *stay) leave() {
	if s.dir != nil {
		_ = s.dir.close()
		s.dir = nil
	}
}
