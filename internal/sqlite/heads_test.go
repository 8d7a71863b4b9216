package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nebula"
	"nebula/internal/record"
)

// A kept record has notes of its sessions' ends beside it.
func headed(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(dir, "nebula.db"), Options{Heads: record.NewHeads(filepath.Join(dir, "heads"), "", "nebula.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func audit(s *Store) record.Auditor { return record.Auditor{Store: s, Heads: s.heads} }

func grow(t *testing.T, s *Store, id string, from, to int64, text ...string) {
	t.Helper()
	for seq := from; seq <= to; seq++ {
		if err := s.Append(t.Context(), id, nebula.Event{Seq: seq, At: time.Unix(seq, 0), Body: nebula.Noted{Level: "info", Text: fmt.Sprint(text)}}); err != nil {
			t.Fatal(err)
		}
	}
}

func session(t *testing.T, s *Store, id string, events int64) {
	t.Helper()
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/w", Started: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	grow(t, s, id, 1, events)
}

// cut takes a session's newest events out so that the database is whole by itself.
func cut(t *testing.T, s *Store, id string, to int64) {
	t.Helper()
	err := s.change(t.Context(), "cut", func(db *conn) error {
		_, err := db.exec(`DELETE FROM events WHERE session=? AND seq>?`, id, to)
		if err == nil {
			_, err = db.exec(`UPDATE sessions SET seq=?, chain=(SELECT chain FROM events WHERE session=? AND seq=?) WHERE id=?`, to, id, to, id)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCutRecordIsNoticed(t *testing.T) {
	dir := t.TempDir()
	s := headed(t, dir)
	session(t, s, "a", 9)
	session(t, s, "b", 9)
	if err := errors.Join(audit(s).Verify(t.Context(), "a"), audit(s).Verify(t.Context(), "b")); err != nil {
		t.Fatal(err)
	}
	cut(t, s, "b", 5)
	var broken *nebula.Broken
	if err := audit(s).Verify(t.Context(), "b"); !errors.As(err, &broken) || broken.Seq != 6 {
		t.Errorf("%v", err)
	}
	s.Close()
	s = headed(t, dir)
	if s.Opened().Notice.Format == "" {
		t.Error("nothing is said at the opening")
	}
	grow(t, s, "b", 6, 12, "other") // going on does not cover it up
	if err := audit(s).Verify(t.Context(), "b"); !errors.As(err, &broken) {
		t.Errorf("%v", err)
	}
	if err := audit(s).Verify(t.Context(), "a"); err != nil {
		t.Error(err)
	}
}

func TestSessionTakenOutIsMissing(t *testing.T) {
	dir := t.TempDir()
	s := headed(t, dir)
	for _, id := range []string{"a", "b", "c"} {
		session(t, s, id, 3)
	}
	if err := s.Remove(t.Context(), "a"); err != nil { // by the person: nothing is missing
		t.Fatal(err)
	}
	if err := s.change(t.Context(), "cut", func(db *conn) error { _, err := db.remove("b"); return err }); err != nil {
		t.Fatal(err)
	}
	if ids, err := audit(s).Missing(t.Context()); err != nil || !slices.Equal(ids, []string{"b"}) {
		t.Errorf("%v %v", ids, err)
	}
}

// A note that is behind, as a crash leaves it, one that cannot be read, and none at all say nothing against the record.
func TestNoteBehindTheRecordIsFine(t *testing.T) {
	dir := t.TempDir()
	s := headed(t, dir)
	session(t, s, "a", 3)
	files, err := filepath.Glob(filepath.Join(dir, "heads", "????????-[^o]*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	old, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	grow(t, s, "a", 4, 9)
	for _, note := range [][]byte{old, old[:20], nil} {
		for _, file := range files {
			if err := os.WriteFile(file, note, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_ = s.Close()
		s = headed(t, dir)
		if err := audit(s).Verify(t.Context(), "a"); err != nil || s.Opened().Notice.Format != "" {
			t.Error(err, s.Opened().Notice)
		}
	}
	grow(t, s, "a", 10, 11)
	if end, ok := s.heads.Read("a"); !ok || end.Seq != 11 {
		t.Errorf("%+v %v", end, ok)
	}
}

// A database that is gone is said once, and the audit tells of what was in it for as long as it is noted.
func TestARecordThatIsGoneStaysNoted(t *testing.T) {
	dir := t.TempDir()
	s := headed(t, dir)
	session(t, s, "a", 3)
	s.Close()
	for _, part := range parts {
		_ = os.Remove(filepath.Join(dir, "nebula.db") + part)
	}
	if s = headed(t, dir); s.Opened().Notice.Format == "" {
		t.Error("nothing is said")
	}
	s.Close()
	if s = headed(t, dir); s.Opened().Notice.Format != "" {
		t.Error("it is said again")
	}
	if ids, err := audit(s).Missing(t.Context()); err != nil || len(ids) != 1 || ids[0] != "a" {
		t.Errorf("%v %v", ids, err)
	}
}

// Who writes the record anew, and the notes beside it, has not written the file elsewhere.
func TestEndsElsewhereTellOfARecordThatWasWrittenAnew(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "ends")
	reopen := func() *Store {
		s, err := Open(t.Context(), filepath.Join(dir, "nebula.db"), Options{Heads: record.NewHeads(filepath.Join(dir, "heads"), file, "nebula.db")})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	faults := func(s *Store) (ids []string) {
		t.Helper()
		list, err := audit(s).Elsewhere(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range list {
			ids = append(ids, fmt.Sprint(b.Session, b.Seq))
		}
		return ids
	}
	s := reopen()
	for _, id := range []string{"a", "b", "c", "d"} {
		session(t, s, id, 5)
	}
	if err := s.Remove(t.Context(), "d"); err != nil {
		t.Fatal(err)
	}
	if got := faults(s); len(got) > 0 {
		t.Fatalf("a whole record: %v", got)
	}
	cut(t, s, "b", 2)
	if err := s.change(t.Context(), "cut", func(db *conn) error { _, err := db.remove("c"); return err }); err != nil {
		t.Fatal(err)
	}
	s.heads.Anew()
	s.Close()
	s = reopen()
	grow(t, s, "b", 3, 9, "other")
	s.Close()
	s = reopen()
	if ids, err := audit(s).Missing(t.Context()); err != nil || len(ids) > 0 || audit(s).Verify(t.Context(), "b") != nil {
		t.Fatalf("the notes beside the record tell: %v %v", ids, err)
	}
	if got := faults(s); !slices.Equal(got, []string{"b3", "c1"}) {
		t.Errorf("%v", got)
	}
	if got := record.NewHeads("", file, "nebula.db").Elsewhere(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%v", got)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := audit(s).Elsewhere(t.Context()); err == nil {
		t.Error("a file that is gone is fine")
	}
	s.Close()
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if s = reopen(); s.Opened().Notice.Format == "" {
		t.Error("nothing is said of a file that cannot be written")
	}
}
