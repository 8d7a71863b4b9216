package agent_test

import (
	"context"
	"testing"

	"nebula"
)

// A curious tool asks the person while it runs.
type curious struct{ told []string }

func (c *curious) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "curious", Description: "Asks.", Effect: nebula.Execute}
}

func (c *curious) Propose(_ context.Context, a nebula.Action, _ nebula.View) (nebula.Proposal, error) {
	p := nebula.Proposal{Action: a, Effect: nebula.Execute, Remote: &nebula.Remote{Name: "s.t", Args: a.Args}}
	p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
		if r.Ask == nil {
			c.told = append(c.told, "nobody")
			return nebula.Result{Text: "done"}, nil
		}
		answer, ok := r.Ask(ctx, nebula.Question{Text: "which?", Options: []string{"one", "two"}})
		if !ok {
			answer = "declined"
		}
		c.told = append(c.told, answer)
		return nebula.Result{Text: "done"}, nil
	}
	return p, nil
}

func TestARunningActionAsksThePersonAndGoesOnWithout(t *testing.T) {
	for want, answer := range map[string]responder{
		"two": func(a nebula.Asked) (nebula.Decided, string) {
			if a.Question == nil {
				return nebula.Yes, ""
			}
			return nebula.Told, "two"
		},
		"declined": func(a nebula.Asked) (nebula.Decided, string) {
			if a.Question == nil {
				return nebula.Yes, ""
			}
			return nebula.No, ""
		},
	} {
		tool := &curious{}
		st := newStage(t, reply("", call("1", "curious")), reply("done"))
		st.setup.Tools = append(st.setup.Tools, tool)
		events := st.say("go", answer)
		if len(tool.told) != 1 || tool.told[0] != want {
			t.Errorf("%q, want %s", tool.told, want)
		}
		if end, ok := events[len(events)-1].Body.(nebula.Ended); !ok || end.Outcome.Status != nebula.TurnDone {
			t.Errorf("%s: %+v", want, events[len(events)-1].Body)
		}
	}
}

func TestNobodyIsAskedWhereNobodyIsThere(t *testing.T) {
	tool := &curious{}
	st := newStage(t, reply("", call("1", "curious")), reply("done"))
	st.setup.Tools, st.setup.Alone, st.setup.Approve = append(st.setup.Tools, tool), true, "all"
	st.say("go", nil)
	if len(tool.told) != 1 || tool.told[0] != "nobody" {
		t.Errorf("%q", tool.told)
	}
}
