package tui

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/terminal"
)

// A kind says what a block of the conversation is.
type kind int

const (
	person  kind = iota // what the person sent
	say                 // what the model says: Markdown
	thought             // what the model thinks, folded
	act                 // an action: one line that opens
	note                // something to know that is nobody's speech
)

// A block is one piece of the conversation. Its rows are laid out when it is first seen and kept until it changes or
// the screen does.
type block struct {
	kind   kind
	text   string
	fence  fence // where the text begins: inside a code block, when it goes on from the block before
	gap    bool  // a free row stands above it
	moving bool  // still being streamed
	open   bool  // unfolded
	tone   tone  // of a note; a question that is said is a warning
	action *action

	rows    []string
	wide    int
	drawn   look
	decides decides
}

// A decides tells which rows of a block a person decides on, and where those end that must have been seen.
type decides struct{ from, firm, to int }

// A tone is how a note is meant.
type tone int

const (
	plain tone = iota
	info
	good
	warning
	bad
	faint
)

// An action is one action with what became of it.
type action struct {
	proposal nebula.Proposal
	verdict  nebula.Verdict
	points   *nebula.Points
	result   *nebula.Result
	asked    bool   // waits for the person
	instead  string // the command that the person wrote in the place of the proposed one
	beside   bool   // of work in the background, which tells of its end elsewhere
	why      bool   // the five points are shown
	running  bool
	output   string // of the running command, its end
}

// A look is what rows depend on besides their block. Blocks are drawn anew when it is another.
type look struct {
	generation int // of style and language
	side       bool
	selected   bool
}

// folds reports whether the block can be opened.
func (b *block) folds() bool { return b.kind == thought || b.kind == act }

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
	if b.rows != nil && b.wide == d.width && b.drawn == d.look {
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
	b.rows, b.wide, b.drawn = rows, d.width, d.look
	return rows
}

func (d drawer) rows(b *block) []string {
	switch b.kind {
	case person:
		return d.behind(terminal.Paint(d.style.accent, glyph("▌")+" "), d.style.person, terminal.Visible(b.text))
	case say:
		return d.say(b)
	case thought:
		return d.thought(b)
	case act:
		return d.action(b)
	}
	return terminal.Wrap(terminal.Paint(d.tone(b.tone), b.text), min(d.width, proseMax))
}

func (d drawer) tone(t tone) string {
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

func (d drawer) say(b *block) []string {
	room := d.width - d.gutter()
	rows, _ := markdown(d.style, min(room, proseMax), room, b.text, b.fence)
	if lead := strings.Repeat(" ", d.gutter()); lead != "" {
		for i, r := range rows {
			if r != "" {
				rows[i] = lead + r
			}
		}
	}
	if b.tone == warning && d.gutter() > 0 { // a question
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

// marks say how an action stands, also without colour.
func (d drawer) mark(a *action) (mark, style, word string) {
	w, s := d.words, d.style
	switch {
	case a.asked:
		return "?", s.warn, ""
	case a.beside:
		return glyph("◆"), s.dim, ""
	case a.result == nil && a.running:
		return glyph("◐"), s.accent, ""
	case a.result == nil:
		return glyph("○"), s.dim, ""
	}
	switch a.result.Status {
	case nebula.Failed:
		if a.proposal.Command != "" && a.result.Summary != "" {
			return "✗", s.bad, "" // the title says how it failed
		}
		return "✗", s.bad, w.Failed
	case nebula.Denied:
		if a.verdict.Ruling == nebula.Deny && a.verdict.Why != "" {
			return "⊘", s.warn, w.Denied + ": " + terminal.OneLine(terminal.Visible(gate.Why(a.verdict, w.Lang)), 60)
		}
		return "⊘", s.warn, w.Denied
	case nebula.Skipped:
		return "–", s.dim, w.Skipped
	case nebula.Interrupted:
		return "!", s.warn, w.Interrupted
	}
	return "✓", s.good, ""
}

// title is what an action is about, in one line.
func (a *action) title() string {
	p := a.proposal
	text := p.Summary
	if a.result != nil && a.result.Status != nebula.Denied && a.result.Summary != "" {
		text = a.result.Summary
	}
	if a.result != nil && (text == "" || p.Summary == "" && a.result.Status == nebula.Failed) {
		text = a.result.Tool // what could not even be proposed: the body says why
	}
	if text == "" {
		text = p.Action.Tool
	}
	if p.Command != "" {
		cmd := "$ " + terminal.OneRow(strings.TrimSpace(a.command()))
		if a.result == nil || a.result.Summary == "" || a.result.Status == nebula.Denied {
			return cmd
		}
		return cmd + " · " + terminal.OneRow(text)
	}
	return terminal.OneRow(text)
}

// command is what would run.
func (a *action) command() string {
	if a.instead != "" {
		return a.instead
	}
	return a.proposal.Command
}

func (d drawer) action(b *block) []string {
	a := b.action
	mark, style, word := d.mark(a)
	tail := ""
	if a.asked && a.verdict.Risk != "" {
		tail += " " + terminal.Paint(d.risk(a.verdict.Risk), d.words.Risk+": "+d.words.risk(a.verdict.Risk))
	}
	if word != "" {
		tail += " " + terminal.Paint(style, word)
	}
	if a.result != nil && a.result.Took >= 1000 {
		tail += " " + terminal.Paint(d.style.dim, terminal.Seconds(a.result.Took))
	}
	if terminal.Bare(tail) > d.width/2 {
		tail = ""
	}
	room := max(d.width-2-terminal.Bare(tail), 4)
	if d.look.selected {
		style += d.style.invert
	}
	title := terminal.OneLine(a.title(), room)
	if a.result != nil {
		title = d.counted(title)
	}
	rows := []string{terminal.Paint(style, mark) + " " + title + tail}
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

func (d drawer) risk(risk string) string {
	switch risk {
	case "high":
		return d.style.bad
	case "medium":
		return d.style.warn
	}
	return d.style.dim
}

// body is what stands under an action's line: all of it when it is open or waits for the person.
func (d drawer) body(b *block) []string {
	a := b.action
	in := d
	in.width = max(d.width-2, 8)
	var rows []string
	if b.open || a.why {
		rows = append(rows, in.points(a)...)
	}
	b.decides = decides{len(rows), len(rows), len(rows)}
	if b.open || a.asked {
		if a.proposal.Command != "" {
			rows = append(rows, in.command(a.command())...)
			b.decides.firm = len(rows)
		}
		rows = append(rows, in.diff(a.proposal.Diff)...)
		if a.proposal.Diff == "" && a.proposal.Command == "" {
			for _, t := range a.proposal.Targets {
				rows = append(rows, terminal.Break(t.Kind+" "+terminal.OneRow(t.Path), in.width)...)
			}
		}
		b.decides.to = len(rows)
	}
	if !b.open && a.result != nil && a.result.Status == nebula.Done && gate.Standing(nebula.Proposed{Proposal: a.proposal, Verdict: a.verdict}) {
		rows = in.diff(a.proposal.Diff)
		if n := len(rows) - gate.ShownRows; n > 0 {
			rows = append(rows[:gate.ShownRows], terminal.Paint(d.style.dim, fmt.Sprintf("… +%d", n)))
		}
	}
	switch {
	case a.result == nil:
		return append(rows, in.output(a.output, 4)...)
	case b.open:
		return append(rows, in.output(a.result.Text, outputMax)...)
	case a.result.Status == nebula.Failed:
		return append(rows, in.output(a.result.Text, 6)...)
	}
	return rows
}

// outputMax is how many lines of an output are shown; what the model read of it has its own limit.
const outputMax = 2000

func (d drawer) command(command string) []string {
	var rows []string
	for _, r := range terminal.Lines(command, d.width, d.words.Lang) {
		style := d.style.bold
		if r.Kind == '.' {
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
func (d drawer) points(a *action) []string {
	points := nebula.Points{Rationale: a.proposal.Action.Reason}
	if a.points != nil {
		points = *a.points
	}
	var rows []string
	row := func(name, style string, texts ...string) {
		var said []string
		for _, t := range texts {
			if t != "" {
				said = append(said, terminal.OneRow(t))
			}
		}
		if len(said) > 0 {
			label := name + ": "
			for i, r := range terminal.Wrap(terminal.Paint(style, strings.Join(said, " · ")), max(d.width-terminal.Width(label), 8)) {
				if i > 0 {
					label = strings.Repeat(" ", terminal.Width(label))
				}
				rows = append(rows, terminal.Paint(d.style.dim, label)+r)
			}
		}
	}
	row(d.words.Intent, "", points.Intent)
	row(d.words.Rationale, "", points.Rationale)
	row(d.words.Impact, "", points.Impact...)
	row(d.words.Alternatives, "", points.Alternatives...)
	if a.verdict.Risk != "" {
		row(d.words.Risk, d.risk(a.verdict.Risk), append([]string{d.words.risk(a.verdict.Risk)}, gate.Risks(a.verdict, d.words.Lang)...)...)
	}
	row(d.words.Rule, d.style.dim, gate.Why(a.verdict, d.words.Lang))
	return rows
}
