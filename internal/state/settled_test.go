package state

import (
	"fmt"
	"testing"
)

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
