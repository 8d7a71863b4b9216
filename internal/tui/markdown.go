package tui

import (
	"strings"
	"unicode/utf8"

	"nebula/internal/terminal"
)

// A fence is the code block that is open at some place of a text: the mark that closes it, the language, and where
// inside a comment or string of many lines the place is.
type fence struct {
	mark, lang string
	inside     string
}

// A page lays Markdown out as rows of a width. It understands what models write: headings, lists, quotes, tables, code
// and emphasis; everything else stays as it is. No text is lost.
type page struct {
	style style
	width int
	wide  int // of what is better not broken: code, tables
	rows  []string
}

// markdown renders text, which begins inside of f.
func markdown(s style, width, wide int, text string, f fence) []string {
	p := page{style: s, width: max(width, 4), wide: max(width, wide, 4)}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := terminal.Visible(lines[i])
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case f.mark != "":
			f = p.code(line, trimmed, f)
		case opens(trimmed) != "":
			f = fence{mark: opens(trimmed), lang: strings.ToLower(strings.TrimSpace(strings.TrimLeft(trimmed, "`~")))}
			if f.lang != "" {
				p.rows = append(p.rows, terminal.Paint(s.dim, terminal.Clip(f.lang, p.width)))
			}
		case terminal.IsTable(lines, i):
			n := i
			for n < len(lines) && strings.HasPrefix(strings.TrimLeft(lines[n], " "), "|") {
				n++
			}
			p.table(lines[i:n])
			i = n - 1
		default:
			p.line(line, trimmed)
		}
	}
	return p.rows
}

// opens is the mark of the fence that a line opens.
func opens(trimmed string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(trimmed) - len(strings.TrimLeft(trimmed, c)); n >= 3 && !strings.Contains(trimmed[n:], "`") {
			return strings.Repeat(c, n)
		}
	}
	return ""
}

// closes reports whether a line closes the fence that mark opened.
func closes(trimmed, mark string) bool {
	rest := strings.TrimLeft(trimmed, mark[:1])
	return len(trimmed)-len(rest) >= len(mark) && strings.TrimSpace(rest) == ""
}

func (p *page) code(line, trimmed string, f fence) fence {
	if closes(trimmed, f.mark) {
		return fence{}
	}
	painted, inside := highlight(p.style, f.lang, tabs(line), f.inside)
	f.inside = inside
	p.rows = append(p.rows, terminal.Break(painted, max(p.wide, 2))...) // nothing beside it: it is copied as it stands
	return f
}

//go:noinline
func tabs(line string) string { return strings.ReplaceAll(line, "\t", "    ") }

// line lays out one line that is no code. What follows a bullet stands in one block.
func (p *page) line(line, trimmed string) {
	s := p.style
	indent := line[:len(line)-len(trimmed)]
	switch {
	case trimmed == "":
		p.rows = append(p.rows, "")
	case heading(trimmed) > 0:
		text := strings.TrimSpace(strings.TrimRight(trimmed[heading(trimmed):], "#"))
		style := [...]string{"\x1b[4m" + s.bold + s.accent, s.bold + s.accent, s.bold}[min(heading(trimmed), 3)-1]
		p.hang("", "", style, p.inline(text, style))
	case isRule(trimmed):
		p.rows = append(p.rows, terminal.Paint(s.dim, stroke("─", min(p.width, 40))))
	case strings.HasPrefix(trimmed, ">"):
		text := strings.TrimPrefix(strings.TrimLeft(trimmed, ">"), " ")
		bar := terminal.Paint(s.dim, glyph("▎")+" ")
		p.hang(bar, bar, "", p.inline(text, ""))
	default:
		mark, text := bullet(trimmed)
		if mark == "" {
			p.hang(indent, indent, "", p.inline(trimmed, ""))
			return
		}
		lead := indent + mark + " "
		p.hang(indent+terminal.Paint(s.accent, mark)+" ", strings.Repeat(" ", terminal.Width(lead)), "", p.inline(text, ""))
	}
}

// hang wraps text behind first, and its further rows behind rest.
func (p *page) hang(first, rest, style, text string) {
	room := max(p.width-terminal.Bare(rest), 4)
	for i, row := range terminal.Wrap(terminal.Paint(style, text), room) {
		if i == 0 {
			p.rows = append(p.rows, first+row)
		} else {
			p.rows = append(p.rows, rest+row)
		}
	}
}

// heading is how many marks a heading begins with.
func heading(trimmed string) int {
	n := len(trimmed) - len(strings.TrimLeft(trimmed, "#"))
	if n > 6 || n == 0 || len(trimmed) > n && trimmed[n] != ' ' {
		return 0
	}
	return n
}

func isRule(trimmed string) bool {
	bare := strings.ReplaceAll(strings.TrimRight(trimmed, " "), " ", "")
	return len(bare) >= 3 && (strings.Trim(bare, "-") == "" || strings.Trim(bare, "*") == "" || strings.Trim(bare, "_") == "")
}

// bullet splits a list item into its mark and its text.
func bullet(trimmed string) (mark, text string) {
	for _, m := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(trimmed, m); ok {
			for box, shown := range map[string]string{"[ ] ": "☐", "[x] ": "☑", "[X] ": "☑"} {
				if task, ok := strings.CutPrefix(rest, box); ok {
					return shown, task
				}
			}
			return glyph("•"), rest
		}
	}
	n := 0
	for n < len(trimmed) && trimmed[n] >= '0' && trimmed[n] <= '9' {
		n++
	}
	if n > 0 && n < 5 && n+1 < len(trimmed) && (trimmed[n] == '.' || trimmed[n] == ')') && trimmed[n+1] == ' ' {
		return trimmed[:n+1], trimmed[n+2:]
	}
	return "", trimmed
}

// inline paints code, emphasis and links within a line; base is the style around them.
func (p *page) inline(text, base string) string {
	var b strings.Builder
	for text != "" {
		i := strings.IndexAny(text, "`*_~[\\")
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		text = text[i:]
		shown, style, rest := p.span(text, before)
		if style != "" {
			shown = style + shown + terminal.Reset + base
		}
		b.WriteString(shown)
		text = rest
	}
	return b.String() + text
}

// span reads one marked piece at the beginning of text. A mark without its other half is text.
func (p *page) span(text string, before rune) (shown, style, rest string) {
	switch {
	case text[0] == '\\' && len(text) > 1 && strings.IndexByte("`*_~[]\\#-|", text[1]) >= 0:
		return text[1:2], "", text[2:]
	case text[0] == '`':
		n := len(text) - len(strings.TrimLeft(text, "`"))
		if inside, after, ok := strings.Cut(text[n:], text[:n]); ok && inside != "" {
			return inside, p.style.code + noStyle(p.style.code, p.style.bold), after
		}
		return text[:n], "", text[n:]
	case text[0] == '[':
		if name, after, ok := strings.Cut(text[1:], "]("); ok && !strings.ContainsAny(name, "[]") {
			if to, after, ok := strings.Cut(after, ")"); ok && !strings.Contains(to, " ") {
				if to == name {
					return name, p.style.link, after
				}
				return name + " (" + to + ")", p.style.link, after
			}
		}
	case strings.HasPrefix(text, "**"), strings.HasPrefix(text, "__"), strings.HasPrefix(text, "~~"):
		if inside, after, ok := strings.Cut(text[2:], text[:2]); ok && inside != "" && inside[0] != ' ' {
			if text[0] == '~' {
				return inside, "\x1b[9m", after
			}
			return strings.ReplaceAll(inside, "`", ""), p.style.bold, after
		}
		return text[:2], "", text[2:]
	case text[0] == '*' || text[0] == '_' && !wordy(before):
		if inside, after, ok := strings.Cut(text[1:], text[:1]); ok && inside != "" && inside[0] != ' ' && inside[len(inside)-1] != ' ' {
			if next, _ := utf8.DecodeRuneInString(after); text[0] == '*' || !wordy(next) {
				return inside, "\x1b[3m", after
			}
		}
	}
	return text[:1], "", text[1:]
}

//go:noinline
func wordy(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r >= 0x80 && r != utf8.RuneError
}

// noStyle gives instead where there is no style.
func noStyle(style, instead string) string {
	if style == "" {
		return instead
	}
	return ""
}
