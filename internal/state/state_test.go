package state_test

import (
	"testing"

	"nebula"
	"nebula/internal/state"
)

// What was sent back is known to be so from the moment on when the model reads it, not in the same reply.
func TestSentBackCountsOnceItWasRead(t *testing.T) {
	s := state.New()
	for i, b := range []nebula.Body{
		nebula.Submitted{Turn: 1, Text: "go"}, nebula.Replied{Turn: 1}, nebula.Finished{Result: nebula.Result{Status: nebula.Failed, Again: "h"}},
	} {
		s.Apply(nebula.Event{Seq: int64(i + 1), Body: b})
	}
	if s.SentBack["h"] {
		t.Error("known before it was read")
	}
	s.Apply(nebula.Event{Seq: 4, Body: nebula.Observed{}})
	if !s.SentBack["h"] {
		t.Error("not known after it was read")
	}
}
