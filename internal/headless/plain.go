package headless

import (
	"fmt"
	"io"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

// Plain is the text output: the answer alone on standard output, and on standard error one calm line for each thing
// that was done. Where a terminal shows both, the answer comes as it is written, and the lines stand between.
type plain struct {
	*sink
	request Request
	said    strings.Builder // of the reply under way, when live
	say     string          // the last whole reply's text
	partway bool            // the terminal's cursor stands behind text
}

func (p *plain) event(e nebula.Event) {
	switch b := e.Body.(type) {
	case nebula.Submitted:
		if p.request.Person != nil && !b.Steer {
			p.note("·", phrase.In(p.request.Lang, "approval: ")+gate.Says(p.request.Approve, p.request.Lang))
		}
	case nebula.Streamed:
		if b.Kind == "text" {
			p.live(b.Text)
		}
	case nebula.Retried:
		p.said.Reset()
		p.note("·", fmt.Sprintf(phrase.In(p.request.Lang, "sending again in %.1f s: %s"), float64(b.After)/1000, b.Cause))
	case nebula.Replied:
		p.replied(b)
	case nebula.Finished:
		p.finished(b.Result)
	case nebula.Noted:
		p.note("·", b.Text)
	case nebula.Planned:
		p.note("·", fmt.Sprintf("%s  %s: %s", b.Plan.ID, plan.Say(b.Change, p.request.Lang), b.Plan.Name))
	case nebula.Stepped:
		p.stepped(b)
	case nebula.Tasked:
		p.tasked(b)
	case nebula.Reported:
		p.note("·", b.Step+"  "+b.Report.Summary)
	case nebula.Asked:
		p.newline()
	}
}

func (p *plain) live(text string) {
	if !p.request.Live {
		return
	}
	if p.said.Len() == 0 {
		text = strings.TrimLeft(text, "\n")
	}
	text = Clean(text)
	p.said.WriteString(text)
	p.write(text)
	if text != "" {
		p.partway = !strings.HasSuffix(text, "\n")
	}
}

func (p *plain) replied(b nebula.Replied) {
	p.say = b.Intent.Say
	if p.request.Live && len(b.Intent.Actions) > 0 {
		p.newline()
		p.said.Reset()
	}
	if n := len(b.Intent.Repairs); n > 0 {
		p.note("·", fmt.Sprintf(phrase.In(p.request.Lang, "read the reply after %d repairs of its form"), n))
	}
}

func (p *plain) finished(r nebula.Result) {
	sign, summary := "✓", r.Summary
	if summary == "" {
		summary, _, _ = strings.Cut(r.Text, "\n")
	}
	switch r.Status {
	case nebula.Failed, nebula.Interrupted:
		sign = "✗"
	case nebula.Denied, nebula.Skipped:
		sign = "–"
	}
	p.note(sign, r.Tool+"  "+summary)
}

// stepped says how a step of a plan stands.
func (p *plain) stepped(b nebula.Stepped) {
	sign := "·"
	switch b.Step.Status {
	case nebula.InProgress:
		sign = "▸"
	case nebula.Completed:
		sign = "✓"
	case nebula.StageFailed:
		sign = "✗"
	}
	if e := b.Step.Evidence; e != nil && e.How == nebula.Unchecked {
		sign = "?"
	}
	took := ""
	if t := b.Step.Ended.Sub(b.Step.Began); t > 0 {
		took = fmt.Sprintf(" %.1f s", t.Seconds())
	}
	p.note(sign, fmt.Sprintf("%s  %s: %s (%d/%d)%s", b.Step.ID, b.Step.Name, plan.Say(b.Cause, p.request.Lang), b.Done, b.Of, took))
}

// tasked says how a task of a step ended.
func (p *plain) tasked(b nebula.Tasked) {
	r := b.Task.Result
	if r == nil || b.Task.Status == nebula.InProgress {
		return
	}
	sign, summary := "✓", r.Summary
	if b.Task.Status == nebula.StageFailed {
		sign = "✗"
		if summary == "" {
			summary = r.Error
		}
	}
	p.note(sign, fmt.Sprintf("%s  %d/%d %s  %s", b.Step, b.Number, b.Of, b.Task.Operation, summary))
}

// outcome writes the answer, unless a terminal has it already. What went wrong is not part of the answer, and does not
// keep it back.
func (p *plain) outcome(o nebula.Outcome) {
	if p.say != "" && strings.HasPrefix(o.Text, p.say) {
		o.Text = p.say
	}
	shown := strings.TrimSpace(p.said.String()) == strings.TrimSpace(Clean(o.Text))
	answer := o.Status == nebula.TurnDone || o.Text == p.say
	switch {
	case answer && p.request.Live && shown:
		p.newline()
	case answer && strings.TrimSpace(o.Text) != "":
		p.newline()
		p.write(strings.TrimRight(Clean(o.Text), "\n") + "\n") // also into a pipe: what is kept there is shown one day
	}
	p.newline()
	if n := len(o.ChangedFiles); n > 0 {
		p.note("·", fmt.Sprintf(phrase.In(p.request.Lang, "changed: %s"), strings.Join(o.ChangedFiles, ", ")))
	}
}

func (p *plain) newline() {
	if p.partway {
		p.write("\n")
		p.partway = false
	}
}

func (p *plain) note(sign, text string) {
	p.newline()
	line := sign + " " + phrase.OneLine(Clean(text), 160)
	if p.request.Colour {
		line = "\x1b[2m" + line + "\x1b[0m"
	}
	_, _ = io.WriteString(p.request.Stderr, line+"\n") // progress is not worth failing for
}

// Clean takes out of foreign text what would steer a terminal: control characters other than tab and line break, and
// characters that turn the direction of writing.
func Clean(text string) string {
	steers := func(r rune) bool {
		return r != '\n' && r != '\t' && phrase.Is(r, phrase.Control|phrase.Turning)
	}
	if strings.IndexFunc(text, steers) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if steers(r) {
			return -1
		}
		return r
	}, text)
}
