package plan_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/plan"
)

// A model that is spoken to in Japanese reads each line of what was wrong with its plan in Japanese.
func TestWhatIsWrongWithAPlanIsSaidInItsLanguage(t *testing.T) {
	_, wrong := plan.MakeTasks([]plan.ProposedTask{{Operation: "fly"}, {Operation: "readFile"}, {Operation: "readFile", Args: []byte(`{"path":"a","depth":1}`)}, {Operation: "readFile", Args: []byte(`1`)}},
		[]nebula.ToolSpec{{Name: "readFile", Params: []nebula.Param{{Name: "path", Required: true}}}})
	_, none := plan.MakeTasks(nil, nil)
	_, many := plan.MakeTasks(make([]plan.ProposedTask, plan.MostTasks+1), nil)
	empty := plan.Validate(nebula.Plan{ID: "p", Name: "p", Steps: []nebula.PlanStep{{ID: "a"}, {ID: "a"}}})
	for _, err := range []error{wrong, none, many, empty} {
		if err == nil {
			t.Fatal("nothing is wrong")
		}
		p := plan.Again(nebula.Prompt{}, nebula.Reply{}, err, "ja")
		for line := range strings.Lines(p.Messages[1].Text()) {
			if !strings.ContainsFunc(line, func(r rune) bool { return r >= 0x3040 }) {
				t.Errorf("in English: %s", line)
			}
		}
		if p = plan.Again(nebula.Prompt{}, nebula.Reply{}, err, "en"); !strings.Contains(p.Messages[1].Text(), err.Error()) {
			t.Errorf("in English it is %q, not %q", p.Messages[1].Text(), err)
		}
	}
}
