package nebula

import (
	"encoding/json"
	"slices"
	"strings"
)

// PartKind says what a part of a message is.
type PartKind string

// The kinds of parts.
const (
	TextPart      PartKind = "text"
	ReasoningPart PartKind = "reasoning" // its text may be empty, where the provider shows none
	CallPart      PartKind = "call"      // a native tool call
	ImagePart     PartKind = "image"
	DataPart      PartKind = "data"   // of a result: what its text says, as JSON
	OpaquePart    PartKind = "opaque" // of a kind that only its provider knows
)

// A Part is one piece of what was said. Kind tells which of the other fields counts; Opaque may stand beside each.
type Part struct {
	Kind   PartKind        `json:"kind"`
	Text   string          `json:"text,omitempty"` // of a text and of reasoning
	Call   *Call           `json:"call,omitempty"`
	Image  *Image          `json:"image,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
	Opaque *Opaque         `json:"opaque,omitempty"`
}

// Size is about how many bytes a part holds.
//
//go:noinline
func (p Part) Size() int {
	n := len(p.Text) + len(p.Data)
	if p.Call != nil {
		n += len(p.Call.ID) + len(p.Call.Name) + len(p.Call.Arguments)
	}
	if p.Image != nil {
		n += len(p.Image.Data)
	}
	if p.Opaque != nil {
		n += len(p.Opaque.Value)
	}
	return n
}

// Opaque is a value that a provider gave with a part and wants back with it: a signature, encrypted reasoning, the ids of
// its own record. It goes back as it came, to the same provider, and to no other; nobody else looks into it.
type Opaque struct {
	Of    string          `json:"of"` // the provider, as its adapter names it
	Value json.RawMessage `json:"value"`
}

// Parts are what a message or a reply holds, in the order in which it was said. They are not changed once they are made:
// what changes them gives a copy.
type Parts []Part

// Text is a text as parts: none when it is empty.
//
//go:noinline
func Text(text string) Parts {
	if text == "" {
		return nil
	}
	return Parts{{Kind: TextPart, Text: text}}
}

// PartsOf are reasoning, a text and calls in this order, as most models give them.
//
//go:noinline
func PartsOf(reasoning, text string, calls ...Call) Parts {
	var p Parts
	if reasoning != "" {
		p = append(p, Part{Kind: ReasoningPart, Text: reasoning})
	}
	p = append(p, Text(text)...)
	for _, c := range calls {
		p = append(p, Part{Kind: CallPart, Call: &c})
	}
	return p
}

// Pictures are images as parts.
func Pictures(images ...Image) (p Parts) {
	for _, img := range images {
		p = append(p, Part{Kind: ImagePart, Image: &img})
	}
	return p
}

// Text is all that the text parts say, joined as they are.
//
//go:noinline
func (p Parts) Text() string { return p.joined(TextPart) }

// Reasoning is all that the reasoning says, joined as it is.
//
//go:noinline
func (p Parts) Reasoning() string { return p.joined(ReasoningPart) }

func (p Parts) joined(kind PartKind) string {
	first, more := "", []string(nil)
	for _, part := range p {
		switch {
		case part.Kind != kind || part.Text == "":
		case first == "":
			first = part.Text
		default:
			more = append(more, part.Text)
		}
	}
	if more == nil {
		return first
	}
	return first + strings.Join(more, "")
}

// Calls are the native calls in their order.
//
//go:noinline
func (p Parts) Calls() (calls []Call) {
	for _, part := range p {
		if part.Call != nil {
			calls = append(calls, *part.Call)
		}
	}
	return calls
}

// Images are the pictures in their order.
//
//go:noinline
func (p Parts) Images() (images []Image) {
	for _, part := range p {
		if part.Image != nil {
			images = append(images, *part.Image)
		}
	}
	return images
}

// Has reports whether any part is of the kind.
//
//go:noinline
func (p Parts) Has(kind PartKind) bool {
	return slices.ContainsFunc(p, func(part Part) bool { return part.Kind == kind })
}

// WithText are the parts with another text, which stands where the first one stood, or else behind the reasoning. What
// belonged to the texts before is gone with them.
func (p Parts) WithText(text string) Parts {
	if text == p.Text() {
		return p
	}
	out, put := make(Parts, 0, len(p)+1), text == ""
	for _, part := range p {
		if !put && part.Kind != ReasoningPart {
			out, put = append(out, Part{Kind: TextPart, Text: text}), true
		}
		if part.Kind != TextPart {
			out = append(out, part)
		}
	}
	if !put {
		out = append(out, Part{Kind: TextPart, Text: text})
	}
	return out
}

// Without are the parts that are of none of the kinds.
func (p Parts) Without(kinds ...PartKind) Parts {
	return slices.DeleteFunc(slices.Clone(p), func(part Part) bool { return slices.Contains(kinds, part.Kind) })
}

// EachCall are the parts with every call as change gives it; n counts the calls from 0.
//
//go:noinline
func (p Parts) EachCall(change func(n int, c Call) Call) Parts {
	out, n := slices.Clone(p), 0
	for i, part := range out {
		if part.Call != nil {
			c := change(n, *part.Call)
			out[i].Call = &c
			n++
		}
	}
	return out
}

// For are the parts as a provider may have them: what belongs to others is left out. Reasoning that says nothing and is
// another's is left out as a whole.
func (p Parts) For(provider string) Parts {
	foreign := func(part Part) bool { return part.Opaque != nil && part.Opaque.Of != provider }
	if !slices.ContainsFunc(p, foreign) {
		return p
	}
	var out Parts
	for _, part := range p {
		if foreign(part) {
			if part.Opaque = nil; part.Kind == OpaquePart || part.Kind != CallPart && part.Kind != ImagePart && part.Text == "" {
				continue
			}
		}
		out = append(out, part)
	}
	return out
}
