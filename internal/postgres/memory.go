package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"nebula"
	"nebula/internal/record"
)

// Memory reads what is remembered for a folder: the person's notes first, then the folder's. The session that goes on is
// not among the conversations.
func (s *Store) Memory(ctx context.Context, project, session string) (m nebula.Remembered, err error) {
	err = s.ask(ctx, "read the memory", func(ctx context.Context) (err error) {
		if m, err = s.counted(ctx, `AND project=$2`, word(project)); err != nil {
			return err
		}
		if err = s.rows(ctx, func(row pgx.Rows) error {
			var n nebula.Note
			var at int64
			err := row.Scan(&n.ID, &n.Project, &at, &n.Text)
			n.Project, n.At, n.Text = unword(n.Project), record.Moment(at), unword(n.Text)
			m.Notes = append(m.Notes, n)
			return err
		}, `SELECT id, project, at, text FROM nebula.notes WHERE team=$1 AND (project='' OR project=$2) ORDER BY project<>'', id`, s.team, word(project)); err != nil {
			return err
		}
		err = s.rows(ctx, func(row pgx.Rows) error {
			var t nebula.Talk
			var at, files int64
			var outcome string
			err := row.Scan(&t.ID, &at, &t.Title, &outcome, &files)
			t.ID, t.At, t.Title, t.Outcome, t.Files = unword(t.ID), record.Moment(at), unword(t.Title), nebula.EndStatus(outcome), int(files)
			m.Recent = append(m.Recent, t)
			return err
		}, `SELECT id, last, title, outcome, files FROM nebula.sessions WHERE team=$1 AND project=$2 AND id<>$3 AND NOT starts_with(id, $4) AND NOT starts_with(id, $5)
			ORDER BY place DESC LIMIT $6`, s.team, word(project), word(session), nebula.StepPrefix, nebula.PlanPrefix, int64(record.Talks))
		slices.Reverse(m.Recent)
		return err
	})
	return m, err
}

// Totals are the counts over all folders.
func (s *Store) Totals(ctx context.Context) (m nebula.Remembered, err error) {
	err = s.ask(ctx, "read the memory", func(ctx context.Context) (err error) {
		m, err = s.counted(ctx, "")
		return err
	})
	return m, err
}

// counted adds up the sessions that are there and those that went.
func (s *Store) counted(ctx context.Context, where string, args ...any) (m nebula.Remembered, err error) {
	var sessions, files, done int64
	err = s.pool.QueryRow(ctx, `SELECT coalesce(sum(n), 0)::bigint, coalesce(sum(w), 0)::bigint, coalesce(sum(d), 0)::bigint FROM (
		SELECT count(*) AS n, sum(wrote) AS w, sum(done) AS d FROM nebula.sessions WHERE team=$1 `+where+`
		UNION ALL SELECT sessions, wrote, done FROM nebula.tallies WHERE team=$1 `+where+`) all_of_them`, append([]any{s.team}, args...)...).Scan(&sessions, &files, &done)
	m.Sessions, m.Files, m.Done = int(sessions), int(files), int(done)
	return m, err
}

const remember = `INSERT INTO nebula.notes (team, project, at, text) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`

// Remember keeps a note for a folder, or for the person everywhere where project is empty. A note that is there
// already stays as it is.
func (s *Store) Remember(ctx context.Context, project, note string) error {
	return s.change(ctx, "remember", func(ctx context.Context, tx pgx.Tx, _ bool) error {
		_, err := tx.Exec(ctx, remember, s.team, word(project), record.Nanos(time.Now()), word(note))
		return err
	})
}

// Forget removes a note by its id.
func (s *Store) Forget(ctx context.Context, id int64) error {
	return s.change(ctx, "forget", func(ctx context.Context, tx pgx.Tx, unsure bool) error {
		done, err := tx.Exec(ctx, `DELETE FROM nebula.notes WHERE team=$1 AND id=$2`, s.team, id)
		if err == nil && done.RowsAffected() == 0 && !unsure {
			err = nebula.Errorf("%w: %d", nebula.ErrNoNote, id)
		}
		return err
	})
}

// Renote puts the notes of a folder, or the person's, in the place of those that are there. Notes whose text stays keep
// their moment.
func (s *Store) Renote(ctx context.Context, project string, notes []string) error {
	return s.change(ctx, "edit the memory", func(ctx context.Context, tx pgx.Tx, _ bool) error {
		rows, err := tx.Query(ctx, `DELETE FROM nebula.notes WHERE team=$1 AND project=$2 RETURNING text, at`, s.team, word(project))
		if err != nil {
			return err
		}
		at, text, moment := map[string]int64{}, "", int64(0)
		if _, err = pgx.ForEachRow(rows, []any{&text, &moment}, func() error { at[text] = moment; return nil }); err != nil {
			return err
		}
		var b pgx.Batch
		for _, n := range notes {
			when, ok := at[word(n)]
			if !ok {
				when = record.Nanos(time.Now())
			}
			b.Queue(remember, s.team, word(project), when, word(n))
		}
		return tx.SendBatch(ctx, &b).Close()
	})
}

// added adds counts to those that are there.
const added = `counts=(SELECT array_agg(a+b ORDER BY n) FROM unnest(s.counts, excluded.counts) WITH ORDINALITY AS c(a, b, n))`

// speak counts a reply. Each session counts its own, so that none waits for another.
const speak = `INSERT INTO nebula.spoken AS s VALUES ($1, $2, $3, $4, $5, $6, $7::bigint[]) ON CONFLICT (team, session, model, server, protocol, dialect) DO UPDATE SET ` + added

func counts(n nebula.Spoken) []int64 {
	return []int64{int64(n.Replies), int64(n.Strict), int64(n.Repaired), int64(n.Inferred), int64(n.Corrected), int64(n.Extracted), int64(n.Failed), int64(n.Actions), int64(n.Tokens)}
}

// Spoken is what was counted of models' replies; see [nebula.MemoryStore].
func (s *Store) Spoken(ctx context.Context, model, server string) (list []nebula.Spoken, err error) {
	err = s.ask(ctx, "read the statistics", func(ctx context.Context) error {
		list = nil
		return s.rows(ctx, func(row pgx.Rows) error {
			var n nebula.Spoken
			var c []int64
			if err := row.Scan(&n.Model, &n.Server, &n.Protocol, &n.Dialect, &c); err != nil {
				return err
			}
			n.Model, n.Server, n.Protocol, n.Dialect = unword(n.Model), unword(n.Server), unword(n.Protocol), unword(n.Dialect)
			for i, to := range []*int{&n.Replies, &n.Strict, &n.Repaired, &n.Inferred, &n.Corrected, &n.Extracted, &n.Failed, &n.Actions, &n.Tokens} {
				if i < len(c) {
					*to = int(c[i])
				}
			}
			if last := len(list) - 1; last >= 0 && kind(list[last]) == kind(n) {
				list[last] = record.Plus(list[last], n)
			} else {
				list = append(list, n)
			}
			return nil
		}, `SELECT model, server, protocol, dialect, counts FROM nebula.spoken WHERE team=$1 AND ($2='' OR model=$2) AND ($2='' OR server=$3) ORDER BY 1, 2, 3, 4`, s.team, word(model), word(server))
	})
	return list, err
}

func kind(n nebula.Spoken) [4]string { return [4]string{n.Model, n.Server, n.Protocol, n.Dialect} }
