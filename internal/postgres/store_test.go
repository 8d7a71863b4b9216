package postgres_test

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/postgres"
)

func open(t testing.TB, address string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, postgres.Options{})
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

// named is a database's name for a place.
func named(place string) string { return "t" + nebula.Hash([]byte(place))[:20] }

func TestStore(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	nebulatest.TestStore(t, func(t *testing.T, place string) nebula.Store {
		return open(t, server.Database(t, named(place), "owner"))
	})
}

// TestStoreBehindAPool: between two transactions a connection may be another.
func TestStoreBehindAPool(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	pooled := server.Pool(t, 5)
	nebulatest.TestStore(t, func(t *testing.T, place string) nebula.Store {
		server.Database(t, named(place), "owner")
		return open(t, pooled(named(place), "owner"))
	})
}
