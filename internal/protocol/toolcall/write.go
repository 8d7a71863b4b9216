package toolcall

import (
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Write writes an intent as a reply with native calls. Thoughts go where the provider puts reasoning.
func Write(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply {
	r := nebula.Reply{Parts: nebula.PartsOf(strings.Join(in.Thoughts, "\n"), in.Say), Finish: "stop"}
	for i, a := range in.Actions {
		r.Finish = "tool_calls"
		call := nebula.Call{ID: fmt.Sprintf("call_%d", i), Name: a.Tool, Arguments: string(withReason(a))}
		r.Parts = append(r.Parts, nebula.PartsOf("", "", call)...)
	}
	return r
}

// withReason is an action's arguments with its reason among them, as the tools' schemas have it.
func withReason(a nebula.Action) json.RawMessage {
	if a.Reason == "" {
		return a.Args
	}
	return protocol.AddField(a.Args, "reason", protocol.Quote(a.Reason))
}

// Form implements nebula.Former.
func (Protocol) Form(a nebula.Action, _ []nebula.ToolSpec) string {
	return a.Tool + " " + string(withReason(a))
}
