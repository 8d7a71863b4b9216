package cli

import (
	"io"
	"strings"

	"nebula/internal/phrase"
	"nebula/internal/terminal"
)

// A table is rows of cells. Its columns are as wide as they look: a Japanese letter takes two places.
type table struct {
	rows  [][]string
	right bool // cells stand at the right end of their column
}

//go:noinline
func (t *table) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = phrase.Masked(cell)
	}
	t.rows = append(t.rows, cells)
}

func (t *table) print(w io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], terminal.Width(cell))
		}
	}
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-terminal.Width(cell))
			if t.right {
				line.WriteString("  " + space + cell)
			} else {
				line.WriteString(cell + space + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// padded is a text that is as wide as a column.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-terminal.Width(text)))
}
