package agent_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/agent"
)

func TestWhatAFolderBringsIsAskedAboutOnceAndOnlyItsFirstOptionAgrees(t *testing.T) {
	for text, want := range map[string]int{"agree": 1, "not now": 0, "yes": 0, "": 0} {
		st := newStage(t, reply("one"), reply("two"))
		agreed, looked := 0, 0
		st.setup.Brings = func() *agent.Brought {
			looked++
			return &agent.Brought{
				Question: nebula.Question{Text: "this may run: x", Options: []string{"agree", "not now"}},
				Notice:   nebula.Say("it does nothing"),
				Agree:    func() error { agreed++; return nil },
			}
		}
		decided := nebula.Told
		if text == "" {
			decided = nebula.No
		}
		asked := 0
		answer := func(nebula.Asked) (nebula.Decided, string) { asked++; return decided, text }
		events := st.say("hello", answer)
		st.say("again", answer)
		if agreed != want || asked != 1 || looked != 1 {
			t.Errorf("%q: agreed %d, asked %d, looked %d", text, agreed, asked, looked)
		}
		warned := slices.ContainsFunc(events, func(e nebula.Event) bool {
			n, ok := e.Body.(nebula.Noted)
			return ok && strings.Contains(n.Text, "it does nothing")
		})
		if own := text == "yes"; warned != own {
			t.Errorf("%q: said that it agrees to nothing: %v", text, warned)
		}
		if end, ok := events[len(events)-1].Body.(nebula.Ended); !ok || end.Outcome.Status != nebula.TurnDone {
			t.Errorf("%q: the turn did not go on: %+v", text, events[len(events)-1])
		}
	}
}

func TestWhatAFolderBringsIsOnlyToldWhereNobodyIsThere(t *testing.T) {
	st := newStage(t, reply("one"))
	st.setup.Alone = true
	st.setup.Brings = func() *agent.Brought {
		return &agent.Brought{
			Question: nebula.Question{Text: "this may run: x", Options: []string{"agree"}}, Notice: nebula.Say("it does nothing"),
			Agree: func() error { t.Error("nobody agreed"); return nil },
		}
	}
	told := false
	for _, e := range st.say("hello", always(nebula.Told)) {
		n, ok := e.Body.(nebula.Noted)
		told = told || ok && strings.Contains(n.Text, "it does nothing")
	}
	if !told {
		t.Error("it was not told")
	}
}
