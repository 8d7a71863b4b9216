// Package sqlite keeps sessions in a SQLite database: one file for every folder of a person.
//
// What happens is a chained log of events; the tables of sessions and messages are a view of it that is written in the
// same transaction, for lists and for people with an SQL prompt. Contents are kept by their hash, for undo.
//
// The package talks to the driver's connection itself: one connection, guarded by a mutex, with every statement
// prepared on first use. A pool would cost more at start-up than everything else here. Several processes share the
// file through SQLite's write-ahead log; a session belongs to the process that holds its [Store.Lock].
package sqlite

import (
	"context"
	"sync"

	"nebula"
	"nebula/internal/record"
)

// A Store is a [nebula.Store] over one database file. Its methods may be called from any goroutine.
type Store struct {
	mu     sync.Mutex
	db     *conn // nil once closed
	path   string
	opened Opened
	heads  record.Heads // guarded like the connection
}

var _ nebula.Store = (*Store)(nil)

// Options adjust a Store. The zero Options are what nebula uses.
type Options struct {
	// Pages limits the database's size in pages of 4 KiB; 0 is no limit.
	Pages int
	// Heads are where the ends of sessions are noted down too, so that it is seen when the database is cut.
	Heads record.Heads
}

// Opened says what Open found.
type Opened struct {
	Fresh   bool         // there was no database, or none that could be read
	Aside   []string     // where damaged files were moved to
	Notice  nebula.Words // for the person; empty when all is well
	Damaged bool         // the record is not all that was written
}

// Opened tells what Open found.
func (s *Store) Opened() Opened { return s.opened }

// Path is the database file's absolute path.
func (s *Store) Path() string { return s.path }

// Close ends the Store. What was acknowledged is on disk whether or not Close is called.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	err := s.db.close()
	s.db = nil
	return s.fault("close", err)
}

// use runs f with the connection. The context is looked at before only: what was begun is brought to its end, so an
// error never leaves open whether something was kept.
func (s *Store) use(ctx context.Context, do string, f func(*conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return &Fault{Kind: Closed, Path: s.path, Do: do}
	}
	return s.fault(do, f(s.db))
}

// change runs f in a transaction that holds the write lock from its start.
//
//go:noinline
func (s *Store) change(ctx context.Context, do string, f func(*conn) error) error {
	return s.use(ctx, do, func(db *conn) error { return db.transact(f) })
}

// later changes what nobody counts on before the next change: it reaches the disk with that one's sync, or not at all.
func (s *Store) later(ctx context.Context, do string, f func(*conn) error) error {
	return s.use(ctx, do, func(db *conn) error {
		if err := db.script("PRAGMA synchronous=NORMAL"); err != nil {
			return err
		}
		err := db.transact(f)
		if again := db.script("PRAGMA synchronous=FULL"); err == nil {
			err = again
		}
		return err
	})
}
