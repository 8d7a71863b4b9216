package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"nebula"
)

// A program that was started to be asked about a change is noted, once, whether it found something or not.
func TestAServerThatBeganIsNoted(t *testing.T) {
	st := newStage(t, reply("", call("1", "note", "path", "a", "content", "x"), call("2", "note", "path", "b", "content", "y")), reply("Unverified: so."))
	programs := []string{"/usr/bin/gopls"}
	st.setup.Finds = func(context.Context, []nebula.Change) (string, []string) {
		began := programs
		programs = nil
		return "", began
	}
	var noted []nebula.Noted
	for _, e := range st.say("go", always(nebula.Yes)) {
		if b, ok := e.Body.(nebula.Noted); ok && b.Did != "" {
			noted = append(noted, b)
		}
	}
	if len(noted) != 1 || noted[0].Did != "start" || !strings.HasSuffix(noted[0].Text, "/usr/bin/gopls") || slices.Contains([]string{"warning", "error"}, noted[0].Level) {
		t.Errorf("%+v", noted)
	}
}
