package sqlite_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"nebula/internal/sqlite"
)

const numbers = "CREATE TABLE numbers (n INTEGER)"

func openCache(t *testing.T, path, schema string) *sqlite.Cache {
	t.Helper()
	c, err := sqlite.OpenCache(path, schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// kept is a cache with a number in it, closed.
func kept(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cache.db")
	c := openCache(t, path, numbers)
	if err := c.Exec("INSERT INTO numbers VALUES (7)"); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestACacheIsKeptForItsSchemaAndMadeAnewForAnother(t *testing.T) {
	path := kept(t)
	count := func(c *sqlite.Cache, table string) (n int) {
		t.Helper()
		if err := c.Query(func(sqlite.Row) bool { n++; return true }, "SELECT * FROM "+table); err != nil {
			t.Error(err)
		}
		return n
	}
	same := openCache(t, path, numbers)
	if n := count(same, "numbers"); n != 1 || same.Lost != "" {
		t.Errorf("%d numbers, lost: %s", n, same.Lost)
	}
	_ = same.Close()
	other := openCache(t, path, "CREATE TABLE words (w TEXT)")
	if n := count(other, "words"); n != 0 || other.Lost == "" {
		t.Errorf("%d words, lost: %q", n, other.Lost)
	}
}

// Another process may be between making the file and its tables: that is no program of somebody else's.
func TestACacheWithoutTablesIsFinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	query(t, path, "PRAGMA journal_mode=WAL")
	c := openCache(t, path, numbers)
	if err := c.Exec("INSERT INTO numbers VALUES (1)"); err != nil || c.Lost != "" {
		t.Errorf("%v, lost: %q", err, c.Lost)
	}
}

// A cache that cannot be opened just now is neither damaged nor somebody else's: it is not thrown away.
func TestACacheThatCannotBeOpenedIsLeft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	path := kept(t)
	_ = os.Remove(path + "-wal")
	if err := os.Symlink(filepath.Base(path)+"-wal", path+"-wal"); err != nil { // leads to itself
		t.Fatal(err)
	}
	if c, err := sqlite.OpenCache(path, numbers); err == nil {
		_ = c.Close()
		t.Error("opened")
	}
	if err := os.Remove(path + "-wal"); err != nil {
		t.Fatal("the log is gone:", err)
	}
	if rows := query(t, path, "SELECT n FROM numbers"); len(rows) != 1 {
		t.Errorf("there is %v", rows)
	}
}
