package transcript_test

import (
	"fmt"
	"testing"

	"nebula"
)

// A list is one row of its turn, and stands there as it was last.
func TestAListIsOneRowOfItsTurn(t *testing.T) {
	items := func(done int) (list []nebula.Item) {
		for i := range 5 {
			s := nebula.Pending
			if i < done {
				s = nebula.Completed
			}
			list = append(list, nebula.Item{Text: fmt.Sprint("part ", i), Status: s})
		}
		return list
	}
	shown := func(id string, done int) []nebula.Body {
		p := nebula.Proposal{Action: nebula.Action{ID: id, Tool: "list"}, Effect: nebula.Update, Summary: "list", List: items(done)}
		return []nebula.Body{nebula.Proposed{Proposal: p}, nebula.Finished{Result: nebula.Result{Action: id, Tool: "list", Status: nebula.Done, Summary: fmt.Sprintf("%d of 5", done)}}}
	}
	bodies := append([]nebula.Body{nebula.Submitted{Turn: 1, Text: "go"}}, shown("a1", 0)...)
	bodies = append(bodies, nebula.Noted{Text: "between"})
	bodies = append(bodies, shown("a2", 3)...)
	tr := folded("en", bodies...)
	if got, want := rows(tr), "person: go\nact: ✓ 3 of 5\nnote: between\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if l := tr.List(); len(l) != 5 || l[2].Status != nebula.Completed || l[3].Status != nebula.Pending || tr.Rows[1].Changes < 3 {
		t.Errorf("%+v, changed %d times", l, tr.Rows[1].Changes)
	}
	tr.Apply(nebula.Event{Body: nebula.Submitted{Turn: 2, Text: "and now"}})
	if tr.List() != nil {
		t.Error("the next turn begins with the list of the one before")
	}
	for _, b := range shown("a3", 1) {
		tr.Apply(nebula.Event{Body: b})
	}
	if got, want := rows(tr), "person: go\nact: ✓ 3 of 5\nnote: between\nperson: and now\nact: ✓ 1 of 5\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
