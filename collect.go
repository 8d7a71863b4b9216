package nebula

import (
	"cmp"
	"iter"
	"strings"
)

// An Assembler builds a reply from its pieces. The zero value is ready.
type Assembler struct {
	parts []*partial
	reply Reply
}

// A partial is a part that comes in pieces.
type partial struct {
	Part
	index int // of a call
	text  strings.Builder
}

// Add takes the next piece. A Retry piece makes everything before it void.
func (a *Assembler) Add(c Chunk) {
	if c.Retry != nil {
		*a = Assembler{}
		return
	}
	if c.Text != "" {
		a.open(TextPart).text.WriteString(c.Text)
	}
	if c.Reasoning != "" {
		a.open(ReasoningPart).text.WriteString(c.Reasoning)
	}
	if c.Call != nil {
		a.addCall(*c.Call)
	}
	if c.Part != nil {
		a.parts = append(a.parts, &partial{Part: *c.Part})
	}
	if c.Opaque != nil && len(a.parts) > 0 {
		a.parts[len(a.parts)-1].Opaque = c.Opaque
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

// open is the part that a piece of text or reasoning goes on with: the last one, if it is of the kind and has not ended.
//
//go:noinline
func (a *Assembler) open(kind PartKind) *partial {
	if n := len(a.parts); n > 0 && a.parts[n-1].Kind == kind && a.parts[n-1].Opaque == nil && a.parts[n-1].Part.Text == "" {
		return a.parts[n-1]
	}
	a.parts = append(a.parts, &partial{Part: Part{Kind: kind}})
	return a.parts[len(a.parts)-1]
}

func (a *Assembler) addCall(d CallDelta) {
	var p *partial
	for i := len(a.parts) - 1; i >= 0 && p == nil; i-- {
		if a.parts[i].Call != nil && a.parts[i].index == d.Index {
			p = a.parts[i]
		}
	}
	if p == nil {
		p = &partial{Part: Part{Kind: CallPart, Call: &Call{}}, index: d.Index}
		a.parts = append(a.parts, p)
	}
	p.Call.ID = cmp.Or(d.ID, p.Call.ID)
	p.Call.Name = cmp.Or(d.Name, p.Call.Name)
	if d.Opaque != nil {
		p.Opaque = d.Opaque
	}
	p.text.WriteString(d.Arguments)
}

// Reply returns the reply, and whether it is whole: only a whole reply may be acted on.
func (a *Assembler) Reply() (Reply, bool) {
	r := a.reply
	for _, p := range a.parts {
		part := p.Part
		switch {
		case part.Call != nil && part.Call.Name == "" && p.text.Len() == 0:
			continue
		case part.Call != nil:
			part.Call = &Call{ID: part.Call.ID, Name: part.Call.Name, Arguments: p.text.String()}
		default:
			part.Text += p.text.String()
		}
		r.Parts = append(r.Parts, part)
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
