package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"nebula"
	"nebula/internal/record"
)

// Memory reads what is remembered for a folder: the person's notes first, then the folder's. The session that goes on
// is not among the conversations.
func (s *Store) Memory(ctx context.Context, project, session string) (m nebula.Remembered, err error) {
	err = s.use(ctx, "read the memory", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			switch text(row[0]) {
			case "tally":
				m.Sessions, m.Files, m.Done = int(integer(row[1])), int(integer(row[2])), int(integer(row[3]))
			case "note":
				m.Notes = append(m.Notes, nebula.Note{ID: integer(row[1]), Project: text(row[4]), At: record.Moment(integer(row[2])), Text: text(row[5])})
			case "talk":
				talk := nebula.Talk{ID: text(row[4]), At: record.Moment(integer(row[1])), Title: text(row[5]), Outcome: nebula.EndStatus(text(row[6])), Files: int(integer(row[2]))}
				if talk.ID != session && len(m.Recent) < record.Talks {
					m.Recent = append([]nebula.Talk{talk}, m.Recent...)
				}
			}
			return true
		}, readMemory, project, int64(record.Talks+1), nebula.StepPrefix, nebula.PlanPrefix)
	})
	return m, err
}

// Totals are the person's counts over all folders.
func (s *Store) Totals(ctx context.Context) (m nebula.Remembered, err error) {
	err = s.use(ctx, "read the memory", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			m.Sessions, m.Files, m.Done = int(integer(row[0])), int(integer(row[1])), int(integer(row[2]))
			return false
		}, `SELECT coalesce(sum(sessions), 0), coalesce(sum(files), 0), coalesce(sum(done), 0) FROM tallies`)
	})
	return m, err
}

// Remember keeps a note for a folder, or for the person everywhere where project is empty. A note that is there
// already stays as it is.
func (s *Store) Remember(ctx context.Context, project, note string) error {
	return s.renote(ctx, "remember", project, func(db *conn) error {
		_, err := db.exec(`INSERT OR IGNORE INTO notes (project, at, text) VALUES (?, ?, ?)`, project, record.Nanos(time.Now()), note)
		return err
	})
}

// Forget removes a note by its id.
func (s *Store) Forget(ctx context.Context, id int64) error {
	project := ""
	err := s.use(ctx, "forget", func(db *conn) error {
		return db.query(func(row []driver.Value) bool { project = text(row[0]); return false }, `SELECT project FROM notes WHERE id=?`, id)
	})
	if err != nil {
		return err
	}
	return s.renote(ctx, "forget", project, func(db *conn) error {
		n, err := db.exec(`DELETE FROM notes WHERE id=?`, id)
		if err == nil && n == 0 {
			err = nebula.Errorf("%w: %d", nebula.ErrNoNote, id)
		}
		return err
	})
}

// What is noted beside the record of what no chain holds.
const (
	countsOf = "counts "
	notesOf  = "notes "
)

// renote changes the notes of a folder.
func (s *Store) renote(ctx context.Context, do, project string, f func(db *conn) error) error {
	err := s.change(ctx, do, func(db *conn) error { return s.noted(db, notesOf+project, true, func() error { return f(db) }) })
	if err == nil {
		s.heads.Kept(notesOf + project)
	}
	return err
}

// noted makes a change in a transaction, and notes it; see [record.Heads].
func (s *Store) noted(db *conn, key string, lasts bool, change func() error) error {
	before, err := db.kept(key)
	if err == nil {
		err = change()
	}
	if err != nil {
		return err
	}
	after, err := db.kept(key)
	if err == nil {
		s.heads.Keep(key, before, after, lasts)
	}
	return err
}

// Kept implements [record.Keeper].
func (s *Store) Kept(ctx context.Context, key string) (hash string, err error) {
	err = s.use(ctx, "read the memory", func(db *conn) (err error) { hash, err = db.kept(key); return err })
	return hash, err
}

func (c *conn) kept(key string) (string, error) {
	of, sql := strings.TrimPrefix(key, countsOf), readTally
	if folder, notes := strings.CutPrefix(key, notesOf); notes {
		of, sql = folder, `SELECT id, at, text FROM notes WHERE project=? ORDER BY id`
	}
	all := ""
	err := c.query(func(row []driver.Value) bool {
		all += fmt.Sprintf("%v %v %q\n", row[0], row[1], fmt.Sprint(row[2]))
		return true
	}, sql, of)
	return nebula.Hash([]byte(all))[:16], err
}

// Renote puts the notes of a folder, or the person's, in the place of those that are there. Notes whose text stays
// keep their moment.
func (s *Store) Renote(ctx context.Context, project string, notes []string) error {
	return s.renote(ctx, "edit the memory", project, func(db *conn) error {
		at := map[string]int64{}
		if err := db.query(func(row []driver.Value) bool {
			at[text(row[0])] = integer(row[1])
			return true
		}, `SELECT text, at FROM notes WHERE project=?`, project); err != nil {
			return err
		}
		if _, err := db.exec(`DELETE FROM notes WHERE project=?`, project); err != nil {
			return err
		}
		for _, n := range notes {
			when, ok := at[n]
			if !ok {
				when = record.Nanos(time.Now())
			}
			if _, err := db.exec(`INSERT OR IGNORE INTO notes (project, at, text) VALUES (?, ?, ?)`, project, when, n); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *conn) count(project string, t record.Tally) error {
	if t == (record.Tally{}) {
		return nil
	}
	_, err := c.exec(addTally, project, int64(t.Sessions), int64(t.Files), int64(t.Done))
	return err
}

// Spoken is what was counted of models' replies; see [nebula.MemoryStore].
func (s *Store) Spoken(ctx context.Context, model, server string) (list []nebula.Spoken, err error) {
	err = s.use(ctx, "read the statistics", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			n := func(i int) int { return int(integer(row[i])) }
			list = append(list, nebula.Spoken{Model: text(row[0]), Server: text(row[1]), Protocol: text(row[2]), Dialect: text(row[3]), Replies: n(4),
				Strict: n(5), Repaired: n(6), Inferred: n(7), Corrected: n(8), Extracted: n(9), Failed: n(10), Actions: n(11), Tokens: n(12)})
			return true
		}, `SELECT model, server, protocol, dialect, replies, strict, repaired, inferred, corrected, extracted, failed, actions, tokens
			FROM spoken WHERE (?1='' OR model=?1) AND (?1='' OR server=?2) ORDER BY 1, 2, 3, 4`, model, server)
	})
	return list, err
}

// spoke counts a reply.
func (c *conn) spoke(n nebula.Spoken) error {
	_, err := c.exec(`INSERT INTO spoken VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT DO UPDATE SET
		replies=replies+1, strict=strict+?5, repaired=repaired+?6, inferred=inferred+?7, corrected=corrected+?8,
		extracted=extracted+?9, failed=failed+?10, actions=actions+?11, tokens=tokens+?12`,
		n.Model, n.Server, n.Protocol, n.Dialect, int64(n.Strict), int64(n.Repaired), int64(n.Inferred), int64(n.Corrected),
		int64(n.Extracted), int64(n.Failed), int64(n.Actions), int64(n.Tokens))
	return err
}
