package prompt_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"nebula"
	"nebula/internal/model/token"
	"nebula/internal/prompt"
	"nebula/internal/protocol/toolcall"
	"nebula/internal/state"
)

// A fold makes a state of events.
type fold struct {
	*state.State
}

func newFold(lang string) fold {
	f := fold{state.New()}
	f.apply(nebula.Started{Session: "s", Dir: "/p", Model: "m", Protocol: "toolcall", Mode: nebula.AgentMode, Lang: lang})
	return f
}

func (f fold) apply(bodies ...nebula.Body) {
	for _, b := range bodies {
		f.Apply(nebula.Event{Seq: f.Seq + 1, Body: b})
	}
}

// turn is one request with one tool call and its answer.
func (f fold) turn(n int, request, output string) {
	f.apply(nebula.Submitted{Turn: n, Text: request})
	id := fmt.Sprintf("c%d", n)
	f.apply(nebula.Observed{Messages: []nebula.Message{
		{Role: nebula.Assistant, Parts: nebula.PartsOf("", "", nebula.Call{ID: id, Name: "readFile", Arguments: `{"path":"a.go","reason":"to see"}`})},
		{Role: nebula.ToolRole, CallID: id, Parts: nebula.Text(output)},
	}})
	f.apply(nebula.Observed{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text(fmt.Sprintf("Turn %d is done.", n))}}})
	f.apply(nebula.Ended{})
}

func specs(n int) []nebula.ToolSpec {
	var list []nebula.ToolSpec
	for i := range n {
		list = append(list, nebula.ToolSpec{Name: fmt.Sprintf("tool%d", i), Description: "Does one thing to a file.", Effect: nebula.Read,
			Params: []nebula.Param{{Name: "path", Type: "string", Required: true}}})
	}
	return list
}

func input(s *state.State, window int) prompt.Input {
	return prompt.Input{State: s, Protocol: toolcall.Protocol{}, Tools: specs(11), Window: window}
}

func builder() *prompt.Builder {
	return &prompt.Builder{Facts: prompt.Facts{OS: "linux", Dir: "/p", Entries: []string{"main.go"}}, Count: token.Count}
}

// fit builds as the agent does: compacting until it fits.
func fit(t *testing.T, f fold, b *prompt.Builder, in prompt.Input) nebula.Prompt {
	t.Helper()
	for range 3 {
		p, report := b.Build(in)
		if report.Fits {
			return p
		}
		c, ok := b.Compact(in, report)
		if !ok {
			t.Fatalf("nothing more to gain at %d tokens", report.Total)
		}
		f.apply(c)
	}
	t.Fatal("it does not fit after two compactions")
	return nebula.Prompt{}
}

func text(p nebula.Prompt) string {
	var b strings.Builder
	b.WriteString(p.System)
	for _, m := range p.Messages {
		b.WriteString("\n" + m.Text())
		for _, c := range m.Calls() {
			b.WriteString("\n" + c.Name + c.Arguments)
		}
	}
	return b.String()
}

func TestFiveHundredTurnsInASmallWindowKeepTheThread(t *testing.T) {
	f, b := newFold("en"), builder()
	goal, plan := "give todos a priority", []string{"domain", "use case", "cli"}
	f.apply(nebula.Submitted{Turn: 1, Text: "Give todos a priority. Never use global variables."},
		nebula.Updated{Delta: nebula.Delta{Goal: &goal, PlanBrief: &plan}, By: "model"},
		nebula.Ended{})
	f.apply(nebula.Finished{Result: nebula.Result{Status: nebula.Done, Changes: []nebula.Change{{Path: "domain/todo.go", Kind: "edit", After: "x"}}}})
	compactions := 0
	for n := 2; n <= 501; n++ {
		f.turn(n, fmt.Sprintf("request %d", n), strings.Repeat("line of a file\n", 60))
		before := f.Compact
		p := fit(t, f, b, input(f.State, 8000))
		if f.Compact.Dropped != before.Dropped || f.Compact.Elided != before.Elided {
			compactions++
		}
		sent := text(p)
		for _, pin := range []string{"give todos a priority", "Never use global variables", "domain", "use case", "domain/todo.go"} {
			if !strings.Contains(sent, pin) {
				t.Fatalf("turn %d: %q is not in the request", n, pin)
			}
		}
		if total := token.Count(sent); total > 8000 {
			t.Fatalf("turn %d: %d tokens", n, total)
		}
		whole(t, n, p.Messages)
	}
	if compactions == 0 || compactions > 120 {
		t.Errorf("%d compactions in 500 turns", compactions)
	}
}

// whole checks that every result follows its call.
func whole(t *testing.T, n int, messages []nebula.Message) {
	t.Helper()
	open := ""
	for _, m := range messages {
		switch {
		case m.Role == nebula.ToolRole && m.CallID != open:
			t.Fatalf("turn %d: a result without its call", n)
		case m.Role == nebula.ToolRole:
			open = ""
		case open != "":
			t.Fatalf("turn %d: a call without its result", n)
		}
		for _, c := range m.Calls() {
			open = c.ID
		}
	}
}

func TestPrefixStaysTheSameBetweenCompactions(t *testing.T) {
	f, b := newFold("en"), builder()
	goal := "keep the cache warm"
	f.apply(nebula.Updated{Delta: nebula.Delta{Goal: &goal}, By: "model"})
	last := ""
	for n := 1; n <= 60; n++ {
		f.turn(n, "go on", strings.Repeat("some output of a command\n", 40))
		p, _ := b.Build(input(f.State, 200_000))
		now := text(p)
		if n > 20 {
			same := 0
			for same < len(last) && same < len(now) && last[same] == now[same] {
				same++
			}
			if share := float64(same) / float64(len(last)); share < 0.95 {
				t.Errorf("turn %d: only %.1f %% of the last request begin this one", n, share*100)
			}
		}
		last = now
	}
}

// The layers that are kept are those of the tools that are offered now, not of as many others.
func TestOtherToolsAreOtherLayers(t *testing.T) {
	f, b := newFold("en"), builder()
	in := input(f.State, 0)
	in.Tools = []nebula.ToolSpec{{Name: "one", Description: "The first.", Effect: nebula.Read}}
	before, _ := b.Build(in)
	in.Tools = []nebula.ToolSpec{{Name: "other", Description: "The second.", Effect: nebula.Read}}
	after, _ := b.Build(in)
	if before.System+toolNames(before) == after.System+toolNames(after) || !strings.Contains(after.System+toolNames(after), "other") {
		t.Errorf("as many tools, and the request is still\n%s%s", after.System, toolNames(after))
	}
}

func toolNames(p nebula.Prompt) (names string) {
	for _, tool := range p.Tools {
		names += tool.Name
	}
	return names
}

// A picture weighs what it is read as, wherever it stands.
func TestPicturesCount(t *testing.T) {
	picture := nebula.Image{Type: "image/png", Data: []byte("no picture that can be measured")}
	total := func(parts ...nebula.Part) int {
		f := newFold("en")
		f.turn(1, "hello", "x")
		f.apply(nebula.Observed{Messages: []nebula.Message{{Role: nebula.User, Parts: append(nebula.Text("look"), parts...)}}})
		_, report := builder().Build(input(f.State, 128_000))
		return report.Total
	}
	if without, with := total(), total(nebula.Pictures(picture)...); with-without != picture.Tokens() {
		t.Errorf("%d tokens without a picture of %d, %d with it", without, picture.Tokens(), with)
	}
}

func TestPlainConversationHasNothingAfterIt(t *testing.T) {
	f, b := newFold("en"), builder()
	f.turn(1, "hello", "x")
	p, _ := b.Build(input(f.State, 128_000))
	if m := p.Messages[len(p.Messages)-1]; m.Text() != "Turn 1 is done." {
		t.Errorf("the last message is %q", m.Text())
	}
}

func TestLayersStayWithinTheirBudget(t *testing.T) {
	long := strings.Repeat("長い言葉 and words ", 20)
	many := []string{long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long}
	for lang, most := range map[string]int{"en": 2500, "ja": 3500} {
		f, b := newFold(lang), builder()
		b.Memory = prompt.Memory{Files: 1000, Done: 1000, Sessions: 50, Last: "2026-01-01", Notes: many, Recent: many}
		d, _ := state.Fit(nebula.Delta{Goal: &long, WhyNow: &long, Constraints: &many, PlanBrief: &many, OpenQuestions: &many, ContextRefs: &many, Decided: many})
		f.apply(nebula.Updated{Delta: d, By: "model"})
		f.apply(nebula.Replied{Intent: nebula.Intent{Decision: &nebula.Decision{PromptPattern: "base_main_specialized"}}}, nebula.Observed{})
		in := input(f.State, 128_000)
		in.Progress, in.Evidence = strings.Repeat(long+"\n", 3), strings.Repeat(long+"\n", 30)
		p, report := b.Build(in)
		limits := map[string]int{"base": 500, "main": 800, "situation": 800, "specialized": 1200}
		sum := 0
		for _, l := range report.Layers {
			if limit, ok := limits[l.Name]; ok && l.Tokens > limit {
				t.Errorf("%s %s: %d tokens of %d", lang, l.Name, l.Tokens, limit)
			}
			if l.Name != "conversation" {
				sum += l.Tokens
			}
		}
		if sum > most {
			t.Errorf("%s: %d tokens with everything at its limit, at most %d: %v", lang, sum, most, report.Layers)
		}
		if order := "evidence summary questions plan constraints"; !strings.HasPrefix(order, strings.Join(report.Cuts, " ")) {
			t.Errorf("%s: cut %v", lang, report.Cuts)
		}
		t.Logf("%s: %d tokens %v cuts %v", lang, sum, report.Layers, report.Cuts)
		if !strings.Contains(text(p), "…") {
			t.Errorf("%s: nothing was cut with a mark", lang)
		}
	}
}

func TestBaseIsNeverLongerThanItsLimit(t *testing.T) {
	many := make([]string, 30)
	for i := range many {
		many[i] = strings.Repeat("記憶 ", 100)
	}
	for _, lang := range []string{"en", "ja"} {
		f, b := newFold(lang), builder()
		b.Memory = prompt.Memory{Sessions: 1, Notes: many, Recent: many}
		b.Texts = prompt.Texts{lang + "/agent": "MAIN"}
		p, _ := b.Build(input(f.State, 0))
		base, _, _ := strings.Cut(p.System, "MAIN")
		if n := utf8.RuneCountInString(base); n > 1001 {
			t.Errorf("%s: %d characters", lang, n)
		}
	}
}

// Every request carries what is remembered: nothing of it is a count of nothing.
func TestNoneIsNotRemembered(t *testing.T) {
	for lang, want := range map[string][2]string{
		"en": {"Before in this project: 2 sessions (last 2026-01-01).\n", "Before in this project: 2 sessions, 1 file changes, 3 actions done.\n"},
		"ja": {"このプロジェクトでのこれまで: 2 回(最後は 2026-01-01)。\n", "このプロジェクトでのこれまで: 2 回、ファイルの変更 1、成功した操作 3。\n"},
	} {
		for i, m := range []prompt.Memory{{Sessions: 2, Last: "2026-01-01"}, {Sessions: 2, Files: 1, Done: 3}} {
			b := builder()
			b.Memory = m
			if p, _ := b.Build(input(newFold(lang).State, 0)); !strings.Contains(p.System, want[i]) {
				t.Errorf("%q is not in %q", want[i], p.System)
			}
		}
	}
}

// The model's own list outlasts that the conversation is shortened; before, it stands there.
func TestTheChecklistOutlastsCompaction(t *testing.T) {
	f, b := newFold("en"), builder()
	list := []nebula.Item{{Text: "read", Status: nebula.Completed}, {Text: "write", Status: nebula.InProgress}, {Text: "test", Status: nebula.Pending}}
	f.turn(1, "go", "x")
	f.apply(nebula.Submitted{Turn: 2, Text: "go on"}, nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a1"}, List: list}},
		nebula.Finished{Result: nebula.Result{Action: "a1", Status: nebula.Done}}, nebula.Observed{})
	const want = "Your checklist:\n- [x] read\n- [>] write\n- [ ] test\n"
	if p, _ := b.Build(input(f.State, 0)); strings.Contains(text(p), want) {
		t.Error("it is said twice")
	}
	f.apply(nebula.Compacted{Dropped: 2})
	if p, _ := b.Build(input(f.State, 0)); !strings.Contains(text(p), want) {
		t.Errorf("%s", text(p))
	}
	f.apply(nebula.Ended{}, nebula.Submitted{Turn: 3, Text: "and then"})
	if p, _ := b.Build(input(f.State, 0)); !strings.Contains(text(p), want) {
		t.Error("what is open of it is lost with the turn")
	}
}

func TestTemplatesCanBeReplaced(t *testing.T) {
	f, b := newFold("en"), builder()
	b.Texts = prompt.Texts{"en/base": "I am somebody else.\n{memory}\n", "ja/base": "不使用"}
	b.Memory.Notes = []string{"tabs, not spaces"}
	p, _ := b.Build(input(f.State, 0))
	if !strings.Contains(p.System, "I am somebody else.\n- tabs, not spaces\n") {
		t.Errorf("got %q", p.System)
	}
	for _, lang := range []string{"en", "ja"} {
		for _, name := range prompt.Names {
			f := newFold(lang)
			f.Mode = nebula.Mode(name)
			if p, _ := builder().Build(input(f.State, 0)); len(p.System) < 100 {
				t.Errorf("%s/%s is missing", lang, name)
			}
		}
	}
}

func TestPatternChoosesTheLayers(t *testing.T) {
	for pattern, want := range map[string][2]bool{ // how to work, procedure
		"": {true, false}, "base_main": {true, false}, "base_main_specialized": {true, true}, "base_specialized": {false, true},
	} {
		f := newFold("en")
		f.apply(nebula.Replied{Intent: nebula.Intent{Decision: &nebula.Decision{PromptPattern: pattern}}}, nebula.Observed{})
		p, _ := builder().Build(input(f.State, 0))
		sent := text(p)
		if got := [2]bool{strings.Contains(sent, "How to work"), strings.Contains(sent, "Planning:")}; got != want {
			t.Errorf("%q: %v, want %v", pattern, got, want)
		}
	}
}

func BenchmarkBuild10000Messages(b *testing.B) {
	f := newFold("en")
	for n := 1; n <= 2500; n++ {
		f.turn(n, fmt.Sprintf("request %d", n), strings.Repeat("output\n", 30))
	}
	build := builder()
	in := input(f.State, 4_000_000)
	build.Build(in)
	for b.Loop() {
		build.Build(in)
	}
}

// A turn that outgrows the window goes on under the request that it answers.
func TestUserSpeaksFirstAfterCompaction(t *testing.T) {
	f, b := newFold("en"), builder()
	f.apply(nebula.Submitted{Turn: 1, Text: "Tidy everything up."})
	for n := range 80 {
		id := fmt.Sprintf("c%d", n)
		f.apply(nebula.Observed{Messages: []nebula.Message{
			{Role: nebula.Assistant, Parts: nebula.PartsOf("", "", nebula.Call{ID: id, Name: "readFile", Arguments: `{"path":"a.go"}`})},
			{Role: nebula.ToolRole, CallID: id, Parts: nebula.Text(strings.Repeat("line of a file\n", 100))},
		}})
		p := fit(t, f, b, input(f.State, 8000))
		if m := p.Messages[0]; m.Role != nebula.User || m.Text() != "Tidy everything up." {
			t.Fatalf("reply %d: the conversation begins with %s %q", n, m.Role, m.Text())
		}
	}
	if f.Compact.Dropped == 0 {
		t.Error("nothing fell out")
	}
}

// One's own words come before what is remembered: notes give way to them, in characters and in tokens, and that is counted.
func TestOwnPromptIsNotCutForNotes(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		b := builder()
		own := strings.Repeat("相手の決まりを守る。", 40)
		b.Texts = prompt.Texts{lang + "/base": "{memory}\n" + own + "終わり\n"}
		b.Memory.Notes = []string{strings.Repeat("記憶", 45), strings.Repeat("注意", 45), strings.Repeat("約束", 45)}
		if cuts := b.Overlong(lang); len(cuts) > 0 {
			t.Fatal(cuts)
		}
		text := b.Base(lang)
		if left := b.Forgotten(lang); !strings.Contains(text, "終わり") || left == 0 || left != 3-strings.Count(text, "- ") {
			t.Errorf("%s: %d left out of %q", lang, left, text)
		}
		b.Texts[lang+"/base"] = strings.Repeat(own, 5)
		if cuts := b.Overlong(lang); len(cuts) != 1 || cuts[0].Name != lang+"/base" || cuts[0].From == "" {
			t.Errorf("%s: %v", lang, cuts)
		}
	}
}

// Steps are named only to who named them, and nobody is asked to repeat what the person's own words say.
func TestStepsAreNamedToWhoNamedThem(t *testing.T) {
	in := input(newFold("en").State, 0)
	in.Tools = []nebula.ToolSpec{{Name: "keep", Effect: nebula.Update}}
	for _, informed := range []bool{false, true} {
		f := newFold("en")
		f.apply(nebula.Compacted{Dropped: 2, Summary: []string{"s"}})
		if f.Informed = informed; informed {
			f.Items.Goal = "g"
		}
		in.State = f.State
		p, _ := builder().Build(in)
		if sent := text(p); strings.Contains(sent, "keep") || strings.Contains(sent, "PLANNING") != informed {
			t.Errorf("informed %v: %s", informed, sent)
		}
	}
}
