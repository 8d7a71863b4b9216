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

// stroke is a line of a character over so many columns.
func stroke(with string, columns int) string { return strings.Repeat(glyph(with), max(columns, 0)) }

// narrow are the characters that stand for those of ours that a terminal may draw two columns wide.
var narrow = map[string]string{"─": "-", "│": "|", "┼": "+", "╭": "+", "╰": "+", "█": "#", "░": ".", "▌": "|", "▎": "|", "●": "*", "○": "o", "◐": "~", "◆": "*", "•": "*",
	"▁": "1", "▂": "2", "▃": "3", "▄": "4", "▅": "5", "▆": "6", "▇": "7"}

// glyph is a character that takes one column on this terminal.
//
//go:noinline
func glyph(s string) string {
	if terminal.Width(s) > 1 {
		if n, ok := narrow[s]; ok {
			return n
		}
	}
	return s
}

// glyphs are characters that take one column each.
func glyphs(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(glyph(string(r)))
	}
	return b.String()
}
