package record

import "nebula"

// spoke counts a reply of a model; nil where it is no model's.
func spoke(model string, b nebula.Replied) *nebula.Spoken {
	if b.By != "" || model == "" {
		return nil
	}
	n := &nebula.Spoken{Model: model, Server: b.Server, Protocol: b.Protocol, Replies: 1}
	if b.Intent.Dialect != b.Protocol {
		n.Dialect = b.Intent.Dialect
	}
	if b.Intent.Unread() {
		n.Failed = 1
		return n
	}
	switch b.Intent.Strategy {
	case nebula.Strict:
		n.Strict = 1
	case nebula.Repaired:
		n.Repaired = 1
	case nebula.Inferred:
		n.Inferred = 1
	case nebula.Corrected:
		n.Corrected = 1
	case nebula.Extracted:
		n.Extracted = 1
	}
	if n.Actions = len(b.Intent.Actions); n.Actions > 0 {
		n.Tokens = b.Reply.Usage.Output
	}
	return n
}

// Plus adds two counts of the same kind of reply.
func Plus(a, b nebula.Spoken) nebula.Spoken {
	a.Replies += b.Replies
	a.Strict += b.Strict
	a.Repaired += b.Repaired
	a.Inferred += b.Inferred
	a.Corrected += b.Corrected
	a.Extracted += b.Extracted
	a.Failed += b.Failed
	a.Actions += b.Actions
	a.Tokens += b.Tokens
	return a
}
