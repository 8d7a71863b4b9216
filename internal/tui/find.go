package tui

import (
	"fmt"
	"slices"
	"strings"

	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A finder looks for words in the conversation: what is typed narrows, and the window goes from place to place, the newest
// first.
type finder struct {
	query  terminal.Editor
	needle phrase.Needle
	hits   []hit
	total  int
	at     int    // which of all places, from the oldest
	opened *block // that was folded, to show the place in it
}

// A hit is a block with some of the places.
type hit struct {
	block    *block
	at       int // in the conversation, when it was looked for
	from, to int // of all places
}

// texts are the words of a block, in the order in which they stand when it is open.
func (b *block) texts() []string {
	switch r := b.row; r.Kind {
	case transcript.Say, transcript.Thought:
		return []string{b.text}
	case transcript.Act:
		texts := []string{b.title(), b.row.Action.Proposal.Diff, b.row.Action.Output}
		if r.Action.Result != nil {
			texts[2] = r.Action.Result.Text
		}
		return texts
	default:
		return []string{r.Text, r.Exact, r.Tail}
	}
}

// find opens the finder with what was looked for last, which a word that is typed replaces.
func (a *app) find() {
	if a.gate != nil {
		a.hint = fmt.Sprintf(a.words.NotNow, "Ctrl-F")
		return
	}
	f := &finder{}
	f.query.Choose(a.sought)
	a.finder, a.popup, a.page, a.selected = f, nil, nil, -1
	a.seek()
}

// seek looks for what is typed, and goes to the place that is nearest to where the window stands, upwards.
func (a *app) seek() {
	f := a.finder
	before := len(a.view.blocks)
	if h := f.hit(); h != nil {
		before = h.at
	} else if a.scroll.held {
		before = a.scroll.top + max(len(a.scroll.seen), 1)
	}
	a.sought = f.query.Text()
	f.needle, f.hits, f.total, f.at = phrase.NewNeedle(a.sought), nil, 0, 0
	if f.needle.Empty() {
		return
	}
	for i, b := range a.view.blocks {
		n := 0
		for _, text := range b.texts() {
			n += f.needle.Count(text)
		}
		if n == 0 {
			continue
		}
		f.hits = append(f.hits, hit{b, i, f.total, f.total + n})
		if f.total += n; i <= before || f.at == 0 {
			f.at = f.total - 1
		}
	}
	a.reach()
}

// hit is where the place is that is shown; nil for none.
func (f *finder) hit() *hit {
	i, _ := slices.BinarySearchFunc(f.hits, f.at, func(h hit, at int) int {
		switch {
		case at < h.from:
			return 1
		case at >= h.to:
			return -1
		}
		return 0
	})
	if i >= len(f.hits) {
		return nil
	}
	return &f.hits[i]
}

// reach brings the place on the screen, and unfolds what it is in.
func (a *app) reach() {
	f := a.finder
	h := f.hit()
	if o := f.opened; o != nil && (h == nil || h.block != o) {
		o.open, f.opened = false, nil
		o.stale()
	}
	if h == nil {
		return
	}
	i := slices.Index(a.view.blocks, h.block)
	if i < 0 { // it was sent again
		return
	}
	b := h.block
	if b.hidden() {
		b.streak.open = true
		b.streak.stale()
	}
	row := f.row(a.rowsOf(i))
	if row < 0 && b.folds() && !b.open {
		b.open, f.opened = true, b
		b.stale()
		row = f.row(a.rowsOf(i))
	}
	row = max(row, 0)
	for _, s := range a.scroll.seen {
		if s.block == i && s.row == row {
			return
		}
	}
	a.scroll.held, a.scroll.top, a.scroll.skip = true, i, row
	a.scroll.by(-a.height/3, a.view.blocks, a.bodyHeight(), a.rowsOf)
}

// row is the row of a block that the place is in; -1 where it is in none. What is broken at the end of a row is found in two.
func (f *finder) row(rows []string) int {
	left, last := f.at-f.hit().from, -1
	plain := make([]string, len(rows)+1)
	for i, r := range rows {
		plain[i] = terminal.Unpainted(r)
	}
	for i := range rows {
		n := f.needle.Count(plain[i])
		if joined := f.needle.Count(strings.TrimRight(plain[i], " ") + strings.TrimLeft(plain[i+1], " │▌")); n == 0 && joined > f.needle.Count(plain[i+1]) {
			n = 1
		}
		if n > 0 {
			last = i
		}
		if left -= n; left < 0 {
			return i
		}
	}
	return last
}

// findKey takes a key while words are looked for.
func (a *app) findKey(name, text string) {
	f := a.finder
	switch name {
	case "esc", "ctrl+g":
		a.finder = nil
	case "enter", "up", "ctrl+f", "ctrl+p":
		a.leap(-1)
	case "down", "shift+enter", "ctrl+n":
		a.leap(1)
	case "home", "ctrl+home":
		f.at = 0
		a.reach()
	case "end", "ctrl+end":
		f.at = max(f.total-1, 0)
		a.reach()
	default:
		if !a.sight(name) && (f.query.Key(name) || text != "") {
			if f.query.Insert(text); f.query.Text() != a.sought {
				a.seek()
			}
		}
	}
}

// leap goes to the next place up or down, and round at the ends.
func (a *app) leap(by int) {
	if f := a.finder; f.total > 0 {
		f.at = (f.at + by + f.total) % f.total
		a.reach()
	}
}

// draw is the row that the words are typed in, with the cursor at x: behind them which of how many places is shown.
func (f *finder) draw(d drawer) (row string, x int) {
	w := d.words
	tail := w.FindNone
	switch {
	case f.needle.Empty():
		tail = w.FindHere
	case f.total > 0:
		tail = fmt.Sprintf("%d/%d · ", f.at+1, f.total) + w.FindKeys
	}
	lead := w.Find + ": "
	lines, x, _ := f.query.Layout(max(d.width, terminal.Width(lead)+4), terminal.Width(lead))
	row = terminal.Paint(d.style.accent, lead) + lines[len(lines)-1]
	for _, tail := range []string{tail, strings.SplitN(tail, " · ", 2)[0]} {
		if shown := d.keys(tail)[0]; terminal.Bare(row)+2+terminal.Bare(shown) <= d.width {
			return row + "  " + shown, x
		}
	}
	return row, x
}

// mark shows the places on the screen; that which the window was brought to stands out.
func (a *app) mark(rows []string) {
	f := a.finder
	if f == nil || f.needle.Empty() {
		return
	}
	var here spot
	if h := f.hit(); h != nil {
		if i := slices.Index(a.view.blocks, h.block); i >= 0 {
			here = spot{i, f.row(a.rowsOf(i))}
		}
	}
	for y, row := range rows {
		if y >= len(a.scroll.seen) || a.scroll.seen[y].block < 0 {
			continue
		}
		var marks []stretch
		for from, to := range f.needle.In(terminal.Unpainted(row)) {
			marks = append(marks, stretch{from, to})
		}
		style := "\x1b[4m"
		if a.scroll.seen[y] == here {
			style = "\x1b[7m"
		}
		rows[y] = overlay(row, marks, style)
	}
}
