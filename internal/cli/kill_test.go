//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"nebula/internal/nebulatest"
)

// A bed is one home and one folder in which the program is killed again and again.
type bed struct {
	t            *testing.T
	path         string
	home, folder string
	server       *nebulatest.Server
}

func newBed(t *testing.T) *bed {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{t: t, path: filepath.Join(t.TempDir(), "nebula"), home: t.TempDir(), folder: t.TempDir()}
	if err := os.Symlink(self, b.path); err != nil {
		t.Fatal(err)
	}
	if b.server, err = nebulatest.Serve(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.server.Close)
	b.server.Answers = b.answer
	return b
}

// answer lets every turn write a file, run a command that leaves something running, and report.
func (b *bed) answer(n int, _ []byte) *nebulatest.Answer {
	call := func(name, args string) *nebulatest.Answer {
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: name, Arguments: []byte(args)}}}
	}
	switch n % 3 {
	case 0:
		return call("writeFile", fmt.Sprintf(`{"path":"notes/%d.md","content":"note %d\n","reason":"to keep it"}`, n, n))
	case 1:
		return call("executeShell", `{"command":"setsid sh -c 'trap \"\" TERM HUP; (sleep 300 &); sleep 300' >/dev/null 2>&1 & ls notes | wc -l; sleep 0.02","reason":"to count"}`)
	}
	return &nebulatest.Answer{Text: "Noted and counted."}
}

func (b *bed) command(args ...string) *exec.Cmd {
	c := exec.Command(b.path, args...)
	c.Dir = b.folder
	c.Env = append(os.Environ(), "NEBULA_HOME="+b.home, "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL="+b.server.URL())
	return c
}

// killed runs the program and kills it after a while; what it had said by then is returned.
func (b *bed) killed(after time.Duration, args ...string) string {
	b.t.Helper()
	c := b.command(args...)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Start(); err != nil {
		b.t.Fatal(err)
	}
	time.Sleep(after)
	_ = c.Process.Kill()
	_ = c.Wait()
	return out.String()
}

func (b *bed) output(args ...string) string {
	b.t.Helper()
	c := b.command(args...)
	out, err := c.Output()
	if err != nil {
		b.t.Fatalf("nebula %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// stored are the events of the folder's last session by their number.
func (b *bed) stored(id string) map[int64]string {
	b.t.Helper()
	events := map[int64]string{}
	for line := range strings.Lines(b.output("sessions", "export", id)) {
		seq, kind := head(line)
		events[seq] = kind
	}
	return events
}

func head(line string) (seq int64, kind string) {
	var e struct {
		Seq  int64
		Type string
	}
	if json.Unmarshal([]byte(line), &e) != nil {
		return 0, ""
	}
	return e.Seq, e.Type
}

// What the program has said is on disk, however and whenever it ends, nothing that it started goes on, and the session
// does.
func TestKillAtAnyMomentLosesNothing(t *testing.T) {
	rounds := 50
	switch {
	case testing.Short():
		rounds = 5
	case os.Getenv("NEBULA_LONG") != "":
		rounds = 1250
	}
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			newBed(t).rounds(rounds)
		})
	}
}

func (b *bed) rounds(rounds int) {
	t := b.t
	b.output("run", "--approve", "all", "begin")
	id := strings.Fields(b.output("sessions", "list"))[0]
	said := map[int64]string{}
	for i := range rounds {
		text := b.killed(time.Duration(rand.IntN(150))*time.Millisecond, "run", "--session", id, "--approve", "all", "-o", "stream-json", fmt.Sprint("round ", i))
		for line := range strings.Lines(text) {
			if seq, kind := head(line); !passing[kind] && strings.HasSuffix(line, "\n") {
				said[seq] = kind
			}
		}
		b.nothingRuns()
		if i%20 != 0 && i != rounds-1 {
			continue
		}
		stored := b.stored(id)
		for seq, kind := range said {
			if stored[seq] != kind {
				t.Fatalf("round %d: event %d was shown as %q and is stored as %q", i, seq, kind, stored[seq])
			}
		}
		b.output("audit", id, "--verify")
	}
	if len(said) == 0 {
		t.Error("the program was always killed before it said anything")
	}
	b.output("run", "--session", id, "--approve", "all", "end")
	wholeConversation(t, b.server)
}

// nothingRuns checks that no process is in the folder. Where /proc is not, it cannot be known.
func (b *bed) nothingRuns() {
	b.t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	var left []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		left = nil
		links, _ := filepath.Glob("/proc/[0-9]*/cwd")
		for _, link := range links {
			if at, err := os.Readlink(link); err == nil && at == b.folder {
				left = append(left, link)
			}
		}
		if len(left) == 0 {
			return
		}
	}
	for _, link := range left {
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
		status, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "status"))
		b.t.Errorf("%q is in the folder still:\n%s", command, status)
	}
	b.t.FailNow()
}

// passing are the events that are shown and not kept.
var passing = map[string]bool{"": true, "session": true, "requested": true, "streamed": true}

// wholeConversation checks that the last request is one that every provider accepts.
func wholeConversation(t *testing.T, server *nebulatest.Server) {
	t.Helper()
	requests := server.Requests()
	var body struct {
		Messages []struct {
			Role       string
			ToolCallID string                `json:"tool_call_id"`
			ToolCalls  []struct{ ID string } `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(requests[len(requests)-1].Body, &body); err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{}
	for i, m := range body.Messages {
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				t.Errorf("message %d answers no open call", i)
			}
			delete(open, m.ToolCallID)
			continue
		}
		if len(open) > 0 {
			t.Errorf("message %d comes before %d answers", i, len(open))
		}
		for _, c := range m.ToolCalls {
			open[c.ID] = true
		}
	}
}
