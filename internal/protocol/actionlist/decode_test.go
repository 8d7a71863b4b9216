package actionlist_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/actionlist"
)

func decode(text string) nebula.Intent {
	return actionlist.Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
}

// acts are an intent's actions in short: what would run, what asks (?) and what is wrong (!).
func acts(in nebula.Intent) string {
	var out []string
	for _, a := range in.Actions {
		mark := ""
		if a.Inferred {
			mark = "?"
		}
		if a.Problem != "" {
			mark = "!"
		}
		out = append(out, fmt.Sprintf("%s%s %s", mark, a.Tool, a.Args))
	}
	return strings.Join(out, "\n")
}

func TestDocumentIsReadAsTaught(t *testing.T) {
	in := decode(`{"rationale":"look first","goal_consistency":"yes: needed","constraint_check":"yes","step":"EXECUTION","next_step":"continue",
"prompt_pattern":null,"state_delta":{"goal":"win","constraints":["a"]},"say":"I look.","actions":[
{"operation":"file_ops.read_file","args":{"path":"a"},"reasoning":"see"},
{"operation":"plan_tool.propose","args":{"goal":"g"},"depends_on":["a"]}]}`)
	if acts(in) != "readFile {\"path\":\"a\"}\nproposePlan {\"goal\":\"g\"}" || in.Strategy != nebula.Strict || in.Say != "I look." || len(in.Repairs)+len(in.Problems) > 0 {
		t.Fatalf("%+v", in)
	}
	d := in.Decision
	if d == nil || d.Rationale != "look first" || d.Step != "EXECUTION" || d.NextStep != "continue" || *d.StateDelta.Goal != "win" || (*d.StateDelta.Constraints)[0] != "a" {
		t.Fatalf("%+v", d)
	}
	if a := in.Actions[0]; a.Reason != "see" || a.Src.Line != 3 || in.Actions[1].DependsOn[0] != "a" {
		t.Fatalf("%+v", in.Actions)
	}
}

func TestDocumentInOneWrapperIsRead(t *testing.T) {
	const doc = `{"say":"","actions":[{"operation":"deleteFile","args":{"path":"a"}}]}`
	for _, dress := range []string{`{"response":%}`, `{"output": %}`, `{"message":%}`, `{"x1":%}`, `{"final":{"json":%}}`, `{"type":"object","properties":%}`, `[%]`, `{"role":"assistant","content":%}`} {
		in := decode(strings.ReplaceAll(dress, "%", doc))
		if acts(in) != `deleteFile {"path":"a"}` {
			t.Errorf("%s: %q %+v", dress, acts(in), in)
		}
	}
	for _, dress := range []string{`{"example":%}`, `{"do_not_run":%}`, `{"rejected_plan":%}`, `{"a":%,"b":%}`, `{"x":%,"y":[1]}`, `{"note":"this is only an example","x":%}`, `{"bad_reply":%}`, `{"quoted":%}`} {
		if in := decode(strings.ReplaceAll(dress, "%", doc)); len(in.Actions) > 0 && !in.Actions[0].Inferred && in.Actions[0].Problem == "" {
			t.Errorf("%s runs: %+v", dress, in)
		}
	}
}

func TestEveryShapeOfList(t *testing.T) {
	const read = `readFile {"path":"a"}`
	for _, c := range []struct{ text, want, repair string }{
		{`[{"operation":"read_file","args":{"path":"a"}}]`, read, "list_bare"},
		{`{"operation":"read_file","args":{"path":"a"}}`, read, "list_bare"},
		{`{"name":"readFile","arguments":{"path":"a"}}`, read, "list_bare"},
		{`{"tool":"readFile","path":"a","reason":"r"}`, read, "list_bare"},
		{`{"type":"function","function":{"name":"readFile","arguments":"{\"path\":\"a\"}"}}`, read, "list_bare"},
		{"{\"operation\":\"read_file\",\"args\":{\"path\":\"a\"}}\n{\"operation\":\"run_tests\",\"args\":{}}", read + "\nrunTests {}", "list_bare"},
		{"Sure:\n```json\n{\"actions\":[{\"operation\":\"read_file\",\"args\":{\"path\":\"a\"}}]}\n```\nDone.", read, "list_fence"},
		{"```\n[{\"operation\":\"read_file\",\"args\":{\"path\":\"a\"}}]\n```", read, "list_bare"},
		{"I will read.\n{\"actions\":[{\"operation\":\"read_file\",\"args\":{\"path\":\"a\"}}]}\nThat is all.", read, "list_text_around"},
		{`{'actions': [{'operation': 'read_file', 'args': {'path': 'a'},},],}`, read, "json_single_quotes"},
		{"{\"actions\":[{\"operation\":\"read_file\",\"args\":{\"path\":\"a\"}} // look\n{\"operation\":\"run_tests\",\"args\":{}}]}", read + "\nrunTests {}", "json_comment"},
		{"{\"actions\":[{\"operation\":\"write_file\",\"args\":{\"path\":\"a\",\"content\":\"x\n\ty\"}}]}", `writeFile {"path":"a","content":"x\n\ty"}`, "json_raw_control"},
		{`{"say":"s","actions":[{"operation":"read_file","args":{"path":"a"}}],"mood":"good"}`, read, "list_schema"},
		{"<think>{\"operation\":\"run_tests\",\"args\":{}}</think>\n{\"actions\":[{\"operation\":\"read_file\",\"args\":{\"path\":\"a\"}}]}", read, ""},
		{"```json\n[{\"operation\":\"read_file\",\"args\":{\"path\":\"a\"}}]\n```\nthen\n```json\n[{\"operation\":\"run_tests\",\"args\":{}}]\n```", "?" + read + "\n?runTests {}", "list_fence"},
	} {
		in := decode(c.text)
		if got := acts(in); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
		found := c.repair == ""
		for _, r := range in.Repairs {
			found = found || r.Name == c.repair
		}
		if !found {
			t.Errorf("%s: repairs %v, want %s", c.text, in.Repairs, c.repair)
		}
	}
}

func TestWhatIsShownDoesNotAct(t *testing.T) {
	for _, text := range []string{
		"For example:\n```json\n{\"operation\":\"run_tests\",\"args\":{}}\n```",
		"書式は次の形式です。\n```json\n[{\"operation\":\"run_tests\",\"args\":{}}]\n```",
		"```example\n{\"operation\":\"run_tests\",\"args\":{}}\n```",
		"```go\n{\"operation\":\"run_tests\",\"args\":{}}\n```",
		"You would write {\"operation\":\"run_tests\",\"args\":{}} here.",
		"{\n  \"name\": \"my-app\",\n  \"version\": \"1.0.0\",\n  \"scripts\": {\"test\": \"jest\"}\n}",
		`{"say":"write {\"operation\":\"run_tests\",\"args\":{}}","actions":[]}`,
		"[1, 2, 3]", "[link](http://x)", "{}", "[x] done",
	} {
		if got := acts(decode(text)); got != "" {
			t.Errorf("%s\nacts: %s", text, got)
		}
	}
}

func TestWhatCannotBeReadIsTold(t *testing.T) {
	for _, c := range []struct{ text, acts, problem string }{
		{`{"actions":[{"operation":"run_tests","args":{}},{"operation":"write_file","args":{"path":"a","content":"print("hi")"}}]}`, "runTests {}\n!writeFile", "the text of content is not certain"},
		{`{"actions":[{"operation":"run_tests","args":{}},{"operation":"write_file","args":{"path":"a","content":"x`, "!runTests {}", "never ends"},
		{`{"actions":[{"operation":"run_tests","args":{}},{"operation":"delete_file","args":{"path":"a"`, "!runTests {}", "ends before it is complete; nothing of it was done"},
		{`{"operation":"delete_file","args":{"path":"a"`, "", "ends before it is complete; nothing of it was done"},
		{`{"actions":[{"operation":"reed_file","args":{"path":"a"}}]}`, "!reed_file", `there is no tool "reed_file". Did you mean readFile?`},
		{`{"step":"DANCING","say":"x","actions":[]}`, "", `step must be one of PLANNING, EXECUTION, REVIEW, AWAITING_APPROVAL, DONE, not "DANCING".`},
		{`{"actions":[]}`, "", "neither an answer nor an action"},
		{``, "", "neither an answer nor an action"},
		{strings.Repeat(`{"actions":[`, 10000), "", "nested too deeply"},
	} {
		in := decode(c.text)
		got := acts(in)
		if len(in.Problems) == 0 || !strings.Contains(in.Problems[0].Text, c.problem) || !strings.HasPrefix(got, c.acts) || strings.Count(got, "\n") != strings.Count(c.acts, "\n") {
			t.Errorf("%.80s: %s %+v, want %s: %s", c.text, got, in.Problems, c.acts, c.problem)
		}
	}
}

func TestSchemaIsStrictAndSatisfied(t *testing.T) {
	schema := actionlist.Schema(nebulatest.Specs())
	if string(schema) != string(actionlist.Schema(nebulatest.Specs())) {
		t.Error("the schema is not the same bytes twice")
	}
	var v any
	if err := json.Unmarshal(schema, &v); err != nil {
		t.Fatal(err)
	}
	checkStrict(t, v)
	old, now := strings.Index(string(schema), `{"old":`), strings.Index(string(schema), `"new":{`)
	if old < 0 || now < old {
		t.Errorf("a model bound to it writes what is new (%d) before what was (%d)", now, old)
	}
	t.Logf("%d bytes", len(schema))
}

// checkStrict checks what providers demand of a schema for structured output: closed objects, all fields required.
func checkStrict(t *testing.T, v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			checkStrict(t, item)
		}
	case map[string]any:
		if p, ok := v["properties"].(map[string]any); ok {
			required, _ := v["required"].([]any)
			if v["additionalProperties"] != false || len(required) != len(p) {
				t.Errorf("open object: %v", v)
			}
		}
		for _, inner := range v {
			checkStrict(t, inner)
		}
	}
}

func TestDecodingIsLinear(t *testing.T) {
	size := 100_000
	if os.Getenv("NEBULA_LONG") != "" {
		size = 10_000_000
	}
	for name, c := range map[string][3]string{
		"prose": {"", "The quick brown fox.\n", ""}, "one line": {"", "The quick brown fox. ", ""}, "braces": {"", "{\n", ""}, "brackets": {"", "[\n", ""},
		"open strings": {"", "[\"\n", ""}, "fences": {"", "```json\n", ""}, "lists": {"", "[{\"operation\":\"run_tests\",\"args\":{}}]\n", ""},
		"actions": {`{"actions":[`, `{"operation":"read_file","args":{"path":"a"}},`, `]}`}, "fields": {`{"operation":"run_tests"`, `,"a":1`, `}`}, "fields of an action": {`[{"operation":"run_tests"`, `,"a":1`, `}]`},
		"content": {`{"actions":[{"operation":"write_file","args":{"path":"a","content":"`, `x\n\"`, `"}}]}`}, "no content": {`{"actions":[{"operation":"write_file","args":{"path":"a","content":"`, "x\n", ``},
	} {
		text := c[0] + strings.Repeat(c[1], size/len(c[1])) + c[2]
		start := time.Now()
		decode(text)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: %v for %d bytes", name, took, len(text))
		}
		start = time.Now()
		d := actionlist.Protocol{}.Stream(nebulatest.Specs())
		for rest := text; rest != ""; {
			n := min(64, len(rest))
			d.Feed(rest[:n])
			rest = rest[n:]
		}
		d.Close()
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s, streamed: %v for %d bytes", name, took, len(text))
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	content, _ := json.Marshal(strings.Repeat("func f() int { return 1 }\n", 40))
	element := `{"operation":"write_file","args":{"path":"src/a.go","content":` + string(content) + `},"reasoning":"why"},`
	text := `{"say":"s","actions":[` + strings.TrimSuffix(strings.Repeat(element, 1000), ",") + `]}`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		decode(text)
	}
}
