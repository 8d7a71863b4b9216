package agent_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
	"nebula/internal/state"
)

func TestAnswerWithoutActionsEndsTheTurn(t *testing.T) {
	st := newStage(t, reply("Hello."))
	want(t, st.say("hi", nil),
		`submitted "hi" steer=false`, `replied "Hello." actions=0`, `observed 1`, `ended done "Hello."`)
}

func TestActionsRunInOrderAndEveryCallIsAnswered(t *testing.T) {
	st := newStage(t,
		reply("", call("c1", "note", "path", "a", "content", "1"), call("c2", "look", "path", "a"), call("c3", "shout", "command", "make")),
		reply("Done."))
	want(t, st.say("go", always(nebula.Yes)),
		`submitted "go" steer=false`, `replied "" actions=3`,
		`proposed note "": it changes files`, `asked a1`, `answered yes by person`, `began a1 by person`, `finished note done "written"`,
		`proposed look "allow": changes nothing`, `finished look done "1"`,
		`proposed shout "": it runs a command`, `asked a3`, `answered yes by person`, `began a3 by person`, `finished shout done "exit 0"`,
		`observed 4`, `replied "Done." actions=0`, `observed 1`, `ended done "Done."`)
	sent := st.script.Prompts()[1].Messages
	var answered []string
	for _, m := range sent {
		if m.Role == nebula.ToolRole {
			answered = append(answered, m.CallID)
		}
	}
	if !slices.Equal(answered, []string{"c1", "c2", "c3"}) {
		t.Errorf("calls answered: %v", answered)
	}
}

// Invariant 1.
func TestStateIsTheFoldOfItsEvents(t *testing.T) {
	st := newStage(t,
		reply("", call("c1", "note", "path", "a", "content", "1"), call("c2", "look", "path", "b")),
		reply("", call("c3", "shout", "command", "x")), reply("Done."), reply("Again."))
	st.say("go", always(nebula.Always))
	st.say("more", nil)
	fold := func() *state.State {
		s := state.New()
		for e, err := range st.store.Load(t.Context(), st.session.ID()) {
			if err != nil {
				t.Fatal(err)
			}
			s.Apply(e)
		}
		return s
	}
	one, two := fold(), fold()
	if !reflect.DeepEqual(one, two) {
		t.Error("two folds of the same events differ")
	}
	last := st.script.Prompts()[len(st.script.Prompts())-1].Messages
	if !reflect.DeepEqual(one.Messages[:len(last)], last) {
		t.Errorf("what was sent is not what the stored events say\nsent   %v\nfolded %v", last, one.Messages[:len(last)])
	}
}

// Invariant 3.
func TestDeniedLeavesNoTrace(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "1"), call("c2", "shout", "command", "rm")), reply("Understood."))
	events := st.say("go", func(nebula.Asked) (nebula.Decided, string) { return nebula.No, "use b instead" })
	if len(st.world.files) != 0 || len(st.world.commands()) != 0 {
		t.Errorf("the world changed: %v %v", st.world.files, st.world.commands())
	}
	if !strings.Contains(transcript(events), `denied "Refused, nothing was done: use b instead"`) {
		t.Errorf("the model was not told why:\n%s", transcript(events))
	}
}

// What the person refused is not asked about again in the turn, however it is spelled; the model is told so.
func TestRefusedIsNotAskedAgainInAnotherSpelling(t *testing.T) {
	st := newStage(t, reply("", call("c1", "shout", "command", "rm -rf x")), reply("", call("c2", "shout", "command", "cd . && rm -r -f ./x")),
		reply("", call("c3", "shout", "command", "sh -c 'rm x'")), reply("", call("c4", "shout", "command", "ls x")), reply("Understood."), reply("", call("c5", "shout", "command", "rm -fr x")), reply("Done."))
	asked := 0
	events := st.say("go", func(nebula.Asked) (nebula.Decided, string) { asked++; return nebula.No, "keep it" })
	if asked != 2 || len(st.world.commands()) != 0 {
		t.Errorf("%d questions, commands %v", asked, st.world.commands())
	}
	if n := strings.Count(transcript(events), "refused just this already"); n < 2 {
		t.Errorf("the model was told so %d times:\n%s", n, transcript(events))
	}
	st.say("now remove it", func(nebula.Asked) (nebula.Decided, string) { asked++; return nebula.Yes, "" })
	if asked != 3 || len(st.world.commands()) != 1 {
		t.Errorf("%d questions, commands %v: in a new turn it can be asked about again", asked, st.world.commands())
	}
}

func TestNoCommandRunsWithoutTheChangeBeforeIt(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "1"), call("c2", "note", "path", "b", "content", "2"), call("c3", "shout", "command", "make")), reply("Understood."))
	asked := 0
	events := st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		asked++
		return []nebula.Decided{nebula.No, nebula.Yes, nebula.Yes}[asked-1], ""
	})
	if asked != 2 || len(st.world.commands()) != 0 {
		t.Errorf("%d questions, commands %v: a refused change takes the command behind it along, and no other change", asked, st.world.commands())
	}
	if !strings.Contains(transcript(events), "the change of note, which was refused") {
		t.Errorf("the model was not told why:\n%s", transcript(events))
	}
}

func TestThePersonsOwnCommandRunsInstead(t *testing.T) {
	st := newStage(t, reply("", call("c1", "shout", "command", "rm -r build")), reply("Fine."))
	events := st.say("go", func(a nebula.Asked) (nebula.Decided, string) {
		if err := st.session.Send(t.Context(), nebula.Answer{Ask: a.Ask, Answer: nebula.No, Command: "ls"}); err == nil {
			t.Error("a command came with a no")
		}
		if err := st.session.Send(t.Context(), nebula.Answer{Ask: a.Ask, Answer: nebula.Yes, Command: "ls build"}); err != nil {
			t.Error(err)
		}
		return nebula.Yes, ""
	})
	if got := st.world.commands(); len(got) != 1 || got[0] != "ls build" {
		t.Errorf("ran %q", got)
	}
	if !strings.Contains(transcript(events), "The person had this run instead: ls build") {
		t.Errorf("the model was not told:\n%s", transcript(events))
	}
}

func TestOnlyACommandCanBeChanged(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "x")), reply("Fine."))
	st.say("go", func(a nebula.Asked) (nebula.Decided, string) {
		if err := st.session.Send(t.Context(), nebula.Answer{Ask: a.Ask, Answer: nebula.Yes, Command: "ls"}); err == nil {
			t.Error("a file's change took a command")
		}
		return nebula.No, ""
	})
	if len(st.world.files)+len(st.world.commands()) != 0 {
		t.Error("something was done")
	}
}

func TestACutAnswerSaysSoAndIsNoClaim(t *testing.T) {
	cut := reply("It has three parts, of which")
	cut.Finish = "length"
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "x")), cut)
	events := st.say("go", always(nebula.Yes))
	told := false
	for _, e := range events {
		if b, ok := e.Body.(nebula.Noted); ok {
			told = told || strings.Contains(b.Text, "the longest that this model writes")
		}
	}
	if end := events[len(events)-1].Body.(nebula.Ended); !told || end.Status != nebula.LimitReached || len(st.script.Prompts()) != 2 {
		t.Errorf("told %v, %s after %d requests\n%s", told, end.Status, len(st.script.Prompts()), transcript(events))
	}
}

// Invariant 4.
func TestWhatWasShownIsWhatRuns(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "mine")), reply("Oh."))
	st.world.set("a", "old")
	events := st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		st.world.set("a", "changed meanwhile")
		return nebula.Yes, ""
	})
	if text, _ := st.world.get("a"); text != "changed meanwhile" {
		t.Errorf("a stale yes wrote %q", text)
	}
	if !strings.Contains(transcript(events), "changed after the question was shown") {
		t.Errorf("the model was not told:\n%s", transcript(events))
	}
}

func TestModeSwitchVoidsTheAnswer(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "x")), reply("Oh."))
	st.open("")
	st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		if err := st.session.Send(t.Context(), nebula.Switch{Mode: nebula.PlanMode}); err != nil {
			t.Error(err)
		}
		return nebula.Yes, ""
	})
	if len(st.world.files) != 0 {
		t.Error("plan mode was entered before the answer, and still the file was written")
	}
}

// Invariant 6.
func TestInferredAlwaysAsks(t *testing.T) {
	for _, approve := range []gate.Approve{gate.Ask, gate.Edits, gate.All} {
		st := newStage(t, reply("", call("c1", "note?", "path", "a", "content", "x")), reply("Ok."))
		st.setup.Approve = approve
		events := st.say("go", always(nebula.No))
		if !strings.Contains(transcript(events), "asked a1") || len(st.world.files) != 0 {
			t.Errorf("approve %s: a guessed action ran unasked:\n%s", approve, transcript(events))
		}
	}
}

// Invariant 7.
func TestPlanModeChangesNothing(t *testing.T) {
	for _, choice := range gate.Choices() {
		approve := gate.Approve(choice)
		st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "x"), call("c2", "shout", "command", "x"), call("c3", "note?", "path", "b", "content", "x")), reply("Plan."))
		st.setup.Approve = approve
		st.setup.Begin.Mode = nebula.PlanMode
		events := st.say("go", always(nebula.Yes))
		if len(st.world.files) != 0 || len(st.world.commands()) != 0 {
			t.Errorf("approve %s: plan mode changed something:\n%s", approve, transcript(events))
		}
		if offered := st.script.Prompts()[0].Tools; len(offered) != 2 {
			t.Errorf("plan mode offers %d tools, want look and wonder", len(offered))
		}
	}
}

func TestModeSwitchKeepsTheConversation(t *testing.T) {
	st := newStage(t, reply("One."), reply("Two."))
	st.setup.Begin.Mode = nebula.PlanMode
	st.say("first", nil)
	if err := st.session.Send(t.Context(), nebula.Switch{Mode: nebula.AgentMode}); err != nil {
		t.Fatal(err)
	}
	st.say("second", nil)
	p := st.script.Prompts()[1]
	if len(p.Messages) != 3 || len(p.Tools) != 4 || p.System == st.script.Prompts()[0].System {
		t.Errorf("after the switch: %d messages, %d tools", len(p.Messages), len(p.Tools))
	}
}

func TestAlwaysHoldsForTheSameKindAndTargetOnly(t *testing.T) {
	st := newStage(t,
		reply("", call("1", "shout", "command", "go test")),
		reply("", call("2", "shout", "command", "go test"), call("3", "shout", "command", "go test ./...")),
		reply("Done."))
	asked := 0
	st.say("go", func(nebula.Asked) (nebula.Decided, string) { asked++; return nebula.Always, "" })
	if asked != 2 {
		t.Errorf("asked %d times, want 2: once for each command", asked)
	}
}

func TestNobodyToAskRefusesAndReports(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "x")), reply("I could not."))
	st.setup.Approve = gate.None
	events := st.say("go", nil)
	end := events[len(events)-1].Body.(nebula.Ended)
	if end.Status != nebula.NeedsApproval || end.Actions[0].Status != nebula.Denied {
		t.Errorf("ended %s with %+v", end.Status, end.Actions)
	}
}

func TestUnknownToolAndProblemAreValuesTheModelReads(t *testing.T) {
	st := newStage(t, reply("", call("1", "fly"), call("2", "look", "path", "none"), nebula.Call{ID: "3", Name: "look", Arguments: "{"}), reply("Sorry."))
	events := st.say("go", nil)
	text := transcript(events)
	for _, line := range []string{`no tool \"fly\"`, `there is no none`, `are not a JSON object`} {
		if !strings.Contains(text, line) {
			t.Errorf("no result says %q:\n%s", line, text)
		}
	}
}

func TestQuestionOfTheModelIsAnswered(t *testing.T) {
	st := newStage(t, reply("", call("1", "wonder", "question", "Tabs?")), reply("? Which licence?"), reply("MIT it is."))
	answers := []string{"spaces", "MIT"}
	events := st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		a := answers[0]
		answers = answers[1:]
		return nebula.Told, a
	})
	want(t, events, `submitted "go" steer=false`, `replied "" actions=1`, `proposed wonder "allow": a question`, `asked a1`, `answered told by person`,
		`finished wonder done "spaces"`, `observed 2`, `replied "? Which licence?" actions=0`, `asked `, `answered told by person`, `observed 2`,
		`replied "MIT it is." actions=0`, `observed 1`, `ended done "MIT it is."`)
}

func TestQuestionWithoutAnAnswerNeedsInput(t *testing.T) {
	st := newStage(t, reply("? Which licence?"))
	events := st.say("go", always(nebula.No))
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.NeedsInput {
		t.Errorf("ended %s", end.Status)
	}
}

func TestUnreadableRepliesAreAskedForAgainTwice(t *testing.T) {
	st := newStage(t, reply("garbage"), reply("garbage"), reply("garbage"), reply("never asked"))
	events := st.say("go", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.TurnFailed || len(st.script.Prompts()) != 3 {
		t.Errorf("ended %s after %d requests", end.Status, len(st.script.Prompts()))
	}
}

func TestSteeringJoinsTheTurnAfterTheResults(t *testing.T) {
	st := newStage(t, reply("", call("1", "shout", "command", "x")), reply("As you say."))
	st.setup.Approve = gate.All
	s := st.open("")
	st.world.before = func(string) {
		if err := s.Send(t.Context(), nebula.Submit{Text: "and be quick"}); err != nil {
			t.Error(err)
		}
	}
	st.say("go", nil)
	m := st.script.Prompts()[1].Messages
	if len(m) != 4 || m[2].Role != nebula.ToolRole || m[3].Text() != "and be quick" {
		t.Errorf("the model read %v", m)
	}
}

func TestSteeringDuringTheLastReplyIsAnswered(t *testing.T) {
	st := newStage(t, reply("Done."), reply("Also done."))
	s := st.open("")
	st.script.Before = func(_ context.Context, n int) {
		if n == 0 {
			if err := s.Send(t.Context(), nebula.Submit{Text: "also this"}); err != nil {
				t.Error(err)
			}
		}
	}
	events := st.say("go", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Text != "Also done." {
		t.Errorf("the turn ended with %q", end.Text)
	}
}

func TestCancelStopsTheModelWithin200ms(t *testing.T) {
	st := newStage(t, reply("never"))
	s := st.open("")
	reached := make(chan struct{})
	st.script.Before = func(ctx context.Context, _ int) {
		close(reached)
		<-ctx.Done()
	}
	go func() {
		<-reached
		_ = s.Send(context.Background(), nebula.Cancel{})
	}()
	start := time.Now()
	events := st.say("go", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.Cancelled {
		t.Errorf("ended %s", end.Status)
	}
	if took := time.Since(start); took > 200*time.Millisecond {
		t.Errorf("took %v", took)
	}
}

func TestCancelAtTheGateSkipsTheRestAndKeepsHistoryWhole(t *testing.T) {
	st := newStage(t, reply("", call("1", "note", "path", "a", "content", "x"), call("2", "shout", "command", "x")), reply("Yes?"))
	s := st.open("")
	events := st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		_ = s.Send(context.Background(), nebula.Cancel{})
		return nebula.Yes, ""
	})
	if len(st.world.files) != 0 || !strings.Contains(transcript(events), "finished shout skipped") {
		t.Errorf("got\n%s", transcript(events))
	}
	st.say("still there?", nil)
	tools := 0
	for _, m := range st.script.Prompts()[1].Messages {
		if m.Role == nebula.ToolRole {
			tools++
		}
	}
	if tools != 2 {
		t.Errorf("%d calls answered, want 2", tools)
	}
}

func TestStepLimitEndsTheTurn(t *testing.T) {
	st := newStage(t)
	st.script.Answers = func(int, nebula.Prompt) *nebula.Reply {
		r := reply("", call("1", "shout", "command", "again"))
		return &r
	}
	st.setup.Approve = gate.All
	st.setup.Limits.Steps = 3
	events := st.say("go", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.LimitReached || len(st.world.commands()) != 3 {
		t.Errorf("ended %s after %d commands", end.Status, len(st.world.commands()))
	}
}

func TestFailedAPIEndsTheTurnAndTheSessionGoesOn(t *testing.T) {
	st := newStage(t, reply(""), reply("Back."))
	st.script.Faults = map[int]error{0: &nebula.APIError{Kind: "auth", Text: "401", Next: "check the key"}}
	events := st.say("go", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.APIFailed || !strings.Contains(end.Text, "check the key") {
		t.Errorf("ended %s %q", end.Status, end.Text)
	}
	events = st.say("again", nil)
	if end := events[len(events)-1].Body.(nebula.Ended); end.Text != "Back." {
		t.Errorf("ended %q", end.Text)
	}
}

// Invariants 2 and 8: wherever the process stops, what was acknowledged is there, and the history is one a model can
// read. Every prefix of a session's events is a crash.
func TestEveryPrefixResumesToAWholeHistory(t *testing.T) {
	st := newStage(t,
		reply("", call("c1", "note", "path", "a", "content", "1"), call("c2", "shout", "command", "x")),
		reply("Done."))
	st.say("go", always(nebula.Yes))
	var events []nebula.Event
	for e, err := range st.store.Load(t.Context(), st.session.ID()) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	for n := 2; n <= len(events); n++ {
		again := newStage(t, reply("Resumed."))
		id := st.session.ID()
		info := nebula.SessionInfo{ID: id, Dir: "/project", Model: "scripted", Started: events[0].At}
		if err := again.store.Create(t.Context(), info); err != nil {
			t.Fatal(err)
		}
		if err := again.store.Append(t.Context(), id, events[:n]...); err != nil {
			t.Fatal(err)
		}
		again.open(id)
		got := again.say("and now?", nil)
		if end := got[len(got)-1].Body.(nebula.Ended); end.Text != "Resumed." {
			t.Errorf("cut after %d (%s): ended %q", n, events[n-1].Body.Name(), end.Text)
		}
		wholeHistory(t, n, again.script)
	}
}

func wholeHistory(t *testing.T, n int, script *nebulatest.Script) {
	t.Helper()
	open := map[string]bool{}
	for _, m := range script.Prompts()[0].Messages {
		for _, c := range m.Calls() {
			open[c.ID] = true
		}
		if m.Role == nebula.ToolRole {
			if !open[m.CallID] {
				t.Errorf("cut after %d: call %s is answered twice or was never made", n, m.CallID)
			}
			delete(open, m.CallID)
		} else if m.Role == nebula.User && len(open) > 0 {
			t.Errorf("cut after %d: calls without an answer: %v", n, open)
		}
	}
}

func TestInterruptedActionIsNotDoneAgain(t *testing.T) {
	st := newStage(t, reply("", call("c1", "shout", "command", "deploy")))
	st.setup.Approve = gate.All
	st.say("go", nil)
	var events []nebula.Event
	for e := range st.store.Load(t.Context(), st.session.ID()) {
		events = append(events, e)
		if _, ok := e.Body.(nebula.Began); ok {
			break
		}
	}
	again := newStage(t, reply("I will check."))
	id := st.session.ID()
	_ = again.store.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/project"})
	if err := again.store.Append(t.Context(), id, events...); err != nil {
		t.Fatal(err)
	}
	again.open(id)
	again.say("continue", nil)
	if len(again.world.commands()) != 0 {
		t.Error("the command ran again")
	}
	if m := again.script.Prompts()[0].Messages; !strings.Contains(m[2].Text(), "whether it took effect is not known") {
		t.Errorf("the model read %q", m[2].Text())
	}
}

func TestUndoAndRedo(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "new")), reply("Done."))
	st.setup.Approve = gate.All
	st.world.set("a", "old")
	st.say("go", nil)
	before := nebula.Hash([]byte("old"))
	send := func(c nebula.Command) error { return st.session.Send(t.Context(), c) }
	if err := send(nebula.Undo{}); err != nil {
		t.Fatal(err)
	}
	if text, _ := st.world.get("a"); text != "content "+before {
		t.Errorf("after undo: %q", text)
	}
	if err := send(nebula.Undo{}); err == nil {
		t.Error("undo took back the same turn twice")
	}
	if err := send(nebula.Undo{Redo: true}); err != nil {
		t.Fatal(err)
	}
	if err := send(nebula.Undo{}); err != nil {
		t.Errorf("undo after redo: %v", err)
	}
}

// An undo in whose middle nebula was killed goes on when the session is opened; one that failed does not.
func TestUndoThatWasCutOffGoesOn(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "new")), reply("Done."))
	st.setup.Approve = gate.All
	st.world.set("a", "old")
	st.say("go", nil)
	before := nebula.Hash([]byte("old"))
	again := func(bodies ...nebula.Body) {
		t.Helper()
		id := st.session.ID()
		_ = st.session.Send(t.Context(), nebula.Close{})
		if err := st.session.Wait(); err != nil {
			t.Fatal(err)
		}
		var seq int64
		for e, err := range st.store.Load(t.Context(), id) {
			if err != nil {
				t.Fatal(err)
			}
			seq = e.Seq
		}
		for i, b := range bodies {
			if err := st.store.Append(t.Context(), id, nebula.Event{Seq: seq + 1 + int64(i), At: time.Unix(9, 0), Body: b}); err != nil {
				t.Fatal(err)
			}
		}
		st.open(id)
	}
	begun := nebula.Began{Action: "undo7", Grant: "undo7", By: "person", Turn: 1}
	again(begun, nebula.Undone{Turn: 1, Failed: "no room"})
	if text, _ := st.world.get("a"); text != "new" {
		t.Errorf("what had failed went on: %q", text)
	}
	again(begun)
	if text, _ := st.world.get("a"); text != "content "+before {
		t.Errorf("it did not go on: %q", text)
	}
	if err := st.session.Send(t.Context(), nebula.Undo{}); err == nil {
		t.Error("the turn is taken back twice")
	}
	if err := st.session.Send(t.Context(), nebula.Undo{Redo: true}); err != nil {
		t.Error(err)
	}
}

func TestUndoIsToldToTheModel(t *testing.T) {
	st := newStage(t, reply("", call("c1", "note", "path", "a", "content", "new")), reply("Done."), reply("I see."))
	st.setup.Approve = gate.All
	st.say("go", nil)
	if err := st.session.Send(t.Context(), nebula.Undo{}); err != nil {
		t.Fatal(err)
	}
	st.say("and now?", nil)
	m := st.script.Prompts()[2].Messages
	if text := m[len(m)-2].Text(); !strings.Contains(text, "took back the file changes of turn 1: a") {
		t.Errorf("the model read %q", text)
	}
}

func TestTwoProcessesCannotOpenOneSession(t *testing.T) {
	st := newStage(t, reply("Hi."))
	st.say("go", nil)
	other, err := agentOpen(t, st)
	if !errors.Is(err, nebula.ErrInUse) {
		t.Errorf("got %v, %v", other, err)
	}
}

func TestNothingIsKeptBeforeTheFirstMessage(t *testing.T) {
	st := newStage(t)
	s := st.open("")
	_ = s.Send(t.Context(), nebula.Switch{Mode: nebula.PlanMode})
	_ = s.Send(t.Context(), nebula.Close{})
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	if list, err := st.store.Sessions(t.Context(), ""); err != nil || len(list) != 0 {
		t.Errorf("kept %v, %v", list, err)
	}
}

func TestLostDiskEndsTheSessionLoudly(t *testing.T) {
	st := newStage(t, reply("Hi."), reply("Hi."))
	st.say("go", nil)
	_ = st.store.Close()
	err := st.session.Send(t.Context(), nebula.Submit{Text: "more"})
	if err == nil {
		t.Fatal("a message was acknowledged that could not be kept")
	}
	if st.session.Wait() == nil {
		t.Error("the session went on unrecorded")
	}
}

// A session of which nothing is recorded is named to nobody: there is none to go on with.
func TestSessionThatWasNeverKeptIsNotNamed(t *testing.T) {
	for _, kept := range []bool{false, true} {
		st := newStage(t, reply("Hi."), reply("Hi."))
		if kept {
			st.say("go", nil)
		} else {
			st.open("")
		}
		_ = st.store.Close()
		err := st.session.Send(t.Context(), nebula.Submit{Text: "more"})
		if err == nil || strings.Contains(err.Error(), st.session.ID()) != kept {
			t.Errorf("kept %v: %v", kept, err)
		}
	}
}

func TestEveryFrontEndSeesTheSameEvents(t *testing.T) {
	st := newStage(t, reply("One."), reply("Two."))
	s := st.open("")
	st.say("a", nil)
	st.say("b", nil)
	_ = s.Send(t.Context(), nebula.Close{})
	_ = s.Wait()
	var all, later []int64
	for e := range s.Events(t.Context(), 0) {
		all = append(all, e.Seq)
	}
	for e := range s.Events(t.Context(), 4) {
		later = append(later, e.Seq)
	}
	if len(all) == 0 || !slices.Equal(all[4:], later) {
		t.Errorf("from the start %v, after 4 %v", all, later)
	}
}

func TestRequestPrefixIsIdenticalFromTurnToTurn(t *testing.T) {
	st := newStage(t, reply("One."), reply("Two."), reply("Three."))
	for _, text := range []string{"a", "b", "c"} {
		st.say(text, nil)
	}
	p := st.script.Prompts()
	for i := 1; i < len(p); i++ {
		if p[i].System != p[i-1].System || !reflect.DeepEqual(p[i].Messages[:len(p[i-1].Messages)], p[i-1].Messages) {
			t.Errorf("request %d does not begin with request %d", i, i-1)
		}
	}
}
