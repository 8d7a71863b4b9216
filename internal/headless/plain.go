package headless

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/transcript"
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

func (p *plain) event(e nebula.Event, rows []*transcript.Row) {
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
		p.notes(rows)
	case nebula.Replied:
		p.replied(b)
		p.notes(rows)
	case nebula.Finished:
		p.finished(b.Result)
	case nebula.Noted, nebula.Planned, nebula.Stepped, nebula.Reported:
		p.notes(rows)
	case nebula.Switched:
		if b.Why != "" || b.WhyCode != "" { // it was not the person
			p.notes(rows)
		}
	case nebula.Tasked:
		p.tasked(b)
	case nebula.Asked:
		p.newline()
		if b.Question != nil && p.request.Person == nil {
			for line := range strings.Lines(b.Question.Lines()) {
				p.line("?", line, mostNoted)
			}
		}
	}
}

// marks stand before notes that have none of their own.
var marks = map[transcript.Tone]string{transcript.Good: "✓", transcript.Bad: "✗"}

// notes are those of some rows that are nobody's speech.
func (p *plain) notes(rows []*transcript.Row) {
	for _, r := range rows {
		if r.Kind == transcript.Note {
			p.line(cmp.Or(r.Mark, marks[r.Tone], "·"), r.Text+r.Exact+r.Tail, mostNoted)
		}
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
	if o.Status != nebula.NeedsInput && p.say != "" && strings.HasPrefix(o.Text, p.say) {
		o.Text = p.say
	}
	shown := strings.TrimSpace(p.said.String()) == strings.TrimSpace(Clean(o.Text))
	answer := o.Status.Did() || o.Text == p.say || o.Status == nebula.NeedsInput
	if o.Half != "" && o.Status != nebula.Cancelled && !p.request.Live {
		p.write(strings.TrimRight(Clean(o.Half), "\n") + "\n")
	}
	switch {
	case answer && p.request.Live && shown:
		p.newline()
	case answer && strings.TrimSpace(o.Text) != "":
		p.newline()
		p.write(strings.TrimRight(Clean(o.Text), "\n") + "\n") // also into a pipe: what is kept there is shown one day
	}
	p.newline()
	if files := lists.Drop(lists.Clone(o.ChangedFiles), nebula.OfGit); len(files) > 0 {
		p.line("·", fmt.Sprintf(phrase.In(p.request.Lang, "changed: %s"), listed(files)), mostNoted)
	}
}

// listed are names in one line: as many as fit whole, and how many more there are.
func listed(names []string) string {
	room := mostNoted - 40
	for n, name := range names {
		if room -= len(name) + len(", "); room < 0 && n > 0 {
			return strings.Join(names[:n], ", ") + fmt.Sprintf(" (+%d)", len(names)-n)
		}
	}
	return strings.Join(names, ", ")
}

//go:noinline
func (p *plain) newline() {
	if p.partway {
		p.write("\n")
		p.partway = false
	}
}

//go:noinline
func (p *plain) note(sign, text string) { p.line(sign, text, mostShown) }

// How much of foreign texts is shown in a line, and of what nebula says itself, which ends with what to do.
const (
	mostShown = 160
	mostNoted = 500
)

func (p *plain) line(sign, text string, most int) {
	p.newline()
	line := sign + " " + phrase.OneLine(Clean(text), most)
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
