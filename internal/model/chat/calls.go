package chat

import (
	"bytes"
	"encoding/json"

	"nebula"
	"nebula/internal/model/transport"
)

// callList tells which pieces make up which call. Servers number calls, or name them by id, or do neither, or repeat
// the id and name with every piece, or give two calls one id or one index.
type callList struct {
	slots []callSlot
	last  int    // the slot of the last piece
	of    string // the provider whose extras are
}

type callSlot struct {
	index int // as the server numbers it, -1 when it does not
	id    string
	name  string
	args  []byte
	step  int // the chunk that last added to it
}

// add puts the pieces of one chunk in their places and returns what is new in them.
func (l *callList) add(pieces []piece, step int, emit func(nebula.CallDelta) error) error {
	for _, p := range pieces {
		i := l.place(p, step)
		slot := &l.slots[i]
		d := nebula.CallDelta{Index: i, Arguments: string(p.args)}
		if slot.id == "" && len(p.id) > 0 {
			slot.id = string(p.id)
			d.ID = slot.id
		}
		if slot.name == "" && len(p.name) > 0 {
			d.Name = string(p.name)
			slot.name = d.Name
		}
		slot.args = append(slot.args, p.args...)
		slot.step, l.last = step, i
		if p.extra != nil {
			d.Opaque = &nebula.Opaque{Of: l.of, Value: p.extra}
		}
		if d == (nebula.CallDelta{Index: i}) {
			continue
		}
		if err := emit(d); err != nil {
			return err
		}
	}
	return nil
}

// finish gives an id to every call that has none.
func (l *callList) finish(emit func(nebula.CallDelta) error) error {
	for i, slot := range l.slots {
		if slot.id == "" && (slot.name != "" || len(slot.args) > 0) {
			if err := emit(nebula.CallDelta{Index: i, ID: transport.NewID()}); err != nil {
				return err
			}
		}
	}
	return nil
}

// calls reports whether there is any call.
func (l *callList) any() bool {
	for _, slot := range l.slots {
		if slot.name != "" || len(slot.args) > 0 {
			return true
		}
	}
	return false
}

// place finds the slot of a piece, or makes one.
func (l *callList) place(p piece, step int) int {
	i := l.candidate(p)
	if i < 0 || l.begins(p, &l.slots[i], step) {
		l.slots = append(l.slots, callSlot{index: p.index})
		return len(l.slots) - 1
	}
	return i
}

// candidate is the slot that a piece would continue: the latest with its index, or without one the latest with its
// id, or the last one.
func (l *callList) candidate(p piece) int {
	for i := len(l.slots) - 1; i >= 0; i-- {
		if p.index >= 0 && l.slots[i].index == p.index {
			return i
		}
		if p.index < 0 && len(p.id) > 0 && l.slots[i].id == string(p.id) {
			return i
		}
	}
	switch {
	case len(l.slots) == 0:
		return -1
	case len(p.id) > 0 && len(p.name) > 0: // a call of its own
		return -1
	case p.index >= 0 && (len(p.name) > 0 || l.slots[l.last].index >= 0):
		return -1
	}
	return l.last
}

// begins reports whether a piece is the start of another call though its slot is in use.
func (l *callList) begins(p piece, slot *callSlot, step int) bool {
	if len(p.name) == 0 || slot.name == "" {
		return false
	}
	if slot.name != string(p.name) || slot.step == step {
		return true
	}
	if len(p.id) > 0 && slot.id != "" && slot.id != string(p.id) {
		return true
	}
	again := len(p.args) == 0 && len(p.id) > 0 // it is sent once more, in pieces
	return (again || bytes.HasPrefix(bytes.TrimLeft(p.args, " \n\t"), []byte("{"))) && json.Valid(slot.args)
}
