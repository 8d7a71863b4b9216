package sqlite_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/record"
	"nebula/internal/sqlite"

	modernc "modernc.org/sqlite"
)

// query reaches into a database past the Store, as a person with an SQL prompt does.
func query(t *testing.T, path, sql string) (rows [][]any) {
	t.Helper()
	c, err := (&modernc.Driver{}).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.(driver.QueryerContext).QueryContext(context.Background(), sql, nil)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer r.Close()
	for {
		row := make([]driver.Value, len(r.Columns()))
		if err := r.Next(row); errors.Is(err, io.EOF) {
			return rows
		} else if err != nil {
			t.Fatal(err)
		}
		values := make([]any, len(row))
		for i, v := range row {
			values[i] = v
		}
		rows = append(rows, values)
	}
}

func recorded(t *testing.T) (*sqlite.Store, []nebula.Event) {
	t.Helper()
	s := open(t, filepath.Join(t.TempDir(), "nebula.db"))
	events := nebulatest.EveryEvent()
	for _, id := range []string{"one", "two"} {
		if err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/d", Model: "m", Started: events[0].At}); err != nil {
			t.Fatal(err)
		}
		if err := s.Append(t.Context(), id, events...); err != nil {
			t.Fatal(err)
		}
	}
	return s, events
}

func TestVerifyFindsEveryTampering(t *testing.T) {
	for name, c := range map[string]struct {
		sql string
		seq int64
	}{
		"data changed":        {`UPDATE events SET data=replace(data, 'はい', 'いいえ') WHERE session='one' AND seq=7`, 7},
		"one byte changed":    {`UPDATE events SET data=data||' ' WHERE session='one' AND seq=15`, 15},
		"type changed":        {`UPDATE events SET type='noted' WHERE session='one' AND seq=3`, 3},
		"time changed":        {`UPDATE events SET at=at+1 WHERE session='one' AND seq=4`, 4},
		"chain changed":       {`UPDATE events SET chain=x'00' WHERE session='one' AND seq=4`, 4},
		"first removed":       {`DELETE FROM events WHERE session='one' AND seq=1`, 1},
		"middle removed":      {`DELETE FROM events WHERE session='one' AND seq=5`, 5},
		"last removed":        {`DELETE FROM events WHERE session='one' AND seq=15`, 15},
		"tail removed":        {`DELETE FROM events WHERE session='one' AND seq>9`, 10},
		"all removed":         {`DELETE FROM events WHERE session='one'`, 1},
		"removed and closed":  {`DELETE FROM events WHERE session='one' AND seq=5; UPDATE events SET seq=seq-1 WHERE session='one' AND seq>5; UPDATE sessions SET seq=14 WHERE id='one'`, 5},
		"reordered":           {`UPDATE events SET seq=-1 WHERE session='one' AND seq=5; UPDATE events SET seq=5 WHERE session='one' AND seq=6; UPDATE events SET seq=6 WHERE session='one' AND seq=-1`, 5},
		"taken from another":  {`DELETE FROM events WHERE session='one'; UPDATE events SET session='one' WHERE session='two'`, 1},
		"one added":           {`INSERT INTO events SELECT session, 16, at, type, data, chain FROM events WHERE session='one' AND seq=15`, 16},
		"row's end set back":  {`UPDATE sessions SET seq=9 WHERE id='one'`, 9},
		"row's chain changed": {`UPDATE sessions SET chain=x'01' WHERE id='one'`, 15},
		"data of no text":     {`UPDATE events SET data=x'00' WHERE session='one' AND seq=2`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := recorded(t)
			query(t, s.Path(), c.sql)
			err := record.Auditor{Store: s}.Verify(t.Context(), "one")
			var b *nebula.Broken
			if !errors.As(err, &b) || b.Seq != c.seq || b.Session != "one" {
				t.Errorf("verify says %v, not event %d", err, c.seq)
			}
		})
	}
	s, _ := recorded(t)
	if err := (record.Auditor{Store: s}).Verify(t.Context(), "one"); err != nil {
		t.Errorf("an untouched record: %v", err)
	}
}

func TestLoadSaysWhatIsMissing(t *testing.T) {
	for sql, want := range map[string]string{
		`DELETE FROM events WHERE session='one' AND seq=1`:            "event 1: it is missing, the next one is 2",
		`DELETE FROM events WHERE session='one' AND seq=5`:            "event 5",
		`DELETE FROM events WHERE session='one' AND seq>5`:            "event 6",
		`UPDATE events SET type='dreamt' WHERE seq=5`:                 `"dreamt"`,
		`UPDATE events SET data='{' WHERE session='one' AND seq=5`:    "event 5",
		`UPDATE events SET data='{"turn":"x"}' WHERE seq=2`:           "event 2",
		`UPDATE events SET data=x'00' WHERE session='one' AND seq=15`: "event 15",
	} {
		s, _ := recorded(t)
		query(t, s.Path(), sql)
		var last error
		read := int64(0)
		for e, err := range s.Load(t.Context(), "one") {
			if last = err; err == nil {
				read = e.Seq
			}
		}
		if last == nil || !strings.Contains(last.Error(), want) {
			t.Errorf("%s: load says %v", sql, last)
		}
		broken, ok := errors.AsType[*nebula.Broken](last)
		if ok && read != broken.Seq-1 {
			t.Errorf("%s: load gave the events up to %d", sql, read)
		}
	}
}

// A content that is not what its hash says is given to nobody: undo would write it into the folder.
func TestContentIsWhatItsHashSays(t *testing.T) {
	for name, data := range map[string]string{"short": "what was there", "packed": strings.Repeat("what was there\n", 100)} {
		for change, sql := range map[string]string{
			"none": `SELECT 1`, "others": `UPDATE contents SET data=x'61', codec='', size=1`, "cut": `UPDATE contents SET data=substr(data, 1, 9)`,
		} {
			s, _ := recorded(t)
			hash, err := s.Keep(t.Context(), []byte(data))
			if err != nil {
				t.Fatal(err)
			}
			query(t, s.Path(), sql)
			got, err := s.Content(t.Context(), hash)
			if (err == nil) != (change == "none") || err == nil && string(got) != data || err != nil && got != nil {
				t.Errorf("%s, %s: %d bytes %v", name, change, len(got), err)
			}
		}
	}
}

// TestTheDocumentsTables checks the tables of the nebula document, "データベーススキーマ".
func TestTheDocumentsTables(t *testing.T) {
	s, _ := recorded(t)
	for table, want := range map[string]string{
		"sessions": "id TEXT pk, started_at DATETIME, ended_at DATETIME, project_path TEXT not null, model_used TEXT not null, ",
		"messages": "id INTEGER pk, session_id TEXT, timestamp DATETIME, role TEXT not null, content TEXT, tool_calls TEXT, tool_results TEXT, ",
	} {
		got := ""
		for _, c := range query(t, s.Path(), "PRAGMA table_info("+table+")") {
			got += fmt.Sprintf("%s %s", c[1], c[2])
			if c[3] == int64(1) {
				got += " not null"
			}
			if c[5] == int64(1) {
				got += " pk"
			}
			got += ", "
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s has %s", table, got)
		}
	}
}

func TestMessagesFollowTheEvents(t *testing.T) {
	s, _ := recorded(t)
	got := ""
	for _, row := range query(t, s.Path(), `SELECT role, content, tool_calls, tool_results, seq, CAST(timestamp AS TEXT) FROM messages WHERE session_id='one' ORDER BY id`) {
		got += fmt.Sprintf("%v | %v | %v | %v | %v | %v\n", row...)
	}
	want := `user | do
it | <nil> | <nil> | 2 | 2026-02-03 04:05:07.000
assistant | t | [{"id":"call_1","name":"write","arguments":"{\"broken"}] | <nil> | 4 | 2026-02-03 04:05:09.000
tool | <nil> | <nil> | {"call_id":"call_1","text":"ok"} | 10 | 2026-02-03 04:05:15.000
`
	if got = strings.ReplaceAll(got, " +0000 UTC", ""); got != want {
		t.Errorf("messages are\n%s", got)
	}
	row := query(t, s.Path(), `SELECT model_used, title, messages, CAST(ended_at AS TEXT) FROM sessions WHERE id='one'`)[0]
	if line := fmt.Sprint(row...); line != "m2do it32026-02-03 04:05:20.000" {
		t.Errorf("the session's row is %s", line)
	}
}

// What the events refer to is part of the record: what files were before, and the messages that people read.
func TestVerifyFindsWhatIsMissingBesideTheEvents(t *testing.T) {
	const contents, messages = "of the contents that it names", "its messages beside the events"
	for name, c := range map[string]struct {
		sql, want string
	}{
		"untouched":               {`SELECT 1`, ""},
		"contents emptied":        {`DELETE FROM contents`, contents},
		"a content changed":       {`UPDATE contents SET data=x'61'`, contents},
		"a content of no codec":   {`UPDATE contents SET codec='x'`, contents},
		"a later content changed": {`UPDATE contents SET data=x'62' WHERE data=x'61'`, contents},
		"a later content removed": {`DELETE FROM contents WHERE data=x'61'`, ""}, // it need not have been kept
		"messages emptied":        {`DELETE FROM messages`, messages},
		"a message removed":       {`DELETE FROM messages WHERE session_id='one' AND seq=4`, messages},
		"a message changed":       {`UPDATE messages SET content='x' WHERE session_id='one' AND seq=2`, messages},
		"a call changed":          {`UPDATE messages SET tool_calls='[]' WHERE session_id='one' AND seq=4`, messages},
		"a result changed":        {`UPDATE messages SET tool_results='{}' WHERE session_id='one' AND seq=10`, messages},
		"a role changed":          {`UPDATE messages SET role='user' WHERE session_id='one' AND seq=10`, messages},
		"a time changed":          {`UPDATE messages SET timestamp='2026-01-01 00:00:00.000' WHERE session_id='one' AND seq=2`, messages},
		"a message added":         {`INSERT INTO messages (session_id, role, content, seq) VALUES ('one', 'user', 'x', 15)`, messages},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := recorded(t)
			if err := s.KeepMany(t.Context(), [][]byte{[]byte("a"), []byte("b")}); err != nil {
				t.Fatal(err)
			}
			query(t, s.Path(), c.sql)
			err := record.Auditor{Store: s}.Whole(t.Context(), "one")
			_, broken := errors.AsType[*nebula.Broken](err)
			if broken != (c.want != "") || broken && !strings.Contains(err.Error(), c.want) || !broken && err != nil {
				t.Errorf("it says %v, not %q", err, c.want)
			}
		})
	}
}
