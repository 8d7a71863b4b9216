//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

// start runs the program in a folder and home of its own, and waits until the server has its request.
func start(t *testing.T, server *nebulatest.Server, args ...string) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "nebula")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP) // what is not ignored here is not ignored there: these tests run under nohup too
	t.Cleanup(func() { signal.Stop(hangup) })
	c := exec.Command(path, args...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "NEBULA_HOME="+t.TempDir(), "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL="+server.URL())
	out := &strings.Builder{}
	c.Stdout, c.Stderr = out, out
	before := len(server.Requests())
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if len(server.Requests()) > before {
			return c, out
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no request came: %s", out)
	return nil, nil
}

func TestSignalsEndTheTurnWithTheirNumber(t *testing.T) {
	server, err := nebulatest.Serve()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	server.Answers = func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Hang: true} }
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		c, out := start(t, server, "run", "-o", "json", "wait")
		sent := time.Now()
		_ = c.Process.Signal(sig)
		_ = c.Wait()
		if got := c.ProcessState.ExitCode(); got != 128+int(sig) {
			t.Errorf("%v: exit code %d: %s", sig, got, out)
		}
		if took := time.Since(sent); took > 20*time.Second {
			t.Errorf("%v took %v", sig, took)
		}
		if !strings.Contains(out.String(), `"status":"cancelled"`) {
			t.Errorf("%v: %s", sig, out)
		}
		if name := signals[sig]; strings.Contains(out.String(), "ended by "+name) != (name != "") || strings.Contains(out.String(), "by the person") && name == "" {
			t.Errorf("%v is told as %s", sig, out)
		}
	}
}

func TestSecondInterruptEndsAStubbornTurn(t *testing.T) {
	server, err := nebulatest.Serve(nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "executeShell",
		Arguments: []byte(`{"command":"trap '' TERM INT; sleep 60 & wait; sleep 60","reason":"r"}`)}}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	c, out := start(t, server, "run", "--approve", "all", "wait")
	time.Sleep(300 * time.Millisecond)
	sent := time.Now()
	_ = c.Process.Signal(syscall.SIGINT)
	time.Sleep(50 * time.Millisecond)
	_ = c.Process.Signal(syscall.SIGINT)
	_ = c.Wait()
	if got := c.ProcessState.ExitCode(); got != 130 {
		t.Errorf("exit code %d: %s", got, out)
	}
	if took := time.Since(sent); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

// A step of a plan that a signal ended was not stopped by the person.
func TestSignalEndsAStepInItsOwnName(t *testing.T) {
	b := newBed(t)
	b.planned()
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{calling("executeShell", `{"command":"touch began; sleep 60","reason":"r"}`)}}
	}
	c := b.command("plan", "run", "plan_1", "--approve", "all")
	c.Env = append(c.Env, "NEBULA_SANDBOX=off")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); !b.has("began", "") && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	_ = c.Process.Signal(syscall.SIGTERM)
	_ = c.Wait()
	if told := b.eventsOf(t); !strings.Contains(told, "ended by SIGTERM") || strings.Contains(strings.ToLower(told), "stopped by the person") {
		t.Errorf("it is told as %s", told)
	}
}

// eventsOf are all events of the folder's sessions.
func (b *bed) eventsOf(t *testing.T) string {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(b.home, "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	list, err := store.AllSessions(t.Context(), b.folder)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, info := range list {
		for e, err := range store.Load(t.Context(), info.ID) {
			if err != nil {
				t.Fatal(err)
			}
			text, _ := json.Marshal(e)
			all.Write(append(text, '\n'))
		}
	}
	return all.String()
}
