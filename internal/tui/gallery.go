package tui

import (
	"context"

	"nebula/internal/lists"
	"nebula/internal/terminal"
)

// A gallery is how the pictures of the conversation are drawn, where the terminal can.
type gallery struct {
	can   terminal.Graphics
	count int
	ahead string   // for the terminal to keep, with the next frame
	below []string // for an inline screen to print, once
}

// hang has a block's pictures drawn beside the loop, the first time that it is seen. A full screen moves what it shows, which only
// cells can that stand for a picture; what scrolls away by itself takes all kinds.
func (a *app) hang(b *block) {
	images := b.row.Images
	if b.hung || len(images) == 0 || b.hidden() || b.streak != nil && !b.streak.open || a.gallery.can == terminal.NoGraphics || a.gallery.can != terminal.Kitty && !a.options.Inline {
		return
	}
	b.hung = true
	can, first, width, cell := a.gallery.can, a.gallery.count, a.width-4, a.terminal.Cell()
	a.gallery.count += len(images)
	a.apart(func(context.Context) func() {
		var drawn []terminal.Drawing
		for n, i := range images {
			if d, err := can.Draw(i, first+n, width, cell); err == nil { // a line says of each what it is
				drawn = append(drawn, d)
			}
		}
		return func() { a.drew(b, drawn) }
	})
}

func (a *app) drew(b *block, drawn []terminal.Drawing) {
	if !lists.Has(a.view.blocks, b) {
		return
	}
	for _, d := range drawn {
		a.gallery.ahead += d.Ahead
		switch {
		case !a.options.Inline:
			b.pictures = append(b.pictures, d.Rows...)
		case d.Once != "":
			a.gallery.below = append(a.gallery.below, d.Once)
		default:
			a.gallery.below = append(a.gallery.below, d.Rows...)
		}
	}
	b.stale()
}

// sent is what the terminal is to keep from now on.
func (g *gallery) sent() string {
	ahead := g.ahead
	g.ahead = ""
	return ahead
}

// printed are the rows that an inline screen leaves behind.
func (g *gallery) printed() []string {
	below := g.below
	g.below = nil
	return below
}
