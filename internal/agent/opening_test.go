package agent_test

import (
	"testing"

	"nebula"
)

// TestEventsFromTheOpeningBeginWithIt however long the session's past is.
func TestEventsFromTheOpeningBeginWithIt(t *testing.T) {
	st := newStage(t, reply("one"), reply("two"))
	st.say("first", nil)
	for _, resumed := range []bool{false, true} {
		if resumed {
			id := st.session.ID()
			_ = st.session.Send(t.Context(), nebula.Close{})
			_ = st.session.Wait()
			st.open(id)
		}
		for e := range st.session.Events(t.Context(), nebula.FromOpening) {
			if b, ok := e.Body.(nebula.Started); !ok || b.Resumed != resumed {
				t.Errorf("resumed %v: the first event is %T %+v", resumed, e.Body, e.Body)
			}
			break
		}
	}
}
