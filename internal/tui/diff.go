package tui

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"nebula/internal/terminal"
)

// A diffLine is one line of a unified diff with its place in the old and the new file; 0 where it has none.
type diffLine struct {
	kind     byte // ' ', '+', '-', '@' for the head of a hunk, 'f' for a file's name, '\\' for a remark
	text     string
	old, new int
	lang     string
}

// readDiff reads a unified diff of any number of files.
func readDiff(diff string) []diffLine {
	var lines []diffLine
	lang, old, now := "", 0, 0
	oldLeft, newLeft := 0, 0
	for l := range strings.Lines(diff) {
		l = strings.TrimSuffix(l, "\n")
		d := diffLine{kind: '\\', text: l, lang: lang}
		inside := oldLeft > 0 || newLeft > 0
		switch {
		case inside && (l == "" || l[0] == ' '):
			d = diffLine{' ', strings.TrimPrefix(l, " "), old, now, lang}
			old, now, oldLeft, newLeft = old+1, now+1, oldLeft-1, newLeft-1
		case inside && l[0] == '+':
			d = diffLine{'+', l[1:], 0, now, lang}
			now, newLeft = now+1, newLeft-1
		case inside && l[0] == '-':
			d = diffLine{'-', l[1:], old, 0, lang}
			old, oldLeft = old+1, oldLeft-1
		case strings.HasPrefix(l, "@@"):
			old, oldLeft, now, newLeft = hunk(l)
			d.kind = '@'
		case strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "+++ "):
			d.kind = 'f'
			if name := strings.TrimPrefix(l[4:], "b/"); name != "/dev/null" {
				lang = strings.TrimPrefix(path.Ext(name), ".")
			}
		}
		lines = append(lines, d)
	}
	return lines
}

// hunk reads "@@ -1,2 +3,4 @@".
func hunk(l string) (old, oldLeft, now, newLeft int) {
	var a, b string
	_, _ = fmt.Sscanf(l, "@@ -%s +%s @@", &a, &b) // what it cannot read stays empty
	old, oldLeft = extent(a)
	now, newLeft = extent(b)
	return old, oldLeft, now, newLeft
}

func extent(s string) (line, count int) {
	first, rest, ok := strings.Cut(s, ",")
	line, _ = strconv.Atoi(first) // foreign text: a number or nothing
	if count = 1; ok {
		count, _ = strconv.Atoi(rest)
	}
	return line, count
}

// diffStyle is the style of a line of a diff as a text.
func diffStyle(s style, line string) string {
	switch {
	case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
		return s.bold
	case strings.HasPrefix(line, "@@"):
		return s.accent
	case strings.HasPrefix(line, "+"):
		return s.add
	case strings.HasPrefix(line, "-"):
		return s.del
	}
	return ""
}

// sideWidth is from how many columns two versions fit side by side.
const sideWidth = 100

// diffRows lays a diff out: one version under the other, or side by side where there is room and it is wanted. Every
// character that could deceive is shown for what it is.
func diffRows(s style, width int, diff string, side bool) []string {
	lines := readDiff(diff)
	if side && width >= sideWidth {
		return sideBySide(s, width, lines)
	}
	gutter := 0
	if width >= 50 {
		gutter = len(fmt.Sprint(last(lines))) + 1
	}
	var rows []string
	for _, d := range lines {
		switch d.kind {
		case ' ', '+', '-':
			number := d.new
			if d.kind == '-' {
				number = d.old
			}
			lead := string(d.kind)
			if gutter > 0 {
				lead = fmt.Sprintf("%*d %c", gutter-1, number, d.kind)
			}
			rows = append(rows, oneSide(s, d, lead, width, false)...)
		default:
			rows = append(rows, aside(s, d, width)...)
		}
	}
	return rows
}

func last(lines []diffLine) int {
	n := 1
	for _, d := range lines {
		n = max(n, d.old, d.new)
	}
	return n
}

// aside is a line of a diff that is of neither version.
func aside(s style, d diffLine, width int) []string {
	style := s.dim
	switch d.kind {
	case 'f':
		style = s.bold
	case '@':
		style = s.accent
	}
	return terminal.Break(terminal.Paint(style, tabs(terminal.Exact(d.text))), width)
}

// oneSide lays out a line of one version; filled to the width where it stands beside another.
func oneSide(s style, d diffLine, lead string, width int, fill bool) []string {
	front, back := "", ""
	switch d.kind {
	case '+':
		front, back = s.add, s.addBack
	case '-':
		front, back = s.del, s.delBack
	}
	room := max(width-len(lead), 4)
	text := tabs(terminal.Exact(d.text))
	painted, _ := highlight(s, d.lang, text, "")
	if d.kind != ' ' && back == "" { // one colour tells it: another on top would not be read
		painted = terminal.Paint(front, text)
	}
	var rows []string
	for i, row := range terminal.Break(painted, room) {
		if i > 0 {
			lead = strings.Repeat(" ", len(lead))
		}
		pad := ""
		if fill || back != "" {
			pad = strings.Repeat(" ", max(room-terminal.Bare(row), 0))
		}
		head := terminal.Paint(s.dim, lead)
		if d.kind != ' ' {
			head = terminal.Paint(front, lead)
		}
		rows = append(rows, onBack(back, head+row+pad))
	}
	return rows
}

// onBack puts a row on a background that its own styles do not end.
func onBack(back, row string) string {
	if back == "" {
		return row
	}
	return back + strings.ReplaceAll(row, terminal.Reset, terminal.Reset+back) + terminal.Reset
}

// sideBySide pairs what was with what is.
func sideBySide(s style, width int, lines []diffLine) []string {
	half := (width - 3) / 2
	gutter := len(fmt.Sprint(last(lines)))
	var rows []string
	put := func(a, b diffLine) {
		left, right := column(s, a, gutter, half, a.old), column(s, b, gutter, half, b.new)
		for i := range max(len(left), len(right)) {
			l, r := strings.Repeat(" ", half), ""
			if i < len(left) {
				l = left[i]
			}
			if i < len(right) {
				r = right[i]
			}
			rows = append(rows, l+terminal.Paint(s.dim, " │ ")+r)
		}
	}
	for i := 0; i < len(lines); {
		switch lines[i].kind {
		case ' ':
			put(lines[i], lines[i])
			i++
		case '+', '-':
			n := i
			for n < len(lines) && lines[n].kind == '-' {
				n++
			}
			m := n
			for m < len(lines) && lines[m].kind == '+' {
				m++
			}
			for k := range max(n-i, m-n) {
				var a, b diffLine
				if i+k < n {
					a = lines[i+k]
				}
				if n+k < m {
					b = lines[n+k]
				}
				put(a, b)
			}
			i = m
		default:
			rows = append(rows, aside(s, lines[i], width)...)
			i++
		}
	}
	return rows
}

func column(s style, d diffLine, gutter, width, number int) []string {
	if d.kind == 0 {
		return nil
	}
	return oneSide(s, d, fmt.Sprintf("%*d %c", gutter, number, d.kind), width, true)
}

// reversed is the diff that takes another back.
func reversed(diff string) string {
	var b strings.Builder
	var added []string
	flush := func() {
		for _, l := range added {
			b.WriteString(l)
		}
		added = nil
	}
	inside := false
	for l := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(l, "@@"):
			flush()
			inside = true
			var old, now, rest string
			_, _ = fmt.Sscanf(l, "@@ -%s +%s @@", &old, &now)
			if _, after, ok := strings.Cut(l[2:], "@@"); ok {
				rest = after
			}
			b.WriteString("@@ -" + now + " +" + old + " @@" + rest)
		case inside && l[0] == '-' && !strings.HasPrefix(l, "--- a/") && !strings.HasPrefix(l, "--- /dev/null"):
			added = append(added, "+"+l[1:])
		case inside && l[0] == '+':
			b.WriteString("-" + l[1:])
		case inside && l[0] == '\\':
			b.WriteString(l)
		default:
			flush()
			if l[0] != ' ' {
				inside = false
			}
			b.WriteString(l)
		}
	}
	flush()
	return b.String()
}
