package workspace

import (
	"path"

	"nebula"
)

// unbroken are those of the changes that can be taken back without what somebody else wrote between them: of each path
// those since then. Where what one change found is not what the one before it left, somebody did, and between has the path.
func unbroken(changes []nebula.Change) (since []nebula.Change, between map[string]bool) {
	from, first, last, between := map[string]int{}, map[string]state{}, map[string]state{}, map[string]bool{}
	dirs := map[string]int{} // the last change that found a directory there
	for n, c := range changes {
		p := c.Name()
		before, after := ends(c)
		left, again := last[p]
		if !again {
			first[p] = before
		} else if !left.equal(before) {
			from[p], first[p], between[p] = n, before, true
		}
		if before.dir() {
			dirs[p] = n
		}
		last[p] = after
	}
	needed := map[string]bool{}
	for p, before := range first {
		if !before.exists() {
			continue
		}
		for up := path.Dir(p); up != "." && !needed[up]; up = path.Dir(up) { // what somebody put there stays in its directory
			needed[up] = true
			was, changed := first[up]
			if n, made := dirs[up]; changed && made && !was.dir() {
				from[up] = n
				between[up] = between[up] || was.exists()
			}
		}
	}
	for n, c := range changes {
		if n >= from[c.Name()] {
			since = append(since, c)
		}
	}
	return since, between
}
