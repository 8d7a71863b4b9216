package agent_test

import (
	"context"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// A foreign tool is one of a server that runs in a box, or in none.
type foreign struct{ unboxed bool }

func (foreign) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "useTool", Description: "Asks a server.", Effect: nebula.Execute, Params: []nebula.Param{{Name: "tool", Type: "string"}}}
}

func (f foreign) Propose(context.Context, nebula.Action, nebula.View) (nebula.Proposal, error) {
	return nebula.Proposal{Effect: nebula.Execute, Remote: &nebula.Remote{Name: "files.write"}, Risks: []string{nebula.Foreign}, Summary: "ask files.write", Unboxed: f.unboxed,
		Do: func(context.Context, nebula.Run) (nebula.Result, error) {
			return nebula.Result{Status: nebula.Done, Text: "ok"}, nil
		}}, nil
}

// A server that runs in no box is asked about while something is forbidden, as a command is that leaves its box.
func TestAServerInNoBoxIsAskedAboutWhileSomethingIsForbidden(t *testing.T) {
	for _, c := range []struct {
		rule          string
		unboxed, held bool
	}{{"Fix it. Never touch a.txt.", true, true}, {"Fix it. Never touch a.txt.", false, false}, {"Fix it.", true, false}, {"Fix it. Don't delete anything.", true, true}} {
		p := newProject(t, languages()[0], nil, acts(act("useTool", "tool", "files.write")), say("Unverified: nothing to check."))
		p.setup.Approve = gate.All
		p.setup.Tools = append(p.setup.Tools, foreign{c.unboxed})
		if got := results(p.sayAlone(c.rule)); strings.HasSuffix(got, " denied") != c.held {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
