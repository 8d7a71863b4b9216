package nebulatest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/phrase"
)

// A Writer writes an intent in a protocol's own language.
type Writer func(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply

// TestProtocol is the conformance suite of a nebula.Protocol. What write writes must decode to what was meant, byte
// for byte; what is only quoted must not act; a reply cut anywhere must not act in part; every action must have
// exactly one result in the history; and a reply that streams must mean what it means as a whole.
func TestProtocol(t *testing.T, p nebula.Protocol, write Writer) {
	t.Run("EveryToolRoundTrips", func(t *testing.T) { everyTool(t, p, write) })
	t.Run("PayloadIsExact", func(t *testing.T) { payloads(t, p, write) })
	t.Run("QuotedTextNeverActs", func(t *testing.T) { quoting(t, p, write) })
	t.Run("CutReplyNeverActsInPart", func(t *testing.T) { cuts(t, p, write) })
	t.Run("LengthActsNot", func(t *testing.T) { length(t, p, write) })
	t.Run("EveryActionHasOneResult", func(t *testing.T) { results(t, p, write) })
	t.Run("StreamedIsWhole", func(t *testing.T) { streamed(t, p, write) })
	t.Run("AnythingDecodes", func(t *testing.T) { anything(t, p) })
	t.Run("TeachingIsStable", func(t *testing.T) { teaching(t, p) })
}

func everyTool(t *testing.T, p nebula.Protocol, write Writer) {
	tools := Specs()
	for _, a := range Samples() {
		r := write(nebula.Intent{Thoughts: []string{"why not"}, Actions: []nebula.Action{a}}, tools)
		in := p.Decode(r, tools)
		if len(in.Actions) != 1 || !same(in.Actions[0], a) {
			t.Errorf("%s %s came back as %+v\n%s", a.Tool, a.Args, in.Actions, shown(r))
		}
	}
	all := p.Decode(write(nebula.Intent{Say: "all", Actions: Samples()}, tools), tools)
	if len(all.Actions) != len(Samples()) {
		t.Fatalf("%d actions of %d came back", len(all.Actions), len(Samples()))
	}
	for i, a := range Samples() {
		if !same(all.Actions[i], a) {
			t.Errorf("action %d is %s %s, want %s %s", i, all.Actions[i].Tool, all.Actions[i].Args, a.Tool, a.Args)
		}
	}
}

// same reports whether an action came back as it was meant, and unasked.
func same(got, want nebula.Action) bool {
	var a, b any
	return got.Tool == want.Tool && got.Problem == "" && !got.Inferred &&
		json.Unmarshal(got.Args, &a) == nil && json.Unmarshal(want.Args, &b) == nil && reflect.DeepEqual(a, b)
}

func shown(r nebula.Reply) string { return fmt.Sprintf("%s\n%+v", r.Text(), r.Calls()) }

// write1 is an action that writes content.
func write1(content string) nebula.Action {
	args, _ := json.Marshal(map[string]string{"path": "f.txt", "content": content})
	return nebula.Action{Tool: "writeFile", Args: args}
}

func payloads(t *testing.T, p nebula.Protocol, write Writer) {
	tools := Specs()
	check := func(content string) {
		t.Helper()
		run, _ := json.Marshal(map[string]string{"command": content + "x"})
		want := []nebula.Action{write1(content), {Tool: "executeShell", Args: run}, {Tool: "deleteFile", Args: json.RawMessage(`{"path":"x"}`)}}
		r := write(nebula.Intent{Actions: want}, tools)
		in := p.Decode(r, tools)
		if len(in.Actions) != len(want) {
			t.Fatalf("content %q: %d actions, want %d\n%s", content, len(in.Actions), len(want), shown(r))
		}
		for i := range want {
			if !same(in.Actions[i], want[i]) {
				t.Fatalf("content %q: action %d is %+v\n%s", content, i, in.Actions[i], shown(r))
			}
		}
	}
	for _, text := range Texts() {
		check(text)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		check(Jumble(random))
	}
}

func quoting(t *testing.T, p nebula.Protocol, write Writer) {
	tools := Specs()
	random := rand.New(rand.NewPCG(3, 4))
	texts := Texts()
	for range 300 {
		texts = append(texts, Jumble(random))
	}
	for _, text := range texts {
		for _, in := range []nebula.Intent{{Thoughts: []string{text}, Say: "ok"}, {Say: "It says: " + text}, {Thoughts: []string{"x"}, Actions: []nebula.Action{write1(text)}}} {
			r := write(in, tools)
			if got := p.Decode(r, tools); len(got.Actions) != len(in.Actions) {
				t.Fatalf("%q acts: %+v\n%s", text, got.Actions, shown(r))
			}
		}
	}
}

func cuts(t *testing.T, p nebula.Protocol, write Writer) {
	tools := Specs()
	want := []nebula.Action{
		{Tool: "list", Args: json.RawMessage(`{"path":"src","recursive":true,"pattern":"*.py"}`)},
		write1("a\n--\n🦆▶️[T:run|x]◀️🦆 ]◀️🦆 {\"a\":1}]}\n"),
		{Tool: "executeShell", Args: json.RawMessage(`{"command":"rm -r build && make","timeout":5}`)},
		{Tool: "deleteFile", Args: json.RawMessage(`{"path":"very/long/name"}`)},
	}
	r := write(nebula.Intent{Thoughts: []string{"think"}, Actions: want}, tools)
	for i := range len(r.Text()) {
		part := nebula.Reply{Parts: nebula.Text(r.Text()[:i]), Finish: "stop"}
		in := p.Decode(part, tools)
		ready := 0
		for _, a := range in.Actions {
			if a.Problem != "" || a.Inferred {
				continue
			}
			if ready >= len(want) || !same(a, want[ready]) {
				t.Fatalf("cut at %d, action %d is %s %s\n%s", i, ready, a.Tool, a.Args, part.Text())
			}
			ready++
		}
	}
}

func length(t *testing.T, p nebula.Protocol, write Writer) {
	r := write(nebula.Intent{Actions: Samples()[:3]}, Specs())
	r.Finish = "length"
	for _, a := range p.Decode(r, Specs()).Actions {
		if a.Problem == "" {
			t.Errorf("%s runs although the reply was cut", a.Tool)
		}
	}
}

func results(t *testing.T, p nebula.Protocol, write Writer) {
	tools := Specs()
	samples := append(Samples(), nebula.Action{Tool: "noSuchTool", Args: json.RawMessage(`{}`)})
	for n := range len(samples) + 1 {
		r := write(nebula.Intent{Say: "s", Actions: samples[:n]}, tools)
		in := p.Decode(r, tools)
		var done []nebula.Result
		for i := range in.Actions {
			a := &in.Actions[i]
			a.ID = fmt.Sprintf("a%d", i)
			done = append(done, nebula.Result{Action: a.ID, Call: a.Call, Tool: a.Tool, Status: nebula.Done, Text: fmt.Sprintf("result-%d.", i)})
		}
		messages := p.Encode(r, in, done)
		accepted(t, messages)
		all := ""
		for _, m := range messages[1:] {
			all += m.Text()
		}
		for i := range done {
			if strings.Count(all, done[i].Text) != 1 {
				t.Errorf("result %d of %d stands %d times", i, len(done), strings.Count(all, done[i].Text))
			}
		}
	}
	accepted(t, p.Encode(nebula.Reply{}, p.Decode(nebula.Reply{}, tools), nil))
}

// accepted checks what strict providers check of a history.
func accepted(t *testing.T, messages []nebula.Message) {
	t.Helper()
	if len(messages) == 0 || messages[0].Role != nebula.Assistant {
		t.Fatalf("the reply does not come first: %+v", messages)
	}
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role != nebula.ToolRole && len(open) > 0 {
			t.Errorf("calls without an answer before message %d", i)
		}
		if strings.TrimSpace(m.Text()) == "" && len(m.Calls()) == 0 {
			t.Errorf("message %d is empty", i)
		}
		if m.Role == nebula.ToolRole {
			if !open[m.CallID] {
				t.Errorf("message %d answers no call", i)
			}
			delete(open, m.CallID)
		}
		for _, c := range m.Calls() {
			var object map[string]any
			if c.ID == "" || open[c.ID] || c.Name == "" || json.Unmarshal([]byte(c.Arguments), &object) != nil {
				t.Errorf("call %+v", c)
			}
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		t.Errorf("calls without an answer: %v", open)
	}
}

func streamed(t *testing.T, p nebula.Protocol, write Writer) {
	s, ok := p.(nebula.Streamer)
	if !ok {
		return
	}
	tools := Specs()
	random := rand.New(rand.NewPCG(5, 6))
	texts := Texts()
	for range 150 {
		texts = append(texts, Jumble(random))
		in := nebula.Intent{Thoughts: []string{Jumble(random)}, Say: Jumble(random), Actions: []nebula.Action{write1(Jumble(random)), Samples()[random.IntN(len(Samples()))]}}
		texts = append(texts, write(in, tools).Text(), "<think>"+Jumble(random)+"</think>\n"+write(in, tools).Text())
	}
	texts = append(texts, write(nebula.Intent{Say: "all", Actions: Samples()}, tools).Text())
	for _, text := range texts {
		whole := p.Decode(nebula.Reply{Parts: nebula.Text(text)}, tools)
		for _, size := range []int{1, 3, 1 + random.IntN(200)} {
			checkStream(t, s.Stream(tools), text, size, whole)
		}
	}
}

func checkStream(t *testing.T, d nebula.StreamDecoder, text string, size int, whole nebula.Intent) {
	t.Helper()
	var shown []nebula.Action
	said := ""
	for rest := text; rest != ""; {
		n := min(size, len(rest))
		for _, piece := range d.Feed(rest[:n]) {
			said += piece.Say
			if piece.Action != nil {
				shown = append(shown, *piece.Action)
			}
		}
		rest = rest[n:]
	}
	if in := d.Close(); !reflect.DeepEqual(in, whole) {
		t.Fatalf("streamed by %d:\n%+v\nwhole:\n%+v\n%s", size, in, whole, text)
	}
	if strings.Contains(text, "</think>") {
		said = "" // what looked like an answer can turn out to have been a thought
	}
	if words := strings.Join(strings.Fields(said), " "); !strings.HasPrefix(strings.Join(strings.Fields(whole.Say), " "), words) {
		t.Fatalf("streamed by %d, %q was said, and then it was %q\n%s", size, said, whole.Say, text)
	}
	for i, a := range shown {
		if i >= len(whole.Actions) || a.Tool != whole.Actions[i].Tool || string(a.Args) != string(whole.Actions[i].Args) {
			t.Fatalf("streamed by %d, action %d was shown as %s %s, and is not that\n%s", size, i, a.Tool, a.Args, text)
		}
	}
}

func anything(t *testing.T, p nebula.Protocol) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		CheckDecode(t, p, Jumble(random))
	}
	for _, text := range Texts() {
		CheckDecode(t, p, text)
	}
}

// CheckDecode decodes a text and checks what must hold of every intent: arguments are JSON objects, spans and lines lie
// within the text. It is also the body of the protocols' fuzz targets.
func CheckDecode(t *testing.T, p nebula.Protocol, text string) nebula.Intent {
	t.Helper()
	in := p.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, Specs())
	lines := 1 + strings.Count(text, "\n")
	for _, a := range in.Actions {
		var object map[string]any
		if json.Unmarshal(a.Args, &object) != nil {
			t.Fatalf("%q: arguments %q", text, a.Args)
		}
		if a.Src.Start < 0 || a.Src.End > len(text) || a.Src.Start > a.Src.End || a.Src.Line > lines {
			t.Fatalf("%q: span %+v of %d bytes", text, a.Src, len(text))
		}
	}
	for _, r := range in.Repairs {
		if r.Line < 1 || r.Line > lines || r.Name == "" {
			t.Fatalf("%q: repair %+v of %d lines", text, r, lines)
		}
	}
	for _, q := range in.Problems {
		if q.Line < 1 || q.Line > lines || q.Text == "" {
			t.Fatalf("%q: problem %+v of %d lines", text, q, lines)
		}
	}
	if _, err := json.Marshal(in); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return in
}

func teaching(t *testing.T, p nebula.Protocol) {
	for _, lang := range phrase.Langs() {
		text, native := p.Teach(Specs(), lang)
		if again, _ := p.Teach(Specs(), lang); again != text {
			t.Errorf("%s: taught differently the second time", lang)
		}
		if (text == "") == (len(native) == 0) {
			t.Errorf("%s: taught by %d bytes of text and %d native tools", lang, len(text), len(native))
		}
	}
}

// Texts are texts that are hard to carry: every protocol's own documents, and what lies at their edges.
func Texts() []string {
	return []string{
		"", " ", "\n", "\n\n", "a", "a\n", "\na", " a ", "\t", "\r\n", "a\r\nb\r\n", "x\x00y", "|", "a|b", `\|`, `\`, `"`, `""`, `'`, "`", "```", "~~~",
		"--", "--\n", "\n--\n", "---", "a\n--\nb\n---\nc", "$ create @ a.py\n--\nx\n--\n", "~ thought\n$ run @ rm -rf x", "#c0.9 #m0.8", "? \"ok?\"\n  1. yes",
		"🦆▶️[T:run_tests]◀️🦆", "🦆▶️[T:execute_shell|rm -rf x]◀️🦆", "🦆▶️[", "]◀️🦆", "]]◀️🦆", "]", "]]]", "x]◀️🦆 y", "a ]◀️🦆 b 🦆▶️[ c", "🦆▶️[[T:run_tests]]◀️🦆",
		"Action:\n🦆▶️[T:run_tests]◀️🦆\n", "Thought: x\nAction:\n🦆▶️[T:delete_file|x]◀️🦆", "```\n🦆▶️[T:run_tests]◀️🦆\n```", "🦆", "▶️", "◀️🦆", strings.Repeat("]", 80), strings.Repeat("]", 80) + "◀️🦆", strings.Repeat("[", 80),
		`{"actions":[{"operation":"executeShell","args":{"command":"rm -rf x"}}]}`, `[{"operation":"deleteFile","args":{"path":"x"},"reasoning":"r"}]`, `{"name":"deleteFile","arguments":{"path":"x"}}`,
		"```json\n{\"name\":\"deleteFile\",\"arguments\":{\"path\":\"x\"}}\n```", "<tool_call>\n{\"name\":\"deleteFile\",\"arguments\":{\"path\":\"x\"}}\n</tool_call>",
		"<function=deleteFile>\n<parameter=path>\nx\n</parameter>\n</function>", "<invoke name=\"deleteFile\"><parameter name=\"path\">x</parameter></invoke>", "[TOOL_CALLS][{\"name\":\"deleteFile\",\"arguments\":{\"path\":\"x\"}}]",
		"<|python_tag|>{\"name\":\"deleteFile\",\"parameters\":{\"path\":\"x\"}}", "<｜tool▁calls▁begin｜>", "<think>x</think>", "</think>", "\n</think>\n", "a\n</think>\n🦆▶️[T:run_tests]◀️🦆\n", "&lt;b&gt; &amp;", "“smart” ‘quotes’", "日本語の文章。", "🇯🇵👩‍💻 é", "#!/bin/sh\necho \"$1\"\n",
		"func main() {\n\tfmt.Println(\"a\\tb\")\n}\n", "{\"json\": [1, 2, {\"x\": \"\\u003c\"}]}\n", "key: value\n- list\n---\nmore: |\n  text\n", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "{{F:main}} {{ x }}",
	}
}

// Jumble is a text made of pieces of all the languages, at random.
func Jumble(random *rand.Rand) string {
	texts := Texts()
	var b strings.Builder
	for range random.IntN(7) {
		switch random.IntN(6) {
		case 0:
			b.WriteByte(" \n\t|]["[random.IntN(6)])
		case 1:
			b.WriteString([]string{"read_file", "Action:", "Thought:", "T:", "say", "\"", "actions", ": ", ", ", "writeFile"}[random.IntN(10)])
		case 2:
			text := texts[random.IntN(len(texts))]
			b.WriteString(strings.ToValidUTF8(text[:random.IntN(len(text)+1)], ""))
		default:
			b.WriteString(texts[random.IntN(len(texts))])
		}
	}
	return b.String()
}
