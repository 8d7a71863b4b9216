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

// A theme is the colours of a terminal: its own sixteen, its text and its background.
type theme struct {
	colors           [16]string
	text, background string
}

var dark = theme{[16]string{
	"#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#bac2de",
	"#585b70", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#a6adc8",
}, "#cdd6f4", "#1e1e2e"}

var light = theme{[16]string{
	"#5c5f77", "#d20f39", "#40a02b", "#df8e1d", "#1e66f5", "#ea76cb", "#179299", "#acb0be",
	"#6c6f85", "#d20f39", "#40a02b", "#df8e1d", "#1e66f5", "#ea76cb", "#179299", "#bcc0cc",
}, "#4c4f69", "#eff1f5"}

// color is color n of the 256 that terminals have: the sixteen, a cube of six steps a side, and 24 greys.
func (t theme) color(n int) string {
	step := func(n int) int {
		if n == 0 {
			return 0
		}
		return 55 + 40*n
	}
	switch {
	case n < 16:
		return t.colors[max(n, 0)]
	case n < 232:
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", step(n/36), step(n/6%6), step(n%6))
	}
	grey := 8 + 10*(min(n, 255)-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}

// A look is the style of a run of text.
type look struct {
	theme                                           *theme
	color, back                                     string
	bold, faint, reverse, underline, italic, strike bool
}

// picture draws what tmux captured, with its styles.
func picture(screen, title string, theme *theme) string {
	lines := strings.Split(strings.TrimRight(screen, "\n \t"), "\n")
	width := 0
	for _, l := range lines {
		width = max(width, displaywidth.String(strip(l)))
	}
	w, h := float64(width)*cellWidth+2*margin, float64(len(lines)*cellHeight+2*margin+bar)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Noto Sans Mono CJK JP',monospace" font-size="14">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", theme.background)
	for i, c := range []string{theme.colors[1], theme.colors[3], theme.colors[2]} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="16" r="5" fill="%s"/>`+"\n", margin+4+i*18, c)
	}
	fmt.Fprintf(&b, `<text x="%.0f" y="20" fill="%s" text-anchor="middle" font-size="12">%s</text>`+"\n", w/2, theme.color(8), html.EscapeString(title))
	now := look{theme: theme}
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
	x, wide := margin+float64(col)*cellWidth, float64(cols)*cellWidth
	fill, back := l.color, l.back
	if fill == "" {
		fill = l.theme.text
	}
	if l.reverse {
		if fill, back = back, fill; fill == "" {
			fill = l.theme.background
		}
	}
	if back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`, x, y-cellHeight+5, wide, cellHeight, back)
	}
	if strings.TrimSpace(run) == "" {
		return cols
	}
	style := ""
	for _, s := range []struct {
		is bool
		as string
	}{{l.bold, ` font-weight="bold"`}, {l.faint, ` opacity="0.6"`}, {l.italic, ` font-style="italic"`},
		{l.underline, ` text-decoration="underline"`}, {l.strike, ` text-decoration="line-through"`}} {
		if s.is {
			style += s.as
		}
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
		if (n == 38 || n == 48) && i+1 < len(codes) {
			color, used := l.theme.more(codes[i+1:])
			if i += used; n == 38 {
				l.color = color
			} else {
				l.back = color
			}
			continue
		}
		l = l.turned(n)
	}
	return l
}

// more reads a color beyond the sixteen, and how many parameters it took.
func (t *theme) more(codes []string) (color string, used int) {
	switch {
	case codes[0] == "5" && len(codes) > 1:
		n, _ := strconv.Atoi(codes[1]) // what is no number is the first color
		return t.color(n), 2
	case codes[0] == "2" && len(codes) > 3:
		return fmt.Sprintf("rgb(%s,%s,%s)", codes[1], codes[2], codes[3]), 4
	}
	return "", 1
}

func (l look) turned(n int) look {
	switch {
	case n == 0:
		return look{theme: l.theme}
	case n == 1:
		l.bold = true
	case n == 2:
		l.faint = true
	case n == 3 || n == 23:
		l.italic = n == 3
	case n == 4 || n == 24:
		l.underline = n == 4
	case n == 7 || n == 27:
		l.reverse = n == 7
	case n == 9 || n == 29:
		l.strike = n == 9
	case n == 22:
		l.bold, l.faint = false, false
	case n >= 30 && n <= 37:
		l.color = l.theme.color(n - 30)
	case n >= 90 && n <= 97:
		l.color = l.theme.color(n - 90 + 8)
	case n == 39:
		l.color = ""
	case n >= 40 && n <= 47:
		l.back = l.theme.color(n - 40)
	case n >= 100 && n <= 107:
		l.back = l.theme.color(n - 100 + 8)
	case n == 49:
		l.back = ""
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
