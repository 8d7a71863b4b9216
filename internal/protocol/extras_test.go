package protocol_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/protocol"
)

// What a tool does not take is done, asked about or sent back; nothing of it is dropped.
func TestNoArgumentOfAChangeIsDropped(t *testing.T) {
	edit := nebula.ToolSpec{Name: "editFile", Effect: nebula.Write, Params: []nebula.Param{
		{Name: "path", Type: "string", Required: true}, {Name: "new_content", Type: "string", Required: true, Payload: true}}}
	remove := nebula.ToolSpec{Name: "deleteFile", Effect: nebula.Write, Params: []nebula.Param{{Name: "path", Type: "string", Required: true}}}
	all := append(tools(), edit, remove)
	const back, asks = "back", "asks"
	for _, c := range []struct{ tool, args, want string }{
		{"executeShell", `{"command":"rm -rf *","cwd":"src"}`, `{"command":"cd src && rm -rf *"}`},
		{"executeShell", `{"command":"rm -rf *","workdir":"src"}`, `{"command":"cd src && rm -rf *"}`},
		{"executeShell", `{"command":"rm -rf *","working_directory":"my src"}`, `{"command":"cd 'my src' && rm -rf *"}`},
		{"executeShell", `{"command":"rm -rf *","path":"src"}`, `{"command":"cd src && rm -rf *"}`},
		{"executeShell", `{"command":"ls; rm -rf *","dir":"src"}`, `{"command":"cd src || exit 1\nls; rm -rf *"}`},
		{"executeShell", `{"command":"false || rm -rf *","directory":"./src/"}`, `{"command":"cd src || exit 1\nfalse || rm -rf *"}`},
		{"runTests", `{"command":"make","cwd":"src"}`, `{"command":"cd src && make"}`},
		{"runTests", `{"cwd":"src"}`, back},
		{"executeShell", `{"command":"rm -rf *","cwd":"../src"}`, back},
		{"executeShell", `{"command":"rm -rf *","cwd":"/src"}`, back},
		{"executeShell", `{"arguments":{"command":"rm -rf *"},"host":"staging"}`, back},
		{"executeShell", `{"command":"rm a","args":["--help"]}`, back},
		{"executeShell", `{"command":"rm a","dry_run":true}`, asks},
		{"executeShell", `{"command":"rm a","execute":false}`, asks},
		{"executeShell", `{"command":"rm a","requires_approval":"true"}`, asks},
		{"executeShell", `{"command":"rm a","condition":"user confirmed"}`, asks},
		{"deleteFile", `{"path":"a","confirm":false}`, asks},
		{"deleteFile", `{"path":"a","enabled":false}`, asks},
		{"deleteFile", `{"path":"a","status":"done"}`, asks},
		{"deleteFile", `{"path":"a","example":true}`, asks},
		{"deleteFile", `{"path":"a","start_line":4,"end_line":5}`, back},
		{"deleteFile", `{"path":"a","lines":"4-5"}`, back},
		{"deleteFile", `{"path":"a","text":"x"}`, back},
		{"editFile", `{"path":"a","start_line":1,"end_line":2,"new_content":"x"}`, back},
		{"editFile", `{"path":"a","append":true,"new_content":"x"}`, back},
		{"editFile", `{"path":"a","mode":"append","new_content":"x"}`, back},
		{"editFile", `{"path":"a","insert_after":"y","new_content":"x"}`, back},
		{"writeFile", `{"path":"a","append":true,"content":"x"}`, back},
		{"editFile", `{"path":"a","old":"y","new_content":"x"}`, `{"path":"a","edits":[{"old":"y","new":"x"}]}`},
		{"editFile", `{"path":"a","old_content":"y","content":"x"}`, `{"path":"a","edits":[{"old":"y","new":"x"}]}`},
		{"editFile", `{"path":"a","search":"y","new_content":"x"}`, `{"path":"a","edits":[{"old":"y","new":"x"}]}`},
		{"editFile", `{"path":"a","target":"y","new_content":"x"}`, `{"path":"a","edits":[{"old":"y","new":"x"}]}`},
	} {
		a := protocol.Resolve(nebula.Action{Tool: c.tool, Args: json.RawMessage(c.args)}, all)
		switch {
		case c.want == asks:
			if a.Problem != "" || !slices.ContainsFunc(a.Repairs, protocol.Guessed) {
				t.Errorf("%s %s is not asked about: %+v", c.tool, c.args, a)
			}
		case c.want == back:
			if !strings.Contains(a.Problem, "takes no") && !strings.Contains(a.Problem, "needs") || !strings.Contains(a.Problem, "Arguments: ") {
				t.Errorf("%s %s is not sent back: %+v", c.tool, c.args, a)
			}
		case a.Problem != "" || string(a.Args) != c.want:
			t.Errorf("%s %s: %s %q", c.tool, c.args, a.Args, a.Problem)
		}
	}
	// What says nothing of what is to be done holds nothing up.
	for _, c := range []struct{ tool, args, want string }{
		{"executeShell", `{"command":"make","description":"build it","cwd":".","requires_approval":false,"timeout_ms":100,"is_background":false}`, `{"command":"make","timeout":100}`},
		{"writeFile", `{"path":"a","file":"a","content":"x","overwrite":true,"mode":"write","confirm":true,"append":false,"status":"pending"}`, `{"path":"a","content":"x"}`},
		{"deleteFile", `{"path":"a","explanation":"old","dry_run":"false","recursive":false,"intent":"tidy"}`, `{"path":"a"}`},
		{"list", `{"path":"a","depth":3}`, `{"path":"a"}`},
	} {
		a := protocol.Resolve(nebula.Action{Tool: c.tool, Args: json.RawMessage(c.args)}, all)
		if a.Problem != "" || string(a.Args) != c.want || len(a.Repairs) > 0 {
			t.Errorf("%s %s: %s %q %v", c.tool, c.args, a.Args, a.Problem, a.Repairs)
		}
	}
}

// What a tool that changes nothing was given beside its arguments is left out, and named.
func TestWhatAReadIsGivenBesidesIsNamed(t *testing.T) {
	for args, want := range map[string]string{
		`{"path":"a","encoding":"utf8","depth":3,"reason":"r"}`: "depth", `{"path":"a","follow":true,"depth":2}`: "follow depth", `{"path":"a","depth":null}`: "", `{"path":"a"}`: "",
	} {
		a := protocol.Resolve(nebula.Action{Tool: "list", Args: json.RawMessage(args)}, tools())
		if got := strings.Join(a.Ignored, " "); got != want || a.Problem != "" || string(a.Args) != `{"path":"a"}` {
			t.Errorf("%s: ignored %q, args %s, problem %q", args, got, a.Args, a.Problem)
		}
	}
	if a := protocol.Resolve(nebula.Action{Tool: "writeFile", Args: json.RawMessage(`{"path":"a","content":"x","depth":3}`)}, tools()); len(a.Ignored) > 0 || a.Problem == "" {
		t.Errorf("%+v", a)
	}
}
