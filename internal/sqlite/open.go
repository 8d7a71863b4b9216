package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nebula"
)

// markSuffix names the file that asks the next Open to check the whole database.
const markSuffix = ".suspect"

// settings of every connection. FULL costs one fsync a transaction and keeps what was acknowledged through a power cut
// too. The cache is small because the operating system caches the file anyway.
const settings = patience + `; PRAGMA synchronous=FULL; PRAGMA cache_size=-1024; PRAGMA temp_store=MEMORY`

// patience is how long a connection waits for others.
const patience = `PRAGMA busy_timeout=10000`

// Open opens the database at path and makes it, and its folder, when there is none. A database that is damaged is
// moved aside under a new name and a fresh one begun; [Store.Opened] tells. Other faults are a [Fault].
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, heads: o.Heads}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, s.fault("open", err)
	}
	if err := s.private(); err != nil {
		return nil, s.fault("open", err)
	}
	err = s.open(o)
	if errors.Is(err, errUnfit) || errors.Is(err, errDamaged) {
		err = s.prepare(o)
	}
	if err == nil {
		if away := s.heads.Reaches(); away != nil {
			s.notice("%w", away)
		}
		err = s.compare()
	}
	if err == nil {
		err = s.before()
	}
	if err != nil {
		return nil, s.fault("open", err)
	}
	return s, nil
}

// errUnfit says that the file needs work before it can be used: made, migrated or moved aside.
var errUnfit = errors.New("not ready")

// open is the quick way to a database that is as it should be.
func (s *Store) open(o Options) error {
	info, err := os.Stat(s.path)
	if errors.Is(err, os.ErrNotExist) || err == nil && (info.Size() == 0 || !info.Mode().IsRegular()) {
		return errUnfit
	}
	if err != nil {
		return err
	}
	sound, err := soundLog(s.path + "-wal")
	if err != nil {
		return err
	}
	if _, err := os.Lstat(s.path + markSuffix); err == nil || !sound {
		return errUnfit
	}
	return s.connect(o, func(c *conn) error { return c.fit() })
}

// connect dials, settles the connection and keeps it when check is content. No other way may open and close the file:
// on Unix that would drop the locks that every connection of this process holds on it.
func (s *Store) connect(o Options, check func(*conn) error) error {
	c, err := dial(s.path)
	if err != nil {
		return damage(err)
	}
	if c.readOnly() {
		err = &Fault{Kind: ReadOnly, Do: "open", Err: fs.ErrPermission}
	}
	if err == nil {
		err = c.script(settings)
	}
	if err == nil {
		err = check(c)
	}
	if err == nil && o.Pages > 0 {
		err = c.script(fmt.Sprintf("PRAGMA max_page_count=%d", o.Pages))
	}
	if err != nil {
		_ = c.close()
		return damage(err)
	}
	s.db = c
	return nil
}

// fit reports whether the database can be used as it is.
func (c *conn) fit() error {
	version, ours, err := c.version()
	if err != nil {
		return err
	}
	if version > int64(len(steps)) && ours {
		return &Fault{Kind: Newer, Err: nebula.Errorf("schema %d, this one knows %d", version, len(steps))}
	}
	tables, err := c.tables()
	if err != nil {
		return err
	}
	for n, name := range []string{"sessions", "notes", "plans", "spoken"} { // what each step makes
		if ours && version <= int64(n) && (tables[name] || version <= 0) {
			return nebula.Errorf("%w: schema %d", errDamaged, version)
		}
	}
	if version != int64(len(steps)) || !ours {
		return errUnfit
	}
	for _, name := range []string{"sessions", "messages", "events", "contents", "content_uses", "notes", "tallies"} {
		if !tables[name] {
			return nebula.Errorf("%w: table %s is missing", errDamaged, name)
		}
	}
	return c.log()
}

// log makes sure of the write-ahead log. Where the file system has none, SQLite's journal does, with more waiting.
func (c *conn) log() error {
	mode := ""
	err := c.query(func(row []driver.Value) bool { mode = text(row[0]); return false }, "PRAGMA journal_mode")
	if err != nil || mode == "wal" {
		return err
	}
	return c.script("PRAGMA journal_mode=WAL")
}

var errDamaged = errors.New("damaged")

// damage marks the errors that say that the file is no database of ours any more. A statement that fails on a schema
// that we wrote is one of them.
func damage(err error) error {
	var f *Fault
	if errors.As(err, &f) {
		return err
	}
	if kindOf(err) == Damaged || sqlError(err) {
		return nebula.Errorf("%w: %w", errDamaged, err)
	}
	return err
}

// prepare makes, migrates or replaces the database. One process does it at a time; the others find it done.
func (s *Store) prepare(o Options) error {
	unlock, err := acquire(s.path+".lock", true)
	if err != nil {
		return err
	}
	defer unlock()
	err = s.make(o)
	if !errors.Is(err, errDamaged) {
		return err
	}
	cause := err
	if err := s.setAside(parts...); err != nil {
		return err
	}
	if err := s.make(o); err != nil {
		return err
	}
	s.opened.Fresh, s.opened.Damaged = true, true
	s.notice("the database was damaged (%s); it was moved to %s and a fresh one begun",
		cause, strings.Join(s.opened.Aside, ", "))
	return nil
}

func (s *Store) make(o Options) error {
	info, err := os.Lstat(s.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err == nil && info.IsDir() {
		return nebula.Errorf("%w: a folder stands in its place", errDamaged)
	}
	if s.opened.Fresh = err != nil || info.Mode().IsRegular() && info.Size() == 0; s.opened.Fresh {
		// SQLite deletes the log of an empty database.
		if log, err := os.Stat(s.path + "-wal"); err == nil && log.Size() > 0 {
			return nebula.Errorf("%w: it is empty but its log is not", errDamaged)
		}
	}
	sound, err := soundLog(s.path + "-wal")
	if err != nil {
		return err
	}
	if !sound {
		if err := s.setAside("-wal"); err != nil {
			return err
		}
		s.opened.Damaged = true
		s.notice("the database's log was damaged; it was moved to %s", s.opened.Aside[0])
	}
	if s.opened.Fresh {
		if err := begin(s.path); err != nil {
			return err
		}
	}
	return s.connect(o, s.fitted)
}

// begin writes a database of one empty page, in write-ahead mode. It is what SQLite writes for PRAGMA journal_mode=WAL
// on a new file, for one sync instead of four, and keeps the file to its owner.
func begin(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(emptyPage())
	return errors.Join(err, f.Sync(), f.Close())
}

// emptyPage is laid out as https://www.sqlite.org/fileformat2.html, sections 1.3 and 1.6, say.
func emptyPage() []byte {
	const size = 4096
	p := make([]byte, size)
	copy(p, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(p[16:], size)
	p[18], p[19] = 2, 2                   // write-ahead log
	p[21], p[22], p[23] = 64, 32, 32      // payload fractions
	binary.BigEndian.PutUint32(p[24:], 1) // change counter
	binary.BigEndian.PutUint32(p[28:], 1) // pages
	binary.BigEndian.PutUint32(p[92:], 1) // the change counter when the next was written
	binary.BigEndian.PutUint32(p[96:], libVersion)
	p[100] = 13 // a leaf of a table, without cells
	binary.BigEndian.PutUint16(p[105:], size)
	return p
}

// libVersion is the SQLite version that an empty page names as its writer; any will do.
const libVersion = 3_050_000

// fitted makes the database fit.
func (s *Store) fitted(c *conn) error {
	if err := s.suspect(c); err != nil {
		return err
	}
	err := c.fit()
	if !errors.Is(err, errUnfit) {
		return err
	}
	version, ours, err := c.version()
	if err != nil {
		return err
	}
	if tables, err := c.tables(); err != nil {
		return err
	} else if !ours && len(tables) > 0 {
		return &Fault{Kind: Foreign, Err: fmt.Errorf("schema %d", version)}
	}
	if err := c.log(); err != nil {
		return err
	}
	err = c.migrate(steps)
	if err != nil && kindOf(err) == Other { // a mistake of ours is no damage of the file
		err = &Fault{Kind: Other, Do: "bring the schema up to date", Err: err}
	}
	return err
}

// suspect checks the whole file when an earlier run met damage in it.
func (s *Store) suspect(c *conn) error {
	if _, err := os.Lstat(s.path + markSuffix); err != nil {
		return nil
	}
	said := ""
	err := c.query(func(row []driver.Value) bool { said = text(row[0]); return false }, "PRAGMA quick_check(1)")
	if err == nil && said != "ok" {
		err = fmt.Errorf("%w: %s", errDamaged, said)
	}
	if err == nil {
		err = os.Remove(s.path + markSuffix)
	}
	return err
}

// before tells of a database that was moved aside by somebody else, while nothing has been done without it.
func (s *Store) before() error {
	aside, _ := filepath.Glob(s.path + asideSuffix + "*[Z0-9]") // the pattern is sound, but for a path that nobody has
	if len(aside) == 0 || s.opened.Damaged {
		return nil
	}
	used := false
	err := s.db.query(func([]driver.Value) bool { used = true; return false }, "SELECT 1 FROM sessions")
	if !used && err == nil {
		s.notice("what was recorded before is in %s, which is damaged: .recover of sqlite3 takes out what can be read; move the file away once it is not wanted", aside[len(aside)-1])
	}
	return err
}

const asideSuffix = ".damaged-"

// parts are the files of a database, by what their names add to its own.
var parts = []string{"", "-wal", "-shm", "-journal", markSuffix}

// setAside moves the database and what belongs to it to new names. Nothing is deleted.
func (s *Store) setAside(parts ...string) error {
	base := s.path + asideSuffix + time.Now().UTC().Format("20060102T150405Z")
	to := base
	for n := 2; anyExists(to); n++ {
		to = fmt.Sprintf("%s.%d", base, n)
	}
	for _, part := range parts {
		err := os.Rename(s.path+part, to+part)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		s.opened.Aside = append(s.opened.Aside, to+part)
	}
	return nil
}

func anyExists(base string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		_, err := os.Lstat(base + part)
		return err == nil // what else is wrong with a name is said by the rename
	})
}

// soundLog reports whether a write-ahead log is absent, empty or begins as one (https://www.sqlite.org/fileformat2.html,
// section 4.1). SQLite would overwrite one that does not, and with it what could still be read from it by hand. One that
// cannot be read just now says nothing about itself.
func soundLog(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 32)
	n, err := io.ReadFull(f, head)
	switch {
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF) && len(bytes.Trim(head[:n], "\x00")) == 0:
		return true, nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return false, nil
	case err != nil:
		return false, err
	}
	return logSum(head) == [2]uint32{binary.BigEndian.Uint32(head[24:]), binary.BigEndian.Uint32(head[28:])}, nil
}

// logSum is the checksum of a log's header; the magic's last bit says in which byte order it was taken.
func logSum(head []byte) (sum [2]uint32) {
	var order binary.ByteOrder
	switch binary.BigEndian.Uint32(head) {
	case 0x377f0682:
		order = binary.LittleEndian
	case 0x377f0683:
		order = binary.BigEndian
	default:
		return [2]uint32{^binary.BigEndian.Uint32(head[24:])}
	}
	for i := 0; i < 24; i += 8 {
		sum[0] += order.Uint32(head[i:]) + sum[1]
		sum[1] += order.Uint32(head[i+4:]) + sum[0]
	}
	return sum
}
