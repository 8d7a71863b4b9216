package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nebula"
)

// A Cache is a database of what can be made again, such as an index: a power cut may cost its last changes, and what
// is damaged or another program's is thrown away. It is used by one goroutine at a time.
type Cache struct {
	path string
	conn *conn
	info os.FileInfo // of the file that was opened
	Lost string      // why what stood at the path was thrown away; empty when nothing was
}

// A Row is one row of an answer.
type Row []driver.Value

// Text gives a column that holds a text. Like the others it gives the zero value when the column holds something else.
func (r Row) Text(i int) string { return text(r[i]) }

// Int gives a column that holds a whole number.
//
//go:noinline
func (r Row) Int(i int) int64 { return integer(r[i]) }

// Bytes gives a column that holds a blob. They are the caller's to keep.
//
//go:noinline
func (r Row) Bytes(i int) []byte {
	b, _ := r[i].([]byte)
	return b
}

// cacheSettings trade the last moments before a power cut for speed; a crash of the process costs nothing.
const cacheSettings = `PRAGMA busy_timeout=5000; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-2048; PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=2000`

// OpenCache opens the cache at path and makes it, and its folder, when there is none. The schema is its version too:
// a cache that was made with another one is made anew.
func OpenCache(path, schema string) (*Cache, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nebula.Errorf("cache %s: %w", path, err)
	}
	c := &Cache{path: path}
	err := c.open(schema)
	if err != nil && c.Lost != "" {
		if err := c.Remove(); err != nil {
			return nil, err
		}
		err = c.open(schema)
	}
	if err != nil {
		return nil, nebula.Errorf("cache %s: %w", path, err)
	}
	return c, nil
}

func (c *Cache) open(schema string) error {
	info, err := os.Lstat(c.path)
	if err == nil && !info.Mode().IsRegular() {
		c.Lost = "it is no file"
		return errUnfit
	}
	fresh := err != nil || info.Size() == 0
	if !fresh && !writableHead(c.path) {
		c.Lost = "it is damaged"
		return errUnfit
	}
	sound, err := soundLog(c.path + "-wal")
	if err != nil {
		return err
	}
	if !fresh && !sound {
		c.Lost = "its log is damaged"
		return errUnfit
	}
	if fresh {
		for _, part := range parts {
			_ = os.Remove(c.path + part) // a log without its database holds nothing
		}
		if err := begin(c.path); err != nil {
			return err
		}
	}
	if c.conn, err = dial(c.path); err == nil {
		err = c.conn.script(cacheSettings)
	}
	if err == nil {
		err = c.fit(schema, fresh)
	}
	if err == nil {
		c.info, err = os.Stat(c.path)
	}
	if err == nil {
		return nil
	}
	if err = damage(err); errors.Is(err, errDamaged) {
		c.Lost = "it is damaged"
	}
	return errors.Join(err, c.Close())
}

// writableHead reports whether a database's head says that this version of SQLite may write it (bytes 18 and 19 of the
// file format). Where they are damaged everything else may still be read, and every change fails.
func writableHead(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true // opening it says why
	}
	defer f.Close()
	var head [20]byte
	_, err = io.ReadFull(f, head[:])
	return err != nil || head[18] <= 2 && head[19] <= 2
}

// fit makes a fresh cache's tables, or checks that an older one has ours.
func (c *Cache) fit(schema string, fresh bool) error {
	version := int64(crc32.ChecksumIEEE([]byte(schema)) >> 1)
	has, err := c.conn.number("PRAGMA user_version")
	if err != nil || !fresh && has == version {
		return err
	}
	if !fresh && has == 0 { // another process may be making it just now
		tables, err := c.conn.tables()
		fresh = err == nil && len(tables) == 0
	}
	if !fresh {
		c.Lost = "it was made by another version or program"
		return errUnfit
	}
	return c.conn.transact(func(conn *conn) error {
		if made, err := conn.number("PRAGMA user_version"); err != nil || made == version {
			return err
		}
		return conn.script(schema + fmt.Sprintf("\n;PRAGMA user_version=%d", version))
	})
}

// Own makes the caller the only one that changes the cache, across processes, until it releases it; it waits for another
// that is.
func (c *Cache) Own(ctx context.Context) (release func(), err error) {
	for {
		release, err := acquire(c.path+".lock", false)
		if !errors.Is(err, errHeld) {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Current reports whether what stands at the path is still the database that was opened: another process may have thrown
// it away.
func (c *Cache) Current() bool {
	now, err := os.Stat(c.path)
	return err == nil && os.SameFile(c.info, now)
}

// Exec runs one statement.
//
//go:noinline
func (c *Cache) Exec(sql string, args ...any) error {
	_, err := c.conn.exec(sql, args...)
	return err
}

// Query hands every row to each until it returns false. The row is its own only during the call.
//
//go:noinline
func (c *Cache) Query(each func(Row) bool, sql string, args ...any) error {
	return c.conn.query(func(row []driver.Value) bool { return each(row) }, sql, args...)
}

// Transact runs f between BEGIN IMMEDIATE and COMMIT, or takes everything back when it fails.
//
//go:noinline
func (c *Cache) Transact(f func() error) error {
	return c.conn.transact(func(*conn) error { return f() })
}

// Damaged reports whether an error says that the cache cannot be used any more: remove it and begin anew. What breaks a
// constraint does, too: whoever keeps a cache counts its rows, so the count was damaged.
func (c *Cache) Damaged(err error) bool {
	return err != nil && (errors.Is(damage(err), errDamaged) || constraint(err))
}

// Remove deletes the cache's files. It must be closed.
func (c *Cache) Remove() error {
	for _, part := range parts {
		if err := os.RemoveAll(c.path + part); err != nil && !strings.HasSuffix(c.path+part, markSuffix) {
			return nebula.Errorf("cache %s: %w", c.path, err)
		}
	}
	return nil
}

// Close gives the connection up.
//
//go:noinline
func (c *Cache) Close() error {
	if c.conn == nil {
		return nil
	}
	conn := c.conn
	c.conn = nil
	return conn.close()
}
