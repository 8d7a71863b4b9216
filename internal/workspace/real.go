package workspace

import (
	"path"
	"path/filepath"

	"nebula"
)

// Real is where a path of the folder leads: the clean path, with no link in it, of what is there or would be made there. Its last
// name is followed only when follow is set. A path is refused that is hidden by its own name or by that of where it leads.
func (d *Dir) Real(p string, follow bool) (string, error) {
	rel, err := d.Clean(p)
	if err != nil {
		return "", err
	}
	if o, in := d.of(rel); o != d {
		real, err := o.Real(in, follow)
		return o.name(real), o.withFolder(err)
	}
	s, err := d.sought(rel, follow)
	if err != nil {
		return "", err
	}
	defer s.close()
	return path.Join(append([]string{s.path}, s.rest...)...), nil
}

// Given is where an absolute path leads that a command asks to be let out of its box for: that is what is shown, judged and
// given, whatever its name says. What no box gives is a mistake: what is nebula's own, what holds that, the folder or
// the person's home, and what the system tells of everybody's processes.
func (d *Dir) Given(p string) (string, error) {
	real, err := filepath.EvalSymlinks(p)
	if err != nil || !filepath.IsAbs(p) || filepath.Clean(p) != p || !printable(p) || !printable(real) {
		return "", nebula.Wrong("Give the whole path of what is there.", "%q is no such path.", p)
	}
	for _, o := range d.own {
		if covers(o.path, real) || covers(real, o.path) {
			return "", private(p)
		}
	}
	for _, dir := range []string{"/proc", "/sys"} {
		if covers(dir, real) {
			return "", nebula.Wrong("Give files and folders.", "%q tells of the whole system and is not given: a box has its own.", p)
		}
	}
	whole := []string{d.real}
	if d.boxes.place.Home != "" {
		if home, err := filepath.EvalSymlinks(d.boxes.place.Home); err == nil {
			whole = append(whole, home)
		}
	}
	for _, dir := range whole {
		if covers(real, dir) {
			return "", nebula.Wrong("Give what is needed of it.", "%q holds %q and is not given as a whole.", real, dir)
		}
	}
	return real, nil
}

// stand is the mistake of a path that leads elsewhere by now than when it was shown.
func (n Needs) stand() error {
	for _, paths := range [][]string{n.Write, n.Read} {
		for _, p := range paths {
			if real, err := filepath.EvalSymlinks(p); err != nil || real != p {
				return nebula.Wrong("Ask for it again.", "%q leads elsewhere than when it was shown: nothing was run.", p)
			}
		}
	}
	return nil
}
