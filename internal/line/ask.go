package line

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// asking shows everything that a person decides on: what would happen and why, the exact command, the whole diff.
func (v *view) asking(b nebula.Asked) {
	v.flush()
	v.ask, v.asked, v.busy = &b, time.Now(), true
	if b.Question != nil {
		v.question(*b.Question)
		return
	}
	proposed := v.open[b.Action]
	p := proposed.Proposal
	v.gap()
	summary := terminal.Visible(p.Summary)
	if p.Command != "" { // it follows, to the letter
		summary = terminal.OneLine(summary, max(v.width-terminal.Width(v.words.Gate), 10))
	}
	v.print(terminal.Paint(v.palette.warn, fmt.Sprintf(v.words.Gate, summary)))
	v.points(proposed)
	if p.Command != "" {
		for l := range strings.SplitSeq(p.Command, "\n") {
			v.exact("  "+terminal.Paint(v.palette.dim, "$ "), v.palette.bold, l)
		}
	}
	for l := range strings.Lines(p.Diff) {
		l = strings.TrimSuffix(l, "\n")
		v.exact("", v.palette.diff(l), l)
	}
	if p.Diff == "" && p.Command == "" {
		for _, t := range p.Targets {
			v.print("  " + t.Kind + " " + terminal.Visible(t.Path))
		}
	}
	v.print(terminal.Paint(v.palette.dim, v.words.GateKeys))
}

// points are the five points of a decision; the fifth, the difference itself, follows them.
func (v *view) points(b nebula.Proposed) {
	points, verdict := nebula.Points{Rationale: b.Proposal.Action.Reason}, b.Verdict
	if b.Points != nil {
		points = *b.Points
	}
	row := func(name, style string, texts ...string) {
		if text := strings.Join(texts, " · "); text != "" {
			v.print("  " + terminal.Paint(v.palette.dim, name+": ") + terminal.Paint(style, terminal.Visible(text)))
		}
	}
	if points.Intent != b.Proposal.Summary {
		row(v.words.Intent, "", points.Intent)
	}
	row(v.words.Rationale, "", points.Rationale)
	row(v.words.Impact, "", slices.DeleteFunc(slices.Clone(points.Impact), func(s string) bool { // it is shown to the letter
		return b.Proposal.Command != "" && strings.HasSuffix(s, b.Proposal.Command)
	})...)
	row(v.words.Alternatives, "", points.Alternatives...)
	switch verdict.Risk {
	case "high":
		row(v.words.Risk, v.palette.bad, append([]string{verdict.Risk}, verdict.Risks...)...)
	case "medium":
		row(v.words.Risk, v.palette.warn, append([]string{verdict.Risk}, verdict.Risks...)...)
	}
}

func (v *view) question(q nebula.Question) {
	v.gap()
	lines := strings.Split(terminal.Visible(q.Text), "\n")
	v.print(terminal.Paint(v.palette.warn, v.words.Question+": ") + terminal.Paint(v.palette.bold, lines[0]))
	for _, l := range lines[1:] {
		v.print("  " + terminal.Paint(v.palette.bold, l))
	}
	for i, o := range q.Options {
		v.print(fmt.Sprintf("  %d  %s", i+1, terminal.Visible(o)))
	}
	if len(q.Options) > 0 {
		v.print(terminal.Paint(v.palette.dim, v.words.QuestionKeys))
	}
}

func (v *view) answered(b nebula.Answered) {
	word, style := v.words.Refused, v.palette.warn
	switch b.Answer {
	case nebula.Yes:
		word, style = v.words.Allowed, v.palette.good
	case nebula.Always:
		word, style = v.words.AllowedAlways, v.palette.good
	case nebula.Told:
		word, style = terminal.Visible(b.Text), v.palette.note
	}
	if b.Answer == nebula.No && b.Text != "" {
		word += ": " + terminal.Visible(b.Text)
	}
	if b.By != "" && b.By != "person" {
		word += " (" + fmt.Sprintf(v.words.By, terminal.Visible(b.By)) + ")"
	}
	v.print(terminal.Paint(style, "→ "+word))
	if v.ask != nil && v.ask.Ask == b.Ask {
		v.ask = nil
	}
}
