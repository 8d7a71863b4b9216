package workspace

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What steers other programs stays as it is at every depth, in folders that were added too, and by whatever way it is
// reached. What is new of it is put aside, and a repository that is new has nothing that git would run.
func TestWhatSteersIsHeldEverywhere(t *testing.T) {
	const bareLayout = "mkdir -p objects refs; echo ref: refs/heads/m > HEAD; echo evil > config"
	for name, tt := range map[string]struct {
		before, line string
		git          bool
		good         string // a file that is to say good
		gone         string // a path where nothing is to be
		aside        string
	}{
		"a nested repository's settings": {before: "git init -q sub; echo good > sub/.git/config", line: "echo evil > sub/.git/config", good: "sub/.git/config"},
		"and with git":                   {before: "git init -q sub; echo good > sub/.git/config", line: "git --version; echo evil > sub/.git/config", git: true, good: "sub/.git/config"},
		"its hooks":                      {before: "git init -q sub", line: "mkdir -p sub/.git/hooks; echo evil > sub/.git/hooks/pre-commit", gone: "sub/.git/hooks/pre-commit"},
		"a submodule's file":             {before: "mkdir sub; echo good > sub/.git", line: "echo evil > sub/.git; rm -f sub/.git", good: "sub/.git"},
		"the folder around it":           {before: "mkdir sub; echo good > sub/AGENTS.md", line: "mv sub two; mkdir sub; echo evil > sub/AGENTS.md; echo evil > two/AGENTS.md", good: "two/AGENTS.md", gone: "sub/AGENTS.md", aside: "sub/AGENTS.md.changed"},
		"instructions below":             {before: "mkdir -p a/b/.vscode; echo good > a/b/.vscode/tasks.json", line: "echo evil > a/b/.vscode/tasks.json; echo evil > a/b/claude.md", good: "a/b/.vscode/tasks.json", gone: "a/b/claude.md", aside: "a/b/claude.md.changed"},
		"another spelling":               {line: "echo evil > agents.md", gone: "agents.md", aside: "agents.md.changed"},
		"a work space":                   {line: "echo evil > x.code-workspace", gone: "x.code-workspace", aside: "x.code-workspace.changed"},
		"a file by its folder":           {line: "mkdir .cargo; echo evil > .cargo/config.toml; echo fine > .cargo/x", gone: ".cargo/config.toml", aside: ".cargo/config.toml.changed"},
		"a bare layout":                  {line: bareLayout, gone: "HEAD", aside: "HEAD.changed"},
		"a bare layout below":            {line: "mkdir s; cd s; " + bareLayout, gone: "s/HEAD", aside: "s/HEAD.changed"},
		"a bare repository's settings":   {before: "git init -q --bare s; echo good > s/config", line: "echo evil > s/config", good: "s/config"},
		"a repository without git":       {line: "mkdir .git; cd .git; " + bareLayout, gone: ".git/config", aside: ".git/config.changed"},
		"a repository of git's own":      {line: "git init -q && git config user.name good", git: true, gone: ".git/config.changed"},
		"its settings":                   {line: "git init -q && git config core.fsmonitor evil", git: true, gone: ".git/config", aside: ".git/config.changed"},
		"its settings on one line":       {line: "git init -q && echo '[core] fsmonitor = evil' >> .git/config", git: true, gone: ".git/config", aside: ".git/config.changed"},
		"a new repository's hooks":       {line: "git init -q && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit", git: true, gone: ".git/hooks", aside: ".git/hooks.changed"},
		"a link for a repository":        {line: "mkdir e; ln -s e .git", git: true, gone: ".git", aside: ".git.changed"},
		"a file for a repository":        {line: "mkdir e; echo gitdir: e > .git", git: true, gone: ".git", aside: ".git.changed"},
		"a link that led nowhere":        {before: "ln -s build/ag AGENTS.md; ln -s build/vs .vscode", line: "mkdir -p build/vs; echo evil > build/ag", gone: "AGENTS.md/", aside: "build/ag.changed build/vs.changed"},
		"a hard link":                    {before: "echo good > AGENTS.md; ln AGENTS.md hard", line: "echo evil > hard", good: "AGENTS.md"},
		"a hard link to a repository's":  {before: "git init -q; echo good > .git/config; ln .git/config hard", line: "echo evil > hard", good: ".git/config"},
		"what a rebase goes on with":     {before: "git init -q", line: "git --version; mkdir .git/rebase-merge; echo exec evil > .git/rebase-merge/git-rebase-todo", git: true, gone: ".git/rebase-merge/git-rebase-todo", aside: ".git/rebase-merge/git-rebase-todo.changed"},
		"a rebase that the person began": {before: "git init -q; mkdir .git/rebase-merge; echo good > .git/rebase-merge/git-rebase-todo; echo exec mine > .git/rebase-merge/x", line: "git --version", git: true, good: ".git/rebase-merge/git-rebase-todo"},
		"what packages bring":            {line: "mkdir -p node_modules/x; echo good > node_modules/x/.npmrc", good: "node_modules/x/.npmrc"},
		"a repository among them":        {before: "git init -q node_modules/x; echo good > node_modules/x/.git/config", line: "echo evil > node_modules/x/.git/config", good: "node_modules/x/.git/config"},
		"a work tree":                    {before: "git init -q; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x", line: "git worktree add -q wt && echo good > wt/f && git -C wt status -s", git: true, good: "wt/f"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, further := range []bool{false, true} {
				top, err := filepath.EvalSymlinks(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				c := exec.Command("/bin/sh", "-c", tt.before+"\n:")
				c.Dir = top
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("%v %s", err, out)
				}
				d := boxedBy(t, top, further)
				e, err := d.Run(t.Context(), executing(t), Command{Line: "cd " + top + "; " + tt.line, Repository: tt.git}, nil)
				slices.Sort(e.Aside)
				var aside []string
				for _, a := range e.Aside {
					aside = append(aside, strings.TrimPrefix(a, top+"/"))
				}
				if err != nil || strings.Join(aside, " ") != tt.aside || e.Held == 0 {
					t.Errorf("further %v: put aside %q, not %q; %v %s", further, aside, tt.aside, err, e.Output)
				}
				if data, _ := os.ReadFile(filepath.Join(top, tt.good)); tt.good != "" && string(data) != "good\n" {
					t.Errorf("further %v: %s: %q; %s", further, tt.good, data, e.Output)
				}
				if _, err := os.Stat(filepath.Join(top, tt.gone)); tt.gone != "" && err == nil {
					t.Errorf("further %v: %s is there", further, tt.gone)
				}
			}
		})
	}
}

// boxedBy gives a folder that is confined, or another to which it was added.
func boxedBy(t *testing.T, top string, further bool) *Dir {
	t.Helper()
	if !further {
		return boxedAt(t, top)
	}
	d, err := Open(t.TempDir(), inMemory())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := d.Add(top); err != nil {
		t.Fatal(err)
	}
	confined(t, d)
	return d
}

// A program that listens in the folder is not reached by a command.
func TestSocketsInTheFolderAreNotThere(t *testing.T) {
	d := boxed(t)
	t.Chdir(d.Path())
	l, err := net.Listen("unix", "dev.sock") // a path that is not absolute tells nobody where it is
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	line := `python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("dev.sock"); print("reached")'`
	for _, outside := range []bool{true, false} {
		e, err := d.Run(t.Context(), executing(t), Command{Line: line, Outside: outside}, nil)
		if err != nil || strings.Contains(string(e.Output), "reached") != outside {
			t.Errorf("outside %v: %q %v", outside, e.Output, err)
		}
	}
}

// What a command could not change is not told as its work, and what was put aside is not undone with it: the person may
// have made both while it ran.
func TestWhatThePersonDidBesideIsNotTheCommands(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	person := func(line string) {
		t.Helper()
		c := exec.Command("/bin/sh", "-c", line)
		c.Dir = top
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	person("git init -q there; echo x > AGENTS.md")
	d, err := Open(top, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	d.Cover(t.TempDir(), DefaultBudget)
	confined(t, d)
	s, err := d.Snapshot(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	began := make(chan struct{})
	go func() {
		<-began
		person("git init -q; git -C there -c user.name=a -c user.email=a@b commit -q --allow-empty -m x; echo y > new; mv new AGENTS.md; echo mine > CLAUDE.md; touch done")
	}()
	e, err := d.Run(t.Context(), executing(t), Command{Line: "echo up; while [ ! -e done ]; do sleep 0.05; done; echo x > own"}, func([]byte) {
		select {
		case <-began:
		default:
			close(began)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Except(e.Untouched...)
	changes, err := s.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, c := range changes {
		if c.Kind != "time" {
			paths = append(paths, c.Path)
		}
	}
	if got := strings.Join(paths, " "); got != "done own" || strings.Join(e.Aside, " ") != "CLAUDE.md.changed" {
		t.Errorf("%s; put aside %q", got, e.Aside)
	}
	person("git status && git -C there log -1")
}
