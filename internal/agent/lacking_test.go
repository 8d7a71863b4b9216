package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/advice"
)

// That a file of advice names another that is not there is said to the person, once.
func TestMissingAdviceIsSaidOnce(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a")), reply("One."), reply("Two."))
	st.world.set("a", "x")
	st.setup.Advice = func([]string) []advice.File {
		return []advice.File{{Path: "AGENTS.md", Text: "@gone.md\n", Lines: 1, Missing: []string{"gone.md"}}}
	}
	told := 0
	for _, asked := range []string{"go", "again"} {
		for _, e := range st.say(asked, nil) {
			if n, ok := e.Body.(nebula.Noted); ok && strings.Contains(n.Text, "AGENTS.md") && strings.Contains(n.Text, "@gone.md") {
				told++
			}
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}
