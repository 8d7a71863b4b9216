package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	spoken "nebula/internal/language"
	"nebula/internal/protocol/dialect"
)

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

// unread gives a test a project in each language that has a reply which cannot be read; native calls always can, as a whole.
func unread(t *testing.T, test func(t *testing.T, l language, p *project, text string)) {
	each(t, func(t *testing.T, l language) {
		if text, ok := unreadable[l.Name()]; ok {
			p := newProject(t, l, nil)
			p.setup.Approve = gate.All
			test(t, l, p, text)
		}
	})
}

func TestCorrectionRunsWhenOnlyTheFormChanged(t *testing.T) {
	unread(t, func(t *testing.T, l language, p *project, text string) {
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
	unread(t, func(t *testing.T, l language, p *project, text string) {
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
	unread(t, func(t *testing.T, l language, p *project, text string) {
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

func TestARefusalOfSomethingElseChangesNoLanguage(t *testing.T) {
	for _, refusal := range []*nebula.APIError{
		{Kind: "bad_request", Status: 400, Text: "x (400): Unsupported value: 'temperature' does not support 0 with this model"},
		{Kind: "filter", Status: 400, Text: "x (400): The response was filtered"},
	} {
		p := newProject(t, languages()[1], nil)
		p.setup.Protocol = auto
		p.setup.Begin.Protocol = "auto"
		p.script.Faults = map[int]error{0: refusal}
		if events := p.say("go", nil); len(switches(events)) != 0 || last(t, events).Status == nebula.TurnDone {
			t.Errorf("%s: switched %+v", refusal.Text, switches(events))
		}
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
