package terminal

import "strings"

// Layout breaks the text into rows of at most max columns and says where the cursor is: at spaces and between wide
// characters, as [Wrap] does, and anywhere where a word is longer than a row. The first row has room for a prompt of lead
// columns, and so have all others, so that the text stands in one block.
//
//go:noinline
func (e *Editor) Layout(max, lead int) (rows []string, x, y int) { return e.Window(max, lead, 1<<30) }

// Window is Layout of at most so many rows: those around the cursor.
func (e *Editor) Window(columns, lead, most int) (rows []string, x, y int) {
	l := e.lay(columns - lead)
	x, y = l.place(e.at)
	from := 0
	if n := len(l.starts); n > most {
		from = min(max(y-most/2, 0), n-most)
	}
	var b strings.Builder
	for i := from; i < min(from+most, len(l.starts)); i++ {
		b.Reset()
		for _, c := range e.cells[l.starts[i]:l.end(i)] {
			if c.text != "\n" {
				b.WriteString(Clip(c.shown(), l.room))
			}
		}
		rows = append(rows, b.String())
	}
	return rows, x + lead, y - from
}

// Vertical moves the cursor up or down by rows as laid out, and reports whether there was a row to go to.
func (e *Editor) Vertical(by, max, lead int) bool {
	l := e.lay(max - lead)
	x, y := l.place(e.at)
	if y+by < 0 || y+by >= len(l.starts) {
		return false
	}
	e.at = l.starts[y+by]
	for to := l.last(y + by); e.at < to; e.at++ {
		if next, _ := l.place(e.at + 1); next > x {
			break
		}
	}
	return true
}

// A laid is how a text is broken into rows: the cell that each begins with, and the column that each cell stands in.
type laid struct {
	room   int
	cells  []cell
	starts []int
	cols   []int // of every cell, and of the place behind the last
	rows   []int
}

// lay breaks the text in one go.
func (e *Editor) lay(room int) laid {
	n := len(e.cells)
	l := laid{room: max(room, 2), cells: e.cells, starts: []int{0}, cols: make([]int, n+1), rows: make([]int, n+1)}
	col, fold, wide := 0, 0, false
	begin := func(i int) {
		l.starts = append(l.starts, i)
		fold, wide = i, false
	}
	for i, c := range e.cells {
		w := c.width(l.room)
		if start := l.starts[len(l.starts)-1]; w == 2 || wide {
			if i > start && !strings.ContainsAny(c.text, closers) {
				fold = i
			}
		}
		wide = w == 2
		if col+w > l.room {
			from := i
			if start := l.starts[len(l.starts)-1]; fold > start {
				from = fold
			}
			begin(from)
			col = 0
			for k := from; k < i; k++ { // at most a row of them
				l.cols[k], l.rows[k] = col, len(l.starts)-1
				col += e.cells[k].width(l.room)
			}
		}
		l.cols[i], l.rows[i] = col, len(l.starts)-1
		col += w
		switch c.text {
		case "\n":
			begin(i + 1)
			col = 0
		case " ":
			fold = i + 1
		}
	}
	if col >= l.room { // the cursor needs a place
		begin(n)
		col = 0
	}
	l.cols[n], l.rows[n] = col, len(l.starts)-1
	return l
}

// place is where cell i stands.
func (l *laid) place(i int) (x, y int) { return l.cols[i], l.rows[i] }

// end is the cell behind those of row i, and last the last one of it that the cursor can stand before.
func (l *laid) end(i int) int {
	if i+1 < len(l.starts) {
		return l.starts[i+1]
	}
	return len(l.cells)
}

func (l *laid) last(i int) int {
	if i+1 < len(l.starts) {
		return l.starts[i+1] - 1
	}
	return len(l.cells)
}

// width is how many columns a cell takes.
func (c cell) width(room int) int {
	switch {
	case c.text == "\n":
		return 0
	case c.show == "" && len(c.text) == 1:
		return 1
	}
	return min(Width(c.shown()), room)
}
