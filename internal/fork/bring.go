package fork

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// A Brought is what of the folder came into a fork: paths that were changed in the folder since, and those of them that were
// changed in both and do not fit together. A text of these holds both versions, between marks; of anything else the fork's
// stays.
type Brought struct {
	Paths     []string
	Conflicts []string
}

// Bring brings what was changed in the folder since into the fork, by three-way merge. From then on that is what the fork
// is compared with. One that was cut off is finished by another.
func (f *Fork) Bring(ctx context.Context, folder string, skip ...string) (b Brought, err error) {
	base, err := list(ctx, f.base())
	if err != nil {
		return b, err
	}
	now, err := list(ctx, folder, skip...)
	if err != nil {
		return b, err
	}
	work, err := list(ctx, f.Work())
	if err != nil {
		return b, err
	}
	var gone []string
	for _, rel := range union(base, now) {
		t := trio{f, rel, filepath.Join(f.base(), rel), filepath.Join(folder, rel), filepath.Join(f.Work(), rel), base[rel], now[rel], work[rel]}
		if f.same(t.basePath, t.base, t.nowPath, t.now) {
			continue
		}
		if !t.now.there() {
			gone = append(gone, rel)
		}
		conflict, err := t.merge()
		if err != nil {
			return b, err
		}
		if b.Paths = append(b.Paths, filepath.ToSlash(rel)); conflict {
			b.Conflicts = append(b.Conflicts, filepath.ToSlash(rel))
		}
	}
	for _, rel := range slices.Backward(gone) { // what is in a folder before the folder
		for _, part := range []string{f.Work(), f.base()} {
			if info, err := os.Lstat(filepath.Join(part, rel)); err == nil && info.IsDir() {
				_ = os.Remove(filepath.Join(part, rel)) // one that holds something else stays
			}
		}
	}
	return b, nil
}

// A trio is a path in the folder as it was, as it is now, and in the fork.
type trio struct {
	fork                        *Fork
	rel                         string
	basePath, nowPath, workPath string
	base, now, work             entry
}

// merge makes of the fork's version what both came to, and of the base what the folder has now. Folders that are gone are
// not removed here: something may still be in them.
func (t trio) merge() (conflict bool, err error) {
	same := t.fork.same
	switch {
	case same(t.nowPath, t.now, t.workPath, t.work):
	case same(t.basePath, t.base, t.workPath, t.work):
		err = t.take(t.workPath, t.work)
	case t.now.there() && !t.work.there(): // taken away here, changed there: it comes back, to be looked at
		conflict, err = true, t.take(t.workPath, t.work)
	case t.text():
		conflict, err = t.join()
	default:
		conflict = !t.now.mode.IsDir() || !t.work.mode.IsDir()
	}
	if err != nil {
		return conflict, err
	}
	return conflict, t.take(t.basePath, t.base)
}

// take makes what the folder has now at a path of the fork.
func (t trio) take(to string, was entry) error {
	if was.there() && (!t.now.there() || was.mode.IsDir() != t.now.mode.IsDir()) {
		if was.mode.IsDir() {
			if t.now.there() { // a file stands in its place now
				return errors.Join(os.RemoveAll(to), place(t.nowPath, to, t.now))
			}
			return nil
		}
		if err := os.Remove(to); err != nil {
			return err
		}
	}
	if !t.now.there() {
		return nil
	}
	err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), place(t.nowPath, to, t.now))
	if err == nil && t.now.mode.IsDir() {
		err = os.Chmod(to, t.now.mode)
	}
	return err
}

// largestText bounds a file that is merged by its lines.
const largestText = 4 << 20

// text reports whether all versions are files of text, as far as they are there.
func (t trio) text() bool {
	for path, e := range map[string]entry{t.basePath: t.base, t.nowPath: t.now, t.workPath: t.work} {
		if !e.there() && path == t.basePath {
			continue
		}
		data, err := os.ReadFile(path)
		if !e.mode.IsRegular() || e.size > largestText || err != nil || bytes.IndexByte(data, 0) >= 0 {
			return false
		}
	}
	return true
}

// join merges the lines of the three versions into the fork's.
func (t trio) join() (conflict bool, err error) {
	var base []byte
	if t.base.there() {
		if base, err = os.ReadFile(t.basePath); err != nil {
			return false, err
		}
	}
	now, err := os.ReadFile(t.nowPath)
	if err != nil {
		return false, err
	}
	work, err := os.ReadFile(t.workPath)
	if err != nil {
		return false, err
	}
	merged, conflict := Merge(string(base), string(work), string(now))
	mode := t.work.mode
	if mode == t.base.mode {
		mode = t.now.mode
	}
	temp := beside(t.workPath)
	return conflict, errors.Join(os.WriteFile(temp, []byte(merged), 0o600), os.Chmod(temp, mode), os.Rename(temp, t.workPath))
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
	data, err := os.ReadFile(filepath.Join(f.Work(), filepath.FromSlash(path)))
	return err == nil && (strings.Contains("\n"+string(data), "\n"+markOurs+"\n") || strings.Contains("\n"+string(data), "\n"+markTheirs+"\n"))
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
func applied(base string, edits []udiff.Edit, start, end int) string {
	var b strings.Builder
	for _, e := range edits {
		b.WriteString(base[start:e.Start] + e.New)
		start = e.End
	}
	return b.String() + base[start:end]
}

// whole ends a text with the end of a line.
func whole(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
