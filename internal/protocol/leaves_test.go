package protocol

import (
	"strings"
	"testing"

	"nebula"
)

// Who waits for leave waits, whatever else is said before or behind it; who has it does not.
func TestWhoWaitsForLeaveWaitsWhateverElseIsSaid(t *testing.T) {
	action := nebula.Action{Tool: "patchFile", Args: []byte(`{"path":"a.py"}`)}
	others := []string{"The sign is wrong.", "The tests are in test_a.py.", "It is not used anywhere else."}
	for _, wait := range []string{"I need your OK before I change it.", "I won't do it without your approval.", "Please confirm first.", "Shall I go ahead?", "ご承認をお待ちします。"} {
		for at := range len(others) {
			said := strings.Join(append(append(append([]string{}, others[:at]...), wait), others[at:]...), " ")
			if !newEar(action).unmeant(said) {
				t.Errorf("above an action it does not wait: %s", said)
			}
			if !newEar(action).disowned(said, []nebula.Action{action}) {
				t.Errorf("beside a call it does not wait: %s", said)
			}
		}
	}
	for _, has := range []string{"You approved it. The tests are in test_a.py.", "I have your OK now. The sign is wrong. The tests are in test_a.py."} {
		if newEar(action).unmeant(has) {
			t.Errorf("it waits: %s", has)
		}
	}
}
