package tui

import (
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// What no program could check looks unlike what one has.
func TestUncheckedStepLooksUnlikeACheckedOne(t *testing.T) {
	a := &app{options: Options{Now: func() time.Time { return noon }}, view: newView(wordsFor("en"))}
	steps := []nebula.PlanStep{{ID: "a", Name: "a", Status: nebula.Completed, Evidence: &nebula.Evidence{How: "command", Detail: "go vet"}},
		{ID: "b", Name: "b", Status: nebula.Completed, Evidence: &nebula.Evidence{How: nebula.Unchecked, Detail: "it looks good"}}}
	a.view.fold(nebula.Event{At: noon, Body: nebula.Planned{Plan: nebula.Plan{ID: "p", Name: "p", Status: nebula.Completed, Steps: steps}}})
	d := drawer{words: wordsFor("en"), style: styleFor(TrueColor, false), width: 80}
	text := terminal.Unpainted(strings.Join(a.planRows(d), "\n"))
	if !strings.Contains(text, "? it looks good") || strings.Contains(text, "? go vet") {
		t.Error(text)
	}
}
