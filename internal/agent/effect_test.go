package agent_test

import (
	"context"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// claiming is a tool that says of its action what it does, whatever is said of the tool.
type claiming struct {
	of, does nebula.Effect
	ran      *bool
}

func (c claiming) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "claim", Description: "Claims.", Effect: c.of}
}

func (c claiming) Propose(context.Context, nebula.Action, nebula.View) (nebula.Proposal, error) {
	return nebula.Proposal{Effect: c.does, Summary: "claim", Command: "x", Do: func(context.Context, nebula.Run) (nebula.Result, error) {
		*c.ran = true
		return nebula.Result{Text: "ran"}, nil
	}}, nil
}

// What an action does is what its proposal says; where that says nothing, nothing is allowed.
func TestEffectIsTheProposals(t *testing.T) {
	for _, tt := range []struct {
		of, does nebula.Effect
		runs     bool
	}{
		{nebula.Execute, nebula.Read, true}, {nebula.Read, nebula.Execute, false}, {nebula.Read, nebula.Write, false}, {nebula.Read, "", false}, {nebula.Execute, nebula.Execute, false},
	} {
		ran := false
		st := newStage(t, reply("", call("1", "claim")), reply("Ok."))
		st.setup.Approve = gate.None
		st.setup.Tools = append(st.setup.Tools, claiming{tt.of, tt.does, &ran})
		if events := st.say("go", nil); ran != tt.runs {
			t.Errorf("of a tool for %q, what does %q ran: %v\n%s", tt.of, tt.does, ran, transcript(events))
		}
	}
}
