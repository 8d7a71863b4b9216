package agent_test

import (
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// A report that is given with the tests is the answer when they pass, and no request is made for it; when they fail it is nowhere.
func TestAReportGivenWithTheTestsIsTheAnswerWhenTheyPass(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		for body, want := range map[string]string{"": "It is there.", "t.Fatal(1)": "It fails: Unverified: so."} {
			p := newProject(t, l, map[string]string{"go.mod": "module x\n\ngo 1.21\n"},
				acts(act("writeFile", "path", "x_test.go", "content", "package x\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { "+body+" }\n"), act("runTests", "whenPassed", "It is there.")),
				say("It fails: Unverified: so."), say("It fails.\nUnverified: so."), say("It fails.\nUnverified: so."))
			p.setup.Approve = gate.All
			events := p.say("add it", nil)
			end := last(t, events)
			if body == "" && (end.Status != nebula.TurnDone || end.Text != want || len(p.script.Prompts()) != 1) || body != "" && (end.Text == "It is there." || len(p.script.Prompts()) < 2) {
				t.Errorf("%q: %s %q after %d requests\n%s", body, end.Status, end.Text, len(p.script.Prompts()), transcript(events))
			}
		}
	})
}
