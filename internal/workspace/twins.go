package workspace

import "slices"

// twins are names that were names of one file, in rings: each leads to the next.
type twins map[string]string

// join makes two names, and all that they were joined with, one ring.
func (t twins) join(a, b string) {
	if b == "" || slices.Contains(t.ring(a), b) {
		return
	}
	for _, p := range []string{a, b} {
		if t[p] == "" {
			t[p] = p
		}
	}
	t[a], t[b] = t[b], t[a]
}

// ring are all names of a file, sorted.
func (t twins) ring(p string) []string {
	var all []string
	for at := t[p]; at != ""; at = t[at] {
		if all = append(all, at); at == p {
			break
		}
	}
	slices.Sort(all)
	return all
}

// relink makes a path a name of the same file as its twins again, where one of them is what all of them were.
func (r *undoing) relink(i *item) error {
	if i.twin == "" || !i.want.file() {
		return nil
	}
	for _, name := range r.twins.ring(i.path) {
		if name == i.path {
			continue
		}
		if t := r.by[name]; t != nil && t.twin == "" {
			continue // it was none before
		}
		if done, err := r.relinkTo(i, name); done || err != nil {
			return err
		}
	}
	return nil
}

func (r *undoing) relinkTo(i *item, name string) (done bool, err error) {
	twin, err := r.d.exact(name)
	if err != nil {
		return false, nil // then it is no twin any more
	}
	defer twin.close()
	if len(twin.rest) > 0 || !twin.stat.mode.IsRegular() || !twin.stat.exists() {
		return false, nil
	}
	s, err := r.d.exact(i.path)
	if err != nil {
		return false, err
	}
	defer s.close()
	if s.stat.same(twin.stat) {
		return true, nil
	}
	here, err := r.d.inspect(s)
	if err != nil {
		return false, err
	}
	if there, err := r.d.inspect(twin); err != nil || !there.same(i.want) || !here.same(i.want) {
		return false, nil
	}
	temp := tempName(r.d.guild.tag)
	if twin.dir.linkTo(twin.name, s.dir, temp) != nil {
		return false, nil
	}
	return true, r.d.move(s, temp, here, r.many())
}
