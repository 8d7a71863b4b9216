package protocol_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/protocol"
)

func TestToolAnswersToEveryName(t *testing.T) {
	for name, want := range map[string]string{
		"readFile": "readFile", "read_file": "readFile", "file_ops.read": "readFile", "ReadFile": "readFile", "read-file": "readFile",
		"functions.readFile": "readFile", "functions.read_file:3": "readFile", "default_api:read_file": "readFile", "READ_FILE()": "readFile",
		"tools.list": "list", "create": "writeFile", " run ": "executeShell", "file_ops.write_file": "writeFile", "mcp__read_file": "readFile",
	} {
		a := protocol.Resolve(nebula.Action{Tool: name, Args: json.RawMessage(`{"path":"p","content":"","command":""}`)}, tools())
		if a.Tool != want || a.Problem != "" {
			t.Errorf("%q is %q, problem %q; want %q", name, a.Tool, a.Problem, want)
		}
	}
}

func TestUnknownToolNamesTheNearest(t *testing.T) {
	for name, want := range map[string]string{
		"reedFile":    `there is no tool "reedFile". Did you mean readFile?`,
		"write_files": `there is no tool "write_files". Did you mean writeFile?`,
		"teleport":    `there is no tool "teleport". Tools: list, readFile, searchInDirectory, writeFile, patchFile, executeShell, runTests, askUser.`,
		"":            `the call names no tool. Tools: list, readFile, searchInDirectory, writeFile, patchFile, executeShell, runTests, askUser.`,
	} {
		a := protocol.Resolve(nebula.Action{Tool: name}, tools())
		if a.Problem != want || a.Tool != name || string(a.Args) != "{}" {
			t.Errorf("%q: tool %q args %s problem %q, want %q", name, a.Tool, a.Args, a.Problem, want)
		}
	}
}

func TestAPatchAsACallChangesItsFile(t *testing.T) {
	update := `*** Begin Patch\n*** Update File: a.py\n@@\n x\n-y\n+z\n*** End Patch`
	for _, c := range []struct{ tool, args, want, problem string }{
		{"apply_patch", `{"input":"` + update + `"}`, `patchFile {"path":"a.py","edits":[{"old":"x\ny\n","new":"x\nz\n"}]}`, ""},
		{"apply_patch", `"` + update + `"`, `patchFile {"path":"a.py","edits":[{"old":"x\ny\n","new":"x\nz\n"}]}`, ""},
		{"functions.applyPatch", `{"patch":"*** Begin Patch\n*** Add File: b.py\n+one\n*** End Patch"}`, `writeFile {"path":"b.py","content":"one\n"}`, ""},
		{"shell", `{"command":["apply_patch","` + update + `"]}`, `patchFile {"path":"a.py","edits":[{"old":"x\ny\n","new":"x\nz\n"}]}`, ""},
		{"shell", `{"command":"apply_patch <<'EOF'\n` + update + `\nEOF"}`, `patchFile {"path":"a.py","edits":[{"old":"x\ny\n","new":"x\nz\n"}]}`, ""},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Add File: b\n+x\n*** Add File: c\n+x\n*** End Patch"}`, "", "a call changes one file here, and the patch has 2"},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: a.py\n@@\n-x\n"}`, "", "the patch is not closed"},
		{"apply_patch", `{"input":"x"}`, "", "there is no tool"},
		{"writeFile", `{"path":"n.md","content":"` + update + `"}`, `writeFile {"path":"n.md","content":"` + update + `"}`, ""},
		{"shell", `{"command":"cat <<'EOF' > n.md\n` + update + `\nEOF"}`, `executeShell {"command":"cat <<'EOF' > n.md\n` + update + `\nEOF"}`, ""},
	} {
		a := protocol.Resolve(nebula.Action{Tool: c.tool, Args: json.RawMessage(c.args)}, tools())
		if c.problem != "" {
			if !strings.Contains(a.Problem, c.problem) {
				t.Errorf("%s %s: %q", c.tool, c.args, a.Problem)
			}
			continue
		}
		if got := a.Tool + " " + string(a.Args); got != c.want || a.Problem != "" {
			t.Errorf("%s %s: %s, problem %q", c.tool, c.args, got, a.Problem)
		}
	}
}

func TestAListOfWordsIsACommand(t *testing.T) {
	for args, want := range map[string]string{
		`{"command":["touch","a b","it's"]}`:         `touch 'a b' 'it'\''s'`,
		`{"command":["go","test","./...","-run=X"]}`: "go test ./... -run=X",
		`{"command":["bash","-lc","ls | wc -l"]}`:    "ls | wc -l",
		`{"command":["ls -la"]}`:                     "ls -la",
		`{"command":["echo","$HOME",""]}`:            "echo '$HOME' ''",
		`{"command":["rm","-rf","*"]}`:               "rm -rf '*'",
	} {
		a := protocol.Resolve(nebula.Action{Tool: "shell", Args: json.RawMessage(args)}, tools())
		var got struct{ Command string }
		if err := json.Unmarshal(a.Args, &got); err != nil || got.Command != want || a.Problem != "" {
			t.Errorf("%s: %q, problem %q", args, got.Command, a.Problem)
		}
	}
	for _, args := range []string{`{"command":[]}`, `{"command":["a",1]}`, `{"command":{"a":1}}`} {
		if a := protocol.Resolve(nebula.Action{Tool: "shell", Args: json.RawMessage(args)}, tools()); a.Problem == "" {
			t.Errorf("%s: %s", args, a.Args)
		}
	}
	if a := protocol.Resolve(nebula.Action{Tool: "writeFile", Args: json.RawMessage(`{"path":"a","content":["x","y"]}`)}, tools()); a.Problem == "" {
		t.Errorf("a content of a list: %s", a.Args)
	}
}

func TestArgumentsComeInTheToolsWords(t *testing.T) {
	for _, c := range []struct{ name, tool, args, want, reason, problem string }{
		{"as taught", "list", `{"path":"src","recursive":true,"reason":"look"}`, `{"path":"src","recursive":true}`, "look", ""},
		{"order is the tool's", "list", `{"recursive":true,"path":"src"}`, `{"path":"src","recursive":true}`, "", ""},
		{"unknown fields drop", "list", `{"path":"src","depth":3}`, `{"path":"src"}`, "", ""},
		{"reasoning", "list", `{"path":".","reasoning":"v4"}`, `{"path":"."}`, "v4", ""},
		{"rationale", "list", `{"path":".","rationale":"v3"}`, `{"path":"."}`, "v3", ""},
		{"boolean as text", "list", `{"path":".","recursive":"True"}`, `{"path":".","recursive":true}`, "", ""},
		{"integer as text", "readFile", `{"path":"a","limit":"3","offset":4.0}`, `{"path":"a","offset":4,"limit":3}`, "", ""},
		{"null is absent", "list", `{"path":".","recursive":null}`, `{"path":"."}`, "", ""},
		{"file_path", "readFile", `{"file_path":"a.go"}`, `{"path":"a.go"}`, "", ""},
		{"filename and code", "writeFile", `{"filename":"a.go","code":"x"}`, `{"path":"a.go","content":"x"}`, "", ""},
		{"right key wins", "readFile", `{"file":"b","path":"a"}`, `{"path":"a"}`, "", ""},
		{"other spelling", "list", `{"Path":"x"}`, `{"path":"x"}`, "", ""},
		{"wrapped", "readFile", `{"arguments":{"path":"a"},"reason":"r"}`, `{"path":"a"}`, "r", ""},
		{"encoded twice", "readFile", `"{\"path\":\"a\"}"`, `{"path":"a"}`, "", ""},
		{"the only argument", "executeShell", `"go test ./..."`, `{"command":"go test ./..."}`, "", ""},
		{"none at all", "runTests", ``, `{}`, "", ""},
		{"path for directory", "searchInDirectory", `{"path":"src","query":"x"}`, `{"directory":"src","keyword":"x"}`, "", ""},
		{"edit at the top", "patchFile", `{"path":"a","old_string":"x","new_string":"y"}`, `{"path":"a","edits":[{"old":"x","new":"y"}]}`, "", ""},
		{"edits at the top", "patchFile", `{"file_path":"a","old_string":"x","new_string":"y","replace_all":true}`, `{"path":"a","edits":[{"old":"x","new":"y","replace_all":true}]}`, "", ""},
		{"one edit", "patchFile", `{"path":"a","edits":{"old":"x","new":"y"}}`, `{"path":"a","edits":[{"old":"x","new":"y"}]}`, "", ""},
		{"an editor's change", "str_replace_editor", `{"command":"str_replace","path":"a","old_str":"x","new_str":"y"}`, `{"path":"a","edits":[{"old":"x","new":"y"}]}`, "", ""},
		{"an editor's look", "text_editor_20250124", `{"command":"view","path":"a"}`, `{"path":"a"}`, "", ""},
		{"an editor's new file", "str_replace_based_edit_tool", `{"command":"create","path":"a","file_text":"x"}`, `{"path":"a","content":"x"}`, "", ""},
		{"an editor's other", "str_replace_editor", `{"command":"undo_edit","path":"a"}`, `{"path":"a"}`, "", `patchFile needs edits. Arguments: path (string), edits ([{"old":"…","new":"…"}]).`},
		{"edits as text", "patchFile", `{"path":"a","edits":"[{\"old\":\"x\",\"new\":\"y\"}]"}`, `{"path":"a","edits":[{"old":"x","new":"y"}]}`, "", ""},
		{"escapes stay", "writeFile", `{"path":"a","content":"\u003ca\/b\u3042\n"}`, `{"path":"a","content":"\u003ca\/b\u3042\n"}`, "", ""},
		{"twice, neither", "readFile", `{"path":"a","path":"b"}`, `{"path":"a"}`, "", `"path" is given twice in one object, so it was not done. Write every key once.`},
		{"missing", "writeFile", `{"path":"a"}`, `{"path":"a"}`, "", "writeFile needs content. Arguments: path (string), content (string)."},
		{"both missing", "writeFile", `{}`, `{}`, "", "writeFile needs path and content. Arguments: path (string), content (string)."},
		{"wrong type", "list", `{"path":".","recursive":"deep"}`, `{"path":"."}`, "", `list recursive must be true or false, not "deep". Arguments: path (string), recursive? (boolean), pattern? (string).`},
		{"several to look at", "readFile", `{"files":["a.go","b.go:1-9"]}`, `{"path":"a.go\nb.go:1-9"}`, "", ""},
		{"several to write", "writeFile", `{"path":["a","b"],"content":"x"}`, `{"content":"x"}`, "", "writeFile path must be a string, not an array. Arguments: path (string), content (string)."},
		{"payload is text", "writeFile", `{"path":"a.json","content":{"a":1}}`, `{"path":"a.json"}`, "", "writeFile content must be a string, not an object. Arguments: path (string), content (string)."},
		{"a list", "list", `["."]`, `{}`, "", "list takes a JSON object. Arguments: path (string), recursive? (boolean), pattern? (string)."},
	} {
		a := protocol.Resolve(nebula.Action{Tool: c.tool, Args: json.RawMessage(c.args)}, tools())
		if string(a.Args) != c.want || a.Reason != c.reason || a.Problem != c.problem {
			t.Errorf("%s: args %s reason %q problem %q\nwant %s %q %q", c.name, a.Args, a.Reason, a.Problem, c.want, c.reason, c.problem)
		}
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("writeFile", `{"path":"a","content":"b"}`)
	f.Add("x", `[[[`)
	f.Add("run", `"\ud800"`)
	f.Fuzz(func(t *testing.T, tool, args string) {
		a := protocol.Resolve(nebula.Action{Tool: tool, Args: json.RawMessage(args)}, tools())
		if !json.Valid(a.Args) || !strings.HasPrefix(strings.TrimSpace(string(a.Args)), "{") && a.Problem == "" {
			t.Fatalf("%s %q → %q (%s)", tool, args, a.Args, a.Problem)
		}
		if again := protocol.Resolve(a, tools()); string(again.Args) != string(a.Args) && a.Problem == "" {
			t.Fatalf("not stable: %s then %s", a.Args, again.Args)
		}
	})
}

// What a model says an action is for, and what could be done instead, is for the person: from arguments or from the
// lines of its reason, whatever the protocol.
func TestPointsAreTakenFromWhereModelsPutThem(t *testing.T) {
	for _, a := range []nebula.Action{
		{Tool: "writeFile", Args: json.RawMessage(`{"path":"p","content":"intent: none of it","intent":"a new page","alternatives":["none","by hand"]}`)},
		{Tool: "writeFile", Args: json.RawMessage(`{"path":"p","content":"","Purpose":"a new page","alternative":"none","alternatives":"by hand"}`)},
		{Tool: "writeFile", Args: json.RawMessage(`{"path":"p","content":""}`), Reason: "it is needed\nIntent: a new page\nAlternatives: none\nalternative: by hand"},
		{Tool: "executeShell", Args: json.RawMessage(`{"command":"make"}`), Reason: "意図：a new page\n代替案：none\n代替案: by hand"},
	} {
		got := protocol.Resolve(a, tools())
		if p := got.Points; got.Problem != "" || p == nil || p.Intent != "a new page" || !slices.Equal(p.Alternatives, []nebula.Code{"none", "by hand"}) || strings.Contains(string(got.Args), "by hand") {
			t.Errorf("%s %q: %+v %s", a.Args, a.Reason, p, got.Problem)
		}
	}
	if a := protocol.Resolve(nebula.Action{Tool: "writeFile", Args: json.RawMessage(`{"path":"p","content":"intent: x"}`), Reason: "no more"}, tools()); a.Points != nil {
		t.Errorf("from nothing: %+v", a.Points)
	}
}
