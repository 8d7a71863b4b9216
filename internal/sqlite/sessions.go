package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"
	"time"

	"nebula"
	"nebula/internal/record"
)

// Create begins a session. Its folder and model are given; started now when not said otherwise.
func (s *Store) Create(ctx context.Context, info nebula.SessionInfo) error {
	l, err := record.Begin(info)
	if err != nil {
		return err
	}
	began := record.Nanos(l.Started)
	return s.later(ctx, "create", func(db *conn) error {
		n, err := db.exec(addSession, l.ID, datetime(began), l.Dir, l.Model, l.Title, began, began, l.Link[:])
		if err == nil && n == 0 {
			err = nebula.Errorf("session %s exists already", info.ID)
		}
		if err == nil {
			err = s.noted(db, countsOf+info.Dir, false, func() error { return db.count(info.Dir, record.Tally{Sessions: 1}) })
		}
		return err
	})
}

// lines are what the list reads of a session, see the schema.
const lines = `SELECT line, project_path FROM sessions `

// Sessions lists the sessions of a folder that people talk in; see [nebula.SessionStore].
func (s *Store) Sessions(ctx context.Context, dir string) ([]nebula.SessionInfo, error) {
	return s.sessions(ctx, dir, false)
}

// AllSessions lists them with those in which the steps of plans are carried out.
func (s *Store) AllSessions(ctx context.Context, dir string) ([]nebula.SessionInfo, error) {
	return s.sessions(ctx, dir, true)
}

func (s *Store) sessions(ctx context.Context, dir string, steps bool) ([]nebula.SessionInfo, error) {
	list := []nebula.SessionInfo{}
	var broken error
	d := record.NewDecoder()
	err := s.use(ctx, "list sessions", func(db *conn) error {
		sql, count, args, folder := lines, `SELECT count(*) FROM sessions`, []any{}, dir
		if dir != "" {
			where := ` WHERE project_path=?`
			sql, count, args = `SELECT line FROM sessions`+where, count+where, []any{dir}
		}
		n, err := db.number(count, args...)
		if err != nil {
			return err
		}
		list = slices.Grow(list, int(n))
		return db.query(func(row []driver.Value) bool {
			if dir == "" {
				folder = text(row[1])
			}
			var info nebula.SessionInfo
			info, broken = d.Line(text(row[0]), folder)
			if steps || !record.Step(info.ID) {
				list = append(list, info)
			}
			return broken == nil
		}, sql, args...)
	})
	if err = cmp.Or(err, broken); err != nil {
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
	var found []nebula.SessionInfo
	var broken error
	d := record.NewDecoder()
	err := s.use(ctx, "find session", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			var info nebula.SessionInfo
			info, broken = d.Line(text(row[0]), text(row[1]))
			found = append(found, info)
			return broken == nil && found[0].ID != id && len(found) < record.PickFrom
		}, lines+`WHERE id>=? AND id<? ORDER BY id`, id, id+"\U0010FFFF")
	})
	if err = cmp.Or(err, broken); err != nil {
		return nebula.SessionInfo{}, err
	}
	return record.Pick(id, found)
}

// Remove deletes a session with everything of it, and overwrites it in the file. Contents that another session names
// stay. A session that is open somewhere is not removed.
func (s *Store) Remove(ctx context.Context, id string) error {
	unlock, err := s.Lock(ctx, id)
	if err != nil {
		return err
	}
	defer unlock()
	var files []string
	err = s.use(ctx, "remove", func(db *conn) error {
		if err := db.script("PRAGMA secure_delete=ON"); err != nil {
			return err
		}
		defer func() { _ = db.script("PRAGMA secure_delete=OFF") }()
		if err := db.transact(func(db *conn) (err error) { files, err = db.remove(id); return err }); err != nil {
			return err
		}
		_ = db.script("PRAGMA wal_checkpoint(TRUNCATE)") // the log's copy; later when others are reading
		return nil
	})
	if err == nil {
		s.orphans(files)
		s.heads.Forget(id)
	}
	return err
}

// remove gives the hashes of the contents that went and were files.
func (c *conn) remove(id string) (files []string, err error) {
	if _, err := c.head(id); err != nil {
		return nil, err
	}
	before := time.Now().Add(-record.HeldFor).Unix()
	const alone = ` FROM contents WHERE held<? AND hash IN (SELECT hash FROM content_uses WHERE session=?)
		AND NOT EXISTS (SELECT 1 FROM content_uses u WHERE u.hash=contents.hash AND u.session<>?)`
	err = c.query(func(row []driver.Value) bool {
		files = append(files, text(row[0]))
		return true
	}, `SELECT hash`+alone+` AND codec='file'`, before, id, id)
	if err != nil {
		return nil, err
	}
	if _, err := c.exec(`DELETE`+alone, before, id, id); err != nil {
		return nil, err
	}
	for _, sql := range []string{
		`DELETE FROM content_uses WHERE session=?`,
		`DELETE FROM messages WHERE session_id=?`,
		`DELETE FROM events WHERE session=?`,
		`DELETE FROM sessions WHERE id=?`,
	} {
		if _, err := c.exec(sql, id); err != nil {
			return nil, err
		}
	}
	return files, nil
}
