package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
)

func laid(t testing.TB, d *Dir, files map[string]string) {
	t.Helper()
	for p, text := range files {
		full := filepath.Join(d.Path(), p)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// pictured shows everything in a folder: kinds, modes and contents.
func pictured(t testing.TB, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(p string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		if rel == "." {
			return nil
		}
		fmt.Fprintf(&b, "%s %v", rel, fi.Mode())
		switch {
		case fi.Mode()&os.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			fmt.Fprintf(&b, " -> %s", to)
		case fi.Mode().IsRegular():
			data, _ := os.ReadFile(p)
			fmt.Fprintf(&b, " %q", data)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// restoring is a grant that covers what changes left.
func restoring(t testing.TB, changes []nebula.Change) *nebula.Grant {
	t.Helper()
	p := nebula.Proposal{Action: nebula.Action{ID: "undo"}, Effect: nebula.Write}
	for _, c := range changes {
		p.Targets = append(p.Targets, nebula.Target{Path: c.Name(), Hash: c.After})
	}
	g := nebula.NewGrant("g", "person", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestCommandsChangesAreTakenBack(t *testing.T) {
	skipWithoutShell(t)
	d := opened(t)
	laid(t, d, map[string]string{
		"main.go": "package main\n", "a/b/c.txt": "deep\n", "a/gone.txt": "soon gone", "mode.sh": "#!/bin/sh\n", "empty": "",
		"dir/one": "1", "dir/two": "2", ".hidden": "h", ".gitignore": "ignored\n", "ignored/x": "x", "same": "abc",
	})
	os.Symlink("main.go", filepath.Join(d.Path(), "link"))
	tests := []struct{ name, line string }{
		{"edit", "echo '// more' >> main.go; echo deeper > a/b/c.txt"},
		{"same size and time", "cp -p same keep; printf xyz > same; touch -r keep same; rm keep"},
		{"create", "mkdir -p new/deep; echo x > new/deep/file; echo y > made"},
		{"delete", "rm a/gone.txt empty; rm -r dir"},
		{"mode", "chmod 755 mode.sh"},
		{"edit and mode", "echo exit >> mode.sh; chmod 700 mode.sh"},
		{"move", "mv main.go other.go; mv a b"},
		{"hidden", "echo z > .hidden; echo q > .new"},
		{"links", "ln -sf same link; ln -s a another"},
		{"file for link", "rm link; echo plain > link"},
		{"everything", "rm -rf main.go a mode.sh empty dir .hidden link same"},
		{"nothing", "true"},
		{"back and forth", "cp main.go x; echo 1 > main.go; cat x > main.go; rm x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			was := pictured(t, d.Path())
			s, err := d.Snapshot(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			if e := ran(t, d, Command{Line: tt.line}); e.Code != 0 {
				t.Fatalf("%s", e.Output)
			}
			is := pictured(t, d.Path())
			changes, err := s.Changes(t.Context())
			if err != nil || len(s.Lost()) > 0 {
				t.Fatalf("%v, lost %v", err, s.Lost())
			}
			if was == is && slices.ContainsFunc(changes, nebula.Change.OfFile) {
				t.Errorf("changes %+v", changes)
			}
			redo, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
			if err != nil || len(left) > 0 {
				t.Fatalf("%v %v\n%+v", err, left, changes)
			}
			if got := pictured(t, d.Path()); got != was {
				t.Errorf("undone:\n%s\nwant:\n%s\nchanges %+v", got, was, changes)
			}
			undo, left, err := d.Restore(t.Context(), restoring(t, redo), redo)
			if err != nil || len(left) > 0 {
				t.Fatal(err, left)
			}
			if got := pictured(t, d.Path()); got != is {
				t.Errorf("redone:\n%s\nwant:\n%s", got, is)
			}
			if _, left, err := d.Restore(t.Context(), restoring(t, undo), undo); err != nil || len(left) > 0 {
				t.Fatal(err, left)
			}
		})
	}
}

// What another step writes while a command runs is not the command's: undo of the one leaves the other's alone.
func TestChangesBesideACommandAreNotItsOwn(t *testing.T) {
	skipWithoutShell(t)
	d := opened(t)
	laid(t, d, map[string]string{"edited": "1", "deleted": "1", "both": "1", "command": "1"})
	s, err := d.Snapshot(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"edited", "made", "both"} {
		if _, err := d.Write(t.Context(), granting(t, d, p), p, []byte("by a step")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Mkdir(t.Context(), granting(t, d, "dir"), "dir"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Delete(t.Context(), granting(t, d, "deleted"), "deleted"); err != nil {
		t.Fatal(err)
	}
	if e := ran(t, d, Command{Line: "echo 2 > command; echo 2 > both; echo 2 > other"}); e.Code != 0 {
		t.Fatalf("%s", e.Output)
	}
	changes, err := s.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.Path)
	}
	slices.Sort(paths)
	if want := []string{"both", "command", "other"}; !slices.Equal(paths, want) {
		t.Errorf("the command changed %v, want %v", paths, want)
	}
}

func TestSecondSnapshotReadsOnlyWhatChanged(t *testing.T) {
	d := opened(t)
	for i := range 100 {
		laid(t, d, map[string]string{fmt.Sprintf("f%d", i): strings.Repeat("x", 1000)})
	}
	old := t.Context()
	shift(t, d)
	for range 3 {
		if _, err := d.Snapshot(old, ""); err != nil {
			t.Fatal(err)
		}
	}
	if d.album.end != 100_000 {
		t.Errorf("%d bytes were read", d.album.end)
	}
	laid(t, d, map[string]string{"f7": "new"})
	if _, err := d.Snapshot(old, ""); err != nil {
		t.Fatal(err)
	}
	if d.album.end != 100_003 {
		t.Errorf("%d bytes were read", d.album.end)
	}
}

// shift waits until the files' times are old enough to be relied upon.
func shift(t testing.TB, d *Dir) {
	t.Helper()
	for settled := false; !settled; {
		top, err := d.survey(t.Context(), nil).walk(nil)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now().UnixNano()
		settled = top.mark.settled(now)
		top.dir.each("", func(_ string, k *kid) { settled = settled && k.mark.settled(now) })
	}
}

func TestSnapshotStopsWhenCancelled(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "1"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Snapshot(ctx, ""); err == nil {
		t.Error("no error")
	}
}

func TestForgoneFolderIsNotLookedAt(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "1"})
	d.Forgo()
	if paths, whole := d.Uncovered(t.Context()); len(paths) > 0 || whole {
		t.Errorf("%v, whole %v", paths, whole)
	}
	s, err := d.Snapshot(t.Context(), "run")
	if err != nil || s.Whole() || d.album.dir != "" {
		t.Errorf("whole %v, images in %q, %v", s.Whole(), d.album.dir, err)
	}
}

func TestHugeFileIsNamedAndNotCopied(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "1", "huge": "x"})
	if err := os.Truncate(filepath.Join(d.Path(), "huge"), largest+1); err != nil {
		t.Skip(err)
	}
	if paths, whole := d.Uncovered(t.Context()); !slices.Equal(paths, []string{"huge"}) || !whole {
		t.Errorf("%v, whole %v", paths, whole)
	}
	if _, err := d.Snapshot(t.Context(), ""); err != nil || d.album.bigs > 0 {
		t.Errorf("%d bytes were copied, %v", d.album.bigs, err)
	}
}

// stopping is a context that ends when it was asked so many times.
type stopping struct {
	context.Context
	left atomic.Int64
}

func (c *stopping) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestStoppedSnapshotLeavesNothing(t *testing.T) {
	for asked := range int64(12) {
		d := opened(t)
		laid(t, d, map[string]string{"a": strings.Repeat("a", 9000), "b/c": "c", "large": strings.Repeat("l", 3*small), "larger": strings.Repeat("l", 9*small)})
		ctx := &stopping{Context: t.Context()}
		ctx.left.Store(asked)
		_, err := d.Snapshot(ctx, "")
		gen := filepath.Join(d.album.dir, "1")
		pack, _ := os.Stat(filepath.Join(gen, "pack"))
		bigs, _ := os.ReadDir(filepath.Join(gen, "big"))
		if err != nil && (pack != nil && pack.Size() > 0 || len(bigs) > 0) {
			t.Errorf("stopped after %d: %v, %d large files", asked, pack.Size(), len(bigs))
		}
		if asked == 0 && err == nil {
			t.Error("not stopped")
		}
	}
}

// What directories are the same in is not read again: what is made, goes or changes in one is seen all the same.
func TestQuietDirectoryTellsWhatIsNew(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a/b/c": "1", "a/b/d": "1", "a/e": "1", "f/g": "1"})
	shift(t, d)
	for round, deed := range []func(at string) error{
		func(at string) error { return os.WriteFile(filepath.Join(at, "a/b/new"), nil, 0o600) },
		func(at string) error { return os.Remove(filepath.Join(at, "a/b/c")) },
		func(at string) error { return os.WriteFile(filepath.Join(at, "a/b/d"), []byte("2"), 0o600) },
		func(at string) error { return os.Rename(filepath.Join(at, "a/e"), filepath.Join(at, "a/h")) },
		func(at string) error { return os.Mkdir(filepath.Join(at, "f/i"), 0o700) },
	} {
		for range 2 { // the second finds all as it was
			if _, err := d.Snapshot(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
		}
		s, err := d.Snapshot(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if err := deed(d.Path()); err != nil {
			t.Fatal(err)
		}
		if changes, err := s.Changes(t.Context()); err != nil || len(changes) == 0 {
			t.Errorf("round %d: nothing was seen, %v", round, err)
		}
	}
}

// A command that was to begin when its nebula was killed did not, as long as the folder was not looked at. Of one that nobody
// heard of, or where the folder is not looked at, nothing is known.
func TestCommandThatDidNotBeginChangedNothing(t *testing.T) {
	d := opened(t)
	d.Cover(t.TempDir(), DefaultBudget)
	d.Begins("begun")
	if s, err := d.Snapshot(t.Context(), "other"); err != nil {
		t.Fatal(err)
	} else if _, err := s.Changes(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.Begins("looked")
	s, err := d.Snapshot(t.Context(), "looked")
	if err != nil {
		t.Fatal(err)
	}
	laid(t, d, map[string]string{"made": ""})
	s.run.end(false) // it was killed
	d.Forgo()
	d.Begins("unseen")
	for id, want := range map[string]string{"begun": "known 0 changes, waits false", "looked": "known 1 changes, waits true", "unseen": "unknown", "never": "unknown"} {
		got := "unknown"
		if changes, _, known := d.Left(t.Context(), id, nil); known {
			got = fmt.Sprintf("known %d changes, waits %v", len(changes), d.Waits(id))
		}
		if got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}
