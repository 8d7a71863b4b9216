package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"

	"golang.org/x/sys/unix"
)

// What could not be tidied up behind a change does not make it undone: it stands, is told, and can be taken back.
func TestChangeThatStandsIsNoFailure(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "old", "gone": "old"})
	nebulatest.Refused(t, unix.SYS_UNLINKAT, 2, 0, unix.EROFS, func() {
		c, err := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("new"))
		if err != nil || c.Kind != "edit" || content(t, d, "a") != "new" {
			t.Errorf("%+v, %v, %q", c, err, content(t, d, "a"))
		}
		if c, err := d.Delete(t.Context(), granting(t, d, "gone"), "gone"); err == nil || c.Kind != "" || content(t, d, "gone") != "old" {
			t.Errorf("%+v, %v", c, err)
		}
	})
	nebulatest.Refused(t, unix.SYS_RENAMEAT2, 4, unix.RENAME_NOREPLACE, unix.EROFS, func() {
		if c, err := d.Write(t.Context(), granting(t, d, "new"), "new", []byte("new")); err == nil || c.Kind != "" {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

// A command that could not be started is told from one that was, and is not waited for.
func TestCommandThatDidNotStartIsTold(t *testing.T) {
	d := opened(t)
	s, err := d.Snapshot(t.Context(), "run")
	if err != nil {
		t.Fatal(err)
	}
	nebulatest.Refused(t, unix.SYS_PIPE2, 1, unix.O_CLOEXEC, unix.EMFILE, func() {
		if e, err := d.Run(t.Context(), executing(t), Command{Line: "true"}, nil); err == nil || e.Started {
			t.Errorf("%+v, %v", e, err)
		}
	})
	s.Drop()
	if changes, lost, _ := d.Left(t.Context(), "run", nil); len(changes)+len(lost) > 0 {
		t.Errorf("it changed %v, %v", changes, lost)
	}
	if e, err := d.Run(t.Context(), executing(t), Command{Line: "exit 3"}, nil); err != nil || !e.Started {
		t.Errorf("%+v, %v", e, err)
	}
}

// stood is what stands at a path, and where that is.
func stood(t *testing.T, d *Dir, p string) (spot, state) {
	t.Helper()
	s, err := d.find(p, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	was, err := d.look(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, was
}

// What somebody wrote where a file was about to be deleted, and what cannot be put back, is not swept up, however old it gets.
func TestWhatSomebodyElseWroteIsNeverSweptUp(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "old"})
	s, was := stood(t, d, "a")
	var err error
	meanwhile := func() error {
		lay(t, d, "theirs", "mine")
		return os.Rename(filepath.Join(d.Path(), "theirs"), filepath.Join(d.Path(), "a"))
	}
	nebulatest.Refused(t, unix.SYS_RENAMEAT2, 4, unix.RENAME_NOREPLACE, unix.EROFS, func() {
		if err = d.drop(s, was, true, meanwhile); err == nil {
			t.Error("deleted")
		}
	})
	names, _ := filepath.Glob(filepath.Join(d.Path(), "*"))
	if len(names) != 1 || err == nil || !strings.Contains(err.Error(), filepath.Base(names[0])) {
		t.Fatalf("there is %q, and said is %v", names, err)
	}
	old := time.Now().Add(-2 * ageLimit)
	if err := os.Chtimes(names[0], old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Write(t.Context(), granting(t, d, "b"), "b", []byte("new")); err != nil {
		t.Error(err)
	}
	d.swept = map[string]bool{}
	d.sweep(s)
	if data, err := os.ReadFile(names[0]); err != nil || string(data) != "mine" {
		t.Errorf("%q, %v", data, err)
	}
}

// What comes back, but not to its owner, is told.
func TestAnOwnerThatCannotBeGivenBackIsTold(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("root alone may give files away")
	}
	d, top := house(t)
	defer left(d)
	theirs := filepath.Join(top, "theirs")
	if err := os.Symlink("run.sh", theirs); err != nil {
		t.Fatal(err)
	}
	if err := os.Lchown(theirs, 12, 13); err != nil {
		t.Fatal(err)
	}
	changes := carried(t, d, 0, "rm theirs")
	nebulatest.Refused(t, unix.SYS_FCHOWNAT, 2, 12, unix.EPERM, func() {
		_, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
		if err != nil || !slices.Contains(left, nebula.Left{Path: "theirs", Why: nebula.OtherOwner}) {
			t.Errorf("left %v, %v", left, err)
		}
	})
	if to, err := os.Readlink(theirs); err != nil || to != "run.sh" {
		t.Errorf("%q, %v", to, err)
	}
}
