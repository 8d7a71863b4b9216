package sqlite_test

import (
	"path/filepath"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

func open(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	nebulatest.TestStore(t, func(t *testing.T, place string) nebula.Store {
		return open(t, filepath.Join(place, "home", "nebula.db"))
	})
}
