package tui

import (
	"cmp"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/gate"
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
	why     bool   // the five points are shown
	instead string // the command that the person wrote in the place of the proposed one
	beside  bool   // it is work in the background, which tells of its end elsewhere

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
func (b *block) folds() bool { return b.row.Kind == transcript.Thought || b.row.Kind == transcript.Act }

// stale has the block laid out anew.
func (b *block) stale() { b.rows = nil }

// A drawer lays blocks out.
type drawer struct {
	words words
	style style
	width int
	look  look
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
	rows = append(rows, d.rows(b)...)
	b.decides = decides{b.decides.from + above, b.decides.firm + above, b.decides.to + above}
	if len(rows) == 0 {
		rows = append(rows, "")
	}
	b.rows, b.wide, b.drawn, b.changes = rows, d.width, d.look, b.row.Changes
	return rows
}

func (d drawer) rows(b *block) []string {
	switch r := b.row; r.Kind {
	case transcript.Person:
		return d.behind(terminal.Paint(d.style.accent, glyph("▌")+" "), d.style.person, terminal.Visible(r.Text))
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

func (d drawer) say(b *block) []string { return d.spoken(b.text, b.fence) }

func (d drawer) spoken(text string, f fence) []string {
	room := d.width - d.gutter()
	rows, _ := markdown(d.style, min(room, proseMax), room, text, f)
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

func (d drawer) thought(b *block) []string {
	lines := strings.Split(strings.TrimSpace(b.text), "\n")
	head := d.words.Thought
	shown := lines[0]
	if b.moving {
		shown = lines[len(lines)-1]
	}
	if len(lines) > 1 {
		head += fmt.Sprintf(" (%d)", len(lines))
	}
	if b.open {
		rows := []string{d.arrow(b) + terminal.Paint(d.style.dim, terminal.Clip(head, d.width-2))}
		return append(rows, d.behind(terminal.Paint(d.style.dim, "  "+glyph("│")+" "), d.style.dim, terminal.Visible(strings.TrimSpace(b.text)))...)
	}
	room := d.width - 4 - terminal.Width(head)
	if room < 8 {
		return []string{d.arrow(b) + terminal.Paint(d.style.dim, terminal.Clip(head, d.width-2))}
	}
	return []string{d.arrow(b) + terminal.Paint(d.style.dim, head+": "+terminal.OneLine(terminal.Visible(shown), room))}
}

// title is what an action is about, in one line.
func (b *block) title() string {
	command, text := b.row.Action.Title()
	if b.instead != "" {
		command = strings.TrimSpace(b.instead)
	}
	if text = terminal.OneRow(text); command == "" {
		return text
	}
	if command = "$ " + terminal.OneRow(command); text == "" {
		return command
	}
	return command + " · " + text
}

// head is the title above what stands below it: of a command that waits for the person, why it is to run. The command
// itself follows, to the letter.
func (b *block) head() string {
	a := b.row.Action
	if !a.Asked || a.Proposal.Command == "" {
		return b.title()
	}
	return cmp.Or(terminal.OneRow(cmp.Or(a.Proposal.Action.Reason, a.Proposal.Action.Tool)), b.title())
}

// command is what would run.
func (b *block) command() string {
	if b.instead != "" {
		return b.instead
	}
	if p := b.row.Action.Proposal; p.Ran != "" {
		return p.Ran
	}
	return b.row.Action.Proposal.Exact()
}

func (d drawer) action(b *block) []string {
	a := b.row.Action
	mark, tone, word := a.Mark(d.words.Words)
	if b.beside && !a.Asked {
		mark, tone = "◆", transcript.Faint
	}
	style := d.tone(tone)
	tail := ""
	if a.Asked && a.Verdict.Risk != "" {
		tail += " " + terminal.Paint(d.tone(transcript.RiskTone(a.Verdict.Risk)), d.words.Risk+": "+d.words.Weight(a.Verdict.Risk))
	}
	if word != "" {
		tail += " " + terminal.Paint(style, terminal.OneLine(terminal.Visible(word), 70))
	}
	if a.Result != nil && a.Result.Took >= 1000 {
		tail += " " + terminal.Paint(d.style.dim, phrase.Seconds(a.Result.Took))
	}
	if terminal.Bare(tail) > d.width/2 {
		tail = ""
	}
	room := max(d.width-2-terminal.Bare(tail), 4)
	if d.look.selected {
		style += d.style.invert
	}
	title := terminal.OneLine(b.head(), room)
	if a.Result != nil {
		title = d.counted(title)
	}
	rows := []string{terminal.Paint(style, glyph(mark)) + " " + title + tail}
	for _, row := range d.body(b) {
		rows = append(rows, "  "+row)
	}
	b.decides.from, b.decides.firm, b.decides.to = b.decides.from+1, b.decides.firm+1, b.decides.to+1
	return rows
}

// counted colours the lines that came and went at the end of a title.
func (d drawer) counted(title string) string {
	head := strings.TrimRight(title, "0123456789+- )")
	tail := title[len(head):]
	if !strings.ContainsAny(tail, "+-") {
		return title
	}
	fields := strings.SplitAfter(tail, " ")
	for i, f := range fields {
		switch {
		case len(f) > 1 && f[0] == '+':
			fields[i] = terminal.Paint(d.style.good, f)
		case len(f) > 1 && f[0] == '-':
			fields[i] = terminal.Paint(d.style.bad, f)
		}
	}
	return head + strings.Join(fields, "")
}

// body is what stands under an action's line: all of it when it is open or waits for the person.
func (d drawer) body(b *block) []string {
	a := b.row.Action
	in := d
	in.width = max(d.width-2, 8)
	var rows []string
	if b.open || b.why && a.Asked {
		rows = append(rows, in.points(*a)...)
	}
	b.decides = decides{len(rows), len(rows), len(rows)}
	if b.open || a.Asked {
		if b.command() != "" && (a.Proposal.Ran == "" || b.open) {
			rows = append(rows, in.exact(terminal.Lines(b.command(), in.width, in.words.Lang))...)
		}
		rows = append(rows, in.exact(terminal.Given(gate.SayAll(gate.Given(a.Proposal, a.Verdict), in.words.Lang), in.width))...)
		b.decides.firm = len(rows)
		rows = append(rows, in.diff(a.Proposal.Diff)...)
		if a.Proposal.Diff == "" && b.command() == "" {
			for _, t := range a.Proposal.Targets {
				rows = append(rows, terminal.Break(t.Kind+" "+terminal.OneRow(t.Path), in.width)...)
			}
		}
		b.decides.to = len(rows)
	}
	if !b.open && a.Unasked() {
		rows = in.diff(a.Proposal.Diff)
		if n := len(rows) - gate.ShownRows; n > 0 {
			rows = append(rows[:gate.ShownRows], terminal.Paint(d.style.dim, fmt.Sprintf("… +%d", n)))
		}
	}
	switch {
	case a.Result == nil:
		return append(rows, in.output(a.Output, 4)...)
	case b.open:
		return append(rows, in.output(a.Result.Text, outputMax)...)
	case a.Result.Status == nebula.Failed:
		return append(rows, in.output(a.Result.Text, 6)...)
	}
	return rows
}

// outputMax is how many lines of an output are shown; what the model read of it has its own limit.
const outputMax = 2000

// exact are rows that are shown to the letter: a command, and what it is given.
func (d drawer) exact(shown []terminal.Row) (rows []string) {
	for _, r := range shown {
		style := d.style.bold
		if r.Kind != '$' {
			style = d.style.warn
		}
		rows = append(rows, terminal.Paint(d.style.dim, r.Lead)+terminal.Paint(style, r.Text))
	}
	return rows
}

// output is the end of an output.
func (d drawer) output(text string, most int) []string {
	text = strings.TrimRight(text, "\n ")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	var rows []string
	if n := len(lines) - most; n > 0 {
		rows = append(rows, terminal.Paint(d.style.dim, fmt.Sprintf(d.words.More, n)))
		lines = lines[n:]
	}
	for _, l := range lines {
		rows = append(rows, terminal.Break(terminal.Paint(d.style.dim, tabs(terminal.Visible(strings.TrimSuffix(l, "\r")))), d.width)...)
	}
	return rows
}

// points are the five points of a decision; the fifth, the difference itself, follows them.
func (d drawer) points(a transcript.Action) (rows []string) {
	for _, p := range a.Explained(d.words.Words) {
		for i, text := range p.Texts {
			p.Texts[i] = terminal.OneRow(text)
		}
		label := p.Name + ": "
		for i, r := range terminal.Wrap(terminal.Paint(d.tone(p.Tone), strings.Join(p.Texts, " · ")), max(d.width-terminal.Width(label), 8)) {
			if i > 0 {
				label = strings.Repeat(" ", terminal.Width(label))
			}
			rows = append(rows, terminal.Paint(d.style.dim, label)+r)
		}
	}
	return rows
}
