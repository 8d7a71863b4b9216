package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/jackc/pgx/v5"

	"nebula"
)

// lingering is how long a lock may outlive the process that held it: until the server hears that it went.
const lingering = 500 * time.Millisecond

// Lock makes an id the caller's own until unlock or the end of its process: [nebula.ErrInUse] while it is another's.
//
// A transaction of its own holds it, on a connection of its own, and does nothing else: it ends with the process, however
// that ends, and behind a pool too. What a lock that went with its connection would have kept apart, [Store.Append] does.
func (s *Store) Lock(ctx context.Context, id string) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.closed.Load() {
		return nil, &Fault{Kind: Closed, Server: s.server, Do: "lock"}
	}
	var conn *pgx.Conn
	held := false
	err = s.again(ctx, "lock", func(ctx context.Context, _ bool) (err error) {
		if conn, err = pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig); err != nil {
			return err
		}
		if held, err = lock(ctx, conn, key(s.team, id)); err != nil || !held {
			_ = conn.Close(ctx) // the lock goes with it
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, nebula.Errorf("%w: %s", nebula.ErrInUse, id)
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), reach)
		defer cancel()
		_, _ = conn.Exec(ctx, `ROLLBACK`) // so that it is free when this returns; a connection that is lost has given it up
		_ = conn.Close(ctx)
	}, nil
}

func lock(ctx context.Context, conn *pgx.Conn, key int64) (held bool, err error) {
	if _, err := conn.Exec(ctx, `BEGIN`); err != nil {
		return false, err
	}
	if _, err := conn.Exec(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
		return false, err
	}
	for end := time.Now().Add(lingering); ; time.Sleep(5 * time.Millisecond) {
		if err = conn.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock($1)`, key).Scan(&held); err != nil || held || time.Now().After(end) {
			return held, err
		}
	}
}

// key is the number that stands for an id among a server's advisory locks.
func key(team, id string) int64 {
	sum := sha256.Sum256([]byte("nebula\x00" + team + "\x00" + id))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
