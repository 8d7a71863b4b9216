//go:build !windows

package tui

import (
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"nebula/internal/terminal"
)

// colour is a sequence that sets one; 39 and 49 are the terminal's own.
var colour = regexp.MustCompile(`\x1b\[([34][0-8]|[34]8;|9[0-7])`)

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

// TestWhatIsShownCanBeRead takes every style of the screens as they are and asks for the contrast that large text needs at least.
func TestWhatIsShownCanBeRead(t *testing.T) {
	grounds := map[string][2][3]float64{"dark": {{30, 30, 46}, {205, 214, 244}}, "light": {{239, 241, 245}, {76, 79, 105}}}
	styled := regexp.MustCompile(`\x1b\[([0-9;]+)m([^\x1b\n]*)`)
	for name, theme := range map[string]string{"dark/*": "dark", "light/*": "light", "colours-true": "dark", "colours-indexed": "dark", "colours-light": "light"} {
		files, err := filepath.Glob(filepath.Join("testdata", "screens", name+".ansi"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d screens, %v", name, len(files), err)
		}
		bad := map[string]string{}
		for _, file := range files {
			screen, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range styled.FindAllStringSubmatch(string(screen), -1) {
				back, front := grounds[theme][0], grounds[theme][1]
				if c, ok := shade(m[1], "38"); ok {
					front = c
				}
				if c, ok := shade(m[1], "48"); ok {
					back = c
				}
				if got := contrast(front, back); got < 3 && strings.TrimSpace(m[2]) != "" {
					bad[m[1]] = fmt.Sprintf("%q in %s: %.2f", m[2], file, got)
				}
			}
		}
		for style, where := range bad {
			t.Errorf("%s cannot be read: %s", style, where)
		}
	}
}

// shade is the colour of the 256, or of all, that a style gives to text (38) or behind it (48).
func shade(style, of string) (c [3]float64, ok bool) {
	m := regexp.MustCompile(`(?:^|;)` + of + `;(?:5;(\d+)|2;(\d+);(\d+);(\d+))`).FindStringSubmatch(style)
	if m == nil {
		return c, false
	}
	n, _ := strconv.Atoi(m[1])
	step := func(n int) float64 { return float64(min(n, 1)*55 + 40*n) }
	switch {
	case m[1] == "":
		for i := range c {
			c[i], _ = strconv.ParseFloat(m[i+2], 64)
		}
	case n >= 232:
		grey := float64(8 + 10*(n-232))
		c = [3]float64{grey, grey, grey}
	case n >= 16:
		c = [3]float64{step((n - 16) / 36), step((n - 16) / 6 % 6), step((n - 16) % 6)}
	default: // the terminal's own
		return c, false
	}
	return c, true
}

// contrast is that of two colours by WCAG 2: from 1 to 21.
func contrast(a, b [3]float64) float64 {
	bright := func(c [3]float64) float64 {
		for i, v := range c {
			if v /= 255; v <= 0.03928 {
				c[i] = v / 12.92
			} else {
				c[i] = math.Pow((v+0.055)/1.055, 2.4)
			}
		}
		return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] + 0.05
	}
	x, y := bright(a), bright(b)
	return max(x, y) / min(x, y)
}

// painted is a captured screen with each style written once, before what has it: two that look the same are the same text, and one
// that is written to a terminal is the picture. Where cells are empty and have no back their style is not to be seen and is left
// out, and so are those at the end of a line.
func painted(screen string) string {
	var b strings.Builder
	paint := sgr{}
	for line := range strings.SplitSeq(strings.TrimRight(screen, "\n"), "\n") {
		last, blank := sgr{}, 0 // the style that is written, and how many blanks wait
		for line != "" {
			if seq := terminal.SGR(line); seq != "" {
				paint.take(strings.Split(seq[2:len(seq)-1], ";"))
				line = line[len(seq):]
				continue
			}
			cluster := terminal.First(line)
			line = line[len(cluster):]
			if cluster == " " && !paint.fills() {
				blank++
				continue
			}
			if last != (sgr{}) && (paint != last || blank > 0 && last.fills()) {
				b.WriteString("\x1b[m")
				last = sgr{}
			}
			b.WriteString(strings.Repeat(" ", blank))
			if blank = 0; paint != last {
				b.WriteString("\x1b[" + strings.Trim(paint.front+paint.back+paint.marks, ";") + "m")
				last = paint
			}
			b.WriteString(cluster)
		}
		if last != (sgr{}) {
			b.WriteString("\x1b[m")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// An sgr is the style that a terminal's sequences have come to, each part behind a semicolon.
type sgr struct{ front, back, marks string }

// fills says whether an empty cell shows it: by a back, inverted, or with a line.
func (s sgr) fills() bool { return s.back != "" || strings.ContainsAny(s.marks, "479") }

func (s *sgr) take(codes []string) {
	for i := 0; i < len(codes); i++ {
		switch c := codes[i]; {
		case c == "0" || c == "":
			*s = sgr{}
		case c == "39":
			s.front = ""
		case c == "49":
			s.back = ""
		case c == "38" || c == "48":
			n := i + 2
			if codes[i+1] == "2" {
				n = i + 4
			}
			if color := ";" + strings.Join(codes[i:n+1], ";"); c == "38" {
				s.front = color
			} else {
				s.back = color
			}
			i = n
		case c[0] == '3' && len(c) == 2:
			s.front = ";" + c
		default:
			s.marks += ";" + c
		}
	}
}
