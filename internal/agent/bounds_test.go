package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
)

func TestOfTooManyActionsNoneIsDone(t *testing.T) {
	var calls []nebula.Call
	for i := range 5 {
		calls = append(calls, call(fmt.Sprint(i), "note", "path", fmt.Sprint(i, ".md"), "content", "x"))
	}
	st := newStage(t, reply("", calls...), reply("", calls[:4]...), reply("Done."))
	st.setup.Limits.Actions = 4
	st.setup.Approve = "all"
	events := st.say("go", nil)
	var refused, done int
	for _, e := range events {
		if b, ok := e.Body.(nebula.Finished); ok {
			if strings.Contains(b.Result.Text, "5 actions, more than the 4") && b.Result.Status == nebula.Failed {
				refused++
			} else if b.Result.Status == nebula.Done {
				done++
			}
		}
	}
	if refused != 5 || done != 4 {
		t.Errorf("%d refused and %d done:\n%s", refused, done, transcript(events))
	}
}

func TestBudgetsHoldWhereTheServerDoesNotCount(t *testing.T) {
	st := newStage(t)
	st.world.set("a", "x")
	st.setup.Limits.Tokens = 20_000
	st.setup.Prompt.Count = func(text string) int { return len(text) / 4 }
	st.setup.Limits.Steps = 60
	st.script.Answers = func(n int, _ nebula.Prompt) *nebula.Reply {
		st.world.set("a", fmt.Sprint(n))
		r := reply(strings.Repeat("thinking aloud ", 1000), call("1", "look", "path", "a"))
		r.Usage = nebula.Usage{}
		return &r
	}
	end := last(t, st.say("go", nil))
	if end.Status != nebula.LimitReached || !strings.Contains(end.Text, "20000") {
		t.Errorf("ended %s %q after %d requests", end.Status, end.Text, len(st.script.Prompts()))
	}
}
