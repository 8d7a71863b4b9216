package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"nebula"
)

// granting is an open grant for the paths as they are now in the folder.
func granting(t testing.TB, d *Dir, paths ...string) *nebula.Grant {
	t.Helper()
	p := nebula.Proposal{Action: nebula.Action{ID: "w1", Tool: "writeFile"}, Effect: nebula.Write}
	for _, path := range paths {
		p.Targets = append(p.Targets, nebula.Target{Path: path, Hash: d.shownHash(path)})
	}
	g := nebula.NewGrant("g1", "test", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	return g
}

// shownHash is the hash that a proposal shows for a path.
func (d *Dir) shownHash(path string) string {
	s, err := d.find(path, false)
	if err != nil {
		return ""
	}
	defer s.close()
	if st, err := d.look(s); err == nil && st.link() {
		if data, _, err := d.Read(path, 0); err == nil {
			return nebula.Hash(data)
		}
		return st.hash
	} else if err == nil {
		return st.hash
	}
	return ""
}

func lay(t testing.TB, d *Dir, path, text string) {
	t.Helper()
	full := filepath.Join(d.Path(), path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func content(t testing.TB, d *Dir, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(d.Path(), path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWriteCreatesAndReplaces(t *testing.T) {
	d := opened(t)
	c, err := d.Write(t.Context(), granting(t, d, "a.txt"), "a.txt", []byte("one\n"))
	if err != nil || c.Kind != "create" || c.After != nebula.Hash([]byte("one\n")) || c.Before != "" {
		t.Fatalf("%+v %v", c, err)
	}
	os.Chmod(filepath.Join(d.Path(), "a.txt"), 0o751)
	c, err = d.Write(t.Context(), granting(t, d, "a.txt"), "./a.txt", []byte("two\n"))
	if err != nil || c.Kind != "edit" || c.ModeBefore != 0o751 || c.ModeAfter != 0o751 {
		t.Fatalf("%+v %v", c, err)
	}
	fi, _ := os.Stat(filepath.Join(d.Path(), "a.txt"))
	if content(t, d, "a.txt") != "two\n" || fi.Mode() != 0o751 {
		t.Fatalf("%q %v", content(t, d, "a.txt"), fi.Mode())
	}
}

func TestChangeNeedsGrantForWhatIsThere(t *testing.T) {
	d := opened(t)
	lay(t, d, "a.txt", "one\n")
	g := granting(t, d, "a.txt", "new.txt")
	lay(t, d, "a.txt", "other\n")
	lay(t, d, "new.txt", "appeared\n")
	if _, err := d.Write(t.Context(), g, "a.txt", []byte("x")); !errors.Is(err, ErrStale) {
		t.Errorf("changed file: %v", err)
	}
	if _, err := d.Write(t.Context(), g, "new.txt", []byte("x")); !errors.Is(err, ErrStale) {
		t.Errorf("appeared file: %v", err)
	}
	if _, err := d.Write(t.Context(), g, "b.txt", []byte("x")); !errors.Is(err, nebula.ErrNoGrant) {
		t.Errorf("other file: %v", err)
	}
	if _, err := d.Write(t.Context(), nil, "a.txt", []byte("x")); !errors.Is(err, nebula.ErrNoGrant) {
		t.Errorf("no grant: %v", err)
	}
	if _, err := d.Delete(t.Context(), g, "a.txt"); !errors.Is(err, ErrStale) {
		t.Errorf("delete: %v", err)
	}
	if content(t, d, "a.txt") != "other\n" || content(t, d, "new.txt") != "appeared\n" {
		t.Error("a refused change left a trace")
	}
}
