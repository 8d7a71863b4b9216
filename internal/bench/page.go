package bench

import (
	"fmt"
	"html"
	"strings"

	"nebula"
)

// style is all that the page looks like: it loads nothing.
const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;text-align:right;border-bottom:1px solid #8884}
td:first-child,th:first-child,td:nth-child(2),th:nth-child(2){text-align:left}.y{color:#187a3c}.n{color:#b3261e}.s{color:#888}
svg{display:block;max-width:100%;margin:.5em 0 1.5em}text{font:13px system-ui,sans-serif;fill:currentColor}h2{margin:1.5em 0 0}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.y{color:#6c9}.n{color:#f88}}`

// A plot is one figure of all columns, as bars of one or more parts.
type plot struct {
	title nebula.Words
	parts func(c Column) []float64
	shown string // how the whole is written
	most  func(c Column) float64
}

var colours = [...]string{"#2f7de1", "#58a55c", "#e0a526", "#cf4a3c"}

func plots() []plot {
	one := func(f func(c Column) float64) func(Column) []float64 {
		return func(c Column) []float64 { return []float64{f(c)} }
	}
	return []plot{
		{title: nebula.Say("Solved tasks, of a hundred"), parts: one(func(c Column) float64 { return c.share() }), shown: "%.0f", most: func(Column) float64 { return 100 }},
		{title: nebula.Say("Replies: read as written, repaired, guessed, asked for again"), shown: "%.0f", parts: func(c Column) []float64 {
			s := c.Spoken
			return []float64{float64(s.Strict), float64(s.Repaired + s.Corrected), float64(c.Guessed()), float64(s.Failed)}
		}},
		{title: nebula.Say("Tokens, read and written"), shown: "%.0f", parts: func(c Column) []float64 { return []float64{float64(c.Usage.Input), float64(c.Usage.Output)} }},
		{title: nebula.Say("Cost in US dollars"), parts: one(func(c Column) float64 { return c.Usage.Cost }), shown: "$%.4f"},
		{title: nebula.Say("Time in seconds"), parts: one(func(c Column) float64 { return c.Seconds }), shown: "%.1f"},
	}
}

// Page is a page of HTML that holds everything by itself. say says words in the language, rows is the table with its head.
func Page(list []Column, rows [][]string, advice, lang string, say func(nebula.Words) string) string {
	var b strings.Builder
	title := html.EscapeString(say(nebula.Say("How models work in nebula's protocols")))
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=%q><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>%s</title><style>%s</style>\n<h1>%s</h1>\n<p>%s</p>\n",
		lang, title, style, title, html.EscapeString(advice))
	tabled(&b, rows)
	for _, p := range plots() {
		p.draw(&b, list, say)
	}
	fmt.Fprintf(&b, "<h2>%s</h2>\n", html.EscapeString(say(nebula.Say("Each task"))))
	matrix(&b, list)
	b.WriteString("</html>\n")
	return b.String()
}

func tabled(b *strings.Builder, rows [][]string) {
	b.WriteString("<table>\n")
	for i, row := range rows {
		cell := "td"
		if i == 0 {
			cell = "th"
		}
		b.WriteString("<tr>")
		for _, text := range row {
			fmt.Fprintf(b, "<%s>%s</%s>", cell, html.EscapeString(text), cell)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
}

// draw writes the bars; nothing where all are nothing.
func (p plot) draw(b *strings.Builder, list []Column, say func(nebula.Words) string) {
	const left, width, high = 260, 480, 26
	most := 0.0
	for _, c := range list {
		if p.most != nil {
			most = max(most, p.most(c))
		}
		most = max(most, sum(p.parts(c)))
	}
	if most == 0 {
		return
	}
	fmt.Fprintf(b, "<h2>%s</h2>\n<svg viewBox=\"0 0 %d %d\" width=%d role=img>\n", html.EscapeString(say(p.title)), left+width+120, high*len(list), left+width+120)
	for i, c := range list {
		y, x := i*high, float64(left)
		fmt.Fprintf(b, "<text x=%d y=%d text-anchor=end>%s</text>", left-10, y+17, html.EscapeString(c.Model+" · "+c.Protocol))
		for n, v := range p.parts(c) {
			w := v / most * width
			fmt.Fprintf(b, "<rect x=%.1f y=%d width=%.1f height=%d fill=%q />", x, y+3, w, high-7, colours[n])
			x += w
		}
		fmt.Fprintf(b, "<text x=%.1f y=%d>"+p.shown+"</text>\n", x+6, y+17, sum(p.parts(c)))
	}
	b.WriteString("</svg>\n")
}

func sum(list []float64) (s float64) {
	for _, v := range list {
		s += v
	}
	return s
}

// matrix shows every task in every column, with why it was missed where one points at it.
func matrix(b *strings.Builder, list []Column) {
	b.WriteString("<table>\n<tr><th></th><th></th>")
	var order []Result
	for _, c := range list {
		fmt.Fprintf(b, "<th>%s<br>%s</th>", html.EscapeString(c.Model), html.EscapeString(c.Protocol))
		if len(c.Results) > len(order) {
			order = c.Results
		}
	}
	b.WriteString("</tr>\n")
	for _, r := range order {
		fmt.Fprintf(b, "<tr><td>%s</td><td>%s</td>", html.EscapeString(r.Task), html.EscapeString(r.Kind))
		for _, c := range list {
			class, mark, why := "s", "–", ""
			for _, of := range c.Results {
				switch {
				case of.Task != r.Task:
				case of.Skipped != "":
					why = of.Skipped
				case of.Solved:
					class, mark = "y", "✓"
				default:
					class, mark, why = "n", "✗", of.Missed
				}
			}
			fmt.Fprintf(b, "<td class=%s title=\"%s\">%s</td>", class, html.EscapeString(why), mark)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
}
