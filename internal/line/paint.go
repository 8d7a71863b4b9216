package line

import (
	"strings"

	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A palette is the styles of the interface: the terminal's own sixteen colours, so that they fit its theme. The zero
// palette paints nothing.
type palette struct{ dim, bold, good, bad, warn, note, code, invert string }

//go:noinline
func paletteFor(color bool) palette {
	if !color {
		return palette{}
	}
	return palette{
		dim: "\x1b[2m", bold: "\x1b[1m", good: "\x1b[32m", bad: "\x1b[31m", warn: "\x1b[33m", note: "\x1b[36m",
		code: "\x1b[36m", invert: "\x1b[7m",
	}
}

func (p palette) tone(t transcript.Tone) string {
	return [...]string{"", p.note, p.good, p.warn, p.bad, p.dim}[t]
}

// row is the style of a row that is decided on.
//
//go:noinline
func (p palette) row(kind byte) string {
	return map[byte]string{'$': p.bold, 'f': p.bold, '@': p.note, '+': p.good, '-': p.bad, '.': p.warn, '!': p.warn, '~': p.warn}[kind]
}

// A prose paints the model's Markdown line by line, as it comes: headings, fences, code and bold. It changes no text.
type prose struct {
	palette palette
	fence   string // what closes the code block that is open
}

func (p *prose) line(text string) string {
	text = terminal.Visible(text)
	trimmed := strings.TrimLeft(text, " ")
	if p.fence != "" {
		if strings.HasPrefix(trimmed, p.fence) {
			p.fence = ""
			return terminal.Paint(p.palette.dim, text)
		}
		return terminal.Paint(p.palette.code, text)
	}
	if mark := fence(trimmed); mark != "" {
		p.fence = mark
		return terminal.Paint(p.palette.dim, text)
	}
	if strings.HasPrefix(trimmed, "#") && strings.HasPrefix(strings.TrimLeft(trimmed, "#"), " ") {
		return terminal.Paint(p.palette.bold, text)
	}
	return span(span(text, "`", p.palette.code), "**", p.palette.bold)
}

func fence(s string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 {
			return strings.Repeat(c, n)
		}
	}
	return ""
}

// span paints what stands between pairs of mark, and keeps the marks.
func span(s, mark, style string) string {
	if style == "" || strings.Count(s, mark) < 2 {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, mark)
		inside, after, closed := strings.Cut(rest, mark)
		if !ok || !closed {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(before + style + mark + inside + mark + terminal.Reset)
		s = after
	}
}
