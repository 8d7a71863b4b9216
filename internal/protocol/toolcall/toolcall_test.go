package toolcall_test

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/toolcall"
)

func tools() []nebula.ToolSpec {
	return []nebula.ToolSpec{
		{Name: "readFile", Aliases: []string{"read_file"}, Effect: nebula.Read, Params: []nebula.Param{{Name: "path", Type: "string", Required: true}}},
		{Name: "writeFile", Aliases: []string{"create"}, Effect: nebula.Write, Params: []nebula.Param{
			{Name: "path", Type: "string", Required: true}, {Name: "content", Type: "string", Required: true, Payload: true}}},
	}
}

func decode(calls ...nebula.Call) nebula.Intent {
	return toolcall.Protocol{}.Decode(nebula.Reply{Parts: nebula.PartsOf("", "", calls...), Finish: "tool_calls"}, tools())
}

func TestEveryCallIsOneActionInOrder(t *testing.T) {
	in := decode(
		nebula.Call{ID: "a1", Name: "read_file", Arguments: `{"path":"x","reason":"see"}`},
		nebula.Call{ID: "a2", Name: "nothing", Arguments: `{}`},
		nebula.Call{ID: "a3", Name: "writeFile", Arguments: `{"path":"x"`},
		nebula.Call{ID: "a4", Name: "writeFile", Arguments: `{"path":"y","content":"z"}`},
	)
	if len(in.Actions) != 4 {
		t.Fatalf("%d actions", len(in.Actions))
	}
	for i, want := range []struct {
		tool, call string
		problem    bool
	}{{"readFile", "a1", false}, {"nothing", "a2", true}, {"writeFile", "a3", true}, {"writeFile", "a4", false}} {
		a := in.Actions[i]
		if a.Tool != want.tool || a.Call != want.call || (a.Problem != "") != want.problem {
			t.Errorf("action %d: %+v", i, a)
		}
	}
	if in.Actions[0].Reason != "see" {
		t.Errorf("reason %q", in.Actions[0].Reason)
	}
}

func TestCutReplyRunsNothing(t *testing.T) {
	in := toolcall.Protocol{}.Decode(nebula.Reply{Finish: "length", Parts: nebula.PartsOf("", "", nebula.Call{ID: "1", Name: "readFile", Arguments: `{"path":"x"}`})}, tools())
	if len(in.Actions) != 1 || in.Actions[0].Problem == "" {
		t.Fatalf("%+v", in.Actions)
	}
}

func TestPayloadIsExactOrRefused(t *testing.T) {
	for _, c := range []struct{ args, want, problem string }{
		{"{\"path\":\"a\",\"content\":\"x\n\ty\"}", "x\n\ty", ""},
		{`{'path':'a','content':'say "hi"\n',}`, "say \"hi\"\n", ""},
		{`{"path":"a","content":"x" /* done */}`, "x", ""},
		{`{"path":"a","content":"print("hi")"}`, "", "not certain"},
		{`{"path":"a","content":"\d+"}`, "", "not certain"},
		{`{"path":"a","content":"unfinished`, "", "never ends"},
		{`{"path":"a","content":"x"} and so on`, "", "unexpected text"},
	} {
		a := decode(nebula.Call{ID: "1", Name: "create", Arguments: c.args}).Actions[0]
		var got struct{ Content string }
		if err := json.Unmarshal(a.Args, &got); err != nil {
			t.Fatal(err)
		}
		if c.problem != "" && !strings.Contains(a.Problem, c.problem) || c.problem == "" && (a.Problem != "" || got.Content != c.want) {
			t.Errorf("%s: content %q problem %q", c.args, got.Content, a.Problem)
		}
	}
}

func TestHistoryIsOneThatProvidersAccept(t *testing.T) {
	r := nebula.Reply{Finish: "tool_calls", Parts: nebula.PartsOf("", "", nebula.Call{ID: "", Name: "functions.read file", Arguments: ``}, nebula.Call{ID: "dup", Name: "readFile", Arguments: `{broken`}, nebula.Call{ID: "dup", Name: "", Arguments: `[1]`}, nebula.Call{ID: "call_0", Name: "readFile", Arguments: `{"path":"p"}`})}
	in := toolcall.Protocol{}.Decode(r, tools())
	for i := range in.Actions {
		in.Actions[i].ID = string(rune('A' + i))
	}
	messages := toolcall.Protocol{}.Encode(r, in, []nebula.Result{{Action: "B", Text: "second"}, {Action: "A", Text: "first"}})
	if len(messages) != 5 || messages[0].Role != nebula.Assistant || len(messages[0].Calls()) != 4 {
		t.Fatalf("%+v", messages)
	}
	seen := map[string]bool{}
	for i, c := range messages[0].Calls() {
		if c.ID == "" || seen[c.ID] || c.Name == "" || strings.ContainsAny(c.Name, ". ") || !json.Valid([]byte(c.Arguments)) {
			t.Errorf("call %d: %+v", i, c)
		}
		seen[c.ID] = true
		if m := messages[i+1]; m.Role != nebula.ToolRole || m.CallID != c.ID || m.Text() == "" {
			t.Errorf("answer %d: %+v", i, m)
		}
	}
	if messages[1].Text() != "first" || messages[2].Text() != "second" {
		t.Errorf("results are not with their calls: %q %q", messages[1].Text(), messages[2].Text())
	}
}

func TestTextIsSaidAndThinkingIsThought(t *testing.T) {
	in := toolcall.Protocol{}.Decode(nebula.Reply{Parts: nebula.PartsOf("deep", "<think>\nhm\n</think>\nDone."), Finish: "stop"}, tools())
	if in.Say != "Done." || strings.Join(in.Thoughts, "|") != "deep|hm" || len(in.Actions) != 0 {
		t.Fatalf("%+v", in)
	}
}

func TestProtocol(t *testing.T) { nebulatest.TestProtocol(t, toolcall.Protocol{}, toolcall.Write) }

func FuzzDecode(f *testing.F) {
	for _, text := range nebulatest.Texts() {
		f.Add("writeFile", text, text)
	}
	f.Add("run", `{'command':"x",}`, "")
	f.Fuzz(func(t *testing.T, name, arguments, text string) {
		r := nebula.Reply{Parts: nebula.PartsOf("", text, nebula.Call{ID: "1", Name: name, Arguments: arguments}), Finish: "tool_calls"}
		in := toolcall.Protocol{}.Decode(r, nebulatest.Specs())
		if len(in.Actions) != 1 || !json.Valid(in.Actions[0].Args) {
			t.Fatalf("%+v", in.Actions)
		}
		for _, m := range (toolcall.Protocol{}).Encode(r, in, nil) {
			for _, c := range m.Calls() {
				if !json.Valid([]byte(c.Arguments)) {
					t.Fatalf("%q", c.Arguments)
				}
			}
		}
	})
}
