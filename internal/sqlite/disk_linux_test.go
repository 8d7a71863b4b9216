package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"nebula"
	"nebula/internal/record"
	"nebula/internal/sqlite"
)

// mount gives a folder on a file system of its own, where this process may make one.
func mount(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

func remount(t *testing.T, dir, options string, flags uintptr) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, options); err != nil {
		t.Fatal(err)
	}
}

func TestAFullDiskKeepsWhatItHas(t *testing.T) {
	dir := mount(t, "size=1m")
	s := open(t, filepath.Join(dir, "nebula.db"))
	kept := fill(t, s)
	remount(t, dir, "size=4m", 0)
	continues(t, s, kept) // in the same process, once there is room
}

func TestNoRoomToBegin(t *testing.T) {
	dir := mount(t, "size=4k")
	_, err := sqlite.Open(t.Context(), filepath.Join(dir, "nebula.db"), sqlite.Options{})
	var f *sqlite.Fault
	if !errors.As(err, &f) || f.Kind != sqlite.Full || f.Next() == "" {
		t.Errorf("open on a full disk: %v", err)
	}
}

// A home with space, in which no further file fits, is not called full, nor one that cannot be written.
func TestAHomeWithoutInodesIsSaid(t *testing.T) {
	for _, inodes := range []int{2, 3, 4, 5} {
		dir := mount(t, fmt.Sprintf("size=8m,nr_inodes=%d", inodes))
		s, err := sqlite.Open(t.Context(), filepath.Join(dir, "nebula.db"), sqlite.Options{})
		if err == nil {
			err = s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d"})
			_ = s.Close()
		}
		var f *sqlite.Fault
		if err != nil && (!errors.As(err, &f) || f.Kind != sqlite.Crowded || f.Next() == "") || err == nil && inodes < 4 {
			t.Errorf("with %d inodes: %v", inodes, err)
		}
	}
}

// A session of whose end no note can be made for want of a file is not recorded: it would look as if somebody had taken the note away.
func TestWithoutAnInodeForItsNoteNothingIsRecorded(t *testing.T) {
	for n := range 3 {
		dir := mount(t, "size=8m,nr_inodes=40")
		heads := record.NewHeads(filepath.Join(dir, "heads"), "", "nebula.db")
		s, err := sqlite.Open(t.Context(), filepath.Join(dir, "nebula.db"), sqlite.Options{Heads: heads})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"one", "two"} {
			if err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/d"}); err != nil {
				t.Fatal(err)
			}
		}
		begin := func(id string) error {
			return s.Append(t.Context(), id, nebula.Event{Seq: 1, At: time.Now(), Body: nebula.Started{Session: id, Dir: "/d"}})
		}
		if n > 0 {
			if err := begin("one"); err != nil {
				t.Fatal(err)
			}
		}
		junk := 0
		for ; os.WriteFile(filepath.Join(dir, fmt.Sprint(junk)), nil, 0o600) == nil; junk++ {
		}
		var f *sqlite.Fault
		if err := begin("two"); !errors.As(err, &f) || f.Kind != sqlite.Crowded {
			t.Errorf("%d: %v", n, err)
		}
		for i := range junk {
			_ = os.Remove(filepath.Join(dir, fmt.Sprint(i)))
		}
		if err := begin("two"); err != nil {
			t.Error(err)
		}
		if _, noted := heads.Read("two"); !noted {
			t.Errorf("%d: there is no note", n)
		}
		_ = s.Close()
	}
}

func TestAReadOnlyHomeIsSaid(t *testing.T) {
	dir := mount(t, "size=1m")
	open(t, filepath.Join(dir, "has", "nebula.db")).Close()
	remount(t, dir, "size=1m", syscall.MS_RDONLY)
	for _, path := range []string{"has/nebula.db", "none/nebula.db", "nebula.db"} {
		_, err := sqlite.Open(t.Context(), filepath.Join(dir, path), sqlite.Options{})
		var f *sqlite.Fault
		if !errors.As(err, &f) || f.Kind != sqlite.ReadOnly || f.Next() == "" {
			t.Errorf("open of %s on a read-only disk: %v", path, err)
		}
	}
}
