//go:build !windows

package tui

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/xpty"
)

// TestTerminalIsGivenBack leaves in every way there is, and looks at what the next program finds.
func TestTerminalIsGivenBack(t *testing.T) {
	kill := func(sig syscall.Signal) func(tmux, int) { return func(_ tmux, pid int) { _ = syscall.Kill(pid, sig) } }
	say := func(text string) func(tmux, int) { return func(m tmux, _ int) { typed(text)(m) } }
	for name, c := range map[string]struct {
		leave func(m tmux, pid int)
		env   string
		says  string // what stands on the screen afterwards
	}{
		"ctrl-d":                         {leave: func(m tmux, _ int) { m.press("C-d") }},
		"ctrl-c":                         {leave: func(m tmux, _ int) { m.press("C-c"); m.waits("again"); m.press("C-c") }},
		"command":                        {leave: say("/exit")},
		"term":                           {leave: kill(syscall.SIGTERM), says: "terminated"},
		"hangup":                         {leave: kill(syscall.SIGHUP), says: "hangup"},
		"int":                            {leave: kill(syscall.SIGINT), says: "interrupt"},
		"kill":                           {leave: kill(syscall.SIGKILL)},
		"quit":                           {leave: kill(syscall.SIGQUIT), says: "goroutine"},
		"busy":                           {leave: func(m tmux, pid int) { typed("hang")(m); m.waits("going on"); _ = syscall.Kill(pid, syscall.SIGTERM) }},
		"gate":                           {leave: func(m tmux, pid int) { typed("gate")(m); m.waits("Allow?"); _ = syscall.Kill(pid, syscall.SIGTERM) }},
		"inline":                         {leave: kill(syscall.SIGKILL), env: "NEBULA_TUI_INLINE=1"},
		"panic of the interface's own":   {say("hello"), "NEBULA_TUI_PANIC=own", "a defect"},
		"panic where commands are taken": {say("hello"), "NEBULA_TUI_PANIC=send", "a defect"},
		"panic where events come from":   {say("hello"), "NEBULA_TUI_PANIC=events", "a defect"},
		"panic of somebody else":         {say("hello"), "NEBULA_TUI_PANIC=elsewhere", "a defect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			m := inTmux(t, "100x70", "en", "NEBULA_TUI_PID="+file, c.env)
			m.waits("describe a change")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if on := m.flags(); on != "111" && c.env != "NEBULA_TUI_INLINE=1" {
				t.Errorf("other screen, mouse, cursor before: %q", on)
			}
			m.guarded(pid)
			c.leave(m, pid)
			m.waits("exit 0")
			for end := time.Now().Add(time.Minute); m.flags() != "001"; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("other screen, mouse, cursor afterwards: %q\n%s", m.flags(), m.screen())
				}
			}
			m.waits(c.says)
			if screen := m.screen(); !strings.Contains(screen, " icanon") || !strings.Contains(screen, " echo ") || strings.Contains(screen, "-icanon") {
				t.Errorf("the terminal is still raw:\n%s", screen)
			}
		})
	}
}

func (m tmux) flags() string {
	return strings.TrimSpace(m.run("display", "-p", "#{alternate_on}#{mouse_any_flag}#{cursor_flag}"))
}

// guarded waits until somebody watches over the terminal, which is a moment after the first frame.
func (m tmux) guarded(pid int) {
	m.t.Helper()
	for end := time.Now().Add(time.Minute); exec.Command("pgrep", "-P", strconv.Itoa(pid)).Run() != nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			m.t.Fatal("nobody watches over the terminal")
		}
	}
}

// A seat is the interface in a terminal of its own, which nobody looks at.
type seat struct {
	t    *testing.T
	pty  *xpty.UnixPty
	cmd  *exec.Cmd
	left chan struct{} // closed when the program has ended
	err  error         // how it ended
	mu   sync.Mutex
	out  bytes.Buffer
}

func sit(t *testing.T, env ...string) *seat {
	t.Helper()
	pty, err := xpty.NewUnixPty(100, 30)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	s := &seat{t: t, pty: pty, cmd: exec.Command(os.Args[0], "-test.run=^TestInTerminal$"), left: make(chan struct{})}
	s.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "NEBULA_TUI_TERMINAL=en", "EDITOR=", "VISUAL="), env...)
	if err := pty.Start(s.cmd); err != nil {
		t.Fatal(err)
	}
	_ = pty.Slave().Close() // it is the program's now: reading ends with it
	go func() {
		var buf [1 << 15]byte
		for {
			n, err := pty.Read(buf[:])
			s.mu.Lock()
			s.out.Write(buf[:n])
			if s.out.Len() > 1<<20 {
				s.out.Next(1 << 19)
			}
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() {
		defer close(s.left)
		s.err = s.cmd.Wait()
	}()
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = pty.Close() })
	s.expect("describe a change")
	return s
}

func (s *seat) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

func (s *seat) expect(text string) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if shown := s.shown(); strings.Contains(shown, text) {
			s.mu.Lock()
			s.out.Reset()
			s.mu.Unlock()
			return
		}
	}
	shown := s.shown()
	_ = s.cmd.Process.Signal(syscall.SIGQUIT) // it says what it is doing
	<-s.left
	s.t.Fatalf("%q never came:\n%q\n%s", text, shown[max(len(shown)-2000, 0):], s.shown()[len(shown):])
}

// wants waits for text and leaves what was shown where it is.
func (s *seat) wants(text string) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(s.shown(), text) {
			return
		}
	}
	s.t.Fatalf("%q never came:\n%q", text, s.shown())
}

// types gives keys to the program, as long as it is there to take them.
func (s *seat) types(keys string) {
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		_, _ = io.WriteString(s.pty, keys)
	}()
	select {
	case <-wrote:
	case <-s.left:
	}
}

// gone reports whether the program has ended, and fails when it did not end well.
func (s *seat) gone() bool {
	s.t.Helper()
	select {
	case <-s.left:
		if s.err != nil {
			s.t.Fatalf("ended with %v:\n%s", s.err, s.shown())
		}
		return true
	default:
		return false
	}
}

// TestRandomKeys types, pastes, clicks and resizes at random while everything streams: 2,000 times, with NEBULA_LONG=1
// 10,000 times.
func TestRandomKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 11))
	keys := []string{
		"a", "y", "n", "?", "/", "@", "v", "e", "1", "2", " ", "あ", "漢", "😀", "\r", "\r", "\t", "\x1b", "\x7f", "\x01", "\x05", "\x15", "\x17", "\x0b", "\x19",
		"\x10", "\x12", "\x0f", "\x0c", "\x07", "\n", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[1;2A", "\x1b[1;2B", "\x1b[1;3A", "\x1b[1;3B",
		"\x1b[1;3H", "\x1b[1;3F", "\x1b[Z", "\x1bt", "\x1bv", "\x1b\r", "\x1b[I", "\x1b[O", "\x1b[200~one\rtwo\x1b[201~", "\x1b[<64;10;5M", "\x1b[<65;10;5M",
		"\x1b[<0;5;5M\x1b[<32;30;8M\x1b[<0;30;8m", "\x1b[<0;3;7M\x1b[<0;3;7m", "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b]11;rgb:0000/0000/0000\x1b\\",
		"\x1b[200~" + strings.Repeat("a row of a long paste\r", 50) + "\x1b[201~",
	}
	s := sit(t)
	keystrokes := 2000
	if os.Getenv("NEBULA_LONG") != "" {
		keystrokes = 10_000
	}
	for i := range keystrokes {
		if s.gone() { // a random command left: that is no defect
			s = sit(t)
		}
		if i%400 == 0 {
			s.types("\x1b\x1b\x15")
			time.Sleep(60 * time.Millisecond)
			s.types("chaos\r")
		}
		if i%50 == 0 {
			_ = s.pty.Resize(5+rnd.IntN(150), 2+rnd.IntN(50))
		}
		s.types(keys[rnd.IntN(len(keys))])
		if i%20 == 0 {
			time.Sleep(2 * time.Millisecond)
		}
	}
	_ = s.pty.Resize(100, 30)
	s.settles()
}

// settles brings the interface to rest, has it answer once more, and leaves.
func (s *seat) settles() {
	s.t.Helper()
	for range 4 {
		if s.gone() {
			return
		}
		s.types("\x03")
		time.Sleep(twice + 200*time.Millisecond) // twice at once would leave
	}
	if s.gone() {
		return
	}
	s.types("\x15hello\r")
	s.expect("日本語の長い一行")
	for range 100 { // twice leaves, whatever is open
		if s.gone() {
			return
		}
		s.types("\x03")
		time.Sleep(100 * time.Millisecond)
	}
	_ = s.cmd.Process.Signal(syscall.SIGQUIT)
	<-s.left
	s.t.Fatalf("still there:\n%s", s.shown())
}
