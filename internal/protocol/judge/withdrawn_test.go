package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// TestWhatIsTakenBackInAnyLanguageIsHeld reads sentences that take an action back, show it as an example or leave it to the reader (-), as
// an action's own reason and beside it, in the languages that small models fall into, and what they say in these as they work (+).
func TestWhatIsTakenBackInAnyLanguageIsHeld(t *testing.T) {
	tools := nebulatest.Specs()
	var wrong, all [2]byLanguage
	for i := range wrong {
		wrong[i], all[i] = byLanguage{}, byLanguage{}
	}
	for i, line := range rows(t, "withdrawn") {
		head, text, _ := strings.Cut(line, "|")
		f := strings.Fields(head)
		kind := strings.Index("-+", f[0])
		for _, where := range strings.Split(f[1], "") {
			for _, deed := range strings.Split(f[2], "") {
				for _, l := range languages() {
					all[kind][l.Name()]++
					if runs(l.decode(beside(l.Name(), where, deed, text, i%2 == 1), tools), tools) != (kind == 1) {
						wrong[kind][l.Name()]++
						t.Logf("%s %s %s %s: %s", f[0], where, deed, l.Name(), text)
					}
				}
			}
		}
	}
	t.Logf("of%s that hold it run%s; of%s that do not are asked about%s", all[0], wrong[0], all[1], wrong[1])
	for _, l := range languages() {
		if wrong[0][l.Name()] > 0 || 50*wrong[1][l.Name()] > all[1][l.Name()] {
			t.Errorf("%s: %d that hold it run, %d that do not are asked about", l.Name(), wrong[0][l.Name()], wrong[1][l.Name()])
		}
	}
}
