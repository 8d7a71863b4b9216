package sqlite

import (
	"context"
	"database/sql/driver"

	"nebula"
	"nebula/internal/record"
)

// Append keeps events, all or none; see [nebula.SessionStore].
func (s *Store) Append(ctx context.Context, session string, events ...nebula.Event) error {
	return record.Append(ctx, s, session, events)
}

// Take implements [record.Taker].
func (s *Store) Take(ctx context.Context, session string, records []nebula.Record, events []nebula.Event) error {
	return s.use(ctx, "append", func(db *conn) (err error) {
		end, note := nebula.Head{}, false
		err = db.transact(func(db *conn) error {
			if note, err = s.heads.Trusts(session, func(end nebula.Head) (bool, error) { return db.fits(session, end) }); err != nil {
				return err
			}
			end, err = s.add(db, session, records, events)
			return err
		})
		if err == nil && note {
			s.heads.Write(session, end)
		}
		return err
	})
}

// add appends events in a transaction, and gives the session's end after them.
func (s *Store) add(c *conn, session string, records []nebula.Record, events []nebula.Event) (nebula.Head, error) {
	l, err := c.line(session)
	if err != nil {
		return nebula.Head{}, err
	}
	var total record.Tally
	for i := range records {
		r := &records[i]
		added, err := l.Take(r, events[i])
		if err == nil {
			err = c.insert(session, *r)
		}
		if err == nil {
			err = c.keep(l, added)
		}
		if err != nil {
			return nebula.Head{}, err
		}
		total.Files, total.Done = total.Files+added.Tally.Files, total.Done+added.Tally.Done
	}
	if err := c.setLine(l); err != nil {
		return nebula.Head{}, err
	}
	if total == (record.Tally{}) { // as most have: then there is nothing to note
		return l.Head, nil
	}
	return l.Head, s.noted(c, countsOf+l.Dir, true, func() error { return c.count(l.Dir, total) })
}

func (c *conn) insert(session string, r nebula.Record) error {
	_, err := c.exec(addEvent, session, r.Seq, r.At, r.Type, r.Data, r.Link[:])
	return err
}

// keep writes what an event means for the other tables.
func (c *conn) keep(l record.Line, a record.Added) error {
	for _, m := range a.Messages {
		if err := c.message(l, m); err != nil {
			return err
		}
	}
	if a.Spoken != nil {
		if err := c.spoke(*a.Spoken); err != nil {
			return err
		}
	}
	return c.names(l.ID, a.Named)
}

func (c *conn) message(l record.Line, m record.Message) error {
	content := any(m.Content)
	if m.Results != "" {
		content = nil
	}
	_, err := c.exec(addMessage, l.ID, datetime(record.Nanos(l.Last)), string(m.Role), content, nullable(m.Calls), nullable(m.Results), l.Seq)
	return err
}

// nullable is NULL for nothing.
func nullable(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (c *conn) line(session string) (l record.Line, err error) {
	found := false
	err = c.query(func(row []driver.Value) bool {
		chain, _ := row[1].([]byte)
		l.Head = nebula.Head{Seq: integer(row[0]), Link: record.AsLink(chain)}
		l.ID, l.Messages, l.Model, l.Title, l.Dir = session, int(integer(row[2])), text(row[5]), text(row[6]), text(row[9])
		l.Last, l.Ended = record.Moment(integer(row[3])), record.Moment(integer(row[4]))
		l.Outcome, l.Files = nebula.EndStatus(text(row[7])), int(integer(row[8]))
		found = true
		return false
	}, readLine, session)
	if err == nil && !found {
		err = nebula.Errorf("%w: %s", nebula.ErrNoSession, session)
	}
	return l, err
}

// Line implements [record.Liner].
func (s *Store) Line(ctx context.Context, session string) (l record.Line, odd []string, err error) {
	err = s.use(ctx, "read a session", func(db *conn) (err error) {
		if l, err = db.line(session); err != nil {
			return err
		}
		return db.query(func(row []driver.Value) bool {
			began, ended := integer(row[0]), integer(row[2])
			l.Started = record.Moment(began)
			for i, n := range []int64{began, ended} {
				if said, _ := datetime(n).(string); text(row[2*i+1]) != said {
					odd = append(odd, []string{"started_at", "ended_at"}[i])
				}
			}
			return false
		}, `SELECT began, ''||started_at, ended, ''||ended_at FROM sessions WHERE id=?`, session)
	})
	return l, odd, err
}

// Size implements [record.Liner].
func (s *Store) Size(ctx context.Context, hash string) (size int64, err error) {
	err = s.use(ctx, "read content", func(db *conn) (err error) {
		size, err = db.number(`SELECT size FROM contents WHERE hash=?`, hash)
		return err
	})
	return size, err
}

func (c *conn) setLine(l record.Line) error {
	ended := record.Nanos(l.Ended)
	_, err := c.exec(writeLine, l.Seq, l.Link[:], int64(l.Messages), record.Nanos(l.Last), ended, datetime(ended), l.Model, l.Title, string(l.Outcome), int64(l.Files), l.ID)
	return err
}

// fits compares the noted end of a session with what is kept.
func (c *conn) fits(session string, end nebula.Head) (bool, error) {
	found := false
	err := c.query(func(row []driver.Value) bool {
		chain, _ := row[0].([]byte)
		found = record.AsLink(chain) == end.Link
		return false
	}, `SELECT chain FROM events WHERE session=? AND seq=?`, session, end.Seq)
	return found || end.Seq == 0, err
}

// compare tells at the opening whether the last that was written is still there.
func (s *Store) compare() error {
	session, end, ok := s.heads.Last()
	switch {
	case !ok:
		return nil
	case s.opened.Fresh:
		if len(s.opened.Aside) > 0 {
			s.heads.Anew()
			return nil
		}
		s.opened.Damaged = true
		s.notice("the record that was here is gone: session %s was in it; a new one is begun", session)
		s.heads.Begun() // the other notes are all that tells of it from now on
		return nil
	}
	fits, err := s.db.fits(session, end)
	if err == nil && !fits && len(s.opened.Aside) == 0 {
		s.opened.Damaged = true
		s.notice("the record is not what was written: event %d of session %s is missing or another; nebula audit --verify tells more", end.Seq, session)
	}
	return err
}

// datetime writes a moment as SQLite's own functions do; NULL for none.
func datetime(n int64) any {
	if n == 0 {
		return nil
	}
	return record.Moment(n).Format(moment)
}

// moment is how SQLite's functions write a time.
const moment = "2006-01-02 15:04:05.000"
