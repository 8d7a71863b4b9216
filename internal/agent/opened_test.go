package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// An opener is a command on a view that opened what holds secrets, and changed nothing.
type opener struct {
	line    string
	exposed []bool
}

// Spec implements nebula.Tool.
func (o *opener) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "opener", Effect: nebula.Execute, Params: []nebula.Param{{Name: "command", Type: "string", Required: true, Payload: true}}}
}

// Propose implements nebula.Tool.
func (o *opener) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	o.exposed = append(o.exposed, v.Exposed)
	return nebula.Proposal{Action: a, Effect: nebula.Execute, Command: o.line, Viewed: true, Do: func(context.Context, nebula.Run) (nebula.Result, error) {
		keep := nebula.Proposal{Effect: nebula.Write, Ran: o.line}
		tell := nebula.Proposal{Effect: nebula.Read, Ran: o.line, Diff: "yranac", Targets: []nebula.Target{{Path: "made/yranac"}}, Summary: "keep made/yranac", Risks: []string{string(nebula.NewCode(nebula.Opens, ".env"))}}
		tell.Do = func(context.Context, nebula.Run) (nebula.Result, error) { return nebula.Result{}, nil }
		code := 90
		return nebula.Result{Text: "yranac", Status: nebula.Done, Exit: &code, Summary: "exit 90", Effects: &nebula.Effects{
			Keep: keep, Drop: func(string) nebula.Result { return nebula.Result{} },
			Opened: &nebula.Opened{Tell: tell, Hide: func(why string) nebula.Result { return nebula.Result{Text: "hidden: " + why} }},
		}}, nil
	}}, nil
}

// What a command printed that opened a secret nobody named is told when somebody allowed it, and else nothing of it, in each mode.
func TestWhatASecretWasOpenedForIsToldOnAWord(t *testing.T) {
	for _, tt := range []struct {
		line    string
		mode    nebula.Mode
		approve gate.Approve
		answer  nebula.Decided
		asked   int
		told    bool
	}{
		{"ls -A | xargs rev", nebula.AgentMode, gate.Ask, nebula.No, 1, false},
		{"ls -A | xargs rev", nebula.AgentMode, gate.Ask, nebula.Yes, 1, true},
		{"ls -A | xargs rev", nebula.AgentMode, gate.Edits, nebula.No, 1, false},
		{"ls -A | xargs rev", nebula.AgentMode, gate.None, "", 0, false},
		{"ls -A | xargs rev", nebula.AgentMode, gate.All, "", 0, true},
		{"ls -A | xargs rev", nebula.PlanMode, gate.Ask, nebula.No, 1, false},
		{"ls -A | xargs rev", nebula.PlanMode, gate.Ask, nebula.Yes, 1, true},
		{"ls -A | xargs rev", nebula.PlanMode, gate.None, "", 0, false},
		{"npm test", nebula.AgentMode, gate.None, "", 0, true},
		{"npm test", nebula.PlanMode, gate.None, "", 0, true},
		{"head -3 *", nebula.AgentMode, gate.Ask, nebula.No, 0, true},
	} {
		st := newStage(t, reply("", call("1", "opener", "command", tt.line)), reply("Unverified: so."))
		o := &opener{line: tt.line}
		st.setup.Tools, st.setup.Approve, st.setup.Begin.Mode = append(st.setup.Tools, o), tt.approve, tt.mode
		asked := 0
		events := st.say("go", func(nebula.Asked) (nebula.Decided, string) { asked++; return tt.answer, "" })
		text := ""
		for _, e := range events {
			if b, ok := e.Body.(nebula.Proposed); ok && tt.approve == gate.None && b.Proposal.Diff != "" {
				t.Errorf("%+v: what it printed is in the record", tt)
			}
			if f, ok := e.Body.(nebula.Finished); ok {
				text = f.Result.Text
				if hidden := !tt.told; hidden && (f.Result.Exit != nil || f.Result.Summary != "" || f.Result.Status != nebula.Failed) {
					t.Errorf("%+v: told how it ended: %+v", tt, f.Result)
				}
			}
		}
		shown := strings.Contains(fmt.Sprint(events), "keep made/yranac")
		if kept := record(t, st); (tt.asked > 0 || tt.approve == gate.All) != shown || strings.Contains(kept, "made/yranac") || !tt.told && strings.Contains(kept, "yranac") || !strings.Contains(kept, nebula.Opens) && tt.line != "npm test" && tt.line != "head -3 *" {
			t.Errorf("%+v: shown %v, and kept: %s", tt, shown, kept)
		}
		if told := strings.Contains(text, "yranac"); told != tt.told || told == strings.Contains(text, "hidden: ") || asked != tt.asked {
			t.Errorf("%+v: %q, asked %d times", tt, text, asked)
		}
	}
}

// record is what stands in the store of a stage's session.
func record(t *testing.T, st *stage) string {
	t.Helper()
	var b strings.Builder
	for e, err := range st.setup.Store.Load(t.Context(), st.session.ID()) {
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	return b.String()
}

// Who is told by somebody who may know what is secret may know it from the beginning.
func TestWhoIsToldMayKnowWhatIsSecret(t *testing.T) {
	for _, exposed := range []bool{false, true} {
		st := newStage(t, reply("", call("1", "opener", "command", "true")), reply("Unverified: so."))
		o := &opener{line: "true"}
		st.setup.Tools, st.setup.Exposed = append(st.setup.Tools, o), exposed
		st.say("go", always(nebula.Yes))
		if len(o.exposed) == 0 || o.exposed[0] != exposed {
			t.Errorf("%v", o.exposed)
		}
	}
}
