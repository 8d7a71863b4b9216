package protocol

import (
	"testing"

	"nebula"
)

// A reading is as sure as its worst row, whichever else it needed and however many.
func TestAReadingIsAsSureAsItsWorstRow(t *testing.T) {
	for _, c := range []struct {
		rows []string
		want nebula.Strategy
		sure float64
	}{
		{nil, nebula.Strict, 1},
		{[]string{"json_comment"}, nebula.Repaired, 0.9},
		{[]string{"json_comment", "missing_open", "json_wide"}, nebula.Repaired, 0.9},
		{[]string{"missing_dollar", "json_comment"}, nebula.Inferred, 0.7},
		{[]string{"missing_dollar", "extracted_label"}, nebula.Extracted, 0.5},
	} {
		in := nebula.Intent{Say: "x", Actions: []nebula.Action{{Tool: "readFile", Repairs: c.rows}}}
		for _, name := range c.rows {
			in.Repairs = append(in.Repairs, nebula.Repair{Name: name})
		}
		Settle(nebula.Reply{}, &in)
		if in.Strategy != c.want || in.Confidence != c.sure || in.Actions[0].Confidence != c.sure || in.Actions[0].Inferred != (c.sure < 0.9) {
			t.Errorf("%v: %s %v, action %v inferred %v", c.rows, in.Strategy, in.Confidence, in.Actions[0].Confidence, in.Actions[0].Inferred)
		}
	}
}
