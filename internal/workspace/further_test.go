package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
)

// beside opens a folder with another one added that stands beside it.
func beside(t *testing.T) (d *Dir, lib string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lib = filepath.Join(top, "lib")
	for _, dir := range []string{"app", "lib"} {
		if err := os.Mkdir(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if d, err = Open(filepath.Join(top, "app"), inMemory()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := d.Add(lib); err != nil {
		t.Fatal(err)
	}
	d.Cover(t.TempDir(), DefaultBudget)
	return d, filepath.ToSlash(lib)
}

func TestAddedFolderIsReadAndChangedLikeTheFolder(t *testing.T) {
	d, lib := beside(t)
	lay(t, d, "../lib/a.go", "package a // needle\n")
	lay(t, d, "../lib/.nebulaignore", "secret\n")
	lay(t, d, "../lib/secret", "s")
	lay(t, d, "../other", "o")
	at := lib + "/a.go"
	for _, p := range []string{at, "../lib/a.go", "./x/../../lib/a.go"} {
		data, e, err := d.Read(p, 0)
		if err != nil || string(data) != "package a // needle\n" || e.Path != at {
			t.Fatalf("%s: %q %+v %v", p, data, e, err)
		}
	}
	found, _, err := d.Search(t.Context(), Query{Under: "../lib", Keyword: "needle"})
	if err != nil || len(found) != 1 || found[0].Path != at {
		t.Fatalf("%v %v", found, err)
	}
	var listed []string
	for e, err := range d.List(t.Context(), Walk{Under: lib}) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, e.Path)
	}
	if !slices.Equal(listed, []string{at}) {
		t.Fatal(listed)
	}
	for _, p := range []string{"../other", "../lib/../other", lib + "/secret", "../lib/.git/config", lib + "x/a"} {
		clean, _ := d.Clean(p)
		_, err := d.Write(t.Context(), granting(t, d, clean), p, []byte("w"))
		mistake(t, p, err)
	}
	if !d.Protected("../lib/.git/config") {
		t.Error(".git can be changed")
	}
}

// grantedFor is a grant for files with one content.
func grantedFor(t *testing.T, hash string, paths ...string) *nebula.Grant {
	t.Helper()
	p := nebula.Proposal{Action: nebula.Action{ID: "w1"}, Effect: nebula.Write}
	for _, path := range paths {
		p.Targets = append(p.Targets, nebula.Target{Path: path, Hash: hash})
	}
	g := nebula.NewGrant("g", "test", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestUndoReachesAddedFolders(t *testing.T) {
	d, lib := beside(t)
	lay(t, d, "../lib/a", "old")
	at := lib + "/a"
	if _, err := d.Write(t.Context(), grantedFor(t, nebula.Hash([]byte("old")), "a"), at, []byte("w")); err == nil {
		t.Fatal("a grant for another path was enough")
	}
	c, err := d.Write(t.Context(), grantedFor(t, nebula.Hash([]byte("old")), at), "../lib/a", []byte("new"))
	if err != nil || c.Path != at {
		t.Fatalf("%+v %v", c, err)
	}
	before, err := d.Snapshot(t.Context(), "run")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Run(t.Context(), executing(t), Command{Line: "echo made > ../lib/b; echo own > own; rm ../lib/a"}, nil); err != nil {
		t.Fatal(err)
	}
	ran, err := before.Changes(t.Context())
	if err != nil || !before.Whole() {
		t.Fatal(err)
	}
	var paths []string
	for _, c := range ran {
		if c.OfFile() {
			paths = append(paths, c.Kind+" "+c.Path)
		}
	}
	slices.Sort(paths)
	if want := []string{"create " + lib + "/b", "create own", "delete " + at}; !slices.Equal(paths, want) {
		t.Fatalf("%q, want %q", paths, want)
	}
	all := append([]nebula.Change{c}, ran...)
	shown, err := d.Preview(t.Context(), all)
	if err != nil || string(shown[0].Then) != "old" || shown[0].Now != nil {
		t.Fatalf("%+v %v", shown, err)
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name()
	}
	made, left, err := d.Restore(t.Context(), grantedFor(t, "", names...), all)
	if err != nil || len(left) > 0 || content(t, d, "../lib/a") != "old" {
		t.Fatalf("%v %v %v", made, left, err)
	}
	for _, gone := range []string{"own", "../lib/b"} {
		if _, err := os.Stat(filepath.Join(d.Path(), gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	// Without the folder nothing is taken back, and that is said.
	alone, err := Open(d.Path(), d.keep)
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	if _, _, err = alone.Restore(t.Context(), grantedFor(t, "", names...), made); err == nil || !strings.Contains(err.Error(), "--add-dir") {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(d.Path(), "own")); err == nil {
		t.Error("the rest was brought back all the same")
	}
}

func TestFoldersInOneAnotherAreNotAddedTwice(t *testing.T) {
	d, lib := beside(t)
	lay(t, d, "sub/x", "x")
	if err := d.Add(filepath.Join(d.Path(), "sub")); err != nil || len(d.Further()) != 1 {
		t.Errorf("%v %v", d.Further(), err)
	}
	if err := d.Add(filepath.Dir(lib)); err == nil || !strings.Contains(err.Error(), "lies beside") {
		t.Errorf("%v", err)
	}
	if _, _, err := d.Read(filepath.Join(d.Path(), "sub", "x"), 0); err != nil {
		t.Error(err)
	}
}

// What is changed in a further folder is looked at: the rules of the folder itself say nothing of it.
func TestRulesSayNothingOfFurtherFolders(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{".gitignore": "*.log\n"})
	changes := []nebula.Change{{Path: "/further/lib/a.log", Kind: "create"}, {Path: "a.log", Kind: "create"}}
	d.Ignore(changes)
	if changes[0].Ignored || !changes[1].Ignored {
		t.Errorf("%+v", changes)
	}
}
