package line

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A showing is what a person decides on, row by row.
type showing struct {
	*gate.Pager
	rows []string
	keys string // how it is answered
}

// asking shows what a person decides on: what would happen and why, the exact command, the whole diff. What does not fit
// the screen comes page by page.
func (v *view) asking(r *transcript.Row) {
	var a transcript.Action
	if r != nil {
		a = *r.Action
	}
	v.gap()
	v.show = v.decision(a, v.words.Gate)
	v.show.keys = v.answerable(a)
	v.page(v.show)
}

// answerable says how an action can be answered: "always" only where that would hold.
func (v *view) answerable(a transcript.Action) string {
	keys := v.words.GateOnce
	if gate.Lasts(a.Proposal, a.Verdict.Risks) {
		keys = v.words.GateKeys
	}
	if yes, rest, _ := strings.Cut(keys, " · "); a.Proposal.Tries {
		keys = yes + " · " + v.words.GateTry + " · " + rest
	}
	return keys
}

// decision lays out what a person decides on, below a title that names it.
func (v *view) decision(a transcript.Action, title string) *showing {
	p, s := a.Proposal, &showing{}
	put := func(line string) { s.rows = append(s.rows, terminal.Wrap(line, v.width)...) }
	summary := terminal.OneRow(p.Summary)
	if p.Command != "" { // it follows, to the letter
		summary = terminal.OneLine(summary, max(v.width-terminal.Width(title), 10))
	}
	put(terminal.Paint(v.palette.warn, fmt.Sprintf(title, summary)))
	for _, point := range a.Explained(v.words.Words) {
		if point.Tone == transcript.Faint { // it asks, or hardly weighs
			continue
		}
		put("  " + terminal.Paint(v.palette.dim, point.Name+": ") + terminal.Paint(v.palette.tone(point.Tone), terminal.OneRow(strings.Join(point.Texts, " · "))))
	}
	above, width := len(s.rows), v.width-2
	if v.aloud {
		width -= leadsWidth
	}
	rows, firm := terminal.Decision(p, gate.SayAll(gate.Given(p, a.Verdict), v.words.Lang), width, v.words.Lang)
	for i, r := range rows {
		indent := "  "
		if i >= firm && p.Diff != "" {
			indent = ""
		}
		s.rows = append(s.rows, indent+terminal.Paint(v.palette.dim, v.lead(r))+terminal.Paint(v.palette.row(r.Kind), r.Text))
	}
	if firm > 0 {
		firm += above
	}
	s.Pager = gate.NewPager(firm, max(firm, len(s.rows)))
	s.Lacks = gate.Lacks(p, a.Verdict.Risks)
	return s
}

// page prints the next rows of what is asked, as many as the screen has room for.
func (v *view) page(s *showing) {
	if v.small {
		v.note(v.palette.warn, v.words.SmallScreen)
		return
	}
	from, to := s.Page(v.room)
	for _, row := range s.rows[min(from, len(s.rows)):min(to, len(s.rows))] {
		v.print(row)
	}
	if n := s.Left(); n > 0 {
		v.print(terminal.Paint(v.palette.warn, fmt.Sprintf(v.words.RowsLeft, n)))
	}
	v.print(terminal.Paint(v.palette.dim, s.keys))
}

// answers reads what was typed at what is asked, and reports whether that was an answer. What is missing for one is said.
func (v *view) answers(s *showing, text string) (decided nebula.Decided, reason string, ok bool) {
	r := s.Take(text, v.small)
	switch {
	case r.Hold == gate.Unread:
		v.note(v.palette.warn, fmt.Sprintf(v.words.RowsUnread, r.Missing))
		v.page(s)
	case r.Hold == gate.Skipped:
		v.note(v.palette.warn, fmt.Sprintf(v.words.RowsUnseen, r.Missing))
	case r.Hold == gate.Number:
		v.note(v.palette.warn, v.words.NoNumber)
	case r.Hold == gate.Lacking:
		v.note(v.palette.warn, v.words.NotOffered)
	case !r.Decides:
		v.page(s)
	case !r.Clear:
		v.note(v.palette.warn, v.words.Unclear)
	}
	return r.Answer, r.Reason, r.Decides
}

func (v *view) question(q nebula.Question) {
	v.gap()
	lines := strings.Split(terminal.Visible(q.Text), "\n")
	v.print(terminal.Paint(v.palette.warn, v.words.Question+": ") + terminal.Paint(v.palette.bold, lines[0]))
	for _, l := range lines[1:] {
		v.print("  " + terminal.Paint(v.palette.bold, l))
	}
	for i, o := range q.Options {
		v.print(fmt.Sprintf("  %d  %s", i+1, terminal.OneRow(o)))
	}
	if len(q.Options) > 0 {
		v.print(terminal.Paint(v.palette.dim, v.words.QuestionKeys))
	}
}
