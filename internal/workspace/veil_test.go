package workspace

import (
	"path"
	"slices"
	"strings"
	"testing"

	"nebula"
)

func TestWhatIsHiddenIsHiddenFromEveryTool(t *testing.T) {
	d := opened(t)
	lay(t, d, ".nebulaignore", "secret/\n*.pem\n!public.pem\n")
	for _, f := range []string{"secret/key", "secret/deep/key", "a.pem", "public.pem", "sub/b.pem", "sub/plain", "inner/.nebulaignore", "inner/x", "inner/y"} {
		lay(t, d, f, "v")
	}
	lay(t, d, "inner/.nebulaignore", "x\n")
	if err := d.root.Symlink("secret/key", "door"); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"secret", "secret/key", "secret/deep/key", "secret/new", "a.pem", "sub/b.pem", "sub/new.pem", "inner/x", "door"} {
		reaches := map[string]func() error{
			"stat":   func() error { _, err := d.Stat(p); return err },
			"read":   func() error { _, _, err := d.Read(p, 0); return err },
			"search": func() error { _, _, err := d.Search(t.Context(), Query{Under: p, Keyword: "v"}); return err },
			"list": func() (err error) {
				for _, err = range d.List(t.Context(), Walk{Under: p}) {
				}
				return err
			},
			"write": func() error {
				_, err := d.Write(t.Context(), granting(t, d, p), p, []byte("w"))
				return err
			},
			"delete": func() error { _, err := d.Delete(t.Context(), granting(t, d, p), p); return err },
			"mkdir":  func() error { _, err := d.Mkdir(t.Context(), granting(t, d, p+"/z"), p+"/z"); return err },
		}
		if p == "door" { // the link itself may be seen and removed: only what it leads to is hidden
			delete(reaches, "stat")
			delete(reaches, "delete")
			delete(reaches, "mkdir")
		}
		for what, reach := range reaches {
			err := reach()
			mistake(t, what+" "+p, err)
			if err != nil && !strings.Contains(err.Error(), "hidden by .nebulaignore") {
				t.Errorf("%s %s: %v", what, p, err)
			}
		}
	}
	for _, p := range []string{"public.pem", "sub/plain", "inner/y", ".nebulaignore"} {
		if _, _, err := d.Read(p, 0); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	if _, _, err := d.Read("secrets", 0); err == nil || strings.Contains(err.Error(), `"secret"`) {
		t.Errorf("the hidden is suggested: %v", err)
	}
}

// What a command changed is taken back, also where the tools do not look.
func TestUndoReachesWhatIsHidden(t *testing.T) {
	d := opened(t)
	lay(t, d, ".nebulaignore", "secret\n")
	lay(t, d, "secret/key", "new")
	was, err := d.keep.Keep(t.Context(), []byte("old"))
	if err != nil {
		t.Fatal(err)
	}
	c := nebula.Change{Path: "secret/key", Kind: "edit", Before: was, After: nebula.Hash([]byte("new")), ModeBefore: 0o644, ModeAfter: 0o644}
	made, left, err := d.Restore(t.Context(), granting(t, d, c.Path), []nebula.Change{c})
	if err != nil || len(made) != 1 || len(left) != 0 {
		t.Fatalf("%v %v %v", made, left, err)
	}
}

// Asking for one path and walking to it come to the same.
func TestVeiledAgreesWithList(t *testing.T) {
	d := opened(t)
	for _, f := range []string{"a/b/c", "a/b/d", "a/x", "e/b/c", "f", "g/f"} {
		lay(t, d, f, "")
	}
	for _, rules := range []string{"b", "/a/b/c", "a/**/c\n!e", "f\n!g/f", "*\n!a\n!a/x", "b/", "/f"} {
		lay(t, d, ".nebulaignore", rules+"\n")
		var listed []string
		for e, err := range d.List(t.Context(), Walk{Recursive: true}) {
			if err != nil {
				t.Fatal(err)
			}
			listed = append(listed, e.Path)
		}
		for _, f := range []string{"a", "a/b", "a/b/c", "a/b/d", "a/x", "e", "e/b", "e/b/c", "f", "g", "g/f"} {
			if d.Veiled(f) == slices.Contains(listed, f) {
				t.Errorf("%q: %s is listed: %v", rules, path.Clean(f), slices.Contains(listed, f))
			}
		}
	}
}
