package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"nebula"
)

// The end of every session's chain is written down outside of the database too, after it is on the disk in there: a
// session whose newest events were taken out, with everything that names them, looks whole from inside. A note that is
// behind the database is what a crash leaves; one that is ahead of it says that something is missing.

// A heads is the directory of these notes; empty where none are kept. The notes of one database begin with the same name.
type heads struct {
	dir, name string
	elsewhere string          // a file that ends are appended to as well; may be empty
	sound     map[string]bool // sessions that were compared with their note by this process: whether it fits
}

func newHeads(dir, database string) heads {
	return heads{dir: dir, name: nebula.Hash([]byte(database))[:8] + "-", sound: map[string]bool{}}
}

// A noted end of a session's chain.
type noted struct {
	seq     int64
	link    link
	session string
}

// last names the note of whatever was written last of all.
const last = "last"

func (h heads) file(session string) string {
	name := last
	if session != last {
		name = nebula.Hash([]byte(session))[:32]
	}
	return filepath.Join(h.dir, h.name+name)
}

// write notes an end, twice: as the session's, and as the last of all. A note that cannot be written stays behind, which
// is no harm.
func (h heads) write(n noted) {
	h.append(n.session, fmt.Sprintf("%d %x", n.seq, n.link[:]))
	text := fmt.Appendf(nil, "%020d %x %s\n", n.seq, n.link[:], n.session)
	for _, name := range []string{n.session, last} {
		f, err := os.OpenFile(h.file(name), os.O_WRONLY|os.O_CREATE, 0o600)
		if errors.Is(err, os.ErrNotExist) && os.MkdirAll(h.dir, 0o700) == nil {
			f, err = os.OpenFile(h.file(name), os.O_WRONLY|os.O_CREATE, 0o600)
		}
		if err != nil {
			return
		}
		_, err = f.WriteAt(text, 0)
		if err == nil && name == last { // ids are not all as long
			err = f.Truncate(int64(len(text)))
		}
		if f.Close() != nil || err != nil {
			return
		}
	}
}

// read gives a note; ok is false where there is none that can be read.
func (h heads) read(file string) (n noted, ok bool) {
	if h.dir == "" {
		return n, false
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return n, false
	}
	sum := ""
	line, _, whole := strings.Cut(string(data), "\n")
	if _, err := fmt.Sscanf(line, "%d %s %s", &n.seq, &sum, &n.session); err != nil || !whole {
		return n, false
	}
	b, err := hex.DecodeString(sum)
	n.link = asLink(b)
	return n, err == nil && len(b) == len(n.link)
}

// forget removes a session's note.
func (h heads) forget(session string) {
	if h.dir == "" {
		return
	}
	h.append(session, gone)
	_ = os.Remove(h.file(session)) // else the session is told to be missing
	if n, ok := h.read(h.file(last)); ok && n.session == session {
		_ = os.Remove(h.file(last))
	}
}

// anew removes the notes of a database that is another by now.
func (h heads) anew() {
	files, _ := filepath.Glob(filepath.Join(h.dir, h.name+"*"))
	for _, f := range files {
		_ = os.Remove(f)
	}
}

// fits compares a note with the database.
func (c *conn) fits(n noted) (bool, error) {
	found := false
	err := c.query(func(row []driver.Value) bool {
		chain, _ := row[0].([]byte)
		found = asLink(chain) == n.link
		return false
	}, `SELECT chain FROM events WHERE session=? AND seq=?`, n.session, n.seq)
	return found || n.seq == 0, err
}

// trusts reports whether a session's note is to be written on: not where it tells of something that is missing, since that
// is all there is to show it.
func (s *Store) trusts(db *conn, session string) (bool, error) {
	if s.heads.dir == "" {
		return false, nil
	}
	sound, known := s.heads.sound[session]
	if known {
		return sound, nil
	}
	n, ok := s.heads.read(s.heads.file(session))
	sound = true
	if ok && n.session == session {
		var err error
		if sound, err = db.fits(n); err != nil {
			return false, err
		}
	}
	s.heads.sound[session] = sound
	return sound, nil
}

// compare tells at the opening whether the last that was written is still there.
func (s *Store) compare() error {
	n, ok := s.heads.read(s.heads.file(last))
	switch {
	case !ok:
		return nil
	case s.opened.Fresh:
		if len(s.opened.Aside) == 0 {
			s.notice("the record that was here is gone: session %s was in it; a new one is begun", n.session)
		}
		s.heads.anew()
		return nil
	}
	fits, err := s.db.fits(n)
	if err == nil && !fits && len(s.opened.Aside) == 0 {
		s.notice("the record is not what was written: event %d of session %s is missing or another; nebula audit --verify tells more", n.seq, n.session)
	}
	return err
}

// Cut reports where a session ends before an event that was written, as far as that was noted outside of the database;
// nil where nothing is missing.
func (s *Store) Cut(ctx context.Context, session string) (cut *Broken, err error) {
	n, ok := s.heads.read(s.heads.file(session))
	if !ok || n.session != session {
		return nil, nil
	}
	err = s.use(ctx, "verify", func(db *conn) error {
		fits, err := db.fits(n)
		if err != nil || fits {
			return err
		}
		h, err := db.head(session)
		if err != nil && !errors.Is(err, nebula.ErrNoSession) {
			return err
		}
		cut = &Broken{Session: session, Seq: min(h.seq+1, n.seq), Text: nebula.Say("%d events were written, and the record ends otherwise: its end was taken out", n.seq)}
		return nil
	})
	return cut, err
}

// Missing are the sessions that were written, and not removed, and are not in the database.
func (s *Store) Missing(ctx context.Context) (ids []string, err error) {
	for _, id := range s.heads.sessions() {
		if _, err := s.Find(ctx, id); errors.Is(err, nebula.ErrNoSession) {
			ids = append(ids, id)
		} else if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// Noted reports whether a session's end is noted outside of the database: else nobody can tell whether it was cut.
func (s *Store) Noted(session string) bool {
	n, ok := s.heads.read(s.heads.file(session))
	return ok && n.session == session
}

// Written are the sessions whose ends are noted in a directory for a database, which need not be there itself.
func Written(dir, database string) []string { return newHeads(dir, database).sessions() }

func (h heads) sessions() (ids []string) {
	if h.dir == "" {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(h.dir, h.name+"*")) // the pattern is sound
	for _, file := range files {
		if n, ok := h.read(file); ok && filepath.Base(file) != h.name+last {
			ids = append(ids, n.session)
		}
	}
	return ids
}
