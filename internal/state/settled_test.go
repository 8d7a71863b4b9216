package state

import (
	"fmt"
	"slices"
	"testing"

	"nebula"
)

// Each decision of the person on a plan is kept, in their language, and none of the program's own.
func TestDecisionsOnPlansAreKept(t *testing.T) {
	for change, want := range map[nebula.Code][2]string{
		"approved": {"approved: the plan p", "承認: 計画 p"}, "paused": {"paused: the plan p", "一時停止: 計画 p"}, "resumed": {"resumed: the plan p", "再開: 計画 p"},
		"cancelled": {"cancelled: the plan p", "中止: 計画 p"}, "steered": {"steered: the plan p", "指示: 計画 p"},
		nebula.NewCode("skipped_step", "step_002"): {"skipped in the plan p: step_002", "省略: 計画 p: step_002"},
		nebula.NewCode("retried_step", "step_002"): {"retried in the plan p: step_002", "再試行: 計画 p: step_002"},
	} {
		for i, lang := range []string{"en", "ja"} {
			s := State{Lang: lang}
			s.chose(nebula.Planned{Plan: nebula.Plan{Name: "p"}, Change: change, By: "nebula"})
			s.chose(nebula.Planned{Plan: nebula.Plan{Name: "p"}, Change: change, By: nebula.Person})
			if !slices.Equal(s.Items.DecisionLog, []string{want[i]}) {
				t.Errorf("%s, %s: %q", change, lang, s.Items.DecisionLog)
			}
		}
	}
}

// What is asked for wherever it belongs bounds the work without a word that marks it; what happens everywhere, and a question, do not.
func TestWhatIsAskedForEverywhereIsAConstraint(t *testing.T) {
	for text, want := range map[string]string{
		"Write add and sub in calc.py. Every function gets a docstring.": "[Every function gets a docstring.]",
		"All public functions have to be typed.":                         "[All public functions have to be typed.]",
		"Each new endpoint is to log what it was asked.":                 "[Each new endpoint is to log what it was asked.]",
		"加算を書いて。すべての関数にドキュメント文字列を付けてください。":                               "[すべての関数にドキュメント文字列を付けてください。]",
		"Every request gets a 404.":                                      "[]",
		"Every test passes, why?":                                        "[]",
		"All functions get docstrings?":                                  "[]",
		"すべての関数を見て。":                                                     "[]",
	} {
		var s State
		if s.gather(text); fmt.Sprint(s.Items.Constraints) != want {
			t.Errorf("%s: %v, want %s", text, s.Items.Constraints, want)
		}
	}
}
