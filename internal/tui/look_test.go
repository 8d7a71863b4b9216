//go:build !windows

package tui

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"nebula/internal/terminal"
)

// colour is a sequence that sets one; 39 and 49 are the terminal's own.
var colour = regexp.MustCompile(`\x1b\[([34][0-8]|[34]8;|9[0-7])`)

// blanks are those at the end of a line.
var blanks = regexp.MustCompile(`(?m)[ \t]+$`)

// TestColoursFitTheTerminal compares a difference at the gate as terminals with more and fewer colours show it.
func TestColoursFitTheTerminal(t *testing.T) {
	for name, env := range map[string][]string{
		"none": {"NO_COLOR=1", "COLORTERM=truecolor"}, "sixteen": {"TERM=screen", "COLORTERM="}, "indexed": {"TERM=tmux-256color", "COLORTERM="},
		"true": {"COLORTERM=truecolor"}, "light": {"TERM=tmux-256color", "COLORTERM=", "NEBULA_TUI_THEME=light"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := inTmux(t, "80x24", "en", env...)
			m.waits("describe a change")
			typed("gate")(m)
			m.waits("Allow?")
			m.still()
			screen := m.run("capture-pane", "-p", "-e")
			if coloured := colour.MatchString(screen); coloured == (name == "none") {
				t.Errorf("colours: %v", coloured)
			}
			compare(t, "colours-"+name, blanks.ReplaceAllString(painted(screen), "")) // tmux gives those at a line's end at times
		})
	}
}

// TestBackgroundOfTheTerminalDecides answers the question for the background's colour.
func TestBackgroundOfTheTerminalDecides(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	t.Parallel()
	s := sit(t)
	s.types("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
	s.expect("\x1b[38;5;25m") // the accent on white
	s.types("\x1b]11;rgb:0000/0000/0000\x1b\\")
	s.expect("\x1b[38;5;80m") // and on black
}

// TestPersonIsCalledOnlyWhenAway lets a question come while the terminal has the focus, and while it has not.
func TestPersonIsCalledOnlyWhenAway(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	t.Parallel()
	s := sit(t, "TMUX=")
	s.types("\x1b[I")
	s.types("gate\r")
	s.wants("five points")
	if strings.Contains(s.shown(), "\a") {
		t.Errorf("called though the person is there: %q", s.shown())
	}
	time.Sleep(3 * terminal.Guard)
	s.types("no\r")
	s.expect("refused")
	s.types("\x1b[O")
	s.types("gate\r")
	s.wants("five points")
	if shown := s.shown(); strings.Count(shown, "\x1b]9;nebula · todo: Allow? domain/todo.go") != 1 {
		t.Errorf("not called, or more than once: %q", shown)
	}
	for _, title := range []string{"● todo: needs your approval"} {
		if !strings.Contains(s.shown(), "\x1b]2;"+title+"\x1b\\") {
			t.Errorf("the window is never called %q", title)
		}
	}
}

// TestNothingIsWrittenOutsideOfAFrame follows a conversation byte by byte: every change is one synchronized frame.
func TestNothingIsWrittenOutsideOfAFrame(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	t.Parallel()
	s := sit(t)
	s.types("hello\r")
	s.wants("\x1b[?2026l")
	s.wants("1.2k tokens")
	_, shown, _ := strings.Cut(s.shown(), "\x1b[?2026h")
	for frame := range strings.SplitSeq(shown, "\x1b[?2026h") {
		if inside, after, ok := strings.Cut(frame, "\x1b[?2026l"); after != "" || !ok && !strings.HasSuffix(shown, inside) {
			t.Errorf("%q is written after a frame", after)
		}
	}
}

// TestMarkedTextIsCopied drags over a word and clicks twice on one: both go to the terminal's clipboard.
func TestMarkedTextIsCopied(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	t.Parallel()
	s := sit(t)
	s.types("hello\r")
	s.wants("1.2k tokens")
	copied := func(text string) string { return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a" }
	s.types("\x1b[<0;3;2M\x1b[<32;5;2M\x1b[<0;6;2m")
	s.expect(copied("hell"))
	time.Sleep(500 * time.Millisecond) // a click so soon would be a second one
	s.types("\x1b[<0;4;2M\x1b[<0;4;2m\x1b[<0;4;2M\x1b[<0;4;2m")
	s.expect(copied("hello"))
}

// TestTextIsWrittenInTheOwnEditor lends the terminal to a program that adds a line.
func TestTextIsWrittenInTheOwnEditor(t *testing.T) {
	t.Parallel()
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nstty -a | grep -q -e -icanon && echo raw >>\"$1\"\necho 'and a second line' >>\"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	m := inTmux(t, "80x40", "en", "EDITOR="+editor)
	m.waits("describe a change")
	m.types("a first line")
	m.press("C-j", "C-g")
	m.waits("and a second line")
	m.press("Enter")
	screen := m.waits("● done")
	if !strings.Contains(screen, "▌ a first line") || strings.Contains(screen, "raw") {
		t.Errorf("the message is another, or the editor's terminal was raw:\n%s", screen)
	}
}

// painted writes styles out, before every text that has another one than the text before it: ⟨31 7⟩ is red and inverted.
// Where a terminal's cells are empty their style is not to be seen, and is left out.
func painted(screen string) string {
	var b strings.Builder
	front, back, marks := "", "", ""
	last := ""
	for screen != "" {
		if seq := terminal.SGR(screen); seq != "" {
			codes := strings.Split(seq[2:len(seq)-1], ";")
			for i := 0; i < len(codes); i++ {
				switch c := codes[i]; {
				case c == "0" || c == "":
					front, back, marks = "", "", ""
				case c == "39":
					front = ""
				case c == "49":
					back = ""
				case c == "38" || c == "48":
					n := i + 2
					if codes[i+1] == "2" {
						n = i + 4
					}
					if color := strings.Join(codes[i:n+1], ";"); c == "38" {
						front = color
					} else {
						back = color
					}
					i = n
				case c[0] == '3' && len(c) == 2:
					front = c
				default:
					marks += " " + c
				}
			}
			screen = screen[len(seq):]
			continue
		}
		cluster := terminal.First(screen)
		screen = screen[len(cluster):]
		now := strings.TrimSpace(front + " " + back + marks)
		if cluster == " " && back == "" {
			now = last
		}
		if cluster != "\n" && now != last {
			b.WriteString("⟨" + now + "⟩")
			last = now
		}
		b.WriteString(cluster)
	}
	return b.String()
}
