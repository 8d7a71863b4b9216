// Package language is the one list of the languages that models act in. Settings, help, completion, the decoder of replies
// in another language, documents and tests read it: a protocol is a package and a row here.
package language

import (
	"nebula"
	"nebula/internal/protocol/actionlist"
	"nebula/internal/protocol/dml"
	"nebula/internal/protocol/symops"
	"nebula/internal/protocol/toolcall"
)

// A Row is a language with what is known about it beside the contract.
type Row struct {
	Protocol nebula.Protocol
	// Bare is the same, taught without its example; nil for a language that is taught without one.
	Bare nebula.Protocol
	// Write writes as somebody does who knows the language well.
	Write func(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply
	// Form shows a call to a model that wrote none that could be read.
	Form string
	// Speaks reports whether a text has what only this language has, and Read reads it then, although another was taught; nil
	// for a language that is read only where it was. Documents are what stands for itself in the reply.
	Speaks func(text string) bool
	Read   func(r nebula.Reply, tools []nebula.ToolSpec) (in nebula.Intent, documents []nebula.Span)
}

// Name is the protocol's.
//
//go:noinline
func (r Row) Name() string { return r.Protocol.Name() }

// All are the languages: native calls first, then the one for models without them. The one that is told apart most surely
// comes last.
func All() []Row {
	return []Row{
		{Protocol: toolcall.Protocol{}, Write: toolcall.Write, Form: "it as a tool call of the API, not as text."},
		{Protocol: symops.Protocol{}, Bare: symops.Protocol{Bare: true}, Write: symops.Write, Form: "`$ tool @ target`, with the content between two lines -- below it.",
			Speaks: symops.Speaks, Read: alone(symops.Protocol{}.Read)},
		{Protocol: actionlist.Protocol{}, Write: actionlist.Write, Form: `{"say":"…","actions":[{"operation":"tool","args":{"path":"file"},"reasoning":"why"}]} and nothing else.`,
			Speaks: actionlist.Speaks, Read: actionlist.Protocol{}.Read},
		{Protocol: dml.Protocol{}, Bare: dml.Protocol{Bare: true}, Write: dml.Write, Form: "🦆▶️[T:tool|argument]◀️🦆.",
			Speaks: dml.Speaks, Read: alone(dml.Protocol{}.Read)},
	}
}

func alone(read func(nebula.Reply, []nebula.ToolSpec) nebula.Intent) func(nebula.Reply, []nebula.ToolSpec) (nebula.Intent, []nebula.Span) {
	return func(r nebula.Reply, tools []nebula.ToolSpec) (nebula.Intent, []nebula.Span) {
		return read(r, tools), nil
	}
}

// Taught is the language as a model is taught it, with its example or without.
func (r Row) Taught(bare bool) nebula.Protocol {
	if bare && r.Bare != nil {
		return r.Bare
	}
	return r.Protocol
}

// Auto is the choice of whichever language fits the model.
const Auto = "auto"

// Names are the languages' names, in the order of All.
func Names() (names []string) {
	for _, p := range All() {
		names = append(names, p.Name())
	}
	return names
}

// Choices are what can be chosen: the names, and Auto before them.
//
//go:noinline
func Choices() []string { return append([]string{Auto}, Names()...) }

// Named is the language of that name.
func Named(name string) (Row, bool) {
	for _, p := range All() {
		if p.Name() == name {
			return p, true
		}
	}
	return Row{}, false
}
