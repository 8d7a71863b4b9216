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
	kind     byte // ' ', '+', '-', '@' for the head of a hunk, 'f' for a file, '\\' for a remark
	text     string
	old, new int // for a file, the lines that go and come
	lang     string
	paired   bool      // stands for the next free line of the other version, changed
	marks    []stretch // what of it is not in the other version
}

// readDiff reads a unified diff of any number of files.
func readDiff(diff string) []diffLine {
	var lines []diffLine
	lang, old, now := "", 0, 0
	oldLeft, newLeft := 0, 0
	file := -1 // the line of the file that is being read
	for l := range strings.Lines(diff) {
		l = strings.TrimSuffix(l, "\n")
		d := diffLine{kind: '\\', text: l, lang: lang}
		inside := oldLeft > 0 || newLeft > 0
		switch {
		case inside && (l == "" || l[0] == ' '):
			d = diffLine{kind: ' ', text: strings.TrimPrefix(l, " "), old: old, new: now, lang: lang}
			old, now, oldLeft, newLeft = old+1, now+1, oldLeft-1, newLeft-1
		case inside && l[0] == '+':
			d = diffLine{kind: '+', text: l[1:], new: now, lang: lang}
			now, newLeft = now+1, newLeft-1
		case inside && l[0] == '-':
			d = diffLine{kind: '-', text: l[1:], old: old, lang: lang}
			old, oldLeft = old+1, oldLeft-1
		case strings.HasPrefix(l, "@@"):
			old, oldLeft, now, newLeft = hunk(l)
			d.kind, d.old, d.new = '@', old, now
		case strings.HasPrefix(l, "--- "):
			d.kind, d.text, d.lang = 'f', strings.TrimPrefix(l[4:], "a/"), ""
			file = len(lines)
		case strings.HasPrefix(l, "+++ ") && file >= 0:
			lang = strings.TrimPrefix(path.Ext(l), ".")
			lines[file].into(strings.TrimPrefix(l[4:], "b/"))
			continue
		}
		if file >= 0 && d.kind == '+' {
			lines[file].new++
		} else if file >= 0 && d.kind == '-' {
			lines[file].old++
		}
		lines = append(lines, d)
	}
	pairs(lines)
	return lines
}

// nowhere is the name of a file that is not there.
const nowhere = "/dev/null"

// into makes of a file's old name what is said of the file.
//
//go:noinline
func (d *diffLine) into(name string) {
	switch {
	case d.text == nowhere:
		d.text, d.lang = name, "new"
	case name == nowhere:
		d.lang = "gone"
	case name != d.text:
		d.text += " → " + name
	}
}

// pairs matches up the lines of every change.
func pairs(lines []diffLine) {
	for i := 0; i < len(lines); {
		from, mid := i, run(lines, i, '-')
		to := run(lines, mid, '+')
		match(lines[from:mid], lines[mid:to])
		i = max(to, i+1)
	}
}

// run is where lines of a kind end that begin at i.
func run(lines []diffLine, i int, kind byte) int {
	for i < len(lines) && lines[i].kind == kind {
		i++
	}
	return i
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

// colouredMax is how many lines a diff may have whose code is coloured: laying out more would hold up the keys.
const colouredMax = 5000

// diff lays a diff out: one version under the other, or side by side where there is room and it is wanted. Every
// character that could deceive is shown for what it is.
func (d drawer) diff(diff string) []string {
	lines := readDiff(diff)
	if len(lines) > colouredMax {
		for i := range lines {
			if lines[i].kind != 'f' {
				lines[i].lang = ""
			}
		}
	}
	if d.look.side && d.width >= sideWidth {
		return d.sideBySide(lines)
	}
	gutter := 0
	if d.width >= 50 {
		gutter = len(fmt.Sprint(last(lines))) + 1
	}
	var rows []string
	for i, l := range lines {
		switch l.kind {
		case ' ', '+', '-':
			number := l.new
			if l.kind == '-' {
				number = l.old
			}
			lead := string(l.kind)
			if gutter > 0 {
				lead = fmt.Sprintf("%*d %c", gutter-1, number, l.kind)
			}
			rows = append(rows, oneSide(d.style, l, lead, d.width, false)...)
		default:
			rows = append(rows, d.between(lines, i, gutter > 0)...)
		}
	}
	return rows
}

//go:noinline
func last(lines []diffLine) int {
	n := 1
	for _, d := range lines {
		if d.kind != 'f' {
			n = max(n, d.old, d.new)
		}
	}
	return n
}

// between is a line of a diff that is of neither version: a file's name, or what is left out.
func (d drawer) between(lines []diffLine, i int, numbered bool) []string {
	s, l := d.style, lines[i]
	switch l.kind {
	case 'f':
		text := terminal.Paint(s.bold, terminal.Exact(l.text)) + "  " + counts(s, l.new, l.old)
		if word := map[string]string{"new": d.words.NewFile, "gone": d.words.GoneFile}[l.lang]; word != "" {
			text += terminal.Paint(s.dim, " "+word)
		}
		rows := terminal.Break(text, d.width)
		if i > 0 {
			rows = append([]string{""}, rows...)
		}
		return rows
	case '@':
		if i > 0 && lines[i-1].kind == 'f' && l.old <= 1 && l.new <= 1 {
			return nil // nothing is left out before it
		}
		text := "⋯"
		if !numbered {
			text += fmt.Sprintf(" %d", l.new)
		}
		if _, where, ok := strings.Cut(strings.TrimPrefix(l.text, "@@"), "@@"); ok {
			text += terminal.Exact(where)
		}
		return []string{terminal.Paint(s.dim, terminal.Clip(tabs(text), d.width))}
	}
	if l.text == "\\ No newline at end of file" {
		l.text = "\\ " + d.words.NoNewline
	}
	return terminal.Break(terminal.Paint(s.dim, tabs(terminal.Exact(l.text))), d.width)
}

// counts are the lines that come and go.
func counts(s style, add, del int) string {
	var parts []string
	if add > 0 {
		parts = append(parts, terminal.Paint(s.good, fmt.Sprintf("+%d", add)))
	}
	if del > 0 {
		parts = append(parts, terminal.Paint(s.bad, fmt.Sprintf("-%d", del)))
	}
	return strings.Join(parts, " ")
}

// oneSide lays out a line of one version; filled to the width where it stands beside another.
func oneSide(s style, d diffLine, lead string, width int, fill bool) []string {
	front, back, word := "", "", ""
	switch d.kind {
	case '+':
		front, back, word = s.add, s.addBack, s.addWord
	case '-':
		front, back, word = s.del, s.delBack, s.delWord
	}
	room := max(width-len(lead), 4)
	text, marks := shownLine(d)
	painted, _ := highlight(s, d.lang, text, "")
	if d.kind != ' ' && back == "" { // one colour tells it: another on top would not be read
		painted = terminal.Paint(front, text)
	}
	painted = overlay(painted, marks, word)
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

// sideBySide sets what was beside what is. A line that was changed stands beside what it became.
func (d drawer) sideBySide(lines []diffLine) []string {
	s := d.style
	half := (d.width - 3) / 2
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
			rows = append(rows, l+terminal.Paint(s.dim, " "+glyph("│")+" ")+r)
		}
	}
	for i := 0; i < len(lines); {
		switch lines[i].kind {
		case ' ':
			put(lines[i], lines[i])
			i++
		case '+', '-':
			mid := run(lines, i, '-')
			to := run(lines, mid, '+')
			pairUp(lines[i:mid], lines[mid:to], put)
			i = to
		default:
			rows = append(rows, d.between(lines, i, true)...)
			i++
		}
	}
	return rows
}

// pairUp puts pairs beside each other, and other lines beside one another as they come between the pairs.
func pairUp(was, is []diffLine, put func(a, b diffLine)) {
	for len(was) > 0 || len(is) > 0 {
		var a, b diffLine
		oldFree, newFree := len(was) > 0 && !was[0].paired, len(is) > 0 && !is[0].paired
		if len(was) > 0 && (oldFree || !newFree) {
			a, was = was[0], was[1:]
		}
		if len(is) > 0 && (newFree || !oldFree) {
			b, is = is[0], is[1:]
		}
		put(a, b)
	}
}

func column(s style, d diffLine, gutter, width, number int) []string {
	if d.kind == 0 {
		return nil
	}
	return oneSide(s, d, fmt.Sprintf("%*d %c", gutter, number, d.kind), width, true)
}
