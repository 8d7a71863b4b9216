package sqlite

import (
	"bufio"
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"nebula"
)

// Create begins a session. Its folder and model are given; started now when not said otherwise.
func (s *Store) Create(ctx context.Context, info nebula.SessionInfo) error {
	if info.ID == "" {
		return fmt.Errorf("a session needs an id")
	}
	if info.Started.IsZero() {
		info.Started = time.Now()
	}
	l, began := root(info.ID), nanos(info.Started)
	return s.change(ctx, "create", func(db *conn) error {
		n, err := db.exec(`INSERT OR IGNORE INTO sessions (id, started_at, project_path, model_used, title, began, last, chain)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			info.ID, datetime(began), info.Dir, info.Model, title(info.Title), began, began, l[:])
		if err == nil && n == 0 {
			err = nebula.Errorf("session %s exists already", info.ID)
		}
		if err == nil {
			err = db.count(info.Dir, tally{sessions: 1})
		}
		return err
	})
}

// line is what the list reads of a session, see the schema.
const line = `SELECT line, project_path FROM sessions `

// info reads a line; dir is the session's folder.
func (d *decoder) info(line, dir string) (nebula.SessionInfo, error) {
	var began, ended, last, messages int64
	info := nebula.SessionInfo{Dir: dir}
	d.text, d.at = line, 0
	if !(d.eat('[') && d.stringInto(&info.ID) && d.eat(',') && d.stringInto(&info.Model) && d.eat(',') && d.integerInto(&began) && d.eat(',') &&
		d.integerInto(&ended) && d.eat(',') && d.integerInto(&last) && d.eat(',') && d.integerInto(&messages) && d.eat(',') && d.stringInto(&info.Title)) {
		err := json.Unmarshal([]byte(line), &[]any{&info.ID, &info.Model, &began, &ended, &last, &messages, &info.Title})
		if err != nil {
			return info, fmt.Errorf("session %.40s: %w", line, err)
		}
	}
	info.Started, info.Ended, info.Last, info.Messages = moment(began), moment(ended), moment(last), int(messages)
	return info, nil
}

// Sessions lists a folder's sessions, the one used last first; every folder's for "".
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
	d := newDecoder()
	err := s.use(ctx, "list sessions", func(db *conn) error {
		sql, count, args, folder := line, `SELECT count(*) FROM sessions`, []any{}, dir
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
			info, broken = d.info(text(row[0]), folder)
			if steps || !strings.HasPrefix(info.ID, nebula.StepPrefix) {
				list = append(list, info)
			}
			return broken == nil
		}, sql, args...)
	})
	if err = cmp.Or(err, broken); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b nebula.SessionInfo) int {
		if c := b.Last.Compare(a.Last); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	return list, nil
}

// An Ambiguous prefix stands for more than one session.
type Ambiguous struct {
	Prefix string
	IDs    []string // the first few
}

func (a *Ambiguous) Error() string { return a.Words().String() }

// Words implements [nebula.Speaker].
func (a *Ambiguous) Words() nebula.Words {
	return nebula.Say("session %s could be %s: give more of the id", a.Prefix, strings.Join(a.IDs, ", "))
}

// Find gives the session with an id, or the only one whose id begins with it.
func (s *Store) Find(ctx context.Context, id string) (nebula.SessionInfo, error) {
	none := nebula.Errorf("%w: %q", nebula.ErrNoSession, id)
	if id == "" {
		return nebula.SessionInfo{}, none
	}
	var found []nebula.SessionInfo
	var broken error
	d := newDecoder()
	err := s.use(ctx, "find session", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			var info nebula.SessionInfo
			info, broken = d.info(text(row[0]), text(row[1]))
			found = append(found, info)
			return broken == nil && found[0].ID != id && len(found) < 5
		}, line+`WHERE id>=? AND id<? ORDER BY id`, id, id+"\U0010FFFF")
	})
	if err = cmp.Or(err, broken); err != nil {
		return nebula.SessionInfo{}, err
	}
	switch {
	case len(found) == 0:
		return nebula.SessionInfo{}, none
	case len(found) == 1 || found[0].ID == id:
		return found[0], nil
	}
	a := &Ambiguous{Prefix: id}
	for _, f := range found {
		a.IDs = append(a.IDs, f.ID)
	}
	return nebula.SessionInfo{}, a
}

// heldFor is how long contents are kept that no event names yet: their writer is between keeping and recording.
const heldFor = time.Hour

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
		s.heads.forget(id)
	}
	return err
}

// remove gives the hashes of the contents that went and were files.
func (c *conn) remove(id string) (files []string, err error) {
	if _, err := c.head(id); err != nil {
		return nil, err
	}
	before := time.Now().Add(-heldFor).Unix()
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

// Export writes a session's events as they are stored, one JSON object a line: {"seq","at","type",…}.
func (s *Store) Export(ctx context.Context, id string, w io.Writer) error {
	out := bufio.NewWriter(w)
	for batch, err := range s.batches(ctx, id) {
		if err != nil {
			return err
		}
		for _, r := range batch {
			if !strings.HasPrefix(r.data, "{") {
				return &Broken{Session: id, Seq: r.seq, Text: nebula.Say("it is no JSON object")}
			}
			fmt.Fprintf(out, `{"seq":%d,"at":%q,"type":%q`, r.seq, moment(r.at).Format(time.RFC3339Nano), r.kind)
			if len(r.data) > 2 {
				_ = out.WriteByte(',')
			}
			fmt.Fprintf(out, "%s\n", r.data[1:])
		}
	}
	return out.Flush()
}
