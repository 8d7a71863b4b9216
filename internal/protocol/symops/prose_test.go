package symops

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// "For instance" before what the person asked for announces no example; before everything else it does.
func TestWhatWasAskedForIsNoExample(t *testing.T) {
	for sentence, runs := range map[string]bool{
		"For instance 2 is what you asked for, so:":             true,
		"For example, port 8080 is what you would write:":       false,
		"For instance 2 is what one could write:":               false,
		"For instance 2 is what you asked for; for example:":    false,
		"For instance 2 is what you asked for. The syntax is:":  false,
		"For example, 2.5 is what the task wants, so I set it:": true,
	} {
		in := Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(sentence + "\n$ edit @ a.py\n--\na = 2\n--\n"), Finish: "stop"}, nebulatest.Specs())
		ran := len(in.Actions) == 1 && in.Actions[0].Problem == "" && !in.Actions[0].Inferred
		if ran != runs {
			t.Errorf("%q runs: %v, actions %+v", sentence, ran, in.Actions)
		}
	}
}
