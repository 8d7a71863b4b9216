package tui

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/terminal"
)

// A reading is a text over the whole conversation, to be read and left.
type reading struct {
	title string
	lines []string
	top   int
	yes   func(*app) // what enter does, where the page asks for that
	diff  string     // shown below the lines
}

func (p *reading) window(d drawer, height int) []string {
	var all []string
	for _, l := range p.lines {
		all = append(all, terminal.Wrap(l, d.width)...)
	}
	if p.diff != "" {
		all = append(all, d.diff(p.diff)...)
	}
	rows := []string{terminal.Paint(d.style.bold+d.style.accent, terminal.Clip(p.title, d.width)), ""}
	room := max(height-3, 1)
	p.top = max(min(p.top, len(all)-room), 0)
	rows = append(rows, all[p.top:min(p.top+room, len(all))]...)
	for len(rows) < height-1 {
		rows = append(rows, "")
	}
	keys := d.words.PageKeys
	if p.yes != nil {
		keys = d.words.PageYes
	}
	rows = append(rows, terminal.Paint(d.style.dim, terminal.Clip(keys, d.width)))
	return rows[:height]
}

func (a *app) pageKey(name string) {
	p := a.page
	switch name {
	case "up", "k":
		p.top = max(p.top-1, 0)
	case "down", "j":
		p.top++
	case "pgup":
		p.top = max(p.top-a.height/2, 0)
	case "pgdown", "space":
		p.top += a.height / 2
	case "home":
		p.top = 0
	case "end":
		p.top = 1 << 30
	case "alt+v":
		a.look.side = !a.look.side
	case "enter":
		a.page = nil
		if p.yes != nil {
			p.yes(a)
		}
	case "esc", "q", "?":
		a.page = nil
	}
}

func (a *app) help() {
	p := &reading{title: a.words.HelpTitle}
	for _, c := range a.commands() {
		p.lines = append(p.lines, fmt.Sprintf("%-12s %s", "/"+c.name, c.about))
	}
	p.lines = append(p.lines, "")
	for _, k := range a.words.Keys {
		p.lines = append(p.lines, k[0]+strings.Repeat(" ", max(22-terminal.Width(k[0]), 1))+k[1])
	}
	a.page = p
}

// status shows where the session stands.
func (a *app) status() {
	v, w := a.view, a.words
	p := &reading{title: w.StatusTitle}
	row := func(name, value string) {
		if value != "" {
			p.lines = append(p.lines, name+strings.Repeat(" ", max(14-terminal.Width(name), 1))+terminal.Visible(value))
		}
	}
	row(w.Session, v.started.Session)
	row(w.Folder, v.started.Dir)
	row(w.Mode, string(a.modeNow()))
	row(w.Model, v.model)
	row(w.Protocol, v.protocol)
	row(w.Approve, v.approve)
	row(w.Step, strings.Trim(string(v.step)+" / "+string(v.status), " /"))
	row(w.Vitals, vitals(v.vitals))
	row(w.Tokens, fmt.Sprintf("%s + %s", terminal.Count(v.usage.Input), terminal.Count(v.usage.Output)))
	row(w.Cached, terminal.Count(v.usage.Cached))
	row(w.Cost, fmt.Sprintf("$%.4f", v.usage.Cost))
	for _, l := range v.layers {
		row("  "+l.Name, terminal.Count(l.Tokens))
	}
	p.lines = append(p.lines, fixedItems(w, v.fixed)...)
	a.page = p
}

// fixedItems are what the session keeps in mind.
func fixedItems(w words, d nebula.Delta) []string {
	var lines []string
	one := func(name string, text *string) {
		if text != nil && *text != "" {
			lines = append(lines, "", name, "  "+terminal.Visible(*text))
		}
	}
	many := func(name string, texts *[]string) {
		if texts == nil || len(*texts) == 0 {
			return
		}
		lines = append(lines, "", name)
		for _, t := range *texts {
			lines = append(lines, "  • "+terminal.Visible(t))
		}
	}
	one(w.Goal, d.Goal)
	one(w.WhyNow, d.WhyNow)
	many(w.Constraints, d.Constraints)
	many(w.PlanBrief, d.PlanBrief)
	many(w.OpenQuestions, d.OpenQuestions)
	return lines
}
