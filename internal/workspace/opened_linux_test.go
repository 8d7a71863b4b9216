package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula/internal/confine"
)

// That a command opened what holds secrets is seen however it ended: by itself, at its time limit, or as it was stopped.
func TestWhatWasOpenedIsSeenAtEveryEnd(t *testing.T) {
	d := boxed(t)
	if err := os.WriteFile(filepath.Join(d.Path(), ".env"), []byte("API_TOKEN=canary9182abcd77\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		line string
		time time.Duration
		stop bool
		want bool
	}{
		"itself":  {"rev .e*", 0, false, true},
		"time":    {"rev .e*; touch /tmp/done; sleep 60", time.Second, false, true},
		"stopped": {"rev .e*; sleep 60", 0, true, true},
		"deaf":    {"trap '' TERM; rev .e*; setsid sleep 60 & sleep 60", time.Second, false, true},
		"plain":   {"ls; sleep 60", time.Second, false, false},
	} {
		ctx, stop := context.WithCancel(t.Context())
		out := func([]byte) {
			if tt.stop {
				stop()
			}
		}
		e, err := d.Run(ctx, executing(t), Command{Line: tt.line, Timeout: max(tt.time*3, tt.time), Watch: true, View: true}, out)
		stop()
		if err != nil || e.Effects == nil {
			t.Fatal(name, err)
		}
		e.Effects.Drop()
		if got := slices.Equal(e.Opened, []string{".env"}); got != tt.want || e.Stopped != tt.stop || e.TimedOut != (tt.time > 0) {
			t.Errorf("%s: %q, %+v", name, e.Opened, e)
		}
	}
}

// What is forgotten leaves nothing at /tmp that those after it could tell: no name, no missing one, no rights, no time, no attribute. It is
// empty for them, whatever was there and whatever was done; a command that goes on beside it keeps what it has.
func TestNothingAtTmpTellsOfWhatIsForgotten(t *testing.T) {
	for _, line := range []string{
		"true", "rm /tmp/old/keep", "chmod 700 /tmp/old/keep", "touch -d 2001-01-01 /tmp/old", "mkdir -p /tmp/a/b; mkfifo /tmp/pipe; ln -s nowhere /tmp/away; mkdir /tmp/shut; echo x > /tmp/shut/f; chmod 0 /tmp/shut",
		"setfattr -n user.bit -v 1 /tmp/old/keep || true", "chmod 711 /tmp",
	} {
		d := boxed(t)
		runs(t, d, Command{Line: "mkdir -p /tmp/old/sub; echo x > /tmp/old/keep"})
		was := d.tmp()
		tried(t, d, line).Forget()
		left := runs(t, d, Command{Line: "find /tmp -mindepth 1" + without(d.Path(), os.Getenv("HOME"), os.TempDir()) + "; stat -c %a /tmp"})
		if got := strings.Fields(string(left.Output)); !slices.Equal(got, []string{"700"}) {
			t.Errorf("%s: %q", line, got)
		}
		if _, err := os.Lstat(was); !os.IsNotExist(err) {
			t.Errorf("%s: %s is left: %v", line, was, err)
		}
	}
}

// without has find pass over what of /tmp leads to folders that a command sees where they are.
func without(folders ...string) (tests string) {
	for _, f := range folders {
		if below, ok := strings.CutPrefix(f, "/tmp/"); ok {
			top, _, _ := strings.Cut(below, "/")
			tests += " -not -path '/tmp/" + top + "' -not -path '/tmp/" + top + "/*'"
		}
	}
	return tests
}

// A job keeps the /tmp that it began with, and it goes when the session ends.
func TestJobKeepsItsTmp(t *testing.T) {
	d := boxed(t)
	runs(t, d, Command{Line: "echo there > /tmp/f"})
	jobs := d.Jobs(t.TempDir(), nil)
	j, err := jobs.Start(executing(t), Command{Line: "read x; cat /tmp/f; read x"})
	if err != nil {
		t.Fatal(err)
	}
	was := d.tmp()
	tried(t, d, "true").Forget()
	if err := j.Feed(executing(t), "\n"); err != nil {
		t.Fatal(err)
	}
	if found := j.Await(t.Context(), regexp.MustCompile("there"), time.Minute); found == "" {
		t.Error("the job has lost it")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(was); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", was, err)
	}
}

// A cache that was changed is empty for those after it, and one that was not stays: what it costs to fill it is paid for nothing else.
func TestNothingInCachesTellsOfWhatIsForgotten(t *testing.T) {
	for line, stays := range map[string]bool{
		"cat made": true, "rm made": false, "chmod 600 made": false, "echo x > more": false, "rm real": false, "touch -d 2001-01-01 made": false,
	} {
		d, home := cached(t)
		in := "cd " + home + "/.cache; "
		runs(t, d, Command{Line: in + "echo x > made; chmod 644 made; echo x > other; python3 -c 1"})
		waited(t, d)
		tried(t, d, in+"python3 -c 1; "+line).Forget()
		waited(t, d)
		left := string(runs(t, d, Command{Line: in + "echo *; stat -c %a made; python3 -c 1"}).Output)
		if want := "made other real\n644\n"; stays != (left == want) || !stays && !strings.HasPrefix(left, "real\n") {
			t.Errorf("%s: %q", line, left)
		}
	}
}

// A file with secrets is one by each of its names, also those that it had before: a command that opens it by one that tells nothing is seen, and a
// search finds it empty by that. A file with further names that holds none is one like others.
func TestSecretsAreKnownByAllTheirNames(t *testing.T) {
	d := boxed(t)
	laid(t, d, map[string]string{".env": "API_TOKEN=canary9182abcd77\n", "plain": "API_TOKEN=ordinary\n", "docs/x": ""})
	for from, to := range map[string]string{".env": "docs/notes.txt", "plain": "docs/plain.txt"} {
		if err := os.Link(filepath.Join(d.Path(), from), filepath.Join(d.Path(), to)); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string][]string{"rev docs/notes.txt": {"docs/notes.txt"}, "rev docs/*": {"docs/notes.txt"}, "rev docs/plain.txt plain": nil, "rev .env": {".env"}} {
		e, err := d.Run(t.Context(), executing(t), Command{Line: line, Watch: true, View: true}, nil)
		if err != nil || e.Effects == nil {
			t.Fatal(line, err)
		}
		e.Effects.Drop()
		if !slices.Equal(e.Opened, want) {
			t.Errorf("%s: %q", line, e.Opened)
		}
	}
	if e := runs(t, d, Command{Line: "grep -rc TOKEN docs | sort", Blank: true}); string(e.Output) != "docs/notes.txt:0\ndocs/plain.txt:1\ndocs/x:0\n" {
		t.Errorf("%s", e.Output)
	}
	for path, want := range map[string]string{"docs/notes.txt": ".env", "docs/plain.txt": "", ".env": "", "plain": "", "none": ""} {
		if kin := d.Kin(path); kin != want {
			t.Errorf("%s is %q", path, kin)
		}
	}
}

// cached is a folder of somebody who has a cache.
func cached(t *testing.T) (d *Dir, home string) {
	t.Helper()
	home = t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(home, ".cache"), 0o700), os.WriteFile(filepath.Join(home, ".cache", "real"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	d = opened(t)
	d.Guarded()
	if !d.Confine(confine.Place{Home: home, Environ: func(string) string { return "" }, Kept: t.TempDir()}, confine.Probe) {
		t.Fatal("no box")
	}
	return d, home
}

// waited waits until what is written has a later time than what was, and until the layers are free.
func waited(t *testing.T, d *Dir) {
	t.Helper()
	locks, err := filepath.Glob(filepath.Join(d.boxes.place.Kept, "*", "lock"))
	if err != nil || len(locks) == 0 {
		t.Fatal("no layers", err)
	}
	for _, lock := range locks {
		for free := false; !free; time.Sleep(time.Millisecond) {
			f, err := os.Open(lock)
			if err == nil {
				free, err = hold(f)
			}
			if err = errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	var first int64
	for {
		probe := filepath.Join(t.TempDir(), "tick")
		if err := os.WriteFile(probe, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		st, err := lstatPath(probe)
		if err != nil {
			t.Fatal(err)
		}
		if first == 0 {
			first = st.mark().ctime
		}
		if st.mark().ctime > first {
			return
		}
	}
}
