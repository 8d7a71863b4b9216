package protocol_test

import (
	"encoding/json"

	"nebula"
)

// tools are specs of every shape that arguments take.
func tools() []nebula.ToolSpec {
	return []nebula.ToolSpec{
		{Name: "list", Aliases: []string{"list_files", "file_ops.list_files"}, Effect: nebula.Read, Params: []nebula.Param{
			{Name: "path", Type: "string", Required: true}, {Name: "recursive", Type: "boolean"}, {Name: "pattern", Type: "string"}}},
		{Name: "readFile", Aliases: []string{"read_file", "file_ops.read_file", "file_ops.read"}, Effect: nebula.Read, Params: []nebula.Param{
			{Name: "path", Type: "string", Required: true}, {Name: "offset", Type: "integer"}, {Name: "limit", Type: "integer"}}},
		{Name: "searchInDirectory", Aliases: []string{"search_in_directory"}, Effect: nebula.Read, Params: []nebula.Param{
			{Name: "directory", Type: "string", Required: true}, {Name: "keyword", Type: "string", Required: true}, {Name: "regex", Type: "boolean"}}},
		{Name: "writeFile", Aliases: []string{"write_file", "create", "file_ops.write_file", "file_ops.write"}, Effect: nebula.Write, Params: []nebula.Param{
			{Name: "path", Type: "string", Required: true}, {Name: "content", Type: "string", Required: true, Payload: true}}},
		{Name: "patchFile", Aliases: []string{"patch_file"}, Effect: nebula.Write, Params: []nebula.Param{
			{Name: "path", Type: "string", Required: true},
			{Name: "edits", Type: "array", Required: true, Payload: true, Schema: json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"},"new":{"type":"string"},"replace_all":{"type":"boolean"}},"required":["old","new"]}}`)}}},
		{Name: "executeShell", Aliases: []string{"execute_shell", "run"}, Effect: nebula.Execute, Params: []nebula.Param{
			{Name: "command", Type: "string", Required: true, Payload: true}, {Name: "timeout", Type: "integer"}}},
		{Name: "runTests", Aliases: []string{"run_tests", "test"}, Effect: nebula.Execute, Params: []nebula.Param{
			{Name: "command", Type: "string", Payload: true}}},
		{Name: "askUser", Effect: nebula.Ask, Params: []nebula.Param{
			{Name: "question", Type: "string", Required: true}, {Name: "options", Type: "array"}}},
	}
}
