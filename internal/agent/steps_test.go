package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/protocol/actionlist"
	"nebula/internal/state"
)

func last(t *testing.T, events []nebula.Event) nebula.Ended {
	t.Helper()
	end, ok := events[len(events)-1].Body.(nebula.Ended)
	if !ok {
		t.Fatalf("the turn ends with %s", events[len(events)-1].Body.Name())
	}
	return end
}

// moves are a turn's transitions as "FROM>TO", refused ones with a "!".
func moves(events []nebula.Event) string {
	var out []string
	for _, e := range events {
		m, ok := e.Body.(nebula.Moved)
		switch {
		case ok && m.Refused != "":
			out = append(out, "!"+string(m.To))
		case ok && m.From != m.To:
			out = append(out, fmt.Sprintf("%s>%s", m.From, m.To))
		}
	}
	return strings.Join(out, " ")
}

func TestWorkGoesFromPlanningToDone(t *testing.T) {
	st := newStage(t,
		reply("", call("1", "look", "path", "a")), reply("", call("2", "note", "path", "a", "content", "x")),
		reply("", call("3", "shout", "command", "check ok")), reply("Finished."), reply("Anything else?"))
	st.setup.Approve = gate.All
	st.world.set("a", "old")
	events := st.say("go", nil)
	if got := moves(events); got != "PLANNING>EXECUTION EXECUTION>REVIEW REVIEW>DONE" {
		t.Errorf("moved %s", got)
	}
	events = st.say("thanks", nil)
	if got := moves(events); got != "DONE>PLANNING" {
		t.Errorf("moved %s", got)
	}
}

func TestGateIsAStepOfTheWork(t *testing.T) {
	st := newStage(t, reply("", call("1", "note", "path", "a.md", "content", "x")), reply("", call("2", "note", "path", "b.md", "content", "x")), reply("Ok."))
	answers := []nebula.Decided{nebula.Yes, nebula.No}
	events := st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		a := answers[0]
		answers = answers[1:]
		return a, ""
	})
	if got := moves(events); got != "PLANNING>AWAITING_APPROVAL AWAITING_APPROVAL>EXECUTION EXECUTION>AWAITING_APPROVAL AWAITING_APPROVAL>PLANNING" {
		t.Errorf("moved %s", got)
	}
}

func TestFailureGoesBackToPlanningAndIsBounded(t *testing.T) {
	st := newStage(t)
	n := 0
	st.script.Answers = func(int, nebula.Prompt) *nebula.Reply {
		n++
		r := reply("", call("1", "shout", "command", fmt.Sprintf("exit %d", 1+n%2)))
		return &r
	}
	st.setup.Approve = gate.All
	events := st.say("go", nil)
	if end := last(t, events); end.Status != nebula.LimitReached || !strings.Contains(end.Text, "still fails") {
		t.Errorf("ended %s %q after %d commands", end.Status, end.Text, n)
	}
	if n > 2+5+2 { // two things, five recoveries, and the report
		t.Errorf("%d failing commands ran", n)
	}
	if !strings.Contains(moves(events), "EXECUTION>PLANNING") {
		t.Errorf("moved %s", moves(events))
	}
}

func TestDoneNeedsEvidence(t *testing.T) {
	edit := reply("", call("1", "note", "path", "a.go", "content", "x"))
	for _, c := range []struct {
		name    string
		replies []nebula.Reply
		status  nebula.EndStatus
		asked   int // requests sent
	}{
		{"a test run that passes", []nebula.Reply{edit, reply("", call("2", "shout", "command", "check ok")), reply("Done.")}, nebula.TurnDone, 3},
		{"a word on why not", []nebula.Reply{edit, reply("Done.\nUnverified: no compiler here")}, nebula.TurnDone, 2},
		{"asked for, then given", []nebula.Reply{edit, reply("Done."), reply("", call("2", "shout", "command", "check ok")), reply("Done.")}, nebula.TurnDone, 4},
		{"never given", []nebula.Reply{edit, reply("Done."), reply("Done.")}, nebula.TurnUnchecked, 3},
		{"a failing test run", []nebula.Reply{edit, reply("", call("2", "shout", "command", "check broken")), reply("Done."), reply("Done.")}, nebula.TurnFailed, 4},
		{"prose needs none", []nebula.Reply{reply("", call("1", "note", "path", "README.md", "content", "x")), reply("Done.")}, nebula.TurnDone, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := newStage(t, c.replies...)
			st.setup.Approve = gate.All
			st.setup.Checkable = func() bool { return true }
			end := last(t, st.say("go", nil))
			if end.Status != c.status || len(st.script.Prompts()) != c.asked {
				t.Errorf("ended %s %q after %d requests", end.Status, end.Text, len(st.script.Prompts()))
			}
		})
	}
}

func TestSameActionWithTheSameResultStops(t *testing.T) {
	st := newStage(t)
	st.world.set("a", "x")
	st.script.Answers = func(int, nebula.Prompt) *nebula.Reply {
		r := reply("", call("1", "look", "path", "a"))
		return &r
	}
	end := last(t, st.say("go", nil))
	if end.Status != nebula.LimitReached || end.Steps > 6 {
		t.Errorf("ended %s after %d steps: %s", end.Status, end.Steps, end.Text)
	}
}

// A mood that forbids the next try is a deadlock: what the policy allows is done, the model is told once what would help,
// and only the risk that is shown is another.
func TestLowVitalsAdviseAndForbidNothing(t *testing.T) {
	low := 0.1
	for approve, asks := range map[gate.Approve]bool{gate.All: false, gate.Edits: false, gate.Ask: true} {
		for _, lang := range []string{"en", "ja"} {
			st := newStage(t, reply("", call("1", "note", "path", "a.md", "content", "x")), reply("", call("2", "note", "path", "b.md", "content", "x")), reply("Ok."))
			st.setup.Approve, st.setup.Begin.Lang = approve, lang
			st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
				return feeling{nebula.Vitals{Confidence: &low, Mood: &low}}, nil
			}
			events := st.say("go", always(nebula.Yes))
			if got := transcript(events); strings.Contains(got, "asked a1") != asks {
				t.Errorf("%s: %s", approve, got)
			}
			for _, a := range last(t, events).Actions {
				if a.Status != nebula.Done {
					t.Errorf("%s: %s is %s", approve, a.Tool, a.Status)
				}
			}
			for _, e := range events {
				if p, ok := e.Body.(nebula.Proposed); ok && p.Verdict.Risk != gate.Medium {
					t.Errorf("%s: shown with risk %q", approve, p.Verdict.Risk)
				}
			}
			prompts := st.script.Prompts()
			advice := map[string]string{"en": "Nothing is forbidden by it", "ja": "禁止されるものはありません"}[lang]
			if n := strings.Count(fmt.Sprint(prompts[len(prompts)-1].Messages), advice); n != 2 { // of each vital, once
				t.Errorf("%s: advised %d times", approve, n)
			}
		}
	}
}

// feeling is plain with a report of the model's vitals.
type feeling struct{ vitals nebula.Vitals }

func (feeling) Name() string { return "plain" }

func (feeling) Teach(tools []nebula.ToolSpec, lang string) (string, []nebula.ToolSpec) {
	return plain{}.Teach(tools, lang)
}

func (f feeling) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in := plain{}.Decode(r, tools)
	in.Vitals = f.vitals
	return in
}

func (feeling) Encode(r nebula.Reply, in nebula.Intent, results []nebula.Result) []nebula.Message {
	return plain{}.Encode(r, in, results)
}

// deciding is plain with a decision in every reply.
type deciding struct {
	plain
	decision nebula.Decision
}

func (d deciding) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in := d.plain.Decode(r, tools)
	in.Decision = &d.decision
	return in
}

func TestIllegalStepChangesNothingAndTheModelIsTold(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a")), reply("Ok."))
	st.world.set("a", "x")
	st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
		return deciding{decision: nebula.Decision{Step: "REVIEW"}}, nil
	}
	st.setup.Table = state.DefaultTable()
	st.setup.Table[state.Planning] = []nebula.Step{state.Execution, state.Awaiting}
	events := st.say("go", nil)
	if got := moves(events); !strings.HasPrefix(got, "!REVIEW") {
		t.Errorf("moved %s", got)
	}
	m := st.script.Prompts()[1].Messages
	if text := m[len(m)-1].Text(); !strings.Contains(text, "EXECUTION, AWAITING_APPROVAL") {
		t.Errorf("the model read %q", text)
	}
	if len(st.script.Prompts()) != 2 || last(t, events).Text != "Ok." {
		t.Errorf("the answer was held up: %d requests, %q", len(st.script.Prompts()), last(t, events).Text)
	}
}

// A model that says DONE with its answer is done: no request is spent on how it got there, and the person reads it.
func TestAnswerThatSaysDoneIsTheEnd(t *testing.T) {
	edit := reply("", call("1", "note", "path", "a.go", "content", "x"))
	for _, c := range []struct {
		name    string
		replies []nebula.Reply
		status  nebula.EndStatus
		moves   string
	}{
		{"at once", []nebula.Reply{reply("Hello.")}, nebula.TurnDone, "PLANNING>REVIEW REVIEW>DONE"},
		{"after work", []nebula.Reply{edit, reply("", call("2", "shout", "command", "check ok")), reply("Hello.")}, nebula.TurnDone,
			"PLANNING>EXECUTION EXECUTION>REVIEW REVIEW>DONE"},
		{"without evidence", []nebula.Reply{edit, reply("Hello.")}, nebula.TurnDone, "PLANNING>EXECUTION EXECUTION>REVIEW"},
		{"without evidence, and says so", []nebula.Reply{edit, reply("Hello.\nUnverified: no compiler")}, nebula.TurnDone,
			"PLANNING>EXECUTION EXECUTION>REVIEW REVIEW>DONE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := newStage(t, c.replies...)
			st.setup.Approve = gate.All
			st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
				return deciding{decision: nebula.Decision{Step: "done"}}, nil
			}
			events := st.say("go", nil)
			end := last(t, events)
			if end.Status != c.status || !strings.HasPrefix(end.Text, "Hello.") || len(st.script.Prompts()) != len(c.replies) {
				t.Errorf("ended %s %q after %d requests", end.Status, end.Text, len(st.script.Prompts()))
			}
			if got := moves(events); got != c.moves {
				t.Errorf("moved %s", got)
			}
		})
	}
}

// An answer whose only call says that the work is done is not asked for again.
func TestAnswerBesideItsOwnStateIsTheEnd(t *testing.T) {
	p := newProject(t, languages()[0], nil)
	p.script.Replies = []nebula.Reply{reply("All is well.", call("1", "updateState", "step", "DONE"))}
	if end := last(t, p.say("go", nil)); end.Status != nebula.TurnDone || end.Text != "All is well." || len(p.script.Prompts()) != 1 {
		t.Errorf("ended %s %q after %d requests", end.Status, end.Text, len(p.script.Prompts()))
	}
}

func TestStateDeltaIsKept(t *testing.T) {
	goal := "priorities for todos"
	st := newStage(t, reply("Ok."))
	st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
		return deciding{decision: nebula.Decision{StateDelta: &nebula.Delta{Goal: &goal}}}, nil
	}
	for _, e := range st.say("go", nil) {
		if u, ok := e.Body.(nebula.Updated); ok && *u.Delta.Goal == goal && u.By == "model" {
			return
		}
	}
	t.Error("the goal was not recorded")
}

// silent is plain without the reasons.
type silent struct{ plain }

func (s silent) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	in := s.plain.Decode(r, tools)
	for i := range in.Actions {
		in.Actions[i].Reason = ""
	}
	return in
}

// A missing reason costs no request: the words around an action are its reason, and where there are none the person
// reads that.
func TestMissingReasonCostsNoRequest(t *testing.T) {
	write := call("1", "note", "path", "a.md", "content", "x")
	for _, c := range []struct {
		lang, want string
		replies    []nebula.Reply
	}{
		{"en", "I write it down.", []nebula.Reply{reply("I write it down.", write), reply("Ok.")}},
		{"en", "First a look.", []nebula.Reply{reply("First a look.", call("1", "look", "path", "b")), reply("", write), reply("Ok.")}},
		{"en", "no reason given; asked for was: go", []nebula.Reply{reply("", write), reply("Ok.")}},
		{"ja", "理由の記載なし。依頼は: go", []nebula.Reply{reply("", write), reply("Ok.")}},
		{"en", "", []nebula.Reply{reply("", call("1", "look", "path", "b")), reply("Ok.")}}, // looking needs none
	} {
		st := newStage(t, c.replies...)
		st.setup.Begin.Lang = c.lang
		st.world.set("b", "x")
		st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) { return silent{}, nil }
		end := last(t, st.say("go", always(nebula.Yes)))
		line := end.Actions[len(end.Actions)-1]
		if line.Reason != c.want || line.Status != nebula.Done || len(st.script.Prompts()) != len(c.replies) {
			t.Errorf("%s %s for %q after %d requests, want %q", line.Tool, line.Status, line.Reason, len(st.script.Prompts()), c.want)
		}
	}
}

// A second step in one reply is left for the next one: nothing is said to the model of it, and nothing fails.
func TestASecondStepInAReplyIsNoError(t *testing.T) {
	p := newProject(t, language{actionlist.Protocol{}, actionlist.Write}, nil,
		nebula.Intent{Decision: &nebula.Decision{Step: "EXECUTION"}, Actions: []nebula.Action{
			act("writeFile", "path", "a.md", "content", "x\n"), act("updateState", "step", "REVIEW")}},
		nebula.Intent{Say: "Done.\n\nUnverified: words", Decision: &nebula.Decision{Step: "DONE", NextStep: "done"}})
	p.setup.Approve = gate.All
	events := p.say("go", nil)
	if end := last(t, events); end.Status != nebula.TurnDone || len(p.script.Prompts()) != 2 || p.read("a.md") != "x\n" {
		t.Errorf("%s after %d requests\n%s", end.Status, len(p.script.Prompts()), transcript(events))
	}
	for _, m := range p.script.Prompts()[1].Messages {
		if strings.Contains(m.Text(), "one step at most") {
			t.Errorf("the model reads %q", m.Text())
		}
	}
}
