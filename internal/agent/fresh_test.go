package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// What a turn may cost is counted in what the model has not read before: many replies over one long conversation are as
// good as free, many long results are not, and at the bound the model says in its own words where it stands.
func TestATurnIsBoundedByWhatIsNewInIt(t *testing.T) {
	for _, c := range []struct {
		size   int
		status nebula.EndStatus
	}{{10, nebula.TurnDone}, {3000, nebula.LimitReached}} {
		st := newStage(t)
		st.setup.Limits.Steps, st.setup.Limits.New, st.setup.Approve = 0, 12_000, gate.All
		for n := range 200 {
			st.world.set(fmt.Sprint(n), strings.Repeat("a b", c.size)+fmt.Sprint(n))
		}
		st.script.Answers = func(n int, p nebula.Prompt) *nebula.Reply {
			r := reply("", call(fmt.Sprint(n), "look", "path", fmt.Sprint(n)))
			if n >= 150 || strings.Contains(p.Messages[len(p.Messages)-1].Text(), "This turn ends here") {
				r = reply("So far it is well.")
			}
			return &r
		}
		events := st.say("look at everything", nil)
		end, requests := last(t, events), len(st.script.Prompts())
		if end.Status != c.status || !strings.HasPrefix(end.Text, "So far it is well.") {
			t.Errorf("%d bytes each: ended %s after %d requests: %q", c.size, end.Status, requests, end.Text)
		}
		if c.status == nebula.LimitReached && (requests > 12 || !strings.Contains(end.Text, "had not read before")) {
			t.Errorf("%d bytes each: %d requests, %q", c.size, requests, end.Text)
		}
	}
}
