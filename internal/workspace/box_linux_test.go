package workspace

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"nebula/internal/confine"
)

func boxed(t testing.TB) *Dir {
	t.Helper()
	if held, err := confine.Probe(); err != nil {
		t.Fatalf("%s: %v", held, err)
	}
	d := opened(t)
	confined(t, d)
	return d
}

func boxedAt(t testing.TB, dir string) *Dir {
	t.Helper()
	d, err := Open(dir, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	confined(t, d)
	return d
}

func confined(t testing.TB, d *Dir) {
	t.Helper()
	d.Guarded()
	if !d.Confine(confine.Place{Home: os.Getenv("HOME"), Environ: os.Getenv, Kept: t.TempDir()}, confine.Probe) {
		t.Fatal("no box")
	}
}

// A guarded folder's commands run in a box, also one after another and between those that do not.
func TestCommandsRunInABox(t *testing.T) {
	d := boxed(t)
	outside := filepath.Join(t.TempDir(), "f")
	for i, tt := range []struct {
		c    Command
		want string
		code int
		left int
	}{
		{Command{Line: "echo hi > a; cat a; exit 3"}, "hi\n", 3, 0},
		{Command{Line: "echo hi > " + outside}, "No such file", 1, 0},
		{Command{Line: "echo hi > " + outside + "; cat " + outside, Outside: true}, "hi\n", 0, 0},
		{Command{Line: "sleep 100 & (setsid sleep 100 &) ; echo up"}, "up\n", 0, 2},
		{Command{Line: "kill -SEGV $$"}, "", 139, 0},
		{Command{Line: "echo $$ $PPID"}, "1\n", 0, 0},
	} {
		e, err := d.Run(t.Context(), executing(t), tt.c, nil)
		if err != nil {
			t.Fatal(i, err)
		}
		if e.Code != tt.code || e.Left != tt.left || !strings.Contains(string(e.Output), tt.want) || (e.Held == confine.All) == tt.c.Outside {
			t.Errorf("%s: code %d, left %d, %s: %q", tt.c.Line, e.Code, e.Left, e.Held, e.Output)
		}
	}
}

// A variable that leads out of the box is not in it, also where the settings name it; outside it is.
func TestNoVariableLeadsOutOfABox(t *testing.T) {
	t.Setenv("SSH_AUTH_SOCK", "/run/agent")
	d := boxed(t)
	for _, outside := range []bool{false, true} {
		e, err := d.Run(t.Context(), executing(t), Command{Line: "env", Outside: outside, Pass: []string{"SSH_AUTH_SOCK"}}, nil)
		if err != nil || strings.Contains(string(e.Output), "SSH_AUTH_SOCK=/run/agent") != outside {
			t.Errorf("outside %v: %v %s", outside, err, e.Output)
		}
	}
}

// What a command leaves in /tmp the next one finds, and nobody else.
func TestCommandsShareTheirTemporaryFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := boxed(t)
	for line, want := range map[string]string{"echo mine > /tmp/nebula-shared; cat /tmp/nebula-shared": "mine\n"} {
		if e, err := d.Run(t.Context(), executing(t), Command{Line: line}, nil); err != nil || string(e.Output) != want {
			t.Fatalf("%q %v", e.Output, err)
		}
	}
	if e, err := d.Run(t.Context(), executing(t), Command{Line: "cat /tmp/nebula-shared"}, nil); err != nil || string(e.Output) != "mine\n" {
		t.Errorf("%q %v", e.Output, err)
	}
	if _, err := os.Stat("/tmp/nebula-shared"); err == nil {
		t.Error("it is outside")
	}
	tmp := filepath.Dir(d.tmp())
	left, other := filepath.Join(tmp, scratchPrefix+"left"), boxed(t)
	if err := errors.Join(os.MkdirAll(left+"/closed", 0o700), os.Chmod(left+"/closed", 0o500), os.Chmod(left, 0o500)); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Run(t.Context(), executing(t), Command{Line: ":"}, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for path, stays := range map[string]bool{d.tmp(): false, left: false, other.tmp(): true} {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s, which is to stay when the folder is closed: %v; it does not: %v", path, stays, err)
		}
	}
}

func TestBoxEndsAtItsTime(t *testing.T) {
	d := boxed(t)
	for _, line := range []string{"echo up; sleep 100", "trap '' TERM; echo up; while :; do sleep 1; done"} {
		began := time.Now()
		e, err := d.Run(t.Context(), executing(t), Command{Line: line, Timeout: 300 * time.Millisecond}, nil)
		if err != nil || !e.TimedOut || time.Since(began) > 30*time.Second || string(e.Output) != "up\n" {
			t.Errorf("%+v %v", e, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	e, err := d.Run(ctx, executing(t), Command{Line: "echo up; sleep 100"}, func([]byte) { cancel() })
	if err != nil || !e.Stopped {
		t.Errorf("%+v %v", e, err)
	}
}

// What gives rights that last is not changed where it is there, and put aside where it was not: the person may have made it.
func TestPinnedFilesAreAsTheyWere(t *testing.T) {
	d := boxed(t)
	at := func(name string) string { return filepath.Join(d.Path(), name) }
	for _, name := range []string{"AGENTS.md", "rules.md"} {
		if err := os.WriteFile(at(name), []byte("mine\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"CLAUDE.md", "GEMINI.md"} {
		if err := os.Symlink("rules.md", at(name)); err != nil {
			t.Fatal(err)
		}
	}
	for i, tt := range []struct{ line, aside string }{
		{"echo evil > AGENTS.md; rm -f AGENTS.md; mv AGENTS.md x; echo evil > rules.md; echo evil > CLAUDE.md; echo fine > fine", ""},
		{"mkdir -p .git/hooks .vscode; echo evil > .git/hooks/pre-commit; echo x > .mcp.json", ".git/hooks.changed .mcp.json.changed .vscode.changed"},
		{"echo again > .mcp.json", ".mcp.json.changed.1"},
		{"echo evil > e; ln -s e .envrc", ".envrc.changed"},
		{"rm CLAUDE.md; ln -sf e GEMINI.md", "GEMINI.md.changed"},
	} {
		e, err := d.Run(t.Context(), executing(t), Command{Line: tt.line}, nil)
		slices.Sort(e.Aside)
		if err != nil || strings.Join(e.Aside, " ") != tt.aside {
			t.Errorf("%d: %q %v", i, e.Aside, err)
		}
		for _, name := range []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md"} {
			if data, _ := os.ReadFile(at(name)); string(data) != "mine\n" {
				t.Errorf("after %s: %s: %q", tt.line, name, data)
			}
		}
	}
	for _, name := range []string{".git/hooks", ".vscode", ".mcp.json", ".envrc"} {
		if _, err := os.Lstat(at(name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	if data, _ := os.ReadFile(at(".git/hooks.changed/pre-commit")); string(data) != "evil\n" {
		t.Errorf("what was put aside is lost: %q", data)
	}
}

// A socket of the machine's network cannot be reached, nor one of the box from outside.
func TestNetworkIsTheBoxsOwn(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d := boxed(t)
	port := l.Addr().(*net.TCPAddr).Port
	line := "exec 3<>/dev/tcp/127.0.0.1/" + strconv.Itoa(port) + " && echo reached"
	for _, outside := range []bool{true, false} {
		e, err := d.Run(t.Context(), executing(t), Command{Line: line, Outside: outside}, nil)
		if err != nil || strings.Contains(string(e.Output), "reached") != outside {
			t.Errorf("outside %v: %q %v", outside, e.Output, err)
		}
	}
}

// A work tree's repository is elsewhere: git commands change it, others do not, and what git runs later stays as it was. A
// file that names a repository which knows nothing of it leads nowhere.
func TestGitWorksWhereTheRepositoryIsElsewhere(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	main, tree, below := base+"/main", base+"/tree", base+"/main/sub"
	run := func(dir, line string) {
		t.Helper()
		c := exec.Command("/bin/sh", "-c", line)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", line, err, out)
		}
	}
	run(base, "git init -q main && cd main && git config user.name a && git config user.email a@b && mkdir sub && echo x > sub/f && git add . && git commit -qm one && git worktree add -q ../tree && git worktree add -q ../other")
	for _, dir := range []string{tree, below} {
		d := boxedAt(t, dir)
		for _, tt := range []struct {
			line string
			git  bool
			code int
		}{
			{"echo y > f && git add f && git commit -qm two && git stash list && git branch b && git log -1 --oneline", true, 0},
			{"git branch -D b", true, 0},
			{"git status --short && git log --oneline", false, 0},
			{"git commit -q --allow-empty -m three", false, 128},
			{"echo x >> " + main + "/.git/config", true, 1},
			{"echo x > " + main + "/.git/hooks/pre-commit", true, 1},
			{"echo " + base + " > " + main + "/.git/worktrees/other/commondir", true, 1},
			{"mv " + main + "/.git/worktrees " + main + "/.git/w", true, 1},
		} {
			e, err := d.Run(t.Context(), executing(t), Command{Line: tt.line, Repository: tt.git}, nil)
			if err != nil || e.Code != tt.code || e.Held == 0 {
				t.Errorf("in %s: %s: code %d, %s %v", dir, tt.line, e.Code, e.Output, err)
			}
		}
		e, err := d.Run(t.Context(), executing(t), Command{Line: "echo x > " + main + "/.git/commondir", Repository: true}, nil)
		if _, odd := os.Stat(main + "/.git/commondir"); err != nil || odd == nil || len(e.Aside) != 1 {
			t.Errorf("a file that leads git elsewhere stays: %+v %v", e, err)
		}
	}
	foreign := base + "/foreign"
	run(base, "mkdir foreign && cp tree/.git foreign/.git")
	d := boxedAt(t, foreign)
	if e, err := d.Run(t.Context(), executing(t), Command{Line: "echo x > " + main + "/.git/x", Repository: true}, nil); err != nil || e.Code == 0 {
		t.Errorf("a file led to the repository: %s %v", e.Output, err)
	}
}

// What is to be confined and cannot be does not run.
func TestNothingRunsOutsideOfItsBox(t *testing.T) {
	d, err := Open(t.TempDir(), inMemory())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if !d.Confine(confine.Place{Home: os.Getenv("HOME"), Environ: os.Getenv, Kept: t.TempDir()}, confine.Probe) || !d.boxes.tried() {
		t.Fatal("no box")
	}
	e, err := d.Run(t.Context(), executing(t), Command{Line: "echo ran > ran"}, nil) // nobody guards it
	if _, there := os.Stat(filepath.Join(d.Path(), "ran")); err == nil || there == nil || e.Started {
		t.Errorf("%+v %v", e, err)
	}
}
