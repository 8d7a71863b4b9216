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

// A change of what the person keeps from is refused, and the work is done otherwise: it is done when checks pass and the answer says that the
// file is as it was.
func TestWorkWithoutARefusedChangeIsDone(t *testing.T) {
	first := reply("", call("1", "readFile", "path", "test_hi.py"), call("2", "patchFile", "path", "test_hi.py", "edits", `[{"old":"== 2","new":"== 1"}]`))
	mends := reply("", call("3", "readFile", "path", "hi.py"), call("4", "patchFile", "path", "hi.py", "edits", `[{"old":"x = 1","new":"x = 2"}]`))
	runs := reply("", call("5", "runTests", "command", "python3 -m unittest test_hi"))
	for name, c := range map[string]struct {
		replies []nebula.Reply
		want    nebula.EndStatus
	}{
		"done":      {[]nebula.Reply{first, mends, runs, reply("Fixed hi.py; test_hi.py is unchanged, and the tests pass.")}, nebula.TurnDone},
		"ja":        {[]nebula.Reply{first, mends, runs, reply("hi.py を直しました。test_hi.py は変更していません。")}, nebula.TurnDone},
		"not told":  {[]nebula.Reply{first, mends, runs, reply("Fixed hi.py; the tests pass.")}, nebula.NeedsApproval},
		"unchecked": {[]nebula.Reply{first, mends, reply("Fixed hi.py; test_hi.py is unchanged."), reply("Fixed hi.py; test_hi.py is unchanged."), reply("Fixed hi.py; test_hi.py is unchanged.")}, nebula.NeedsApproval},
		"not made":  {[]nebula.Reply{first, reply("test_hi.py is unchanged.")}, nebula.NeedsApproval},
	} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n", "test_hi.py": "import unittest, hi\nclass T(unittest.TestCase):\n    def test_one(self): self.assertTrue(hi.x == 2)\n"})
		p.script.Replies = c.replies
		p.setup.Approve = gate.All
		if end := last(t, p.sayAlone("Fix the tests. Don't change test_hi.py.")); end.Status != c.want {
			t.Errorf("%s: ended %s %q %+v", name, end.Status, end.Text, end.Actions)
		}
	}
}
