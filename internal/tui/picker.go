package tui

import (
	"strings"

	"nebula/internal/command"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
)

// A picker is a choice among rows that are narrowed by typing.
type picker struct {
	title  string
	rows   []choice
	query  terminal.Editor
	found  []int
	at     int
	free   bool // what was typed is a choice too
	secret bool // what is typed is not shown
	names  bool // what is typed is a name, or what could be a key
	chosen func(a *app, i int, text string)
}

// A choice is a row of a picker.
type choice struct{ label, detail string }

// offer opens a picker.
//
//go:noinline
func (a *app) offer(p *picker) {
	p.search()
	a.picker, a.popup = p, nil
}

func (p *picker) search() {
	p.found = best(strings.TrimSpace(p.query.Text()), len(p.rows), 500, func(i int) string {
		return p.rows[i].label + " " + p.rows[i].detail
	})
	p.at = min(p.at, max(len(p.found)-1, 0))
}

// pickKey takes a key while a picker is open.
func (a *app) pickKey(name, text string) {
	p := a.picker
	switch name {
	case "esc", "ctrl+g":
		a.picker = nil
	case "up", "ctrl+p", "shift+tab":
		p.at = max(p.at-1, 0)
	case "down", "ctrl+n", "tab":
		p.at = min(p.at+1, max(len(p.found)-1, 0))
	case "pgup":
		p.at = max(p.at-8, 0)
	case "pgdown":
		p.at = min(p.at+8, max(len(p.found)-1, 0))
	case "enter":
		a.picked()
	default:
		if p.query.Key(name) || text != "" {
			if text != "" {
				p.query.Insert(text)
			}
			p.at = 0
			p.search()
		}
	}
}

func (a *app) picked() {
	p := a.picker
	typed := strings.TrimSpace(p.query.Text())
	name, _, ok := command.Read(typed)
	_, known := command.Find(name)
	_, instead := command.Unkeyed(typed, a.words.Lang)
	switch {
	case (instead != "" || p.names && phrase.Bare(typed)) && !p.secret:
		if !a.stray(typed) {
			p.query.Set("")
			p.search()
		}
	case ok && known && !p.secret: // what is typed over a list is a command all the same
		a.picker = nil
		a.submit(typed)
	case len(p.found) > 0 && !p.secret:
		a.picker = nil
		i := p.found[p.at]
		p.chosen(a, i, p.rows[i].label)
	case p.free && typed != "":
		a.picker = nil
		p.chosen(a, -1, typed)
	}
}

// draw lays the picker out with at most so many rows of its list; the last row is where the query is typed, with the cursor at x.
func (p *picker) draw(d drawer, room int, hint string) (rows []string, x int) {
	rows = terminal.Wrap(terminal.Paint(d.style.bold, terminal.OneLine(p.title, 2*d.width-4)), d.width)
	room = max(room, 1)
	from := max(min(p.at-room/2, len(p.found)-room), 0)
	rows = append(rows, p.list(d, from, min(from+room, len(p.found)))...)
	query := p.query
	if rest := phrase.Withheld(query.Text()); rest != query.Text() {
		query.Set(rest)
	} else if p.names && phrase.Bare(rest) {
		query.Set("…")
	}
	if p.secret {
		query.Set(strings.Repeat("•", min(len([]rune(p.query.Text())), d.width-4)))
	}
	lines, x, _ := query.Layout(d.width, 2)
	line := lines[len(lines)-1]
	if p.query.Empty() {
		line = terminal.Paint(d.style.dim, terminal.Clip(hint, d.width-2))
	}
	return append(rows, terminal.Paint(d.style.accent, "› ")+line), x
}

// list lays out some of the rows: what they are called, and behind it, in a column, what there is to say.
func (p *picker) list(d drawer, from, to int) []string {
	wide := 0
	for i := from; i < to; i++ {
		wide = max(wide, terminal.Width(terminal.Visible(p.rows[p.found[i]].label)))
	}
	wide = min(wide, max(d.width/2, 12))
	var rows []string
	for i := from; i < to; i++ {
		rows = append(rows, p.row(d, i, wide))
	}
	return rows
}

func (p *picker) row(d drawer, i, wide int) string {
	c := p.rows[p.found[i]]
	label := terminal.Visible(c.label)
	if c.detail == "" {
		wide = d.width - 2
	}
	label = terminal.Clip(label, wide)
	detail := ""
	if room := d.width - wide - 4; room > 6 && c.detail != "" {
		detail = strings.Repeat(" ", wide-terminal.Width(label)+2) + terminal.Paint(d.style.dim, terminal.Clip(terminal.Visible(c.detail), room))
	}
	if i == p.at {
		return d.chosen(terminal.Paint(d.style.accent, "› ") + terminal.Paint(d.style.bold, label) + detail)
	}
	return "  " + label + detail
}
