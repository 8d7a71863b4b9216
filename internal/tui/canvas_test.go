package tui

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"nebula/internal/terminal"
)

// A glass is a terminal as far as the canvas uses one. It fails on everything else.
type glass struct {
	t           *testing.T
	cells       [][]string // a cluster, or "" behind a wide one
	x, y        int
	top, bottom int
	open        string
}

func newGlass(t *testing.T, width, height int) *glass {
	g := &glass{t: t, bottom: height}
	for range height {
		g.cells = append(g.cells, blankRow(width))
	}
	return g
}

func blankRow(width int) []string { return strings.Split(strings.Repeat(" ", width), "") }

func (g *glass) Write(b []byte) (int, error) {
	for text := string(b); text != ""; {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
			g.obey(rest[:end], rest[end])
			text = rest[end+1:]
			continue
		}
		cluster := terminal.First(text)
		text = text[len(cluster):]
		w := terminal.Width(cluster)
		if g.x+w > len(g.cells[0]) {
			g.t.Fatalf("%q is written beyond the last column of row %d", cluster, g.y)
		}
		g.cells[g.y][g.x] = cluster
		for i := 1; i < w; i++ {
			g.cells[g.y][g.x+i] = ""
		}
		g.x += w
	}
	return len(b), nil
}

func (g *glass) obey(args string, final byte) {
	var n []int
	for a := range strings.SplitSeq(args, ";") {
		i, _ := strconv.Atoi(a)
		n = append(n, i)
	}
	switch final {
	case 'H':
		g.y, g.x = n[0]-1, n[1]-1
	case 'K':
		for i := g.x; i < len(g.cells[g.y]); i++ {
			g.cells[g.y][i] = " "
		}
	case 'J':
		for y := range g.cells {
			g.cells[y] = blankRow(len(g.cells[y]))
		}
	case 'r':
		g.top, g.bottom, g.x, g.y = 0, len(g.cells), 0, 0
		if args != "" {
			g.top, g.bottom = n[0]-1, n[1]
		}
	case 'S', 'T':
		g.shift(n[0], final == 'S')
	case 'm':
		if g.open += args; args == "0" {
			g.open = ""
		}
	case 'h', 'l':
	default:
		g.t.Fatalf("unknown sequence %q %c", args, final)
	}
}

func (g *glass) shift(n int, up bool) {
	for range n {
		if up {
			copy(g.cells[g.top:], g.cells[g.top+1:g.bottom])
			g.cells[g.bottom-1] = blankRow(len(g.cells[0]))
		} else {
			copy(g.cells[g.top+1:g.bottom], g.cells[g.top:])
			g.cells[g.top] = blankRow(len(g.cells[0]))
		}
	}
}

func (g *glass) row(y int) string { return strings.TrimRight(strings.Join(g.cells[y], ""), " ") }

// TestCanvasShowsTheRows paints random frames that grow, move and change, and looks at what a terminal makes of them.
func TestCanvasShowsTheRows(t *testing.T) {
	const width, height = 24, 10
	rnd := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "word ", "語", "日本", "\x1b[1mbold\x1b[0m", "\x1b[38;5;80m色\x1b[0m", "é", "か\u3099", "👨\u200d👩\u200d👧", "│", " ", "\x1b[7mx\x1b[1my\x1b[0m"}
	line := func() string {
		var b strings.Builder
		for range rnd.IntN(9) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		return terminal.Break(b.String(), width)[0]
	}
	g := newGlass(t, width, height)
	c := canvas{out: g}
	rows := make([]string, height)
	for i := range 5000 {
		next := append([]string{}, rows...)
		switch rnd.IntN(4) {
		case 0:
			next[rnd.IntN(height)] = line()
		case 1:
			by := 1 + rnd.IntN(4)
			next = append(append([]string{}, rows[by:height-2]...), append(lines(by, line), rows[height-2:]...)...)
		case 2:
			by := 1 + rnd.IntN(4)
			next = append(append(lines(by, line), rows[:height-2-by]...), rows[height-2:]...)
		case 3:
			y := rnd.IntN(height)
			if grown := terminal.Break(next[y]+line(), width)[0]; grown != "" {
				next[y] = grown
			}
		}
		if err := c.paint(next, height-2, 0, height-1); err != nil {
			t.Fatal(err)
		}
		for y, row := range next {
			if want := strings.TrimRight(terminal.Unpainted(row), " "); g.row(y) != want {
				t.Fatalf("frame %d, row %d is %q, want %q (before: %q)", i, y, g.row(y), want, rows[y])
			}
		}
		if g.open != "" {
			t.Fatalf("frame %d leaves the style %q open", i, g.open)
		}
		rows = next
	}
}

func lines(n int, line func() string) []string {
	var out []string
	for range n {
		out = append(out, line())
	}
	return out
}

// TestStreamingWritesWhatIsNew checks that a line that grows costs its new words and little more.
func TestStreamingWritesWhatIsNew(t *testing.T) {
	var out bytes.Buffer
	c := canvas{out: &out}
	rows := []string{"", "", ""}
	_ = c.paint(rows, 2, 0, 2)
	for i := range 20 {
		out.Reset()
		rows = []string{rows[0] + fmt.Sprintf("w%02d ", i), "", ""}
		_ = c.paint(rows, 2, 0, 2)
		if out.Len() > 64 {
			t.Fatalf("%d bytes for one word: %q", out.Len(), out.String())
		}
	}
	out.Reset()
	if _ = c.paint(append([]string{}, rows...), 2, 0, 2); out.Len() > 0 {
		t.Errorf("%q is written though nothing changed", out.String())
	}
}
