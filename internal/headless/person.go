package headless

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A Terminal asks the person in front of it, line by line.
type Terminal struct {
	In     *bufio.Reader
	Out    io.Writer
	Lang   string
	Colour bool

	// Flush drops what was typed before, and reports whether there was something: only what is typed at a question that
	// was drawn answers it. Nil where nobody types: a script's answers count in their order.
	Flush func() (dropped bool)
	// Size is the terminal's. Nil shows everything at once, in rows of any length.
	Size func() (width, height int)

	reading chan read // a line that is being read
}

type read struct {
	text string
	err  error
}

// Answer shows what waits and reads one line. No line, or an end of the context, is no.
func (t *Terminal) Answer(ctx context.Context, q Question) nebula.Answer {
	if q.Step != "" {
		fmt.Fprintf(t.Out, "\n[%s]\n", terminal.OneRow(q.Step))
	}
	if q.Asked.Question != nil {
		return t.question(ctx, *q.Asked.Question)
	}
	rows, firm := t.decision(q.Proposed)
	pager := gate.NewPager(firm, max(firm, len(rows)))
	pager.Lacks = gate.Lacks(q.Proposed.Proposal, q.Proposed.Verdict.Risks)
	t.page(pager, rows)
	prompt := t.say("Allow? [y]es / [n]o / or say why not: ")
	if gate.Lasts(q.Proposed.Proposal, q.Proposed.Verdict.Risks) {
		prompt = t.say("Allow? [y]es / [n]o / [a]lways this session / or say why not: ")
	}
	for {
		text, ok := t.line(ctx, prompt)
		if !ok {
			return Nobody(q)
		}
		_, _, small := t.room()
		r := pager.Take(text, small)
		switch {
		case r.Decides:
			return nebula.Answer{Answer: r.Answer, Text: r.Reason, By: nebula.Person}
		case r.Hold == gate.Skipped:
			fmt.Fprintf(t.Out, t.words().RowsUnseen+"\n", r.Missing)
			continue
		case r.Hold == gate.Number:
			fmt.Fprintln(t.Out, t.words().NoNumber)
			continue
		case r.Hold == gate.Lacking:
			fmt.Fprintln(t.Out, t.words().NotOffered)
			continue
		case r.Hold == gate.Unread:
			fmt.Fprintf(t.Out, t.words().RowsUnread+"\n", r.Missing)
		}
		t.page(pager, rows)
	}
}

// Consent asks for leave to do what a text says: once, or always. All but a clear yes is no.
func (t *Terminal) Consent(ctx context.Context, text string) nebula.Decided {
	fmt.Fprintln(t.Out, terminal.Visible(text))
	line, ok := t.line(ctx, t.say("Allow? [y]es, this time / [a]lways / [n]o: "))
	if !ok {
		return nebula.No
	}
	answer, _, _ := gate.ReadAnswer(line)
	return answer
}

func (t *Terminal) question(ctx context.Context, q nebula.Question) nebula.Answer {
	fmt.Fprintf(t.Out, "? %s\n", terminal.Visible(q.Text))
	for i, o := range q.Options {
		fmt.Fprintf(t.Out, "  %d. %s\n", i+1, terminal.OneRow(o))
	}
	text, ok := t.line(ctx, "> ")
	if !ok || strings.TrimSpace(text) == "" {
		return nebula.Answer{Answer: nebula.No, By: nebula.Nobody}
	}
	text = strings.TrimSpace(text)
	for i, o := range q.Options {
		if text == fmt.Sprint(i+1) {
			text = o
		}
	}
	return nebula.Answer{Answer: nebula.Told, Text: text, By: nebula.Person}
}

// The least terminal that can show what is decided on, and how many of its rows are for something else.
const (
	leastWidth = 20
	besides    = 5
)

// room is how many columns and rows there are for what is shown at once; 0 for any number.
func (t *Terminal) room() (width, height int, small bool) {
	if t.Size == nil {
		return 0, 0, false
	}
	w, h := t.Size()
	h -= besides + 4*(60/max(w, 1)) // in a narrow terminal the prompt takes more rows
	return w, max(h, 1), w < leastWidth || h < 2
}

// Decision is what a person decides on, as it is shown in a terminal, for those who show it elsewhere.
func Decision(q Question, lang string) string {
	t := &Terminal{Lang: lang}
	rows, _ := t.decision(q.Proposed)
	if q.Step != "" {
		rows = append([]string{"[" + terminal.OneRow(q.Step) + "]"}, rows...)
	}
	return strings.TrimSpace(strings.Join(rows, "\n"))
}

// decision lays out the five things a person decides on: what, why, on which ground, and exactly which change.
func (t *Terminal) decision(p nebula.Proposed) (rows []string, firm int) {
	width, _, _ := t.room()
	if width == 0 {
		width = 1 << 16
	}
	put := func(style, text string) {
		for _, row := range terminal.Wrap(text, max(width, leastWidth)) {
			rows = append(rows, t.paint(style, row))
		}
	}
	a := p.Proposal.Action
	put("", "")
	put("", a.Tool+"  "+terminal.OneRow(p.Proposal.Summary))
	if a.Reason != "" {
		put("", "  "+t.say("why:")+" "+terminal.OneRow(a.Reason))
	}
	if p.Verdict.Why != "" {
		put("", "  "+t.say("asks because")+" "+terminal.OneRow(gate.Why(p.Verdict, t.Lang)))
	}
	given := gate.Given(p.Proposal, p.Verdict)
	for _, risk := range p.Verdict.Risks {
		if !lists.Has(given, risk) { // that stands below the command
			put("33", "  ! "+terminal.OneRow(gate.Say(risk, t.Lang)))
		}
	}
	if p.Points != nil && len(p.Points.Impact) > 0 {
		put("", "  "+t.say("effect:")+" "+terminal.OneRow(strings.Join(gate.SayAll(p.Points.Impact, t.Lang), " · ")))
	}
	above := len(rows)
	shown, firm := terminal.Decision(p.Proposal, gate.SayAll(given, t.Lang), max(width-2, leastWidth-2), t.Lang)
	for _, r := range shown {
		rows = append(rows, t.paint(map[byte]string{'+': "32", '-': "31", '@': "36", '$': "1", '.': "33", '!': "33", '~': "33"}[r.Kind], "  "+r.Lead+r.Text))
	}
	if firm > 0 {
		firm += above
	}
	return rows, firm
}

//go:noinline
func (t *Terminal) paint(style, text string) string {
	if style == "" || !t.Colour {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// page writes the next rows, as many as fit.
func (t *Terminal) page(p *gate.Pager, rows []string) {
	_, room, small := t.room()
	if small {
		fmt.Fprintln(t.Out, t.words().SmallScreen)
		return
	}
	from, to := p.Page(room)
	for _, row := range rows[min(from, len(rows)):min(to, len(rows))] {
		fmt.Fprintln(t.Out, row)
	}
	if n := p.Left(); n > 0 {
		fmt.Fprintf(t.Out, t.words().RowsLeft+"\n", n)
	}
}

// line reads a line that was begun after the prompt was drawn; the read itself cannot be taken back, so an end of the
// context leaves it behind, for the next question.
func (t *Terminal) line(ctx context.Context, prompt string) (string, bool) {
	_, _ = io.WriteString(t.Out, prompt)
	if t.stale() {
		_, _ = io.WriteString(t.Out, "\n"+t.words().TooEarly+"\n"+prompt)
	}
	if t.reading == nil {
		got := make(chan read, 1)
		t.reading = got
		go func() {
			text, err := t.In.ReadString('\n')
			got <- read{text, err}
		}()
	}
	select {
	case r := <-t.reading:
		t.reading = nil
		return r.text, r.err == nil || r.text != ""
	case <-ctx.Done():
		return "", false
	}
}

// stale drops what was typed before now.
func (t *Terminal) stale() (dropped bool) {
	if t.Flush == nil {
		return false
	}
	dropped = t.Flush()
	if n := t.In.Buffered(); t.reading == nil && n > 0 {
		_, _ = t.In.Discard(n) // that much is there
		dropped = true
	}
	select {
	case r := <-t.reading:
		t.reading = nil
		dropped = dropped || r.text != ""
	default:
	}
	return dropped
}

//go:noinline
func (t *Terminal) words() transcript.Words { return transcript.WordsIn(t.Lang) }

//go:noinline
func (t *Terminal) say(english string) string { return phrase.In(t.Lang, english) }
