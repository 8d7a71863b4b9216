package postgres

import (
	"context"
	"iter"
	"strconv"

	"github.com/jackc/pgx/v5"

	"nebula"
	"nebula/internal/record"
)

// A batch is read in one trip.
const (
	batchRows  = 2048
	batchBytes = 1 << 20
)

// Load yields a session's events in order. While the caller looks at a batch, the next ones are read and decoded.
func (s *Store) Load(ctx context.Context, session string) iter.Seq2[nebula.Event, error] {
	return record.Load(session, s.batches(ctx, session))
}

// batches reads a session's events in order, up to those that it had at the beginning.
func (s *Store) batches(ctx context.Context, session string) iter.Seq2[[]nebula.Record, error] {
	return func(yield func([]nebula.Record, error) bool) {
		end, err := s.Head(ctx, session)
		for seq := int64(0); err == nil && seq < end.Seq; {
			var batch []nebula.Record
			batch, err = s.batch(ctx, session, seq)
			for i, r := range batch {
				if r.Seq != seq+1 {
					batch, err = batch[:i], &nebula.Broken{Session: session, Seq: seq + 1, Text: nebula.Say("it is missing, the next one is %d", r.Seq)}
					break
				}
				seq++
			}
			if err == nil && len(batch) == 0 {
				err = &nebula.Broken{Session: session, Seq: seq + 1, Text: nebula.Say("it is missing, the last one is %d", end.Seq)}
			}
			if len(batch) > 0 && !yield(batch, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// batch reads the records after a Seq, as many as one trip brings.
func (s *Store) batch(ctx context.Context, session string, after int64) (batch []nebula.Record, err error) {
	err = s.ask(ctx, "load", func(ctx context.Context) error {
		batch = batch[:0]
		size := 0
		// What the first rows weigh is known before the rest is sent: rows after the limit of bytes stay where they are.
		return s.rows(ctx, func(row pgx.Rows) error {
			v := row.RawValues()
			r := nebula.Record{Type: string(v[2]), Data: unword(string(v[3]))}
			var err error
			if r.Seq, err = strconv.ParseInt(string(v[0]), 10, 64); err == nil {
				r.At, err = strconv.ParseInt(string(v[1]), 10, 64)
			}
			r.Link = link(v[4])
			batch, size = append(batch, r), size+len(r.Data)
			return err
		}, `SELECT seq, at, type, data, chain FROM (SELECT *, sum(octet_length(data)) OVER (ORDER BY seq) - octet_length(data) AS before FROM nebula.events
			WHERE team=$1 AND session=$2 AND seq>$3 AND seq<=$3+$4) e WHERE before<$5 ORDER BY seq`, s.team, word(session), after, int64(batchRows), int64(batchBytes))
	})
	return batch, err
}

// link reads bytes as the server writes them: \x and two digits for each.
func link(text []byte) (l nebula.Link) {
	if len(text) != 2+2*len(l) {
		return l
	}
	for i := range l {
		n, err := strconv.ParseUint(string(text[2+2*i:4+2*i]), 16, 8)
		if err != nil {
			return nebula.Link{}
		}
		l[i] = byte(n)
	}
	return l
}

// Records yields what is stored of a session after seq; see [nebula.SessionStore].
func (s *Store) Records(ctx context.Context, session string, after int64) iter.Seq2[nebula.Record, error] {
	return func(yield func(nebula.Record, error) bool) {
		end, err := s.Head(ctx, session)
		for err == nil {
			var rows []nebula.Record
			rows, err = s.batch(ctx, session, after)
			for _, r := range rows {
				if after = r.Seq; !yield(r, nil) {
					return
				}
			}
			if len(rows) == 0 && after >= end.Seq {
				break
			}
			if len(rows) == 0 { // a hole of a whole batch
				after += batchRows
			}
		}
		if err != nil {
			yield(nebula.Record{}, err)
		}
	}
}

// Head is the end of a session's chain as its row has it.
func (s *Store) Head(ctx context.Context, session string) (end nebula.Head, err error) {
	err = s.ask(ctx, "read the record", func(ctx context.Context) error {
		l, err := s.line(ctx, session)
		end = l.Head
		return err
	})
	return end, err
}
