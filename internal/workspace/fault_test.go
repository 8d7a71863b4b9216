package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"nebula"
)

// plain fails unless err is a fault in one line.
func plain(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil || strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("%s: %v", what, err)
	}
}

// onTinyDisk is a folder on a small file system of its own.
func onTinyDisk(t *testing.T) *Dir {
	t.Helper()
	dir := t.TempDir()
	if !tiny(t, dir) {
		t.Skip("needs a small file system of its own")
	}
	d, err := Open(dir, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestFullDiskLosesNothing(t *testing.T) {
	d := onTinyDisk(t)
	laid(t, d, map[string]string{"a": "precious"})
	_, err := d.Write(t.Context(), granting(t, d, "a"), "a", make([]byte, 10<<20))
	plain(t, "write", err)
	if !strings.Contains(err.Error(), "make room") {
		t.Error(err)
	}
	_, err = d.Write(t.Context(), granting(t, d, "b"), "b", make([]byte, 10<<20))
	plain(t, "create", err)
	if now := pictured(t, d.Path()); now != "a -rw-r--r-- \"precious\"\n" {
		t.Errorf("left:\n%s", now)
	}
	if c, err := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("small")); err != nil {
		t.Errorf("%+v %v", c, err)
	}
}

// Where there is space, and no room for another file, the inodes are named.
func TestNoRoomForAnotherFileIsNamed(t *testing.T) {
	d := onTinyDisk(t)
	for n := range 10000 {
		if f, err := os.OpenFile(filepath.Join(d.Path(), strconv.Itoa(n)), os.O_CREATE, 0o600); err != nil {
			break
		} else {
			_ = f.Close()
		}
	}
	_, err := d.Mkdir(t.Context(), granting(t, d, "m"), "m")
	if plain(t, "mkdir", err); !strings.Contains(err.Error(), "inodes") {
		t.Error(err)
	}
}

func TestReadOnlyFileSystemIsNamed(t *testing.T) {
	d := onTinyDisk(t)
	laid(t, d, map[string]string{"a": "precious"})
	readOnly(t, d.Path())
	named := func(what string, err error) {
		if plain(t, what, err); err != nil && !strings.Contains(err.Error(), "read-only file system") {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("x"))
	named("write", err)
	_, err = d.Delete(t.Context(), granting(t, d, "a"), "a")
	named("delete", err)
	_, err = d.Mkdir(t.Context(), granting(t, d, "m"), "m")
	named("mkdir", err)
	if content(t, d, "a") != "precious" {
		t.Error("changed")
	}
}

func TestReadOnlyFileAndFolderAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes here")
	}
	d := opened(t)
	laid(t, d, map[string]string{"a": "1", "dir/b": "1"})
	os.Chmod(filepath.Join(d.Path(), "a"), 0o444)
	_, err := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("2"))
	if plain(t, "file", err); !errors.Is(err, fs.ErrPermission) || content(t, d, "a") != "1" {
		t.Error(err)
	}
	if os.Geteuid() == 0 {
		t.Skip("nothing is read-only for root")
	}
	os.Chmod(filepath.Join(d.Path(), "dir"), 0o555)
	defer os.Chmod(filepath.Join(d.Path(), "dir"), 0o755)
	_, err = d.Write(t.Context(), granting(t, d, "dir/b"), "dir/b", []byte("2"))
	if plain(t, "folder", err); !errors.Is(err, fs.ErrPermission) || content(t, d, "dir/b") != "1" {
		t.Error(err)
	}
}

func TestFolderThatVanishes(t *testing.T) {
	for what, away := range map[string]func(string) error{
		"removed": os.RemoveAll,
		"moved":   func(p string) error { return os.Rename(p, p+"-moved") },
	} {
		dir := filepath.Join(t.TempDir(), "f")
		os.Mkdir(dir, 0o755)
		d, err := Open(dir, inMemory())
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		laid(t, d, map[string]string{"a": "1"})
		g := granting(t, d, "a", "b")
		if err := away(dir); err != nil {
			t.Skip(err)
		}
		gone := func(what string, err error) {
			t.Helper()
			if plain(t, what, err); !strings.Contains(err.Error(), "moved or removed") {
				t.Errorf("%s: %v", what, err)
			}
		}
		_, err = d.Write(t.Context(), g, "a", []byte("2"))
		gone(what+" write", err)
		_, err = d.Write(t.Context(), g, "b", []byte("2"))
		gone(what+" create", err)
		_, err = d.Delete(t.Context(), g, "a")
		gone(what+" delete", err)
		_, _, err = d.Read("a", 0)
		gone(what+" read", err)
	}
}

// A folder that was removed and made again is another: every door says so, and nothing is done in either of them.
func TestFolderMadeAgainIsAnother(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	fresh := func() {
		t.Helper()
		if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "a"), []byte("1"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	fresh()
	d, err := Open(dir, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	jobs := d.Jobs(t.TempDir(), func(*Job) {})
	defer jobs.Close()
	g := granting(t, d, "a", "b")
	doors := map[string]func() error{
		"write":  func() error { _, err := d.Write(t.Context(), g, "a", []byte("2")); return err },
		"create": func() error { _, err := d.Write(t.Context(), g, "b", []byte("2")); return err },
		"delete": func() error { _, err := d.Delete(t.Context(), g, "a"); return err },
		"read":   func() error { _, _, err := d.Read("a", 0); return err },
		"stat":   func() error { _, err := d.Stat("a"); return err },
		"search": func() error { _, _, err := d.Search(t.Context(), Query{Keyword: "1"}); return err },
		"list": func() error {
			for _, err := range d.List(t.Context(), Walk{}) {
				return err
			}
			return nil
		},
		"run":   func() error { _, err := d.Run(t.Context(), executing(t), Command{Line: "rm a"}, nil); return err },
		"start": func() error { _, err := jobs.Start(executing(t), Command{Line: "rm a"}); return err },
	}
	again := os.Rename(dir, dir+"-old") == nil // so that the new one is sure to be another
	if fresh(); !again {
		t.Skip("an open folder cannot be moved here")
	}
	for what, do := range doors {
		if err := do(); err == nil || !strings.Contains(err.Error(), "made again") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(data) != "1" {
		t.Errorf("%q %v", data, err)
	}
}

// A folder in which everything was replaced is the same, and so is one that was put back.
func TestFolderThatIsBackIsTheSame(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	d, err := Open(dir, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	laid(t, d, map[string]string{"a": "1", "b/c": "2"})
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "a")), os.RemoveAll(filepath.Join(dir, "b")), os.WriteFile(filepath.Join(dir, "a"), []byte("new"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if os.Rename(dir, dir+"-away") == nil {
		if err := os.Rename(dir+"-away", dir); err != nil {
			t.Fatal(err)
		}
	}
	if e, err := d.Run(t.Context(), executing(t), Command{Line: "cat a"}, nil); err != nil || string(e.Output) != "new" {
		t.Errorf("%q %v", e.Output, err)
	}
	if _, err := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("3")); err != nil {
		t.Error(err)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "file"), nil, 0o644)
	for _, p := range []string{filepath.Join(dir, "none"), filepath.Join(dir, "file"), filepath.Join(dir, "file", "x"), dir + "\x00"} {
		_, err := Open(p, inMemory())
		plain(t, p, err)
	}
}

func TestMistakesNameTheNextStep(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"src/main.go": "x", "src/mail.go": "x", "README.md": "x"})
	for p, want := range map[string]string{
		"src/mian.go": `Nearest names: "src/main.go"`, "readme.md": `"README.md"`, "scr/main.go": `Nearest names: "src"`,
		"src": "is a directory", "README.md/x": "is not a directory", "zzzzzz": "does not exist.",
	} {
		_, _, err := d.Read(p, 0)
		mistake(t, p, err)
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", p, err)
		}
	}
	_, e, err := d.Read("README.md", 0)
	if err != nil || e.Size != 1 {
		t.Error(e, err)
	}
	laid(t, d, map[string]string{"big": "12345"})
	_, e, err = d.Read("big", 4)
	if mistake(t, "big", err); e.Size != 5 || e.Path != "big" {
		t.Errorf("%+v", e)
	}
	_, err = d.Write(t.Context(), granting(t, d, "no/such/f"), "no/such/f", nil)
	mistake(t, "missing directory", err)
	_, err = d.Delete(t.Context(), granting(t, d, "src"), "src")
	mistake(t, "full directory", err)
	_, err = d.Write(t.Context(), granting(t, d, "."), ".", nil)
	mistake(t, "folder", err)
	if _, err = d.Stat("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestStrangeNames(t *testing.T) {
	d := opened(t)
	nfd, nfc := "か\u3099.txt", "が.txt"
	laid(t, d, map[string]string{nfd: "old", "two\nlines": "x", "\x1b[31m": "x"})
	data, e, err := d.Read(nfc, 0)
	if err != nil || string(data) != "old" {
		t.Fatalf("%q %+v %v", data, e, err)
	}
	g := granting(t, d, nfc)
	if c, err := d.Write(t.Context(), g, nfc, []byte("new")); err != nil || content(t, d, nfd) != "new" {
		t.Errorf("%+v %v", c, err)
	}
	if data, _, err := d.Read("two\nlines", 0); err != nil || string(data) != "x" {
		t.Error(err)
	}
	for _, p := range []string{"new\nname", "bell\a", "\u202egpj.exe", "\xff\xfe", strings.Repeat("n", 300)} {
		if _, err := d.Write(t.Context(), granting(t, d, p), p, nil); err == nil {
			t.Errorf("%q was made", p)
		} else {
			plain(t, p, err)
		}
	}
	os.WriteFile(filepath.Join(d.Path(), "bad\xff"), []byte("needle"), 0o644)
	if ms, _, err := d.Search(t.Context(), Query{Keyword: "needle"}); err != nil || len(ms) != 1 {
		t.Errorf("%v %v", ms, err)
	}
}

func TestWhatACrashLeftIsCleanedUp(t *testing.T) {
	d := opened(t)
	gone := tempPrefix + "999999999-abc"
	laid(t, d, map[string]string{gone: "x", "sub/" + gone: "x", "sub/" + tempName(newTag()): "x", "sub/" + tempPrefix + "999999998-young": "x"})
	for _, p := range []string{gone, "sub/" + gone} {
		os.Chtimes(filepath.Join(d.Path(), p), time.Time{}, time.Now().Add(-time.Minute))
	}
	again, err := Open(d.Path(), inMemory())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := again.Write(t.Context(), granting(t, again, "sub/f"), "sub/f", nil); err != nil {
		t.Fatal(err)
	}
	if left := temps(d); len(left) != 2 || strings.Contains(strings.Join(left, " "), "abc") {
		t.Errorf("left: %q", left)
	}
}

// What could be done only in part is a change of what was to what stands there, and is gone on with from there.
func TestWhatIsDoneInPartIsRecordedAsItStands(t *testing.T) {
	d := onTinyDisk(t)
	big := strings.Repeat("b", 600<<10)
	hash, err := d.keep.Keep(t.Context(), []byte(big))
	if err != nil {
		t.Fatal(err)
	}
	laid(t, d, map[string]string{"f/x": "x", "filler": strings.Repeat("f", 700<<10)})
	was := pictured(t, d.Path())
	took := []nebula.Change{
		{Path: "f", Kind: "edit", Before: hash, ModeBefore: 0o644, ModeAfter: uint32(fs.ModeDir | 0o755)},
		{Path: "f/x", Kind: "create", After: nebula.Hash([]byte("x")), ModeAfter: 0o644},
	}
	restore := func(changes []nebula.Change) ([]nebula.Change, []nebula.Left) {
		p := nebula.Proposal{Action: nebula.Action{ID: "undo"}, Effect: nebula.Write, Targets: []nebula.Target{{Path: "f"}, {Path: "f/x"}}}
		g := nebula.NewGrant("g", "test", p)
		if err := g.Open(p); err != nil {
			t.Fatal(err)
		}
		made, left, err := d.Restore(t.Context(), g, changes)
		if err != nil {
			t.Fatal(err)
		}
		return made, left
	}
	made, left := restore(took)
	if len(left) != 1 || left[0].Why != nebula.InPart || strings.Contains(left[0].Text, "not changed") || len(made) != 2 || made[0].Kind != "rmdir" {
		t.Fatalf("%+v, left %+v", made, left)
	}
	if again, left := restore(made); len(left) > 0 || len(again) != 2 || pictured(t, d.Path()) != was {
		t.Errorf("taken back: %+v, left %+v:\n%.300s", again, left, pictured(t, d.Path()))
	}
	made, _ = restore(took)
	if err := os.Remove(filepath.Join(d.Path(), "filler")); err != nil {
		t.Fatal(err)
	}
	if _, left := restore([]nebula.Change{took[0], made[0]}); len(left) > 0 || content(t, d, "f") != big {
		t.Errorf("gone on with: left %+v", left)
	}
}

// A temporary file that cannot be removed, by an undo or after one that was killed, is named by undo until it is gone.
func TestUndoNamesWhatCannotBeRemoved(t *testing.T) {
	d, shared := opened(t), t.TempDir()
	if err := d.Share(shared); err != nil {
		t.Fatal(err)
	}
	c, err := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	name := tempName(d.guild.tag)
	laid(t, d, map[string]string{name + "/x": "x"}) // a file that cannot be removed
	s, err := d.find("a", false)
	if err != nil {
		t.Fatal(err)
	}
	d.sweepUp(s, name)
	s.close()
	changes := []nebula.Change{c}
	undo := func(d *Dir, want int) {
		t.Helper()
		made, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
		if changes = made; err != nil || len(left) != want || want > 0 && (left[0].Path != name || left[0].Why != nebula.Stray || left[0].Text == "") || len(made) != 1 {
			t.Fatalf("made %v, left %v, %v", made, left, err)
		}
	}
	undo(d, 1)
	d.guild.leave()
	again, err := Open(d.Path(), d.keep)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := again.Share(shared); err != nil {
		t.Fatal(err)
	}
	undo(again, 1)
	if err := os.Remove(filepath.Join(d.Path(), name, "x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(d.Path(), name)); err != nil {
		t.Fatal(err)
	}
	undo(again, 0)
}

// A temporary file that could not be removed is removed by the next nebula.
func TestWhatCouldNotBeRemovedGoesTheNextTime(t *testing.T) {
	for _, stays := range []bool{true, false} {
		d, shared := opened(t), t.TempDir()
		if err := d.Share(shared); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("a")); err != nil {
			t.Fatal(err)
		}
		name := tempName(d.guild.tag)
		s, err := d.find("a", false)
		if err != nil {
			t.Fatal(err)
		}
		laid(t, d, map[string]string{name: "x"})
		if stays {
			d.sweepUp(s, "sub/"+name) // there is nothing of that name
		} else {
			d.sweepUp(s, name)
		}
		s.close()
		d.guild.leave()
		if notes, _ := filepath.Glob(filepath.Join(shared, "*.*")); (len(notes) == 1) != stays {
			t.Errorf("%v: notes %q", stays, notes)
		}
		again, err := Open(d.Path(), inMemory())
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Share(shared); err != nil {
			t.Fatal(err)
		}
		again.Close()
		if left := temps(d); len(left) > 0 {
			t.Errorf("%v: left %q", stays, left)
		}
	}
}
