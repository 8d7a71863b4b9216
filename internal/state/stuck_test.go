package state

import (
	"testing"

	"nebula"
)

// A turn of which something cannot be taken back, however often it is tried, does not keep the turns before it from being
// taken back; afterwards it is tried again.
func TestWhatIsStuckDoesNotHoldOtherTurnsUp(t *testing.T) {
	s := New()
	for turn, path := range []string{"a", "b"} {
		s.Apply(nebula.Event{Body: nebula.Submitted{Turn: turn + 1}})
		s.Apply(nebula.Event{Body: nebula.Finished{Result: nebula.Result{Changes: []nebula.Change{{Path: path, Kind: "edit", Before: "1", After: "2"}}}}})
	}
	ready := func([]nebula.Change) bool { return true } // as far as can be told by looking
	left := []nebula.Left{{Path: "b", Why: nebula.InTheWay, Text: "a fault"}}
	var tried []int
	for range 4 {
		turn, ok := s.LastChanges(false, ready)
		if !ok {
			t.Fatal("nothing is left")
		}
		tried = append(tried, turn.Turn)
		b := nebula.Undone{Turn: turn.Turn}
		if turn.Turn == 2 {
			b.Left = left
		} else {
			b.Changes = []nebula.Change{{Path: "a", Kind: "edit", Before: "2", After: "1"}}
		}
		s.Apply(nebula.Event{Body: b})
	}
	if tried[0] != 2 || tried[1] != 2 || tried[2] != 1 || tried[3] != 2 {
		t.Errorf("tried in the order %v", tried)
	}
}
