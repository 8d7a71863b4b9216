package agent_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/protocol/dialect"
	"nebula/internal/protocol/toolcall"
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
	one, two := st.folded(), st.folded()
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
	if !strings.Contains(transcript(events), `denied "Refused, this was not done: use b instead"`) {
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
	if !strings.Contains(transcript(events), "the change of note (a), which was refused") {
		t.Errorf("the model was not told why:\n%s", transcript(events))
	}
}

func TestAYesThatNobodyGivesAllowsNothing(t *testing.T) {
	st := newStage(t, reply("", call("c1", "shout", "command", "make")), reply("Not then."))
	st.say("go", func(a nebula.Asked) (nebula.Decided, string) {
		for _, c := range []nebula.Answer{
			{Ask: a.Ask, Answer: nebula.Yes}, {Ask: a.Ask, Answer: nebula.Yes, By: nebula.Nobody}, {Ask: a.Ask, Answer: nebula.Always}, {Ask: a.Ask, Answer: nebula.Told, Text: "yes"},
		} {
			if err := st.session.Send(t.Context(), c); err == nil {
				t.Errorf("%+v was taken", c)
			}
		}
		return nebula.No, ""
	})
	if got := st.world.commands(); len(got) != 0 {
		t.Errorf("ran %q", got)
	}
}

func TestThePersonsOwnCommandRunsInstead(t *testing.T) {
	st := newStage(t, reply("", call("c1", "shout", "command", "rm -r build")), reply("Fine."))
	events := st.say("go", func(a nebula.Asked) (nebula.Decided, string) {
		if err := st.session.Send(t.Context(), nebula.Answer{By: nebula.Person, Ask: a.Ask, Answer: nebula.No, Command: "ls"}); err == nil {
			t.Error("a command came with a no")
		}
		if err := st.session.Send(t.Context(), nebula.Answer{By: nebula.Person, Ask: a.Ask, Answer: nebula.Yes, Command: "ls build"}); err != nil {
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
		if err := st.session.Send(t.Context(), nebula.Answer{By: nebula.Person, Ask: a.Ask, Answer: nebula.Yes, Command: "ls"}); err == nil {
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

func TestAFilteredAnswerSaysSoAndIsNoSuccess(t *testing.T) {
	filtered := reply("It has three parts, of which")
	filtered.Finish = "content_filter"
	st := newStage(t, filtered)
	events := st.say("what is it?", always(nebula.Yes))
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.TurnFailed || !strings.HasPrefix(end.Text, "It has three parts, of which\nthe provider's filter ended the reply") {
		t.Errorf("%s %q\n%s", end.Status, end.Text, transcript(events))
	}
}

// A reply whose end nobody knows may be cut: nothing of it is done, and the person is told what end it was.
func TestAnUnknownEndSaysSoAndIsNoSuccess(t *testing.T) {
	text := reply("It has three parts, of which")
	text.Finish = "brand_new"
	acts := reply("", call("1", "writeFile", "path", "a", "content", "x"))
	acts.Finish = "brand_new"
	st := newStage(t, text)
	if end := last(t, st.say("what is it?", always(nebula.Yes))); end.Status != nebula.TurnFailed || !strings.HasPrefix(end.Text, `It has three parts, of which`+"\n"+`the server ended the reply as "brand_new"`) || len(st.script.Prompts()) != 1 {
		t.Errorf("%s %q", end.Status, end.Text)
	}
	p := newProject(t, languages()[0], map[string]string{"x": "x"})
	p.setup.Approve, p.script.Replies = gate.All, []nebula.Reply{acts, reply("a could not be written: the reply was not whole.")}
	p.say("write a", nil)
	if told := p.sent(1); p.exists("a") || !strings.Contains(told, `the server ended the reply as \"brand_new\"`) && !strings.Contains(told, `the server ended the reply as "brand_new"`) {
		t.Errorf("told %q", told)
	}
}

// A reply that pauses is sent back to go on; where it only pauses, it is not taken for whole.
func TestAPauseThatNeverEndsIsNoSuccess(t *testing.T) {
	pause := reply("Searching…")
	pause.Finish = "pause"
	st := newStage(t, pause, pause, pause, pause)
	if end := last(t, st.say("what is it?", always(nebula.Yes))); end.Status != nebula.TurnFailed || !strings.Contains(end.Text, `the server ended the reply as "pause"`) || len(st.script.Prompts()) != 3 {
		t.Errorf("%s %q after %d requests", end.Status, end.Text, len(st.script.Prompts()))
	}
	st = newStage(t, pause, reply("It has three parts."))
	if end := last(t, st.say("what is it?", always(nebula.Yes))); end.Status != nebula.TurnDone || !strings.HasSuffix(end.Text, "It has three parts.") {
		t.Errorf("%s %q", end.Status, end.Text)
	}
}

// A reply that ends as one that calls, and calls nothing, is asked about once; from a server that says so always its answer is taken, and that
// is said.
func TestACallThatDidNotComeIsAskedFor(t *testing.T) {
	empty := reply("It has three parts.")
	empty.Finish = "tool_calls"
	for name, c := range map[string]struct {
		replies []nebula.Reply
		status  nebula.EndStatus
		asked   int
		text    string
	}{
		"it comes":   {[]nebula.Reply{empty, reply("", call("1", "readFile", "path", "hi.py")), reply("Four.")}, nebula.TurnDone, 3, "Four."},
		"none meant": {[]nebula.Reply{empty, reply("No call was meant.")}, nebula.TurnDone, 2, "It has three parts.\n\nNo call was meant."},
		"always":     {[]nebula.Reply{empty, empty, empty}, nebula.TurnUnchecked, 2, "It has three parts."},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n"})
			p.script.Replies = c.replies
			end := last(t, p.say("what is it?", nil))
			if end.Status != c.status || end.Text != c.text || len(p.script.Prompts()) != c.asked || slices.Contains(end.Unfounded, "never_called") != (c.status != nebula.TurnDone) {
				t.Errorf("%s %q %v after %d requests", end.Status, end.Text, end.Unfounded, len(p.script.Prompts()))
			}
			if name == "always" { // it is known by now
				if end := last(t, p.say("and again?", nil)); len(p.script.Prompts()) != 3 || !slices.Contains(end.Unfounded, "never_called") {
					t.Errorf("again: %s %q after %d requests", end.Status, end.Text, len(p.script.Prompts()))
				}
			}
		})
	}
}

// A reply that its server only paused is sent back, and goes on; a number of times.
func TestAPausedReplyGoesOn(t *testing.T) {
	for name, paused := range map[string]nebula.Reply{"with text": {Parts: nebula.Text("Half of"), Finish: "pause"}, "without": {Finish: "pause"}} {
		st := newStage(t, paused, paused, reply("the answer."))
		events := st.say("what is it?", always(nebula.Yes))
		if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.TurnDone || end.Text != "the answer." || len(st.script.Prompts()) != 3 {
			t.Errorf("%s: %s %q after %d requests\n%s", name, end.Status, end.Text, len(st.script.Prompts()), transcript(events))
		}
	}
}

// What a filter withholds is not asked for again.
func TestAWithheldAnswerIsAskedForOnce(t *testing.T) {
	st := newStage(t, nebula.Reply{Finish: "content_filter"}, reply("It was not withheld."))
	events := st.say("what is it?", always(nebula.Yes))
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.TurnFailed || !strings.HasPrefix(end.Text, "the provider's filter ended the reply; say it in other words") || len(st.script.Prompts()) != 1 {
		t.Errorf("%s %q after %d requests\n%s", end.Status, end.Text, len(st.script.Prompts()), transcript(events))
	}
}

// Nothing to read is not the same as nothing that can be read: what helps is another thing.
func TestWhoSaysNothingIsToldApart(t *testing.T) {
	for want, parts := range map[string]nebula.Parts{
		"thought and then said nothing": {{Kind: nebula.ReasoningPart, Text: "It is so."}},
		"replies were empty":            nil,
	} {
		mute := nebula.Reply{Parts: parts, Finish: "stop"}
		events := newStage(t, mute, mute, mute).say("what is it?", always(nebula.Yes))
		if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.TurnFailed || !strings.Contains(end.Text, want) {
			t.Errorf("%s: %s %q\n%s", want, end.Status, end.Text, transcript(events))
		}
	}
}

// So is a model whose only words are marked as thought.
func TestWhoOnlyThinksInWordsIsToldSo(t *testing.T) {
	thought := nebula.Reply{Parts: nebula.Text("<think>It is so.</think>"), Finish: "stop"}
	st := newStage(t, thought, thought, thought)
	st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
		return dialect.Tolerant(toolcall.Protocol{}), nil
	}
	events := st.say("what is it?", always(nebula.Yes))
	if end := events[len(events)-1].Body.(nebula.Ended); end.Status != nebula.TurnFailed || !strings.Contains(end.Text, "thought and then said nothing") {
		t.Errorf("%s %q\n%s", end.Status, end.Text, transcript(events))
	}
}

// A server that does not count, or tells of the one token with which it began, is counted, and that is said.
func TestWhatIsNotCountedIsEstimated(t *testing.T) {
	for want, usage := range map[nebula.Usage]nebula.Usage{{Input: 1, Output: 1}: {Input: 7, Output: 9}, {Estimated: true}: {Output: 1}} {
		r := reply("It is a long story.")
		r.Usage = usage
		st := newStage(t, r)
		st.setup.Prompt.Count = func(text string) int { return len(text) }
		events := st.say("what is it?", always(nebula.Yes))
		u := events[len(events)-1].Body.(nebula.Ended).Usage
		if u.Estimated != want.Estimated || u.Estimated != (u.Output >= len("It is a long story.")) || u.Input == 0 {
			t.Errorf("%+v: %+v", usage, u)
		}
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

// An "always" where none is offered is recorded as what it is: a yes, this once.
func TestAlwaysThatHoldsForNothingIsAYesOnce(t *testing.T) {
	st := newStage(t, reply("", call("1", "shout?", "command", "x")), reply("", call("2", "shout", "command", "x")), reply("Done."))
	var said []nebula.Decided
	for _, e := range st.say("go", always(nebula.Always)) {
		if a, ok := e.Body.(nebula.Answered); ok {
			said = append(said, a.Answer)
		}
	}
	if !slices.Equal(said, []nebula.Decided{nebula.Yes, nebula.Always}) {
		t.Errorf("recorded as %q: what was guessed lasts, or what was not does not", said)
	}
}

// One answer frees all edits of the session, and says so; commands are asked about all the same.
func TestAllEditsIsOneAnswer(t *testing.T) {
	st := newStage(t, reply("", call("1", "note", "path", "a", "content", "x"), call("2", "note", "path", "b", "content", "x"), call("3", "shout", "command", "x")),
		reply("", call("4", "note", "path", "c", "content", "x")), reply("Unverified: notes."))
	var asked []string
	freed := 0
	for _, e := range st.say("go", func(a nebula.Asked) (nebula.Decided, string) {
		asked = append(asked, a.Action)
		if len(asked) == 1 {
			return nebula.Edits, ""
		}
		return nebula.Yes, ""
	}) {
		if s, ok := e.Body.(nebula.Switched); ok && s.Approve == string(gate.Edits) {
			freed++
		}
	}
	if len(asked) != 2 || freed != 1 {
		t.Errorf("asked about %q, freed %d times", asked, freed)
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
	for _, asks := range []nebula.Reply{reply("? Which licence?"), reply("", call("1", "wonder", "question", "Which licence?"))} {
		st := newStage(t, asks)
		st.setup.Alone = true
		events := st.say("go", always(nebula.No))
		if end := last(t, events); end.Status != nebula.NeedsInput || strings.Count(end.Text, "Which licence?") != 1 {
			t.Errorf("ended %s %q", end.Status, end.Text)
		}
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
