package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/protocol/actionlist"
	"nebula/internal/state"
)

// deciders are all languages; those with an envelope carry a decision beside their actions.
func deciders() (all, enveloped []language) {
	list := language{actionlist.Protocol{}, actionlist.Write}
	for _, l := range languages() {
		if l.Name() == "dml" {
			enveloped = append(enveloped, l)
		}
	}
	return append(languages(), list), append(enveloped, list)
}

func TestStateIsKeptInEveryProtocol(t *testing.T) {
	all, _ := deciders()
	for _, l := range all {
		t.Run(l.Name(), func(t *testing.T) {
			args, _ := json.Marshal(map[string]any{"goal": "priorities for todos", "why_now": "asked for", "constraints": []string{"no globals"},
				"plan_brief": []string{"domain", "cli"}, "open_questions": []string{"default?"}, "step": "EXECUTION", "prompt_pattern": "base_main_specialized"}) // always marshals
			p := newProject(t, l, map[string]string{"a.txt": "x\n"},
				nebula.Intent{Thoughts: []string{"To keep the thread."}, Actions: []nebula.Action{{Tool: "updateState", Args: args, Reason: "to keep the thread"}}}, say("Noted."))
			events := p.say("go", nil)
			now := p.status()
			i := now.Items
			if i.Goal != "priorities for todos" || i.WhyNow != "asked for" || fmt.Sprint(i.Constraints, i.PlanBrief, i.OpenQuestions) != "[no globals] [domain cli] [default?]" {
				t.Errorf("items %+v\n%s", i, transcript(events))
			}
			if !strings.HasPrefix(moves(events), "PLANNING>EXECUTION") {
				t.Errorf("moved %s", moves(events))
			}
			m := p.script.Prompts()[1].Messages
			if text := m[len(m)-1].Text(); !strings.Contains(text, "priorities for todos") || !strings.Contains(text, "Execution:") {
				t.Errorf("the next request ends with %q", text)
			}
		})
	}
}

func TestDecisionBesideActionsHasEffect(t *testing.T) {
	_, enveloped := deciders()
	goal := "a goal"
	for _, l := range enveloped {
		t.Run(l.Name(), func(t *testing.T) {
			in := acts(act("readFile", "path", "a.txt"))
			in.Decision = &nebula.Decision{Rationale: "to see", GoalConsistency: "yes: it fits", ConstraintCheck: "yes: none", NextStep: "continue", Step: "EXECUTION",
				PromptPattern: "base_specialized", StateDelta: &nebula.Delta{Goal: &goal}}
			p := newProject(t, l, map[string]string{"a.txt": "x\n"}, in, say("Done."))
			events := p.say("go", nil)
			if now := p.status(); now.Items.Goal != goal || !strings.HasPrefix(moves(events), "PLANNING>EXECUTION") {
				t.Errorf("goal %q, moved %s\n%s", now.Items.Goal, moves(events), transcript(events))
			}
			if next := p.script.Prompts()[1]; strings.Contains(next.System, "How to work") {
				t.Error("the pattern had no effect")
			}
		})
	}
}

func TestOwnDoubtsAboutGoalAndConstraintsAsk(t *testing.T) {
	for check, asks := range map[string]bool{"no: it is another task": true, "no": true, "No, not at all": true, "いいえ（別の作業）": true, "yes: it fits": false, "no violations": false, "not applicable": false, "": false} {
		for _, field := range []string{"goal", "constraint"} {
			d := nebula.Decision{GoalConsistency: check}
			if field == "constraint" {
				d = nebula.Decision{ConstraintCheck: check}
			}
			st := newStage(t, reply("", call("1", "note", "path", "a.md", "content", "x")), reply("Ok."))
			st.setup.Approve = gate.Edits
			st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) { return deciding{decision: d}, nil }
			if got := strings.Contains(transcript(st.say("go", always(nebula.Yes))), "asked a1"); got != asks {
				t.Errorf("%s %q: asked %v", field, check, got)
			}
		}
	}
}

func TestWaitingForThePersonIsNoProgress(t *testing.T) {
	for next, want := range map[string]nebula.StepStatus{"pending_user": state.NeedsInput, "defer": state.InProgress} {
		st := newStage(t, reply("Tell me more."))
		st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
			return deciding{decision: nebula.Decision{NextStep: next, Step: "REVIEW"}}, nil
		}
		st.say("go", nil)
		if now := st.status(); now.Step != state.Review || now.StepStatus != want {
			t.Errorf("%s: %s %s", next, now.Step, now.StepStatus)
		}
	}
}

// A request behind finished work is another goal; what was wanted before stays known. A word of thanks is none.
func TestGoalIsRenewedWithAnotherRequest(t *testing.T) {
	st := newStage(t, reply("", call("1", "note", "path", "a.md", "content", "x")), reply("Done."), reply("You are welcome."),
		reply("", call("2", "note", "path", "b.md", "content", "x")), reply("Done."), reply("I cannot."))
	st.setup.Approve = gate.All
	st.say("write down a", nil)
	st.say("thanks", nil)
	if i := st.folded().Items; i.Goal != "write down a" {
		t.Fatalf("goal %q", i.Goal)
	}
	st.say("write down b as well", nil)
	st.say("translate all of it into Japanese", nil)
	if i := st.folded().Items; i.Goal != "translate all of it into Japanese" || !slices.Equal(i.Earlier, []string{"write down a", "write down b as well"}) {
		t.Errorf("goal %q after %q", i.Goal, i.Earlier)
	}
}

// What of the state did not fit is said to the model, which would otherwise believe it kept.
func TestModelIsToldWhatOfTheStateWasCut(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a")), reply("Done."), reply("Done."))
	st.world.set("a", "x")
	many := strings.Fields(strings.Repeat("one ", state.Constraints+1))
	st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
		return deciding{decision: nebula.Decision{StateDelta: &nebula.Delta{Constraints: &many}}}, nil
	}
	st.say("go", nil)
	told := fmt.Sprint(st.script.Prompts()[1].Messages)
	if !strings.Contains(told, "cut was: constraints") {
		t.Error(told)
	}
}
