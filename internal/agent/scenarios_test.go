package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
	spoken "nebula/internal/language"
	"nebula/internal/protocol/dialect"
)

func (p *project) replies(l language, intents ...nebula.Intent) {
	for _, in := range intents {
		p.script.Replies = append(p.script.Replies, l.write(in, p.tools))
	}
}

func (p *project) raw(texts ...string) {
	for _, text := range texts {
		p.script.Replies = append(p.script.Replies, nebula.Reply{Parts: nebula.Text(text), Finish: "stop"})
	}
}

// sent is everything the model read in a request.
func (p *project) sent(n int) string {
	p.t.Helper()
	prompts := p.script.Prompts()
	if n >= len(prompts) {
		p.t.Fatalf("there were %d requests", len(prompts))
	}
	text := ""
	for _, m := range prompts[n].Messages {
		text += m.Text() + "\n"
	}
	return text
}

func (p *project) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(p.dir, name))
	return err == nil
}

func acted(t *testing.T, events []nebula.Event, want string) {
	t.Helper()
	if got := results(events); got != want {
		t.Errorf("results: %s\nwant:    %s\n%s", got, want, transcript(events))
	}
}

func write(path, content string) nebula.Action {
	return act("writeFile", "path", path, "content", content)
}

func TestMistakesAreReadInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(act("frobnicate", "path", "x"), write("a.md", "kept\n"), act("writeFile", "path", "b.md")), say("I see."))
		p.setup.Approve = gate.All
		acted(t, p.say("go", nil), "frobnicate failed, writeFile done, writeFile failed")
		for _, told := range []string{"there is no tool \"frobnicate\"", "content"} {
			if !strings.Contains(p.sent(1), told) {
				t.Errorf("the model is not told %q:\n%s", told, p.sent(1))
			}
		}
		if p.exists("b.md") {
			t.Error("a file without its content was made")
		}
	})
}

func TestQuestionsInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		ask := nebula.Action{Tool: "askUser", Args: json.RawMessage(`{"question":"Which colour?","options":["red","blue"]}`), Reason: "only you know"}
		p := newProject(t, l, nil, acts(ask), say("Blue it is."))
		var asked nebula.Question
		events := p.say("go", func(a nebula.Asked) (nebula.Decided, string) {
			if a.Question != nil {
				asked = *a.Question
			}
			return nebula.Told, "blue"
		})
		if asked.Text != "Which colour?" || !slices.Equal(asked.Options, []string{"red", "blue"}) {
			t.Errorf("asked %+v\n%s", asked, transcript(events))
		}
		if !strings.Contains(p.sent(1), "blue") || last(t, events).Text != "Blue it is." {
			t.Errorf("the answer was lost\n%s", transcript(events))
		}
	})
}

func TestAlwaysInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		run := func(command string) nebula.Intent { return acts(act("executeShell", "command", command)) }
		p := newProject(t, l, nil, run("echo a > b"), run("echo a > b"), run("echo a > c"), say("Done."))
		asked := 0
		p.say("go", func(nebula.Asked) (nebula.Decided, string) { asked++; return nebula.Always, "" })
		if asked != 2 {
			t.Errorf("asked %d times, want once for each command", asked)
		}
	})
}

func TestNobodyToAskInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "x\n")), say("I could not."))
		p.setup.Approve = gate.None
		events := p.say("go", nil)
		if end := last(t, events); end.Status != nebula.NeedsApproval || p.exists("a.md") {
			t.Errorf("ended %s\n%s", end.Status, transcript(events))
		}
	})
}

func TestCancelInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "x\n"), act("executeShell", "command", "touch b")), say("Yes?"))
		s := p.open("")
		events := p.say("go", func(nebula.Asked) (nebula.Decided, string) {
			_ = s.Send(context.Background(), nebula.Cancel{})
			return nebula.Yes, ""
		})
		acted(t, events, "writeFile denied, executeShell skipped")
		if left, _ := os.ReadDir(p.dir); len(left) != 0 || last(t, events).Status != nebula.Cancelled {
			t.Errorf("left %v, ended %s", left, last(t, events).Status)
		}
		p.say("still there?", nil)
		wholeHistory(t, 1, p.script)
		if !strings.Contains(p.sent(1), "stopped") {
			t.Errorf("the model does not learn that it was stopped:\n%s", p.sent(1))
		}
	})
}

func TestCancelInTheMiddleOfAReply(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", strings.Repeat("line\n", 400))), say("Yes?"))
		p.setup.Approve = gate.All
		s := p.open("")
		p.script.Answers = func(n int, _ nebula.Prompt) *nebula.Reply {
			if n > 0 {
				return nil
			}
			go func() { _ = s.Send(context.Background(), nebula.Cancel{}) }()
			time.Sleep(10 * time.Millisecond)
			return nil
		}
		events := p.say("go", nil)
		if end := last(t, events); end.Status == nebula.Cancelled && p.exists("a.md") {
			t.Error("half a reply was done")
		}
		p.script.Answers = nil
		p.say("still there?", nil)
		wholeHistory(t, 1, p.script)
	})
}

// Every prefix of a session's events is a crash.
func TestEveryPrefixResumesInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "x\n"), act("executeShell", "command", "echo b >> b")), say("Done."))
		p.say("go", always(nebula.Yes))
		var events []nebula.Event
		for e, err := range p.store.Load(t.Context(), p.session.ID()) {
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
		}
		for n := 2; n <= len(events); n++ {
			again := newProject(t, l, nil, say("Resumed."))
			again.setup.Begin.Dir = p.dir
			id := p.session.ID()
			info := nebula.SessionInfo{ID: id, Dir: p.dir, Model: "scripted", Started: events[0].At}
			if err := again.store.Create(t.Context(), info); err != nil {
				t.Fatal(err)
			}
			if err := again.store.Append(t.Context(), id, events[:n]...); err != nil {
				t.Fatal(err)
			}
			again.open(id)
			if got := again.say("and now?", nil); last(t, got).Text != "Resumed." {
				t.Errorf("cut after %d (%s): ended %q", n, events[n-1].Body.Name(), last(t, got).Text)
			}
			wholeHistory(t, n, again.script)
		}
	})
}

func TestSteeringInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(act("executeShell", "command", "sleep 0.2")), say("As you say."))
		p.setup.Approve = gate.All
		s := p.open("")
		go func() {
			for e := range s.Events(context.Background(), 0) {
				if _, ok := e.Body.(nebula.Began); ok {
					_ = s.Send(context.Background(), nebula.Submit{Text: "and be quick"})
					return
				}
			}
		}()
		p.say("go", nil)
		wholeHistory(t, 0, p.script)
		if !strings.Contains(p.sent(1), "and be quick") {
			t.Errorf("the model read\n%s", p.sent(1))
		}
	})
}

func TestStepLimitInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil)
		again := l.write(acts(act("executeShell", "command", "echo x >> log")), p.tools)
		p.script.Answers = func(int, nebula.Prompt) *nebula.Reply { return &again }
		p.setup.Approve = gate.All
		p.setup.Limits.Steps = 3
		events := p.say("go", nil)
		if last(t, events).Status != nebula.LimitReached || p.read("log") != "x\nx\nx\n" {
			t.Errorf("ended %s after %q", last(t, events).Status, p.read("log"))
		}
	})
}

func TestModeSwitchVoidsTheAnswerInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "x\n")), say("Oh."))
		p.open("")
		p.say("go", func(nebula.Asked) (nebula.Decided, string) {
			if err := p.session.Send(t.Context(), nebula.Switch{Mode: nebula.PlanMode}); err != nil {
				t.Error(err)
			}
			return nebula.Yes, ""
		})
		if p.exists("a.md") {
			t.Error("plan mode was entered before the answer, and still the file was written")
		}
	})
}

func TestWhatWasShownRunsInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, acts(write("a.md", "mine\n")), say("Oh."))
		events := p.say("go", func(nebula.Asked) (nebula.Decided, string) {
			if err := os.WriteFile(filepath.Join(p.dir, "a.md"), []byte("theirs\n"), 0o644); err != nil {
				t.Error(err)
			}
			return nebula.Yes, ""
		})
		if p.read("a.md") != "theirs\n" {
			t.Errorf("a stale yes wrote %q\n%s", p.read("a.md"), transcript(events))
		}
	})
}

func TestFailedAPIInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil, say("never"), say("Back."))
		p.script.Faults = map[int]error{0: &nebula.APIError{Kind: "auth", Text: "401", Next: "check the key"}}
		if end := last(t, p.say("go", nil)); end.Status != nebula.APIFailed {
			t.Errorf("ended %s", end.Status)
		}
		if end := last(t, p.say("again", nil)); end.Text != "Back." {
			t.Errorf("ended %q", end.Text)
		}
	})
}

func TestRequestsKeepTheirBeginningInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, map[string]string{"src/a.md": "x\n"}, acts(act("readFile", "path", "src/a.md")), say("One."), say("Two."))
		p.say("a", nil)
		p.say("b", nil)
		prompts := p.script.Prompts()
		for i := 1; i < len(prompts); i++ {
			was := prompts[i-1].Messages
			if n := len(was); n > 0 && i > 1 && strings.Contains(was[n-1].Text(), "{{F:") || strings.Contains(was[len(was)-1].Text(), "[F:") {
				was = was[:len(was)-1] // what stands behind the conversation is not kept
			}
			if prompts[i].System != prompts[i-1].System || !reflect.DeepEqual(prompts[i].Messages[:len(was)], was) {
				t.Errorf("request %d does not begin with request %d", i, i-1)
			}
		}
	})
}

// Reasoning in tags is a thought, and what it holds is never done.
func TestReasoningInTagsIsThoughtInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil)
		p.setup.Approve = gate.All
		inner := l.write(acts(write("evil.md", "x\n")), p.tools).Text()
		r := l.write(acts(write("a.md", "x\n")), p.tools)
		r.Parts = r.WithText("<think>\nFirst I thought of this:\n" + inner + "\n</think>\n\n" + r.Text())
		p.script.Replies = append(p.script.Replies, r)
		p.replies(l, say("Done."))
		events := p.say("go", nil)
		acted(t, events, "writeFile done")
		if p.exists("evil.md") {
			t.Error("a thought was done")
		}
		for _, e := range events {
			if b, ok := e.Body.(nebula.Replied); ok && b.Step == 1 {
				if !strings.Contains(strings.Join(b.Intent.Thoughts, "\n"), "First I thought of this") || strings.Contains(b.Intent.Say, "think") {
					t.Errorf("thoughts %q, said %q", b.Intent.Thoughts, b.Intent.Say)
				}
			}
		}
	})
}

func TestACutReplyDoesNothingInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil)
		p.setup.Approve = gate.All
		r := l.write(acts(write("a.md", "x\n"), write("b.md", "y\n")), p.tools)
		r.Finish = "length"
		p.script.Replies = append(p.script.Replies, r)
		p.replies(l, say("Too long, then."))
		events := p.say("go", nil)
		acted(t, events, "writeFile failed, writeFile failed")
		if p.exists("a.md") || p.exists("b.md") || !strings.Contains(p.sent(1), "cut at the output limit") {
			t.Errorf("the model read\n%s", p.sent(1))
		}
	})
}

// guesses are replies whose actions can only be guessed.
var guesses = map[string]string{
	"toolcall":   "<tool_call>\n{\"name\":\"writeFile\",\"arguments\":{\"path\":\"a.md\",\"content\":\"x\",\"reason\":\"r\"}}\n</tool_call>\nDone!\n",
	"symops":     "~ needed\ncreate @ a.md\n--\nx\n--\n",
	"dml":        "Thought: needed\nAction:\n```\n🦆▶️[T:write_file|a.md|x\n]◀️🦆\n```\n",
	"actionlist": "```json\n{\"actions\":[{\"operation\":\"writeFile\",\"args\":{\"path\":\"a.md\",\"content\":\"x\"},\"reasoning\":\"r\"}]}\n```\n\nShall I do that?\n",
}

// Invariant 6.
func TestGuessesAskInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, nil)
		p.setup.Approve = gate.All
		p.raw(guesses[l.Name()])
		p.replies(l, say("Very well."))
		asked := 0
		events := p.say("go", func(nebula.Asked) (nebula.Decided, string) { asked++; return nebula.No, "" })
		if asked == 0 || p.exists("a.md") {
			t.Errorf("asked %d times\n%s", asked, transcript(events))
		}
	})
}

func TestBareBlocksAlwaysAsk(t *testing.T) {
	for _, l := range languages()[1:2] {
		p := newProject(t, l, nil)
		p.setup.Approve = gate.All
		p.raw("Save this as `a.md`:\n\n```\nx\n```\n")
		p.replies(l, say("Very well."))
		asked := 0
		events := p.say("go", func(nebula.Asked) (nebula.Decided, string) { asked++; return nebula.Yes, "" })
		if asked != 1 || p.read("a.md") != "x\n" || strategies(events)[0] != nebula.Extracted {
			t.Errorf("asked %d times, read as %v\n%s", asked, strategies(events), transcript(events))
		}
	}
}

func strategies(events []nebula.Event) (list []nebula.Strategy) {
	for _, e := range events {
		if b, ok := e.Body.(nebula.Replied); ok {
			list = append(list, b.Intent.Strategy)
		}
	}
	return list
}

// unreadable are replies that mean to write "hello\nworld\n" to a.md and cannot be read.
var unreadable = map[string]string{
	"symops":     "~ needed\n$\n--\nhello\nworld\n--\n",
	"dml":        "Thought: needed\nAction:\n🦆▶️[T:write_file|a.md|hello\nworld\n",
	"actionlist": `{"actions":[{"operation":"writeFile","args":{"path":"a.md","content":"hello\nworld\n`,
}

func TestCorrectionRunsWhenOnlyTheFormChanged(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		text, ok := unreadable[l.Name()]
		if !ok {
			t.Skip("native calls are never unreadable as a whole")
		}
		p := newProject(t, l, nil)
		p.setup.Approve = gate.All
		p.raw(text)
		p.replies(l, acts(write("a.md", "hello\nworld\n")), say("Done."))
		events := p.say("go", nil)
		acted(t, events, "writeFile done")
		if got := strategies(events); got[1] != nebula.Corrected || p.read("a.md") != "hello\nworld\n" {
			t.Errorf("read as %v, a.md %q", got, p.read("a.md"))
		}
		if !strings.Contains(p.sent(1), "Change the format only") {
			t.Errorf("the model was asked\n%s", p.sent(1))
		}
	})
}

func TestCorrectionThatChangesContentIsRefused(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		text, ok := unreadable[l.Name()]
		if !ok {
			t.Skip("native calls are never unreadable as a whole")
		}
		p := newProject(t, l, nil)
		p.setup.Approve = gate.All
		p.raw(text)
		p.replies(l, acts(write("a.md", "hello\nmoon\n")), say("Oh."))
		events := p.say("go", nil)
		acted(t, events, "writeFile failed")
		if p.exists("a.md") || !strings.Contains(p.sent(2), "only the format was to change") {
			t.Errorf("the model read\n%s", p.sent(2))
		}
	})
}

func TestCorrectionIsAskedForTwiceAtMost(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		text, ok := unreadable[l.Name()]
		if !ok {
			t.Skip("native calls are never unreadable as a whole")
		}
		p := newProject(t, l, nil)
		p.setup.Approve = gate.All
		p.raw(text, text, text, text)
		events := p.say("go", nil)
		if last(t, events).Status != nebula.TurnFailed || len(p.script.Prompts()) != 3 || p.exists("a.md") {
			t.Errorf("ended %s after %d requests\n%s", last(t, events).Status, len(p.script.Prompts()), transcript(events))
		}
	})
}

// Whatever language was taught, the others are understood, and it is recorded.
func TestEveryDialectIsUnderstood(t *testing.T) {
	each(t, func(t *testing.T, taught language) {
		for _, spoken := range languages() {
			p := newProject(t, taught, nil)
			p.setup.Approve = gate.All
			p.replies(spoken, acts(write("a.md", "x\n")))
			p.replies(taught, say("Done."))
			events := p.say("go", always(nebula.Yes))
			if p.read("a.md") != "x\n" {
				t.Errorf("taught %s, written in %s:\n%s", taught.Name(), spoken.Name(), transcript(events))
			}
			for _, e := range events {
				b, ok := e.Body.(nebula.Replied)
				if !ok || b.Step != 1 || taught.Name() == spoken.Name() {
					continue
				}
				if b.Protocol != taught.Name() || b.Intent.Dialect != spoken.Name() && taught.Name() != "symops" {
					t.Errorf("taught %s, written in %s, recorded as %q of %s", taught.Name(), spoken.Name(), b.Intent.Dialect, b.Protocol)
				}
			}
		}
	})
}

func TestPiecesAreShownInTheOrderOfTheReply(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		for _, size := range []int{1, 7, 4096} {
			p := newProject(t, l, nil, nebula.Intent{Say: "I make two files.", Thoughts: []string{"The person wants files."}, Actions: []nebula.Action{
				write("a.md", "one\n--\ntwo\n"), act("list", "path", "."), write("b.md", "x\n")}}, say("Done."))
			p.setup.Approve = gate.All
			p.script.Piece = size
			var text, thought strings.Builder
			var order []string
			for _, e := range p.say("go", nil) {
				b, ok := e.Body.(nebula.Streamed)
				if r, isReply := e.Body.(nebula.Replied); isReply {
					checkShown(t, r.Intent, text.String(), thought.String(), order)
					break
				}
				switch {
				case !ok:
				case b.Kind == "action":
					order = append(order, b.Text)
				case b.Kind == "thought":
					thought.WriteString(b.Text)
				case b.Kind == "text":
					text.WriteString(b.Text)
				}
			}
		}
	})
}

func checkShown(t *testing.T, in nebula.Intent, text, thought string, actions []string) {
	t.Helper()
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if words(text) != words(in.Say) {
		t.Errorf("shown as text %q, said %q", text, in.Say)
	}
	if words(thought) != words(strings.Join(in.Thoughts, " ")) {
		t.Errorf("shown as thoughts %q, thought %q", thought, in.Thoughts)
	}
	if len(actions) != len(in.Actions) {
		t.Errorf("shown as actions %v, meant %v", actions, in.Actions)
	}
	for i, name := range actions {
		if i >= len(in.Actions) || name != in.Actions[i].Tool {
			t.Errorf("shown as actions %v, meant %v", actions, in.Actions)
		}
	}
}

func TestShortNamesOfFilesInEveryProtocol(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		long := "src/main/java/com/example/Invoice.java"
		p := newProject(t, l, map[string]string{long: "class A {}\n", "other/Invoice.java": "class B {}\n"},
			acts(act("readFile", "path", long), act("readFile", "path", "other/Invoice.java")),
			acts(act("editFile", "path", "{{F:Invoice}}", "new_content", "class C {} // {{F:Invoice}}\n"), act("executeShell", "command", "cat {{F:Invoice_2}} > out")),
			acts(act("readFile", "path", "{{F:Invoce}}")), say("Done."))
		p.setup.Approve = gate.All
		p.setup.Prompt.Aliases = true
		events := p.say("go", nil)
		acted(t, events, "readFile done, readFile done, editFile done, executeShell done, readFile failed")
		if p.read(long) != "class C {} // {{F:Invoice}}\n" || p.read("out") != "class B {}\n" {
			t.Errorf("%q, %q", p.read(long), p.read("out"))
		}
		if !strings.Contains(p.sent(3), "Did you mean {{F:Invoice}}") {
			t.Errorf("an unknown name is answered with\n%s", p.sent(3))
		}
		if !strings.Contains(p.sent(1), "F:Invoice_2") {
			t.Errorf("the names are not offered:\n%s", p.sent(1))
		}
		for _, e := range events {
			if b, ok := e.Body.(nebula.Proposed); ok && strings.Contains(string(b.Proposal.Action.Args)+b.Proposal.Summary+b.Proposal.Command, "{{F:Invoice_2") {
				t.Errorf("people see %s", b.Proposal.Summary)
			}
		}
	})
}

func TestStructuredOutputIsAskedForWhereThereIsOne(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		for _, structured := range []bool{false, true} {
			p := newProject(t, l, nil, say("Hi."))
			p.script.Infos = func(m nebula.ModelInfo) nebula.ModelInfo { m.Structured = structured; return m }
			p.say("go", nil)
			got := len(p.script.Prompts()[0].Schema) > 0
			if want := structured && l.Name() == "actionlist"; got != want {
				t.Errorf("structured %v: schema %v", structured, got)
			}
		}
	})
}

// auto is the choice of the program: native calls for a model that takes them, else the first text protocol.
func auto(name string, m nebula.ModelInfo) (nebula.Protocol, error) {
	list := languages()
	switch {
	case name == "auto" && m.Native:
		name = list[0].Name()
	case name == "auto":
		name = list[1].Name()
	}
	p, _ := spoken.Named(name)
	return dialect.Tolerant(p.Protocol), nil
}

func switches(events []nebula.Event) (list []nebula.Switched) {
	for _, e := range events {
		if b, ok := e.Body.(nebula.Switched); ok {
			list = append(list, b)
		}
	}
	return list
}

func TestALanguageThatTheModelKeepsToBecomesTheSessions(t *testing.T) {
	list := languages()
	p := newProject(t, list[0], map[string]string{"a.md": "x\n"})
	p.setup.Protocol = auto
	p.setup.Begin.Protocol = "auto"
	read := acts(act("readFile", "path", "a.md"))
	p.replies(list[3], read, read, say("Done."), say("Again."))
	events := p.say("go", nil)
	got := switches(events)
	if len(got) != 1 || got[0].Protocol != list[3].Name() || got[0].Why == "" {
		t.Fatalf("switched %+v\n%s", got, transcript(events))
	}
	if sent := p.script.Prompts(); len(sent[1].Tools) == 0 || len(sent[2].Tools) != 0 || !strings.Contains(sent[2].System, "🦆") {
		t.Error("the third request is not taught in the new language")
	}
	if err := p.session.Send(t.Context(), nebula.Switch{Model: "another"}); err != nil {
		t.Fatal(err)
	}
	p.say("more", nil)
	if sent := p.script.Prompts(); len(sent[3].Tools) == 0 {
		t.Error("another model is not spoken to as the choice for it says")
	}
}

func TestAChosenProtocolStays(t *testing.T) {
	list := languages()
	p := newProject(t, list[0], map[string]string{"a.md": "x\n"})
	p.setup.Protocol = auto
	read := acts(act("readFile", "path", "a.md"))
	p.replies(list[3], read, read, read, say("Done."))
	if got := switches(p.say("go", nil)); len(got) != 0 {
		t.Errorf("switched %+v", got)
	}
}

func TestAServerThatTakesNoToolsIsSpokenToWithout(t *testing.T) {
	for name, refusal := range map[string]*nebula.APIError{
		"says so": {Kind: "tools", Status: 400, Text: "does not support tools"},
		"bare":    {Kind: "bad_request", Status: 400, Text: "Bad Request"},
	} {
		list := languages()
		p := newProject(t, list[1], nil)
		p.setup.Protocol = auto
		p.setup.Approve = gate.All
		p.setup.Begin.Protocol = "auto"
		p.replies(list[1], say("never sent"), acts(write("a.md", "x\n")), say("Done."))
		p.script.Faults = map[int]error{0: refusal}
		events := p.say("go", nil)
		if got := switches(events); len(got) != 1 || got[0].Protocol != list[1].Name() || !strings.Contains(got[0].Why, refusal.Text) {
			t.Errorf("%s: switched %+v", name, got)
		}
		if p.read("a.md") != "x\n" || len(p.script.Prompts()[1].Tools) != 0 {
			t.Errorf("%s:\n%s", name, transcript(events))
		}
		if end := last(t, events); end.Protocol != list[1].Name() {
			t.Errorf("%s: the outcome says %s", name, end.Protocol)
		}
	}
}

// A server that takes no tools settles that and nothing else: the language is still learnt, and tools are not sent again.
func TestLanguageIsLearntAfterToolsWereRefused(t *testing.T) {
	list := languages()
	for _, c := range []struct {
		spoken language
		want   []string
	}{
		{list[3], []string{list[1].Name(), list[3].Name()}},
		{language{Protocol: list[0].Protocol, write: printed}, []string{list[1].Name()}},
	} {
		p := newProject(t, list[1], map[string]string{"a.md": "x\n"})
		p.setup.Protocol = auto
		p.setup.Begin.Protocol = "auto"
		read := acts(act("readFile", "path", "a.md"))
		p.replies(c.spoken, say("never sent"), read, read, read, say("Done."))
		p.script.Faults = map[int]error{0: &nebula.APIError{Kind: "tools", Status: 400, Text: "does not support tools"}}
		events := p.say("go", nil)
		var got []string
		for _, s := range switches(events) {
			got = append(got, s.Protocol)
		}
		if !slices.Equal(got, c.want) || last(t, events).Status != nebula.TurnDone {
			t.Errorf("%s: switched to %v, want %v\n%s", c.spoken.Name(), got, c.want, transcript(events))
		}
		for i, sent := range p.script.Prompts()[1:] {
			if len(sent.Tools) > 0 {
				t.Errorf("%s: request %d carries tools again", c.spoken.Name(), i+2)
			}
		}
	}
}

// printed writes native calls as text.
func printed(in nebula.Intent, _ []nebula.ToolSpec) nebula.Reply {
	text := in.Say
	for _, a := range in.Actions {
		text += fmt.Sprintf("<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>", a.Tool, a.Args)
	}
	return nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}
}
