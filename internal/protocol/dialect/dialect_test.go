package dialect_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/dialect"
	"nebula/internal/protocol/dml"
	"nebula/internal/protocol/toolcall"
)

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
		var args map[string]any
		_ = json.Unmarshal(a.Args, &args) // arguments are always an object
		var sorted strings.Builder
		e := json.NewEncoder(&sorted)
		e.SetEscapeHTML(false)
		_ = e.Encode(args) // what came from JSON encodes
		out = append(out, fmt.Sprintf("%s%s %s", mark, a.Tool, strings.TrimSpace(sorted.String())))
	}
	return strings.Join(out, "\n")
}

func decode(text string) nebula.Intent {
	return dialect.Tolerant(toolcall.Protocol{}).Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
}

const (
	readA  = `readFile {"path":"a"}`
	writeA = `writeFile {"content":"x\n<b>\n","path":"a"}`
)

func TestPrintedCallsAreUnderstood(t *testing.T) {
	for name, c := range map[string]struct{ text, want, dialect string }{
		"hermes":           {"I look.\n<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>", readA, "toolcall"},
		"hermes, two":      {"<tool_call>{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}</tool_call>\n<tool_call>{\"name\":\"run_tests\",\"arguments\":{}}</tool_call>", readA + "\nrunTests {}", "toolcall"},
		"hermes, unclosed": {"<tool_call>\n{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}", readA, "toolcall"},
		"hermes, twice":    {"<tool_call>\n{\"name\":\"readFile\",\"arguments\":\"{\\\"path\\\":\\\"a\\\"}\"}\n</tool_call>", readA, "toolcall"},
		"hermes, list":     {"<tool_calls>\n[{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}]\n</tool_calls>", readA, "toolcall"},
		"qwen coder":       {"<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nx\n<b>\n\n</parameter>\n</function>\n</tool_call>", writeA, "toolcall"},
		"function tag":     {"<function=readFile>{\"path\":\"a\"}</function>", readA, "toolcall"},
		"glm":              {"<tool_call>readFile\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>", readA, "toolcall"},
		"anthropic":        {"<function_calls>\n<invoke name=\"writeFile\">\n<parameter name=\"path\">a</parameter>\n<parameter name=\"content\">x\n<b>\n</parameter>\n</invoke>\n</function_calls>", writeA, "toolcall"},
		"minimax":          {"<minimax:tool_call>\n<invoke name=\"readFile\">\n<parameter name=\"path\">a</parameter>\n</invoke>\n</minimax:tool_call>", readA, "toolcall"},
		"seed":             {"<seed:tool_call>\n<function=readFile>\n<parameter=path>a</parameter>\n</function>\n</seed:tool_call>", readA, "toolcall"},
		"deepseek, tags":   {"<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"readFile\">\n<｜DSML｜parameter name=\"path\" string=\"true\">a</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>", readA, "toolcall"},
		"functools":        {"functools[{\"name\": \"readFile\", \"arguments\": {\"path\": \"a\"}}]", readA, "toolcall"},
		"react, a call":    {"Thought: look\nAction: read_file(\"a\")", readA, "toolcall"},
		"react, bare path": {"Action: read_file(src/a.py)", `readFile {"path":"src/a.py"}`, "toolcall"},
		"aider":            {"a.yaml\n```yaml\n<<<<<<< SEARCH\nx: 1\n=======\nx: 2\n>>>>>>> REPLACE\n```\n", `patchFile {"edits":[{"new":"x: 2\n","old":"x: 1\n"}],"path":"a.yaml"}`, ""},
		"tools":            {"<tools>\n{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}\n</tools>", readA, "toolcall"},
		"calls in a line":  {"<tool_calls>[{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}]</tool_calls>", readA, "toolcall"},
		"function()":       {"<function(readFile)>{\"path\":\"a\"}</function>", readA, "toolcall"},
		"name and braces":  {"<tool_call>readFile{\"path\":\"a\"}</tool_call>", readA, "toolcall"},
		"bare harmony":     {"commentary to=functions.readFile json{\"path\":\"a\"}", readA, "toolcall"},
		"bare recipient":   {"to=functions.readFile {\"path\":\"a\"}", readA, "toolcall"},
		"whole harmony":    {"<|channel|>analysis<|message|>Look.<|end|><|start|>assistant<|channel|>commentary to=functions.readFile <|constrain|>json<|message|>{\"path\":\"a\"}<|call|>", readA, "toolcall"},
		"attributes":       {"<readFile path=\"a\"/>", readA, "toolcall"},
		"tool, arguments":  {"**Tool:** readFile\n**Arguments:** {\"path\": \"a\"}", readA, "toolcall"},
		"single quotes":    {"{'name': 'readFile', 'arguments': {'path': 'a'}}", readA, "actionlist"},
		"python block":     {"```python\nreadFile(path=\"a\")\n```", "?" + readA, ""},
		"here-document":    {"cat > a <<EOF\nx\nEOF", `?executeShell {"command":"cat > a <<EOF\nx\nEOF"}`, ""},
		"mistral":          {"[TOOL_CALLS][{\"name\": \"readFile\", \"arguments\": {\"path\": \"a\"}}]", readA, "toolcall"},
		"mistral, new":     {"[TOOL_CALLS]readFile[ARGS]{\"path\": \"a\"}", readA, "toolcall"},
		"llama":            {"<|python_tag|>{\"name\": \"readFile\", \"parameters\": {\"path\": \"a\"}}; {\"name\": \"runTests\", \"parameters\": {}}<|eom_id|>", readA + "\nrunTests {}", "toolcall"},
		"deepseek":         {"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>readFile\n```json\n{\"path\":\"a\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", readA, "toolcall"},
		"deepseek, new":    {"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>readFile<｜tool▁sep｜>{\"path\":\"a\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", readA, "toolcall"},
		"kimi":             {"<|tool_calls_section_begin|><|tool_call_begin|>functions.readFile:0<|tool_call_argument_begin|>{\"path\":\"a\"}<|tool_call_end|><|tool_calls_section_end|>", readA, "toolcall"},
		"harmony":          {"<|channel|>commentary to=functions.readFile <|constrain|>json<|message|>{\"path\":\"a\"}<|call|>", readA, "toolcall"},
		"json block":       {"I will read it.\n```json\n{\"name\": \"readFile\", \"arguments\": {\"path\": \"a\"}}\n```", "?" + readA, "toolcall"},
		"json":             {"{\"name\": \"readFile\", \"arguments\": {\"path\": \"a\"}}", readA, "toolcall"},
		"yaml":             {"```yaml\ntool: write_file\nargs:\n  path: a\n  content: |\n    x\n    <b>\n```", "?" + writeA, "actionlist"},
		"action list":      {"{\"say\":\"s\",\"actions\":[{\"operation\":\"read_file\",\"args\":{\"path\":\"a\"}}]}", readA, "actionlist"},
		"a name beside":    {"{\"say\":\"s\",\"meta\":{\"name\":\"x\"},\"actions\":[{\"tool\":\"read_file\",\"args\":{\"path\":\"a\"}}]}", readA, "actionlist"},
		"dml":              {"Thought: look\nAction:\n🦆▶️[T:read_file|a]◀️🦆", readA, "dml"},
		"symops":           {"~ write it\n\n$ create @ a\n--\nx\n<b>\n--\n", `writeFile {"content":"x\n<b>\n","path":"a"}`, "symops"},
		"cut call":         {"<tool_call>\n{\"name\":\"writeFile\",\"arguments\":{\"path\":\"a\",\"content\":\"x", "!writeFile {}", "toolcall"},
		"stray quote":      {"<tool_call>\n{\"name\":\"writeFile\",\"arguments\":{\"path\":\"a\",\"content\":\"f(\"x\")\"}}\n</tool_call>", "!writeFile", "toolcall"},
		"text behind":      {"<tool_call>{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}</tool_call>\nThe file holds the answer.", "?" + readA, "toolcall"},
		"entities":         {"<invoke name=\"writeFile\"><parameter name=\"path\">a</parameter><parameter name=\"content\">&lt;b&gt;</parameter></invoke>", `?writeFile {"content":"&lt;b&gt;","path":"a"}`, "toolcall"},
	} {
		in := decode(c.text)
		if got := acts(in); got != c.want && !(strings.HasPrefix(c.want, "!") && strings.HasPrefix(got, c.want)) || in.Dialect != c.dialect {
			t.Errorf("%s: %q\n got %s (%s)\nwant %s (%s)", name, c.text, got, in.Dialect, c.want, c.dialect)
		}
		for _, a := range in.Actions {
			if a.Confidence >= 1 {
				t.Errorf("%s is certain", name)
			}
		}
	}
}

func TestWhatIsQuotedIsNotACall(t *testing.T) {
	const call = "<tool_call>\n{\"name\":\"runTests\",\"arguments\":{}}\n</tool_call>"
	for _, text := range []string{
		"A call looks like this:\n```\n" + call + "\n```", "Write `<tool_call>` and then JSON.", "The tag <tool_call>{\"name\":\"runTests\",\"arguments\":{}}</tool_call> calls.",
		"For example:\n```json\n{\"name\":\"runTests\",\"arguments\":{}}\n```", "Run it:\n\n$ npm install\n$ go test ./...", "```sh\n$ run @ make\n```\nis a shell line.",
		"{\n  \"name\": \"app\",\n  \"version\": \"1.0.0\"\n}", "name: app\nversion: 1", "<think>\n" + call + "\n</think>\nNo call needed.", "[1] see <https://x>",
	} {
		if in := decode(text); acts(in) != "" || in.Dialect != "" {
			t.Errorf("%s\nacts: %s (%s)", text, acts(in), in.Dialect)
		}
	}
}

func TestTaughtLanguageComesFirst(t *testing.T) {
	for _, row := range language.All() {
		p := row.Protocol
		r := nebula.Reply{Finish: "tool_calls", Parts: nebula.PartsOf("", "", nebula.Call{ID: "x", Name: "readFile", Arguments: `{"path":"a"}`})}
		q := dialect.Tolerant(p)
		in := q.Decode(r, nebulatest.Specs())
		if acts(in) != readA || (in.Dialect == "toolcall") != (p.Name() != "toolcall") {
			t.Errorf("%s: native calls are %s (%s)", p.Name(), acts(in), in.Dialect)
		}
		if m := q.Encode(r, in, []nebula.Result{{Text: "ok"}}); len(m) != 2 || m[1].CallID != "x" {
			t.Errorf("%s: native calls are answered by %+v", p.Name(), m)
		}
	}
	d := dialect.Tolerant(dml.Protocol{})
	r := dml.Write(nebula.Intent{Actions: nebulatest.Samples()}, nebulatest.Specs())
	if in := d.Decode(r, nebulatest.Specs()); in.Dialect != "" || len(in.Actions) != len(nebulatest.Samples()) {
		t.Errorf("dml is read as %q", in.Dialect)
	}
	if in := dialect.Decode(r, toolcall.Protocol{}, nebulatest.Specs()); in.Dialect != "dml" {
		t.Errorf("detected %q", in.Dialect)
	}
}

func TestWhatTheProtocolCanTheTolerantOneCan(t *testing.T) {
	specs := nebulatest.Specs()
	around := nebula.Surroundings{Dir: "/x", Files: []nebula.NamedFile{{Name: "a", Path: "a.go"}}}
	for _, row := range language.All() {
		p := row.Protocol
		q := dialect.Tolerant(p)
		schema, description := "", ""
		if s, ok := p.(nebula.Schemer); ok {
			schema = string(s.Schema(specs))
		}
		if d, ok := p.(nebula.Describer); ok {
			description = d.Describe(around)
		}
		if got := string(q.(nebula.Schemer).Schema(specs)); got != schema {
			t.Errorf("%s: schema %.80q, inside %.80q", p.Name(), got, schema)
		}
		if got := q.(nebula.Describer).Describe(around); got != description {
			t.Errorf("%s: describes %q, inside %q", p.Name(), got, description)
		}
		r := nebula.Reply{Parts: nebula.Text("garbage $")}
		in := nebula.Intent{Problems: []nebula.Problem{{Line: 1, Text: "no"}}}
		if got, want := q.(nebula.Corrector).Correction(r, in, "ja"), p.(nebula.Corrector).Correction(r, in, "ja"); got != want || q.Name() != p.Name() {
			t.Errorf("%s: corrects by %q, inside %q", p.Name(), got, want)
		}
	}
}

func TestStreamedIsWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, row := range language.All() {
		p := row.Protocol
		q := dialect.Tolerant(p)
		s, ok := q.(nebula.Streamer)
		if !ok {
			continue
		}
		texts := nebulatest.Texts()
		for range 200 {
			texts = append(texts, nebulatest.Jumble(random))
		}
		for _, text := range texts {
			d := s.Stream(nebulatest.Specs())
			for _, c := range text {
				d.Feed(string(c))
			}
			if got, want := d.Close(), q.Decode(nebula.Reply{Parts: nebula.Text(text)}, nebulatest.Specs()); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s %q:\n%+v\n%+v", p.Name(), text, got, want)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range nebulatest.Texts() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, row := range language.All() {
			p := row.Protocol
			nebulatest.CheckDecode(t, dialect.Tolerant(p), text)
		}
	})
}

// What stands in a channel for the person is the answer, and what stands in the one for itself is a thought.
func TestChannelsAreToldApart(t *testing.T) {
	for text, thoughts := range map[string]int{
		"<|channel|>final<|message|>All done.": 0,
		"<|channel|>analysis<|message|>Fine.<|end|><|start|>assistant<|channel|>final<|message|>All done.": 1,
		"<seed:think>Fine.</seed:think>All done.":                                                          1,
	} {
		for _, row := range language.All() {
			p := row.Protocol
			in := dialect.Tolerant(p).Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
			if in.Say != "All done." || len(in.Thoughts) != thoughts || len(in.Problems)+len(in.Actions) > 0 {
				t.Errorf("%s: %q is %+v", p.Name(), text, in)
			}
		}
	}
}
