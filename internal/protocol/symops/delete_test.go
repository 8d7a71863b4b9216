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
