package nebulatest

import "nebula"

// Guessing is a protocol that is sure of no action that it reads.
type Guessing struct{ nebula.Protocol }

// Decode implements nebula.Protocol.
func (g Guessing) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in := g.Protocol.Decode(r, tools)
	for i := range in.Actions {
		in.Actions[i].Inferred = true
	}
	return in
}

// Form implements nebula.Former, where the protocol does.
func (g Guessing) Form(a nebula.Action, tools []nebula.ToolSpec) string {
	if f, ok := g.Protocol.(nebula.Former); ok {
		return f.Form(a, tools)
	}
	return ""
}
