package protocol_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol"
)

// printed is one call in every form that there is a row for, by how it begins.
var printed = map[string]string{
	"<tool_call>":               "<tool_call>{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}</tool_call>",
	"<function=":                "<function=readFile>\n<parameter=path>\na\n</parameter>\n</function>",
	"<invoke name=":             "<invoke name=\"readFile\"><parameter name=\"path\">a</parameter></invoke>",
	"<｜DSML｜invoke name=":       "<｜DSML｜invoke name=\"readFile\">\n<｜DSML｜parameter name=\"path\" string=\"true\">a</｜DSML｜parameter>\n</｜DSML｜invoke>",
	"functools":                 "functools[{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}]",
	"Action: f()":               "Action: read_file(\"a\")",
	"<TOOLCALL>":                "<TOOLCALL>[{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}]</TOOLCALL>",
	"<tools>":                   "<tools>\n{\"name\":\"readFile\",\"arguments\":{\"path\":\"a\"}}\n</tools>",
	"commentary to=":            "commentary to=functions.readFile json{\"path\":\"a\"}",
	"<f a/>":                    "<read_file path=\"a\"/>",
	"[TOOL_CALLS]":              "[TOOL_CALLS]readFile[ARGS]{\"path\":\"a\"}",
	"<|python_tag|>":            "<|python_tag|>{\"name\":\"readFile\",\"parameters\":{\"path\":\"a\"}}",
	"<｜tool▁call▁begin｜>":       "<｜tool▁call▁begin｜>function<｜tool▁sep｜>readFile\n```json\n{\"path\":\"a\"}\n```",
	"<|tool_call_begin|>":       "<|tool_call_begin|>functions.readFile:0<|tool_call_argument_begin|>{\"path\":\"a\"}",
	"<|channel|>commentary to=": "<|channel|>commentary to=functions.readFile <|constrain|>json<|message|>{\"path\":\"a\"}",
	"```tool_code":              "```tool_code\nprint(default_api.read_file(path='a'))\n```",
	"TOOL_NAME:":                "TOOL_NAME: read_file\nBEGIN_ARG: path\na\nEND_ARG\n",
	">>>":                       ">>>read_file\n{\"path\":\"a\"}",
	"Action:":                   "Action: read_file\nAction Input: {\"path\":\"a\"}",
	"[":                         "[read_file(path=\"a\")]",
	"<":                         "<read_file>\n<path>a</path>\n</read_file>",
	"":                          "readFile(\"a\")",
}

func TestEveryFormIsRead(t *testing.T) {
	tools := nebulatest.Specs()
	for i, opens := range protocol.Openings() {
		if strings.HasPrefix("*** Begin Patch\n", opens[0]) || strings.HasSuffix(opens[0], "analysis<|message|>") { // which hold several, and none
			continue
		}
		read := 0
		for _, text := range printed {
			calls, end, ok := protocol.PrintedIn(i, text, tools)
			if !ok || len(calls) != 1 || strings.TrimSpace(text[end:]) != "" && protocol.Wrapper(strings.TrimSpace(text[end:])) == 0 && !strings.HasPrefix(text[end:], "</") {
				continue
			}
			if a := calls[0].Action(spanOf(text), tools); a.Tool != "readFile" || string(a.Args) != `{"path":"a"}` || a.Problem != "" {
				t.Errorf("%q: %+v", text, a)
			}
			read++
		}
		if read == 0 {
			t.Errorf("no call is read that begins with %q", opens)
		}
	}
	patch := "*** Begin Patch\n*** Update File: a\n@@\n x\n-y\n+z\n*** Add File: b\n+one\n*** Delete File: c\n*** End Patch"
	calls, _, _ := protocol.Printed(patch, 0, tools)
	var got []string
	for _, c := range calls {
		a := c.Action(spanOf(patch), tools)
		got = append(got, a.Tool+" "+string(a.Args)+a.Problem)
	}
	want := []string{`patchFile {"path":"a","edits":[{"old":"x\ny\n","new":"x\nz\n"}]}`, `writeFile {"path":"b","content":"one\n"}`, `deleteFile {"path":"c"}`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("a patch is\n%s", strings.Join(got, "\n"))
	}
}

// A call that is cut off is asked for again and is no answer, whatever its form.
func TestEveryFormIsNoticedWhenTorn(t *testing.T) {
	tools := nebulatest.Specs()
	for open, text := range printed {
		cut, _, named := strings.Cut(text, "path")
		if !named || open == "" || strings.HasPrefix(text, "<read_file") { // a tool's name may begin an answer
			continue
		}
		if _, ok := protocol.Unread(nebula.Reply{Parts: nebula.Text(cut)}, tools); !ok {
			t.Errorf("%q is an answer", cut)
		}
	}
}

func TestOneTableOfNamesForAllProtocols(t *testing.T) {
	for name, want := range map[string]string{"bash": "executeShell", "Read": "readFile", "write_to_file": "writeFile", "str_replace": "patchFile", "ファイルを読む": "readFile", "コマンドを実行": "executeShell", "rm": "deleteFile", "grep": "searchInDirectory", "ls": "list"} {
		if got, ok := protocol.Find(name, nebulatest.Specs()); !ok || got.Name != want {
			t.Errorf("%s is %q, want %s", name, got.Name, want)
		}
	}
}

func TestYAMLIsReadAsItsJSON(t *testing.T) {
	for text, want := range map[string]string{
		"tool: read\nargs:\n  path: a": `{"tool":"read","args":{"path":"a"}}`,
		"actions:\n  - operation: w\n    args:\n      content: |\n        x\n          y\n    why: z\n  - operation: r": `{"actions":[{"operation":"w","args":{"content":"x\n  y\n"},"why":"z"},{"operation":"r"}]}`,
		"a: [1, 2]\nb: \"c: d\"":                `{"a":[1, 2],"b":"c: d"}`,
		"Just words.":                           "",
		"Note: this is prose.\nAnd more of it.": "",
	} {
		if got, _ := protocol.YAML(text); string(got) != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func spanOf(text string) nebula.Span { return nebula.Span{End: len(text), Line: 1} }
