package state

import (
	"nebula"
	"nebula/internal/phrase"
)

// The causes of moves. [Failed], [Succeeded] and [Worked] have a tool for their argument.
const (
	// ByModel is the cause of a move that a reply asked for. Those alone are bound to one an utterance (Duckflow v3 §6): what
	// the program moves on its own account takes nothing from the reply, and nothing in the reply takes anything from it.
	ByModel      nebula.Code = "model"
	NewRequest   nebula.Code = "new_request"
	NewMessage   nebula.Code = "message"
	PersonSaid   nebula.Code = "person_answered"
	ModelSaid    nebula.Code = "answered"
	ActionNeeds  nebula.Code = "action"
	GateWaits    nebula.Code = "approval_needed"
	GateYes      nebula.Code = "approved"
	GateNo       nebula.Code = "refused"
	NothingLeft  nebula.Code = "nothing_left"
	LowFocus     nebula.Code = "focus_low"
	WaitsForSome nebula.Code = "waits_for_person"
	PutOff       nebula.Code = "put_off"

	Failed    = "tool_failed"
	Succeeded = "tool_succeeded"
	Worked    = "tool"
)

// causes say them.
var causes = nebula.Catalogue{
	"model": "model", "new_request": "a new request", "message": "a message", "person_answered": "the person answered", "answered": "answered",
	"action": "an action", "approval_needed": "approval is needed", "approved": "approved", "refused": "not approved",
	"nothing_left": "nothing left to do", "focus_low": "focus is low", "waits_for_person": "the model waits for the person",
	"put_off": "put off by the model", Failed: "%s failed", Succeeded: "%s succeeded", Worked: "%s",
}

// Cause says a move's cause in lang. What no catalogue knows, as in a record from before codes, is its own words.
//
//go:noinline
func Cause(c nebula.Code, lang string) string {
	if said, known := phrase.Say(lang, "state", causes, c); known {
		return said
	}
	return string(c)
}
