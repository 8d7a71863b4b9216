package terminal

import "strings"

// IsTable reports whether a table begins at line i: a row of cells, then a rule of dashes.
func IsTable(lines []string, i int) bool {
	if !strings.HasPrefix(strings.TrimLeft(lines[i], " "), "|") || i+1 >= len(lines) {
		return false
	}
	rule := strings.TrimSpace(lines[i+1])
	return strings.HasPrefix(rule, "|") && strings.Contains(rule, "-") && strings.Trim(rule, "|-: ") == ""
}

// Cells splits a row at its bars; a bar after a backslash or within code is text.
func Cells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	var cells []string
	var b strings.Builder
	code := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			b.WriteByte('|')
			i++
			continue
		case line[i] == '`':
			code = !code
		case line[i] == '|' && !code:
			cells = append(cells, strings.TrimSpace(b.String()))
			b.Reset()
			continue
		}
		b.WriteByte(line[i])
	}
	return append(cells, strings.TrimSpace(b.String()))
}

// Alignments reads which columns the rule under the head sets to the right.
func Alignments(rule string) []bool {
	var right []bool
	for _, c := range Cells(rule) {
		right = append(right, strings.HasSuffix(c, ":") && !strings.HasPrefix(c, ":"))
	}
	return right
}
