package confine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a command does on a view is told, and the folder stays as it is.
func TestViewTellsWhatACommandChanged(t *testing.T) {
	able(t)
	b := box(t)
	for _, name := range []string{"same", "edited", "gone", "dir/in", "remade/old", "remade/stays"} {
		path := filepath.Join(b.Folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	v, err := NewView(b.Folder, filepath.Join(t.TempDir(), "view"))
	if err != nil {
		t.Fatal(err)
	}
	b.Views = []View{v}
	out, status, _ := run(t, order{Box: b, Command: sh(b.Folder, `set -e
echo more >> edited; rm gone; rm -r dir; echo file > dir; rm -r remade; mkdir remade; echo s > remade/stays; echo n > remade/new
mkdir locked; echo l > locked/l; chmod 000 locked; echo none > none; chmod 000 none; ln -s same link; cat edited; ls`)})
	if status != 0 || !strings.HasPrefix(out, "edited\nmore\ndir\n") {
		t.Fatalf("%d %s", status, out)
	}
	entries, err := v.Changed()
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, e := range entries {
		switch {
		case e.Gone:
			told = append(told, e.Path+" gone")
		default:
			told = append(told, fmt.Sprintf("%s %s %v", e.Path, e.Mode, e.Was))
		}
	}
	slices.Sort(told)
	want := []string{". drwxr-xr-x true", "dir -rw-r--r-- false", "edited -rw-r--r-- true", "gone gone", "link Lrwxrwxrwx false", "locked d--------- false", "locked/l -rw-r--r-- false",
		"none ---------- false", "remade drwxr-xr-x false", "remade/new -rw-r--r-- false", "remade/old gone", "remade/stays -rw-r--r-- false"}
	if !slices.Equal(told, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
	if data, err := os.ReadFile(filepath.Join(b.Folder, "edited")); err != nil || string(data) != "edited\n" {
		t.Errorf("%q %v", data, err)
	}
	if err := v.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Dir(v.Upper)); err == nil {
		t.Error("it is still there")
	}
}

// Where a view can be had it is had, and where not the reason is said.
func TestViewIsTriedFirst(t *testing.T) {
	able(t)
	at := t.TempDir()
	v, err := NewView(t.TempDir(), filepath.Join(at, "view"))
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Try(); err != nil {
		t.Error(err)
	}
	if _, err := NewView("/", filepath.Join(at, "root")); err == nil || !strings.Contains(err.Error(), "mounted in the folder") {
		t.Errorf("a view of what holds other file systems: %v", err)
	}
	v.Work = filepath.Join(at, "nowhere")
	if err := v.Try(); err == nil || !strings.Contains(err.Error(), "gives no view") {
		t.Errorf("a view without a place to work: %v", err)
	}
}
