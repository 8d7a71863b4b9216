package tui

import (
	"strings"
	"testing"

	"nebula"
)

// seen is a conversation's text after some events.
func seen(bodies ...nebula.Body) string {
	v := newView(english())
	for _, b := range bodies {
		v.fold(nebula.Event{At: noon, Body: b})
	}
	d := drawer{words: english(), style: styleFor(NoColor, false), width: 100}
	var rows []string
	for _, b := range v.blocks {
		b.open = true
		for _, r := range d.layout(b) {
			rows = append(rows, bare(r))
		}
	}
	return strings.Join(rows, "\n")
}

// TestNothingThatWasSaidIsLost ends replies with more, less and other text than they streamed.
func TestNothingThatWasSaidIsLost(t *testing.T) {
	text := func(s string) nebula.Body { return nebula.Streamed{Kind: "text", Text: s} }
	think := func(s string) nebula.Body { return nebula.Streamed{Kind: "thought", Text: s} }
	replied := func(say string, thoughts ...string) nebula.Body {
		return nebula.Replied{Intent: nebula.Intent{Say: say, Thoughts: thoughts}}
	}
	for name, c := range map[string]struct {
		events []nebula.Body
		once   []string // what must stand there once
	}{
		"nothing streamed":    {[]nebula.Body{replied("the answer", "a thought")}, []string{"the answer", "a thought"}},
		"all streamed":        {[]nebula.Body{text("the "), text("answer\n"), replied("the answer")}, []string{"the answer"}},
		"more at the end":     {[]nebula.Body{text("first line\n"), replied("first line\n\nsecond line")}, []string{"first line", "second line"}},
		"other white space":   {[]nebula.Body{text("a  b\nc"), replied("a b\n\nc")}, []string{"b", "c"}},
		"an unknown thought":  {[]nebula.Body{think("one"), replied("", "one", "two")}, []string{"one", "two"}},
		"a reply sent again":  {[]nebula.Body{text("half an ans"), nebula.Retried{Cause: "cut"}, text("the answer"), replied("the answer")}, []string{"the answer"}},
		"two replies alike":   {[]nebula.Body{text("yes one"), replied("yes one"), nebula.Requested{Step: 2}, replied("and two")}, []string{"yes one", "and two"}},
		"words before a call": {[]nebula.Body{nebula.Streamed{Kind: "action", Text: "{"}, replied("I look first")}, []string{"I look first"}},
	} {
		got := seen(append([]nebula.Body{nebula.Submitted{Turn: 1, Text: "go"}, nebula.Requested{Turn: 1}}, c.events...)...)
		for _, want := range c.once {
			if n := strings.Count(got, want); n != 1 {
				t.Errorf("%s: %q stands there %d times:\n%s", name, want, n, got)
			}
		}
		if strings.Contains(got, "half an") {
			t.Errorf("%s: what does not count is still shown:\n%s", name, got)
		}
	}
}
