package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"nebula"
)

const (
	// reach is how long a server may take to answer a first word.
	reach = 5 * time.Second
	// patience is how long a server that was reached before may be away: one that is begun anew takes that long.
	patience = 20 * time.Second
	// whole is how long a change may take that was begun.
	whole = 2 * time.Minute
)

// ask does what can be done again without harm: it only reads.
func (s *Store) ask(ctx context.Context, do string, f func(context.Context) error) error {
	return s.again(ctx, do, func(ctx context.Context, _ bool) error { return f(ctx) })
}

// change runs f in a transaction. It may be run again: with unsure, after an end that nobody heard of, so that f looks first
// whether the change was made. The context is looked at before only: what was begun is brought to its end.
func (s *Store) change(ctx context.Context, do string, f func(ctx context.Context, tx pgx.Tx, unsure bool) error) error {
	return s.again(ctx, do, func(ctx context.Context, unsure bool) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), whole)
		defer cancel()
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return f(ctx, tx, unsure) })
	})
}

// again does something until the server was there for it, with what it says itself in between taken as said.
func (s *Store) again(ctx context.Context, do string, f func(ctx context.Context, unsure bool) error) error {
	unsure := false
	for begun, pause := time.Now(), 10*time.Millisecond; ; pause = min(2*pause, time.Second) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.closed.Load() {
			return &Fault{Kind: Closed, Server: s.server, Do: do}
		}
		err := f(ctx, unsure)
		if err == nil || ctx.Err() != nil || !passing(err) || time.Since(begun) > patience {
			return s.fault(do, err)
		}
		unsure = unsure || !undone(err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// SQLSTATEs, https://www.postgresql.org/docs/15/errcodes-appendix.html.
const (
	codeTaken       = "23505"
	codeElsewhere   = "NB001" // ours: see the function follow
	codeNoTable     = "42P01"
	codeNoSchema    = "3F000"
	codeForbidden   = "42501"
	codeDeadlock    = "40P01"
	codeSerial      = "40001"
	codeReadOnly    = "25006" // a server that was the first one until now
	codeTooMany     = "53300"
	codeNoDatabase  = "3D000"
	classConnection = "08"
	classLogin      = "28"
	classResources  = "53"
	classIntervened = "57P" // it is being stopped, or is starting
)

// passing reports an error that is not the statement's: the connection went, or the server is coming or going.
func passing(err error) bool {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said.Code == codeDeadlock || said.Code == codeSerial || said.Code == codeTooMany || said.Code == codeReadOnly ||
			strings.HasPrefix(said.Code, classIntervened) || strings.HasPrefix(said.Code, classConnection)
	}
	var network net.Error
	return pgconn.SafeToRetry(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) || errors.Is(err, net.ErrClosed) ||
		strings.HasSuffix(err.Error(), "conn closed")
}

// undone reports an error after which it is certain that nothing was changed.
func undone(err error) bool {
	var said *pgconn.PgError
	var connect *pgconn.ConnectError
	return errors.As(err, &said) && !strings.HasPrefix(said.Code, classIntervened) && !strings.HasPrefix(said.Code, classConnection) ||
		pgconn.SafeToRetry(err) || errors.As(err, &connect)
}

// said reports what the server answered a statement.
func said(err error, code string) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == code
}

// odd begins a text that the database could not keep as it is: it takes no zero byte and nothing but UTF-8.
const odd = "\x01"

// word is a text as it is kept.
func word(text string) string {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 && !strings.HasPrefix(text, odd) {
		return text
	}
	return odd + fmt.Sprintf("%x", text)
}

// unword gives back what was kept.
func unword(kept string) string {
	rest, is := strings.CutPrefix(kept, odd)
	if !is {
		return kept
	}
	var b []byte
	if _, err := fmt.Sscanf(rest, "%x", &b); err != nil {
		return kept
	}
	return string(b)
}

// none says that no row is there.
func none(err error) bool { return errors.Is(err, pgx.ErrNoRows) }

// rows hands every row of an answer to f.
func (s *Store) rows(ctx context.Context, f func(pgx.Rows) error, sql string, args ...any) error {
	rows, err := s.pool.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func taken(id string) error { return nebula.Errorf("session %s exists already", id) }
