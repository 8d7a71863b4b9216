package sqlite

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"nebula"
)

// TestOnlyASessionWithoutEventsWaitsForASync holds that beginning a session, in vain too, leaves what follows as safe from a power cut as before.
func TestOnlyASessionWithoutEventsWaitsForASync(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "nebula.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sync := func() int64 {
		t.Helper()
		n, err := s.db.number("PRAGMA synchronous")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const normal, full = 1, 2
	if got := sync(); got != full {
		t.Fatalf("synchronous is %d after Open", got)
	}
	info := nebula.SessionInfo{ID: "one", Dir: "/d", Started: time.Unix(1000, 0)}
	if err := s.Create(t.Context(), info); err != nil {
		t.Fatal(err)
	}
	if got := sync(); got != full {
		t.Errorf("synchronous is %d after a session began", got)
	}
	if err := s.Create(t.Context(), info); err == nil {
		t.Error("a session began twice")
	}
	if got := sync(); got != full {
		t.Errorf("synchronous is %d after a session could not begin", got)
	}
	lost, within := errors.New("lost"), int64(0)
	err = s.later(t.Context(), "try", func(*conn) error {
		within = sync()
		return lost
	})
	if !errors.Is(err, lost) || within != normal || sync() != full {
		t.Errorf("%v; synchronous is %d within and %d after", err, within, sync())
	}
}
