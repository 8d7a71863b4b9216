package dialect

import (
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

// TestFormsOfSingleReplies reads forms that seldom come, each of them by a rule of its own.
func TestFormsOfSingleReplies(t *testing.T) {
	for _, c := range []struct{ protocol, text, tool, args string }{
		{"toolcall", "Action: readFile\nAction Input: a.py", "readFile", `{"path":"a.py"}`},
		{"toolcall", "Action: executeShell\nAction Input: `ls src`", "executeShell", `{"command":"ls src"}`},
		{"symops", "<delete>a.py</delete>", "deleteFile", `{"path":"a.py"}`},
		{"symops", "$ searchCode @\n--\n{\"query\": \"slug\"}\n--", "searchCode", `{"query":"slug"}`},
		{"actionlist", `{"actions":[{"tool":"deleteFile","args":{"path":"a.py","depends_on":["b.py"]}}]}`, "deleteFile", `{"path":"a.py"}`},
	} {
		p, _ := language.Named(c.protocol)
		in := Tolerant(p.Protocol).Decode(nebula.Reply{Parts: nebula.Text(c.text), Finish: "stop"}, nebulatest.Specs())
		if len(in.Actions) != 1 || in.Actions[0].Tool != c.tool || string(in.Actions[0].Args) != c.args || in.Actions[0].Problem != "" {
			t.Errorf("%s: %s\n got %+v, problems %v\nwant %s %s", c.protocol, c.text, in.Actions, in.Problems, c.tool, c.args)
		}
	}
}

// TestFilesThatNeedEachOtherAreToldOf keeps the order in which they were written.
func TestFilesThatNeedEachOtherAreToldOf(t *testing.T) {
	p, _ := language.Named("symops")
	in := p.Protocol.Decode(nebula.Reply{Parts: nebula.Text("$ create @ a.py > b.py\n--\na\n--\n$ create @ b.py > a.py\n--\nb\n--\n"), Finish: "stop"}, nebulatest.Specs())
	if len(in.Actions) != 2 || len(in.Problems) != 1 {
		t.Errorf("%d actions, problems %v", len(in.Actions), in.Problems)
	}
}
