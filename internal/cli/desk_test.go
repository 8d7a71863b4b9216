//go:build !windows

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula/internal/nebulatest"
)

// A tmux is a terminal that a whole conversation is held in.
type tmux struct {
	t    *testing.T
	name string
}

func (m tmux) run(args ...string) string {
	m.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-L", m.name, "-f", "/dev/null"}, args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (m tmux) waits(want string) {
	m.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(30 * time.Millisecond) {
		screen := m.run("capture-pane", "-p")
		if strings.Contains(screen, want) {
			return
		}
		if time.Now().After(end) {
			m.t.Fatalf("%q never came:\n%s", want, screen)
		}
	}
}

func (m tmux) sends(text string) {
	m.run("send-keys", "-l", text)
	time.Sleep(50 * time.Millisecond)
	m.run("send-keys", "Enter")
}

// allows answers the gate, once it takes keys.
func (m tmux) allows(what string) {
	m.t.Helper()
	m.waits("Allow? " + what)
	time.Sleep(700 * time.Millisecond)
	m.sends("yes")
}

// TestConversationOnTheScreen holds a conversation as a person would: a request, permission, an edit, a test run, the
// edit taken back, the end, and the same session again.
func TestConversationOnTheScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux")
	}
	server, err := nebulatest.Serve(
		nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "readFile", Arguments: []byte(`{"path":"note.txt","reason":"to know it"}`)}}},
		nebulatest.Answer{Text: "I will write **two**.", Calls: []nebulatest.ToolCall{{Name: "patchFile", Arguments: []byte(`{"path":"note.txt","edits":[{"old":"one","new":"two"}],"reason":"as asked"}`)}}},
		nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "runTests", Arguments: []byte(`{"command":"grep two note.txt","reason":"to be sure"}`)}}},
		nebulatest.Answer{Text: "The note says two now."},
		nebulatest.Answer{Text: "Welcome back."},
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	dir, home := t.TempDir(), t.TempDir()
	note := filepath.Join(dir, "note.txt")
	if err := os.WriteFile(note, []byte("number one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	nebula := filepath.Join(t.TempDir(), "nebula")
	if err := os.Symlink(self, nebula); err != nil {
		t.Fatal(err)
	}
	m := tmux{t, "nebula-conversation"}
	env := "env NEBULA_SANDBOX=off LC_ALL=C.UTF-8 OPENAI_API_KEY=sk-test OPENAI_BASE_URL=" + server.URL() + " NEBULA_HOME=" + home + " "
	m.run("new-session", "-d", "-x", "100", "-y", "40", "-c", dir, env+nebula+"; echo left $?; "+env+nebula+" --continue; echo left again $?; sleep 100")
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", m.name, "kill-server").Run() })

	m.waits("describe a change")
	m.sends("write two instead of one")
	m.allows("")
	m.waits("$ grep two note.txt")
	m.allows("risk: low")
	m.waits("The note says two now.")
	holds(t, note, "number two\n")
	m.sends("/undo")
	m.waits("-number two")
	holds(t, note, "number two\n") // it is only shown
	m.run("send-keys", "Enter")
	m.waits("taken back: note.txt")
	holds(t, note, "number one\n")
	m.run("send-keys", "C-d")
	m.waits("── continued") // what was said before is on the screen too until then
	m.sends("hello again")
	m.waits("Welcome back.")
	m.run("send-keys", "C-d")
	m.waits("left again 0")
}

func holds(t *testing.T, file, want string) {
	t.Helper()
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Fatalf("%s holds %q, want %q; %v", file, got, want, err)
	}
}
