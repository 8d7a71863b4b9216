package tui

import (
	"encoding/base64"
	"strings"
	"time"

	"nebula/internal/terminal"

	uv "github.com/charmbracelet/ultraviolet"
)

// A selection is text that is being marked with the mouse, in cells of the screen; it is copied when the button is let
// go. Shift, in most terminals, marks with the terminal's own means instead.
type selection struct {
	on     bool // the button is down
	moved  bool
	x0, y0 int
	x1, y1 int
	last   time.Time // of the click before
	most   int       // the columns that can be marked: those of the conversation, where something stands beside it
}

func (a *app) wheel(e uv.MouseWheelEvent) {
	switch e.Button {
	case uv.MouseWheelUp:
		a.scrollBy(-3)
	case uv.MouseWheelDown:
		a.scrollBy(3)
	}
}

func (a *app) press(m uv.Mouse) {
	if m.Button == uv.MouseLeft {
		a.drag = selection{on: true, x0: m.X, y0: m.Y, x1: m.X, y1: m.Y, last: a.drag.last, most: a.width}
		if side := a.width - panelWidth; a.panelled() && m.X < side && m.Y < len(a.scroll.seen) {
			a.drag.most = side
		}
	}
}

func (a *app) pull(m uv.Mouse) {
	if a.drag.on {
		a.drag.x1, a.drag.y1, a.drag.moved = m.X, m.Y, true
	}
}

func (a *app) release(m uv.Mouse) {
	d := a.drag
	if !d.on {
		return
	}
	a.drag = selection{last: time.Now()}
	if d.moved && (d.x0 != m.X || d.y0 != m.Y) {
		d.x1, d.y1 = m.X, m.Y
		a.copy(marked(a.shown, d))
		return
	}
	if time.Since(d.last) < 400*time.Millisecond {
		d.x0, d.x1 = wordAt(a.shown, m.X, m.Y)
		a.copy(marked(a.shown, d))
		return
	}
	a.click(m)
}

// click opens and closes what is clicked.
func (a *app) click(m uv.Mouse) {
	if a.page != nil || m.Y >= len(a.scroll.seen) {
		return
	}
	if i := a.scroll.seen[m.Y].block; i >= 0 && i < len(a.view.blocks) && a.view.blocks[i].folds() && a.head(i, m.Y) {
		a.toggle(i)
	}
}

// head reports whether a row of the screen is a block's first line.
func (a *app) head(i, y int) bool {
	row := a.scroll.seen[y].row
	if a.view.blocks[i].gap {
		row--
	}
	return row == 0
}

// copy hands text to the terminal's clipboard.
func (a *app) copy(text string) {
	text = strings.TrimRight(text, "\n ")
	if text == "" {
		return
	}
	_, err := a.options.Out.WriteString("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a")
	if err == nil {
		a.hint = a.words.Copied
	}
}

// ordered are a selection's ends from the first to the last.
//
//go:noinline
func (d selection) ordered() (x0, y0, x1, y1 int) {
	if d.y0 > d.y1 || d.y0 == d.y1 && d.x0 > d.x1 {
		return d.x1, d.y1, d.x0, d.y0
	}
	return d.x0, d.y0, d.x1, d.y1
}

// within are the columns of row y that are marked; none when to is not above from.
func (d selection) within(y int) (from, to int) {
	x0, y0, x1, y1 := d.ordered()
	if y < y0 || y > y1 {
		return 0, 0
	}
	from, to = 0, d.most
	if y == y0 {
		from = x0
	}
	if y == y1 {
		to = min(x1+1, d.most)
	}
	return from, to
}

// marked is the text that is marked.
func marked(rows []string, d selection) string {
	var b strings.Builder
	for y, row := range rows {
		if from, to := d.within(y); to > from {
			_, inside, _ := cut(terminal.Unpainted(row), from, to)
			b.WriteString(strings.TrimRight(inside, " ") + "\n")
		}
	}
	return b.String()
}

// cut splits text at columns.
func cut(text string, from, to int) (before, inside, after string) {
	x, i, j := 0, len(text), len(text)
	for at := 0; at < len(text); {
		cluster := terminal.First(text[at:])
		if x >= from && i == len(text) {
			i = at
		}
		if x >= to {
			j = at
			break
		}
		x += terminal.Width(cluster)
		at += len(cluster)
	}
	return text[:i], text[i:max(i, j)], text[max(i, j):]
}

// invert shows what is marked.
func (a *app) invert(rows []string) {
	if !a.drag.on || !a.drag.moved {
		return
	}
	for y := range rows {
		if from, to := a.drag.within(y); to > from {
			before, inside, after := cut(terminal.Unpainted(rows[y]), from, to)
			rows[y] = before + terminal.Paint("\x1b[7m", inside) + after
		}
	}
}

// wordAt are the first and the last column of the word at a place.
func wordAt(rows []string, x, y int) (from, to int) {
	if y >= len(rows) {
		return x, x
	}
	before, _, _ := cut(terminal.Unpainted(rows[y]), x, x)
	from = terminal.Width(before) - terminal.Width(lastWord(before))
	rest := terminal.Unpainted(rows[y])[len(before):]
	if i := strings.IndexAny(rest, " \t"); i >= 0 {
		rest = rest[:i]
	}
	return from, terminal.Width(before) + terminal.Width(rest) - 1
}
