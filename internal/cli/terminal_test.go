//go:build !windows

package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/xpty"

	"nebula/internal/nebulatest"
)

// A sitting is a command in a terminal of its own, in a folder of its own, with a scripted model.
type sitting struct {
	t    *testing.T
	dir  string
	pty  *xpty.UnixPty
	mu   sync.Mutex
	out  bytes.Buffer
	done chan error
}

func sit(t *testing.T, answers []nebulatest.Answer, args ...string) *sitting {
	t.Helper()
	return sitWith(t, func(string) []string { return nil }, answers, args...)
}

// sitWith has variables that depend on where the model's server is.
func sitWith(t *testing.T, env func(server string) []string, answers []nebulatest.Answer, args ...string) *sitting {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	t.Parallel()
	server, err := nebulatest.Serve(answers...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "nebula")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL="+server.URL(), "NEBULA_HOME="+t.TempDir())
	cmd.Env = append(cmd.Env, env(server.URL())...)
	return seat(t, cmd)
}

// seat starts a command in a terminal of its own.
func seat(t *testing.T, cmd *exec.Cmd) *sitting {
	t.Helper()
	pty, err := xpty.NewUnixPty(100, 40)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	s := &sitting{t: t, dir: cmd.Dir, pty: pty, done: make(chan error, 1)}
	if err := pty.Start(cmd); err != nil {
		t.Fatal(err)
	}
	go func() {
		var buf [4096]byte
		for {
			n, err := pty.Read(buf[:])
			s.mu.Lock()
			s.out.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() { s.done <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = pty.Close() })
	return s
}

func (s *sitting) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// waits until text was shown so many times, and what was typed before it is gone.
func (s *sitting) waits(text string, times int) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); strings.Count(s.shown(), text) < times; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%q never came %d times:\n%s", text, times, s.shown())
		}
	}
	time.Sleep(50 * time.Millisecond)
}

func (s *sitting) types(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.pty, text); err != nil {
		s.t.Fatal(err)
	}
}

// ends waits for its end, and gives its exit code.
func (s *sitting) ends() (code int) {
	s.t.Helper()
	select {
	case err := <-s.done:
		if exited, is := errors.AsType[*exec.ExitError](err); is {
			code = exited.ExitCode()
		}
	case <-time.After(20 * time.Second):
		s.t.Fatalf("it goes on:\n%s", s.shown())
	}
	return code
}

func creates(path, content string) nebulatest.Answer {
	return nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "writeFile", Arguments: []byte(`{"path":"` + path + `","content":"` + content + `\n","reason":"as asked"}`)}}}
}

// TestRunAsksInATerminal and shows what would be done, and under which policy.
func TestRunAsksInATerminal(t *testing.T) {
	s := sit(t, []nebulatest.Answer{creates("a.txt", "hello from the model"), creates("b.txt", "x"), {Text: "Unverified: nothing to run"}}, "run", "make it")
	s.waits("Allow?", 1)
	s.types("yes\n")
	s.waits("Allow?", 2)
	s.types("no, use a better name\n")
	s.ends()
	for _, want := range []string{"approval: asks before it acts", "writeFile", "+hello from the model", "why: as asked"} {
		if !strings.Contains(s.shown(), want) {
			t.Errorf("%q is not shown:\n%s", want, s.shown())
		}
	}
	holds(t, filepath.Join(s.dir, "a.txt"), "hello from the model\n")
	if _, err := os.Stat(filepath.Join(s.dir, "b.txt")); err == nil {
		t.Error("what was refused was done")
	}
}

// TestRunThatWasRefusedEndsSo with 3 where nothing else was done, and with 0 where something was.
func TestRunThatWasRefusedEndsSo(t *testing.T) {
	for code, answers := range map[int][]string{3: {"no", "no"}, 0: {"no", "yes"}} {
		t.Run(answers[1], func(t *testing.T) {
			s := sit(t, []nebulatest.Answer{creates("a.txt", "a"), creates("b.txt", "b"), {Text: "Unverified: nothing to run"}}, "run", "make it")
			for i, said := range answers {
				s.waits("Allow?", i+1)
				s.types(said + "\n")
			}
			if got := s.ends(); got != code {
				t.Errorf("%d, not %d:\n%s", got, code, s.shown())
			}
		})
	}
}

// TestRunTakesNoAnswerThatWasTypedBefore types two lines at once: the second is before its question.
func TestRunTakesNoAnswerThatWasTypedBefore(t *testing.T) {
	s := sit(t, []nebulatest.Answer{creates("a.txt", "a"), creates("b.txt", "b"), {Text: "Unverified: nothing to run"}}, "run", "make it")
	s.types("y\ny\n")
	s.waits("What you typed before this was shown is no answer.", 1)
	s.types("yes\nyes\nhalf a li")
	s.waits("What you typed before this was shown is no answer.", 2)
	s.types("no\n")
	s.ends()
	holds(t, filepath.Join(s.dir, "a.txt"), "a\n")
	if _, err := os.Stat(filepath.Join(s.dir, "b.txt")); err == nil {
		t.Errorf("an answer from before was taken:\n%s", s.shown())
	}
}

// What the record speaks for is accepted with one key, and nothing before it was pressed.
func TestInsightsAreAcceptedWithOneKey(t *testing.T) {
	fails := nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "executeShell", Arguments: []byte(`{"command":"make moon","reason":"r"}`)}}}
	gone := nebulatest.Answer{Text: "It is not there."}
	server, err := nebulatest.Serve(fails, fails, gone, fails, fails, gone)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	self, err := os.Executable()
	program := filepath.Join(t.TempDir(), "nebula")
	if err = errors.Join(err, os.Symlink(self, program)); err != nil {
		t.Fatal(err)
	}
	dir, env := t.TempDir(), append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL="+server.URL(), "NEBULA_HOME="+t.TempDir())
	nebula := func(args ...string) *exec.Cmd {
		c := exec.Command(program, args...)
		c.Dir, c.Env = dir, env
		return c
	}
	notes := func() string {
		out, err := nebula("memory").Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, request := range []string{"call the moon", "call the moon again"} {
		if out, err := nebula("run", "--approve", "all", request).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	s := seat(t, nebula("insights"))
	s.waits("accept a number", 1)
	s.types("7") // there is no such number
	s.waits("accept a number", 2)
	if before := notes(); strings.Contains(before, "make moon fails here") {
		t.Fatal(before)
	}
	s.types("1")
	s.waits("accept a number", 3)
	if after := notes(); !strings.Contains(after, "make moon fails here") {
		t.Errorf("not accepted: %s\n%s", after, s.shown())
	}
	s.types("\r")
	if code := s.ends(); code != 0 {
		t.Errorf("exit code %d: %s", code, s.shown())
	}
}
