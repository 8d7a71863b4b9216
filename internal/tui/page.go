package tui

import (
	"strings"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
)

// A reading is a text over the whole conversation, to be read and left.
type reading struct {
	title string
	rows  func(drawer) []string // laid out with every frame; may be nil
	lines []string              // below those: texts, or names and values
	diff  string                // below those
	top   int
	room  int // rows of it that were shown last

	laid    []string // the diff's rows, kept as long as they are laid out for the same
	laidFor drawer
	keys    string                // what can be done besides
	does    map[string]func(*app) // by the word that is typed for it, and enter
	said    string                // what of such a word was typed on the page
	plan    *nebula.Plan          // that it shows
	seen    *gate.Seen            // its rows
	seenFor [2]int                // how many there were, in how many columns
	yes     func(*app)            // what enter does, where the page asks for that
}

func (p *reading) window(d drawer, height int) []string {
	var all []string
	if p.rows != nil {
		all = p.rows(d)
	}
	all = append(all, d.labelled(p.lines)...)
	if p.diff != "" {
		if of := (drawer{style: d.style, width: d.width, look: d.look}); p.laid == nil || p.laidFor.look != of.look || p.laidFor.width != of.width {
			p.laid, p.laidFor = d.diff(p.diff), of
		}
		all = append(all, p.laid...)
	}
	keys := d.words.PageKeys
	if p.yes != nil {
		keys = d.words.PageYes
	}
	if p.keys != "" {
		keys += " · " + p.keys
	}
	below := d.keys(keys)
	rows := []string{terminal.Paint(d.style.bold+d.style.accent, terminal.Clip(p.title, d.width)), ""}
	room := max(height-2-len(below), 1)
	p.top = max(min(p.top, len(all)-room), 0)
	if now := [2]int{len(all), d.width}; p.seen == nil || p.seenFor != now {
		p.seen, p.seenFor = gate.NewSeen(len(all), len(all)), now
	}
	p.seen.Saw(p.top, p.top+room)
	p.room = room
	rows = append(rows, all[p.top:min(p.top+room, len(all))]...)
	for len(rows) < room+2 {
		rows = append(rows, "")
	}
	rows = append(rows, below...)
	for len(rows) < height {
		rows = append(rows, "")
	}
	return rows[:height]
}

// ended reports whether all of it was on the screen.
//
//go:noinline
func (p *reading) ended() bool { return p.seen != nil && p.seen.Next() < 0 }

// step is how far a page key goes: no row is passed over.
func (p *reading) step() int { return max(p.room-1, 1) }

// pageKey takes a key while a page is read, and reports whether it was for that. What is typed leaves the page, and is
// typed as always; only while it may become a word that the page names does the page stay, and enter does what it says.
func (a *app) pageKey(name, text string) bool {
	p := a.page
	if text != "" && p.names(a.editor.Text(), text) {
		a.editor.Insert(text)
		p.said = a.editor.Text()
		return true
	}
	if said := p.said; said != "" && name == "enter" {
		if do := p.does[spoken(said)]; do != nil && a.editor.Text() == said {
			a.editor, p.said = a.editor.Cleared(), ""
			do(a)
			return true
		}
	} else if said != "" && (text != "" || a.editor.Key(name)) {
		if p.said = a.editor.Text(); text != "" {
			a.page = nil
		}
		return text == ""
	}
	switch name {
	case "up":
		p.top = max(p.top-1, 0)
	case "down":
		p.top++
	case "pgup":
		p.top = max(p.top-a.height/2, 0)
	case "pgdown", "space":
		p.top += p.step()
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
	case "esc", "?":
		a.page = nil
	default:
		if text != "" {
			a.page = nil
			return false
		}
	}
	return true
}

// names reports whether a text that is typed behind what stands there may become one of the page's words. What stood
// there before the page did is none of them.
func (p *reading) names(before, text string) bool {
	if before != p.said {
		return false
	}
	for word := range p.does {
		if strings.HasPrefix(word, spoken(before+text)) {
			return true
		}
	}
	return false
}

// spoken is a word as a page names it.
func spoken(text string) string { return strings.ToLower(phrase.Narrow(text)) }

// help shows the keys and the commands, beside each other where there is room.
func (a *app) help() {
	a.page = &reading{title: a.words.HelpTitle, rows: func(d drawer) []string {
		var keys, commands [][2]string
		for _, r := range command.Rows {
			commands = append(commands, [2]string{r.Title(), r.Text(a.words.Lang).About})
		}
		for _, c := range a.customs {
			commands = append(commands, [2]string{terminal.Visible("/" + c.Name), terminal.Visible(c.About)})
		}
		keys = append(keys, a.words.Keys...)
		if d.width < 110 {
			return append(append(d.pairs(keys), ""), d.pairs(commands)...)
		}
		half := d
		half.width = (d.width - 3) / 2
		return abreast(half.pairs(keys), half.pairs(commands), half.width)
	}}
}

// pairs sets names and what they mean in two columns; below one another where that leaves too little room.
func (d drawer) pairs(list [][2]string) []string {
	wide := 0
	for _, p := range list {
		wide = max(wide, terminal.Width(p[0]))
	}
	wide = min(wide, d.width*2/5)
	var rows []string
	for _, p := range list {
		lead := p[0] + strings.Repeat(" ", max(wide+2-terminal.Width(p[0]), 2))
		for i, r := range terminal.Wrap(p[1], max(d.width-terminal.Width(lead), 8)) {
			if i > 0 {
				lead = strings.Repeat(" ", terminal.Width(lead))
			}
			rows = append(rows, terminal.Break(terminal.Paint(d.style.bold, lead)+terminal.Paint(d.style.dim, r), d.width)...)
		}
	}
	return rows
}

// abreast sets two blocks of rows beside each other.
func abreast(left, right []string, width int) []string {
	rows := make([]string, max(len(left), len(right)))
	for i := range rows {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		rows[i] = l + strings.Repeat(" ", max(width+3-terminal.Bare(l), 0)) + r
	}
	return rows
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
