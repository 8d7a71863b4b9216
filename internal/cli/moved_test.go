package cli

import (
	"os"
	"path/filepath"
	"testing"

	"nebula"
	"nebula/internal/workspace"
)

// A file that somebody moved is found by what was read of it, among those of its kind; one that is gone is nowhere.
func TestAFileThatWasMovedIsFoundAgain(t *testing.T) {
	dir := t.TempDir()
	lay(t, filepath.Join(dir, "lib", "b.go"), "package b\n")
	lay(t, filepath.Join(dir, "a.txt"), "package b\n")
	work, err := workspace.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer work.Close()
	find := moved(work)
	ref := func(path, text string) nebula.FileRef {
		return nebula.FileRef{Path: path, Hash: nebula.Hash([]byte(text))}
	}
	for _, c := range []struct {
		gone nebula.FileRef
		want string
	}{{ref("a.go", "package b\n"), "lib/b.go"}, {ref("c.go", "package c\n"), ""}, {ref("d.go", ""), ""}} {
		if got := find(c.gone); got != c.want {
			t.Errorf("%s: %q, want %q", c.gone.Path, got, c.want)
		}
	}
	if err := os.Remove(filepath.Join(dir, "lib", "b.go")); err != nil {
		t.Fatal(err)
	}
	if to := find(ref("a.go", "package b\n")); to != "" {
		t.Errorf("it is told to be %s, which is gone too", to)
	}
}
