package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"nebula"
)

// A Kind tells faults of the database apart.
type Kind string

// The kinds of fault.
const (
	Address Kind = "address" // what was given is no address
	Away    Kind = "away"    // nobody answers there
	Refused Kind = "refused" // the login is not taken
	Unknown Kind = "unknown" // no such database
	Bare    Kind = "bare"    // its tables are missing, and this login may not make them
	Newer   Kind = "newer"   // written by a newer nebula
	Full    Kind = "full"    // no space left there
	Closed  Kind = "closed"  // the Store was closed
	Other   Kind = "other"
)

// A Fault is why the database could not do something, with what a person can do about it. No password is in it.
type Fault struct {
	Kind   Kind
	Server string // the login, the host and the database
	Do     string // what was tried
	Err    error
}

// Error names the thing and the next step, on one line.
func (f *Fault) Error() string { return f.Words().String() }

// Words implements [nebula.Speaker].
func (f *Fault) Words() nebula.Words {
	w := f.what()
	if f.Kind != Address {
		w = nebula.Say("record %s: %s", f.Server, w)
	}
	if next := f.Next(); next != "" {
		w = nebula.Say("%s; %s", w, nebula.Say(next))
	}
	return w
}

// Unwrap gives the cause.
func (f *Fault) Unwrap() error { return f.Err }

func (f *Fault) what() nebula.Words {
	switch f.Kind {
	case Address:
		return nebula.Say("record.url is no address of a PostgreSQL database")
	case Away:
		return nebula.Say("the server cannot be reached (%s)", cause(f.Err))
	case Refused:
		return nebula.Say("the server does not take this login or its password")
	case Unknown:
		return nebula.Say("there is no such database")
	case Bare:
		return nebula.Say("the tables of the record are missing or old, and this login may not make them")
	case Newer:
		return nebula.Say("written by a newer nebula (%v)", f.Err)
	case Full:
		return nebula.Say("no space left to record what happens")
	case Closed:
		return nebula.Say("%s after it was closed", nebula.Say(f.Do))
	}
	return nebula.Say("%s: %v", nebula.Say(f.Do), f.Err)
}

// nexts are the next steps for a person, by the kind of fault.
var nexts = map[Kind]string{
	Address: "write it as postgres://NAME@HOST/DATABASE",
	Away:    "try again when it is there: what was recorded is kept; without record.url nebula records on this machine",
	Refused: "check record.url, or PGPASSWORD and ~/.pgpass",
	Unknown: "have it made with createdb, or check record.url",
	Bare:    "have the owner of the database start nebula with it once",
	Newer:   "update nebula",
	Full:    "free some space on the server and try again: what was recorded is kept",
}

// Next is the next step for a person; it is empty where there is none.
func (f *Fault) Next() string { return nexts[f.Kind] }

// fault gives an error of the driver or the network its kind. Other errors pass.
func (s *Store) fault(do string, err error) error {
	var f *Fault
	var answered *pgconn.PgError
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case err == nil, errors.As(err, &f), errors.Is(err, pgx.ErrNoRows):
		return err
	case errors.As(err, &answered):
		return &Fault{Kind: kindOf(answered.Code), Server: s.server, Do: do, Err: fmt.Errorf("%s (%s)", answered.Message, answered.Code)}
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &connect), errors.As(err, &network), passing(err):
		return &Fault{Kind: Away, Server: s.server, Do: do, Err: err}
	}
	return err
}

func kindOf(code string) Kind {
	switch {
	case strings.HasPrefix(code, classLogin):
		return Refused
	case code == codeNoDatabase:
		return Unknown
	case strings.HasPrefix(code, classIntervened), strings.HasPrefix(code, classConnection), code == codeTooMany, code == codeReadOnly:
		return Away
	case strings.HasPrefix(code, classResources):
		return Full
	}
	return Other
}

// cause is the last word of an error: what stands before it says where, which is said already.
func cause(err error) string {
	var host *net.DNSError
	var number syscall.Errno
	switch {
	case errors.As(err, &host):
		return host.Err
	case errors.As(err, &number):
		return number.Error()
	}
	return err.Error()
}

// called is how a database is called before people.
func called(c *pgx.ConnConfig) string {
	host := c.Host
	if !strings.HasPrefix(host, "/") {
		host = net.JoinHostPort(host, fmt.Sprint(c.Port))
	}
	return fmt.Sprintf("%s@%s/%s", c.User, strings.TrimSuffix(host, "/"), c.Database)
}
