package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"nebula"
	"nebula/internal/record"
)

// Create begins a session. Its folder and model are given; started now when not said otherwise.
func (s *Store) Create(ctx context.Context, info nebula.SessionInfo) error {
	l, err := record.Begin(info)
	if err != nil {
		return err
	}
	s.lines.Delete(l.ID)
	began := record.Nanos(l.Started)
	return s.change(ctx, "create", func(ctx context.Context, tx pgx.Tx, unsure bool) error {
		done, err := tx.Exec(ctx, `INSERT INTO nebula.sessions (team, id, project, model, title, began, last, chain) VALUES ($1, $2, $3, $4, $5, $6, $6, $7) ON CONFLICT DO NOTHING`,
			s.team, word(l.ID), word(l.Dir), word(l.Model), word(l.Title), began, l.Link[:])
		if err != nil || done.RowsAffected() > 0 {
			return err
		}
		ours := false
		if unsure { // nobody else begins a session at the same nanosecond
			err = tx.QueryRow(ctx, `SELECT seq=0 AND began=$3 AND person=session_user FROM nebula.sessions WHERE team=$1 AND id=$2`, s.team, word(l.ID), began).Scan(&ours)
		}
		if err == nil && !ours {
			err = taken(info.ID)
		}
		return err
	})
}

const infos = `SELECT id, project, model, title, messages, began, last, ended FROM nebula.sessions WHERE team=$1 `

func scanInfo(row pgx.Rows) (info nebula.SessionInfo, err error) {
	var messages, began, last, ended int64
	err = row.Scan(&info.ID, &info.Dir, &info.Model, &info.Title, &messages, &began, &last, &ended)
	info.ID, info.Dir, info.Model, info.Title = unword(info.ID), unword(info.Dir), unword(info.Model), unword(info.Title)
	info.Messages, info.Started, info.Last, info.Ended = int(messages), record.Moment(began), record.Moment(last), record.Moment(ended)
	return info, err
}

func (s *Store) infos(ctx context.Context, do, where string, args ...any) (list []nebula.SessionInfo, err error) {
	err = s.ask(ctx, do, func(ctx context.Context) error {
		list = []nebula.SessionInfo{}
		return s.rows(ctx, func(row pgx.Rows) error {
			info, err := scanInfo(row)
			list = append(list, info)
			return err
		}, infos+where, append([]any{s.team}, args...)...)
	})
	return list, err
}

// Sessions lists the sessions of a folder that people talk in; see [nebula.SessionStore].
func (s *Store) Sessions(ctx context.Context, dir string) ([]nebula.SessionInfo, error) {
	return s.sessions(ctx, dir, `AND NOT starts_with(id, $3)`, nebula.StepPrefix)
}

// AllSessions lists them with those in which the steps of plans are carried out.
func (s *Store) AllSessions(ctx context.Context, dir string) ([]nebula.SessionInfo, error) {
	return s.sessions(ctx, dir, "")
}

func (s *Store) sessions(ctx context.Context, dir, but string, args ...any) ([]nebula.SessionInfo, error) {
	list, err := s.infos(ctx, "list sessions", `AND ($2='' OR project=$2) `+but, append([]any{word(dir)}, args...)...)
	if err != nil {
		return nil, err
	}
	record.Newest(list)
	return list, nil
}

// Find gives the session with an id, or the only one whose id begins with it.
func (s *Store) Find(ctx context.Context, id string) (nebula.SessionInfo, error) {
	if id == "" {
		return record.Pick(id, nil)
	}
	list, err := s.infos(ctx, "find session", `AND id>=$2 AND id<$2 || U&'\+10FFFF' ORDER BY id LIMIT $3`, word(id), int64(record.PickFrom))
	if err != nil {
		return nebula.SessionInfo{}, err
	}
	return record.Pick(id, list)
}

// Remove deletes a session with everything of it. Contents that another session names stay, and what was counted of it. A
// session that is open somewhere is not removed.
func (s *Store) Remove(ctx context.Context, id string) error {
	unlock, err := s.Lock(ctx, id)
	if err != nil {
		return err
	}
	defer unlock()
	s.lines.Delete(id)
	err = s.change(ctx, "remove", func(ctx context.Context, tx pgx.Tx, unsure bool) error {
		err := s.remove(ctx, tx, id)
		if unsure && errors.Is(err, nebula.ErrNoSession) {
			return nil
		}
		return err
	})
	if err == nil {
		heads := <-s.heads
		heads.Forget(id)
		s.heads <- heads
	}
	return err
}

func (s *Store) remove(ctx context.Context, tx pgx.Tx, id string) error {
	before := time.Now().Add(-record.HeldFor).Unix()
	done, err := tx.Exec(ctx, `WITH gone AS (DELETE FROM nebula.sessions WHERE team=$1 AND id=$2 RETURNING project, wrote, done)
		INSERT INTO nebula.tallies AS t (team, project, sessions, wrote, done) SELECT $1, project, 1, wrote, done FROM gone
		ON CONFLICT (team, project) DO UPDATE SET sessions=t.sessions+1, wrote=t.wrote+excluded.wrote, done=t.done+excluded.done`, s.team, word(id))
	if err != nil {
		return err
	}
	if done.RowsAffected() == 0 {
		return nebula.Errorf("%w: %s", nebula.ErrNoSession, id)
	}
	var b pgx.Batch
	for _, sql := range []string{
		`DELETE FROM nebula.events WHERE team=$1 AND session=$2 AND $3>=0`,
		`WITH gone AS (DELETE FROM nebula.contents c WHERE team=$1 AND held<$3 AND hash IN (SELECT hash FROM nebula.content_uses WHERE team=$1 AND session=$2)
			AND NOT EXISTS (SELECT 1 FROM nebula.content_uses u WHERE u.team=$1 AND u.hash=c.hash AND u.session<>$2) RETURNING hash)
			DELETE FROM nebula.content_parts WHERE team=$1 AND hash IN (SELECT hash FROM gone)`,
		`DELETE FROM nebula.content_uses WHERE team=$1 AND session=$2 AND $3>=0`,
		`WITH gone AS (DELETE FROM nebula.spoken WHERE team=$1 AND session=$2 AND $3>=0 RETURNING model, server, protocol, dialect, counts)
			INSERT INTO nebula.spoken AS s SELECT $1, '', * FROM gone ON CONFLICT (team, session, model, server, protocol, dialect) DO UPDATE SET ` + added,
	} {
		b.Queue(sql, s.team, word(id), before)
	}
	return tx.SendBatch(ctx, &b).Close()
}
