package sqlite

import (
	"context"
	"database/sql/driver"
	"iter"
	"time"

	"nebula"
	"nebula/internal/record"
)

// A batch is read in one go: few enough bytes for a small memory, enough rows to make the call cheap.
const (
	batchRows  = 512
	batchBytes = 512 << 10
)

// batches reads a session's events in order, up to those that it had at the beginning. Between batches the Store is
// free for others.
func (s *Store) batches(ctx context.Context, session string) iter.Seq2[[]nebula.Record, error] {
	return func(yield func([]nebula.Record, error) bool) {
		var end nebula.Head
		err := s.use(ctx, "load", func(db *conn) (err error) {
			end, err = db.head(session)
			return err
		})
		for seq := int64(0); err == nil && seq < end.Seq; {
			var batch []nebula.Record
			err = s.use(ctx, "load", func(db *conn) (err error) {
				batch, err = db.batch(session, seq)
				return err
			})
			if err == nil && len(batch) == 0 {
				err = &nebula.Broken{Session: session, Seq: seq + 1, Text: nebula.Say("it is missing, the last one is %d", end.Seq)}
			}
			if err == nil {
				seq = batch[len(batch)-1].Seq
				if !yield(batch, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func (c *conn) batch(session string, after int64) ([]nebula.Record, error) {
	var batch []nebula.Record
	var broken error
	size := 0
	err := c.query(func(row []driver.Value) bool {
		r := nebula.Record{Seq: integer(row[0]), At: integer(row[1]), Type: text(row[2]), Data: text(row[3])}
		if r.Seq != after+1 {
			broken = &nebula.Broken{Session: session, Seq: after + 1, Text: nebula.Say("it is missing, the next one is %d", r.Seq)}
			return false
		}
		after, size = r.Seq, size+len(r.Data)
		batch = append(batch, r)
		return len(batch) < batchRows && size < batchBytes
	}, `SELECT seq, at, type, data FROM events WHERE session=? AND seq>? ORDER BY seq`, session, after)
	if err == nil && len(batch) == 0 {
		err = broken
	}
	return batch, err
}

// Load yields a session's events in order. While the caller looks at a batch, the next ones are read and decoded.
func (s *Store) Load(ctx context.Context, session string) iter.Seq2[nebula.Event, error] {
	return record.Load(session, s.batches(ctx, session))
}

// Records yields what is stored of a session after seq; see [nebula.SessionStore].
func (s *Store) Records(ctx context.Context, session string, after int64) iter.Seq2[nebula.Record, error] {
	return func(yield func(nebula.Record, error) bool) {
		_, err := s.Head(ctx, session)
		for err == nil {
			var rows []nebula.Record
			err = s.use(ctx, "read the record", func(db *conn) error {
				size := 0
				return db.query(func(row []driver.Value) bool {
					chain, _ := row[4].([]byte)
					r := nebula.Record{Seq: integer(row[0]), At: integer(row[1]), Type: text(row[2]), Data: text(row[3]), Link: record.AsLink(chain)}
					rows, after, size = append(rows, r), r.Seq, size+len(r.Data)
					return len(rows) < batchRows && size < batchBytes
				}, `SELECT seq, at, type, data, chain FROM events WHERE session=? AND seq>? ORDER BY seq`, session, after)
			})
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
			if len(rows) == 0 {
				break
			}
		}
		if err != nil {
			yield(nebula.Record{}, err)
		}
	}
}

// Head is the end of a session's chain as its row has it.
func (s *Store) Head(ctx context.Context, session string) (end nebula.Head, err error) {
	err = s.use(ctx, "read the record", func(db *conn) (err error) {
		end, err = db.head(session)
		return err
	})
	return end, err
}

//go:noinline
func (c *conn) head(session string) (nebula.Head, error) {
	l, err := c.line(session)
	return l.Head, err
}

// Messages implements [record.Teller].
func (s *Store) Messages(ctx context.Context, session string) (list []record.Told, err error) {
	err = s.use(ctx, "read the record", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			t := record.Told{Seq: integer(row[0]), Message: record.Message{Role: nebula.Role(text(row[2])), Content: text(row[3]), Calls: text(row[4]), Results: text(row[5])}}
			t.At, _ = time.Parse(moment, text(row[1])) // what is no time fits no event
			list = append(list, t)
			return true
		}, `SELECT seq, CAST(timestamp AS TEXT), role, content, tool_calls, tool_results FROM messages WHERE session_id=? ORDER BY seq, id`, session)
	})
	return list, err
}
