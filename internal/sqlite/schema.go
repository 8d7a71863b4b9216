package sqlite

import (
	"database/sql/driver"
	"fmt"
)

// steps lead from one schema version to the next: steps[n] makes version n+1 of version n. A step that was released
// is never changed. The version is SQLite's user_version, which costs nothing to read.
var steps = []string{
	`
CREATE TABLE sessions (
	id           TEXT PRIMARY KEY,
	started_at   DATETIME DEFAULT CURRENT_TIMESTAMP,
	ended_at     DATETIME,                       -- NULL while open, or after a crash
	project_path TEXT NOT NULL,
	model_used   TEXT NOT NULL,
	title        TEXT NOT NULL DEFAULT '',       -- the first request, one line
	messages     INTEGER NOT NULL DEFAULT 0,     -- rows in messages
	began        INTEGER NOT NULL,               -- started_at, last and ended in nanoseconds since 1970
	last         INTEGER NOT NULL,
	ended        INTEGER NOT NULL DEFAULT 0,
	seq          INTEGER NOT NULL DEFAULT 0,     -- of the last event
	chain        BLOB NOT NULL,                  -- of the last event
	line         TEXT GENERATED ALWAYS AS        -- what a list shows: one column is read far quicker than seven
		(json_array(id, model_used, began, ended, last, messages, title)) STORED
);
CREATE INDEX sessions_project ON sessions(project_path);

CREATE TABLE messages (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	session_id   TEXT REFERENCES sessions(id),
	timestamp    DATETIME DEFAULT CURRENT_TIMESTAMP,
	role         TEXT NOT NULL,                  -- user, assistant, tool
	content      TEXT,
	tool_calls   TEXT,                           -- JSON: [{"id","name","arguments"}]
	tool_results TEXT,                           -- JSON: {"call_id","text"}
	seq          INTEGER                         -- the event that it comes from
);
CREATE INDEX messages_session ON messages(session_id);

CREATE TABLE events (
	session      TEXT NOT NULL,
	seq          INTEGER NOT NULL,               -- from 1, without gaps
	at           INTEGER NOT NULL,               -- nanoseconds since 1970
	type         TEXT NOT NULL,
	data         TEXT NOT NULL,                  -- JSON
	chain        BLOB NOT NULL,                  -- hash over the previous chain and this row
	PRIMARY KEY (session, seq)
) WITHOUT ROWID;

CREATE TABLE contents (
	hash         TEXT PRIMARY KEY,               -- SHA-256 of the plain bytes
	size         INTEGER NOT NULL,               -- of the plain bytes
	codec        TEXT NOT NULL,                  -- '' plain, 'deflate'
	data         BLOB NOT NULL,
	held         INTEGER NOT NULL                -- when kept, in seconds; 0 once an event names it
);
CREATE TABLE content_uses (
	session      TEXT NOT NULL,
	hash         TEXT NOT NULL,
	PRIMARY KEY (session, hash)
) WITHOUT ROWID;
CREATE INDEX content_uses_hash ON content_uses(hash);
`,
	`
ALTER TABLE sessions ADD COLUMN outcome TEXT NOT NULL DEFAULT '';   -- how the last turn ended
ALTER TABLE sessions ADD COLUMN files   INTEGER NOT NULL DEFAULT 0; -- changed, over all turns
CREATE TABLE notes (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	project      TEXT NOT NULL,                  -- a folder; '' for what holds for the person everywhere
	at           INTEGER NOT NULL,               -- nanoseconds since 1970
	text         TEXT NOT NULL,
	UNIQUE (project, text)
);
CREATE TABLE tallies (
	project      TEXT PRIMARY KEY,
	sessions     INTEGER NOT NULL DEFAULT 0,
	files        INTEGER NOT NULL DEFAULT 0,     -- written, as often as they were
	done         INTEGER NOT NULL DEFAULT 0      -- actions that succeeded
) WITHOUT ROWID;
INSERT INTO tallies (project, sessions, files, done)
	SELECT s.project_path, count(DISTINCT s.id),
		coalesce(sum(CASE WHEN e.type='finished' AND json_valid(e.data) THEN coalesce(json_array_length(e.data, '$.result.changes'), 0) END), 0),
		coalesce(sum(CASE WHEN e.type='finished' AND json_valid(e.data) THEN json_extract(e.data, '$.result.status')='done' END), 0)
	FROM sessions s LEFT JOIN events e ON e.session=s.id GROUP BY s.project_path;
`,
	`
CREATE TABLE plans (
	project      TEXT NOT NULL,                  -- a folder
	id           TEXT NOT NULL,
	name         TEXT NOT NULL,
	status       TEXT NOT NULL,
	steps        INTEGER NOT NULL,
	done         INTEGER NOT NULL,               -- steps completed or skipped
	version      INTEGER NOT NULL,               -- counts changes
	changed      INTEGER NOT NULL,               -- nanoseconds since 1970
	data         TEXT NOT NULL,                  -- JSON, without the steps
	PRIMARY KEY (project, id)
) WITHOUT ROWID;
CREATE TABLE plan_steps (
	project      TEXT NOT NULL,
	plan         TEXT NOT NULL,
	place        INTEGER NOT NULL,               -- in the plan, from 0
	data         TEXT NOT NULL,                  -- JSON, with its tasks
	PRIMARY KEY (project, plan, place)
) WITHOUT ROWID;
`,
	`
CREATE TABLE spoken (
	model        TEXT NOT NULL,
	server       TEXT NOT NULL,                  -- '' where it is not known
	protocol     TEXT NOT NULL,                  -- the one taught
	dialect      TEXT NOT NULL,                  -- the one written, '' where it is the same
	replies      INTEGER NOT NULL,
	strict       INTEGER NOT NULL,
	repaired     INTEGER NOT NULL,
	inferred     INTEGER NOT NULL,
	corrected    INTEGER NOT NULL,
	extracted    INTEGER NOT NULL,
	failed       INTEGER NOT NULL,
	actions      INTEGER NOT NULL,
	tokens       INTEGER NOT NULL,               -- written in replies with actions
	PRIMARY KEY (model, server, protocol, dialect)
) WITHOUT ROWID;
INSERT INTO spoken
	SELECT model, '', protocol, dialect, count(*), sum(ok AND strategy='strict'), sum(ok AND strategy='repaired'), sum(ok AND strategy='inferred'),
		sum(ok AND strategy='corrected'), sum(ok AND strategy='extracted'), sum(NOT ok), sum(actions), sum(CASE WHEN actions>0 THEN tokens ELSE 0 END)
	FROM (SELECT s.model_used AS model, coalesce(json_extract(e.data, '$.protocol'), '') AS protocol,
			coalesce(nullif(json_extract(e.data, '$.intent.dialect'), json_extract(e.data, '$.protocol')), '') AS dialect,
			coalesce(json_extract(e.data, '$.intent.strategy'), '') AS strategy,
			coalesce(json_array_length(e.data, '$.intent.actions'), 0) AS actions,
			coalesce(json_array_length(e.data, '$.intent.problems'), 0)=0 OR coalesce(json_array_length(e.data, '$.intent.actions'), 0)>0 AS ok,
			coalesce(json_extract(e.data, '$.reply.usage.output_tokens'), 0) AS tokens
		FROM events e JOIN sessions s ON s.id=e.session WHERE e.type='replied' AND json_valid(e.data))
	GROUP BY model, protocol, dialect;
`,
	"", // the same tables; the events' data says in which form it is, which an earlier nebula would not heed
}

// application marks a file as nebula's: "nebl".
const application = 0x6e65626c

// version reads the schema version; ours is false for a database that another program made.
func (c *conn) version() (version int64, ours bool, err error) {
	if version, err = c.number("PRAGMA user_version"); err != nil {
		return 0, false, err
	}
	id, err := c.number("PRAGMA application_id")
	return version, id == application, err
}

// migrate brings the schema to the version of this nebula, in one transaction.
func (c *conn) migrate(steps []string) error {
	return c.transact(func(c *conn) error {
		version, _, err := c.version()
		if err != nil {
			return err
		}
		for ; version < int64(len(steps)); version++ {
			if err := c.script(steps[version]); err != nil {
				return fmt.Errorf("schema version %d: %w", version+1, err)
			}
		}
		return c.script(fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d", application, version))
	})
}

// tables counts what the database holds in tables.
func (c *conn) tables() (names map[string]bool, err error) {
	names = map[string]bool{}
	err = c.query(func(row []driver.Value) bool {
		names[text(row[0])] = true
		return true
	}, "SELECT name FROM sqlite_schema WHERE type='table'")
	return names, err
}
