//go:build !windows

package tui

import (
	"flag"
	"fmt"
	"nebula/internal/terminal"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the screens as they are")

// TestMain lets more tests run at once than there are processors: those with a terminal wait more than they work.
func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "10")
	os.Exit(m.Run())
}

// A tmux is a real terminal that can be typed into, looked at and resized.
type tmux struct {
	t    *testing.T
	name string
}

// servers number the terminals: one that is going away is not met again.
var servers atomic.Int64

func inTmux(t *testing.T, size, lang string, env ...string) tmux {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux")
	}
	m := tmux{t, fmt.Sprintf("nebula-tui-%d-%d", os.Getpid(), servers.Add(1))}
	w, h, _ := strings.Cut(size, "x")
	command := fmt.Sprintf("env LC_ALL=C.UTF-8 NEBULA_TUI_TERMINAL=%s %s %s -test.run=^TestInTerminal$; for i in $(seq 1200); do stty -a | grep -q -e -icanon || break; sleep 0.05; done; stty -a; echo exit 0; sleep 100", lang, strings.Join(env, " "), os.Args[0])
	m.run("new-session", "-d", "-x", w, "-y", h, command)
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", m.name, "kill-server").Run() })
	return m
}

func (m tmux) run(args ...string) string {
	m.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-L", m.name, "-f", "/dev/null"}, args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (m tmux) screen() string { return m.run("capture-pane", "-p") }

func (m tmux) waits(want string) string {
	m.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		screen := m.screen()
		if strings.Contains(screen, want) {
			return screen
		}
		if time.Now().After(end) {
			m.t.Fatalf("%q never came:\n%s", want, screen)
		}
	}
}

func (m tmux) types(text string) { m.run("send-keys", "-l", text) }

func (m tmux) press(keys ...string) { m.run(append([]string{"send-keys"}, keys...)...) }

// still waits until the screen does not change any more.
func (m tmux) still() string {
	m.t.Helper()
	last := ""
	for range 100 {
		now := m.screen()
		if now == last {
			return now
		}
		last = now
		time.Sleep(60 * time.Millisecond)
	}
	m.t.Fatalf("the screen never rests:\n%s", last)
	return ""
}

// picture is the screen with its styles, once it rests.
func (m tmux) picture() string {
	m.t.Helper()
	m.still()
	return m.run("capture-pane", "-p", "-e", "-N")
}

// back leaves a page or a list. A key that follows an escape too soon would be read as one with it.
func (m tmux) back() {
	m.t.Helper()
	before := m.still()
	m.press("Escape")
	for end := time.Now().Add(time.Minute); m.screen() == before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			m.t.Fatalf("escape does nothing:\n%s", before)
		}
	}
	m.still()
}

// A scene is a way to a screen: what to type, and what to wait for.
type scene struct {
	name  string
	do    func(m tmux)
	waits [2]string // in English and Japanese
}

func typed(text string) func(tmux) {
	return func(m tmux) { m.types(text); time.Sleep(30 * time.Millisecond); m.press("Enter") }
}

func pressed(keys ...string) func(tmux) { return func(m tmux) { m.press(keys...) } }

// scenes are one conversation through every view.
var scenes = []scene{
	{"start", func(tmux) {}, [2]string{"@ names", "@ ファイル"}},
	{"answer", typed("hello"), [2]string{"● done", "● 完了"}},
	{"thoughts", pressed("M-t", "M-Home"), [2]string{"another line", "another line"}},
	{"help", func(m tmux) { m.press("M-t"); m.types("?") }, [2]string{"alt+enter", "Alt+Enter"}},
	{"commands", func(m tmux) { m.back(); m.press("C-p"); m.types("mod") }, [2]string{"› /mod", "› /mod"}},
	{"models", func(m tmux) { m.back(); typed("/model")(m) }, [2]string{"gpt-4.1-mini", "gpt-4.1-mini"}},
	{"files", func(m tmux) { m.back(); m.types("see @todo") }, [2]string{"todo_test", "todo_test"}},
	{"gate", func(m tmux) { m.press("Tab", "C-u"); typed("gate")(m) }, [2]string{"Allow?", "許可しますか"}},
	{"points", func(m tmux) { time.Sleep(3 * terminal.Guard); typed("?")(m) }, [2]string{"why:", "理由:"}},
	{"reason", func(m tmux) { m.types("no, use an int") }, [2]string{"enter refuses", "Enter で拒否"}},
	{"refused", pressed("Enter"), [2]string{"→ refused", "→ 拒否"}},
	{"command", func(m tmux) { time.Sleep(200 * time.Millisecond); typed("shell")(m) }, [2]string{"U+200B", "U+200B"}},
	{"ran", func(m tmux) {
		time.Sleep(3 * terminal.Guard)
		typed("y")(m)
		m.waits("✓ $ go")
		m.still()
		m.press("C-o")
	}, [2]string{"nebula/internal", "nebula/internal"}},
	{"question", typed("question"), [2]string{"memory", "memory"}},
	{"chosen", func(m tmux) { time.Sleep(3 * terminal.Guard); m.press("Down", "Down", "Enter") }, [2]string{"→ file", "→ file"}},
	{"changed", func(m tmux) {
		typed("gate")(m)
		m.waits("⏎")
		time.Sleep(4 * terminal.Guard)
		m.press("Enter") // where the screen is small, the rest of it
		time.Sleep(100 * time.Millisecond)
		typed("はい")(m)
	}, [2]string{"✓ domain", "✓ domain"}},
	{"undo", func(m tmux) { time.Sleep(200 * time.Millisecond); typed("/undo")(m) }, [2]string{"Undo turn", "の取り消し"}},
	{"status", func(m tmux) { m.back(); typed("/status")(m) }, [2]string{"step", "ステップ"}},
	{"plan", func(m tmux) { m.back(); m.press("Tab") }, [2]string{"PLAN", "計画"}},
	{"beside", func(m tmux) { m.press("Tab"); typed("beside")(m) }, [2]string{"alt+p", "Alt+P"}},
	{"waiting", pressed("M-p"), [2]string{"› Storage", "› Storage"}},
	{"opened", pressed("Enter"), [2]string{"? $ make", "? $ make"}},
	{"settled", func(m tmux) { time.Sleep(3 * terminal.Guard); typed("y")(m); time.Sleep(200 * time.Millisecond) }, [2]string{"1/3", "1/3"}},
	{"steps", pressed("M-p"), [2]string{"1. Model · 12 s", "1. Model · 12 s"}},
	{"paused", func(m tmux) { typed("p")(m); m.back() }, [2]string{"direct: pause", "direct: pause"}},
	{"history", func(m tmux) { m.press("C-r"); m.types("sta") }, [2]string{"/status", "/status"}},
	{"approval", func(m tmux) { m.back(); typed("/approve")(m) }, [2]string{"edits", "edits"}},
	{"careless", func(m tmux) { m.types("all"); m.press("Enter") }, [2]string{"ALL FREE", "すべて自由"}},
	{"settings", func(m tmux) { typed("/config")(m) }, [2]string{"model = gpt", "model = gpt"}},
	{"pasted", func(m tmux) {
		m.back()
		m.run("set-buffer", strings.Repeat("a line that was pasted\n", 9))
		m.run("paste-buffer", "-p")
		m.types(" 直してください")
	}, [2]string{"10 lines]", "10 行]"}},
	{"busy", func(m tmux) {
		m.press("C-u")
		typed("hang")(m)
		m.waits("going on")
		m.types("and then")
		m.press("Tab")
	}, [2]string{"for after the turn: and then", "ターンの後に送信: and then"}},
	{"stopped", pressed("Escape"), [2]string{"– stopped", "– 停止しました"}},
	{"given", func(m tmux) { m.press("C-u"); typed("given")(m) }, [2]string{"Allow?", "許可しますか"}},
	{"outside", func(m tmux) {
		time.Sleep(3 * terminal.Guard)
		typed("no")(m)
		time.Sleep(200 * time.Millisecond)
		typed("outside")(m)
	}, [2]string{"! runs", "! "}},
}

// themes are what a terminal's colours can be.
var themes = map[string][]string{
	"dark": {"TERM=tmux-256color", "COLORTERM="}, "light": {"TERM=tmux-256color", "COLORTERM=", "NEBULA_TUI_THEME=light"}, "plain": {"NO_COLOR=1"},
}

// TestScreens compares every view, in both languages, at five sizes, on dark and light and without colours, with how a terminal
// showed it before; at the narrowest those that matter most.
func TestScreens(t *testing.T) {
	for l, lang := range []string{"en", "ja"} {
		for _, size := range []string{"120x40", "80x24", "30x20", "200x60", "40x12"} {
			for theme, env := range themes {
				t.Run(strings.Join([]string{lang, size, theme}, "-"), func(t *testing.T) {
					t.Parallel()
					play(t, inTmux(t, size, lang, env...), l, lang, size, theme)
				})
			}
		}
	}
}

// TestScreensAreTheSameOverAPipe where nebula is another process: through the codec of what is sent.
func TestScreensAreTheSameOverAPipe(t *testing.T) {
	t.Parallel()
	play(t, inTmux(t, "80x24", "ja", append([]string{"NEBULA_TUI_PIPE=1"}, themes["dark"]...)...), 1, "ja", "80x24", "dark")
}

// chief are the views that the narrowest terminal is looked at with.
var chief = []string{"start", "answer", "gate", "command", "question", "changed", "beside", "busy"}

func play(t *testing.T, m tmux, l int, lang, size, theme string) {
	t.Helper()
	for _, s := range scenes {
		if size == "40x12" && s.name == "changed" { // it is longer than the screen from here on
			return
		}
		s.do(m)
		m.waits(s.waits[l])
		if size == "30x20" && !slices.Contains(chief, s.name) {
			m.still()
			continue
		}
		compare(t, fmt.Sprintf("%s/%s-%s-%s", theme, s.name, lang, size), m.picture())
	}
}

// TestFirstStartLeadsToAKey begins where nothing is set up.
func TestFirstStartLeadsToAKey(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "80x24", "en", "NEBULA_TUI_NOKEY=1")
	m.waits("How shall it reach one?")
	compare(t, "setup-en-80x24", m.picture())
	m.press("Enter")
	m.waits("Paste the key for First.")
	m.types("sk-secret")
	if screen := m.still(); strings.Contains(screen, "secret") || !strings.Contains(screen, "•••") {
		t.Errorf("the key is shown:\n%s", screen)
	}
	m.press("Enter")
	m.waits("Models") // the key is there, and still no session: another model may do
}

// TestLocalModelIsOfferedFirst begins without a key where a server answers: one key begins a session.
func TestLocalModelIsOfferedFirst(t *testing.T) {
	t.Parallel()
	kept := filepath.Join(t.TempDir(), "kept")
	m := inTmux(t, "80x24", "en", "NEBULA_TUI_NOKEY=local", "NEBULA_TUI_KEEP="+kept)
	m.waits("answers now")
	compare(t, "local-en-80x24", m.picture())
	m.press("Enter")
	m.waits("ask, or describe a change") // the welcome names the model too, before anybody can type
	m.types("hello")
	m.press("Enter")
	m.waits("● done")
	if b, err := os.ReadFile(kept); err != nil || string(b) != "model=gpt-4.1-nano\n" {
		t.Errorf("kept %q, %v: the next start would end here again", b, err)
	}
}

// TestChoiceHoldsForTheSession switches the model, and keeps it only when told to.
func TestChoiceHoldsForTheSession(t *testing.T) {
	t.Parallel()
	kept := filepath.Join(t.TempDir(), "kept")
	m := inTmux(t, "80x24", "en", "NEBULA_TUI_KEEP="+kept)
	m.waits("describe a change")
	typed("/model other")(m)
	typed("hello")(m)
	m.waits("● done")
	typed("/model third")(m)
	m.waits("/keep makes it the default")
	m.still()
	if b, err := os.ReadFile(kept); err == nil {
		t.Errorf("kept %q without being asked to", b)
	}
	typed("/keep")(m)
	m.waits("Later sessions begin with third")
	if b, err := os.ReadFile(kept); err != nil || string(b) != "model=third\nprotocol=auto\n" {
		t.Errorf("kept %q, %v", b, err)
	}
}

// TestEarlierSessionsAreOffered continues one with two keys.
func TestEarlierSessionsAreOffered(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "80x24", "ja", "NEBULA_TUI_SESSIONS=1")
	m.waits("以前の依頼")
	compare(t, "sessions-ja-80x24", m.picture())
	m.press("Down")
	m.press("Enter")
	m.waits("以前の答え")
}

// TestConversationBeginsWithTheRequestThatItWasGiven sends it without a key pressed.
func TestConversationBeginsWithTheRequestThatItWasGiven(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "80x24", "en", "NEBULA_TUI_SESSIONS=1", "NEBULA_TUI_FIRST=hello")
	m.waits("● done") // of the turn that the request began
}

// TestCursorStandsBehindWideCharacters looks where an input method would open its window.
func TestCursorStandsBehindWideCharacters(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "60x12", "ja")
	m.waits("ヘルプ")
	m.types("日本語😀abc")
	m.waits("日本語😀abc")
	if got := strings.TrimSpace(m.run("display", "-p", "#{cursor_x},#{cursor_y}")); got != "13,10" {
		t.Errorf("cursor at %s, want 13,10", got)
	}
	m.types("か\u3099é") // each one column or two, however many characters
	m.waits("é")
	if got := strings.TrimSpace(m.run("display", "-p", "#{cursor_x},#{cursor_y}")); got != "16,10" {
		t.Errorf("cursor at %s behind combining characters, want 16,10", got)
	}
	m.press("Left", "Left", "Left", "Left", "Left", "Left")
	m.still()
	if got := strings.TrimSpace(m.run("display", "-p", "#{cursor_x},#{cursor_y}")); got != "8,10" {
		t.Errorf("cursor at %s before the emoji, want 8,10", got)
	}
}

// TestTypedBeforeTheQuestionIsNoAnswer goes on typing while the question appears.
func TestTypedBeforeTheQuestionIsNoAnswer(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "80x24", "en")
	m.waits("describe a change")
	m.types("gate")
	m.press("Enter")
	for range 12 { // a person in the middle of a sentence
		m.types("y")
		time.Sleep(20 * time.Millisecond)
	}
	screen := m.waits("Allow?")
	if strings.Contains(screen, "✓ domain") {
		t.Fatalf("an answer from before was taken:\n%s", screen)
	}
	time.Sleep(3 * terminal.Guard)
	m.types("no")
	m.press("Enter")
	m.waits("→ refused")
	m.waits("› yyy") // and nothing is lost
}

// compare holds a captured screen against the one of before. A file of those is a picture: a terminal that prints it shows it, and
// docs/screen -gallery draws all.
func compare(t *testing.T, name, captured string) {
	t.Helper()
	file, screen := filepath.Join("testdata", "screens", name+".ansi"), painted(captured)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(screen), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v; run with -update", err)
		return
	}
	if string(want) != screen {
		t.Errorf("%s is another screen now:\n%s\nbefore:\n%s", name, screen, want)
	}
}

// TestGateSaysEveryReason of a risk, the lighter ones too, before anything can be answered.
func TestGateSaysEveryReason(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "80x24", "en")
	m.waits("describe a change")
	typed("destroys")(m)
	if screen := m.waits("Allow once"); !strings.Contains(screen, "destroys\n") || !strings.Contains(screen, "risk: high · uses the network\n") {
		t.Fatalf("a reason is missing:\n%s", screen)
	}
}

// TestGateTakesEveryAnswer edits a command, allows for the session, and brings back what was taken back.
func TestGateTakesEveryAnswer(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "100x40", "en")
	m.waits("describe a change")
	typed("shell")(m)
	m.waits("edit it")
	time.Sleep(2 * terminal.Guard)
	typed("e")(m)
	m.waits("enter puts this in its place")
	m.waits("› go test ./..."[3:])
	m.press("C-u")
	typed("go vet ./...")(m)
	m.waits("$ go vet ./...")
	time.Sleep(2 * terminal.Guard)
	typed("yes")(m)
	m.waits("→ allowed: go vet ./...")
	typed("gate")(m)
	m.waits("five points")
	time.Sleep(2 * terminal.Guard)
	m.press("Down", "Down")
	m.waits("for this session · esc")
	m.press("Enter")
	m.waits("→ allowed for this session")
	m.waits("✓ domain/todo.go")
	typed("/undo")(m)
	screen := m.waits("Undo turn 2: 1 file,")
	for _, want := range []string{"-type Priority string", "+type Priority int"} {
		if !strings.Contains(screen, want) {
			t.Errorf("undo does not show %q before it happens:\n%s", want, screen)
		}
	}
	m.press("Enter")
	m.waits("taken back: domain/todo.go")
	typed("/redo")(m)
	screen = m.waits("Redo turn 2: 1 file,")
	if !strings.Contains(screen, "+type Priority string") {
		t.Errorf("redo shows another change:\n%s", screen)
	}
	m.press("Enter")
	m.waits("brought back: domain/todo.go")
}

// TestInlineStaysInTheScrollback talks, is made narrower and wider meanwhile, and leaves: what was said stands above the
// shell's next prompt.
func TestInlineStaysInTheScrollback(t *testing.T) {
	t.Parallel()
	m := inTmux(t, "80x24", "en", "NEBULA_TUI_INLINE=1")
	m.waits("ask, or describe a change")
	typed("hello one")(m)
	m.waits("● done")
	m.run("resize-window", "-x", "60", "-y", "20")
	m.still()
	m.run("resize-window", "-x", "80", "-y", "24")
	m.still()
	typed("shell")(m)
	m.waits("edit it")
	time.Sleep(2 * terminal.Guard)
	typed("y")(m)
	m.waits("✓ $ go test")
	typed("hello two")(m)
	m.waits("name   │")
	time.Sleep(500 * time.Millisecond)
	m.still()
	m.press("C-d")
	m.waits("exit 0")
	all := m.run("capture-pane", "-p", "-S", "-500")
	for _, once := range []string{"▌ hello one", "✓ $ go test ./... && echo 'ok'⟦U+200B⟧", "▌ hello two"} {
		if n := strings.Count(all, once); n != 1 {
			t.Errorf("%q stands there %d times:\n%s", once, n, all)
		}
	}
	if n := strings.Count(all, "見出し"); n != 2 {
		t.Errorf("%d answers:\n%s", n, all)
	}
	if strings.Contains(all[strings.Index(all, "hello two"):], "describe a change") {
		t.Errorf("what was typed in is left behind:\n%s", all)
	}
}
