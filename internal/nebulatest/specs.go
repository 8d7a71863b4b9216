package nebulatest

import (
	"encoding/json"

	"nebula"
)

// Specs are tools with arguments of every shape: the built-in ones as protocols see them.
func Specs() []nebula.ToolSpec {
	need := func(name string) nebula.Param { return nebula.Param{Name: name, Type: "string", Required: true} }
	may := func(name, kind string) nebula.Param { return nebula.Param{Name: name, Type: kind} }
	payload := func(name string) nebula.Param {
		return nebula.Param{Name: name, Type: "string", Required: true, Payload: true}
	}
	edits := json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"},"new":{"type":"string"}},"required":["old","new"]}}`)
	return []nebula.ToolSpec{
		{Name: "list", Aliases: []string{"list_files", "file_ops.list_files"}, Effect: nebula.Read, Params: []nebula.Param{need("path"), may("recursive", "boolean"), may("pattern", "string")}},
		{Name: "readFile", Aliases: []string{"read_file", "file_ops.read_file", "file_ops.read"}, Effect: nebula.Read, Params: []nebula.Param{need("path"), may("offset", "integer"), may("limit", "integer")}},
		{Name: "searchInDirectory", Aliases: []string{"search_in_directory"}, Effect: nebula.Read, Params: []nebula.Param{need("directory"), need("keyword"), may("regex", "boolean"), may("glob", "string")}},
		{Name: "searchCode", Aliases: []string{"search_code"}, Effect: nebula.Read, Params: []nebula.Param{need("query"), may("limit", "integer")}},
		{Name: "writeFile", Aliases: []string{"write_file", "create", "file_ops.write_file", "file_ops.write"}, Effect: nebula.Write, Params: []nebula.Param{need("path"), payload("content")}},
		{Name: "editFile", Aliases: []string{"edit_file", "edit", "file_ops.edit_file"}, Effect: nebula.Write, Params: []nebula.Param{need("path"), payload("new_content")}},
		{Name: "patchFile", Aliases: []string{"patch_file"}, Effect: nebula.Write, Params: []nebula.Param{need("path"), {Name: "edits", Type: "array", Required: true, Payload: true, Schema: edits}}},
		{Name: "createDirectory", Aliases: []string{"create_directory", "mkdir"}, Effect: nebula.Write, Params: []nebula.Param{need("path")}},
		{Name: "deleteFile", Aliases: []string{"delete_file", "delete", "file_ops.delete"}, Effect: nebula.Write, Params: []nebula.Param{need("path")}},
		{Name: "executeShell", Aliases: []string{"execute_shell", "run"}, Effect: nebula.Execute, Params: []nebula.Param{payload("command"), may("timeout", "integer")}},
		{Name: "runTests", Aliases: []string{"run_tests", "test"}, Effect: nebula.Execute, Params: []nebula.Param{{Name: "command", Type: "string", Payload: true}}},
		{Name: "proposePlan", Aliases: []string{"plan_tool.propose"}, Effect: nebula.Arrange, Params: []nebula.Param{need("goal")}},
		{Name: "updateStep", Aliases: []string{"plan_tool.update_step"}, Effect: nebula.Arrange, Params: []nebula.Param{need("step_id"), need("status")}},
		{Name: "getPlan", Aliases: []string{"plan_tool.get"}, Effect: nebula.Read, Params: []nebula.Param{may("plan_id", "string")}},
		{Name: "updateState", Aliases: []string{"state_delta"}, Effect: nebula.Update, Params: []nebula.Param{may("goal", "string"), may("constraints", "array"), may("step", "string")}},
		{Name: "askUser", Effect: nebula.Ask, Params: []nebula.Param{need("question"), may("options", "array")}},
	}
}

// Samples are actions that use every tool of [Specs] with every argument at least once.
func Samples() []nebula.Action {
	act := func(tool, args string) nebula.Action { return nebula.Action{Tool: tool, Args: json.RawMessage(args)} }
	return []nebula.Action{
		act("list", `{"path":"."}`),
		act("list", `{"path":"src","recursive":true}`),
		act("list", `{"path":"src","recursive":false,"pattern":"*.py"}`),
		act("list", `{"path":"a b/日本","pattern":"*.go"}`),
		act("readFile", `{"path":"src/main.py"}`),
		act("readFile", `{"path":"src/main.py","offset":10,"limit":20}`),
		act("readFile", `{"path":"{{F:main}}","limit":20}`),
		act("searchInDirectory", `{"directory":".","keyword":"a|b > c @ d","regex":true,"glob":"*.go"}`),
		act("searchCode", `{"query":"データベース接続","limit":3}`),
		act("writeFile", `{"path":"a.txt","content":"one\ntwo\n"}`),
		act("writeFile", `{"path":"empty.txt","content":""}`),
		act("editFile", `{"path":"a.txt","new_content":"\ttabs | pipes\r\n"}`),
		act("patchFile", `{"path":"a.txt","edits":[{"old":"x\ny","new":""},{"old":"\"q\"","new":"|"}]}`),
		act("createDirectory", `{"path":"src/new_module"}`),
		act("deleteFile", `{"path":"old.txt"}`),
		act("executeShell", `{"command":"cat a | grep 'x > y' @ \"z\""}`),
		act("executeShell", `{"command":"make","timeout":5}`),
		act("runTests", `{}`),
		act("runTests", `{"command":"go test ./... 2>&1 | tail"}`),
		act("proposePlan", `{"goal":"make a game"}`),
		act("updateStep", `{"step_id":"step_1","status":"completed"}`),
		act("getPlan", `{}`),
		act("updateState", `{"goal":"g","constraints":["a","b"],"step":"REVIEW"}`),
		act("askUser", `{"question":"Which?","options":["one","two"]}`),
	}
}
