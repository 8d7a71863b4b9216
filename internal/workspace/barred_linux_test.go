package workspace

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"nebula"
)

// What the person forbids to change stays as it is in the folder itself too, by whatever way a command goes about it, and what the person
// writes there meanwhile is not taken for the command's work.
func TestWhatIsForbiddenStaysWhateverACommandDoes(t *testing.T) {
	const bad = "echo bad > a.txt"
	for name, tt := range map[string]struct {
		line    string
		forbids string // a pattern; a.txt without one
		job     bool
		also    string // another file that is to say good
		gone    string
		free    string // a file that is to say bad
	}{
		"a shell":                {line: "echo bad > a.tx?; echo bad > b.txt", free: "b.txt"},
		"an alias":               {line: "git -c alias.x='!" + bad + "' x"},
		"a hook of a setting":    {line: "git -c core.fsmonitor='" + bad + ";true' status"},
		"an editor":              {line: "GIT_EDITOR='" + bad + ";true' git commit --amend"},
		"a rebase":               {line: "git rebase -x '" + bad + "' HEAD~1"},
		"another branch":         {line: "git checkout -f side"},
		"a merge":                {line: "git merge side"},
		"a tree":                 {line: "git read-tree -u --reset side"},
		"a stash":                {line: "git read-tree side; git checkout-index -fa"},
		"a rename":               {line: "mv a.txt z; echo bad > a.txt"},
		"over it":                {line: "echo bad > z; mv z a.txt"},
		"its removal":            {line: "rm -f a.txt"},
		"all of it":              {line: "rm -rf * .g*"},
		"its mode":               {line: "chmod 777 a.txt; truncate -s 0 a.txt"},
		"in the background":      {line: ": > a.txt; " + bad, job: true},
		"another name":           {line: "echo bad > hard.txt; cp b.txt sub/hard; rm -f hard.txt; mv sub/hard z; echo bad > z; echo bad > b.txt", free: "b.txt"},
		"another name, apart":    {line: ": > hard.txt; echo bad > sub/hard", job: true},
		"a folder":               {line: "echo bad > sub/f; rm sub/g; echo bad > sub/new; mv sub x; rmdir sub", forbids: "sub/*", also: "sub/f", gone: "sub/new"},
		"a folder without a box": {line: "echo bad > sub/f; echo bad > b.txt", forbids: "sub/f", also: "sub/f", free: "b.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, further := range []bool{false, true} {
				top, err := filepath.EvalSymlinks(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				c := exec.Command("/bin/sh", "-c", `git init -q -b main; git config user.name n; git config user.email a@b; mkdir sub; echo good > sub/f; echo good > sub/g; echo good > a.txt; echo good > b.txt
					git add .; git commit -qm one; git commit -qm two --allow-empty; git checkout -qb side; echo bad > a.txt; git commit -qam bad; git checkout -q main
					ln a.txt hard.txt; ln a.txt sub/hard`)
				c.Dir = top
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("%v %s", err, out)
				}
				d := boxedBy(t, top, further)
				told := map[bool]string{true: top + "/"}[further]
				run := Command{Line: "cd " + top + "; " + tt.line, Repository: true, Barred: func(f nebula.Target) bool {
					ok, _ := filepath.Match(told+cmp.Or(tt.forbids, "a.txt"), f.Path)
					return ok
				}}
				if tt.job {
					s, _ := jobsOf(t, d)
					j := started(t, s, run)
					j.Await(t.Context(), nil, 10*time.Second)
				} else if e, err := d.Run(t.Context(), executing(t), run, nil); err != nil || e.Held == 0 {
					t.Fatalf("%v %s", err, e.Output)
				}
				for file, want := range map[string]string{cmp.Or(tt.also, "a.txt"): "good\n", tt.free: "bad\n"} {
					if data, err := os.ReadFile(filepath.Join(top, file)); file != "" && string(data) != want {
						t.Errorf("further %v: %s is %q (%v)", further, file, data, err)
					}
				}
				if _, err := os.Stat(filepath.Join(top, tt.gone)); tt.gone != "" && err == nil {
					t.Errorf("further %v: %s is there", further, tt.gone)
				}
			}
		})
	}
}

// What somebody else writes at a forbidden place while a command runs is not the command's.
func TestWhatIsWrittenAtAForbiddenPlaceIsNobodysWork(t *testing.T) {
	d, elsewhere := boxed(t), t.TempDir()
	for _, name := range []string{"a.txt", "b.txt", "linked"} {
		if err := os.WriteFile(filepath.Join(d.Path(), name), []byte("good\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(d.Path(), "linked"), filepath.Join(elsewhere, "by")); err != nil {
		t.Fatal(err)
	}
	s, err := d.Snapshot(t.Context(), "a1")
	if err != nil {
		t.Fatal(err)
	}
	write := sync.OnceFunc(func() {
		for _, name := range []string{"a.txt", "go"} {
			if err := os.WriteFile(filepath.Join(d.Path(), name), []byte("mine\n"), 0o600); err != nil {
				t.Error(err)
			}
		}
	})
	e, err := d.Run(t.Context(), executing(t), Command{
		Line: "echo bad > b.txt; echo bad > " + elsewhere + "/by; echo ready; until [ -e go ]; do sleep 0.02; done; rm go", Timeout: 10 * time.Second,
		Needs:  Needs{Write: []string{elsewhere}}, // which holds another name of what is forbidden
		Barred: func(f nebula.Target) bool { return slices.Contains([]string{"a.txt", "linked"}, f.Path) },
	}, func([]byte) { write() })
	if err != nil || e.Code != 0 {
		t.Fatalf("%+v %v", e, err)
	}
	s.Except(e.Untouched...)
	changes, err := s.Changes(t.Context())
	var paths []string
	for _, c := range changes {
		if c.OfFile() {
			paths = append(paths, c.Path)
		}
	}
	if want := []string{"b.txt"}; err != nil || !slices.Equal(paths, want) {
		t.Errorf("%q, not %q; %v", paths, want, err)
	}
}
