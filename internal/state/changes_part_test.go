package state

import (
	"testing"

	"nebula"
)

// What an undo could do only in part is gone on with from what stands there; it is nothing that a redo brings back.
func TestWhatWasTakenBackInPartIsGoneOnWith(t *testing.T) {
	a, b := nebula.Change{Path: "a", Kind: "edit", Before: "1", After: "2"}, nebula.Change{Path: "b", Kind: "edit", Before: "1", After: "2"}
	backA, partB := nebula.Change{Path: "a", Kind: "edit", Before: "2", After: "1"}, nebula.Change{Path: "b", Kind: "delete", Before: "2"}
	turn := TurnChanges{Turn: 1, Changes: []nebula.Change{a, b}}
	turn.undone(nebula.Undone{Turn: 1, Changes: []nebula.Change{backA, partB}, Left: []nebula.Left{{Path: "b", Why: nebula.InPart}}})
	if len(turn.Changes) != 2 || turn.Changes[0].After != "2" || turn.Changes[1].Kind != "delete" || len(turn.Taken) != 1 || turn.Taken[0].Path != "a" || !turn.Held {
		t.Errorf("%+v", turn)
	}
	turn.undone(nebula.Undone{Turn: 1, Changes: []nebula.Change{{Path: "b", Kind: "create", After: "1"}}})
	if len(turn.Changes) != 0 || len(turn.Taken) != 2 || turn.Held {
		t.Errorf("%+v", turn)
	}
}
