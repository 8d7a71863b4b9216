package tui

import (
	"strings"

	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A streak is some looks of the model's, one after the other, that are shown as one until somebody opens them.
type streak struct {
	blocks []*block
	open   bool
}

// gather has a look that has ended join those before it.
func (v *view) gather(r *transcript.Row) {
	if !r.Action.Looked() {
		return
	}
	at := len(v.blocks) - 1
	for at >= 0 && v.blocks[at].row != r {
		at--
	}
	if at < 1 || v.blocks[at].streak != nil || v.blocks[at-1].row.Kind != transcript.Act || !v.blocks[at-1].row.Action.Looked() {
		return
	}
	before, b := v.blocks[at-1], v.blocks[at]
	if before.open || b.open || b.gap {
		return
	}
	if before.streak == nil {
		before.streak = &streak{blocks: []*block{before}}
	}
	b.streak = before.streak
	b.streak.blocks = append(b.streak.blocks, b)
	b.streak.stale()
}

func (r *streak) stale() {
	for _, b := range r.blocks {
		b.stale()
	}
}

// leads reports whether a block is the one that stands for its streak.
func (b *block) leads() bool { return b.streak != nil && b.streak.blocks[0] == b }

// hidden reports whether another block stands for this one.
//
//go:noinline
func (b *block) hidden() bool {
	return b.streak != nil && !b.streak.open && b.streak.blocks[0] != b || b.row.Action != nil && b.row.Action.Asks
}

// turn opens a block, or closes it. What stands for a streak opens the streak first.
func (b *block) turn() {
	switch {
	case b.leads() && !b.streak.open:
		b.streak.open = true
	case b.leads() && b.open:
		b.open, b.streak.open = false, false
	default:
		b.open = !b.open
	}
	if b.streak != nil {
		b.streak.stale()
	}
	b.stale()
}

// looks is the line of a streak, on the block that stands for it.
func (d drawer) looks(b *block) []string {
	var all []*transcript.Action
	for _, b := range b.streak.blocks {
		all = append(all, b.row.Action)
	}
	text := strings.Join(d.words.Looks(all), " · ")
	return []string{terminal.Paint(d.style.dim+d.selected(), glyph("▸")) + " " + terminal.Paint(d.style.dim, terminal.OneLine(text, max(d.width-2, 4)))}
}
