package agent_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/protocol/toolcall"
	"nebula/internal/tool"
)

// What runs unasked and whether anybody can answer stands in the request; where nobody can, no question is offered.
func TestRequestSaysThePolicyAndWhoIsThere(t *testing.T) {
	for alone, want := range map[bool]string{false: "Approval: edits (edits without asking). The person can answer.", true: "Approval: edits (edits without asking). Nobody is there to answer"} {
		st := newStage(t, reply("one"), reply("two"))
		st.setup.Alone, st.setup.Approve, st.setup.Tools = alone, gate.Edits, tool.All(nil, tool.Options{})
		st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) { return toolcall.Protocol{}, nil }
		st.open("")
		st.say("hello", nil)
		if err := st.session.Send(t.Context(), nebula.Switch{Approve: "all"}); err != nil {
			t.Fatal(err)
		}
		st.say("again", nil)
		prompts := st.script.Prompts()
		if !strings.Contains(prompts[0].System, want) || !strings.Contains(prompts[1].System, "Approval: all (acts without asking).") {
			t.Errorf("alone %v: %s\n%s", alone, prompts[0].System, prompts[1].System)
		}
		asks := slices.ContainsFunc(prompts[0].Tools, func(s nebula.ToolSpec) bool { return s.Effect == nebula.Ask })
		if asks == alone {
			t.Errorf("alone %v: a question is offered: %v", alone, asks)
		}
	}
}

// Where commands run on a view of the folder the request says what becomes of what they change, under each policy but the one
// under which they do not.
func TestRequestSaysWhatBecomesOfWhatCommandsChange(t *testing.T) {
	for approve, want := range map[gate.Approve]string{gate.Ask: "asked about as edits are", gate.Edits: "kept as edits are", gate.None: "is dropped", gate.All: ""} {
		st := newStage(t, reply("one"))
		st.setup.Approve, st.setup.Tools, st.setup.Views = approve, tool.All(nil, tool.Options{}), func() bool { return true }
		st.open("")
		st.say("hello", nil)
		said := st.script.Prompts()[0].System
		if !strings.Contains(said, want) || strings.Contains(said, "on a view") != (want != "") {
			t.Errorf("%s: %s", approve, said)
		}
	}
}
