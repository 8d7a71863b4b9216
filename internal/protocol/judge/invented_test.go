package judge

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// What stands before a result that a reply invents is done, what stands behind it is not, in whatever form and whichever language was taught.
func TestNothingBehindAnInventedResultRuns(t *testing.T) {
	const first, second = "notes.md", "main.py"
	pairs := map[string][2]string{
		"ReAct":            {"Thought: I look.\nAction: readFile\nAction Input: {\"path\": \"notes.md\"}", "Thought: I go on.\nAction: deleteFile\nAction Input: {\"path\": \"main.py\"}"},
		"ReAct, bold":      {"**Action:** readFile\n**Action Input:** {\"path\": \"notes.md\"}", "**Action:** deleteFile\n**Action Input:** {\"path\": \"main.py\"}"},
		"ReAct, numbered":  {"Action 1: readFile\nAction Input 1: {\"path\": \"notes.md\"}", "Action 2: deleteFile\nAction Input 2: {\"path\": \"main.py\"}"},
		"ReAct, a path":    {"Action: read\nAction Input: notes.md", "Action: delete\nAction Input: main.py"},
		"ReAct, one line":  {"Action: readFile Action Input: {\"path\": \"notes.md\"}", "Action: deleteFile Action Input: {\"path\": \"main.py\"}"},
		"ReAct, Japanese":  {"思考: 読みます。\n行動: readFile\n入力: {\"path\": \"notes.md\"}", "行動: deleteFile\n入力: {\"path\": \"main.py\"}"},
		"ReAct, as a call": {"Action: readFile(path=\"notes.md\")", "Action: deleteFile(path=\"main.py\")"},
		"symops":           {"$ read @ notes.md", "$ delete @ main.py"},
		"dml":              {"🦆▶️[T:readFile|notes.md]◀️🦆", "🦆▶️[T:deleteFile|main.py]◀️🦆"},
		"actionlist":       {`{"actions":[{"operation":"readFile","args":{"path":"notes.md"}}]}`, `{"actions":[{"operation":"deleteFile","args":{"path":"main.py"},"reasoning":"old"}]}`},
		"a printed call":   {`<tool_call>{"name":"readFile","arguments":{"path":"notes.md"}}</tool_call>`, `<tool_call>{"name":"deleteFile","arguments":{"path":"main.py","reason":"old"}}</tool_call>`},
	}
	for _, result := range []string{"Observation: it is there", "**Observation:** it is there", "**Observation**: it is there", "Observation 1: it is there", "観察: あります", "> Observation: it is there", "Tool result: it is there", "<tool_response>it is there</tool_response>", "User: go on"} {
		for form, pair := range pairs {
			for _, l := range languages() {
				in := l.decode(nebula.Reply{Parts: nebula.Text(pair[0] + "\n" + result + "\n" + pair[1] + "\nFinal Answer: done"), Finish: "stop"}, nebulatest.Specs())
				for _, a := range in.Actions {
					meant := a.Problem == "" && !a.Inferred
					if before := strings.Contains(string(a.Args), first); before != meant || !before && !strings.Contains(string(a.Args), second) {
						t.Errorf("%s in %s, %q: %s %s, inferred %v, problem %q", form, l.Name(), result, a.Tool, a.Args, a.Inferred, a.Problem)
					}
				}
				if len(in.Actions) == 0 || len(in.Problems) == 0 {
					t.Errorf("%s in %s, %q: %d actions, %d problems", form, l.Name(), result, len(in.Actions), len(in.Problems))
				}
			}
		}
	}
	in := named(t, "symops").decode(nebula.Reply{Parts: nebula.Text("$ delete @ main.py\nObservation: it is in use\nActually no, I don't want to delete main.py."), Finish: "stop"}, nebulatest.Specs())
	if runs(in, nebulatest.Specs()) {
		t.Error("what takes an action back counts for nothing behind an invented result")
	}
}

// What only the program or the person says of an edit stands between it and a deletion: the deletion is void. Words for the person there are none.
func TestAnEchoBehindAnActionIsInvented(t *testing.T) {
	pairs := map[string][2]string{
		"symops": {"$ edit @ a.py\n--\nx = 1\n--", "$ delete @ main.py"},
		"dml":    {"🦆▶️[T:editFile|a.py|x = 1]◀️🦆", "🦆▶️[T:deleteFile|main.py]◀️🦆"},
	}
	for words, void := range map[string]bool{
		"✓ patchFile done": true, "→ ok": true, "=> 1 passed": true, "```\n1 passed in 0.01s\n```": true, "編集に成功しました。": true, "Approved.": true, "The person agrees.": true, "> yes": true, "✅ Done": true,
		"Now main.py is not needed any more.": false, "→ main.py goes as well.": false, "これで main.py は不要なので削除します。": false,
	} {
		for name, pair := range pairs {
			in := named(t, name).decode(nebula.Reply{Parts: nebula.Text(pair[0] + "\n" + words + "\n" + pair[1]), Finish: "stop"}, nebulatest.Specs())
			if len(in.Actions) != 2 || in.Actions[0].Problem != "" || void != (in.Actions[1].Problem != "") {
				t.Errorf("%s, %q: %+v", name, words, in.Actions)
			}
		}
	}
}

// A call in a code block, behind words that say that it is done, is read in whichever language was taught, or asked again; behind words that show
// it, it is what was said.
func TestCallsInCodeBlocksAreNoAnswers(t *testing.T) {
	calls := []string{
		"<tool_call>\n{\"name\": \"readFile\", \"arguments\": {\"path\": \"notes.md\"}}\n</tool_call>", "🦆▶️[T:readFile|notes.md]◀️🦆", "$ read @ notes.md", `{"actions":[{"operation":"readFile","args":{"path":"notes.md"}}]}`,
		"<function_calls>\n<invoke name=\"readFile\">\n<parameter name=\"path\">notes.md</parameter>\n</invoke>\n</function_calls>", `[readFile(path="notes.md")]`, `readFile(path="notes.md")`, "<read_file>\n<path>notes.md</path>\n</read_file>",
		"<|channel|>commentary to=functions.readFile <|message|>{\"path\":\"notes.md\"}<|call|>", "Action: readFile\nAction Input: {\"path\": \"notes.md\"}", "<tool_call>{\"name\": \"readFile\", \"arguments\": {\"path\": \"notes.md\"",
		"🐦▶️[T:readFile|notes.md]◀️🐦",
	}
	for _, l := range languages() {
		for _, call := range calls {
			for _, label := range []string{"", "xml", "text"} {
				read := func(above, below string) nebula.Intent {
					return l.decode(nebula.Reply{Parts: nebula.Text(above + "\n\n```" + label + "\n" + call + "\n```" + below), Finish: "stop"}, nebulatest.Specs())
				}
				for _, above := range []string{"I'll read it first:", "Let me read notes.md.", "notes.md を読みます。"} {
					if in := read(above, ""); len(in.Actions)+len(in.Problems) == 0 {
						t.Errorf("%s, %q, label %q behind %q ends as an answer", l.Name(), call, label, above)
					}
				}
				for _, above := range []string{"A call is written like this:", "For example:", "呼び出しは次のように書きます:"} {
					if in := read(above, "\n\nThat is the form which many models know."); runs(in, nebulatest.Specs()) || len(in.Problems) > 0 && len(in.Actions) == 0 {
						t.Errorf("%s, %q, label %q behind %q: %v %v", l.Name(), call, label, above, in.Actions, in.Problems)
					}
				}
			}
		}
	}
}
