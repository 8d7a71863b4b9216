package terminal

import (
	"slices"

	"nebula/internal/lists"
)

// edits are the changes to a text, so that they can be taken back and made again.
type edits struct {
	done, undone []edit
	held         int  // cells in those that are done
	typing       bool // the last one goes on with what is typed
}

// An edit put some cells in the place of others.
type edit struct {
	at       int
	was, now []cell
}

// heldMax bounds what is kept to take changes back, in cells; the last change always can be.
const heldMax = 200_000

// replaced is a text with other cells in the place of some; the text itself stays as it is.
func replaced(cells []cell, from, to int, with []cell) []cell {
	return append(append(slices.Clip(cells[:from]), with...), cells[to:]...)
}

// change puts cells in the place of those from one up to another, and the cursor behind them. It is the only way the text
// changes.
func (e *Editor) change(from, to int, with []cell) {
	if from == to && len(with) == 0 {
		e.at = from
		return
	}
	made := edit{from, slices.Clone(e.cells[from:to]), slices.Clone(with)}
	if from == len(e.cells) && e.own == e {
		e.cells = append(e.cells, with...) // what is pasted key by key is not copied with each
	} else {
		e.cells, e.own = replaced(e.cells, from, to, with), e
	}
	e.at = from + len(with)
	e.edits.note(made)
}

// note remembers a change. The letters of a word that are typed one after the other are one, and so is what is deleted one
// by one.
func (s *edits) note(made edit) {
	s.undone = nil
	s.held += len(made.was) + len(made.now)
	types := len(made.was) == 0 && len(made.now) == 1 && kind(made.now[0]) != 0
	if n := len(s.done) - 1; n >= 0 {
		last := &s.done[n]
		switch {
		case types && s.typing && last.at+len(last.now) == made.at:
			last.now = append(last.now, made.now...)
			return
		case len(made.now) == 0 && len(made.was) == 1 && len(last.now) == 0 && last.at == made.at+1:
			last.at, last.was = made.at, lists.Concat(made.was, last.was)
			return
		}
	}
	s.typing = types
	s.done = append(s.done, made)
	for s.held > heldMax && len(s.done) > 1 {
		s.held -= len(s.done[0].was) + len(s.done[0].now)
		s.done = lists.Delete(s.done, 0, 1)
	}
}

func (e *Editor) undo() {
	if n := len(e.edits.done) - 1; n >= 0 {
		last := e.edits.done[n]
		e.edits.done, e.edits.undone = e.edits.done[:n], append(e.edits.undone, last)
		e.edits.held -= len(last.was) + len(last.now)
		e.cells = replaced(e.cells, last.at, last.at+len(last.now), last.was)
		e.at, e.edits.typing = last.at+len(last.was), false
	}
}

func (e *Editor) redo() {
	if n := len(e.edits.undone) - 1; n >= 0 {
		last := e.edits.undone[n]
		e.edits.undone, e.edits.done = e.edits.undone[:n], append(e.edits.done, last)
		e.edits.held += len(last.was) + len(last.now)
		e.cells = replaced(e.cells, last.at, last.at+len(last.was), last.now)
		e.at, e.edits.typing = last.at+len(last.now), false
	}
}
