// Package postgres keeps a team's sessions in a PostgreSQL database: the record for people who work on several machines.
//
// What stands in the rows is what every store keeps ([record]); they lie in a schema of their own, nebula, and each belongs
// to a team, or to a person who is in none, which the database itself holds (row security). It works behind a pool that gives
// connections out a transaction at a time: nothing is left in a connection, and no statement is prepared.
//
// A connection that is lost is made anew, and what was being done is done again where that can do no harm: reading always;
// a change whose outcome is not known is looked for first.
package postgres

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"nebula"
	"nebula/internal/record"
)

// A Store is a [nebula.Store] over one database. Its methods may be called from any goroutine.
type Store struct {
	pool   *pgxpool.Pool
	server string // how it is called before people: no password in it
	team   string // whose rows these are
	closed atomic.Bool
	heads  chan record.Heads // one at a time has them
	lines  sync.Map          // of the sessions that this store appended to, by id: what was so after the last time
}

var _ nebula.Store = (*Store)(nil)

// Options adjust a Store. The zero Options are what nebula uses.
type Options struct {
	// Heads are where the ends of sessions are noted down too, so that it is seen when the database is cut.
	Heads record.Heads
}

// most is how many connections a Store has at a time, without those that hold a lock.
const most = 8

// Open opens the record at a postgres:// address, and makes its tables where they are missing and the person may.
func Open(ctx context.Context, address string, o Options) (*Store, error) {
	config, err := read(address)
	if err != nil {
		return nil, err
	}
	s := &Store{server: called(config.ConnConfig), heads: make(chan record.Heads, 1)}
	s.heads <- o.Heads
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, s.fault("open", err)
	}
	err = s.migrate(ctx)
	if err == nil {
		err = s.fault("open", s.pool.QueryRow(ctx, `SELECT nebula.team()`).Scan(&s.team))
	}
	if err != nil {
		s.pool.Close()
		return nil, err
	}
	return s, nil
}

// read reads an address. What is wrong with it is said without it: it may hold a password.
func read(address string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, &Fault{Kind: Address}
	}
	config.MaxConns = most
	c := config.ConnConfig
	c.DefaultQueryExecMode = pgx.QueryExecModeExec // one round trip, and nothing prepared
	c.StatementCacheCapacity, c.DescriptionCacheCapacity = 0, 0
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = reach
	}
	if _, named := c.RuntimeParams["application_name"]; !named {
		c.RuntimeParams["application_name"] = "nebula"
	}
	return config, nil
}

// Server is how the database is called before people, without a password.
func (s *Store) Server() string { return s.server }

// Team is whose record it is: "team NAME", or "person NAME" for a login that is in none.
func (s *Store) Team() string { return s.team }

// Close ends the Store. What was acknowledged is kept whether or not Close is called.
func (s *Store) Close() error {
	if !s.closed.Swap(true) {
		s.pool.Close()
	}
	return nil
}
