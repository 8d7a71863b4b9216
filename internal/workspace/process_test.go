package workspace

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/nebulatest"
)

// TestMain lets the test binary be the guard of a test's commands.
func TestMain(m *testing.M) {
	if Guardian(os.Args) || confine.Inside(os.Args) {
		return
	}
	os.Exit(m.Run())
}

// executing is a grant that lets commands run, opened as the agent opens it.
func executing(t testing.TB) *nebula.Grant {
	t.Helper()
	p := nebula.Proposal{Action: nebula.Action{ID: "a1", Tool: "executeShell"}, Effect: nebula.Execute}
	g := nebula.NewGrant("g1", "test", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	return g
}

func opened(t testing.TB) *Dir {
	t.Helper()
	d, err := Open(t.TempDir(), inMemory())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func inMemory() nebula.Contents { return nebulatest.Shelf{Keeper: contents{}} }

// contents is a record of pre-images in memory.
type contents map[string][]byte

func (c contents) Keep(_ context.Context, data []byte) (string, error) {
	hash := nebula.Hash(data)
	c[hash] = bytes.Clone(data)
	return hash, nil
}

func (c contents) Content(_ context.Context, hash string) ([]byte, error) {
	data, ok := c[hash]
	if !ok {
		return nil, errors.New("no such content")
	}
	return data, nil
}

// behindGuards is a folder whose commands have guards.
func behindGuards(t testing.TB) *Dir {
	t.Helper()
	d := opened(t)
	d.Guarded()
	return d
}

// ways are the folders of tests that hold with and without guards.
var ways = map[string]func(testing.TB) *Dir{"": opened, " guarded": behindGuards}

func ran(t *testing.T, d *Dir, c Command) Exit {
	t.Helper()
	e, err := d.Run(t.Context(), executing(t), c, nil)
	if err != nil {
		t.Fatalf("%s: %v", c.Line, err)
	}
	return e
}

func skipWithoutShell(t testing.TB) {
	if runtime.GOOS == "windows" {
		t.Skip("the command lines are sh's")
	}
}

func TestCommandWithoutGrantDoesNotRun(t *testing.T) {
	d := opened(t)
	closed := executing(t)
	closed.Close()
	for _, g := range []*nebula.Grant{nil, {}, closed} {
		_, err := d.Run(t.Context(), g, Command{Line: "echo x > made"}, nil)
		if !errors.Is(err, nebula.ErrNoGrant) {
			t.Errorf("error %v, want ErrNoGrant", err)
		}
	}
	if _, err := os.Stat(filepath.Join(d.Path(), "made")); err == nil {
		t.Error("the command ran")
	}
}

func TestCommandEnds(t *testing.T) {
	skipWithoutShell(t)
	d := behindGuards(t)
	tests := []struct {
		line, output string
		code         int
	}{
		{"echo out; echo err >&2", "out\nerr\n", 0},
		{"exit 3", "", 3},
		{"kill -9 $$", "", 137},
		{"cat; echo read nothing", "read nothing\n", 0},
		{"no-such-program-here 2>/dev/null", "", 127},
		{`printf 'a\000b\377'`, "a\x00b\xff", 0},
		{"basename \"$PWD\"; basename \"$(pwd)\"", filepath.Base(d.Path()) + "\n" + filepath.Base(d.Path()) + "\n", 0},
	}
	for _, tt := range tests {
		e := ran(t, d, Command{Line: tt.line})
		if string(e.Output) != tt.output || e.Code != tt.code || e.Cut || e.Left != 0 {
			t.Errorf("%s: %q code %d cut %v left %d, want %q code %d", tt.line, e.Output, e.Code, e.Cut, e.Left, tt.output, tt.code)
		}
	}
}

func TestCommandHasNoTerminal(t *testing.T) {
	skipWithoutShell(t)
	e := ran(t, opened(t), Command{Line: "(: </dev/tty) 2>/dev/null && echo terminal || echo none"})
	if string(e.Output) != "none\n" {
		t.Errorf("output %q", e.Output)
	}
}

func TestCommandIsKilledAtItsLimit(t *testing.T) {
	skipWithoutShell(t)
	e := ran(t, opened(t), Command{Line: "trap '' TERM; echo begun; sleep 50; sleep 50", Timeout: 200 * time.Millisecond})
	if !e.TimedOut || e.Signal == "" || string(e.Output) != "begun\n" {
		t.Errorf("%+v", e)
	}
	if e.Took > time.Second {
		t.Errorf("took %v", e.Took)
	}
}

func TestCommandGetsTimeToCleanUp(t *testing.T) {
	skipWithoutShell(t)
	e := ran(t, opened(t), Command{Line: "trap 'echo cleaned; exit 7' TERM; echo begun; sleep 50 & wait", Timeout: 200 * time.Millisecond})
	if string(e.Output) != "begun\ncleaned\n" || e.Code != 7 {
		t.Errorf("%q code %d", e.Output, e.Code)
	}
}

func TestCancelledCommandIsGoneWithin200ms(t *testing.T) {
	skipWithoutShell(t)
	lines := map[string]string{
		"plain":        "echo up; sleep 100",
		"pipeline":     "echo up; sleep 100 | cat",
		"children":     "sleep 100 & sleep 100 & echo up; wait",
		"stubborn":     "trap '' TERM INT HUP; echo up; while :; do sleep 100; done",
		"stopped":      "echo up; kill -STOP $$",
		"own session":  "setsid -w sh -c 'trap \"\" TERM; echo up; sleep 100'",
		"left session": "echo up; setsid sh -c 'trap \"\" TERM; sleep 100' & sleep 100",
		"noisy":        "echo up; yes",
		"job control":  "set -m; sleep 100 & echo up; wait",
		"subshells":    "(((sleep 100 &) &) &); echo up; sleep 100",
		"without env":  "env -i setsid sleep 100 & echo up; sleep 100",
		"many of them": "for i in 1 2 3 4 5 6 7 8 9 10; do setsid nohup sleep 100 & done; echo up; wait",
	}
	for name, line := range lines {
		for way, folder := range ways {
			t.Run(name+way, func(t *testing.T) {
				d := folder(t)
				var took time.Duration
				for range 10 { // a busy machine may be late some of the times
					if took = cancelled(t, d, line); took < 200*time.Millisecond {
						break
					}
				}
				if took > 200*time.Millisecond {
					t.Errorf("took %v", took)
				}
				noneLeft(t, d)
			})
		}
	}
}

// cancelled runs a line, cancels it as soon as it says that it is up, and returns how long the rest took.
func cancelled(t *testing.T, d *Dir, line string) time.Duration {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	e, err := d.Run(ctx, executing(t), Command{Line: line}, func(b []byte) {
		if at.IsZero() && bytes.Contains(b, []byte("up")) {
			time.Sleep(20 * time.Millisecond)
			at = time.Now()
			cancel()
		}
	})
	if err != nil || !e.Stopped {
		t.Fatalf("%+v, %v", e, err)
	}
	return time.Since(at)
}

func TestNothingIsLeftRunning(t *testing.T) {
	skipWithoutShell(t)
	lines := map[string]string{
		"background":     "sleep 100 &",
		"quiet":          "sleep 100 >/dev/null 2>&1 &",
		"nohup":          "nohup sleep 100 >/dev/null 2>&1 &",
		"setsid":         "setsid sleep 100 &",
		"setsid -f":      "setsid -f sleep 100",
		"disown":         "sleep 100 & disown",
		"double fork":    "(setsid sh -c '(sleep 100 &) ; exit 0' &)",
		"closed streams": "setsid sh -c 'exec sleep 100' <&- >&- 2>&- &",
		"without env":    "env -i setsid sleep 100 &",
		"daemon": `python3 - <<'E'
import os, time, signal
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.chdir('/'); os.environ.clear()
        for fd in range(3): os.close(fd)
        time.sleep(100)
    os._exit(0)
os.wait()
E`,
		"first thread gone": `python3 -c "
import ctypes, os, threading, time
threading.Thread(target=time.sleep, args=(100,)).start()
open('up', 'w').close()
ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)" &
until [ -e up ]; do sleep 0.05; done; sleep 0.1`,
	}
	for name, line := range lines {
		for way, folder := range ways {
			t.Run(name+way, func(t *testing.T) {
				if runtime.GOOS != "linux" && (strings.Contains(line, "setsid") || name == "daemon" || name == "first thread gone") {
					t.Skip("found for certain on Linux only")
				}
				d := folder(t)
				e := ran(t, d, Command{Line: line})
				if e.Code != 0 || e.Left == 0 {
					t.Errorf("code %d, %d left to end, output %q", e.Code, e.Left, e.Output)
				}
				if e.Took > 10*time.Second { // what is left would sleep for 100
					t.Errorf("took %v", e.Took)
				}
				noneLeft(t, d)
			})
		}
	}
}

// noneLeft fails when a process runs, or lies unburied, below this one.
func noneLeft(t *testing.T, d *Dir) {
	t.Helper()
	if err := d.Close(); err != nil { // the guards go
		t.Error(err)
	}
	for pid, mark := range commands.leaders.Range {
		t.Errorf("leader remembered: %v, %v", pid, mark)
	}
	if runtime.GOOS != "linux" {
		return
	}
	proc, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	parent := strconv.Itoa(os.Getpid())
	for _, path := range proc {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		if f[1] == parent {
			t.Errorf("left: %s", data)
		}
	}
}

func TestCommandsSideBySideDoNotEndEachOther(t *testing.T) {
	skipWithoutShell(t)
	d := behindGuards(t)
	long := make(chan Exit)
	g := executing(t)
	go func() {
		e, _ := d.Run(t.Context(), g, Command{Line: "setsid sleep 0.5 & sh -c 'sleep 0.5; echo whole' & wait; echo end"}, nil)
		long <- e
	}()
	for range 5 {
		ran(t, d, Command{Line: "setsid sleep 100 & sleep 0.05"})
	}
	if e := <-long; string(e.Output) != "whole\nend\n" || e.Code != 0 {
		t.Errorf("%q code %d signal %s", e.Output, e.Code, e.Signal)
	}
	noneLeft(t, d)
}

func TestLongOutputKeepsHeadAndTail(t *testing.T) {
	skipWithoutShell(t)
	var live int64
	e, err := opened(t).Run(t.Context(), executing(t), Command{Line: "seq 1 200000", Cap: 3000}, func(b []byte) { live += int64(len(b)) })
	if err != nil {
		t.Fatal(err)
	}
	if !e.Cut || len(e.Output) != 3000 || e.Total != 1288895 || live != e.Total || e.Head != 1000 {
		t.Errorf("cut %v, %d of %d bytes, live %d, head %d", e.Cut, len(e.Output), e.Total, live, e.Head)
	}
	if !bytes.HasPrefix(e.Output, []byte("1\n2\n")) || !bytes.HasSuffix(e.Output, []byte("199999\n200000\n")) {
		t.Error("head or tail is missing")
	}
}

func TestOutlineIsHeadAndTailOfWhatCame(t *testing.T) {
	whole := bytes.Repeat([]byte("0123456789abcdefghij!"), 50)
	for _, limit := range []int{2, 3, 7, 100, 1049, 1050, 1051, 5000} {
		for _, step := range []int{1, 3, 64, 5000} {
			o := newOutline(limit)
			for part := range slices.Chunk(whole, step) {
				o.add(part)
			}
			data, head, total := o.kept()
			want := whole
			if len(whole) > limit {
				want = slices.Concat(whole[:head], whole[len(whole)-(limit-head):])
			}
			if !bytes.Equal(data, want) || total != int64(len(whole)) {
				t.Fatalf("limit %d step %d: %q", limit, step, data)
			}
		}
	}
}

func TestCommandSeesNoSecrets(t *testing.T) {
	drop := []string{
		"OPENAI_API_KEY=x", "OPENAI_BASE_URL=http://x", "ANTHROPIC_API_KEY=x", "AWS_SECRET_ACCESS_KEY=x", "AWS_PROFILE=x",
		"GITHUB_TOKEN=x", "GH_TOKEN=x", "NPM_TOKEN=x", "DB_PASSWORD=x", "MYSQL_PWD=x", "PGPASSWORD=x", "CLIENT_SECRET=x",
		"MYAPIKEY=x", "SSH_PRIVATE_KEY=x", "STRIPE_KEY=x", "npm_config__auth=x", "GIT_ASKPASS=/x", "GOOGLE_APPLICATION_CREDENTIALS=/x",
		"LANG=sk-abcdefghijklmnopqrstuvwx", "TZ=ghp_0123456789abcdefghijABCDEFGHIJ012345", "LC_ALL=AKIAIOSFODNN7EXAMPLE",
		"PIP_INDEX_URL=https://user:hunter2@pip.example.com/x", "GOFLAGS=prefix-known-value-suffix", "NEBULA_HOME=/x", "SESSION_COOKIE=x",
		"BASH_ENV=/x", "CI=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc", "HOMEBREW_GITHUB_API_TOKEN=x", "UV_PUBLISH_PASSWORD=x",
		"UNHEARD_OF=1", "DATABASE_URL=postgres://localhost/x", "GIT_CONFIG_VALUE_0=x", "LD_PRELOAD=/x.so", "ALSO_ADDED=known-value",
		"SSH_AUTH_SOCK=/tmp/agent",
	}
	keep := []string{
		"PATH=/bin", "HOME=/root", "LANG=ja_JP.UTF-8", "GOFLAGS=-mod=mod", "GOPROXY=https://proxy.golang.org", "USER=me", "SHELL=/bin/zsh",
		"TOKENIZERS_PARALLELISM=false", "HTTPS_PROXY=http://u:p@proxy:3128", "https_proxy=http://proxy:3128",
		"VIRTUAL_ENV=/v", "CI=", "CGO_ENABLED=0", "NODE_ENV=test", "npm_config_cache=/c", "PYTHONPATH=/p", "JAVA_HOME=/j", "CARGO_HOME=/c",
		"RUSTFLAGS=-g", "LC_ALL=C", "ADDED=1", "ADDED_PASSWORD=x", "Path=C", "PROGRAMFILES(X86)=C",
	}
	got := Environment(append(slices.Clone(drop), keep...), []string{"ADDED", "ADDED_PASSWORD", "ALSO_ADDED"}, []string{"known-value", ""})
	for _, v := range drop {
		if slices.Contains(got, v) {
			t.Errorf("%s is passed on", v)
		}
	}
	for _, v := range keep {
		if !slices.Contains(got, v) {
			t.Errorf("%s is missing", v)
		}
	}
	if named := "SSH_AUTH_SOCK=/tmp/agent"; !slices.Contains(Environment([]string{named}, []string{"SSH_AUTH_SOCK"}, nil), named) {
		t.Error("the agent's socket is not passed on where the settings name it")
	}
	if !slices.Contains(got, "NPM_CONFIG_UPDATE_NOTIFIER=false") || !slices.Contains(got, "PIP_DISABLE_PIP_VERSION_CHECK=1") {
		t.Error("hints about newer releases are not turned off")
	}
	if !slices.Contains(got, "GIT_TERMINAL_PROMPT=0") || !slices.Contains(got, "TERM=dumb") {
		t.Error("prompts are not turned off")
	}
}

func TestSecretOfThisProcessStaysHere(t *testing.T) {
	skipWithoutShell(t)
	t.Setenv("OPENAI_API_KEY", "canary-value")
	t.Setenv("INNOCENT", "canary-value")
	e := ran(t, opened(t), Command{Line: "env; cat /proc/self/environ 2>/dev/null", Secrets: []string{"canary-value"}})
	if bytes.Contains(e.Output, []byte("canary")) || bytes.Contains(e.Output, []byte("INNOCENT=")) || bytes.Contains(e.Output, []byte("OPENAI_API_KEY=")) || !bytes.Contains(e.Output, []byte("PATH=")) {
		t.Errorf("%s", e.Output)
	}
}

func TestVanishedFolderIsNamed(t *testing.T) {
	d := opened(t)
	g := executing(t)
	os.RemoveAll(d.Path())
	_, err := d.Run(t.Context(), g, Command{Line: "echo"}, nil)
	if err == nil || !strings.Contains(err.Error(), d.Path()) || !strings.Contains(err.Error(), "moved or removed") {
		t.Errorf("error %v", err)
	}
}

func TestEmptyCommandIsAMistake(t *testing.T) {
	for _, line := range []string{"", " \n", "echo \x00"} {
		_, err := opened(t).Run(t.Context(), executing(t), Command{Line: line}, nil)
		if m := (*nebula.Mistake)(nil); !errors.As(err, &m) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	skipWithoutShell(b)
	for way, folder := range ways {
		b.Run("shell"+way, func(b *testing.B) {
			d := folder(b)
			g := executing(b)
			for b.Loop() {
				if _, err := d.Run(b.Context(), g, Command{Line: ":"}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A command that ends looks for what it left running; what is just being started beside it is none of it.
func TestCommandsSideBySideLeaveEachOtherAlone(t *testing.T) {
	skipWithoutShell(t)
	d := behindGuards(t)
	var all sync.WaitGroup
	for range 4 {
		g := executing(t)
		all.Go(func() {
			for range 60 {
				e, err := d.Run(t.Context(), g, Command{Line: "true"}, nil)
				if err != nil || e.Code != 0 || e.Signal != "" {
					t.Errorf("%+v, %v", e, err)
					return
				}
			}
		})
	}
	all.Wait()
}
