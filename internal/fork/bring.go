package fork

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"nebula/internal/lists"
)

// A Brought is what of the folder came into a fork: paths that were changed in the folder since, and those that were
// changed in both and do not fit together, now or earlier and not settled since. A text of these holds both versions,
// between marks; of anything else the fork's stays.
type Brought struct {
	Paths     []string
	Conflicts []string
}

// Bring brings what was changed in the folder since into the fork, by three-way merge. From then on that is what the fork
// is compared with. One that was cut off is finished by another. What the fork has something else for in the way, and a
// folder that holds what only the fork has, stay as they are there, and are conflicts.
func (f *Fork) Bring(ctx context.Context, folder string, skip ...string) (b Brought, err error) {
	base, work, err := f.parts()
	if err != nil {
		return b, err
	}
	defer base.close()
	defer work.close()
	now, err := openTree(folder)
	if err != nil {
		return b, err
	}
	defer now.close()
	changed, err := f.changed(ctx, base, now, work, skip)
	if err != nil {
		return b, err
	}
	for _, t := range slices.Backward(changed) { // what is gone before what stands in its place, and the folder after what was in it
		if !t.is.there() {
			err = errors.Join(err, t.merge())
		}
	}
	for _, t := range changed {
		if t.is.there() && err == nil {
			err = t.merge()
		}
		if !t.cache {
			b.Paths = append(b.Paths, filepath.ToSlash(t.rel))
		}
		if t.conflict && !t.ignored {
			b.Conflicts = append(b.Conflicts, filepath.ToSlash(t.rel))
		}
	}
	if err != nil {
		return b, err
	}
	left, err := f.unsettled(ctx, base, work)
	for _, path := range left {
		if !lists.Has(b.Conflicts, path) {
			b.Conflicts = append(b.Conflicts, path)
		}
	}
	return b, err
}

// unsettled are the files of the fork that are not the folder's and hold two versions, from this time or an earlier one.
func (f *Fork) unsettled(ctx context.Context, base, work tree) (paths []string, err error) {
	made, err := f.differing(ctx, base, work)
	for _, p := range made {
		if ignored, _ := f.ignored(p.rel); ignored || !p.is.there() || !p.is.mode.IsRegular() {
			continue
		}
		if data, err := work.read(p.rel); err == nil && marked(data) {
			paths = append(paths, filepath.ToSlash(p.rel))
		}
	}
	return paths, err
}

// changed are the paths that are not in the folder what they were.
func (f *Fork) changed(ctx context.Context, base, now, work tree, skip []string) (all []*trio, err error) {
	changed, err := f.differing(ctx, base, now, skip...)
	if err != nil {
		return nil, err
	}
	has, err := list(ctx, work)
	for _, p := range changed {
		t := &trio{fork: f, rel: p.rel, base: base, now: now, work: work, was: p.was, is: p.is, has: has[p.rel]}
		t.ignored, t.cache = f.ignored(p.rel)
		all = append(all, t)
	}
	return all, err
}

// A trio is a path in the folder as it was, as it is now, and in the fork.
type trio struct {
	fork            *Fork
	rel             string
	base, now, work tree
	was, is, has    entry
	ignored, cache  bool
	conflict        bool
}

// merge makes of the fork's version what both came to, and of the base what the folder has now.
func (t *trio) merge() (err error) {
	switch {
	case t.fork.same(t.rel, t.now, t.is, t.work, t.has):
	case t.fork.same(t.rel, t.base, t.was, t.work, t.has):
		err = t.take(t.work, t.has)
	case t.ignored: // the newer is the whole of it, and a cache is each folder's own
		if !t.cache && t.is.time.After(t.has.time) {
			err = t.take(t.work, t.has)
		}
	case t.is.there() && !t.has.there(): // taken away here, changed there: it comes back, to be looked at
		t.conflict, err = true, t.take(t.work, t.has)
	case t.text():
		err = t.join()
	default:
		t.conflict = !t.is.mode.IsDir() || !t.has.mode.IsDir()
	}
	if errors.Is(err, errInTheWay) {
		t.conflict, err = true, nil
	}
	if err != nil {
		return err
	}
	if t.was.mode.IsDir() && t.is.there() && !t.is.mode.IsDir() { // what was listed in it is gone by now
		if err := t.clear(); err != nil {
			return err
		}
	}
	return t.take(t.base, t.was)
}

// clear empties what stays of a folder of the base: repositories.
func (t *trio) clear() error {
	at, err := t.base.folder(t.rel, false)
	if err != nil {
		return err
	}
	defer at.Close()
	all, err := names(at)
	for _, name := range all {
		err = errors.Join(err, at.RemoveAll(name))
	}
	return err
}

// take makes what the folder has now at a path of the fork. A folder that is gone stays where it holds something else.
func (t *trio) take(to tree, had entry) error {
	if had.there() && (!t.is.there() || had.mode.IsDir() != t.is.mode.IsDir()) {
		at, name, err := to.holder(t.rel, false)
		if err != nil {
			return err
		}
		err = errors.Join(at.Remove(name), at.Close())
		switch holds := had.mode.IsDir() && errors.Is(err, fs.ErrExist); {
		case holds && t.is.there():
			return errInTheWay
		case err != nil && !holds:
			return err
		}
	}
	if !t.is.there() {
		return nil
	}
	err := putEntry(t.now, to, t.rel, t.is)
	if err == nil && t.is.mode.IsDir() {
		err = to.dress(t.rel, t.is.mode)
	}
	return err
}

// largestText bounds a file that is merged by its lines.
const largestText = 4 << 20

// text reports whether all versions are files of text, as far as they are there.
func (t *trio) text() bool {
	for in, e := range map[tree]entry{t.base: t.was, t.now: t.is, t.work: t.has} {
		if !e.there() && in == t.base {
			continue
		}
		if !e.there() || !e.mode.IsRegular() || e.size > largestText {
			return false
		}
		if data, err := in.read(t.rel); err != nil || bytes.IndexByte(data, 0) >= 0 {
			return false
		}
	}
	return true
}

// join merges the lines of the three versions into the fork's.
func (t *trio) join() (err error) {
	var base []byte
	if t.was.there() {
		if base, err = t.base.read(t.rel); err != nil {
			return err
		}
	}
	now, err := t.now.read(t.rel)
	if err != nil {
		return err
	}
	work, err := t.work.read(t.rel)
	if err != nil {
		return err
	}
	merged, conflict := Merge(string(base), string(work), string(now))
	t.conflict = conflict
	mode := t.has.mode
	if mode == t.was.mode {
		mode = t.is.mode
	}
	return t.work.write(t.rel, strings.NewReader(merged), entry{mode: mode})
}

// Marks stand around what does not fit together, each at the beginning of a line of its own: this fork's version, and that
// of the folder.
const (
	markOurs   = "<<<<<<< this step"
	markMiddle = "======="
	markTheirs = ">>>>>>> joined before"
)

// Marked reports whether a file of the fork still holds what does not fit together.
func (f *Fork) Marked(path string) bool {
	work, err := openTree(f.Work())
	if err != nil {
		return false
	}
	defer work.close()
	data, err := work.read(filepath.FromSlash(path))
	return err == nil && marked(data)
}

func marked(data []byte) bool {
	text := "\n" + strings.ReplaceAll(string(data), "\r\n", "\n")
	return strings.Contains(text, "\n"+markOurs+"\n") || strings.Contains(text, "\n"+markTheirs+"\n")
}

// Merge makes one text of two that were made of a third. Where both changed the same lines, or lines that touch, in
// different ways, both versions stand between marks, and conflict is true.
func Merge(base, ours, theirs string) (merged string, conflict bool) {
	x, y := udiff.Lines(base, ours), udiff.Lines(base, theirs)
	var b strings.Builder
	at := 0
	for len(x)+len(y) > 0 {
		start, end := first(x, y)
		nx, ny := 0, 0
		for grown := true; grown; {
			grown = false
			for nx < len(x) && x[nx].Start <= end {
				end, nx, grown = max(end, x[nx].End), nx+1, true
			}
			for ny < len(y) && y[ny].Start <= end {
				end, ny, grown = max(end, y[ny].End), ny+1, true
			}
		}
		b.WriteString(base[at:start])
		mine, other := applied(base, x[:nx], start, end), applied(base, y[:ny], start, end)
		switch {
		case ny == 0 || mine == other:
			b.WriteString(mine)
		case nx == 0:
			b.WriteString(other)
		default:
			conflict = true
			b.WriteString(markOurs + "\n" + whole(mine) + markMiddle + "\n" + whole(other) + markTheirs + "\n")
		}
		at, x, y = end, x[nx:], y[ny:]
	}
	b.WriteString(base[at:])
	return b.String(), conflict
}

// first is the place of the first edit.
func first(x, y []udiff.Edit) (start, end int) {
	switch {
	case len(x) == 0:
		return y[0].Start, y[0].Start
	case len(y) == 0:
		return x[0].Start, x[0].Start
	}
	at := min(x[0].Start, y[0].Start)
	return at, at
}

// applied is what edits make of a part of a text.
//
//go:noinline
func applied(base string, edits []udiff.Edit, start, end int) string {
	var b strings.Builder
	for _, e := range edits {
		b.WriteString(base[start:e.Start] + e.New)
		start = e.End
	}
	return b.String() + base[start:end]
}

// whole ends a text with the end of a line.
//
//go:noinline
func whole(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
