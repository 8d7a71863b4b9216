package tui

import (
	"io"
	"strconv"
	"strings"

	"nebula/internal/terminal"
)

// A screen shows frames: the whole terminal, or the live rows below what scrolled away.
type screen interface {
	// show puts a frame on the screen.
	show(f frameRows) error
	resize(width, height int)
	// clear draws everything anew with the next frame.
	clear()
	// leave puts the cursor where the shell goes on.
	leave() error
}

// A frameRows is what is to be seen: rows for the conversation and the dock below it, and the cursor among the dock's.
type frameRows struct {
	done []string // rows that will not change any more; inline only
	body []string
	dock []string
	also string // is written with it, and moves nothing
	x, y int    // y counts from the first row of the dock; negative for no cursor
}

func screenFor(o Options) screen {
	if o.Inline {
		return &inline{out: o.Out}
	}
	return &whole{canvas: canvas{out: o.Out}}
}

// A whole screen is the alternate one, which goes away in the end.
type whole struct{ canvas canvas }

func (w *whole) show(f frameRows) error {
	rows := make([]string, 0, len(f.body)+len(f.dock))
	rows = append(append(rows, f.body...), f.dock...)
	w.canvas.also += f.also
	y := f.y
	if y >= 0 {
		y += len(f.body)
	}
	return w.canvas.paint(rows, len(f.body), f.x, y)
}

func (w *whole) resize(int, int) { w.canvas.reset() }
func (w *whole) clear()          { w.canvas.reset() }
func (w *whole) leave() error    { return nil }

// An inline screen prints what is done into the terminal's own scrollback, and keeps the rest below it.
type inline struct {
	out           io.Writer
	width, height int
	rows          []string
	x, y          int
}

func (s *inline) show(f frameRows) error {
	live := append(append([]string{}, f.body...), f.dock...)
	y := max(f.y, 0) + len(f.body)
	if extra := len(live) - max(s.height-1, 1); extra > 0 {
		live, y = live[extra:], max(y-extra, 0)
	}
	if f.also == "" && len(f.done) == 0 && len(live) == len(s.rows) && equal(live, s.rows) && f.x == s.x && y == s.y {
		return nil
	}
	var b strings.Builder
	b.WriteString("\x1b[?2026h\x1b[?25l\r" + f.also)
	up(&b, s.y)
	switch {
	case len(f.done) == 0 && len(live) == len(s.rows):
		for i, row := range live {
			if i > 0 {
				b.WriteString("\r\n")
			}
			if row != s.rows[i] {
				b.WriteString("\x1b[K" + row)
			}
		}
	default:
		b.WriteString("\x1b[J")
		for _, l := range f.done {
			b.WriteString(l + "\r\n")
		}
		b.WriteString(strings.Join(live, "\r\n"))
	}
	up(&b, max(len(live)-1, 0)-y)
	b.WriteString("\r")
	right(&b, f.x)
	if f.y >= 0 {
		b.WriteString("\x1b[?25h")
	}
	b.WriteString("\x1b[?2026l")
	s.rows, s.x, s.y = live, f.x, y
	_, err := io.WriteString(s.out, b.String())
	return err
}

// resize takes note of a new size. A terminal that became narrower has broken the live rows into more: the cursor is
// that much farther from the first.
func (s *inline) resize(width, height int) {
	if s.width > 0 && width < s.width {
		y := 0
		for i, row := range s.rows {
			if i >= s.y {
				break
			}
			y += max((width+terminal.Bare(row)-1)/width, 1)
		}
		s.y = y
	}
	s.width, s.height = width, height
	s.rows = append(s.rows, "") // draw everything anew
}

func (s *inline) clear() { s.rows = append(s.rows, "") }

func (s *inline) leave() error {
	var b strings.Builder
	b.WriteString("\r")
	up(&b, s.y)
	b.WriteString("\x1b[J")
	s.rows, s.y = nil, 0
	_, err := io.WriteString(s.out, b.String())
	return err
}

//go:noinline
func up(b *strings.Builder, n int) { steps(b, n, 'A') }

func right(b *strings.Builder, n int) { steps(b, n, 'C') }

func steps(b *strings.Builder, n int, to byte) {
	if n > 0 {
		b.WriteString("\x1b[" + strconv.Itoa(n) + string(to))
	}
}
