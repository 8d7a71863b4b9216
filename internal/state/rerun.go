package state

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A Failing is the output of a test run that failed, as it stands in the conversation.
type Failing struct {
	Message int // counted from 0
	Text    string
}

// From how many bytes on a failing run is told as what is new of it, and how many lines in a row have to be as before to be left out.
const (
	rerunWorth = 4 << 10
	rerunLines = 3
)

// reran remembers where messages that join the conversation show the whole of a failing run. One that passes ends that.
func (s *State) reran(messages []nebula.Message) {
	for _, r := range s.Turn.Results {
		switch {
		case r.Tests == nil:
			continue
		case r.Tests.OK:
			s.Failing = Failing{}
			continue
		}
		text := strings.TrimSuffix(r.Text, "\n")
		for m, message := range messages {
			if len(text) >= rerunWorth && message.Role != nebula.Assistant && strings.Contains(message.Text(), text) {
				s.Failing = Failing{len(s.Messages) + m, text}
			}
		}
	}
}

// Rerun is what the model is told of a failing run: of a long one, whose like it can read above, what is new, and the names of what fails
// still. What the one above says is in no place where it was taken out since.
func (s *State) Rerun(r nebula.Result) nebula.Result {
	f := s.Failing
	shown := f.Message >= max(s.Compact.Dropped, s.Compact.Elided) || lists.Has(s.Compact.Whole, f.Message)
	if r.Tests == nil || r.Tests.OK || len(r.Text) < rerunWorth || f.Text == "" || !shown || len(s.Replaced[f.Message]) > 0 {
		return r
	}
	if text := differing(f.Text, r.Text, s.Lang); len(text) < len(r.Text)*3/4 {
		r.Text = text
	}
	return r
}

// naming is a line that names a test, or what failed in all.
var naming = &lazy.Pattern{X: `^\s*(?:--- FAIL|=== |FAIL|ERROR|✗|✕|×|●|not ok|\d+\) |_{3,} |={3,} |error(?:\[|:)|test .* FAILED|\S+::\S+)|\b(?:FAILED|failed)\b`}

// differing is a text with a line in the place of those that stand in an older one in the same order, apart from times; names stay.
func differing(old, text, lang string) string {
	was, now := strings.Split(old, "\n"), strings.Split(text, "\n")
	at := map[string][]int{}
	for i := range was {
		was[i] = timeless(was[i])
		at[was[i]] = append(at[was[i]], i)
	}
	var b, left strings.Builder
	count := 0
	flush := func() {
		if count >= rerunLines {
			fmt.Fprintf(&b, phrase.In(lang, "[%d lines as in the failing run above]")+"\n", count)
		} else {
			b.WriteString(left.String())
		}
		left.Reset()
		count = 0
	}
	for i := 0; i < len(now); {
		run := 0
		for _, from := range at[timeless(now[i])] {
			n := 0
			for i+n < len(now) && from+n < len(was) && was[from+n] == timeless(now[i+n]) {
				n++
			}
			run = max(run, n)
		}
		if run < rerunLines {
			flush()
			b.WriteString(now[i] + "\n")
			i++
			continue
		}
		for _, line := range now[i : i+run] {
			if naming.In(line) {
				flush()
				b.WriteString(line + "\n")
			} else {
				left.WriteString(line + "\n")
				count++
			}
		}
		i += run
	}
	flush()
	return strings.TrimSuffix(b.String(), "\n")
}
