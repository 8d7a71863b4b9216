package tui

import (
	"strings"

	"nebula/internal/terminal"
)

// table lays a table out with aligned columns. Where it does not fit, cells go on in further rows; where not even that is
// possible, every cell stands behind its column's name.
func (p *page) table(lines []string) {
	var cells [][]string
	right := terminal.Alignments(lines[1])
	for i, l := range lines {
		if i != 1 {
			cells = append(cells, terminal.Cells(terminal.Visible(l)))
		}
	}
	widths := p.widths(cells)
	if sum(widths)+3*(len(widths)-1) > p.wide {
		p.listed(cells)
		return
	}
	for i, row := range cells {
		p.cells(row, widths, right, i == 0)
		if i == 0 {
			p.rows = append(p.rows, p.under(widths))
		}
	}
}

// cells lays out one row of a table.
func (p *page) cells(row []string, widths []int, right []bool, head bool) {
	style := ""
	if head {
		style = p.style.bold
	}
	columns, most := make([][]string, len(widths)), 1
	for c, w := range widths {
		if c < len(row) {
			columns[c] = terminal.Wrap(terminal.Paint(style, p.inline(row[c], style)), max(w, 2))
			most = max(most, len(columns[c]))
		}
	}
	for i := range most {
		var b strings.Builder
		for c, w := range widths {
			text := ""
			if i < len(columns[c]) {
				text = columns[c][i]
			}
			pad := strings.Repeat(" ", max(w-terminal.Bare(text), 0))
			if c > 0 {
				b.WriteString(terminal.Paint(p.style.dim, " "+glyph("│")+" "))
			}
			switch {
			case c < len(right) && right[c]:
				b.WriteString(pad + text)
			case c == len(widths)-1:
				b.WriteString(text)
			default:
				b.WriteString(text + pad)
			}
		}
		p.rows = append(p.rows, b.String())
	}
}

// listed sets the rows of a table below one another.
func (p *page) listed(cells [][]string) {
	for _, row := range cells[1:] {
		for c, text := range row {
			name := ""
			if c < len(cells[0]) {
				name = cells[0][c] + ": "
			}
			p.hang("", "  ", "", terminal.Paint(p.style.bold, p.inline(name, p.style.bold))+p.inline(text, ""))
		}
		p.rows = append(p.rows, "")
	}
}

func (p *page) under(widths []int) string {
	var parts []string
	for _, w := range widths {
		parts = append(parts, stroke("─", w))
	}
	return terminal.Paint(p.style.dim, strings.Join(parts, stroke("─", 1)+glyph("┼")+stroke("─", 1)))
}

// widths are the columns' widths, made to fit together.
func (p *page) widths(cells [][]string) []int {
	var widths []int
	for _, row := range cells {
		for c, text := range row {
			if c == len(widths) {
				widths = append(widths, 1)
			}
			widths[c] = max(widths[c], terminal.Bare(p.inline(text, "")))
		}
	}
	for most := p.wide - 3*(len(widths)-1); ; {
		total, widest := 0, 0
		for c, w := range widths {
			total += w
			if w > widths[widest] {
				widest = c
			}
		}
		if total <= most || widths[widest] <= 3 {
			break
		}
		widths[widest] -= min(total-most, max(widths[widest]/4, 1))
	}
	return widths
}

func sum(of []int) int {
	n := 0
	for _, i := range of {
		n += i
	}
	return n
}
