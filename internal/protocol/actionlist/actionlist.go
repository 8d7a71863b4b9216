// Package actionlist is the protocol of one JSON document a reply: what is said, the decision of Duckflow v3 §7.1, and
// the list of actions of Duckflow v4 §2.
//
// The document may stand in a code block, between other text, as a bare list, a single action, or one action a line.
// What stands in prose or in a block that is called an example is never an action.
package actionlist

import (
	"nebula"
	"nebula/internal/protocol"
)

// Protocol is the action list. The zero value is ready.
type Protocol struct{}

// Name is "actionlist".
func (Protocol) Name() string { return "actionlist" }

// Encode writes the reply as it was, then the results in one message of text.
func (Protocol) Encode(r nebula.Reply, in nebula.Intent, results []nebula.Result) []nebula.Message {
	return protocol.TextMessages(r, in, results)
}

// Decode reads a reply.
func (p Protocol) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in, documents := p.Read(r, tools)
	protocol.Settle(r, &in, documents...)
	return in
}

// Read is Decode without the last step, [protocol.Settle], and the documents' spans.
func (Protocol) Read(r nebula.Reply, tools []nebula.ToolSpec) (nebula.Intent, []nebula.Span) {
	start, thoughts := protocol.Body(r)
	d := decoder{text: r.Text(), tools: tools, in: nebula.Intent{Thoughts: thoughts}, counted: start}
	d.lines = lineBreaks(r.Text()[:start])
	d.read(start)
	return d.in, d.documents
}
