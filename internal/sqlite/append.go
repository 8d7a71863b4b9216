package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"nebula"
)

// A record is an event as it is stored.
type record struct {
	seq  int64
	at   int64 // nanoseconds since 1970, 0 for the zero time
	kind string
	data string
}

// Append keeps events, all or none; see [nebula.Store].
func (s *Store) Append(ctx context.Context, session string, events ...nebula.Event) error {
	if len(events) == 0 {
		return nil
	}
	records, err := encode(events)
	if err != nil {
		return nebula.Errorf("session %s: %w", session, err)
	}
	return s.use(ctx, "append", func(db *conn) error {
		end, err := noted{}, error(nil)
		note := false
		err = db.transact(func(db *conn) error {
			if note, err = s.trusts(db, session); err != nil {
				return err
			}
			end, err = db.add(session, records, events)
			return err
		})
		if err == nil && note {
			s.heads.write(end)
		}
		return err
	})
}

// add appends events in a transaction, and gives the session's end after them.
func (c *conn) add(session string, records []record, events []nebula.Event) (noted, error) {
	h, err := c.head(session)
	if err != nil {
		return noted{}, err
	}
	if records[0].seq != h.seq+1 {
		return noted{}, nebula.Errorf("session %s: event %d does not follow %d: %w", session, records[0].seq, h.seq, nebula.ErrInUse)
	}
	for i, r := range records {
		h.link = h.link.next(r)
		h.seq = r.seq
		if err := c.insert(session, r, h.link); err != nil {
			return noted{}, err
		}
		if err := c.project(session, &h, events[i]); err != nil {
			return noted{}, err
		}
	}
	return noted{h.seq, h.link, session}, c.setHead(session, h)
}

func encode(events []nebula.Event) ([]record, error) {
	records := make([]record, len(events))
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // code is full of < and &, and nothing here is a web page
	for i, e := range events {
		if e.Body == nil || e.Body.Transient() {
			return nil, fmt.Errorf("event %d is not one that is stored", e.Seq)
		}
		if e.Seq != events[0].Seq+int64(i) {
			return nil, fmt.Errorf("event %d follows %d", e.Seq, events[i-1].Seq)
		}
		b.Reset()
		if err := enc.Encode(e.Body); err != nil {
			return nil, fmt.Errorf("event %s: %w", e.Body.Name(), err)
		}
		data := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
		records[i] = record{seq: e.Seq, at: nanos(e.At), kind: e.Body.Name(), data: string(data)}
	}
	return records, nil
}

func (c *conn) insert(session string, r record, l link) error {
	_, err := c.exec(`INSERT INTO events (session, seq, at, type, data, chain) VALUES (?, ?, ?, ?, ?, ?)`,
		session, r.seq, r.at, r.kind, r.data, l[:])
	return err
}

// A head is what a session's row says of its events.
type head struct {
	seq      int64
	link     link
	messages int64
	last     int64
	ended    int64
	model    string
	title    string
	outcome  string
	files    int64
	project  string
	tally    tally // what the events of this transaction add
}

func (c *conn) head(session string) (h head, err error) {
	found := false
	err = c.query(func(row []driver.Value) bool {
		chain, _ := row[1].([]byte)
		h = head{integer(row[0]), asLink(chain), integer(row[2]), integer(row[3]), integer(row[4]), text(row[5]), text(row[6]),
			text(row[7]), integer(row[8]), text(row[9]), tally{}}
		found = true
		return false
	}, `SELECT seq, chain, messages, last, ended, model_used, title, outcome, files, project_path FROM sessions WHERE id=?`, session)
	if err == nil && !found {
		err = nebula.Errorf("%w: %s", nebula.ErrNoSession, session)
	}
	return h, err
}

func (c *conn) setHead(session string, h head) error {
	_, err := c.exec(`UPDATE sessions SET seq=?, chain=?, messages=?, last=?, ended=?, ended_at=?, model_used=?, title=?, outcome=?, files=? WHERE id=?`,
		h.seq, h.link[:], h.messages, h.last, h.ended, datetime(h.ended), h.model, h.title, h.outcome, h.files, session)
	if err == nil {
		err = c.count(h.project, h.tally)
	}
	return err
}

// nanos is exact for the years 1678 to 2261.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func moment(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

// datetime writes a moment as SQLite's own functions do; NULL for none.
func datetime(n int64) any {
	if n == 0 {
		return nil
	}
	return moment(n).Format("2006-01-02 15:04:05.000")
}
