package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/transcript"
)

// A Spending is what one turn took.
type Spending struct {
	At    time.Time
	Model string
	nebula.Usage
}

// spentDays is how many days are drawn, today the last.
const spentDays = 30

// Since is the beginning of the first day that is drawn.
func Since(now time.Time) time.Time {
	y, m, d := now.Local().Date()
	return time.Date(y, m, d-spentDays+1, 0, 0, 0, 0, now.Local().Location())
}

// Costs is the page of what was spent, day by day and by model: tokens and dollars as plots, and the same as a table.
func (f Frame) Costs(all []Spending, now time.Time) string {
	first := Since(now)
	days := make([]nebula.Usage, spentDays)
	models := map[string]nebula.Usage{}
	var sum nebula.Usage
	for _, s := range all {
		for i := range days {
			if from := first.AddDate(0, 0, i); !s.At.Before(from) && s.At.Before(from.AddDate(0, 0, 1)) {
				days[i] = days[i].Plus(s.Usage)
				models[s.Model] = models[s.Model].Plus(s.Usage)
				sum = sum.Plus(s.Usage)
			}
		}
	}
	name := func(i int) string { return first.AddDate(0, 0, i).Format("01-02") }
	tokens, dollars := make([]float64, spentDays), make([]float64, spentDays)
	for i, d := range days {
		tokens[i], dollars[i] = float64(d.Input+d.Output), d.Cost
	}
	names := slices.Sorted(maps.Keys(models))
	lists.Sort(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(models[b].Cost, models[a].Cost), cmp.Compare(models[b].Input, models[a].Input))
	})
	main := el("main", f.home(), el("h1", text(f.said("Tokens and costs of the last 30 days"))),
		el("p", text(fmt.Sprintf(transcript.WordsIn(f.Lang).TokensUsed, phrase.Count(sum.Input+sum.Output))+" · "+transcript.Dollars(sum.Cost)))).class("list").set("data-base", f.Base)
	main = main.add(plot(f.said("Tokens a day"), tokens, name, func(v float64) string { return phrase.Count(int(v)) }),
		plot(f.said("Dollars a day"), dollars, name, transcript.Dollars),
		f.spent(f.said("Model"), names, func(m string) nebula.Usage { return models[m] }))
	var used []string
	for i, d := range days {
		if d.Input+d.Output > 0 {
			used = append(used, strconv.Itoa(i))
		}
	}
	main = main.add(f.spent(f.said("Day"), used, func(i string) nebula.Usage { n, _ := strconv.Atoi(i); return days[n] }, func(i string) string {
		n, _ := strconv.Atoi(i)
		return first.AddDate(0, 0, n).Format(time.DateOnly)
	}))
	return f.whole(f.said("Tokens and costs of the last 30 days"), el("body", main.add(el("p").set("id", "said").set("role", "status"))))
}

// spent is a table of what was used, by what stands in its first column.
func (f Frame) spent(by string, keys []string, of func(string) nebula.Usage, named ...func(string) string) Node {
	row := func(tag string, cells ...string) Node {
		r := el("tr")
		for i, c := range cells {
			cell := el(tag, line(c))
			if i > 0 {
				cell = cell.class("right")
			}
			r = r.add(cell)
		}
		return r
	}
	t := el("table", row("th", by, f.said("Tokens read"), f.said("of them from the cache"), f.said("Tokens written"), f.said("Dollars")))
	for _, k := range keys {
		u, name := of(k), k
		for _, n := range named {
			name = n(k)
		}
		t = t.add(row("td", name, phrase.Count(u.Input), phrase.Count(u.Cached), phrase.Count(u.Output), transcript.Dollars(u.Cost)))
	}
	return el("div", t).class("wide").set("tabindex", "0")
}

// The measures of a plot, in its own units.
const (
	plotWide, plotHigh = 720, 140
	plotLeft, plotFoot = 56, 18
)

// plot draws a value of each day as a bar. What it shows stands in a table below, too.
func plot(title string, values []float64, name func(int) string, say func(float64) string) Node {
	most := slices.Max(values)
	n := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	label := func(x, y float64, anchor, said string) Node {
		return el("text", text(said)).set("x", n(x)).set("y", n(y)).set("text-anchor", anchor)
	}
	svg := el("svg", el("title", text(title)), label(plotLeft-6, 12, "end", say(most)), label(plotLeft-6, plotHigh-plotFoot, "end", "0")).
		set("viewBox", fmt.Sprintf("0 0 %d %d", plotWide, plotHigh)).set("role", "img").set("aria-label", title+": "+say(most)).class("plot")
	wide, high := float64(plotWide-plotLeft)/float64(len(values)), float64(plotHigh-plotFoot-4)
	for i, v := range values {
		x := plotLeft + wide*float64(i)
		if v > 0 {
			h := max(high*v/most, 1)
			svg = svg.add(el("rect", el("title", text(name(i)+": "+say(v)))).set("x", n(x+1)).set("y", n(plotHigh-plotFoot-h)).set("width", n(wide-2)).set("height", n(h)))
		}
		if i%7 == 1 {
			svg = svg.add(label(x+wide/2, plotHigh-4, "middle", name(i)))
		}
	}
	return el("div", el("h2", text(title)), svg)
}
