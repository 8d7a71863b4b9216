package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/model/token"
	"nebula/internal/prompt"
	"nebula/internal/state"
)

const noteAnew = "this is other work than noted"

// What was noted for one work is asked for anew where another begins: in the first request of that turn, once, in few tokens. A question
// asks for nothing, nor does more of the same, nor a session in which nothing was noted.
func TestNotesAreAskedForAnewWhereTheWorkChangesItsKind(t *testing.T) {
	notes, _ := json.Marshal(map[string]any{"why_now": "asked for", "plan_brief": []string{"read", "tell"}}) // always marshals
	all, _ := deciders()
	for _, l := range all {
		for _, noted := range []bool{true, false} {
			first := []nebula.Intent{acts(act("readFile", "path", "a.txt")), say("It adds.")}
			if noted {
				first = slices.Insert(first, 0, acts(nebula.Action{Tool: "updateState", Args: notes, Reason: "to keep the thread"}))
			}
			p := newProject(t, l, map[string]string{"a.txt": "x\n"}, append(first,
				acts(act("writeFile", "path", "b.txt", "content", "y\n")), say("Mended.\nUnverified: nothing to run"),
				acts(act("writeFile", "path", "c.txt", "content", "y\n")), say("Mended too.\nUnverified: nothing to run"),
				acts(act("readFile", "path", "b.txt")), say("It subtracts."),
				acts(act("writeFile", "path", "d.txt", "content", "y\n")), say("Documented.\nUnverified: nothing to run"))...)
			p.setup.Approve = gate.All
			want := map[int]bool{len(first): noted, len(first) + 6: noted} // the first requests of the second and the last turn
			for _, text := range []string{"what does adding do here?", "fix the adding of negative numbers", "fix the adding of large numbers too", "and why does it subtract?", "document the adding in the README"} {
				p.say(text, nil)
			}
			prompts := p.script.Prompts()
			if len(prompts) != len(first)+8 {
				t.Fatalf("%s: %d requests", l.Name(), len(prompts))
			}
			for n, sent := range prompts {
				if got := strings.Count(sent.Messages[len(sent.Messages)-1].Text(), noteAnew); got > 1 || (got == 1) != want[n] {
					t.Errorf("%s, noted %v: request %d asks %d times", l.Name(), noted, n, got)
				}
			}
		}
	}
}

// Where beginnings of the conversation are left out it says no longer all: they are asked for too, though nothing was noted before, and there is a
// tool for it.
func TestNotesAreAskedForWhereTheConversationWasShortened(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		for window, short := range map[int]bool{128_000: false, 6000: true} {
			p := newProject(t, l, nil)
			p.setup.Prompt.Count = func(text string) int { return len(text)/3 + 1 }
			p.script.Infos = func(i nebula.ModelInfo) nebula.ModelInfo {
				i.Window = window
				return i
			}
			p.script.Answers = func(int, nebula.Prompt) *nebula.Reply {
				r := l.write(say("It says a lot. "+strings.Repeat("word ", 300)), p.tools)
				return &r
			}
			for n := range 12 {
				p.say(fmt.Sprintf("what does part %d say?", n), nil)
			}
			p.say("translate the letter to the mayor into French", nil)
			sent := p.script.Prompts()
			last := sent[len(sent)-1]
			if asked := strings.Contains(last.Messages[len(last.Messages)-1].Text(), noteAnew); asked != short {
				t.Errorf("window %d: asked %v", window, asked)
			}
			tool := slices.ContainsFunc(last.Tools, func(s nebula.ToolSpec) bool { return s.Name == "updateState" })
			if tool != (short && len(last.Tools) > 0) {
				t.Errorf("window %d: offered %v", window, tool)
			}
		}
	})
}

func TestToAskForNotesCostsFewTokens(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		var said []string
		for _, turns := range []bool{false, true} {
			s := state.State{Lang: lang, Mode: nebula.AgentMode, Informed: true, Items: state.Items{Goal: "x"}, Turn: state.Turn{Turns: turns}}
			b := &prompt.Builder{}
			p, _ := b.Build(prompt.Input{State: &s, Protocol: plain{}})
			said = append(said, p.Messages[len(p.Messages)-1].Text())
		}
		if n := token.Count(said[1]) - token.Count(said[0]); n == 0 || n > 40 {
			t.Errorf("%s: %d tokens: %q", lang, n, said[1])
		} else {
			t.Logf("%s: %d tokens", lang, n)
		}
	}
}
