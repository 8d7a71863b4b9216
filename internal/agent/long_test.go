package agent_test

import (
	"strings"
	"testing"

	"nebula"
)

// What a long answer says of work that nobody did is seen where it begins and where it ends, and the answer is recorded whole.
func TestALongAnswerIsHeldToWhatItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand expressions over a long text, which the race detector makes sixty times slower; nothing is shared there")
	}
	filler := strings.Repeat("A word of it, and more.\n", 800)
	for _, said := range []string{filler + "\nI have fixed a.txt.", "I have fixed a.txt.\n" + filler} {
		p := newProject(t, languages()[0], map[string]string{"a.txt": "x\n"}, say(said), say(said))
		events := p.sayAlone("Fix a.txt.")
		if last(t, events).Status == nebula.TurnDone {
			t.Error("it counts as done")
		}
		for _, e := range events {
			if r, ok := e.Body.(nebula.Replied); ok && len(r.Intent.Say) < len(filler) {
				t.Errorf("%d bytes are kept", len(r.Intent.Say))
			}
		}
	}
}
