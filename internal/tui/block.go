package tui

import (
	"fmt"
	"strings"
	"time"

	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A block is a row of the transcript, or a piece of one. Its rows on the screen are laid out when it is first seen and kept
// until it changes or the screen does.
type block struct {
	row    *transcript.Row
	text   string // of speech
	fence  fence  // where the text begins: inside a code block, when it goes on from the block before
	gap    bool   // a free row stands above it
	moving bool   // still being streamed
	open   bool   // unfolded

	// Of an action:
	why     bool    // the five points are shown
	instead string  // the command that the person wrote in the place of the proposed one
	amended string  // the diff, likewise
	own     *string // what can be written so, once it was looked for
	beside  bool    // it is work in the background, which tells of its end elsewhere
	streak  *streak // that it is one of; nil for none

	hung     bool     // its pictures were asked for
	pictures []string // rows of cells that stand for them

	rows    []string
	wide    int
	drawn   look
	changes int // of the row, when it was laid out
	decides decides
}

// A decides tells which rows of a block a person decides on, and where those end that must have been seen.
type decides struct{ from, firm, to int }

// A look is what rows depend on besides their block. Blocks are drawn anew when it is another.
type look struct {
	generation int // of style and language
	side       bool
	selected   bool
}

// folds reports whether the block can be opened.
func (b *block) folds() bool {
	return !b.hidden() && (b.row.Kind == transcript.Thought || b.row.Kind == transcript.Act || b.row.Kind == transcript.Person && strings.Count(b.row.Text, "\n") >= saidMost)
}

// stale has the block laid out anew.
//
//go:noinline
func (b *block) stale() { b.rows = nil }

// A drawer lays blocks out.
type drawer struct {
	words words
	style style
	width int
	look  look
	opens opener
}

// layout is the block's rows.
func (d drawer) layout(b *block) []string {
	if b.rows != nil && b.wide == d.width && b.drawn == d.look && b.changes == b.row.Changes {
		return b.rows
	}
	rows := make([]string, 0, 4)
	if b.gap {
		rows = append(rows, "")
	}
	above := len(rows)
	rows = append(rows, d.opens.point(d.rows(b), b)...)
	for _, row := range b.pictures {
		rows = append(rows, "  "+row)
	}
	b.decides = decides{b.decides.from + above, b.decides.firm + above, b.decides.to + above}
	if len(rows) == 0 && !b.hidden() {
		rows = append(rows, "")
	}
	b.rows, b.wide, b.drawn, b.changes = rows, d.width, d.look, b.row.Changes
	return rows
}

func (d drawer) rows(b *block) []string {
	switch r := b.row; r.Kind {
	case transcript.Person:
		return d.person(b)
	case transcript.Say:
		return d.say(b)
	case transcript.Question:
		return d.question(r)
	case transcript.Thought:
		return d.thought(b)
	case transcript.Act:
		return d.action(b)
	default:
		text := r.Said(terminal.Visible, terminal.OneRow)
		if r.Mark != "" {
			text = glyphs(r.Mark) + " " + text
		}
		return terminal.Wrap(terminal.Paint(d.tone(r.Tone), text), min(d.width, proseMax))
	}
}

// saidMost is how many lines of what the person said are shown unasked, and saidShown what is left of more: the rest was
// pasted, and is read elsewhere.
const (
	saidMost  = 40
	saidShown = 6
)

// person is what the person said. Of a long paste the first lines are shown until somebody opens it.
func (d drawer) person(b *block) []string {
	mark, text, rest := terminal.Paint(d.style.accent, glyph("▌")+" "), b.row.Text, 0
	if b.folds() && !b.open {
		lines := strings.SplitAfterN(text, "\n", saidShown+1)
		rest = strings.Count(lines[saidShown], "\n") + 1
		text = strings.TrimSuffix(strings.Join(lines[:saidShown], ""), "\n")
	}
	rows := d.behind(mark, d.style.person, terminal.Visible(text))
	if rest > 0 {
		rows = append(rows, mark+terminal.Paint(d.style.dim, terminal.Clip(fmt.Sprintf(d.words.MoreRows, rest), max(d.width-2, 4))))
	}
	return rows
}

//go:noinline
func (d drawer) tone(t transcript.Tone) string {
	return [...]string{"", d.style.accent, d.style.good, d.style.warn, d.style.bad, d.style.dim}[t]
}

// gutter is where the marks stand that tell what a block is. A narrow screen has none for speech.
func (d drawer) gutter() int {
	if d.width < 50 {
		return 0
	}
	return 2
}

// proseMax is how wide prose gets: longer rows are hard to read. Code and differences take the whole width.
const proseMax = 96

//go:noinline
func (d drawer) say(b *block) []string { return d.spoken(b.text, b.fence) }

func (d drawer) spoken(text string, f fence) []string {
	room := d.width - d.gutter()
	rows := markdown(d.style, min(room, proseMax), room, text, f)
	if lead := strings.Repeat(" ", d.gutter()); lead != "" {
		for i, r := range rows {
			if r != "" {
				rows[i] = lead + r
			}
		}
	}
	return rows
}

func (d drawer) question(r *transcript.Row) []string {
	rows := d.spoken(r.Text, fence{})
	if d.gutter() > 0 {
		rows[0] = terminal.Paint(d.style.warn, "? ") + strings.TrimPrefix(rows[0], "  ")
	}
	return rows
}

// behind lays text out behind a mark on every row.
func (d drawer) behind(mark, style, text string) []string {
	rows := terminal.Wrap(terminal.Paint(style, text), max(min(d.width, proseMax)-terminal.Bare(mark), 4))
	for i := range rows {
		rows[i] = mark + rows[i]
	}
	return rows
}

func (d drawer) arrow(b *block) string {
	mark, style := "▸ ", d.style.dim
	if b.open {
		mark = "▾ "
	}
	if d.look.selected {
		style = d.style.invert
	}
	return terminal.Paint(style, mark)
}

// thoughtRows is how many rows of a thought move while it goes on.
const thoughtRows = 3

// thought is one row once it has ended, until somebody opens it; while it goes on its last rows are seen.
func (d drawer) thought(b *block) []string {
	head := d.words.Thought
	if b.moving {
		head = d.words.Thinking
	}
	head = fmt.Sprintf(head, phrase.Count(len(b.row.Text)/4))
	if took := b.row.Took.Truncate(time.Second); took > 0 {
		head += " " + phrase.Seconds(took.Milliseconds())
	}
	rows := []string{d.arrow(b) + terminal.Paint(d.style.dim, terminal.Clip(head, d.width-2))}
	if !b.open && !b.moving {
		return rows
	}
	text := d.behind(terminal.Paint(d.style.dim, "  "+glyph("│")+" "), d.style.dim, terminal.Visible(strings.TrimSpace(b.text)))
	if n := len(text) - thoughtRows; n > 0 && !b.open {
		text = text[n:]
	}
	return append(rows, text...)
}
