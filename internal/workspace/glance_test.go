package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A glance tells of plain files what a look at each tells, and nothing of all else.
func TestAGlanceTellsOfPlainFilesOnly(t *testing.T) {
	d := opened(t)
	for _, name := range []string{"a.txt", "deep/er/b.txt", "deep/c.txt"} {
		lay(t, d, name, "some text in "+name)
	}
	elsewhere := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(elsewhere, "x"), nil, 0o600), os.Symlink("a.txt", filepath.Join(d.Path(), "link")),
		os.Symlink("deep", filepath.Join(d.Path(), "way")), os.Symlink(elsewhere, filepath.Join(d.Path(), "out"))); err != nil {
		t.Skip(err)
	}
	paths := []string{"a.txt", "deep/er/b.txt", "deep/c.txt", "deep", "link", "way/c.txt", "out/x", "gone", "gone/er", "../x", filepath.Join(elsewhere, "x"), ".", ""}
	for i, e := range d.Glance(paths) {
		p := paths[i]
		if i > 2 {
			if e.Path != "" {
				t.Errorf("%q: told of as %+v", p, e)
			}
			continue
		}
		if want, err := d.Stat(p); err != nil || e != want {
			t.Errorf("%q: %+v, want %+v, %v", p, e, want, err)
		}
	}
	if err := os.Remove(filepath.Join(d.Path(), "a.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Stat("a.txt"); !errors.Is(err, fs.ErrNotExist) || d.Glance([]string{"a.txt"})[0].Path != "" {
		t.Error("what is gone is still told of")
	}
}
