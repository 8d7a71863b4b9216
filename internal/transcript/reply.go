package transcript

import (
	"fmt"
	"strings"
	"time"

	"nebula"
	"nebula/internal/phrase"
)

func (t *Transcript) streamed(b nebula.Streamed) {
	t.Busy, t.Retry = true, Retry{}
	switch b.Kind {
	case "output":
		if r := t.open[b.Action]; r != nil {
			r.Action.Output = end(r.Action.Output+b.Text, outputMax)
			r.Changes++
		}
	case "text":
		t.speak(Say, b.Text)
	case "thought":
		t.speak(Thought, b.Text)
	default:
		t.Written += len(b.Text)
	}
}

// outputMax bounds what is kept of a running command's output, in bytes.
const outputMax = 4000

// end is the end of a text, from the beginning of a line.
func end(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		return rest
	}
	return text
}

// speak adds to what is being streamed.
func (t *Transcript) speak(k Kind, text string) {
	if t.heard[k] == nil {
		t.heard[k] = &strings.Builder{}
	}
	t.heard[k].WriteString(text)
	if t.Live == nil || t.Live.Kind != k {
		t.flush()
		if strings.TrimSpace(text) == "" {
			return
		}
		t.Live, t.stream = &Row{Kind: k, Began: t.now}, &strings.Builder{}
		text = strings.TrimLeft(text, "\n")
	}
	t.stream.WriteString(text)
	t.Live.Text, t.Live.Took = t.stream.String(), t.now.Sub(t.Live.Began)
}

// flush ends what is being streamed.
func (t *Transcript) flush() {
	if r := t.Live; r != nil {
		r.Text = strings.TrimRight(r.Text, "\n ")
		t.Live, t.stream = nil, nil
		t.add(r)
	}
}

// retried takes back what was streamed of a reply that does not count.
func (t *Transcript) retried(b nebula.Retried) {
	t.flush()
	for _, r := range t.Rows[t.reply:] {
		r.Void = r.Void || r.Kind == Say || r.Kind == Thought
	}
	clear(t.heard)
	t.Written = 0
	if r := t.Retry.row; r != nil {
		r.Void = true
	}
	cause := phrase.Told(t.words.Lang, b.Cause)
	t.Retry = Retry{At: t.now.Add(time.Duration(b.After) * time.Millisecond), Cause: cause, count: t.Retry.count + 1}
	text := fmt.Sprintf(t.words.Retry, phrase.Seconds(b.After), cause)
	if t.Retry.count > 1 {
		text = fmt.Sprintf(t.words.RetryAgain, t.Retry.count, cause)
	}
	t.Retry.row = t.note(Warning, text)
}

func (t *Transcript) replied(b nebula.Replied) {
	t.answer, t.meant, t.Retry = b.Intent.Say, b.Intent.Actions, Retry{}
	t.flush()
	for _, text := range b.Intent.Thoughts {
		t.speak(Thought, t.missing(Thought, text))
		t.flush()
	}
	t.speak(Say, t.missing(Say, b.Intent.Say))
	t.flush()
	clear(t.heard)
	t.Vitals, t.Written = b.Vitals, 0
	if n := b.Reply.Usage.Input + b.Reply.Usage.Output; n > 0 {
		t.Context = n
	}
	for _, e := range b.Intent.Errors {
		t.note(Warning, e)
	}
	if n := len(b.Intent.Problems); n > 0 && b.Reply.Finish != "content_filter" { // of what was withheld nobody is told
		t.note(Faint, fmt.Sprintf(phrase.Many(t.words.Problems, n), n))
	}
	t.reply = len(t.Rows)
}

// missing is what of a text was not streamed before: some replies are understood at their end only, or differently.
func (t *Transcript) missing(k Kind, text string) string {
	heard := t.heard[k]
	if heard == nil || heard.Len() == 0 {
		return text
	}
	before := strings.Join(strings.Fields(heard.String()), " ")
	var rest strings.Builder
	for line := range strings.Lines(text) {
		if words := strings.Join(strings.Fields(line), " "); words != "" && !strings.Contains(before, words) {
			rest.WriteString(line)
		}
	}
	return rest.String()
}
