package main

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// The measures of the picture, in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 19
	margin     = 16
	bar        = 30
)

// theme is the sixteen colours of the picture, then its text and its background.
var theme = [...]string{
	"#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#bac2de",
	"#585b70", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#a6adc8",
}

const (
	text       = "#cdd6f4"
	background = "#1e1e2e"
)

// A look is the style of a run of text.
type look struct {
	color                string
	bold, faint, reverse bool
}

// picture draws what tmux captured, with its styles.
func picture(screen, title string) string {
	lines := strings.Split(strings.TrimRight(screen, "\n \t"), "\n")
	width := 0
	for _, l := range lines {
		width = max(width, displaywidth.String(strip(l)))
	}
	w, h := float64(width)*cellWidth+2*margin, float64(len(lines)*cellHeight+2*margin+bar)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Noto Sans Mono CJK JP',monospace" font-size="14">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	for i, c := range []string{theme[1], theme[3], theme[2]} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="16" r="5" fill="%s"/>`+"\n", margin+4+i*18, c)
	}
	fmt.Fprintf(&b, `<text x="%.0f" y="20" fill="%s" text-anchor="middle" font-size="12">%s</text>`+"\n", w/2, theme[15], html.EscapeString(title))
	now := look{}
	for i, l := range lines {
		now = row(&b, l, float64(bar+margin+i*cellHeight+cellHeight-5), now)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// row draws one line and returns the style that is open at its end. Every run is set to its exact width, so that wide
// characters keep their columns whatever font shows them.
func row(b *strings.Builder, line string, y float64, now look) look {
	col := 0
	for line != "" {
		if strings.HasPrefix(line, "\x1b[") {
			end := strings.IndexByte(line, 'm')
			if end < 0 {
				return now
			}
			now = now.with(line[2:end])
			line = line[end+1:]
			continue
		}
		run := line
		if i := strings.IndexByte(line, 0x1b); i >= 0 {
			run = line[:i]
		}
		run = run[:even(run)]
		line = line[len(run):]
		col += draw(b, run, col, y, now)
	}
	return now
}

// even is how much of the beginning of a text is all wide or all narrow: set as one run, the narrow ones would be
// stretched where a font's wide characters are not exactly two columns.
func even(run string) int {
	first := 0
	for i, r := range run {
		n := displaywidth.Rune(r)
		if i == 0 {
			first = n
		}
		if n != first && n > 0 {
			return i
		}
	}
	return len(run)
}

func draw(b *strings.Builder, run string, col int, y float64, l look) int {
	cols := displaywidth.String(run)
	if strings.TrimSpace(run) == "" {
		return cols
	}
	x, wide := margin+float64(col)*cellWidth, float64(cols)*cellWidth
	fill := l.color
	if fill == "" {
		fill = text
	}
	if l.reverse {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`, x, y-cellHeight+5, wide, cellHeight, fill)
		fill = background
	}
	style := ""
	if l.bold {
		style += ` font-weight="bold"`
	}
	if l.faint {
		style += ` opacity="0.6"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"%s textLength="%.1f" lengthAdjust="spacingAndGlyphs" xml:space="preserve">%s</text>`+"\n",
		x, y, fill, style, wide, html.EscapeString(run))
	return cols
}

// with is the look after a style sequence's parameters.
func (l look) with(params string) look {
	codes := strings.Split(params, ";")
	for i := 0; i < len(codes); i++ {
		n, _ := strconv.Atoi(codes[i]) // an empty parameter is 0
		switch {
		case n == 0:
			l = look{}
		case n == 1:
			l.bold = true
		case n == 2:
			l.faint = true
		case n == 22:
			l.bold, l.faint = false, false
		case n == 7:
			l.reverse = true
		case n == 27:
			l.reverse = false
		case n >= 30 && n <= 37:
			l.color = theme[n-30]
		case n >= 90 && n <= 97:
			l.color = theme[n-90+8]
		case n == 39:
			l.color = ""
		case n == 38 && i+4 < len(codes) && codes[i+1] == "2":
			l.color = fmt.Sprintf("rgb(%s,%s,%s)", codes[i+2], codes[i+3], codes[i+4])
			i += 4
		case n == 38 || n == 48: // the palette of 256 and backgrounds are left out
			i += 2
		}
	}
	return l
}

// strip is a line without its styles.
func strip(line string) string {
	var b strings.Builder
	for line != "" {
		before, rest, ok := strings.Cut(line, "\x1b[")
		b.WriteString(before)
		if !ok {
			break
		}
		_, line, _ = strings.Cut(rest, "m")
	}
	return b.String()
}
