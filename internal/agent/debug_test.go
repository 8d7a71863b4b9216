package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/state"
)

// debugging is a model that edits and tests in turn, 12 rounds of which fail, each in its own way or all in the same, and
// the next one passes. together has both in one reply.
func debugging(together, same bool) func(n int, p nebula.Prompt) *nebula.Reply {
	const rounds = 12
	return func(n int, _ nebula.Prompt) *nebula.Reply {
		round := n
		if !together {
			round = n / 2
		}
		edit := call(fmt.Sprintf("e%d", n), "note", "path", "a.go", "content", fmt.Sprintf("try %d", round))
		how := fmt.Sprintf("TestN%d", round)
		if same {
			how = "TestN"
		}
		command := "check ok"
		if round < rounds {
			command = "check --- FAIL: " + how
		}
		test := call(fmt.Sprintf("t%d", n), "shout", "command", command)
		var r nebula.Reply
		switch {
		case round > rounds:
			r = reply("It works.")
		case together:
			r = reply("", edit, test)
		case n%2 == 0:
			r = reply("", edit)
		default:
			r = reply("", test)
		}
		return &r
	}
}

func TestFailingTestsAreTheWorkAndLockNothing(t *testing.T) {
	for _, approve := range []gate.Approve{gate.All, gate.Edits, gate.Ask} {
		for _, together := range []bool{false, true} {
			for _, same := range []bool{false, true} {
				t.Run(fmt.Sprint(approve, together, same), func(t *testing.T) {
					st := newStage(t)
					st.setup.Approve, st.setup.Limits.Steps = approve, 100
					st.setup.Checkable = func() bool { return true }
					st.script.Answers = debugging(together, same)
					events := st.say("make it work", always(nebula.Yes))
					end := last(t, events)
					if end.Status != nebula.TurnDone || end.Text != "It works." {
						t.Errorf("ended %s %q", end.Status, end.Text)
					}
					for _, e := range events {
						if r, ok := e.Body.(nebula.Finished); ok && r.Result.Tests == nil && r.Result.Status != nebula.Done {
							t.Errorf("%s is %s: %s", r.Result.Tool, r.Result.Status, r.Result.Text)
						}
						if m, ok := e.Body.(nebula.Moved); ok && m.Refused != "" {
							t.Errorf("refused: %s", m.Refused)
						}
					}
					for _, p := range st.script.Prompts() {
						if text := fmt.Sprint(p.Messages); strings.Contains(text, "PLANNING") || strings.Contains(text, "EXECUTION") {
							t.Fatalf("told of steps: %s", text)
						}
					}
				})
			}
		}
	}
}

// What the model moves, or feels, takes nothing from what the policy allows: neither does a refusal before it.
func TestNoStepRefusesWhatThePolicyAllows(t *testing.T) {
	low := 0.1
	edit := func(n int) nebula.Call {
		return call(fmt.Sprint(n), "note", "path", fmt.Sprintf("f%d.md", n), "content", "x")
	}
	for name, c := range map[string]struct {
		protocol nebula.Protocol
		replies  []nebula.Reply
		approve  gate.Approve
	}{
		"focus is low":     {feeling{nebula.Vitals{Focus: &low}}, []nebula.Reply{reply("", edit(1)), reply("", edit(2), call("3", "shout", "command", "check ok")), reply("Ok.")}, gate.All},
		"the reply moved":  {deciding{decision: nebula.Decision{Step: "REVIEW"}}, []nebula.Reply{reply("", edit(1)), reply("", edit(2), edit(3)), reply("Ok.")}, gate.All},
		"refused before":   {plain{}, []nebula.Reply{reply("", call("1", "shout", "command", "rm all"), edit(2), edit(3)), reply("Ok.")}, gate.Edits},
		"it failed before": {plain{}, []nebula.Reply{reply("", edit(1), call("2", "shout", "command", "exit 1"), edit(3), call("4", "shout", "command", "check no"), edit(5)), reply("Ok.")}, gate.All},
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t, c.replies...)
			st.setup.Approve = c.approve
			st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) { return c.protocol, nil }
			for _, e := range st.say("go", always(nebula.No)) {
				if r, ok := e.Body.(nebula.Finished); ok && r.Result.Tool == "note" && r.Result.Status != nebula.Done {
					t.Errorf("%s: %s", r.Result.Status, r.Result.Text)
				}
			}
		})
	}
}

// Where the steps lead to the work through an approval alone, that is asked for, whatever the policy says.
func TestAStepThatWantsApprovalIsAskedFor(t *testing.T) {
	st := newStage(t, reply("", call("1", "note", "path", "a.md", "content", "x")), reply("Ok."))
	st.setup.Approve = gate.All
	st.setup.Table = state.DefaultTable()
	st.setup.Table[state.Planning] = []nebula.Step{state.Awaiting}
	events := st.say("go", always(nebula.Yes))
	if got := moves(events); got != "PLANNING>AWAITING_APPROVAL AWAITING_APPROVAL>EXECUTION EXECUTION>REVIEW REVIEW>DONE" || !strings.Contains(transcript(events), "asked a1") {
		t.Errorf("moved %s in\n%s", got, transcript(events))
	}
}

// After a failed change the rest of a reply is carried out; only what was to run with the change is left, and says so.
func TestAfterAFailedChangeTheIndependentRestIsDone(t *testing.T) {
	read := reply("", call("1", "readFile", "path", "a.md"))
	fails := call("2", "patchFile", "path", "a.md", "edits", `[{"old":"nothing of it","new":"y"}]`)
	made := call("3", "writeFile", "path", "b.md", "content", "b\n")
	runs := call("5", "executeShell", "command", "echo ran >> log")
	for name, c := range map[string]struct {
		calls   []nebula.Call
		ran     bool
		results int
	}{
		"a test run behind it": {[]nebula.Call{fails, made, call("4", "readFile", "path", "a.md"), runs}, false, 4},
		"made good behind it":  {[]nebula.Call{fails, call("4", "editFile", "path", "a.md", "new_content", "two\n"), runs}, true, 3},
		"before it":            {[]nebula.Call{runs, fails, made}, true, 3},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, languages()[0], map[string]string{"a.md": "one\n"})
			p.setup.Approve = gate.All
			p.script.Replies = []nebula.Reply{read, reply("", c.calls...), reply("Not all is done."), reply("So it is.")}
			var skipped []string
			for _, e := range p.say("go", nil) {
				if f, ok := e.Body.(nebula.Finished); ok && f.Result.Status == nebula.Skipped {
					skipped = append(skipped, f.Result.Text)
				}
			}
			if ran := p.read("log") == "ran\n"; ran != c.ran || !c.ran && (len(skipped) != 1 || !strings.Contains(skipped[0], "patchFile of a.md")) {
				t.Errorf("ran %v, skipped %q", p.read("log"), skipped)
			}
			if name != "made good behind it" && p.read("b.md") != "b\n" {
				t.Error("the independent change was not made")
			}
		})
	}
}

// A turn that ends at a bound ends with the model's report: it is asked for it once, and does nothing more.
func TestAtABoundTheModelReports(t *testing.T) {
	for lang, asks := range map[string]string{"en": "Report to the person now", "ja": "相手に報告してください"} {
		st := newStage(t)
		st.setup.Begin.Lang, st.setup.Approve, st.setup.Limits.Steps = lang, gate.All, 3
		st.script.Answers = func(n int, p nebula.Prompt) *nebula.Reply {
			text := ""
			if strings.Contains(fmt.Sprint(p.Messages), asks) {
				text = "Half is done."
			}
			r := reply(text, call(fmt.Sprint(n), "shout", "command", fmt.Sprint("do ", n)))
			return &r
		}
		end := last(t, st.say("go", nil))
		if end.Status != nebula.LimitReached || !strings.HasPrefix(end.Text, "Half is done.\n") || len(st.world.commands()) != 3 || len(st.script.Prompts()) != 4 || end.Steps != 3 {
			t.Errorf("%s: ended %s %q after %d commands and %d requests", lang, end.Status, end.Text, len(st.world.commands()), len(st.script.Prompts()))
		}
		st.script.Answers = func(int, nebula.Prompt) *nebula.Reply { r := reply("Yes."); return &r }
		if end := last(t, st.say("go on", nil)); end.Status != nebula.TurnDone {
			t.Errorf("%s: then %s %q", lang, end.Status, end.Text)
		}
	}
}
