package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"iter"

	"nebula"
)

// A batch is read in one go: few enough bytes for a small memory, enough rows to make the call cheap.
const (
	batchRows  = 512
	batchBytes = 512 << 10
)

// batches reads a session's events in order, up to those that it had at the beginning. Between batches the Store is
// free for others.
func (s *Store) batches(ctx context.Context, session string) iter.Seq2[[]record, error] {
	return func(yield func([]record, error) bool) {
		var h head
		err := s.use(ctx, "load", func(db *conn) (err error) {
			h, err = db.head(session)
			return err
		})
		for seq := int64(0); err == nil && seq < h.seq; {
			var batch []record
			err = s.use(ctx, "load", func(db *conn) (err error) {
				batch, err = db.batch(session, seq)
				return err
			})
			if err == nil && len(batch) == 0 {
				err = &Broken{Session: session, Seq: seq + 1, Text: fmt.Sprintf("it is missing, the last one is %d", h.seq)}
			}
			if err == nil {
				seq = batch[len(batch)-1].seq
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

func (c *conn) batch(session string, after int64) ([]record, error) {
	var batch []record
	var broken error
	size := 0
	err := c.query(func(row []driver.Value) bool {
		r := record{seq: integer(row[0]), at: integer(row[1]), kind: text(row[2]), data: text(row[3])}
		if r.seq != after+1 {
			broken = &Broken{Session: session, Seq: after + 1, Text: fmt.Sprintf("it is missing, the next one is %d", r.seq)}
			return false
		}
		after, size = r.seq, size+len(r.data)
		batch = append(batch, r)
		return len(batch) < batchRows && size < batchBytes
	}, `SELECT seq, at, type, data FROM events WHERE session=? AND seq>? ORDER BY seq`, session, after)
	if err == nil && len(batch) == 0 {
		err = broken
	}
	return batch, err
}

// Load yields a session's events in order.
func (s *Store) Load(ctx context.Context, session string) iter.Seq2[nebula.Event, error] {
	return func(yield func(nebula.Event, error) bool) {
		for batch, err := range s.batches(ctx, session) {
			if err != nil {
				yield(nebula.Event{}, err)
				return
			}
			for _, r := range batch {
				e, err := r.event()
				if err != nil {
					yield(nebula.Event{}, fmt.Errorf("session %s: event %d: %w", session, r.seq, err))
					return
				}
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

func (r record) event() (nebula.Event, error) {
	body, err := nebula.DecodeBody(r.kind, []byte(r.data))
	return nebula.Event{Seq: r.seq, At: moment(r.at), Body: body}, err
}
