package transport

import (
	"cmp"
	"crypto/rand"
	"strings"

	"nebula"
)

// NewID names a call whose server gave it no name of its own.
//
//go:noinline
func NewID() string { return "call_" + rand.Text()[:16] }

// twins are the calls of a reply, put together, so that it is told which of them came twice.
type twins struct {
	calls map[int]*twin
	first map[string]*twin // by the id, the call that had it first
	late  []*twin          // the others, in order
}

type twin struct {
	name  string
	args  strings.Builder
	of    *twin              // the earlier call that has its id
	waits []nebula.CallDelta // the pieces of such a one
}

// take takes a piece in; pass is false where it waits for the end of the reply.
func (t *twins) take(d *nebula.CallDelta) (pass bool) {
	if t.calls == nil {
		t.calls, t.first = map[int]*twin{}, map[string]*twin{}
	}
	c, known := t.calls[d.Index]
	if !known {
		c = &twin{}
		t.calls[d.Index] = c
	}
	if of := t.first[d.ID]; d.ID != "" && of == nil {
		t.first[d.ID] = c
	} else if d.ID != "" && of != c && c.of == nil {
		if d.ID = NewID(); !known { // else some of it is said already
			c.of, t.late = of, append(t.late, c)
		}
	}
	c.name = cmp.Or(c.name, d.Name)
	c.args.WriteString(d.Arguments)
	if c.of != nil {
		c.waits = append(c.waits, *d)
	}
	return c.of == nil
}

// others are the pieces that waited of calls that are none of the earlier ones once more.
func (t *twins) others() (pieces []nebula.CallDelta) {
	for _, c := range t.late {
		if c.name != c.of.name || c.args.Len() > 0 && c.args.String() != c.of.args.String() {
			pieces = append(pieces, c.waits...)
		}
	}
	t.late = nil
	return pieces
}
