package workspace

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
)

// A name is a path between two of its changes: after so many of them.
type name struct {
	path    string
	changes int
}

// twins are names of one file, in trees: each leads to another, the last to none.
type twins map[name]name

func (t twins) last(n name) name {
	for {
		up, ok := t[n]
		if !ok {
			return n
		}
		n = up
	}
}

//go:noinline
func (t twins) join(a, b name) {
	if a, b = t.last(a), t.last(b); a != b {
		t[b] = a
	}
}

// twinsOf are, by path, all names of each file that had several before the first of the changes, and after the last, as far as the changes
// tell and as it stands now, and as an undo that was cut off has brought back: first those that were left alone. Each tells of one other name, as it was before or after its command: what is another's name may have become that by
// an earlier command, or be no more by a later one, and a name that nothing was done to may be told of by none.
func twinsOf(changes []nebula.Change, now, was [][]string) (before, after map[string][]string) {
	t, count := twins{}, map[string]int{}
	for _, command := range byCommand(changes) {
		after := map[string]int{}
		for _, c := range command {
			after[c.Name()] = 1
		}
		for _, c := range command {
			if p, q := c.Name(), c.TwinBefore; q != "" {
				t.join(name{p, count[p]}, name{q, count[q]})
			}
			if p, q := c.Name(), c.TwinAfter; q != "" {
				t.join(name{p, count[p] + 1}, name{q, count[q] + after[q]})
			}
		}
		for p := range after {
			count[p]++
		}
	}
	for _, names := range now {
		for _, p := range names[1:] {
			t.join(name{names[0], count[names[0]]}, name{p, count[p]})
		}
	}
	for _, names := range was {
		for _, p := range names[1:] {
			t.join(name{names[0], 0}, name{p, 0})
		}
	}
	return t.groups(count, func(n name) bool { return n.changes == 0 }), t.groups(count, func(n name) bool { return n.changes == count[n.path] })
}

// groups are, by path, all names of each file that has several at some time.
func (t twins) groups(count map[string]int, at func(name) bool) map[string][]string {
	files, all := map[name][]string{}, map[name]bool{}
	for n, up := range t {
		all[n], all[up] = true, true
	}
	for n := range all {
		if at(n) {
			files[t.last(n)] = append(files[t.last(n)], n.path)
		}
	}
	names := map[string][]string{}
	for _, paths := range files {
		lists.Sort(paths, func(a, b string) int {
			return cmp.Or(cmp.Compare(min(count[a], 1), min(count[b], 1)), cmp.Compare(a, b))
		})
		for _, p := range paths {
			names[p] = paths
		}
	}
	return names
}

// together are the names of each file in the folder that has several and where a change left what stands there. What is as it was before the
// changes as well may have been brought back by an undo that was cut off, so it tells nothing.
func (r *undoing) together(changes []nebula.Change) (now [][]string) {
	if !slices.ContainsFunc(changes, func(c nebula.Change) bool { return c.TwinBefore+c.TwinAfter != "" }) {
		return nil
	}
	for _, all := range r.look() {
		var names []string
		changed := false
		for _, p := range all {
			i := r.by[p]
			if i == nil {
				names = append(names, p)
			} else if last := i.chain[len(i.chain)-1]; last.file() && !last.equal(i.want) {
				names, changed = append(names, p), true
			}
		}
		if changed {
			now = append(now, names)
		}
	}
	return now
}

// pair says of each path which other name its file is to have.
func (r *undoing) pair(was [][]string) {
	r.twins, r.ends = twinsOf(r.changes, r.linked, was)
	for _, i := range r.items {
		i.twin = ""
		if n := slices.IndexFunc(r.twins[i.path], func(name string) bool { return name != i.path }); n >= 0 {
			i.twin = r.twins[i.path][n]
		}
	}
}

// resume tells anew which names are of one file, where an undo that was cut off has joined and parted some: of those that stand together now
// only what the changes left tells of the time after them.
func (r *undoing) resume() {
	for n, names := range r.linked {
		r.linked[n] = lists.Drop(names, func(name string) bool {
			return r.by[name] != nil && !r.by[name].now.equal(r.by[name].chain[len(r.by[name].chain)-1])
		})
	}
	r.linked = lists.Drop(r.linked, func(names []string) bool { return len(names) == 0 })
	r.pair(nil)
	for _, i := range r.items {
		if i.now.same(i.want) && i.left == nil {
			i.already = !i.parts()
			i.done = i.already
		}
	}
	r.pair(r.relinked())
}

// relinked are the names of each file that an undo that was cut off has made names of it again, with those that nothing was done to.
func (r *undoing) relinked() (was [][]string) {
	for p, names := range r.names {
		if p == names[0] {
			was = append(was, lists.Drop(lists.Clone(names), func(name string) bool {
				i := r.by[name]
				return i != nil && !(r.cut(i) && i.already)
			}))
		}
	}
	return lists.Drop(was, func(names []string) bool { return len(names) < 2 })
}

// look finds all names of each file in the folder that has several, before any of them is taken back.
func (r *undoing) look() (files [][]string) {
	r.names = map[string][]string{}
	top, err := r.d.survey(r.ctx, nil).walk(nil)
	if err != nil {
		return nil
	}
	all := map[[2]uint64][]string{}
	top.dir.each("", func(p string, k *kid) {
		if k.mark.links > 1 && k.mark.mode.IsRegular() {
			of := [2]uint64{k.mark.dev, k.mark.ino}
			all[of] = append(all[of], p)
		}
	})
	for _, names := range all {
		files = append(files, names)
		for _, p := range names {
			r.names[p] = names
		}
	}
	return files
}

// twinNow is another name of what stood at a path when the undo began: best one that it does not touch. Where an undo that was cut off has
// parted or joined names, it is told from the changes.
func (r *undoing) twinNow(p string) (twin string) {
	cut := func(name string) bool { return r.by[name] != nil && r.cut(r.by[name]) }
	for _, other := range append(lists.Drop(lists.Clone(r.names[p]), func(name string) bool { return cut(p) || cut(name) }), lists.Drop(lists.Clone(r.ends[p]), func(name string) bool { return !cut(p) && !cut(name) })...) {
		if other != p && utf8.ValidString(other) && (twin == "" || r.by[other] == nil) {
			twin = other
		}
	}
	return twin
}

// byCommand are the changes of each command: they are sorted by path. Where those of two commands are in order as well, and
// what they tell of twins does not contradict that, they are taken for one command's.
func byCommand(changes []nebula.Change) (each [][]nebula.Change) {
	from, single, said := 0, map[string]bool{}, map[string]bool{}
	for n, c := range changes {
		if n > from && (c.Name() <= changes[n-1].Name() || single[c.TwinBefore] || c.TwinAfter == "" && said[c.Name()]) {
			each, from = append(each, changes[from:n]), n
			clear(single)
			clear(said)
		}
		single[c.Name()], said[c.TwinAfter] = c.TwinBefore == "", true
	}
	return append(each, changes[from:])
}

// twin is another path in the folder of the file at a path, which that path leaves when it is changed.
func (d *Dir) twin(ctx context.Context, p string, was state) (twin string) {
	if !was.file() || was.stat.links < 2 {
		return ""
	}
	top, err := d.survey(ctx, nil).walk(nil)
	if err != nil {
		return ""
	}
	m := was.stat.mark()
	top.dir.each("", func(other string, k *kid) {
		if twin == "" && other != p && k.mark.ino == m.ino && k.mark.dev == m.dev && utf8.ValidString(other) {
			twin = other
		}
	})
	return twin
}

// relink makes a path a name of the same file as its twins again.
func (r *undoing) relink(i *item) error {
	for _, name := range r.twins[i.path] {
		if name == i.path {
			return nil // those that come later follow this one
		}
		if done, err := r.relinkTo(i, name); done || err != nil {
			return err
		}
	}
	return nil
}

func (r *undoing) relinkTo(i *item, name string) (done bool, err error) {
	twin, err := r.exact(name)
	if err != nil {
		return false, nil // then it is no twin any more
	}
	defer twin.close()
	if len(twin.rest) > 0 || !twin.stat.mode.IsRegular() || !twin.stat.exists() {
		return false, nil
	}
	s, err := r.exact(i.path)
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
	if i.apart = twin.dir.linkTo(twin.name, s.dir, temp); i.apart != nil {
		return false, nil
	}
	return true, r.d.move(s, temp, here, r.many())
}
