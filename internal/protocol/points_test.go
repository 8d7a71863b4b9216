package protocol

import "testing"

// A doubt is heard where a reason says it, at the beginning of a line or behind a sentence; that there is none asks nothing.
func TestADoubtIsHeardWhereItStands(t *testing.T) {
	for reason, want := range map[string]int{
		"as asked. Doubt: nobody wants it":                     1,
		"as asked\nDoubt: nobody wants it":                     1,
		"頼まれたとおり。懸念：別の仕事かもしれない":                                1,
		"Intent: a page. Doubt: too long":                      1,
		"as asked. goal_consistency: no: other":                1,
		"as asked. constraint_check: yes":                      0,
		"constraint_check: No, this does not violate anything": 0,
		"constraint_check: no: no rule forbids it":             0,
		"goal_consistency: no: keep it, none are unused":       1,
		"goal_consistency: no: no one asked":                   1,
		"as asked. Doubt: none.":                               0,
		"Doubt: no":                                            0,
		"懸念：なし":                                                0,
		"the doubt: it was there before":                       0,
		"as asked; Doubt: no tests cover this":                 1,
		"write the page that explains `Doubt: `":               0,
	} {
		n := 0
		if p := PointsOf(reason); p != nil {
			n = len(p.Doubts)
		}
		if n != want {
			t.Errorf("%q: %d doubts, want %d", reason, n, want)
		}
	}
}
