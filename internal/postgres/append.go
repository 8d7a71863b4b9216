package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/record"
)

// Append keeps events, all or none; see [nebula.SessionStore]. It is one trip to the server: what a session's line was
// after the last one is known, and the server takes no event where it is another by now.
func (s *Store) Append(ctx context.Context, session string, events ...nebula.Event) error {
	return record.Append(ctx, s, session, events)
}

// Take implements [record.Taker].
func (s *Store) Take(ctx context.Context, session string, records []nebula.Record, events []nebula.Event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	note, err := s.trusts(ctx, session)
	if err != nil {
		return err
	}
	var l record.Line
	err = s.again(ctx, "append", func(ctx context.Context, unsure bool) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), whole)
		defer cancel()
		if unsure {
			if l, err = s.line(ctx, session); err != nil || s.has(ctx, session, records) {
				return err
			}
		}
		l, err = s.add(ctx, session, records, events)
		return err
	})
	if err != nil {
		s.lines.Delete(session)
		return err
	}
	s.lines.Store(session, l)
	if note {
		heads := <-s.heads
		heads.Write(session, l.Head)
		s.heads <- heads
	}
	return nil
}

// has reports whether records are there: an append whose end nobody heard of was one.
func (s *Store) has(ctx context.Context, session string, records []nebula.Record) bool {
	last := records[len(records)-1]
	var at int64
	var link []byte
	err := s.pool.QueryRow(ctx, `SELECT at, chain FROM nebula.events WHERE team=$1 AND session=$2 AND seq=$3`, s.team, word(session), last.Seq).Scan(&at, &link)
	// The links are those of the attempt: equal ones say that everything before is equal as well.
	return err == nil && last.Link != (nebula.Link{}) && record.AsLink(link) == last.Link
}

// add appends records to a session, from what its line was when this store last saw it, or as it is now.
func (s *Store) add(ctx context.Context, session string, records []nebula.Record, events []nebula.Event) (record.Line, error) {
	for {
		kept, known := s.lines.Load(session)
		l, _ := kept.(record.Line)
		if !known {
			var err error
			if l, err = s.line(ctx, session); err != nil {
				return l, err
			}
		}
		if known && l.Seq+1 != records[0].Seq {
			s.lines.Delete(session) // another wrote on, it may be
			continue
		}
		now, err := s.follow(ctx, l, records, events)
		if known && (said(err, codeElsewhere) || said(err, codeTaken)) {
			s.lines.Delete(session)
			continue
		}
		if said(err, codeElsewhere) || said(err, codeTaken) {
			err = nebula.Errorf("session %s: event %d does not follow: %w", session, records[0].Seq, nebula.ErrInUse)
		}
		return now, err
	}
}

// follow sends a line and what it is to become.
func (s *Store) follow(ctx context.Context, was record.Line, records []nebula.Record, events []nebula.Event) (record.Line, error) {
	l := was
	var total record.Tally
	var named []string
	var spoken []nebula.Spoken
	n := len(records)
	seqs, ats, types, data, links := make([]int64, n), make([]int64, n), make([]string, n), make([]string, n), make([][]byte, n)
	for i := range records {
		r := &records[i]
		added, err := l.Take(r, events[i])
		if err != nil {
			return l, err
		}
		seqs[i], ats[i], types[i], data[i], links[i] = r.Seq, r.At, r.Type, word(r.Data), r.Link[:]
		total.Files, total.Done = total.Files+added.Tally.Files, total.Done+added.Tally.Done
		named = append(named, added.Named...)
		if added.Spoken != nil {
			spoken = append(spoken, *added.Spoken)
		}
	}
	// What is sent in one go is one transaction.
	var b pgx.Batch
	id := word(l.ID)
	b.Queue(`SELECT nebula.follow($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`, s.team, id, was.Seq, was.Link[:], l.Seq, l.Link[:],
		int64(l.Messages), record.Nanos(l.Last), record.Nanos(l.Ended), word(l.Model), word(l.Title), string(l.Outcome), int64(l.Files), int64(total.Files), int64(total.Done))
	b.Queue(`INSERT INTO nebula.events (team, session, seq, at, type, data, chain) SELECT $1, $2, * FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bytea[])`,
		s.team, id, seqs, ats, types, data, links)
	if len(named) > 0 {
		slices.Sort(named)
		named = lists.Compact(named)
		b.Queue(`INSERT INTO nebula.content_uses (team, session, hash) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`, s.team, id, named)
		b.Queue(`UPDATE nebula.contents SET held=0 WHERE team=$1 AND hash=ANY($2::text[]) AND held<>0`, s.team, named)
	}
	for _, c := range spoken {
		b.Queue(speak, s.team, id, word(c.Model), word(c.Server), word(c.Protocol), word(c.Dialect), counts(c))
	}
	return l, s.pool.SendBatch(ctx, &b).Close()
}

// trusts reports whether a session's note is to be written on.
func (s *Store) trusts(ctx context.Context, session string) (note bool, err error) {
	heads := <-s.heads
	defer func() { s.heads <- heads }()
	return heads.Trusts(session, func(end nebula.Head) (fits bool, err error) {
		err = s.ask(ctx, "append", func(ctx context.Context) error {
			return s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM nebula.events WHERE team=$1 AND session=$2 AND seq=$3 AND chain=$4)`,
				s.team, word(session), end.Seq, end.Link[:]).Scan(&fits)
		})
		return fits || end.Seq == 0, err
	})
}

// line reads a session's line. [nebula.ErrNoSession].
func (s *Store) line(ctx context.Context, session string) (l record.Line, err error) {
	var messages, files, last, ended int64
	var link []byte
	var outcome string
	err = s.pool.QueryRow(ctx, `SELECT seq, chain, messages, last, ended, model, title, outcome, files, project FROM nebula.sessions WHERE team=$1 AND id=$2`, s.team, word(session)).
		Scan(&l.Seq, &link, &messages, &last, &ended, &l.Model, &l.Title, &outcome, &files, &l.Dir)
	if none(err) {
		return l, nebula.Errorf("%w: %s", nebula.ErrNoSession, session)
	}
	l.ID, l.Link, l.Messages, l.Files, l.Outcome = session, record.AsLink(link), int(messages), int(files), nebula.EndStatus(outcome)
	l.Model, l.Title, l.Dir, l.Last, l.Ended = unword(l.Model), unword(l.Title), unword(l.Dir), record.Moment(last), record.Moment(ended)
	return l, err
}
