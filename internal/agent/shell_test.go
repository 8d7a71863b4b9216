package agent_test

import (
	"testing"

	"nebula"
)

// TestThePersonsOwnCommandGoesThroughTheGate like one of the model's.
func TestThePersonsOwnCommandGoesThroughTheGate(t *testing.T) {
	for answer, end := range map[nebula.Decided]nebula.Status{nebula.Yes: nebula.Done, nebula.No: nebula.Denied} {
		st := newStage(t)
		st.setup.Shell = "shout"
		st.open("")
		if err := st.session.Send(t.Context(), nebula.Shell{Command: "make it so"}); err != nil {
			t.Fatal(err)
		}
		asked, result := false, nebula.Status("")
		for e := range st.session.Events(t.Context(), 0) {
			switch b := e.Body.(type) {
			case nebula.Asked:
				asked = true
				_ = st.session.Send(t.Context(), nebula.Answer{By: nebula.Person, Ask: b.Ask, Answer: answer})
			case nebula.Finished:
				result = b.Result.Status
			}
			if _, ok := e.Body.(nebula.Ended); ok {
				break
			}
		}
		if !asked || result != end {
			t.Errorf("%s: asked %v, and it ended %q", answer, asked, result)
		}
	}
	st := newStage(t)
	st.open("")
	if err := st.session.Send(t.Context(), nebula.Shell{Command: "ls"}); err == nil {
		t.Error("a command where none can be run was taken")
	}
}
