package symops_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/protocol/symops"
)

// The lines below a deletion are no file: nobody who writes them means the whole of it.
func TestADeletionTakesNoBlock(t *testing.T) {
	spec := nebula.ToolSpec{Name: "deleteFile", Aliases: []string{"delete"}, Effect: nebula.Write, Params: []nebula.Param{{Name: "path", Type: "string", Required: true}}}
	for reply, back := range map[string]bool{
		"$ delete @ a.py\n--\ndef sub(a, b):\n    return a - b\n--\n": true,
		"$ remove @ a.py\n```\ndef sub(a, b):\n```\n":                 true,
		"$ delete @ a.py\n": false,
	} {
		in := symops.Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(reply)}, []nebula.ToolSpec{spec})
		if len(in.Actions) != 1 || strings.Contains(in.Actions[0].Problem, "takes no block") != back {
			t.Errorf("%q: %+v", reply, in.Actions)
		}
	}
}

// Where a command is to run stands beside it, not in what it reads.
func TestACommandsSettingsAreNotItsInput(t *testing.T) {
	spec := nebula.ToolSpec{Name: "executeShell", Aliases: []string{"run"}, Effect: nebula.Execute, Params: []nebula.Param{{Name: "command", Type: "string", Required: true, Payload: true}}}
	for block, want := range map[string]string{
		`{"cwd":"src"}`: `{"command":"cd src && rm -rf *"}`,
		`{"a":1}`:       `{"command":"rm -rf * <<'END'\n{\"a\":1}\nEND"}`,
	} {
		in := symops.Protocol{}.Decode(nebula.Reply{Parts: nebula.Text("$ run @ rm -rf *\n--\n" + block + "\n--\n")}, []nebula.ToolSpec{spec})
		if len(in.Actions) != 1 || string(in.Actions[0].Args) != want || in.Actions[0].Problem != "" {
			t.Errorf("%s: %+v", block, in.Actions)
		}
	}
}
