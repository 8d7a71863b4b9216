package dialect

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

func TestAnEmptyListOfActionsIsAnAnswer(t *testing.T) {
	for _, text := range []string{
		`{"actions":[],"say":"It is 4."}`,
		"```json\n{\"actions\":[],\"say\":\"It is 4.\"}\n```",
		`{"actions":[],"goal_consistency":"yes","next_step":"done","rationale":"asked","say":"It is 4."}`,
		`{"say":"It is 4.","actions":[]}`,
		`{"actions":null,"answer":"It is 4."}`,
	} {
		for _, row := range language.All() {
			p := row.Protocol
			if in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, p, nebulatest.Specs()); in.Say != "It is 4." || len(in.Problems)+len(in.Actions) > 0 {
				t.Errorf("%s: %s: says %q, %+v", p.Name(), text, in.Say, in.Problems)
			}
		}
	}
	for _, text := range []string{`{"actions":[]}`, `{"actions":[{"operation":"nope"}],"say":"x"}`, `{"actions":[],"say":"x"`} {
		if in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, language.All()[0].Protocol, nebulatest.Specs()); len(in.Problems) == 0 {
			t.Errorf("%s is an answer: %+v", text, in)
		}
	}
}

func TestAResultThatNobodyHadYetVoidsWhatFollows(t *testing.T) {
	for _, row := range language.All()[1:] {
		p := row.Protocol
		for _, c := range []struct {
			before string
			void   bool
		}{
			{"Output of the tests:\n3 passed\n\n", true},
			{"Output:\n3 passed\n\n", true},
			{"Result of readFile:\nx = 1\n\n", true},
			{"[1] runTests: done\n3 passed\n\n", true},
			{"[1] runTests a.py: done\n3 passed\n\n", true},
			{"ok readFile x\n----\nx\n----\n\n", true},
			{"テストの結果:\n3 passed\n\n", true},
			{"Result: the test fails because nothing calls it.\n\n", false},
			{"[1] Nothing calls it.\n\n", false},
			{"ok now I tidy up.\n\n", false},
			{"Results are in a.txt. I tidy up:\n", false},
		} {
			text := c.before + deletions[p.Name()]
			in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, p, nebulatest.Specs())
			if len(in.Actions) != 1 || strings.Contains(in.Actions[0].Problem, "invents") != c.void {
				t.Errorf("%s: %q: %+v", p.Name(), text, in.Actions)
			}
		}
	}
}
