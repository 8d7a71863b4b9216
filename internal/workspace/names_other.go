//go:build !linux

package workspace

import "io/fs"

// names lists the directory from its beginning, in no order.
func (h *handle) names() ([]dirent, error) {
	f, err := h.list()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	all := make([]dirent, 0, len(names))
	for _, name := range names {
		mode := fs.ModeIrregular
		if st, err := h.lstat(name); err == nil {
			mode = st.mode.Type()
		}
		all = append(all, dirent{name, mode})
	}
	return all, nil
}
