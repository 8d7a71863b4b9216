package dialect

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

// TestWordsOfLeaveCountWhereverTheyStand holds refusals and conditions to what they say: beside native calls, in reasons,
// in what a document says of itself, and in remarks.
func TestWordsOfLeaveCountWhereverTheyStand(t *testing.T) {
	const call = `{"path":"x.go"%}`
	reason := func(why string) string { return strings.Replace(call, "%", `,"reason":"`+why+`"`, 1) }
	list := func(fields, why string) string {
		return `{"rationale":"r",` + fields + `"actions":[{"operation":"deleteFile","args":{"path":"x.go"},"reasoning":"` + why + `"}]}`
	}
	native := strings.Replace(call, "%", "", 1)
	for _, c := range []struct {
		protocol, text, arguments string
		asks                      bool
	}{
		{"toolcall", "I will not delete x.go until you answer.", native, true},
		{"toolcall", "I won't run this before you confirm.", native, true},
		{"toolcall", "May I delete x.go?", native, true},
		{"toolcall", "削除してもよいですか？ご返事をお待ちします。", native, true},
		{"toolcall", "", reason("only if the user says yes"), true},
		{"toolcall", "", reason("example only, do not run"), true},
		{"toolcall", "", reason("ユーザーの確認後に削除"), true},
		{"actionlist", list("", "only after the user confirms"), "", true},
		{"actionlist", list("", "example only, do not run"), "", true},
		{"actionlist", list(`"say":"I will not do this before you confirm.",`, "r"), "", true},
		{"actionlist", list(`"constraint_check":"no: the user forbade commands",`, "r"), "", true},
		{"symops", "~ Only after the user agrees\n$ delete @ x.go", "", true},
		{"symops", "$ delete @ x.go  # NOT yet, ask the user first", "", true},
		{"symops", "$ delete @ x.go (after you confirm)", "", true},
		{"symops", "$ delete @ x.go（確認後）", "", true},
		{"symops", "先ほど実行したコマンド:\n$ delete @ x.go", "", true},

		{"toolcall", "I delete x.go, as you asked.", native, false},
		{"toolcall", "You confirmed it, so I remove the file.", native, false},
		{"toolcall", "I won't touch anything else.", native, false},
		{"toolcall", "", reason("it is not used any more, and the build fails if it stays"), false},
		{"toolcall", "", reason("add a prompt so that the user must confirm first"), false},
		{"toolcall", "", reason("使われていないので削除します"), false},
		{"toolcall", "", reason("ユーザーの承認を得ました"), false},
		{"actionlist", list(`"constraint_check":"no constraint is broken",`, "the user approved it"), "", false},
		{"actionlist", list(`"constraint_check":"yes: none broken",`, "not needed any more"), "", false},
		{"symops", "~ The user agreed, so it goes\n$ delete @ x.go", "", false},
		{"symops", "$ delete @ x.go  # not used any more", "", false},
	} {
		p, _ := language.Named(c.protocol)
		r := nebula.Reply{Parts: nebula.Text(c.text), Finish: "stop"}
		if c.arguments != "" {
			r.Parts, r.Finish = nebula.PartsOf("", c.text, nebula.Call{ID: "a", Name: "deleteFile", Arguments: c.arguments}), "tool_calls"
		}
		in := Decode(r, p.Protocol, nebulatest.Specs())
		if len(in.Actions) != 1 || unasked(in) == c.asks {
			t.Errorf("%s %q %s: %+v %+v", c.protocol, c.text, c.arguments, in.Actions, in.Problems)
		}
	}
}
