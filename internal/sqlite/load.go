package sqlite

import (
	"context"
	"database/sql/driver"
	"iter"
	"sync"

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
	return func(yield func(nebula.Event, error) bool) {
		for batch := range s.decoded(ctx, session) {
			<-batch.ready
			for _, e := range batch.events {
				if !yield(e, nil) {
					return
				}
			}
			if batch.err != nil {
				yield(nebula.Event{}, batch.err)
				return
			}
		}
	}
}

// A decoded batch has the events before its error, once it is ready.
type decoded struct {
	records []nebula.Record
	events  []nebula.Event
	err     error
	ready   chan struct{}
}

// decoded reads ahead by a few batches. Reading is one goroutine's and decoding another's; both have ended when the
// loop over it ends.
func (s *Store) decoded(ctx context.Context, session string) iter.Seq[*decoded] {
	return func(yield func(*decoded) bool) {
		out, work, stop := make(chan *decoded, readAhead), make(chan *decoded, readAhead), make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() { s.read(ctx, session, stop, work, out) })
		wg.Go(func() { decodeAll(session, work) })
		defer wg.Wait()
		defer close(stop)
		for b := range out {
			if !yield(b) {
				break
			}
		}
	}
}

// readAhead is the number of batches between reader and caller.
const readAhead = 4

// read hands every batch to work and then to out. That ctx ended is the last batch's error, so a load that was cut
// short never looks complete.
func (s *Store) read(ctx context.Context, session string, stop <-chan struct{}, work, out chan<- *decoded) {
	defer close(out)
	defer close(work)
	for records, err := range s.batches(ctx, session) {
		b := &decoded{records: records, err: err, ready: make(chan struct{})}
		for _, c := range []chan<- *decoded{work, out} {
			select {
			case c <- b:
			case <-stop:
				return
			}
		}
	}
}

func decodeAll(session string, work <-chan *decoded) {
	d := record.NewDecoder()
	for b := range work {
		b.decode(d, session)
		close(b.ready)
	}
}

func (b *decoded) decode(d *record.Decoder, session string) {
	b.events = make([]nebula.Event, 0, len(b.records))
	for _, r := range b.records {
		body, err := d.Body(r.Type, r.Data)
		if err != nil {
			b.err = nebula.Errorf("session %s: event %d: %w", session, r.Seq, err)
			break
		}
		b.events = append(b.events, nebula.Event{Seq: r.Seq, At: record.Moment(r.At), Body: body})
	}
	b.records = nil
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

func (c *conn) head(session string) (nebula.Head, error) {
	l, err := c.line(session)
	return l.Head, err
}
