package postgres_test

import (
	"fmt"
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

// people are logins in no team: each has a record of their own.
func people() (logins []string) {
	for n := range 60 {
		logins = append(logins, fmt.Sprint("person", n))
	}
	return logins
}

// conforms has every place be another person's record, in one database.
func conforms(t *testing.T, server *nebulatest.Postgres, address func(name, login string) string) {
	t.Helper()
	if err := open(t, server.Database(t, "places", "owner")).Close(); err != nil { // its tables are made
		t.Fatal(err)
	}
	free, whose := people(), map[string]string{}
	server.Login(t, free...)
	nebulatest.TestStore(t, func(t *testing.T, place string) nebula.Store {
		if whose[place] == "" {
			whose[place], free = free[0], free[1:]
		}
		return open(t, address("places", whose[place]))
	})
}

func TestStore(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	conforms(t, server, server.Address)
}

// TestStoreBehindAPool: between two transactions a connection may be another.
func TestStoreBehindAPool(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	conforms(t, server, server.Pool(t, 5, people()...))
}
