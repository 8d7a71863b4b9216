package protocol_test

import (
	"encoding/json"
	"testing"

	"nebula"
	"nebula/internal/protocol"
)

// What stands before a question for leave in the same reply waits for its answer; before another question it does not.
func TestWhatIsAskedLeaveForWaits(t *testing.T) {
	remove := nebula.Action{Tool: "deleteFile", Args: []byte(`{"path":"a.py"}`)}
	settled := func(in nebula.Intent) bool {
		protocol.Settle(nebula.Reply{}, &in)
		return in.Actions[0].Inferred
	}
	for question, waits := range map[string]bool{
		"May I delete a.py?": true, "Should I go ahead?": true, "Is it OK to remove a.py?": true, "a.py is unused. May I delete it?": true, "Do you approve this change?": true,
		"実行してもよろしいですか?": true, "a.py を削除してもよいですか?": true,
		"Do you want tests too?": false, "Should I add a test as well?": false, "What is the port of the server?": false, "他にありますか?": false, "Which one?": false, "どのポートを使いますか?": false,
	} {
		args, _ := json.Marshal(map[string]string{"question": question})
		ask := nebula.Action{Tool: "askUser", Args: args}
		if got := settled(nebula.Intent{Actions: []nebula.Action{remove, ask}}); got != waits {
			t.Errorf("before %q: waits %v", question, got)
		}
	}
	for said, waits := range map[string]bool{"AwaitingApproval @ a.py": true, "AWAITING_APPROVAL": true, "NotFound @ b.py": false} {
		if got := settled(nebula.Intent{Actions: []nebula.Action{remove}, Errors: []string{said}}); got != waits {
			t.Errorf("beside ! %s: waits %v", said, got)
		}
	}
}
