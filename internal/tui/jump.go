package tui

import (
	"fmt"
	"strings"

	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// jump goes to the person's next message up or down: it begins the window. Behind the last one is the newest.
func (a *app) jump(by int) {
	if a.options.Inline || a.gate != nil || a.page != nil {
		return
	}
	blocks, at := a.view.blocks, a.scroll.top
	if !a.scroll.held && by > 0 {
		return
	}
	if by < 0 && a.scroll.skip > 1 { // its own beginning is nearer
		at++
	}
	for at += by; at >= 0 && at < len(blocks); at += by {
		if opensTurn(blocks[at]) {
			a.scroll.held, a.scroll.top, a.scroll.skip = true, at, 0
			a.scroll.atEnd(blocks, len(a.scroll.seen), a.rowsOf)
			return
		}
	}
	if by > 0 {
		a.scroll.held = false
	}
}

func opensTurn(b *block) bool { return b.row.Kind == transcript.Person }

// belongs is the row above a window that somebody scrolled away: the message that what is seen belongs to, and at the right
// where the window stands. There is none where that message itself begins the window.
func (d drawer) belongs(blocks []*block, top, skip int) string {
	at, number, of := -1, 0, 0
	for i, b := range blocks {
		if opensTurn(b) {
			if of++; i <= top {
				at, number = i, of
			}
		}
	}
	if at < 0 || at == top && skip <= 1 {
		return ""
	}
	share := 100 * top / len(blocks)
	tail := fmt.Sprintf("%d/%d · %d %%", number, of, share)
	room := d.width - terminal.Width(tail) - 4
	if room < 8 {
		return ""
	}
	text := terminal.OneLine(terminal.Visible(blocks[at].row.Text), room)
	pad := strings.Repeat(" ", max(room-terminal.Width(text), 0)+2)
	return terminal.Paint(d.style.accent, glyph("▌")+" ") + terminal.Paint(d.style.dim, text+pad+tail)
}

// lead is the row that stays above a window which begins in the middle of something: the head of what is asked, or where the
// window stands that somebody scrolled away.
func (a *app) lead(top, skip int) string {
	if a.gate == nil && a.scroll.held {
		return a.drawer().belongs(a.view.blocks, top, skip)
	}
	if a.gate == nil || a.gate.block == nil || top < 0 || top >= len(a.view.blocks) || a.view.blocks[top] != a.gate.block {
		return ""
	}
	above := a.gate.block.decides.from
	if skip < above || above == 0 {
		return ""
	}
	return a.rowsOf(top)[above-1]
}

// choose selects the next block that opens, and shows it.
func (a *app) choose(by int) {
	blocks := a.view.blocks
	i := a.selected
	if i < 0 && by < 0 {
		i = len(blocks)
	}
	for i += by; i >= 0 && i < len(blocks); i += by {
		if blocks[i].folds() {
			a.selected = i
			a.scroll.show(i, blocks, a.bodyHeight(), a.rowsOf)
			return
		}
	}
	if by > 0 {
		a.selected, a.scroll.held = -1, false
	}
}
