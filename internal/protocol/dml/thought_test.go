package dml_test

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/dml"
)

// TestAMacroThatIsAllThatAThoughtSaysIsAGuess reads macros in a thought's own line, and below it.
func TestAMacroThatIsAllThatAThoughtSaysIsAGuess(t *testing.T) {
	const macro = "🦆▶️[T:delete_file|notes.txt]◀️🦆"
	for text, guess := range map[string]bool{
		"Thought: " + macro: true, "Thought: " + macro + "\n": true, "**Thought:** " + macro: true, "思考: " + macro: true,
		"Thought: It is obsolete.\n" + macro: false, "Thought:\n" + macro: false, "Thought: It is obsolete.\nAction: " + macro: false, macro: false,
	} {
		in := dml.Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
		if len(in.Actions) != 1 || in.Actions[0].Inferred != guess {
			t.Errorf("%q: %v, guessed %v wanted", text, in.Actions, guess)
		}
	}
}
