package nebula

import (
	"iter"
	"strings"
)

// An Assembler builds a reply from its pieces. The zero value is ready.
type Assembler struct {
	text, reasoning strings.Builder
	calls           []*callParts
	reply           Reply
}

type callParts struct {
	index    int
	id, name string
	args     strings.Builder
}

// Add takes the next piece. A Retry piece makes everything before it void.
func (a *Assembler) Add(c Chunk) {
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

func (a *Assembler) addCall(d CallDelta) {
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
func (a *Assembler) Reply() (Reply, bool) {
	r := a.reply
	r.Text, r.Reasoning = a.text.String(), a.reasoning.String()
	for _, p := range a.calls {
		if p.name != "" || p.args.Len() > 0 {
			r.Calls = append(r.Calls, Call{ID: p.id, Name: p.name, Arguments: p.args.String()})
		}
	}
	return r, r.Finish != ""
}

// Collect reads a stream to its end and returns the reply. Every piece is handed to each, which may be nil. With an
// error the reply is empty: nothing of a broken stream can be acted on. A stream that ends without its finish reason
// is broken.
func Collect(seq iter.Seq2[Chunk, error], each func(Chunk)) (Reply, error) {
	var a Assembler
	for c, err := range seq {
		if err != nil {
			return Reply{}, err
		}
		a.Add(c)
		if each != nil {
			each(c)
		}
	}
	r, whole := a.Reply()
	if !whole {
		return Reply{}, &APIError{Kind: "cut", Text: "the model's stream ended in the middle", Next: "try again"}
	}
	return r, nil
}
