package plan_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/plan"
)

// What was said before is the conversation so far; only what the person said since stands as that.
func TestFurtherPutsNoWordsIntoThePersonsMouth(t *testing.T) {
	s := nebula.PlanStep{ID: "step_001", Name: "Clone"}
	text := plan.Further(s, "goal: three methods", "", "the tests fail", "en")
	if strings.Contains(text, "meanwhile") || !strings.Contains(text, "### The conversation so far\ngoal: three methods") {
		t.Errorf("nobody said anything:\n%s", text)
	}
	if text := plan.Further(s, "", "short names, please", "", "en"); !strings.Contains(text, "### What the person said meanwhile\nshort names, please") || strings.Contains(text, "so far") {
		t.Errorf("somebody did:\n%s", text)
	}
}

// A step that came to its end though nobody has looked is not counted as done.
func TestWhatNobodyLookedAtIsNotDone(t *testing.T) {
	checked, unchecked := &nebula.Evidence{How: "tests"}, &nebula.Evidence{How: nebula.Unchecked}
	p := nebula.Plan{ID: "plan_1", Name: "two", Status: nebula.Completed, Steps: []nebula.PlanStep{
		{ID: "a", Status: nebula.Completed, Evidence: checked}, {ID: "b", Status: nebula.Completed, Evidence: unchecked}}}
	if text := plan.Summary(p, "en"); !strings.Contains(text, "1 of 2 steps done") || !strings.Contains(text, "not checked: b") {
		t.Error(text)
	}
}
