//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

// A command that ran when nebula was killed is taken back by the next one.
func TestCommandCutOffByAKillIsTakenBack(t *testing.T) {
	b := newBed(t)
	for name, text := range map[string]string{"a": "1", "src/b": "2", ".env": "KEY=1"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(b.folder, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(b.folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "executeShell", Arguments: []byte(`{"command":"rm -rf src .env; echo 2 > a; echo 1 > new; sleep 60","reason":"r"}`)}}}
	}
	c := b.command("run", "--approve", "all", "clean up")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(b.folder, "new")); err == nil {
			break
		}
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	time.Sleep(time.Second) // the person's, when nothing of nebula's runs any more
	mine := filepath.Join(b.folder, "mine")
	if err := os.WriteFile(mine, []byte("m"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := b.output("undo")
	if _, err := os.Stat(mine); err != nil || strings.Contains(out, "mine") {
		t.Errorf("the person's: %v, and undo says\n%s", err, out)
	}
	for _, want := range []string{"a", "src/b", ".env", "new"} {
		if !strings.Contains(out, want+"\n") {
			t.Errorf("undo does not tell of %s:\n%s", want, out)
		}
	}
	for name, text := range map[string]string{"a": "1", "src/b": "2", ".env": "KEY=1"} {
		if data, err := os.ReadFile(filepath.Join(b.folder, name)); err != nil || string(data) != text {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if _, err := os.Stat(filepath.Join(b.folder, "new")); err == nil {
		t.Error("what it made is still there")
	}
	b.output("undo", "--redo")
	if data, _ := os.ReadFile(filepath.Join(b.folder, "a")); string(data) != "2\n" {
		t.Errorf("a is %q", data)
	}
}

// wrote has a session in which n.txt was written.
func (b *bed) wrote() {
	b.server.Answers = func(n int, _ []byte) *nebulatest.Answer {
		if n > 0 {
			return &nebulatest.Answer{Text: "Done."}
		}
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "writeFile", Arguments: []byte(`{"path":"n.txt","content":"n\n","reason":"r"}`)}}}
	}
	b.output("run", "--approve", "all", "write it")
}

// A file tool's change that nebula made, and did not come to record, is taken back at once, without that the session was
// gone on with.
func TestChangeThatWasNotRecordedIsTakenBack(t *testing.T) {
	b := newBed(t)
	b.wrote()
	b.torn()
	if out := b.output("undo"); !strings.Contains(out, "n.txt") {
		t.Errorf("undo says %q", out)
	}
	if _, err := os.Stat(filepath.Join(b.folder, "n.txt")); err == nil {
		t.Error("what it made is still there")
	}
}

// A change of several files that was cut off in the middle is taken back as far as it came.
func TestChangeThatWasCutOffIsTakenBack(t *testing.T) {
	b := newBed(t)
	const was = "package m\n\nvar alpha = 1\n"
	for _, name := range []string{"a.go", "b.go"} {
		if err := os.WriteFile(filepath.Join(b.folder, name), []byte(was), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.server.Answers = func(n int, _ []byte) *nebulatest.Answer {
		if n > 0 {
			return &nebulatest.Answer{Text: "Unverified: it is only a name."}
		}
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "patchFile", Arguments: []byte(`{"path":".","edits":[{"old":"alpha","new":"beta"}],"reason":"r"}`)}}}
	}
	_ = b.command("run", "--approve", "all", "rename it").Run()
	if data, _ := os.ReadFile(filepath.Join(b.folder, "a.go")); !strings.Contains(string(data), "beta") {
		t.Fatalf("nothing was renamed: %q", data)
	}
	b.torn(was)
	if err := os.WriteFile(filepath.Join(b.folder, "b.go"), []byte(was), 0o644); err != nil { // it did not come to this one
		t.Fatal(err)
	}
	if out := b.output("undo"); !strings.Contains(out, "a.go") {
		t.Errorf("undo says %q", out)
	}
	for _, name := range []string{"a.go", "b.go"} {
		if data, _ := os.ReadFile(filepath.Join(b.folder, name)); string(data) != was {
			t.Errorf("%s is %q", name, data)
		}
	}
}

// An undo, or a redo, that was cut off is gone on with before the other is done, whose word is always the last.
func TestUndoAndRedoThatWereCutOffAreNotInTheWay(t *testing.T) {
	for _, row := range []struct{ cut, then, want string }{
		{"undo", "undo", ""}, {"undo", "redo", "n\n"}, {"redo", "undo", ""}, {"redo", "redo", "n\n"},
	} {
		b := newBed(t)
		b.wrote()
		b.output("undo")
		b.output("undo", "--redo")
		b.cutAt(func(body nebula.Body) bool {
			u, is := body.(nebula.Undone)
			return is && u.Redo == (row.cut == "redo")
		}, "n\n")
		if row.cut == "redo" {
			if err := os.Remove(filepath.Join(b.folder, "n.txt")); err != nil { // it did not come to it
				t.Fatal(err)
			}
			if out, err := b.command("undo", "--preview").CombinedOutput(); err == nil || !strings.Contains(string(out), "settled first") {
				t.Errorf("%v: the preview says %q, %v", row, out, err)
			}
		}
		b.output(append([]string{"undo"}, map[string][]string{"redo": {"--redo"}}[row.then]...)...)
		if data, _ := os.ReadFile(filepath.Join(b.folder, "n.txt")); string(data) != row.want {
			t.Errorf("%v: n.txt is %q", row, data)
		}
	}
}

// torn has a home that knows of the folder's one session only what was recorded before its first result, as if nebula had been killed
// there, with what files were before.
func (b *bed) torn(before ...string) {
	b.t.Helper()
	b.cutAt(func(body nebula.Body) bool { _, is := body.(nebula.Finished); return is }, before...)
}

// cutAt has one that knows what was recorded before what ends it.
func (b *bed) cutAt(ends func(nebula.Body) bool, before ...string) {
	t := b.t
	t.Helper()
	whole, err := sqlite.Open(t.Context(), filepath.Join(b.home, "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	b.home = t.TempDir()
	torn, err := sqlite.Open(t.Context(), filepath.Join(b.home, "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(b.folder)
	if err != nil {
		t.Fatal(err)
	}
	list, err := whole.Sessions(t.Context(), dir)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	if err := torn.Create(t.Context(), nebula.SessionInfo{ID: list[0].ID, Dir: dir, Model: list[0].Model, Started: list[0].Started}); err != nil {
		t.Fatal(err)
	}
	for e, err := range whole.Load(t.Context(), list[0].ID) {
		if err != nil {
			t.Fatal(err)
		}
		if ends(e.Body) {
			break
		}
		if err := torn.Append(t.Context(), list[0].ID, e); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range before {
		if _, err := torn.Keep(t.Context(), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := torn.Close(); err != nil {
		t.Fatal(err)
	}
}

// That the record is gone, or a link to one leads nowhere, is said as what it is; where there never was one, nothing is to be taken back.
func TestUndoWithoutItsRecordSaysSo(t *testing.T) {
	b := newBed(t)
	record := filepath.Join(b.home, "nebula.db")
	for n, row := range []struct {
		link bool
		code int
		want string
	}{{false, 1, "no session has changed files here"}, {false, 5, "is gone, with 1 session; put it back from a copy"}, {true, 5, "is gone, with 1 session; put it back from a copy"}} {
		if n == 1 {
			b.wrote()
		}
		if row.code == 5 {
			for _, part := range []string{"", "-wal", "-shm"} {
				_ = os.Remove(record + part)
			}
		}
		if row.link {
			if err := os.Symlink(filepath.Join(b.home, "none"), record); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{{"undo"}, {"undo", "--preview"}, {"undo", "--redo"}} {
			c := b.command(args...)
			if out, _ := c.CombinedOutput(); c.ProcessState.ExitCode() != row.code || !strings.Contains(string(out), row.want) {
				t.Errorf("%+v %v: %d, %q", row, args, c.ProcessState.ExitCode(), out)
			}
		}
	}
}

// What an undo would do is shown before it is done, with what somebody wrote since, and touches nothing.
func TestUndoIsShownBefore(t *testing.T) {
	b := newBed(t)
	b.wrote()
	at := filepath.Join(b.folder, "n.txt")
	if err := os.WriteFile(at, []byte("\tmine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	c := b.command("undo", "--preview")
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil || !strings.Contains(out.String(), "mine") || !strings.Contains(errs.String(), "n.txt would be left as it is") {
		t.Errorf("%v: %q %q", err, out.String(), errs.String())
	}
	if data, err := os.ReadFile(at); err != nil || string(data) != "\tmine\n" {
		t.Errorf("it is %q, %v", data, err)
	}
}

// What an undo of a commit brought back is told in every language, and the commit is gone.
func TestUndoOfACommitIsTold(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		b := newBed(t)
		git := func(args ...string) string {
			c := exec.Command("git", append([]string{"-C", b.folder, "-c", "user.name=n", "-c", "user.email=e@e"}, args...)...)
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
			return string(out)
		}
		git("init", "-q")
		if err := os.WriteFile(filepath.Join(b.folder, "a"), []byte("1"), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", "a")
		git("commit", "-qm", "first")
		was := git("rev-parse", "HEAD")
		first := true
		b.server.Answers = func(int, []byte) *nebulatest.Answer {
			if !first {
				return &nebulatest.Answer{Text: "It is committed."}
			}
			first = false
			return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "executeShell", Arguments: []byte(`{"command":"git -c user.name=n -c user.email=e@e commit -q --allow-empty -m second","reason":"r"}`)}}}
		}
		b.output("--lang", lang, "run", "--approve", "all", "commit it")
		if git("rev-parse", "HEAD") == was {
			t.Fatal("nothing was committed")
		}
		if out := b.output("--lang", lang, "undo", "--preview"); !strings.Contains(out, ".git/") {
			t.Errorf("%s: the preview tells of nothing: %q", lang, out)
		}
		if out := b.output("--lang", lang, "undo"); !strings.Contains(out, ".git/") {
			t.Errorf("%s: undo tells of nothing: %q", lang, out)
		}
		if git("rev-parse", "HEAD") != was {
			t.Errorf("%s: the commit is still there", lang)
		}
	}
}
