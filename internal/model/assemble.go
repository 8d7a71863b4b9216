package model

import (
	"errors"
	"iter"
	"strings"

	"nebula"
)

// An Assembler builds a reply from its pieces. The zero value is ready.
type Assembler struct {
	text, reasoning strings.Builder
	calls           []*callParts
	reply           nebula.Reply
}

type callParts struct {
	index    int
	id, name string
	args     strings.Builder
}

// Add takes the next piece. A Retry piece makes everything before it void.
func (a *Assembler) Add(c nebula.Chunk) {
	if c.Retry != nil {
		*a = Assembler{}
		return
	}
	a.text.WriteString(c.Text)
	a.reasoning.WriteString(c.Reasoning)
	if c.Call != nil {
		a.addCall(*c.Call)
	}
	if c.Usage != nil {
		a.reply.Usage = *c.Usage
	}
	if c.Model != "" {
		a.reply.Model = c.Model
	}
	if c.Finish != "" {
		a.reply.Finish = c.Finish
	}
}

func (a *Assembler) addCall(d nebula.CallDelta) {
	var p *callParts
	for i := len(a.calls) - 1; i >= 0 && p == nil; i-- {
		if a.calls[i].index == d.Index {
			p = a.calls[i]
		}
	}
	if p == nil {
		p = &callParts{index: d.Index}
		a.calls = append(a.calls, p)
	}
	if d.ID != "" {
		p.id = d.ID
	}
	if d.Name != "" {
		p.name = d.Name
	}
	p.args.WriteString(d.Arguments)
}

// Reply returns the reply, and whether it is whole: only a whole reply may be acted on.
func (a *Assembler) Reply() (nebula.Reply, bool) {
	r := a.reply
	r.Text, r.Reasoning = a.text.String(), a.reasoning.String()
	for _, p := range a.calls {
		if p.name != "" || p.args.Len() > 0 {
			r.Calls = append(r.Calls, nebula.Call{ID: p.id, Name: p.name, Arguments: p.args.String()})
		}
	}
	return r, r.Finish != ""
}

// ErrUnfinished is what [Collect] returns for a stream that ended without its finish reason and without an error.
var ErrUnfinished = errors.New("the reply has no end")

// Collect reads a stream to its end and returns the reply. Every piece is handed to each, which may be nil. With an
// error the reply is empty: nothing of a broken stream can be acted on.
func Collect(seq iter.Seq2[nebula.Chunk, error], each func(nebula.Chunk)) (nebula.Reply, error) {
	var a Assembler
	for c, err := range seq {
		if err != nil {
			return nebula.Reply{}, err
		}
		a.Add(c)
		if each != nil {
			each(c)
		}
	}
	r, whole := a.Reply()
	if !whole {
		return nebula.Reply{}, ErrUnfinished
	}
	return r, nil
}
