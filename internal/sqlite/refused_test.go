package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

// works are what a store is asked to do, one after the other.
func works(s *sqlite.Store) []func(t *testing.T) error {
	plan := nebulatest.LargePlan(2, 2)
	return []func(t *testing.T) error{
		func(t *testing.T) error {
			return s.Create(t.Context(), nebula.SessionInfo{ID: "two", Dir: "/d", Model: "m"})
		},
		func(t *testing.T) error { return s.Append(t.Context(), "one", nebulatest.EveryEvent()...) },
		func(t *testing.T) error { _, err := s.Keep(t.Context(), []byte("a content")); return err },
		func(t *testing.T) error {
			return s.KeepMany(t.Context(), [][]byte{[]byte("b"), make([]byte, 1<<12)})
		},
		func(t *testing.T) error { return s.SavePlan(t.Context(), "/a", plan) },
		func(t *testing.T) error {
			plan.Version++
			return s.SavePlan(t.Context(), "/a", plan, plan.Steps[1].ID)
		},
		func(t *testing.T) error { return s.Remember(t.Context(), "/a", "use tabs") },
		func(t *testing.T) error { return s.Remove(t.Context(), "two") },
	}
}

// What a table refuses is not acknowledged: an operation that returned nil has left what it leaves in a sound database, and
// one that failed has left nothing.
func TestNothingIsAcknowledgedThatATableRefused(t *testing.T) {
	fresh := func() (*sqlite.Store, string) {
		path := filepath.Join(t.TempDir(), "nebula.db")
		s := open(t, path)
		if err := s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Model: "m"}); err != nil {
			t.Fatal(err)
		}
		return s, path
	}
	sound, path := fresh()
	var tables []string
	for _, row := range query(t, path, `SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'`) {
		tables = append(tables, fmt.Sprint(row[0]))
	}
	rows := func(path string) (count string) {
		for _, table := range tables {
			count += table + fmt.Sprint(query(t, path, `SELECT count(*) FROM "`+table+`"`)) + " "
		}
		return count
	}
	left := []string{rows(path)}
	for n, work := range works(sound) {
		if err := work(t); err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		left = append(left, rows(path))
	}
	refusals := 0
	for _, table := range tables {
		for _, verb := range []string{"INSERT", "UPDATE", "DELETE"} {
			s, path := fresh()
			query(t, path, `CREATE TRIGGER refuses BEFORE `+verb+` ON "`+table+`" BEGIN SELECT RAISE(ABORT, 'refused'); END`)
			for n, work := range works(s) {
				want := left[n+1]
				if err := work(t); err != nil {
					want, refusals = left[n], refusals+1
				}
				if got := rows(path); got != want {
					t.Errorf("%s of %s refused, %d: %s, want %s", verb, table, n, got, want)
				}
				if want == left[n] && left[n] != left[n+1] {
					break // what follows builds on it
				}
			}
		}
	}
	if refusals < 12 {
		t.Errorf("only %d refusals: nothing was tried", refusals)
	}
}
