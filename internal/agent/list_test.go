package agent_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
)

// A list in every protocol is shown without anybody being asked, tells the model of no steps, and, wholly ticked beside the answer,
// ends the turn with it.
func TestAChecklistInEveryProtocol(t *testing.T) {
	for _, l := range languages() {
		t.Run(l.Name(), func(t *testing.T) {
			items := func(boxes ...string) nebula.Action {
				a := act("checklist")
				a.Args = []byte(`{"todos":["` + strings.Join(boxes, `","`) + `"]}`)
				return a
			}
			p := newProject(t, l, nil,
				nebula.Intent{Actions: []nebula.Action{items("[x] read", "[>] write", "[ ] test")}},
				nebula.Intent{Say: "It is read, written and tested.", Actions: []nebula.Action{items("[x] read", "[x] write", "[x] test")}})
			events := p.say("go", nil)
			end := last(t, events)
			if end.Status != nebula.TurnDone || end.Text != "It is read, written and tested." || len(p.script.Prompts()) != 2 {
				t.Errorf("ended %s %q after %d requests", end.Status, end.Text, len(p.script.Prompts()))
			}
			if slices.ContainsFunc(events, func(e nebula.Event) bool { _, asked := e.Body.(nebula.Asked); return asked }) {
				t.Error("somebody was asked")
			}
			s := p.folded()
			if s.Informed || len(s.List) != 3 || s.List[2] != (nebula.Item{Text: "test", Status: nebula.Completed}) {
				t.Errorf("informed %t, %+v", s.Informed, s.List)
			}
		})
	}
}
