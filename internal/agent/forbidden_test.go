package agent_test

import (
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// A turn in which something forbidden was refused ends as that, also where its edits are not checked: a script is not told that all is done.
func TestWhatWasRefusedIsNotDoneBesideUncheckedEdits(t *testing.T) {
	for _, says := range []string{"I changed b.go. It is not tested, and the commit was refused.", "b.go is written.\nUnverified: no test was run. The commit was refused.", "b.go is written. The commit was refused.", "All is done and it works."} {
		p := newProject(t, languages()[0], map[string]string{"a.go": "package a\n"}, acts(act("writeFile", "path", "b.go", "content", "package a\n")), acts(act("executeShell", "command", "git commit -m x")), say(says), say(says), say(says), say(says))
		p.setup.Approve, p.setup.Alone, p.setup.Checkable = gate.All, true, func() bool { return true }
		end := last(t, p.sayAlone("Write b.go. Never commit."))
		if end.Cause != nebula.Forbidden || end.Status != nebula.NeedsApproval {
			t.Errorf("%s: ended %s %s: %s", says, end.Status, end.Cause, end.Text)
		}
	}
}
