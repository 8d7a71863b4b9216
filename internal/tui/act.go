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
	if b.hidden() {
		return nil
	}
	if b.streak != nil && !b.streak.open {
		return d.looks(b)
	}
	a := b.row.Action
	mark, tone, word := a.Mark(d.words.Words)
	if b.beside && !a.Asked {
		mark, tone = "◆", transcript.Faint
	}
	style := d.tone(tone)
	var rows []string
	if a.Result != nil {
		rows = d.ended(b, terminal.Paint(style, glyph(mark)), style, word)
	} else {
		tail := ""
		if a.Asked && a.Verdict.Risk != "" {
			tail = " " + terminal.Paint(d.tone(transcript.RiskTone(a.Verdict.Risk)), d.words.Risk+": "+d.words.Weight(a.Verdict.Risk))
		}
		if terminal.Bare(tail) > d.width/2 {
			tail = ""
		}
		title := terminal.OneLine(b.head(), max(d.width-2-terminal.Bare(tail), 4))
		rows = []string{terminal.Paint(style+d.selected(), glyph(mark)) + " " + title + tail}
	}
	for _, row := range d.body(b) {
		rows = append(rows, "  "+row)
	}
	b.decides.from, b.decides.firm, b.decides.to = b.decides.from+1, b.decides.firm+1, b.decides.to+1
	return rows
}

// selected is what shows that a block is the one that keys open.
func (d drawer) selected() string {
	if d.look.selected {
		return d.style.invert
	}
	return ""
}

// ended is the line of an action that has come to its end: what it was, and at the right how it ended and how long it took.
// What went as it should steps back behind the answer.
func (d drawer) ended(b *block, mark, style, word string) []string {
	a := b.row.Action
	command, text := a.Title()
	title, right := b.title(), ""
	if command != "" && text != "" && terminal.Width(text) <= d.width/3 {
		title, right = "$ "+terminal.OneRow(command), terminal.OneRow(text)
	}
	rest := ""
	if word != "" {
		rest = " " + terminal.Paint(style, terminal.OneLine(terminal.Visible(word), min(d.width/2, 70)))
	}
	if a.Result.Took >= 1000 {
		right = strings.TrimSpace(right + "  " + phrase.Seconds(a.Result.Took))
	}
	if right != "" {
		right = "  " + right
	}
	room := max(d.width-2-terminal.Bare(rest)-terminal.Width(right), 4)
	front := d.style.dim
	if a.Result.Status == nebula.Failed {
		front = ""
	}
	row := mark + d.selected() + " " + d.counted(front, terminal.OneLine(title, room)) + rest
	if right == "" {
		return []string{row}
	}
	pad := max(min(d.width, proseMax)-terminal.Bare(row)-terminal.Width(right), 0)
	return []string{row + strings.Repeat(" ", pad) + terminal.Paint(front, right)}
}

// counted colours the lines that came and went at the end of a title.
func (d drawer) counted(style, title string) string {
	head := strings.TrimRight(title, "0123456789+- )")
	tail := title[len(head):]
	if !strings.ContainsAny(tail, "+-") {
		return terminal.Paint(style, title)
	}
	fields := strings.SplitAfter(tail, " ")
	for i, f := range fields {
		switch {
		case len(f) > 1 && f[0] == '+':
			fields[i] = terminal.Paint(d.style.good, f)
		case len(f) > 1 && f[0] == '-':
			fields[i] = terminal.Paint(d.style.bad, f)
		default:
			fields[i] = terminal.Paint(style, f)
		}
	}
	return terminal.Paint(style, head) + strings.Join(fields, "")
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
	rows = append(rows, in.list(a.Proposal.List)...)
	b.decides = decides{len(rows), len(rows), len(rows)}
	if b.open || a.Asked {
		if ran := terminal.Ran(a.Proposal, in.width, in.words.Lang); !b.open && len(ran) > 0 {
			rows = append(rows, in.exact(ran)...)
		} else if b.command() != "" && (a.Proposal.Ran == "" || b.open) {
			rows = append(rows, in.exact(terminal.Lines(b.command(), in.width, in.words.Lang))...)
		}
		rows = append(rows, in.exact(terminal.Given(gate.SayAll(gate.Given(a.Proposal, a.Verdict), in.words.Lang), in.width))...)
		rows = append(rows, in.exact(terminal.Effects(a.Proposal, in.width, in.words.Lang))...)
		b.decides.firm = len(rows)
		rows = append(rows, in.diff(cmp.Or(b.amended, a.Proposal.Diff))...)
		b.decides.to = len(rows)
	}
	if !b.open && a.Result != nil && a.Result.Status == nebula.Done && a.Proposal.Diff != "" {
		rows = in.kept(a.Proposal.Diff)
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

// list is what the model works through, as it stands.
func (d drawer) list(all []nebula.Item) (rows []string) {
	for _, i := range all {
		mark, tone := transcript.ItemMark(i)
		style := ""
		if i.Status == nebula.Completed {
			style = d.style.dim
		}
		for n, r := range terminal.Wrap(terminal.Paint(style, terminal.OneRow(i.Text)), max(d.width-2, 4)) {
			lead := "  "
			if n == 0 {
				lead = terminal.Paint(d.tone(tone), glyph(mark)) + " "
			}
			rows = append(rows, lead+r)
		}
	}
	return rows
}

// ticked says how far a list has come.
func ticked(list []nebula.Item) string {
	done, of := transcript.Ticked(list)
	if of == 0 {
		return ""
	}
	return fmt.Sprintf(" · %d/%d", done, of)
}

// kept is a change as it stays in the conversation: its first rows.
func (d drawer) kept(diff string) []string {
	rows := d.diff(diff)
	if strings.Count("\n"+diff, "\n+++ ") == 1 {
		rows = rows[1:] // the title names the file
	}
	if n := len(rows) - gate.ShownRows; n > 1 {
		rows = append(rows[:gate.ShownRows], terminal.Paint(d.style.dim, terminal.Clip(fmt.Sprintf(d.words.MoreRows, n), d.width)))
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
