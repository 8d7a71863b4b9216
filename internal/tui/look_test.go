//go:build !windows

package tui

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// colour is a sequence that sets one; 39 and 49 are the terminal's own.
var colour = regexp.MustCompile(`\x1b\[([34][0-8]|[34]8;|9[0-7])`)

// TestColoursFitTheTerminal compares a difference at the gate as terminals with more and fewer colours show it.
func TestColoursFitTheTerminal(t *testing.T) {
	for name, env := range map[string][]string{
		"none": {"NO_COLOR=1", "COLORTERM=truecolor"}, "sixteen": {"TERM=screen", "COLORTERM="}, "indexed": {"TERM=tmux-256color", "COLORTERM="},
		"true": {"COLORTERM=truecolor"}, "light": {"TERM=tmux-256color", "COLORTERM=", `"COLORFGBG=0;15"`},
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
			compare(t, "colours-"+name, screen)
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
	time.Sleep(3 * guard)
	s.types("no\r")
	s.expect("refused")
	s.types("\x1b[O")
	s.types("gate\r")
	s.wants("five points")
	if shown := s.shown(); strings.Count(shown, "\x1b]9;nebula: Allow? domain/todo.go") != 1 {
		t.Errorf("not called, or more than once: %q", shown)
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
