package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

// begun is a database with a session, closed.
func begun(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "home", "nebula.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Model: "m"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "one", nebulatest.EveryEvent()...); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// A log that cannot be read just now says nothing about itself: it is no damage, and stays where it is.
func TestALogThatCannotBeReadIsNotDamaged(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	path := begun(t)
	log := path + "-wal"
	_ = os.Remove(log)
	if err := os.Symlink("nebula.db-wal", log); err != nil { // leads to itself: no open succeeds, root's neither
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if fault, ok := errors.AsType[*sqlite.Fault](err); !ok || fault.Kind == sqlite.Damaged {
		t.Errorf("%v", err)
	}
	if s != nil {
		_ = s.Close()
	}
	if aside, _ := filepath.Glob(path + "*damaged*"); len(aside) > 0 {
		t.Errorf("moved aside: %v", aside)
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if list, err := again.Sessions(t.Context(), ""); err != nil || len(list) != 1 || again.Opened().Notice.Format != "" {
		t.Errorf("%v, %v, %q", list, err, again.Opened().Notice)
	}
}

func TestWhatOthersCanChangeIsClosedToThem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	path := begun(t)
	home := filepath.Dir(path)
	for _, tt := range []struct {
		path       string
		mode, want os.FileMode
	}{{home, 0o777, 0o755}, {path, 0o666, 0o600}, {path, 0o644, 0o600}, {home, 0o755, 0o755}, {home, 0o777 | os.ModeSticky, 0o777}} {
		if err := os.Chmod(tt.path, tt.mode); err != nil {
			t.Fatal(err)
		}
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := s.Opened().Notice.String()
		if list, err := s.Sessions(t.Context(), ""); err != nil || len(list) != 1 || len(s.Opened().Aside) > 0 {
			t.Errorf("%v: %v, %v, aside %v", tt.mode, list, err, s.Opened().Aside)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		info, err := os.Stat(tt.path)
		if err != nil || info.Mode().Perm() != tt.want {
			t.Errorf("%s with %v is left %v, want %v, %v", tt.path, tt.mode, info.Mode(), tt.want, err)
		}
		if changed := tt.mode.Perm() != tt.want; strings.Contains(said, tt.path) != changed {
			t.Errorf("%v: said %q", tt.mode, said)
		}
		if err := os.Chmod(home, 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// What is damaged and cannot be moved stays: nothing begins in its place.
func TestWhatCannotBeMovedAsideStays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names are bounded otherwise there")
	}
	for part, whole := range map[string]bool{"": true, "-wal": false} {
		path := filepath.Join(t.TempDir(), strings.Repeat("n", 240)) // there is no room in the name to say more
		if !whole {
			copyFile(t, begun(t), path)
		}
		garbage := strings.Repeat("this is no database", 1000)
		if err := os.WriteFile(path+part, []byte(garbage), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err == nil {
			_ = s.Close()
			t.Errorf("%q: opened as %+v", part, s.Opened())
		}
		if data, err := os.ReadFile(path + part); err != nil || string(data) != garbage {
			t.Errorf("%q: is now %d bytes, %v", part, len(data), err)
		}
	}
}

// A nebula that ended between making the file and its first page, and its log, lost nothing.
func TestAnEmptyDatabaseWithAnEmptyLogIsFresh(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	for _, part := range []string{"", "-wal"} {
		if err := os.WriteFile(path+part, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if o := open(t, path).Opened(); !o.Fresh || len(o.Aside) > 0 || o.Notice.Format != "" {
		t.Errorf("opened as %+v", o)
	}
}

func TestADatabaseThatHasNoLogGetsOne(t *testing.T) {
	path := begun(t)
	query(t, path, "PRAGMA journal_mode=DELETE")
	open(t, path)
	if mode := query(t, path, "PRAGMA journal_mode"); mode[0][0] != "wal" {
		t.Errorf("journal_mode is %v", mode)
	}
}

// Contents that cannot be read are not contents that nobody kept.
func TestAClosedStoreMissesNoContent(t *testing.T) {
	s, err := sqlite.Open(t.Context(), begun(t), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Content(t.Context(), nebula.Hash([]byte("x"))); err == nil || errors.Is(err, nebula.ErrNoContent) {
		t.Errorf("a closed store says %v", err)
	}
}

// Two things that were found amiss are both said.
func TestBothThingsAmissAreSaid(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are others there")
	}
	path := begun(t)
	if err := errors.Join(os.WriteFile(path, []byte(strings.Repeat("no database ", 400)), 0o600), os.Chmod(path, 0o666)); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path + "-wal")
	o := open(t, path).Opened()
	said := o.Notice.String()
	if len(o.Aside) == 0 || !strings.Contains(said, o.Aside[0]) || !strings.Contains(said, "others could get at") || !strings.Contains(said, "; ") {
		t.Errorf("%q, %q", said, o.Aside)
	}
}
