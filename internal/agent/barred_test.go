package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// Where nobody is there and the policy refuses commands, no test is demanded: the work ends as not checked, and says why. Where one
// could be run it is asked for.
func TestNothingIsDemandedThatThePolicyRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		approve  gate.Approve
		views    bool
		requests int
		says     string
	}{
		"commands are refused":  {gate.Edits, false, 2, "not tested, because commands are refused (--approve edits)"},
		"they run on a view":    {gate.Edits, true, 3, "was changed after the last check."},
		"everything is allowed": {gate.All, false, 3, "was changed after the last check."},
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t, reply("", call("1", "note", "path", "a.go", "content", "x")), reply("It is written."), reply("It is written."), reply("It is written."))
			st.setup.Approve, st.setup.Alone, st.setup.Views = c.approve, true, func() bool { return c.views }
			st.setup.Checkable = func() bool { return true }
			end := last(t, st.say("write it", nil))
			if n := len(st.script.Prompts()); n != c.requests || end.Cause != nebula.NotChecked || !strings.Contains(end.Text, c.says) {
				t.Errorf("%d requests, ended %s %s %q", n, end.Status, end.Cause, end.Text)
			}
		})
	}
}
