package dml_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/dml"
)

func decode(text string) nebula.Intent {
	return dml.Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
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

func TestMacrosOfTheSpecification(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`🦆▶️[T:read_file|{{F:main}}]◀️🦆`, `readFile {"path":"{{F:main}}"}`},
		{`🦆▶️[T:write_file|{{F:main}}|# new code...]◀️🦆`, `writeFile {"path":"{{F:main}}","content":"# new code..."}`},
		{`🦆▶️[T:list_files|src|*.py|true]◀️🦆`, `list {"path":"src","recursive":true,"pattern":"*.py"}`},
		{`🦆▶️[T:list_files|src|true]◀️🦆`, `list {"path":"src","recursive":true}`},
		{`🦆▶️[T:list_files|src||false]◀️🦆`, `list {"path":"src","recursive":false}`},
		{`🦆▶️[T:list_files|src]◀️🦆`, `list {"path":"src"}`},
		{`🦆▶️[T:create_directory|src/new_module]◀️🦆`, `createDirectory {"path":"src/new_module"}`},
		{`🦆▶️[T:search_code|データベース接続]◀️🦆`, `searchCode {"query":"データベース接続"}`},
		{`🦆▶️[T:run_tests]◀️🦆`, `runTests {}`},
		{`🦆▶️[T:execute_shell|pip install pytest]◀️🦆`, `executeShell {"command":"pip install pytest"}`},
		{`🦆▶️[F:main=src/main.py]◀️🦆`, ``},
		{`🦆▶️[S:cwd]◀️🦆`, ``},
		{`🦆▶️[I:no_guesswork]◀️🦆`, ``},
	} {
		if got := acts(decode(c.text)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestReasonThenAct(t *testing.T) {
	in := decode("Thought: main.py を編集したい。これは`🦆▶️[I:verify_before_edit]◀️🦆`の指示にも合致する。\nまず読む。\nAction:\n🦆▶️[T:read_file|{{F:main}}]◀️🦆\n")
	if acts(in) != `readFile {"path":"{{F:main}}"}` || len(in.Thoughts) != 1 || in.Say != "" || in.Actions[0].Reason != "まず読む。" || in.Strategy != nebula.Strict {
		t.Fatalf("%+v", in)
	}
	if a := in.Actions[0]; a.Src.Line != 4 || a.Src.End <= a.Src.Start {
		t.Fatalf("%+v", a.Src)
	}
}

func TestWhatIsQuotedDoesNothing(t *testing.T) {
	const run = "🦆▶️[T:delete_file|x]◀️🦆"
	for _, text := range []string{
		"Use `" + run + "` to delete.",
		"``" + run + "``",
		"For example:\n```\n" + run + "\n```",
		"~~~\n" + run + "\n~~~\nand so on",
		"> " + run,
		"「" + run + "」と書く",
		"It says \"" + run + "\".",
		"Thought: I could " + run + " but will not.",
		"Thought: the guide says\n" + run + "\nwhich I will not do.\nAction:\n",
		"Observation: done\n" + run,
		"`🦆▶️[T:write_file|a|\nx]◀️🦆` is how",
		"```\nunclosed\n" + run,
	} {
		if got := acts(decode(text)); got != "" {
			t.Errorf("%s\nacts: %s", text, got)
		}
	}
}

func TestHowMacrosStandInText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Let me look.\n🦆▶️[T:run_tests]◀️🦆\nThen we see.", `runTests {}`},
		{"I read it: 🦆▶️[T:read_file|a]◀️🦆", `readFile {"path":"a"}`},
		{"Action: 🦆▶️[T:read_file|a]◀️🦆", `readFile {"path":"a"}`},
		{"**Action:** 🦆▶️[T:read_file|a]◀️🦆", `readFile {"path":"a"}`},
		{"行動：🦆▶️[T:read_file|a]◀️🦆🦆▶️[T:read_file|b]◀️🦆", "readFile {\"path\":\"a\"}\nreadFile {\"path\":\"b\"}"},
		{"- 🦆▶️[T:read_file|a]◀️🦆\n2. 🦆▶️[T:read_file|b]◀️🦆", "readFile {\"path\":\"a\"}\nreadFile {\"path\":\"b\"}"},
		{"Thought: read it\n🦆▶️[T:read_file|a]◀️🦆", `readFile {"path":"a"}`},
		{"I would run 🦆▶️[T:run_tests]◀️🦆 some day", `?runTests {}`},
		{"Do not 🦆▶️[T:run_tests]◀️🦆", `?runTests {}`},
		{"Action:\n```\n🦆▶️[T:run_tests]◀️🦆\n```", `?runTests {}`},
		{"```\n🦆▶️[T:run_tests]◀️🦆\n```\n", `?runTests {}`},
		{"<think>🦆▶️[T:run_tests]◀️🦆</think>\n🦆▶️[T:read_file|a]◀️🦆", `readFile {"path":"a"}`},
	} {
		if got := acts(decode(c.text)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestContentsAreExact(t *testing.T) {
	for _, c := range []struct{ text, want, repair string }{
		{"🦆▶️[T:write_file|a|\nx | y\n\n]◀️🦆", `writeFile {"path":"a","content":"x | y\n\n"}`, "dml_first_break"},
		{"🦆▶️[T:write_file|a|\n\nx\n]◀️🦆", `writeFile {"path":"a","content":"\nx\n"}`, "dml_first_break"},
		{"🦆▶️[T:write_file|a|\n]◀️🦆", `writeFile {"path":"a","content":"\n"}`, ""},
		{"🦆▶️[T:write_file|a.py|\n```python\nx = 1\n```\n]◀️🦆", `writeFile {"path":"a.py","content":"x = 1\n"}`, "dml_first_break"},
		{"🦆▶️[T:write_file|a.py|```python\nx = 1\n```\n]◀️🦆", `writeFile {"path":"a.py","content":"x = 1\n"}`, "content_fence"},
		{"🦆▶️[T:write_file|path=a.py|content=x = 1\n]◀️🦆", `?writeFile {"path":"a.py","content":"x = 1\n"}`, "dml_named_content"},
		{`🦆▶️[T:execute_shell|ps \| grep "a\|b"]◀️🦆`, `executeShell {"command":"ps | grep \"a\\|b\""}`, "dml_escaped_bar"},
		{`🦆▶️[T:read_file|"a.go"]◀️🦆`, `readFile {"path":"a.go"}`, "dml_quoted"},
		{`🦆▶️[T:read_file|path="a.go"]◀️🦆`, `readFile {"path":"a.go"}`, "dml_quoted"},
		{`🦆▶️[T:list_files(path="lib")]◀️🦆`, `list {"path":"lib"}`, "dml_separator"},
		{`🦆▶️[T:search_in_directory(directory="lib", keyword="a, b")]◀️🦆`, `searchInDirectory {"directory":"lib","keyword":"a, b"}`, "dml_separator"},
		{`🦆▶️[T:write_file(path="a", content="x\n")]◀️🦆`, `writeFile {"path":"a","content":"x\n"}`, "dml_separator"},
		{`🦆▶️[T:list_files(lib, true)]◀️🦆`, `list {"path":"lib","recursive":true}`, "dml_separator"},
		{"🦆▶️[T:write_file | a.py | def f():\n    pass\n]◀️🦆", `writeFile {"path":"a.py","content":"def f():\n    pass\n"}`, "dml_spaced_bar"},
		{"🦆▶️[T:write_file | a.py | x = 1\n]◀️🦆", `writeFile {"path":"a.py","content":"x = 1\n"}`, "dml_spaced_bar"},
		{"🦆▶️[T:write_file | a | \nx\n]◀️🦆", `writeFile {"path":"a","content":"x\n"}`, "dml_spaced_bar"},
		{"🦆▶️[T:write_file | a | x\n y\n]◀️🦆", `writeFile {"path":"a","content":" x\n y\n"}`, ""},
		{"🦆▶️[T:write_file|a| x\n]◀️🦆", `writeFile {"path":"a","content":" x\n"}`, ""},
		{"**🦆▶️[T:run|make]◀️🦆**", `executeShell {"command":"make"}`, ""},
		{"🦆▶️[T:run|\"make test\"]◀️🦆", `executeShell {"command":"make test"}`, "dml_quoted"},
		{"🦆▶️[T:run|\"a b\" \"c d\"]◀️🦆", `executeShell {"command":"\"a b\" \"c d\""}`, ""},
		{"🦆▶️[T:run | make test ]◀️🦆", `executeShell {"command":"make test"}`, "dml_spaced_bar"},
		{"🦆▶️[T:patch_file|a|x = 1|x = 2]◀️🦆", `patchFile {"path":"a","edits":[{"old":"x = 1","new":"x = 2"}]}`, "dml_pair"},
		{"🦆▶️[T:patch_file|a|old=x|new=y]◀️🦆", `patchFile {"path":"a","edits":[{"old":"x","new":"y"}]}`, "dml_pair"},
		{"🦆▶️[T:patch_file|a|<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE]◀️🦆", `patchFile {"path":"a","edits":[{"old":"x\n","new":"y\n"}]}`, ""},
		{"🦆▶️[T:write_file|a|[1]]◀️🦆", `writeFile {"path":"a","content":"[1]"}`, ""},
		{"🦆▶️[T:write_file|a|see 🦆▶️[T:run_tests]◀️🦆 here]◀️🦆", `writeFile {"path":"a","content":"see 🦆▶️[T:run_tests]◀️🦆 here"}`, ""},
		{"🦆▶️[[T:write_file|a|close with ]◀️🦆, open 🦆▶️[]]◀️🦆\n🦆▶️[T:run_tests]◀️🦆", "writeFile {\"path\":\"a\",\"content\":\"close with ]◀️🦆, open 🦆▶️[\"}\nrunTests {}", ""},
		{"🦆▶️[T:write_file|a|close with ]◀️🦆 ok]◀️🦆\n🦆▶️[T:run_tests]◀️🦆", "?writeFile {\"path\":\"a\",\"content\":\"close with ]◀️🦆 ok\"}\nrunTests {}", "dml_inner_closer"},
		{"🦆▶️[T:write_file|a.md|```go\nx\n```\n]◀️🦆", `writeFile {"path":"a.md","content":"` + "```go\\nx\\n```\\n" + `"}`, ""},
		{"🦆▶️[T:run|cat a | grep b > c]◀️🦆", `executeShell {"command":"cat a | grep b > c"}`, ""},
		{`🦆▶️[T:patch_file|a|[{"old":"x|y","new":"z"}]]◀️🦆`, `patchFile {"path":"a","edits":[{"old":"x|y","new":"z"}]}`, ""},
		{`🦆▶️[T:execute_shell|{"command":"make","timeout":5}]◀️🦆`, `executeShell {"command":"make","timeout":5}`, ""},
		{`🦆▶️[T:execute_shell|{ echo hi; }]◀️🦆`, `executeShell {"command":"{ echo hi; }"}`, ""},
	} {
		in := decode(c.text)
		if got := acts(in); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
		if c.repair == "" && len(in.Repairs) > 0 || c.repair != "" && !slices.ContainsFunc(in.Repairs, func(r nebula.Repair) bool { return r.Name == c.repair }) {
			t.Errorf("%s: repairs %v, want %q", c.text, in.Repairs, c.repair)
		}
	}
}

func TestDelimitersAreReadAsMeant(t *testing.T) {
	for _, text := range []string{
		"🦆▶[T:read_file|a]◀🦆", "🦆▶️️[T:read_file|a]◀️️🦆", "🦆️▶️[T:read_file|a]◀️🦆️", "🦆 ▶️ [T:read_file|a] ◀️ 🦆",
		"🦆▶️[t:read_file|a]◀️🦆", "🦆▶️[Ｔ：read_file｜a]◀️🦆", "🦆▶️[read_file|a]◀️🦆", "🦆▶️[T: readFile | a ]◀️🦆", "🦆▶️[T:read_file|path=a]◀️🦆",
		"🦆▶️[T:read_file|a]◀️\n", "🦆▶️[[T:read_file|a]]◀️🦆",
		"🦆▶️[T:read_file a]◀️🦆", "🦆▶️[T:read_file: a]◀️🦆", "🦆▶️[T:read_file(a)]◀️🦆", `🦆▶️[T:read_file("a")]◀️🦆`,
	} {
		if got := acts(decode(text)); got != `readFile {"path":"a"}` {
			t.Errorf("%s is %q", text, got)
		}
	}
}

func TestSeparatorsAreReadAsMeant(t *testing.T) {
	for text, want := range map[string]string{
		"🦆▶️[read_file:a]◀️🦆":                          `?readFile {"path":"a"}`,
		"🦆▶️[T:execute_shell(ls -la | wc)]◀️🦆":         `executeShell {"command":"ls -la | wc"}`,
		"🦆▶️[Ｔ：execute_shell｜touch ran]◀️🦆":            `executeShell {"command":"touch ran"}`,
		"🦆▶️[T:execute_shell｜ls | wc]◀️🦆":              `!executeShell {}`,
		`🦆▶️[T:execute_shell("echo \"a\"")]◀️🦆`:        `executeShell {"command":"echo \"a\""}`,
		`🦆▶️[T:execute_shell("a" && "b")]◀️🦆`:          `executeShell {"command":"\"a\" && \"b\""}`,
		"🦆▶️[T:read_file(a, 3)]◀️🦆":                    `readFile {"path":"a","offset":3}`,
		"🦆▶️[T:execute_shell echo (T:read_file|x)]◀️🦆": `executeShell {"command":"echo (T:read_file|x)"}`,
	} {
		if got := acts(decode(text)); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestAlmostAMacroIsAskedForAgain(t *testing.T) {
	for text, line := range map[string]int{
		"I read it.\n▶️[T:read_file|a]◀️": 2, "🦆[T:read_file|a]🦆": 1, "- [T:read_file|a]": 1, "🦆 [read_file a]": 1,
		"```\n[T:read_file|a]\n```": 0, "Write [T:read_file|a] for that.": 0, "[read_file a]": 0, "[T:something|a]": 0, "🦆 [see below]": 0,
	} {
		in := decode(text)
		if len(in.Actions) > 0 || line == 0 && len(in.Problems) > 0 || line > 0 && (len(in.Problems) != 1 || in.Problems[0].Line != line) {
			t.Errorf("%q: %+v", text, in)
		}
	}
}

func TestWhatCannotBeReadIsTold(t *testing.T) {
	for _, c := range []struct {
		text, problem string
		line          int
	}{
		{"ok\n🦆▶️[T:write_file|a|content\n\n🦆▶️[T:run_tests]◀️🦆", "this macro is not closed, so it was not done.", 2},
		{"🦆▶️[T:read_file|a\nmore", "this macro is not closed, so it was not done.", 1},
		{"🦆▶️[X:thing]◀️🦆", "the macro names no command.", 1},
		{"🦆▶️T:read_file|a◀️🦆", "this looks like a macro without its delimiters, so it was not done.", 1},
		{"🦆▶️(T:read_file|a)◀️🦆", "this looks like a macro without its delimiters, so it was not done.", 1},
		{"Action: read_file|a", "this looks like a macro without its delimiters, so it was not done.", 1},
		{"T:read_file|a", "this looks like a macro without its delimiters, so it was not done.", 1},
		{"🦆▶️[T:reed_file|a]◀️🦆", `there is no tool "reed_file". Did you mean readFile?`, 1},
		{"🦆▶️[T:write_file|a]◀️🦆", "writeFile needs content. Arguments: path (string), content (string). Write 🦆▶️[T:write_file|a|…]◀️🦆", 1},
		{"🦆▶️[T:write_file|a｜b]◀️🦆", "writeFile needs content. Arguments: path (string), content (string). Write 🦆▶️[T:write_file|a｜b|…]◀️🦆", 1},
		{"🦆▶️[T:patch_file|a]◀️🦆", `patchFile needs edits. Arguments: path (string), edits ([{"old":"…","new":"…"}]). Write 🦆▶️[T:patch_file|a|[{"old":"…","new":"…"}]]◀️🦆`, 1},
		{"🦆▶️[T:write_file|a|\xff]◀️🦆", "the arguments hold bytes that are no UTF-8 text.", 1},
		{"Thought: hm\nObservation: fine\nAction:\n", "the reply holds neither an answer nor an action.", 1},
		{"", "the reply holds neither an answer nor an action.", 1},
		{"🦆▶️[D:step=DANCING]◀️🦆", `step must be one of PLANNING, EXECUTION, REVIEW, AWAITING_APPROVAL, DONE, not "DANCING".`, 1},
	} {
		in := decode(c.text)
		if len(in.Problems) == 0 || in.Problems[0].Text != c.problem || in.Problems[0].Line != c.line {
			t.Errorf("%q: %+v, want line %d: %s", c.text, in.Problems, c.line, c.problem)
		}
		for _, a := range in.Actions {
			if a.Problem == "" {
				t.Errorf("%q runs %s", c.text, a.Tool)
			}
		}
	}
	if got := acts(decode("🦆▶️[T:read_file|a\n🦆▶️[T:read_file|b]◀️🦆")); got != `readFile {"path":"b"}` {
		t.Errorf("an unclosed macro takes the next with it: %s", got)
	}
}

func TestDecisionAndVitals(t *testing.T) {
	in := decode("🦆▶️[D:step=execution|next_step=continue (more)|rationale=a \\| b|confidence=85%|m=0.5|goal=win|constraints=a; b]◀️🦆\nDone.")
	d := in.Decision
	if d == nil || d.Step != "EXECUTION" || d.NextStep != "continue" || d.Rationale != "a | b" || *in.Vitals.Confidence != 0.85 || *in.Vitals.Mood != 0.5 ||
		*d.StateDelta.Goal != "win" || strings.Join(*d.StateDelta.Constraints, ",") != "a,b" || in.Say != "Done." || len(in.Problems) != 0 {
		t.Fatalf("%+v %+v", in, d)
	}
	again := decode(dml.Write(in, nebulatest.Specs()).Text())
	if again.Decision == nil || again.Decision.Rationale != d.Rationale || *again.Vitals.Confidence != 0.85 || *again.Decision.StateDelta.Goal != "win" {
		t.Fatalf("%+v", again.Decision)
	}
}

func TestDecodingIsLinear(t *testing.T) {
	size := 100_000
	if os.Getenv("NEBULA_LONG") != "" {
		size = 10_000_000
	}
	for name, unit := range map[string]string{
		"prose": "The quick brown fox. ", "lines": "The quick brown fox.\n", "macros": "🦆▶️[T:read_file|a]◀️🦆\n", "macros in one line": "🦆▶️[T:read_file|a]◀️🦆 ",
		"openers": "🦆▶️[T:write_file|", "closers": "]◀️🦆", "open reads": "🦆▶️[T:read_file|a ", "short": "🦆▶️[T:read_file|a]◀️", "ticks": "` `` ``` a\n", "ticks in one line": "`a``b```c",
		"brackets": "]", "ducks": "🦆", "fences": "```\n", "labels": "Thought: a\n", "thoughts": "Thought: a\n🦆▶️[T:read_file|a]◀️🦆\n", "arrows": "◀▶", "headings": "The results:\n", "whole texts": "The README, in full:\n🦆▶️[T:read_file|a]◀️🦆\n", "colons": "a:\n",
	} {
		text := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		decode(text)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: %v for %d bytes", name, took, len(text))
		} else {
			t.Logf("%s: %v", name, took)
		}
		start = time.Now()
		d := dml.Protocol{}.Stream(nebulatest.Specs())
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
	text := strings.Repeat("Thought: look at it.\nAction:\n🦆▶️[T:write_file|src/a.go|"+strings.Repeat("func f() int { return 1 }\n", 40)+"]◀️🦆\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		decode(text)
	}
}

func BenchmarkStream(b *testing.B) {
	text := strings.Repeat("Thought: look at it.\nAction:\n🦆▶️[T:write_file|src/a.go|"+strings.Repeat("func f() int { return 1 }\n", 40)+"]◀️🦆\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		d := dml.Protocol{}.Stream(nebulatest.Specs())
		for rest := text; rest != ""; {
			n := min(16, len(rest))
			d.Feed(rest[:n])
			rest = rest[n:]
		}
		d.Close()
	}
}
