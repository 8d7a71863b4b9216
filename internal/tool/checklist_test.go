package tool_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/protocol"
	"nebula/internal/tool"
)

func listing(t *testing.T, args string) (nebula.Proposal, error) {
	t.Helper()
	for _, one := range tool.All(nil, tool.Options{}) {
		if one.Spec().Answers("checklist") {
			return one.Propose(t.Context(), nebula.Action{ID: "a1", Args: []byte(args)}, nebula.View{})
		}
	}
	t.Fatal("there is none")
	return nebula.Proposal{}, nil
}

// A list is read as the models of other programs write theirs.
func TestAChecklistIsReadInEveryForm(t *testing.T) {
	want := []nebula.Item{{Text: "read", Status: nebula.Completed}, {Text: "write", Status: nebula.InProgress}, {Text: "test [x]", Status: nebula.Pending}}
	for _, args := range []string{
		`{"todos":["[x] read","[>] write","[ ] test [x]"]}`,
		`{"todos":"- [X] read\n- [~] write\n- [ ] test [x]\n"}`,
		`{"todos":"1. ✅ read\n2. ◐ write\n3. test [x]"}`,
		`{"todos":[{"content":"read","status":"completed","activeForm":"Reading"},{"content":"write","status":"in_progress"},{"content":"test [x]","status":"pending"}]}`,
		`{"todos":[{"step":"read","status":"done"},{"step":"write","status":"doing"},{"step":"test [x]"}]}`,
		`{"todos":[{"task":"read","done":true},{"title":"write","state":"active"},{"text":"test [x]","done":false}]}`,
	} {
		p, err := listing(t, args)
		if err != nil || !slices.Equal(p.List, want) || p.Effect != nebula.Update {
			t.Errorf("%s: %+v, %v", args, p.List, err)
			continue
		}
		r, err := p.Do(t.Context(), nebula.Run{})
		if err != nil || r.Text != "shown: 1 of 3 done" || r.Summary != "1 of 3 done · write" || r.Decision != nil {
			t.Errorf("%s: %+v, %v", args, r, err)
		}
	}
	long, _ := json.Marshal(map[string]any{"todos": strings.Repeat("[x] once more\n", 50)}) // of text
	p, err := listing(t, string(long))
	if err != nil || len(p.List) != 40 {
		t.Fatalf("%d items, %v", len(p.List), err)
	}
	if r, _ := p.Do(t.Context(), nebula.Run{}); r.Text != "shown: 40 of 40 done; 10 more items were left out" || r.Decision == nil || r.Decision.NextStep != "done" {
		t.Errorf("%+v", r)
	}
}

// Who calls the list of another program calls this one, and no request is longer for it.
func TestAChecklistIsUnderstoodAndNotOffered(t *testing.T) {
	var specs []nebula.ToolSpec
	for _, one := range tool.All(nil, tool.Options{}) {
		specs = append(specs, one.Spec())
	}
	for _, name := range []string{"TodoWrite", "todo_write", "update_plan"} {
		if s, ok := protocol.Find(name, specs); !ok || s.Name != "checklist" {
			t.Errorf("%s is %q", name, s.Name)
		}
	}
	if slices.ContainsFunc(nebula.Offered(specs), func(s nebula.ToolSpec) bool { return s.Name == "checklist" }) {
		t.Error("it is offered to everybody")
	}
}
