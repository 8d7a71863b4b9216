package protocol

import (
	"testing"
)

// What a field beside a call says of whether it is to be done: one table, for every form; what says that leave was given never puts off.
func TestFieldsThatSayNotYet(t *testing.T) {
	for name, values := range map[string][]string{
		"awaiting_user": {"true"}, "ask_user": {"true"}, "pending": {"true"}, "proposal": {"true"}, "hold": {"true"}, "is_example": {"true"}, "mode": {"suggest"},
		"blocked_by": {"user"}, "wait_for": {"user"}, "decision": {"ask"}, "human_in_the_loop": {"true"}, "要承認": {"true"}, "run": {"false"}, "dry_run": {"true"},
		"preview": {"true"}, "simulate": {"true"}, "skip": {"true"}, "execute": {"false"}, "apply": {"false"}, "status": {"proposed", "draft"}, "requires_approval": {"true"},
		"approved": {"false"}, "confirmed": {"false"},
	} {
		for _, v := range values {
			if !pends(fold(name), v) {
				t.Errorf("%s: %s does not wait", name, v)
			}
		}
	}
	for name, v := range map[string]string{
		"approved": "true", "confirmed": "true", "approval": "granted", "status": "in_progress", "requires_approval": "false", "dry_run": "false", "execute": "true", "run": "true",
		"ask_user": "false", "wait_for": "none", "blocked_by": "[]", "pending": "false", "risk": "low", "title": "Remove file",
	} {
		if putsOff(fold(name), Quote(v), comes) {
			t.Errorf("%s: %s waits", name, v)
		}
	}
}

// A label above a whole reply is no quotation; what says whose words follow is one.
func TestLabelsAboveTheAnswer(t *testing.T) {
	for text, want := range map[string]bool{
		"Here is my answer:\n": false, "Here is the JSON:\n": false, "Sure! Here's the response:\n": false, "My reply:\n": false, "Response:\n": false, "JSON:\n": false,
		"Answer in the requested format:\n": false, "以下が回答です:\n": false, "回答:\n": false, "Here is the JSON:\n```json\n": false,
		"The log says:\n": true, "An example of an answer:\n": true, "His answer:\n": true, "The user's reply:\n": true, "May I send this response?\nJSON:\n": true,
	} {
		e := newEar()
		if got := e.against(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
