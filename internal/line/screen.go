package line

import (
	"fmt"
	"io"
	"strings"

	"nebula/internal/terminal"
)

// A screen is the terminal below what has been said: lines that are printed once and scroll away, and the live rows
// under them, which are drawn over and over. Nothing is drawn when nothing changed, and what is drawn is drawn at once
// (synchronized output, where the terminal has it), so that nothing flickers.
type screen struct {
	out    io.Writer
	width  int
	height int
	rows   []string // the live rows as they stand
	y      int      // the live row that the cursor is in
	x      int
	asked  string // the prompt that a terminal without a cursor stands behind
	typed  string // behind it, where that is echoed
}

// print is draw for a terminal that can only print: what is said, and then the prompt, where an answer is wanted.
func (s *screen) print(lines []string, prompt string) error {
	var b strings.Builder
	if s.asked != "" && (len(lines) > 0 || prompt != s.asked) {
		b.WriteString("\n")
		s.asked = ""
	}
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	if prompt != "" && s.asked == "" {
		b.WriteString(prompt)
		s.asked = prompt
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}

// echo shows a line that was typed where nobody types.
func (s *screen) echo(line string) {
	s.asked = ""
	_, _ = io.WriteString(s.out, line+"\n") // what is printed next meets the same fault
}

// draw prints lines above the live rows and shows live instead of the present ones, with the cursor at x, y among
// them. Every row must fit the width. When live has more rows than fit, the last ones are shown.
func (s *screen) draw(lines, live []string, x, y int) error {
	if extra := len(live) - max(s.height-1, 1); extra > 0 {
		live, y = live[extra:], max(y-extra, 0)
	}
	if len(lines) == 0 && same(live, s.rows) && x == s.x && y == s.y {
		return nil
	}
	var b strings.Builder
	b.WriteString("\x1b[?2026h\x1b[?25l\r")
	up(&b, s.y)
	if len(lines) == 0 && len(live) == len(s.rows) {
		s.update(&b, live)
	} else {
		b.WriteString("\x1b[J")
		for _, l := range lines {
			b.WriteString(l + "\r\n")
		}
		b.WriteString(strings.Join(live, "\r\n"))
	}
	up(&b, max(len(live)-1, 0)-y)
	fmt.Fprintf(&b, "\r%s\x1b[?25h\x1b[?2026l", right(x))
	s.rows, s.x, s.y = live, x, y
	_, err := io.WriteString(s.out, b.String())
	return err
}

// update rewrites the rows that changed. It begins in the first row and ends in the last.
func (s *screen) update(b *strings.Builder, live []string) {
	for i, row := range live {
		if i > 0 {
			b.WriteString("\r\n")
		}
		if row != s.rows[i] {
			b.WriteString("\x1b[K" + row) // cleared first: after a full row the cursor still stands on its last cell
		}
	}
}

// resize takes note of a new size. A terminal that became narrower has broken the live rows into more: the cursor is
// that much farther from the first.
func (s *screen) resize(width, height int) {
	if s.width > 0 && width < s.width {
		y := 0
		for i, row := range s.rows {
			if i >= s.y {
				y += max(s.x-1, 0) / max(width, 1)
				break
			}
			y += max((width+terminal.Bare(row)-1)/max(width, 1), 1)
		}
		s.y = y
	}
	s.width, s.height = width, height
	s.rows = append(s.rows, "") // draw everything anew
}

func same(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

//go:noinline
func up(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "\x1b[%dA", n)
	}
}

func right(n int) string {
	if n < 1 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dC", n)
}
