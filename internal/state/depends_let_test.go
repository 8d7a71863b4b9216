package state_test

import (
	"testing"

	"nebula"
	"nebula/internal/state"
)

// A dependency that is ordered by its name, in the file that holds them, is allowed in that turn; what else is written there is none.
func TestADependencyThatIsOrderedIsAllowed(t *testing.T) {
	held := func(said ...string) bool {
		s := state.New()
		for n, text := range said {
			s.Apply(nebula.Event{Body: nebula.Submitted{Turn: n + 1, Text: text}})
		}
		return s.ForbiddenAct("dependency", "attrs (requirements.txt)") != ""
	}
	for said, free := range map[string]bool{
		"ok, add attrs to requirements.txt after all": true, "Add attrs>=23 to requirements.txt.": true, "Please put left-pad into package.json": true, "Okay, you may add serde to Cargo.toml": true,
		"Don't add attrs to requirements.txt": false, "Should I add attrs to requirements.txt?": false, "Add a comment to requirements.txt": false, "Add a test script to package.json": false,
		"Add parse() to util.py": false, "If it helps, add attrs to requirements.txt": false, "Go on.": false,
	} {
		if held("No new dependencies.", said) == free {
			t.Errorf("%s: free %v", said, !free)
		}
	}
	if !held("No new dependencies.", "ok, add attrs to requirements.txt after all", "Go on with the docs.") {
		t.Error("it is let go of for good")
	}
}
