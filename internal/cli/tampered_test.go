//go:build unix

package cli

import (
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // as somebody with an SQL prompt

	"nebula/internal/nebulatest"
)

// Whatever is changed in the record by something else than nebula, nebula audit --verify names it. What nebula changes itself stays whole.
func TestEveryColumnThatIsTamperedWithIsNamed(t *testing.T) {
	b := newBed(t)
	b.server.Answers = nil
	call := func(args string) nebulatest.Answer {
		return nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "writeFile", Arguments: []byte(args)}}}
	}
	for range 2 {
		b.server.Add(call(`{"path":"a.txt","content":"one\n","reason":"x"}`), call(`{"path":"a.txt","content":"two\n","reason":"x"}`), nebulatest.Answer{Text: "Unverified: done."})
		_, _ = b.command("run", "--approve", "all", "write it").Output()
	}
	b.output("memory", "add", "keep it short")
	b.output("memory", "add", "--user", "answer in English")
	kept := t.TempDir()
	if err := os.CopyFS(kept, os.DirFS(b.home)); err != nil {
		t.Fatal(err)
	}
	verify := func(sqls ...string) (string, int) {
		if err := errors.Join(os.RemoveAll(b.home), os.CopyFS(b.home, os.DirFS(kept))); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", filepath.Join(b.home, "nebula.db"))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sqls {
			if r, err := db.Exec(s); err != nil {
				t.Fatal(s, err)
			} else if n, _ := r.RowsAffected(); n == 0 {
				t.Fatal(s, " changed nothing")
			}
		}
		_ = db.Close()
		out, err := b.command("audit", "--verify").CombinedOutput()
		code := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			code = exit.ExitCode()
		}
		return string(out), code
	}
	if out, code := verify(); code != 0 || strings.Count(out, "  whole") != 2 {
		t.Errorf("untouched: exit %d\n%s", code, out)
	}
	for _, c := range []struct{ sql, want string }{
		{"UPDATE sessions SET title='another'", "title"},
		{"UPDATE sessions SET model_used='another'", "model_used"},
		{"UPDATE sessions SET project_path='/elsewhere'", "project_path"},
		{"UPDATE sessions SET messages=messages+1", "messages"},
		{"UPDATE sessions SET began=began+1", "began"},
		{"UPDATE sessions SET last=last+1", "last"},
		{"UPDATE sessions SET ended=ended+1", "ended"},
		{"UPDATE sessions SET started_at='2020-01-01'", "started_at"},
		{"UPDATE sessions SET ended_at='2020-01-01'", "ended_at"},
		{"UPDATE sessions SET outcome='failed'", "outcome"},
		{"UPDATE sessions SET files=files+1", "files"},
		{"UPDATE sessions SET seq=seq-1", "another last event"},
		{"UPDATE sessions SET chain=zeroblob(32)", "another last event"},
		{"UPDATE sessions SET id='x'||id", "missing"},
		{"UPDATE tallies SET sessions=sessions+1", "the counts of"},
		{"UPDATE tallies SET files=files-1", "the counts of"},
		{"UPDATE tallies SET done=done+1", "the counts of"},
		{"DELETE FROM tallies", "the counts of"},
		{"UPDATE notes SET text='another' WHERE project<>''", "the notes of"},
		{"UPDATE notes SET text='another' WHERE project=''", `notes of ""`},
		{"UPDATE notes SET at=at+1", "the notes of"},
		{"UPDATE notes SET project='/elsewhere' WHERE project<>''", "the notes of"},
		{"DELETE FROM notes", "the notes of"},
		{"INSERT INTO notes (project, at, text) SELECT project, at, 'more' FROM notes LIMIT 1", "the notes of"},
		{"UPDATE contents SET size=size+1", "were changed"},
		{"UPDATE contents SET size=size-1", "were changed"},
		{"UPDATE contents SET data=x'00'", "were changed"},
		{"DELETE FROM contents", "missing"},
		{"UPDATE messages SET content='another' WHERE role='user'", "messages beside"},
		{"UPDATE messages SET tool_calls='[]' WHERE role='assistant'", "messages beside"},
		{"UPDATE messages SET timestamp='2020-01-01 00:00:00.000'", "messages beside"},
		{"UPDATE messages SET role='user'", "messages beside"},
		{"UPDATE events SET data=replace(data, 'two', 'TWO') WHERE data LIKE '%two%'", "it was changed"},
		{"UPDATE events SET at=at+1", "it was changed"},
		{"DELETE FROM events WHERE seq=3", "missing"},
	} {
		if out, code := verify(c.sql); code != exitRecord || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d, want %d with %q\n%s", c.sql, code, exitRecord, c.want, out)
		}
	}
	// What goes on after it does not cover it up.
	verify("UPDATE tallies SET done=done+9", "UPDATE notes SET text='another'")
	b.server.Add(nebulatest.Answer{Text: "Hello."})
	b.output("run", "hello")
	b.output("memory", "add", "one more")
	if out, err := b.command("audit", "--verify").CombinedOutput(); err == nil || !strings.Contains(string(out), "the notes of") {
		t.Errorf("after it went on: %v\n%s", err, out)
	}
}
