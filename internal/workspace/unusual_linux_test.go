package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"nebula/internal/confine"
)

// Where a folder lies makes no difference to what a command does in it and what is kept; where there can be no view it is said
// why, and nothing runs.
func TestFoldersLieInUnusualPlaces(t *testing.T) {
	mount := func(t *testing.T, source, at, kind string, flags uintptr, data string) {
		t.Helper()
		if err := unix.Mount(source, at, kind, flags, data); err != nil {
			t.Skip("root alone may mount: ", err)
		}
		t.Cleanup(func() { _ = unix.Unmount(at, unix.MNT_DETACH) })
	}
	for name, place := range map[string]func(t *testing.T, top string) string{
		"by a link": func(t *testing.T, top string) string {
			if err := errors.Join(os.Mkdir(top+"/real", 0o700), os.Symlink("real", top+"/link")); err != nil {
				t.Fatal(err)
			}
			return top + "/link"
		},
		"strange name": func(t *testing.T, top string) string {
			dir := top + "/a:b,c \\ d\"'日本%2"
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			return dir
		},
		"mounted from elsewhere": func(t *testing.T, top string) string {
			if err := errors.Join(os.Mkdir(top+"/real", 0o700), os.Mkdir(top+"/bound", 0o700)); err != nil {
				t.Fatal(err)
			}
			mount(t, top+"/real", top+"/bound", "", unix.MS_BIND, "")
			return top + "/bound"
		},
		"in memory": func(t *testing.T, top string) string {
			mount(t, "tmpfs", top, "tmpfs", 0, "size=8m")
			return top
		},
		"on a stack": func(t *testing.T, top string) string {
			for _, dir := range []string{"lower", "upper", "work", "merged"} {
				_ = os.Mkdir(filepath.Join(top, dir), 0o700)
			}
			mount(t, "overlay", top+"/merged", "overlay", 0, "lowerdir="+top+"/lower,upperdir="+top+"/upper,workdir="+top+"/work")
			return top + "/merged"
		},
	} {
		t.Run(name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			dir := place(t, top)
			d := boxedAt(t, dir)
			laid(t, d, map[string]string{"old": "old\n", "gone": "x"})
			if err := d.CanView(); err != nil {
				t.Fatal("no view: ", err)
			}
			e := tried(t, d, "echo more >> old; rm gone; mkdir sub; echo new > sub/new; pwd > here")
			if content(t, d, "old") != "old\n" {
				t.Error("the folder was changed")
			}
			if _, left := kept(t, e); len(left) > 0 {
				t.Error(left)
			}
			if content(t, d, "old") != "old\nmore\n" || content(t, d, "sub/new") != "new\n" || strings.TrimSpace(content(t, d, "here")) == "" {
				t.Error("it was not kept whole")
			}
			if _, err := os.Lstat(filepath.Join(dir, "gone")); err == nil {
				t.Error("what was deleted is there")
			}
		})
	}
}

// A disk that is full below a view ends its command and nothing else: the folder is as it was, and the next command runs.
func TestFullDiskBelowAView(t *testing.T) {
	kept := t.TempDir()
	if err := unix.Mount("tmpfs", kept, "tmpfs", 0, "size=6m"); err != nil {
		t.Skip("root alone may mount: ", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(kept, unix.MNT_DETACH) })
	d := opened(t)
	laid(t, d, map[string]string{"old": "old\n"})
	d.Guarded()
	if !d.Confine(confine.Place{Home: os.Getenv("HOME"), Environ: os.Getenv, Kept: kept}, confine.Probe) {
		t.Fatal("no box")
	}
	e, err := d.Run(t.Context(), executing(t), Command{Line: "echo more >> old; head -c 30000000 /dev/zero > big; echo ended $?", View: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(e.Output), "No space left") && e.Exceeded != confine.Disk {
		t.Errorf("%q %s", e.Output, e.Exceeded)
	}
	if e.Effects != nil {
		e.Effects.Drop()
	}
	if content(t, d, "old") != "old\n" {
		t.Error("the folder was changed")
	}
	tried(t, d, "echo x > small").Drop()
}

// A cache that is a link to another place is layered where it leads: what a command leaves there is not in the real one.
func TestCacheThatIsALink(t *testing.T) {
	home := outsideOfTemp(t)
	if err := errors.Join(os.Mkdir(home+"/far", 0o700), os.WriteFile(home+"/far/tool", []byte("good\n"), 0o600), os.Symlink("far", home+"/.cache")); err != nil {
		t.Fatal(err)
	}
	d := opened(t)
	d.Guarded()
	if !d.Confine(confine.Place{Home: home, Environ: func(string) string { return "" }, Kept: t.TempDir()}, confine.Probe) {
		t.Fatal("no box")
	}
	e, err := d.Run(t.Context(), executing(t), Command{Line: "cat " + home + "/.cache/tool; echo evil > " + home + "/.cache/tool; cat " + home + "/.cache/tool " + home + "/far/tool"}, nil)
	if data, _ := os.ReadFile(home + "/far/tool"); err != nil || string(data) != "good\n" {
		t.Errorf("%q %v; %s", data, err, e.Output)
	}
	if !strings.HasPrefix(string(e.Output), "good\n") {
		t.Errorf("%s", e.Output)
	}
	t.Logf("%s", e.Output)
}

// outsideOfTemp is a folder in whose place a box has none of its own.
func outsideOfTemp(t *testing.T) string {
	t.Helper()
	here, _ := os.Getwd()
	for _, base := range []string{"/var/lib", here} {
		if strings.HasPrefix(base, "/tmp/") || strings.HasPrefix(base, "/var/tmp/") {
			continue
		}
		if dir, err := os.MkdirTemp(base, "outside-"); err == nil {
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			return dir
		}
	}
	t.Skip("no folder outside of the temporary ones can be written")
	return ""
}
