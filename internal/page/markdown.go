package page

import (
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/terminal"
)

// markdown is what a model says, as far as its marks say how it is meant. What is HTML in it stays text, and nothing of it is
// loaded. Addresses lead to the internet only where they are spelled out.
func markdown(said string) (all []Node) {
	var block []string
	flush := func() {
		if len(block) > 0 {
			all = append(all, el("p", spans(strings.Join(block, "\n"))...))
			block = nil
		}
	}
	lines := strings.Split(terminal.Visible(said), "\n")
	for i := 0; i < len(lines); i++ {
		l := strings.TrimRight(lines[i], " \t\r")
		bare := strings.TrimLeft(l, " \t")
		switch fence := fenced(bare); {
		case fence != "":
			flush()
			var code []string
			for i++; i < len(lines) && !closes(lines[i], fence); i++ {
				code = append(code, lines[i])
			}
			all = append(all, el("pre", text(strings.Join(code, "\n"))).set("tabindex", "0"))
		case terminal.IsTable(lines, i):
			flush()
			end := i + 2
			for end < len(lines) && strings.HasPrefix(strings.TrimLeft(lines[end], " "), "|") {
				end++
			}
			all = append(all, table(lines[i:end]))
			i = end - 1
		case bare == "":
			flush()
		case heading.In(bare):
			flush()
			all = append(all, el("p", el("strong", spans(strings.TrimLeft(bare, "# "))...)).class("heading"))
		case item.In(bare):
			flush()
			mark, rest, _ := strings.Cut(bare, " ")
			if strings.Trim(mark, "-*+") == "" {
				mark = "•"
			}
			depth := min((len(l)-len(bare))/2, 4)
			all = append(all, el("p", append([]Node{el("span", text(mark+" ")).class("mark")}, spans(rest)...)...).class("item in"+string(rune('0'+depth))))
		default:
			block = append(block, l)
		}
	}
	flush()
	return all
}

// table is a table with its head; the line below that says which columns are set to the right.
func table(lines []string) Node {
	right := terminal.Alignments(lines[1])
	var rows []Node
	for i, l := range lines {
		if i == 1 {
			continue
		}
		var cells []Node
		tag := map[bool]string{true: "th", false: "td"}[i == 0]
		for c, said := range terminal.Cells(l) {
			cell := el(tag, spans(said)...)
			if c < len(right) && right[c] {
				cell = cell.class("right")
			}
			cells = append(cells, cell)
		}
		rows = append(rows, el("tr", cells...))
	}
	return el("div", el("table", rows...)).class("wide").set("tabindex", "0")
}

// fenced is the fence that a line opens; empty for none.
func fenced(l string) string {
	fence := l[:len(l)-len(strings.TrimLeft(l, "`"))]
	if fence == "" {
		fence = l[:len(l)-len(strings.TrimLeft(l, "~"))]
	}
	if len(fence) < 3 || strings.Contains(l[len(fence):], "`") {
		return ""
	}
	return fence
}

func closes(l, fence string) bool {
	l = strings.TrimSpace(l)
	return strings.HasPrefix(l, fence) && strings.Trim(l, fence[:1]) == ""
}

// The beginning of a heading and that of a line of a list, and what marks a part of a line.
var (
	heading = &lazy.Pattern{X: `^#{1,6} `}
	item    = &lazy.Pattern{X: `^(?:[-*+]|\d{1,3}[.)]) \S`}
	marks   = &lazy.Pattern{X: "`[^`\n]+`|\\*\\*[^*\n]+\\*\\*|https?://[A-Za-z0-9._~:/?#@!$&*+,;=%-]+[A-Za-z0-9/]"}
)

// spans are the parts of a line that are marked, and those between them.
func spans(line string) (all []Node) {
	at := 0
	for _, m := range marks.Re().FindAllStringIndex(line, -1) {
		if at < m[0] {
			all = append(all, text(line[at:m[0]]))
		}
		part := line[m[0]:m[1]]
		switch part[0] {
		case '`':
			all = append(all, el("code", text(part[1:len(part)-1])))
		case '*':
			all = append(all, el("strong", text(part[2:len(part)-2])))
		default:
			all = append(all, el("a", text(part)).set("href", part).set("rel", "noreferrer noopener").set("target", "_blank"))
		}
		at = m[1]
	}
	if at < len(line) {
		all = append(all, text(line[at:]))
	}
	return all
}
