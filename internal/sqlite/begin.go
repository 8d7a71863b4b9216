package sqlite

import "context"

// What a session's beginning asks for.
const (
	beginning  = `BEGIN IMMEDIATE`
	commit     = `COMMIT`
	addSession = `INSERT OR IGNORE INTO sessions (id, started_at, project_path, model_used, title, began, last, chain)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	addEvent   = `INSERT INTO events (session, seq, at, type, data, chain) VALUES (?, ?, ?, ?, ?, ?)`
	addMessage = `INSERT INTO messages (session_id, timestamp, role, content, tool_calls, tool_results, seq)
		VALUES (?, ?, ?, ?, ?, ?, ?)`
	addTally = `INSERT INTO tallies (project, sessions, files, done) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (project)
		DO UPDATE SET sessions=sessions+?2, files=files+?3, done=done+?4`
	readTally  = `SELECT sessions, files, done FROM tallies WHERE project=?`
	readLine   = `SELECT seq, chain, messages, last, ended, model_used, title, outcome, files, project_path FROM sessions WHERE id=?`
	writeLine  = `UPDATE sessions SET seq=?, chain=?, messages=?, last=?, ended=?, ended_at=?, model_used=?, title=?, outcome=?, files=? WHERE id=?`
	readMemory = `SELECT 'tally', sessions, files, done, NULL, NULL, NULL FROM tallies WHERE project=?1
		UNION ALL SELECT * FROM (SELECT 'note', id, at, 0, project, text, NULL FROM notes WHERE project='' ORDER BY id)
		UNION ALL SELECT * FROM (SELECT 'note', id, at, 0, project, text, NULL FROM notes WHERE project=?1 AND ?1<>'' ORDER BY id)
		UNION ALL SELECT * FROM (SELECT 'talk', last, files, 0, id, title, outcome FROM sessions WHERE project_path=?1 AND substr(id, 1, length(?3))<>?3 AND substr(id, 1, length(?4))<>?4 ORDER BY rowid DESC LIMIT ?2)`
)

// Ready prepares what a session's beginning asks for, so that the beginning need not wait for that. It is no change, and what cannot be
// prepared is told of where it is used. Others have the store between two statements.
func (s *Store) Ready(ctx context.Context) {
	for _, sql := range [...]string{readMemory, beginning, addSession, readTally, addTally, commit, readLine, addEvent, addMessage, writeLine} {
		if s.use(ctx, "prepare", func(c *conn) error { _, err := c.prepare(sql); return err }) != nil {
			return
		}
	}
}
