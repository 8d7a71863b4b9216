package tui

import (
	"slices"

	"nebula"
	"nebula/internal/lists"
)

// What is asked stays at the end of the conversation, above its answers, whatever else comes meanwhile: that stands before it.
type pinned struct {
	ask    string // what they are for
	blocks []*block
}

// pin has blocks stay at the end for as long as their question waits. Those of another one that waits are put off.
func (v *view) pin(ask string, blocks ...*block) {
	v.drop()
	v.blocks = append(lists.Drop(v.blocks, func(b *block) bool { return lists.Has(blocks, b) }), blocks...)
	v.pinned = pinned{ask, blocks}
}

// of are the blocks of a question of the session. An inline screen has printed one of the model's.
func (v *view) of(ask nebula.Asked, inline bool) []*block {
	action := v.Open(ask.Action)
	for i := len(v.blocks) - 1; i >= 0; i-- {
		switch r := v.blocks[i].row; {
		case action != nil && r == action, ask.Question != nil && r.Question == ask.Question && !inline:
			return []*block{v.blocks[i]}
		case ask.Question != nil && inline:
			return nil
		}
	}
	return nil
}

// unpin leaves them where they stand.
func (v *view) unpin() { v.pinned = pinned{} }

// drop takes them out of the conversation: the question is put off, and comes back as it was.
//
//go:noinline
func (v *view) drop() {
	v.lift()
	v.unpin()
}

// lift takes the pinned blocks from the end, for others to be added there; lower puts them back.
//
//go:noinline
func (v *view) lift() {
	if len(v.pinned.blocks) > 0 {
		v.blocks = slices.Clip(v.blocks[:v.rest()])
	}
}

func (v *view) lower() { v.blocks = append(v.blocks, v.pinned.blocks...) }

// rest is how many blocks stand before those that are pinned.
func (v *view) rest() int { return len(v.blocks) - len(v.pinned.blocks) }

// answered ends the pinning of a question that waits no more: what comes now stands below it.
func (v *view) answered() {
	waits := v.Ask != nil && v.Ask.Ask == v.pinned.ask
	for _, q := range v.Beside.Waits {
		waits = waits || q.Ask == v.pinned.ask
	}
	if !waits {
		v.lower()
		v.unpin()
	}
}

// anchor gives what keeps the window and the chosen block where they are when blocks come before them.
func (a *app) anchor() (keep func()) {
	at := func(i int) *block {
		if i < 0 || i >= len(a.view.blocks) {
			return nil
		}
		return a.view.blocks[i]
	}
	stay := func(b *block, i int) int {
		if b == nil || at(i) == b {
			return i
		}
		if now := slices.Index(a.view.blocks, b); now >= 0 {
			return now
		}
		return i
	}
	top, chosen := at(a.scroll.top), at(a.selected)
	return func() {
		if a.scroll.held {
			a.scroll.top = stay(top, a.scroll.top)
		}
		a.selected = stay(chosen, a.selected)
	}
}
