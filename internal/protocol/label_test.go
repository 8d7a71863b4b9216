package protocol

import (
	"encoding/json"
	"testing"

	"nebula"
)

// The reason of a command that is called is a label: it holds the call where it waits or forbids it, and not for a negation, a condition or
// a question in it.
func TestAReasonOfACommandIsALabel(t *testing.T) {
	held := func(command, reason string) bool {
		args, _ := json.Marshal(map[string]string{"command": command}) // strings always marshal
		in := nebula.Intent{Actions: []nebula.Action{{Tool: "executeShell", Args: args, Reason: reason}}}
		Settle(nebula.Reply{Parts: nebula.PartsOf("", "", nebula.Call{ID: "1", Name: "executeShell", Arguments: string(args)})}, &in)
		return in.Actions[0].Inferred
	}
	for _, reason := range []string{
		"still there?", "tests without vet", "build without cache", "the tests without network", "dry run", "not yet clear which branch runs", "a run without tests",
		"git log without merges", "is the file still there", "list files not tracked", "does it compile?", "if it fails, the cause is elsewhere", "ネットワークなしでテスト", "まだあるか確認", "動くか?",
	} {
		if held("go test ./...", reason) {
			t.Errorf("held: %s", reason)
		}
	}
	for _, reason := range []string{"Please confirm first.", "May I run this?", "once you have approved it", "waiting for your approval", "I will not run this.", "Do not run this.", "実行しません。", "ご承認をお待ちします。"} {
		if !held("go test ./...", reason) {
			t.Errorf("not held: %s", reason)
		}
	}
	if !held("git push", "dry run") {
		t.Error("what has consequences is not held")
	}
}
