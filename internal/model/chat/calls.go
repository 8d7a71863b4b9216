package chat

import (
	"bytes"
	"crypto/rand"
	"encoding/json"

	"nebula"
)

// callList tells which pieces make up which call. Servers number calls, or name them by id, or do neither, or repeat
// the id and name with every piece, or give two calls one id or one index.
type callList struct {
	slots []callSlot
	last  int               // the slot of the last piece
	of    string            // the provider whose extras are
	taken func(string) bool // whether an id belongs to an earlier call of the conversation
}

type callSlot struct {
	index int // as the server numbers it, -1 when it does not
	id    string
	name  string
	args  []byte
	made  bool // the server's id could not be used
	step  int  // the chunk that last added to it
}

// add puts the pieces of one chunk in their places and returns what is new in them.
func (l *callList) add(pieces []piece, step int, emit func(nebula.CallDelta) error) error {
	for _, p := range pieces {
		if l.repeated(p) {
			continue
		}
		i := l.place(p, step)
		slot := &l.slots[i]
		d := nebula.CallDelta{Index: i, Arguments: string(p.args)}
		if slot.id == "" && !slot.made && len(p.id) > 0 {
			if l.usable(string(p.id)) {
				d.ID = string(p.id)
				slot.id = d.ID
			} else {
				slot.made = true
			}
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
			if err := emit(nebula.CallDelta{Index: i, ID: "call_" + rand.Text()[:16]}); err != nil {
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

func (l *callList) usable(id string) bool {
	for _, slot := range l.slots {
		if slot.id == id {
			return false
		}
	}
	return l.taken == nil || !l.taken(id)
}

// repeated reports whether a piece is a whole call that was sent already, under its own id and with the same arguments: a
// proxy that sends a chunk twice does not mean it twice.
func (l *callList) repeated(p piece) bool {
	if len(p.id) == 0 || len(p.name) == 0 || !json.Valid(p.args) {
		return false
	}
	for _, slot := range l.slots {
		if slot.id == string(p.id) && slot.name == string(p.name) && bytes.Equal(slot.args, p.args) {
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
	return bytes.HasPrefix(bytes.TrimLeft(p.args, " \n\t"), []byte("{")) && json.Valid(slot.args)
}
