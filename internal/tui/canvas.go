package tui

import (
	"io"
	"strconv"
	"strings"

	"nebula/internal/terminal"
)

// A canvas is the whole screen as it stands. Only what changed is written, in one piece that the terminal shows at
// once (synchronized output, where it has that). Every row must fit the width.
type canvas struct {
	out  io.Writer
	rows []string
	x, y int
	buf  []byte
	also string // is written with the next frame, and moves nothing
}

// reset forgets what stands on the screen: all of it is written anew.
func (c *canvas) reset() { c.rows = nil }

// paint shows rows, one for each row of the screen, with the cursor at x, y; no cursor for y < 0. The first body rows
// may have moved as one, which is written as a move.
func (c *canvas) paint(rows []string, body, x, y int) error {
	whole := len(c.rows) != len(rows)
	if !whole && x == c.x && y == c.y && c.also == "" && equal(rows, c.rows) {
		return nil
	}
	b := c.buf[:0]
	b = append(append(b, "\x1b[?2026h\x1b[?25l"...), c.also...)
	c.also = ""
	if whole {
		b = append(b, "\x1b[0m\x1b[2J"...)
		c.rows = make([]string, len(rows))
	} else if by := moved(c.rows[:min(body, len(c.rows))], rows[:min(body, len(rows))]); by != 0 {
		b = c.move(b, body, by)
	}
	for i, row := range rows {
		if row != c.rows[i] {
			b = rewrite(b, i, c.rows[i], row)
		}
	}
	if y >= 0 {
		b = at(b, y, x)
		b = append(b, "\x1b[?25h"...)
	}
	b = append(b, "\x1b[?2026l"...)
	c.rows, c.x, c.y, c.buf = rows, x, y, b
	_, err := c.out.Write(b)
	return err
}

// move shifts the first body rows up by so many rows, down when negative.
func (c *canvas) move(b []byte, body, by int) []byte {
	b = append(b, "\x1b[1;"...)
	b = strconv.AppendInt(b, int64(body), 10)
	b = append(b, "r\x1b["...)
	old := append([]string(nil), c.rows...)
	for i := range body {
		c.rows[i] = ""
		if from := i + by; from >= 0 && from < body {
			c.rows[i] = old[from]
		}
	}
	if by > 0 {
		b = strconv.AppendInt(b, int64(by), 10)
		b = append(b, 'S')
	} else {
		b = strconv.AppendInt(b, int64(-by), 10)
		b = append(b, 'T')
	}
	return append(b, "\x1b[r"...)
}

// moved finds by how many rows old was moved to become rows; 0 when rewriting is as good.
func moved(old, rows []string) int {
	n := len(rows)
	if n < 4 || len(old) != n {
		return 0
	}
	best, gain := 0, fits(old, rows, 0)+2
	for by := 1; by < n*3/4; by++ {
		if f := fits(old, rows, by); f > gain {
			best, gain = by, f
		}
		if f := fits(old, rows, -by); f > gain {
			best, gain = -by, f
		}
	}
	return best
}

// fits counts the rows that need no writing after a move.
//
//go:noinline
func fits(old, rows []string, by int) int {
	n := 0
	for i, row := range rows {
		if from := i + by; from >= 0 && from < len(old) && row != "" && old[from] == row {
			n++
		}
	}
	return n
}

// rewrite writes row y from where it differs. What stands behind the row's end is cleared before the row is written:
// after a full row the cursor still stands on its last cell.
func rewrite(b []byte, y int, old, row string) []byte {
	same, cols, open := common(old, row)
	b = at(b, y, cols)
	rest := row[same:]
	if terminal.Bare(old[same:]) > terminal.Bare(rest) {
		b = append(b, "\x1b[K"...)
	}
	b = append(b, open...)
	b = append(b, rest...)
	if open != "" && !strings.HasSuffix(row, terminal.Reset) {
		b = append(b, terminal.Reset...)
	}
	return b
}

// common is what two rows share at their beginning: bytes, columns, and the styles that are open there. The last
// cluster that they share is left out, since what follows may join it.
func common(old, row string) (same, cols int, open string) {
	type place struct {
		same, cols int
		open       string
	}
	var last place
	now := place{}
	for now.same < len(row) && now.same < len(old) {
		if seq := terminal.SGR(row[now.same:]); seq != "" {
			if !strings.HasPrefix(old[now.same:], seq) {
				break
			}
			now.same += len(seq)
			if now.open += seq; seq == terminal.Reset {
				now.open = ""
			}
			continue
		}
		cluster := terminal.First(row[now.same:])
		if !strings.HasPrefix(old[now.same:], cluster) {
			break
		}
		last = now
		now.same += len(cluster)
		now.cols += terminal.Width(cluster)
	}
	if now.same == len(old) && plainEnd(row[now.same:]) {
		return now.same, now.cols, now.open
	}
	return last.same, last.cols, last.open
}

// plainEnd reports whether rest begins with something that joins nothing before it.
func plainEnd(rest string) bool { return rest == "" || rest[0] < 0x80 }

func at(b []byte, y, x int) []byte {
	b = append(b, "\x1b["...)
	b = strconv.AppendInt(b, int64(y+1), 10)
	b = append(b, ';')
	b = strconv.AppendInt(b, int64(x+1), 10)
	return append(b, 'H')
}

func equal(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
