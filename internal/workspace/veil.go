package workspace

import (
	"path"
	"strings"

	"nebula"
)

// Veiled reports whether a .nebulaignore hides a path from the tools: by its own name or by that of a directory above it,
// whether or not something is there. Undo is not asked: what was changed is taken back wherever it is.
func (d *Dir) Veiled(p string) bool {
	rel, err := d.Clean(p)
	if err != nil {
		return false
	}
	o, in := d.of(rel)
	return o.veiled(in)
}

func (d *Dir) veiled(rel string) bool {
	h, err := d.top.sub(".")
	if err != nil || rel == "." {
		return false
	}
	defer func() { h.close() }()
	rules, at, there := &level{}, "", true
	for rest := rel; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		dir := rest != ""
		if there {
			if own := ruleFile(h, nebulaIgnore); len(own) > 0 {
				rules = &level{up: rules, base: len(at), own: own}
			}
			st, err := h.lstat(name)
			dir = dir || err == nil && st.mode.IsDir()
		}
		if rules.ignores(at+name, dir) {
			return true
		}
		at += name + "/"
		if there && rest != "" {
			sub, err := h.sub(name)
			if there = err == nil; there {
				h.close()
				h = sub
			}
		}
	}
	return false
}

// sought finds what a tool asks for. What is hidden is refused, by the way it was asked for and by where that leads.
func (d *Dir) sought(rel string, follow bool) (spot, error) {
	if d.veiled(rel) {
		return spot{}, hiddenFrom(rel)
	}
	s, err := d.find(rel, follow)
	if err != nil {
		return s, err
	}
	if full := path.Join(append([]string{s.path}, s.rest...)...); full != rel && d.veiled(full) {
		s.close()
		return spot{}, hiddenFrom(rel)
	}
	return s, nil
}

//go:noinline
func hiddenFrom(rel string) error {
	return nebula.Wrong("Work without it, or ask the person.", "%q is hidden by .nebulaignore.", rel)
}
