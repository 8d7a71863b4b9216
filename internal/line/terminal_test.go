//go:build !windows

package line

import (
	"bytes"
	"io"
	"nebula/internal/terminal"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/xpty"
)

// A desk is the line interface in a terminal of its own.
type desk struct {
	t    *testing.T
	pty  *xpty.UnixPty
	cmd  *exec.Cmd
	mu   sync.Mutex
	out  bytes.Buffer
	read int // how far expect has come
	done chan error
}

func sit(t *testing.T, env ...string) *desk {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	t.Parallel()
	pty, err := xpty.NewUnixPty(60, 24)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	d := &desk{t: t, pty: pty, done: make(chan error, 1)}
	d.cmd = exec.Command(os.Args[0], "-test.run=^TestInTerminal$")
	d.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "NEBULA_LINE_TERMINAL=en"), env...)
	if err := pty.Start(d.cmd); err != nil {
		t.Fatal(err)
	}
	go func() {
		var buf [4096]byte
		for {
			n, err := pty.Read(buf[:])
			d.mu.Lock()
			d.out.Write(buf[:n])
			d.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() { d.done <- d.cmd.Wait() }()
	t.Cleanup(func() {
		_ = d.cmd.Process.Kill()
		_ = pty.Close()
	})
	return d
}

var sequences = regexp.MustCompile(`\x1b\[[0-9;?<>=]*[a-zA-Z]`)

func (d *desk) shown() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return sequences.ReplaceAllString(d.out.String(), "")
}

// expect waits until text is shown, after what was expected before.
func (d *desk) expect(text string) {
	d.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		shown := d.shown()
		if i := strings.Index(shown[min(d.read, len(shown)):], text); i >= 0 {
			d.read += i + len(text)
			return
		}
	}
	d.t.Fatalf("%q never came; shown since:\n%s", text, d.shown()[d.read:])
}

func (d *desk) keys(text string) {
	d.t.Helper()
	if _, err := io.WriteString(d.pty, text); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) exits() {
	d.t.Helper()
	select {
	case err := <-d.done:
		if err != nil {
			d.t.Fatalf("ended with %v:\n%s", err, d.shown())
		}
	case <-time.After(5 * time.Second):
		d.t.Fatalf("still there:\n%s", d.shown())
	}
}

// settle waits until a question that has just appeared takes keys.
func settle() { time.Sleep(terminal.Guard + 100*time.Millisecond) }

func TestTurnIsShown(t *testing.T) {
	d := sit(t)
	d.expect("enter sends")
	d.keys("こんにちは\r")
	for _, text := range []string{"› こんにちは", "考え中の一行", "見出し", "日本語の長い一行", "fmt.Println()", "done", "1.2k tokens"} {
		d.expect(text)
	}
	d.keys("\x04")
	d.expect("session s1")
	d.exits()
}

func TestGateAnswers(t *testing.T) {
	for _, c := range []struct{ typed, shown string }{
		{"y", "→ allowed"}, {"はい", "→ allowed"}, {"always", "→ allowed for this session"}, {"常に", "→ allowed for this session"},
		{"n", "→ refused"}, {"no, use a string", "→ refused: use a string"}, {"いいえ、文字列で", "→ refused: 文字列で"},
		{"", "That was no clear answer"}, {"maybe", "→ refused: maybe"}, {"yes?", "That was no clear answer"},
	} {
		t.Run(c.typed, func(t *testing.T) {
			d := sit(t)
			d.expect("enter sends")
			d.keys("gate\r")
			for _, text := range []string{"Permission needed", "why: 優先度を足す", "effect: changes 1 file", "or: refuse", "high", "+type A string // ⟦U+202E⟧evil␛[2J", "allow?"} {
				d.expect(text)
			}
			settle()
			d.keys(c.typed + "\r")
			d.expect(c.shown)
			d.expect("done")
		})
	}
}

func TestTypedBeforeTheQuestionIsNoAnswer(t *testing.T) {
	d := sit(t)
	d.expect("enter sends")
	d.keys("gate\ryes\r")
	d.expect("Permission needed")
	d.expect("allow?")
	settle()
	if strings.Contains(d.shown(), "→ allowed") {
		t.Fatalf("an answer from before was taken:\n%s", d.shown())
	}
	d.keys("no\r")
	d.expect("→ refused")
}

func TestQuestionWithOptions(t *testing.T) {
	d := sit(t)
	d.expect("enter sends")
	d.keys("question\r")
	d.expect("Which store?")
	d.expect("2  file")
	settle()
	d.keys("7\r")
	d.expect("There is no option 7")
	d.keys("\x152\r")
	d.expect("→ file")
}

func TestCtrlCStopsTheTurnAndTwiceLeaves(t *testing.T) {
	d := sit(t)
	d.expect("enter sends")
	d.keys("hang\r")
	d.expect("going on")
	d.keys("\x03")
	d.expect("stopped")
	time.Sleep(twice)
	d.keys("\x03")
	d.expect("Ctrl-C again")
	d.keys("\x03")
	d.exits()
}

func TestCtrlCTwiceClearsWhatIsTyped(t *testing.T) {
	d := sit(t)
	d.expect("enter sends")
	d.keys("hang\r")
	d.expect("going on")
	d.keys("half a thought\x03\x03")
	d.expect("brings back what you typed")
	d.keys("\x03")
	d.expect("Ctrl-C again")
	d.keys("\x03")
	d.exits()
}

func TestPasteIsOneMessage(t *testing.T) {
	d := sit(t)
	d.expect("enter sends")
	d.keys("look:\x1b[200~one\r\ntwo\rthree\x1b[201~\r")
	d.expect("› look:one")
	d.expect("  two")
	d.expect("  three")
	d.expect("done")
	if n := strings.Count(d.shown(), "tokens"); n != 1 {
		t.Errorf("%d turns from one paste", n)
	}
	d.keys("\x1b[200~" + strings.Repeat("row\r", 40) + "\x1b[201~")
	d.expect("[pasted: 41 lines]")
}

func TestLinesGoOnAfterBackslashAndAltEnter(t *testing.T) {
	d := sit(t)
	d.expect("enter sends")
	d.keys("first\\\rsecond\x1b\rthird\r")
	d.expect("› first")
	d.expect("  second")
	d.expect("  third")
	d.expect("done")
}

func TestCommandsOfTheLine(t *testing.T) { commandsOfTheLine(t) }

// TestLinesAreTheSameOverAPipe where nebula is another process: through the codec of what is sent.
func TestLinesAreTheSameOverAPipe(t *testing.T) { commandsOfTheLine(t, "NEBULA_LINE_PIPE=1") }

func commandsOfTheLine(t *testing.T, env ...string) {
	kept := filepath.Join(t.TempDir(), "kept")
	d := sit(t, append(env, "NEBULA_LINE_KEEP="+kept)...)
	d.expect("enter sends")
	for _, c := range []struct{ typed, shown string }{
		{"/help", "what you allow"}, {"plan", "mode is now plan"}, {"/agent", "mode is now agent"}, {"mode", "1  plan"}, {"1", "mode is now plan"},
		{"model", "gpt-4.1-nano · openai · 1.0M ← now"}, {"2", "model is now gpt-4.1-mini"}, {"/model other", "model is now other"},
		{"models", "gpt-4.1-mini"}, {"config", "model = gpt-4.1-nano"}, {"/protocol one", "protocol is now one"}, {"/protocol two", "Usage: /protocol auto | one"}, {"/keep", "begin with other and one"},
		{"/status", "folder  /work/todo"}, {"/undo", "taken back: domain/todo.go"}, {"/redo", "brought back: domain/todo.go"},
		{"/staus", "Did you mean /status?"}, {"/sessions", "No earlier sessions"}, {"/st\t", "/status "}, {"", "protocol one"}, {"/new", "nebula · /work/todo"},
	} {
		d.keys(c.typed)
		time.Sleep(30 * time.Millisecond)
		if !strings.HasSuffix(c.typed, "\t") {
			d.keys("\r")
		}
		d.expect(c.shown)
	}
	d.keys("/exit\r")
	d.exits()
	want := "model=other\nprotocol=one\n"
	if got, err := os.ReadFile(kept); err != nil || string(got) != want {
		t.Errorf("kept %q, want %q; %v", got, want, err)
	}
}

func TestEarlierSessionsAreOffered(t *testing.T) {
	d := sit(t, "NEBULA_LINE_SESSIONS=1", "NEBULA_LINE_TERMINAL=ja")
	d.expect("以前のセッション")
	d.expect("1  新しいセッション")
	d.expect("2  以前の依頼")
	d.expect("1 時間前")
	d.keys("2\r")
	d.expect("続き")
	d.expect("› 以前の依頼")
	d.expect("以前の答え")
	d.keys("\x04")
	d.exits()
}

func TestWhatIsTypedAtTheChooserIsARequest(t *testing.T) {
	d := sit(t, "NEBULA_LINE_SESSIONS=1")
	d.expect("2  以前の依頼")
	d.keys("long please\r")
	d.expect("› long please")
	d.expect("done")
}

func TestConversationBeginsWithTheRequestThatItWasGiven(t *testing.T) {
	d := sit(t, "NEBULA_LINE_SESSIONS=1", "NEBULA_LINE_FIRST=long please")
	d.expect("› long please")
	d.expect("done")
}

func TestEmptyFolderInvites(t *testing.T) {
	d := sit(t, "NEBULA_LINE_EMPTY=1")
	d.expect("This folder is empty")
}

func TestHistoryIsSearched(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	if err := os.WriteFile(file, []byte("\"優先度を追加\"\n\"something else\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := sit(t, "NEBULA_LINE_HISTORY="+file)
	d.expect("enter sends")
	d.keys("\x12優先")
	d.expect("優先度を追加")
	d.keys("\r\r")
	d.expect("› 優先度を追加")
	d.expect("done")
	d.keys("\x1b[A")
	d.expect("優先度を追加")
}

func TestLongAnswerIsWhole(t *testing.T) {
	d := sit(t)
	d.expect("enter sends")
	d.keys("long\r")
	d.expect("end-of-long")
	d.expect("done")
}

func TestNoColor(t *testing.T) {
	d := sit(t, "NO_COLOR=1")
	d.expect("enter sends")
	d.keys("gate\r")
	d.expect("allow?")
	d.mu.Lock()
	defer d.mu.Unlock()
	if regexp.MustCompile(`\x1b\[[0-9;]*m`).Match(d.out.Bytes()) {
		t.Error("styles in spite of NO_COLOR")
	}
}

// TestMessageDuringATurnJoinsIt and does not break the line that is being streamed.
func TestMessageDuringATurnJoinsIt(t *testing.T) {
	d := sit(t)
	d.expect("enter sends")
	d.keys("hang\r")
	d.expect("going on")
	d.keys("and this\r")
	d.expect("› and this")
	d.expect("I am going on and")
	d.keys("\x03")
	d.expect("stopped")
}

// TestDumbTerminalOnlyPrints talks through a terminal that has no cursor, as an editor's window is one.
func TestDumbTerminalOnlyPrints(t *testing.T) {
	d := sit(t, "TERM=dumb")
	d.expect("› ")
	d.keys("gate\n")
	d.expect("allow? ")
	time.Sleep(2 * terminal.Guard)
	d.keys("no, not now\n")
	d.expect("refused")
	d.expect("› ")
	d.keys("/status\n")
	d.expect("folder  /work/todo")
	d.mu.Lock()
	raw := d.out.String()
	d.mu.Unlock()
	if strings.Contains(raw, "\x1b") {
		t.Errorf("sequences for a terminal that knows none:\n%q", raw)
	}
	d.keys("/exit\n")
	d.exits()
}
