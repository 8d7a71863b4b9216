package tui

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/terminal"
)

// A list is drawn where it stands, folded too, and again in the same place when it is another.
func TestAListIsDrawnAndUpdatedInPlace(t *testing.T) {
	v := newView(wordsFor("en"))
	show := func(id string, stages ...nebula.Stage) string {
		p := nebula.Proposal{Action: nebula.Action{ID: id, Tool: "list"}, Effect: nebula.Update, Summary: "list"}
		for i, s := range stages {
			p.List = append(p.List, nebula.Item{Text: "part " + string(rune('a'+i)) + "\x1b[2J", Status: s})
		}
		v.fold(nebula.Event{At: noon, Body: nebula.Proposed{Proposal: p}})
		v.fold(nebula.Event{At: noon, Body: nebula.Finished{Result: nebula.Result{Action: id, Tool: "list", Status: nebula.Done, Summary: "so far"}}})
		d := drawer{words: wordsFor("en"), style: styleFor(TrueColor, false), width: 40}
		var rows []string
		for _, b := range v.blocks {
			rows = append(rows, d.layout(b)...)
		}
		return terminal.Unpainted(strings.Join(rows, "\n"))
	}
	v.fold(nebula.Event{At: noon, Body: nebula.Submitted{Turn: 1, Text: "go"}})
	first := show("a1", nebula.Completed, nebula.InProgress, nebula.Pending, nebula.Pending)
	second := show("a2", nebula.Completed, nebula.Completed, nebula.Completed, nebula.InProgress)
	for text, want := range map[string][]string{first: {"✓ part a", "◐ part b", "○ part c", "○ part d"}, second: {"✓ part a", "✓ part b", "✓ part c", "◐ part d"}} {
		for _, w := range want {
			if strings.Count(text, w) != 1 || strings.Contains(text, "\x1b[2J") {
				t.Errorf("%q is not once in\n%s", w, text)
			}
		}
	}
	if strings.Contains(second, "○") || strings.Count(second, "so far") != 1 {
		t.Errorf("the list as it was still stands there:\n%s", second)
	}
	if got := ticked(v.List()); got != " · 3/4" {
		t.Errorf("the line below says %q", got)
	}
}
