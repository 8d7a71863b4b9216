package tui

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/terminal"
)

// What is low is what the settings say: the row at the bottom warns by their marks.
func TestVitalsWarnByTheirSettings(t *testing.T) {
	at := func(c, m, f, s float64) nebula.Vitals {
		return nebula.Vitals{Confidence: &c, Mood: &m, Focus: &f, Stamina: &s}
	}
	for _, c := range []struct {
		vitals, marks nebula.Vitals
		want          int
	}{
		{at(0.45, 1, 1, 1), nebula.Vitals{}, 0},
		{at(0.45, 1, 1, 1), at(0.4, 0.4, 0.4, 0.1), -1},
		{at(0.6, 1, 1, 1), at(0.7, 0.4, 0.4, 0.1), 0},
		{at(1, 1, 1, 0.3), nebula.Vitals{}, -1},
		{at(1, 1, 1, 0.3), at(0.5, 0.4, 0.45, 0.35), 3},
		{at(0.4, 1, 0.3, 1), nebula.Vitals{}, 2},
		{at(1, 0.1, 1, 1), nebula.Vitals{}, -1},
	} {
		if got := lowest(c.vitals, c.marks); got != c.want {
			t.Errorf("%d is low, want %d", got, c.want)
		}
	}
}

// TestALowVitalIsSaid where there is room for little: it is worth more than the way to the help.
func TestALowVitalIsSaid(t *testing.T) {
	low := 0.45
	for _, columns := range []int{100, 120, 160} {
		a := staged("en", columns)
		a.view.Vitals = nebula.Vitals{Confidence: &low}
		if got := terminal.Unpainted(a.statusLine(a.drawer())); !strings.Contains(got, a.words.Low[0]) {
			t.Errorf("at %d columns: %s", columns, got)
		}
		mark := 0.4
		a.options.Marks.Confidence = &mark
		if got := terminal.Unpainted(a.statusLine(a.drawer())); strings.Contains(got, a.words.Low[0]) {
			t.Errorf("at %d columns, over its mark: %s", columns, got)
		}
	}
}
