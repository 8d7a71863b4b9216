package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
)

// given carries out actions and follows their turn to its end.
func (st *stage) given(answer responder, actions ...nebula.Action) []nebula.Event {
	st.t.Helper()
	ctx, cancel := context.WithTimeout(st.t.Context(), 10*time.Second)
	defer cancel()
	if st.session == nil {
		st.open("")
	}
	if err := st.session.Send(ctx, nebula.Perform{Text: "step one", Actions: actions, By: "nebula"}); err != nil {
		st.t.Fatal(err)
	}
	var events []nebula.Event
	for e := range st.session.Events(ctx, 0) {
		if b, ok := e.Body.(nebula.Submitted); ok && b.By != "" {
			events = nil
		}
		events = append(events, e)
		if b, ok := e.Body.(nebula.Asked); ok && answer != nil {
			d, why := answer(b)
			_ = st.session.Send(ctx, nebula.Answer{By: nebula.Person, Ask: b.Ask, Answer: d, Text: why})
		}
		if _, ok := e.Body.(nebula.Ended); ok {
			return events
		}
	}
	st.t.Fatal("the turn did not end")
	return nil
}

func TestGivenActionsGoThroughTheGate(t *testing.T) {
	st := newStage(t, reply("I see."))
	note := nebula.Action{Call: "task_1", Tool: "note", Args: []byte(`{"path":"a","content":"x"}`), Reason: "to test"}
	events := st.given(always(nebula.Yes), note)
	want(t, events, `submitted "step one" steer=false`, `replied "" actions=1`, `proposed note "": it changes files`, "asked a1",
		"answered yes by person", "began a1 by person", `finished note done "written"`, "observed 1", `ended done "written"`)
	for _, e := range events {
		if f, ok := e.Body.(nebula.Finished); ok && f.Result.Call != "task_1" {
			t.Errorf("the result names %q", f.Result.Call)
		}
	}
	if text, _ := st.world.get("a"); text != "x" {
		t.Errorf("a holds %q", text)
	}
	st.say("what happened?", nil)
	sent := st.script.Prompts()[0].Messages
	if len(sent) < 2 || !strings.Contains(sent[0].Text(), "note a (to test): done") || sent[len(sent)-1].Role != nebula.User {
		t.Errorf("the model reads %+v", sent)
	}
}

func TestGivenActionsThatAreRefusedLeaveNoTrace(t *testing.T) {
	st := newStage(t)
	st.setup.Approve = gate.None
	events := st.given(nil, nebula.Action{Tool: "note", Args: []byte(`{"path":"a","content":"x"}`)}, nebula.Action{Tool: "look", Args: []byte(`{"path":"nowhere"}`)})
	if end := last(t, events); end.Status != nebula.NeedsApproval || len(end.Actions) != 2 {
		t.Errorf("ended %s with %d results", end.Status, len(end.Actions))
	}
	if _, ok := st.world.get("a"); ok {
		t.Error("it was written")
	}
}

// A beside answers for the background.
type beside struct {
	answers  chan nebula.Answer
	switched chan nebula.Switched
	allowed  chan string
}

func (beside) Progress(string) string { return "plan_1: 1 of 2 steps done" }
func (beside) Plan() *nebula.Plan     { return &nebula.Plan{ID: "plan_1"} }
func (b beside) Answer(_ context.Context, a nebula.Answer) error {
	b.answers <- a
	return nil
}
func (b beside) Allow(_ context.Context, key string)       { b.allowed <- key }
func (beside) Direct(context.Context, nebula.Direct) error { return nil }
func (b beside) Follow(_ context.Context, s nebula.Switched) error {
	b.switched <- s
	return nil
}

func TestBackgroundFollowsTheConversation(t *testing.T) {
	st := newStage(t)
	b := beside{switched: make(chan nebula.Switched, 2)}
	st.setup.Beside = b
	s, ctx := st.open(""), t.Context()
	if err := s.Send(ctx, nebula.Switch{Approve: "all"}); err != nil {
		t.Fatal(err)
	}
	if got := <-b.switched; got.Approve != "all" {
		t.Errorf("it follows %+v", got)
	}
	if err := s.Send(ctx, nebula.Switch{Mode: nebula.PlanMode}); err != nil {
		t.Fatal(err)
	}
	if got := <-b.switched; got.Mode != nebula.PlanMode {
		t.Errorf("it follows %+v", got)
	}
	if err := s.Send(ctx, nebula.Direct{Do: nebula.RunPlan}); err == nil {
		t.Error("a plan is carried out in plan mode")
	}
}

// What is allowed always is told to the background before the answer counts as taken in; a yes for once, and an always for an edit,
// are the conversation's own.
func TestBackgroundIsToldWhatIsAllowedAlways(t *testing.T) {
	for _, c := range []struct {
		tool, arg, value string
		answer           nebula.Decided
		want             string
	}{
		{"shout", "command", "x", nebula.Always, "shout x"}, {"shout", "command", "x", nebula.Yes, ""}, {"note", "path", "a", nebula.Always, ""},
	} {
		st := newStage(t, reply("", call("c1", c.tool, c.arg, c.value, "content", "1")), reply("Done."))
		b := beside{allowed: make(chan string, 1)}
		st.setup.Beside = b
		st.say("go", always(c.answer))
		got := ""
		select {
		case got = <-b.allowed:
		default:
		}
		if got != c.want {
			t.Errorf("%s %s: it was told %q, not %q", c.tool, c.answer, got, c.want)
		}
	}
}

func TestQuestionsOfTheBackgroundWaitBesideTheConversation(t *testing.T) {
	st := newStage(t, reply("Fine."))
	b := beside{answers: make(chan nebula.Answer, 1)}
	st.setup.Beside = b
	s, ctx := st.open(""), t.Context()
	asked := nebula.Queued{Ask: "step_1/q2", Plan: "plan_1", Step: "step_1", Question: &nebula.Question{Text: "which?"}}
	report := nebula.Reported{Plan: "plan_1", Step: "step_0", Text: "[report of step_0: completed]", Changes: []nebula.Change{{Path: "x", Kind: "create", After: "h"}}}
	if err := s.Send(ctx, nebula.Inform{Bodies: []nebula.Body{nebula.Tasked{Number: 1}, asked, report}}); err != nil {
		t.Fatal(err)
	}
	events := st.say("how is it going?", nil)
	if err := s.Send(ctx, nebula.Inform{Bodies: []nebula.Body{nebula.Tasked{Number: 2}}}); err != nil {
		t.Error(err)
	}
	if end := last(t, events); end.Status != nebula.TurnDone {
		t.Errorf("ended %s", end.Status)
	}
	sent := ""
	for _, m := range st.script.Prompts()[0].Messages {
		sent += m.Text() + "\n"
	}
	if !strings.Contains(sent, "[report of step_0") || !strings.Contains(sent, "1 of 2 steps done") {
		t.Errorf("the model reads %q", sent)
	}
	if err := s.Send(ctx, nebula.Answer{By: nebula.Person, Ask: "step_1/q2", Answer: nebula.Told, Text: "that one"}); err != nil {
		t.Fatal(err)
	}
	if a := <-b.answers; a.Text != "that one" || a.By != "person" {
		t.Errorf("answered %+v", a)
	}
	if err := s.Send(ctx, nebula.Answer{By: nebula.Person, Ask: "step_1/q2", Answer: nebula.Told, Text: "again"}); err == nil {
		t.Error("it was answered twice")
	}
}

// errands answer for commands in the background.
type errands struct{ asked []nebula.Job }

func (*errands) Told(string) string { return "job 1 (serve): running" }
func (e *errands) Do(c nebula.Job) (nebula.Words, error) {
	e.asked = append(e.asked, c)
	return nebula.Say("one runs"), nil
}

// What runs in the background is told with every request, and the person asks about it also while the model works.
func TestCommandsInTheBackgroundAreTold(t *testing.T) {
	st := newStage(t, reply("Fine."))
	e := &errands{}
	st.setup.Jobs = e
	s := st.open("")
	if err := s.Send(t.Context(), nebula.Job{ID: 1, Stop: true}); err != nil || len(e.asked) != 1 || e.asked[0] != (nebula.Job{ID: 1, Stop: true}) {
		t.Errorf("%+v %v", e.asked, err)
	}
	events := st.say("how is it going?", nil)
	sent := ""
	for _, m := range st.script.Prompts()[0].Messages {
		sent += m.Text() + "\n"
	}
	if !strings.Contains(sent, "In the background: job 1 (serve): running") {
		t.Errorf("the model reads %q", sent)
	}
	if !strings.Contains(transcript(events), "one runs") {
		t.Log(transcript(events))
	}
	without := newStage(t)
	if err := without.open("").Send(t.Context(), nebula.Job{}); err == nil {
		t.Error("there can be none")
	}
}
