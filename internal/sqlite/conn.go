package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// A conn is one connection with its prepared statements. It is used by one goroutine at a time.
type conn struct {
	raw   driver.Conn
	stmts map[string]driver.Stmt
}

func dial(path string) (*conn, error) {
	raw, err := (&sqlite.Driver{}).Open(dsn(path))
	if err != nil {
		return nil, err
	}
	return &conn{raw: raw, stmts: map[string]driver.Stmt{}}, nil
}

// dsn writes a path as a URI, so that no character of it has a meaning.
func dsn(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a drive letter
	}
	return "file://" + (&url.URL{Path: p}).EscapedPath()
}

func (c *conn) close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, c.raw.Close())...)
}

// readOnly reports that SQLite could open the file for reading only.
func (c *conn) readOnly() bool {
	r, ok := c.raw.(interface {
		IsReadOnly(schema string) (bool, error)
	})
	if !ok {
		return false
	}
	is, err := r.IsReadOnly("main")
	return err == nil && is
}

// script runs several statements without arguments.
//
//go:noinline
func (c *conn) script(sql string) error {
	_, err := c.raw.(driver.ExecerContext).ExecContext(context.Background(), sql, nil)
	return err
}

func (c *conn) prepare(sql string) (driver.Stmt, error) {
	if s, ok := c.stmts[sql]; ok {
		return s, nil
	}
	s, err := c.raw.Prepare(sql)
	if err != nil {
		return nil, err
	}
	c.stmts[sql] = s
	return s, nil
}

// exec runs one statement and gives the number of rows it changed.
func (c *conn) exec(sql string, args ...any) (int64, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return 0, err
	}
	r, err := s.(driver.StmtExecContext).ExecContext(context.Background(), named(args))
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// query hands every row to f until f returns false. The slice is f's only during the call.
func (c *conn) query(f func(row []driver.Value) bool, sql string, args ...any) error {
	s, err := c.prepare(sql)
	if err != nil {
		return err
	}
	rows, err := s.(driver.StmtQueryContext).QueryContext(context.Background(), named(args))
	if err != nil {
		return err
	}
	row := make([]driver.Value, len(rows.Columns()))
	for err == nil {
		if err = rows.Next(row); err == nil && !f(row) {
			break
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, rows.Close())
}

// number reads the one integer that a query gives, 0 when it gives none.
func (c *conn) number(sql string, args ...any) (n int64, err error) {
	err = c.query(func(row []driver.Value) bool {
		n, _ = row[0].(int64)
		return false
	}, sql, args...)
	return n, err
}

func (c *conn) transact(f func(*conn) error) error {
	if _, err := c.exec(beginning); err != nil {
		return err
	}
	err := f(c)
	if err == nil {
		_, err = c.exec(commit)
	}
	if err != nil {
		// Some faults have rolled back already, and then this one says so: the first error is the one that counts.
		_, _ = c.exec("ROLLBACK")
	}
	return err
}

//go:noinline
func named(args []any) []driver.NamedValue {
	list := make([]driver.NamedValue, len(args))
	for i, a := range args {
		list[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return list
}

//go:noinline
func text(v driver.Value) string {
	s, _ := v.(string)
	return s
}

//go:noinline
func integer(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}
