//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/postgres"
	"nebula/internal/record"
	"nebula/internal/sqlite"
)

// A crew is the two commands as they are built, a server of models and one of records.
type crew struct {
	*bed
	dir    string
	record *nebulatest.Postgres
	set    string // record.url
}

func newCrew(t *testing.T) *crew {
	t.Helper()
	c := &crew{record: nebulatest.NewPostgres(t, false)}
	c.bed = newBed(t)
	c.dir = t.TempDir()
	build := exec.Command("go", "build", "-o", c.dir, "./cmd/nebula", "./cmd/nebula-fleet")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.path = filepath.Join(c.dir, "nebula")
	c.record.Login(t, "ann")
	c.open(c.record.Database(t, "team", "owner"))
	c.set = c.record.Address("team", "ann")
	return c
}

func (c *crew) open(address string) *postgres.Store {
	c.t.Helper()
	s, err := postgres.Open(c.t.Context(), address, postgres.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = s.Close() })
	return s
}

// command is one of nebula's, whose record is the team's.
func (c *crew) command(args ...string) *exec.Cmd {
	cmd := c.bed.command(args...)
	cmd.Env = append(cmd.Env, "NEBULA_RECORD_URL="+c.set, "LANG=C")
	return cmd
}

func (c *crew) says(code int, args ...string) string {
	c.t.Helper()
	cmd := c.command(args...)
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != code {
		c.t.Errorf("nebula %s ended with %d, not %d:\n%s", strings.Join(args, " "), cmd.ProcessState.ExitCode(), code, out)
	}
	if strings.Contains(string(out), c.record.Password()) || strings.Contains(string(out), "pw-") {
		c.t.Errorf("nebula %s shows the password:\n%s", strings.Join(args, " "), out)
	}
	return string(out)
}

// TestATeamsSession is a run in a PostgreSQL record from the first word to its copy: killed, gone on with, verified, copied here
// and into another database, equal to the byte.
func TestATeamsSession(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds both commands")
	}
	c := newCrew(t)
	reached, killed := make(chan struct{}), make(chan struct{})
	c.server.Answers = func(n int, request []byte) *nebulatest.Answer {
		if n == 1 { // after the first action; nobody reads the answer
			close(reached)
			<-killed
		}
		return c.answer(n, request)
	}
	run := c.command("run", "--approve", "all", "write a note")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	<-reached
	_ = run.Process.Kill()
	_ = run.Wait()
	close(killed)
	if out := c.says(0, "run", "--continue", "--approve", "all", "go on"); !strings.Contains(out, "Noted and counted") {
		t.Errorf("gone on with: %s", out)
	}
	if notes, _ := filepath.Glob(filepath.Join(c.folder, "notes", "*")); len(notes) == 0 {
		t.Error("nothing was written")
	}
	if _, err := os.Stat(filepath.Join(c.home, "nebula.db")); err == nil {
		t.Error("there is a record on this machine too")
	}
	if out := c.says(0, "audit", "--verify"); !strings.Contains(out, "  whole") {
		t.Errorf("verified: %s", out)
	}
	if out := c.says(0, "doctor"); !strings.Contains(out, "ann@") {
		t.Errorf("doctor: %s", out)
	}
	if out := c.says(0, "undo"); !strings.Contains(out, "notes/") {
		t.Errorf("undo: %s", out)
	}
	c.copied()
}

// copied copies the record here, and from here into a database that is empty.
func (c *crew) copied() {
	t := c.t
	here := filepath.Join(t.TempDir(), "copy.db")
	if out := c.says(0, "record", "copy", "team", here); !strings.Contains(out, "copied and whole") {
		t.Errorf("copied: %s", out)
	}
	other := c.record.Database(t, "other", "owner")
	for range 2 { // the second time there is nothing to do
		c.says(0, "record", "copy", here, other)
	}
	local, err := sqlite.Open(t.Context(), here, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	first, last := c.open(c.set), c.open(other)
	list, err := first.AllSessions(t.Context(), "")
	if err != nil || len(list) == 0 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, info := range list {
		want := chained(t, first, info.ID)
		for _, s := range []nebula.Store{local, last} {
			if got := chained(t, s, info.ID); !slices.Equal(got, want) {
				t.Errorf("session %s arrived as another: %d records, not %d", info.ID, len(got), len(want))
			}
			if there, err := s.Find(t.Context(), info.ID); err != nil || there != info {
				t.Errorf("%+v became %+v, %v", info, there, err)
			}
			for _, hash := range contents(t, first, info.ID) {
				if _, err := s.Content(t.Context(), hash); err != nil {
					t.Error(err)
				}
			}
		}
	}
	ends := list[0]
	if err := local.Append(t.Context(), ends.ID, nebula.Event{Seq: int64(len(chained(t, local, ends.ID))) + 1, Body: nebula.Noted{Level: "info", Text: "here"}}); err != nil {
		t.Fatal(err)
	}
	if err := last.Append(t.Context(), ends.ID, nebula.Event{Seq: int64(len(chained(t, last, ends.ID))) + 1, Body: nebula.Noted{Level: "info", Text: "there"}}); err != nil {
		t.Fatal(err)
	}
	if out := c.says(exitRecord, "record", "copy", here, other, ends.ID); !strings.Contains(out, "went on otherwise there") {
		t.Errorf("two ends: %s", out)
	}
}

func chained(t *testing.T, s nebula.Store, id string) (list []nebula.Record) {
	t.Helper()
	for r, err := range s.Records(t.Context(), id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if err := (record.Auditor{Store: s}).Verify(t.Context(), id); err != nil {
		t.Error(err)
	}
	return list
}

func contents(t *testing.T, s nebula.Store, id string) (hashes []string) {
	t.Helper()
	for e, err := range s.Load(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := e.Body.(nebula.Finished); ok {
			for _, change := range b.Result.Changes {
				if change.Before != "" {
					hashes = append(hashes, change.Before)
				}
			}
		}
	}
	return hashes
}

// TestATeamsRecordThatIsNotReached says why and what to do, and not the password.
func TestATeamsRecordThatIsNotReached(t *testing.T) {
	c := &crew{bed: newBed(t), set: "postgres://ann:pw-x@127.0.0.1:1/team", record: &nebulatest.Postgres{}}
	t.Setenv("PATH", "/usr/bin:/bin")
	for _, args := range [][]string{{"sessions"}, {"run", "hello"}, {"audit"}} {
		if out := c.says(exitRecord, args...); !strings.Contains(out, "takes nebula-fleet, and that is not installed; put it beside nebula") {
			t.Errorf("%v: %s", args, out)
		}
	}
	if out := c.says(0, "config", "show"); !strings.Contains(out, "record.url") {
		t.Errorf("the settings: %s", out)
	}
	if out := c.says(exitUsage, "record", "copy", "/nowhere.db", "local"); !strings.Contains(out, "there is no record at /nowhere.db") {
		t.Errorf("%s", out)
	}
}
