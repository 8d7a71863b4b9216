package line

import (
	"fmt"
	"nebula/internal/terminal"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A tmux is a real terminal that can be looked at and made smaller.
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

func (m tmux) waits(want string) string {
	m.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		screen := m.run("capture-pane", "-p")
		if strings.Contains(screen, want) {
			return screen
		}
		if time.Now().After(end) {
			m.t.Fatalf("%q never came:\n%s", want, screen)
		}
	}
}

// servers number the terminals: one that is going away is not met again.
var servers atomic.Int64

func inTmux(t *testing.T, size string, env string) tmux {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux")
	}
	t.Parallel()
	m := tmux{t, fmt.Sprintf("nebula-line-%d-%d", os.Getpid(), servers.Add(1))}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w, h, _ := strings.Cut(size, "x")
	m.run("new-session", "-d", "-x", w, "-y", h, "env LC_ALL=C.UTF-8 NEBULA_LINE_TERMINAL=ja "+env+" "+self+" -test.run=^TestInTerminal$; sleep 100")
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", m.name, "kill-server").Run() })
	m.waits("›")
	return m
}

func (m tmux) cursor() string {
	return strings.TrimSpace(m.run("display", "-p", "#{cursor_x},#{cursor_y}"))
}

func TestCursorStandsBehindWideCharacters(t *testing.T) {
	m := inTmux(t, "60x12", "")
	m.waits("Enter 送信")
	m.run("send-keys", "-l", "日本語😀abc")
	m.waits("日本語😀abc")
	if got, want := m.cursor(), "13,3"; got != want { // prompt 2, three wide, an emoji, three narrow
		t.Errorf("cursor at %s, want %s", got, want)
	}
	m.run("send-keys", "Left", "Left", "Left", "Left")
	time.Sleep(100 * time.Millisecond)
	if got, want := m.cursor(), "8,3"; got != want {
		t.Errorf("cursor at %s before the emoji, want %s", got, want)
	}
	m.run("send-keys", "BSpace")
	m.waits("› 日本😀abc")
}

// TestResizeKeepsWhatWasSaid types a line that fills its row to the last column of the narrower terminal.
func TestResizeKeepsWhatWasSaid(t *testing.T) {
	m := inTmux(t, "80x20", "NEBULA_LINE_EMPTY=1")
	m.waits("Enter 送信")
	text := strings.Repeat("あ", 38) + strings.Repeat("い", 19)
	m.run("send-keys", "-l", text)
	m.waits("いい")
	for _, width := range []string{"40", "100", "50", "80"} {
		m.run("resize-window", "-x", width, "-y", "20")
		time.Sleep(150 * time.Millisecond)
		screen := m.run("capture-pane", "-p", "-S", "-100", "-J")
		flat := strings.NewReplacer("\n", "", " ", "").Replace(screen)
		for _, want := range []string{"このフォルダーは空です", "nebulaが質問します。", text} {
			if !strings.Contains(flat, strings.ReplaceAll(want, " ", "")) {
				t.Fatalf("at %s columns %q is gone:\n%s", width, want, screen)
			}
		}
	}
}

func TestNarrowTerminal(t *testing.T) {
	m := inTmux(t, "30x24", "")
	m.waits("Enter")
	m.run("send-keys", "-l", "gate")
	m.run("send-keys", "Enter")
	screen := m.waits("許可しますか？")
	for _, want := range []string{"危険度: 高", "+type A string // ⟦U+202E⟧", "↳ evil␛[2J"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is missing:\n%s", want, screen)
		}
	}
	time.Sleep(terminal.Guard + 50*time.Millisecond)
	m.run("send-keys", "-l", "はい")
	m.run("send-keys", "Enter")
	m.waits("→ 許可")
}
