package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"nebula"
)

// A Memory is what outlives a folder's sessions: notes that were agreed to, and what the record itself tells.
type Memory struct {
	Sessions int    `json:"sessions"` // begun in the folder
	Files    int    `json:"files"`    // written, as often as they were
	Done     int    `json:"done"`     // actions that succeeded
	Notes    []Note `json:"notes"`
	Recent   []Talk `json:"recent"` // the last conversations, oldest first
}

// A Note is one line to remember.
type Note struct {
	ID      int64     `json:"id"`
	Project string    `json:"project"` // a folder; empty for what holds for the person everywhere
	At      time.Time `json:"at"`
	Text    string    `json:"text"`
}

// A Talk is an earlier conversation in short.
type Talk struct {
	ID      string           `json:"id"`
	At      time.Time        `json:"at"`    // of its last event
	Title   string           `json:"title"` // the first request
	Outcome nebula.EndStatus `json:"outcome"`
	Files   int              `json:"files"` // changed in it
}

// talks is how many conversations are remembered.
const talks = 5

// Memory reads what is remembered for a folder: the person's notes first, then the folder's. The session that goes on
// is not among the conversations.
func (s *Store) Memory(ctx context.Context, project, session string) (m Memory, err error) {
	err = s.use(ctx, "read the memory", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			switch text(row[0]) {
			case "tally":
				m.Sessions, m.Files, m.Done = int(integer(row[1])), int(integer(row[2])), int(integer(row[3]))
			case "note":
				m.Notes = append(m.Notes, Note{integer(row[1]), text(row[4]), moment(integer(row[2])), text(row[5])})
			case "talk":
				talk := Talk{text(row[4]), moment(integer(row[1])), text(row[5]), nebula.EndStatus(text(row[6])), int(integer(row[2]))}
				if talk.ID != session && len(m.Recent) < talks {
					m.Recent = append([]Talk{talk}, m.Recent...)
				}
			}
			return true
		}, `SELECT 'tally', sessions, files, done, NULL, NULL, NULL FROM tallies WHERE project=?1
			UNION ALL SELECT * FROM (SELECT 'note', id, at, 0, project, text, NULL FROM notes WHERE project='' ORDER BY id)
			UNION ALL SELECT * FROM (SELECT 'note', id, at, 0, project, text, NULL FROM notes WHERE project=?1 AND ?1<>'' ORDER BY id)
			UNION ALL SELECT * FROM (SELECT 'talk', last, files, 0, id, title, outcome FROM sessions WHERE project_path=?1 ORDER BY rowid DESC LIMIT ?2)`,
			project, int64(talks+1))
	})
	return m, err
}

// Totals are the person's counts over all folders.
func (s *Store) Totals(ctx context.Context) (m Memory, err error) {
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
	return s.change(ctx, "remember", func(db *conn) error {
		_, err := db.exec(`INSERT OR IGNORE INTO notes (project, at, text) VALUES (?, ?, ?)`, project, nanos(time.Now()), note)
		return err
	})
}

// ErrNoNote says that a note to be forgotten is not there.
var ErrNoNote = errors.New("no such note")

// Forget removes a note by its id.
func (s *Store) Forget(ctx context.Context, id int64) error {
	return s.change(ctx, "forget", func(db *conn) error {
		n, err := db.exec(`DELETE FROM notes WHERE id=?`, id)
		if err == nil && n == 0 {
			err = fmt.Errorf("%w: %d", ErrNoNote, id)
		}
		return err
	})
}

// Renote puts the notes of a folder, or the person's, in the place of those that are there. Notes whose text stays
// keep their moment.
func (s *Store) Renote(ctx context.Context, project string, notes []string) error {
	return s.change(ctx, "edit the memory", func(db *conn) error {
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
				when = nanos(time.Now())
			}
			if _, err := db.exec(`INSERT OR IGNORE INTO notes (project, at, text) VALUES (?, ?, ?)`, project, when, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// A tally is what some events add to a folder's counts.
type tally struct{ sessions, files, done int64 }

func (t tally) plus(r nebula.Result) tally {
	for _, c := range r.Changes {
		if c.Kind == "create" || c.Kind == "edit" {
			t.files++
		}
	}
	if r.Status == nebula.Done {
		t.done++
	}
	return t
}

func (c *conn) count(project string, t tally) error {
	if t == (tally{}) {
		return nil
	}
	_, err := c.exec(`INSERT INTO tallies (project, sessions, files, done) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (project)
		DO UPDATE SET sessions=sessions+?2, files=files+?3, done=done+?4`, project, t.sessions, t.files, t.done)
	return err
}
