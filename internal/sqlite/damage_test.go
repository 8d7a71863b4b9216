package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/record"
	"nebula/internal/sqlite"
)

// image is a database of two sessions as a killed process leaves it: a file and its log, by name.
func image(t *testing.T) (files map[string][]byte, events []nebula.Event) {
	t.Helper()
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "nebula.db"))
	events = nebulatest.EveryEvent()
	for n := range 30 {
		for _, e := range turn(n, 0) {
			e.Seq = int64(len(events) + 1)
			events = append(events, e)
		}
	}
	for _, id := range []string{"one", "two"} {
		if err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/d", Model: "m"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Append(t.Context(), id, events[:len(events)/2]...); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil { // into the file; what follows stays in the log
			t.Fatal(err)
		}
		s = open(t, filepath.Join(dir, "nebula.db"))
		if err := s.Append(t.Context(), id, events[len(events)/2:]...); err != nil {
			t.Fatal(err)
		}
	}
	files = map[string][]byte{}
	for _, name := range []string{"nebula.db", "nebula.db-wal"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(data) == 0 {
			t.Fatal(name, err)
		}
		files[name] = data
	}
	return files, events
}

// harm damages one of the files and says how.
func harm(r *rand.Rand, files map[string][]byte) string {
	name := []string{"nebula.db", "nebula.db", "nebula.db-wal"}[r.IntN(3)]
	data := bytes.Clone(files[name])
	var how string
	switch r.IntN(7) {
	case 0:
		n := r.IntN(len(data))
		data, how = data[:n], fmt.Sprintf("cut to %d", n)
	case 1:
		data, how = nil, "empty"
	case 2:
		n := 1 + r.IntN(50)
		for range n {
			data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
		}
		how = fmt.Sprintf("%d bytes flipped", n)
	case 3:
		at := r.IntN(100)
		data[at] ^= byte(1 + r.IntN(255))
		how = fmt.Sprintf("byte %d of the header flipped", at)
	case 4:
		page := r.IntN(len(data)/4096) * 4096
		for i := page; i < page+4096; i++ {
			data[i] = byte(r.Uint32())
		}
		how = fmt.Sprintf("garbage at %d", page)
	case 5:
		page := r.IntN(len(data)/4096) * 4096
		clear(data[page : page+4096])
		how = fmt.Sprintf("zeroes at %d", page)
	case 6:
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		how = "garbage"
	}
	files[name] = data
	return name + ": " + how
}

// TestDamageIsNeverSilentAndNothingIsDeleted opens databases with random damages and works with them.
func TestDamageIsNeverSilentAndNothingIsDeleted(t *testing.T) {
	whole, events := image(t)
	rounds := 220
	if testing.Short() {
		rounds = 60
	}
	aside, caught := 0, 0
	for n := range rounds {
		r := rand.New(rand.NewPCG(uint64(n), 7))
		files := map[string][]byte{}
		for name, data := range whole {
			files[name] = data
		}
		how := fmt.Sprintf("round %d, %s", n, harm(r, files))
		path := filepath.Join(t.TempDir(), "nebula.db")
		for name, data := range files {
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		moved, found := workWithDamage(t, how, path, events)
		if moved {
			aside++
		}
		if found {
			caught++
		}
		nothingDeleted(t, how, path, files)
	}
	t.Logf("%d of %d were moved aside, in %d damage was met later", aside, rounds, caught)
	if aside == 0 || caught == 0 {
		t.Error("the damages were too few to see anything")
	}
}

// workWithDamage opens twice, the second time after what the first met.
func workWithDamage(t *testing.T, how, path string, events []nebula.Event) (moved, caught bool) {
	t.Helper()
	for range 2 {
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		var f *sqlite.Fault
		if err != nil {
			if !errors.As(err, &f) || f.Next() == "" {
				t.Errorf("%s: open: %v", how, err)
			}
			return moved, true
		}
		if len(s.Opened().Aside) > 0 {
			moved = true
			if !strings.Contains(s.Opened().Notice.String(), s.Opened().Aside[0]) {
				t.Errorf("%s: the notice %q does not name the new place", how, s.Opened().Notice.String())
			}
		}
		if _, err := s.Sessions(t.Context(), "/d"); err != nil {
			caught = true
		}
		for _, id := range []string{"one", "two"} {
			caught = !loadsWhatWasWritten(t, how, s, id, events) || caught
		}
		if err := s.Create(t.Context(), nebula.SessionInfo{ID: fmt.Sprint("new", rand.Int()), Dir: "/d", Model: "m"}); err != nil {
			caught = true
		}
		if err := s.Close(); err != nil {
			t.Logf("%s: close: %v", how, err)
		}
	}
	return moved, caught
}

// loadsWhatWasWritten is false when damage was met. What verifies must be what was written, as far as it goes.
func loadsWhatWasWritten(t *testing.T, how string, s *sqlite.Store, id string, events []nebula.Event) bool {
	t.Helper()
	if err := (record.Auditor{Store: s}).Verify(t.Context(), id); err != nil {
		return errors.Is(err, nebula.ErrNoSession) // went with what was moved aside
	}
	n := 0
	for e, err := range s.Load(t.Context(), id) {
		if err != nil {
			t.Errorf("%s: session %s verifies but does not load: %v", how, id, err)
			return false
		}
		if !reflect.DeepEqual(e, events[n]) {
			t.Errorf("%s: session %s verifies but event %d is another", how, id, e.Seq)
			return false
		}
		n++
	}
	return true
}

// nothingDeleted looks for every damaged file under its own or its new name, at least as long as it was.
func nothingDeleted(t *testing.T, how, path string, files map[string][]byte) {
	t.Helper()
	for name, data := range files {
		if name == "nebula.db-wal" && len(files["nebula.db"]) > 0 {
			continue // SQLite takes a sound log into the database and drops it
		}
		matches, err := filepath.Glob(filepath.Join(filepath.Dir(path), "nebula.db*"))
		if err != nil {
			t.Fatal(err)
		}
		longest := int64(-1)
		for _, m := range matches {
			if strings.HasSuffix(m, "-wal") != strings.HasSuffix(name, "-wal") {
				continue
			}
			if info, err := os.Stat(m); err == nil && !info.IsDir() {
				longest = max(longest, info.Size())
			}
		}
		if longest < int64(len(data)) {
			t.Errorf("%s: %s had %d bytes, the longest left has %d: %v", how, name, len(data), longest, matches)
		}
	}
}

func TestDamagedFilesKeepTheirBytesUnderANewName(t *testing.T) {
	garbage := []byte(strings.Repeat("this is no database\n", 1000))
	for name, make := range map[string]func(path string) error{
		"garbage":                func(p string) error { return os.WriteFile(p, garbage, 0o600) },
		"folder":                 func(p string) error { return os.MkdirAll(filepath.Join(p, "sub"), 0o700) },
		"log without a database": func(p string) error { return os.WriteFile(p+"-wal", garbage, 0o600) },
		"log of an empty database": func(p string) error {
			return errors.Join(os.WriteFile(p, nil, 0o600), os.WriteFile(p+"-wal", garbage, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "nebula.db")
			if err := make(path); err != nil {
				t.Fatal(err)
			}
			s := open(t, path)
			o := s.Opened()
			if !o.Fresh || len(o.Aside) == 0 || o.Notice.Format == "" || strings.Contains(o.Notice.String(), "\n") {
				t.Fatalf("opened as %+v", o)
			}
			for _, a := range o.Aside {
				if strings.HasSuffix(a, "-wal") || name == "garbage" {
					if data, err := os.ReadFile(a); err != nil || !bytes.Equal(data, garbage) && len(data) > 0 {
						t.Errorf("%s is not what it was (%v)", a, err)
					}
				}
			}
			if err := s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Model: "m"}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDamageMetWhileWorkingIsMovedAsideAtTheNextStart(t *testing.T) {
	files, _ := image(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "nebula.db")
	if err := os.WriteFile(path, files["nebula.db"], 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, path) // sound
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data := bytes.Clone(files["nebula.db"])
	for page := 18 * 4096; page < len(data); page += 4096 { // the schema and the roots stay
		copy(data[page:page+4096], strings.Repeat("\xee", 4096))
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	if s.Opened().Notice.String() != "" {
		t.Fatal(s.Opened().Notice.String())
	}
	var f *sqlite.Fault
	if err := (record.Auditor{Store: s}).Verify(t.Context(), "one"); !errors.As(err, &f) || f.Kind != sqlite.Damaged || !strings.Contains(err.Error(), "start nebula again") {
		t.Fatalf("verify of a damaged file: %v", err)
	}
	_ = s.Close()
	s = open(t, path)
	if o := s.Opened(); !o.Fresh || len(o.Aside) == 0 {
		t.Errorf("opened as %+v", o)
	}
}

// What was moved aside is told of until there is something else to go on with, or it is gone.
func TestWhatWasMovedAsideIsToldUntilSomethingIsRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, path)
	aside := s.Opened().Aside[0]
	for i, want := range []bool{true, true, false, true, false} {
		switch i {
		case 2:
			if err := os.Rename(aside, aside+".kept"); err != nil {
				t.Fatal(err)
			}
		case 3:
			if err := os.Rename(aside+".kept", aside); err != nil {
				t.Fatal(err)
			}
		case 4:
			if err := s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Model: "m"}); err != nil {
				t.Fatal(err)
			}
		}
		_ = s.Close()
		s = open(t, path)
		if notice := s.Opened().Notice.String(); strings.Contains(notice, aside+", which is damaged: .recover") != want || s.Opened().Damaged {
			t.Errorf("%d: %q", i, notice)
		}
	}
}

// A version that the tables are not of is damage: the file is moved aside and nothing fails with it.
func TestAVersionThatTheTablesAreNotOfIsMovedAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	open(t, path).Close()
	for version, aside := range map[int]bool{-1: true, -2147483648: true, 0: true, 1: true, 2: true, 3: true, 4: false, 5: false} {
		at := filepath.Join(t.TempDir(), "nebula.db")
		copyFile(t, path, at)
		query(t, at, fmt.Sprintf("PRAGMA user_version=%d", version))
		s := open(t, at)
		if o := s.Opened(); o.Fresh != aside || len(o.Aside) > 0 != aside {
			t.Errorf("version %d: opened as %+v", version, o)
		}
	}
}

func TestOtherDatabasesAreLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	open(t, path).Close()
	for pragma, kind := range map[string]sqlite.Kind{"PRAGMA user_version=99": sqlite.Newer, "PRAGMA application_id=1": sqlite.Foreign} {
		at := filepath.Join(t.TempDir(), "nebula.db")
		copyFile(t, path, at)
		query(t, at, pragma)
		_, err := sqlite.Open(t.Context(), at, sqlite.Options{})
		var f *sqlite.Fault
		if !errors.As(err, &f) || f.Kind != kind || f.Next() == "" || !strings.Contains(err.Error(), at) {
			t.Errorf("%s: %v", pragma, err)
		}
		entries, _ := filepath.Glob(at + "*damaged*")
		if len(entries) > 0 {
			t.Errorf("%s: moved to %v", pragma, entries)
		}
	}
}

func TestAFullDatabaseKeepsWhatItHas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Pages: 60})
	if err != nil {
		t.Fatal(err)
	}
	kept := fill(t, s)
	_ = s.Close()
	again := open(t, path)
	continues(t, again, kept)
}

// fill appends until there is no room and gives the last seq that was acknowledged.
func fill(t *testing.T, s *sqlite.Store) (kept int64) {
	t.Helper()
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Model: "m"}); err != nil {
		t.Fatal(err)
	}
	for kept < 10_000 {
		err := s.Append(t.Context(), "one", nebula.Event{Seq: kept + 1, Body: nebula.Submitted{Text: strings.Repeat("x", 5000)}})
		var f *sqlite.Fault
		if errors.As(err, &f) {
			if f.Kind != sqlite.Full || f.Next() == "" {
				t.Fatalf("a full disk says %v", err)
			}
			if err := (record.Auditor{Store: s}).Verify(t.Context(), "one"); err != nil {
				t.Error(err)
			}
			return kept
		}
		if err != nil {
			t.Fatal(err)
		}
		kept++
	}
	t.Fatal("it never was full")
	return 0
}

func continues(t *testing.T, s *sqlite.Store, kept int64) {
	t.Helper()
	if err := s.Append(t.Context(), "one", nebula.Event{Seq: kept + 1, Body: nebula.Noted{Text: "room again"}}); err != nil {
		t.Error(err)
	}
	if err := (record.Auditor{Store: s}).Verify(t.Context(), "one"); err != nil {
		t.Error(err)
	}
}

func TestAFileIsItsOwnersOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a home? with %20 and #", "nebula.db")
	s := open(t, path)
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Model: "m"}); err != nil {
		t.Fatal(err)
	}
	for p, want := range map[string]fs.FileMode{path: 0o600, path + "-wal": 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", p, info, err)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
