package workspace

import (
	"path"
	"path/filepath"
)

// Glance tells of many files at once what [Dir.Stat] would, and opens a directory once for those that stand beside each other in
// the list. The entry is empty for all but plain files that no link leads to: Stat is to be asked about those. A hidden file is
// told of too; a glance is for what was read before.
func (d *Dir) Glance(paths []string) []Entry {
	list := make([]Entry, len(paths))
	var h *handle
	at := ""
	for i, p := range paths {
		dir, name := path.Split(p)
		if path.IsAbs(p) || filepath.IsAbs(p) || name == "" || name == "." || name == ".." {
			continue
		}
		if dir = path.Clean(dir); dir != at {
			closed(h)
			h, at = d.plain(dir), dir
		}
		if h == nil {
			continue
		}
		if st, err := h.lstat(name); err == nil && st.mode.IsRegular() {
			list[i] = spot{path: p, name: name, dir: h, stat: st}.entry()
		}
	}
	closed(h)
	return list
}

//go:noinline
func closed(h *handle) {
	if h != nil {
		h.close()
	}
}

// plain opens a directory of the folder; it is nil where there is none.
func (d *Dir) plain(dir string) *handle {
	s, err := d.find(dir, false)
	if err != nil {
		return nil
	}
	if s.name == "." {
		return s.dir
	}
	defer s.close()
	if !s.stat.mode.IsDir() || s.path != dir {
		return nil
	}
	h, err := s.dir.sub(s.name)
	if err != nil {
		return nil
	}
	return h
}
