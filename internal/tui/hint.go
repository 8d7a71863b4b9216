package tui

import (
	"strings"

	"nebula/internal/terminal"
)

// keys lays out what keys do: pieces between " · ", each of them a key in backquotes and what it does. A piece is not
// broken where it fits into a row.
func (d drawer) keys(text string) []string {
	var rows []string
	row := ""
	for piece := range strings.SplitSeq(text, " · ") {
		shown := d.key(piece)
		joined := shown
		if row != "" {
			joined = row + terminal.Paint(d.style.dim, " · ") + shown
		}
		if row != "" && terminal.Bare(joined) > d.width {
			rows = append(rows, row)
			joined = shown
		}
		row = joined
	}
	rows = append(rows, row)
	for i, r := range rows {
		if terminal.Bare(r) > d.width {
			rows[i] = terminal.Break(r, d.width)[0]
		}
	}
	return rows
}

// key paints one piece: what stands in backquotes is the key.
func (d drawer) key(piece string) string {
	var b strings.Builder
	for i, part := range strings.Split(piece, "`") {
		if i%2 == 1 {
			b.WriteString(terminal.Paint(d.style.bold, part))
		} else {
			b.WriteString(terminal.Paint(d.style.dim, part))
		}
	}
	return b.String()
}

// chosen is the row of a list that is chosen, over the whole width.
func (d drawer) chosen(row string) string {
	row += strings.Repeat(" ", max(d.width-terminal.Bare(row), 0))
	return onBack(d.style.band, row)
}

// line is a line of a character over so many columns, also where the terminal draws that wide.
func line(with string, columns int) string {
	n := max(columns, 0) / terminal.Width(with)
	return strings.Repeat(with, n)
}
