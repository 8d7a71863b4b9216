package state

import (
	"testing"

	"nebula"
)

// What the person asks to be run again and again is no loop, as often as was said; past that, and unasked, it is one, whose cause is told.
func TestWhatIsToRunAgainIsNoLoop(t *testing.T) {
	for text, c := range map[string]struct{ runs, most int }{
		"run the tests":                          {3, 0},
		"run TestX 5 times":                      {8, 5},
		"Run it ten times; is it stable?":        {23, 20},
		"run the tests until it fails":           {23, 20},
		"TestX is flaky. Find out why":           {23, 20},
		"run `go test` 12x":                      {15, 12},
		"テストを5回実行してください":                         {8, 5},
		"何度かテストを実行して":                            {23, 20},
		"fix the 3 tests":                        {3, 0},
		"the second run fails":                   {3, 0},
		"run the tests 100000 times, repeatedly": {203, 200},
	} {
		for name, p := range map[string]played{"passes": tested(0, "ok  \tpkg\t0.1s"), "fails": tested(1, "--- FAIL: TestX (0.01s)")} {
			s, n := New(), 0
			s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 1, Text: text}})
			for ; s.Watch.Repeats < Steered && n < 300; n++ {
				s.Watch = s.Watch.Heard(1).Finished(p.action, p.result)
			}
			if n > c.runs || n < max(3, c.most) || (s.Watch.Passed == s.Watch.What) != (name == "passes") {
				t.Errorf("%s, %s: told at the %dth of %s", text, name, n, s.Watch.What)
			}
		}
	}
	s := New()
	s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 1, Text: "read it 5 times"}})
	for n := range 4 {
		p := ran("ls", 0, "a")
		if s.Watch = s.Watch.Heard(1).Finished(p.action, p.result); n == 2 && s.Watch.Repeats < Steered {
			t.Error("a look is no run")
		}
	}
}
