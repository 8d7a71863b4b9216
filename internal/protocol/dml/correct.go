package dml

import (
	"cmp"
	"encoding/json"

	"nebula"
	"nebula/internal/protocol"
)

// example is a call of the tool that an action means, with all that it needs.
func example(a nebula.Action, spec nebula.ToolSpec, tools []nebula.ToolSpec) string {
	var given map[string]json.RawMessage
	if json.Unmarshal(a.Args, &given) != nil {
		given = map[string]json.RawMessage{}
	}
	args := json.RawMessage("{}")
	for _, p := range spec.Params {
		value, ok := given[p.Name]
		if !ok && !p.Required {
			continue
		}
		if !ok {
			value = json.RawMessage(cmp.Or(protocol.ItemForm(p), `"…"`))
		}
		args = protocol.AddField(args, p.Name, value)
	}
	return Protocol{}.Form(nebula.Action{Tool: spec.Name, Args: args}, tools)
}

// Correction implements [nebula.Corrector].
func (Protocol) Correction(r nebula.Reply, in nebula.Intent, lang string) string {
	return protocol.Correction(r, in, lang, Write)
}

// Same implements [nebula.Corrector].
func (Protocol) Same(r nebula.Reply, before, after nebula.Intent) error {
	return protocol.Same(r, before, after)
}
