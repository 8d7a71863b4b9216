package sqlite

import (
	"path/filepath"
	"testing"
	"time"

	"nebula"
)

// TestBeginningsArePrepared holds that what a session's beginning asks for is what was prepared for it, no more and no less.
func TestBeginningsArePrepared(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "nebula.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := map[string]bool{}
	for sql := range s.db.stmts {
		before[sql] = true
	}
	s.Ready(t.Context())
	prepared := map[string]bool{}
	for sql := range s.db.stmts {
		prepared[sql] = true
	}
	for sql, stmt := range s.db.stmts {
		if !before[sql] {
			_ = stmt.Close()
			delete(s.db.stmts, sql)
		}
	}
	at := time.Unix(1000, 0)
	if _, err := s.Memory(t.Context(), "/d", ""); err != nil {
		t.Fatal(err)
	}
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Started: at}); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "one", nebula.Event{Seq: 1, At: at, Body: nebula.Started{Session: "one", Dir: "/d"}},
		nebula.Event{Seq: 2, At: at, Body: nebula.Submitted{Turn: 1, Text: "go on"}}); err != nil {
		t.Fatal(err)
	}
	for sql := range s.db.stmts {
		if !prepared[sql] {
			t.Errorf("not prepared: %s", sql)
		}
	}
	for sql := range prepared {
		if s.db.stmts[sql] == nil {
			t.Errorf("prepared in vain: %s", sql)
		}
	}
}
