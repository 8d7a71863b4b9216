package agent_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// An answer that tells of code that no file has, or of a note that nobody made, is not done; one whose files have it is.
func TestNamesOfCodeThatAreToldOfStandInTheFiles(t *testing.T) {
	edit := reply("", call("1", "patchFile", "path", "a.py", "old", "a = 1", "new", "a = 2"), call("2", "executeShell", "command", "python3 -m unittest"))
	adds := reply("", call("1", "patchFile", "path", "a.py", "old", "a = 1", "new", "a = 2\n\n\ndef sub(x, y):\n    \"\"\"Take away.\"\"\"\n    return x - y"), call("2", "executeShell", "command", "python3 -m unittest"))
	bySed := reply("", call("1", "executeShell", "command", "printf 'a = 2\\ndef sub(): pass\\n' > a.py"), call("2", "executeShell", "command", "python3 -m unittest"))
	for _, c := range []struct {
		before nebula.Reply
		say    string
		guilty bool
	}{
		{edit, "Set a to 2. I added a function sub.", true}, {edit, "a を 2 にし、sub 関数も追加しました。", true}, {edit, "Set a to 2 and gave it a docstring. I gave sub a docstring.", true}, {edit, "Set a to 2. I renamed it to plus.", true}, {edit, "Set a to 2. Removed old.txt.", true},
		{edit, "Set a to 2. I fixed other as well.", true}, {edit, "Set a to 2. Removed the unused function other.", true}, {edit, "a を 2 にしました。other も直しました。", true}, {adds, "Set a to 2. sub is corrected, too.", false},
		{adds, "Set a to 2. I added a function sub.", false}, {adds, "a を 2 にし、sub 関数も追加しました。", false}, {adds, "Set a to 2. I gave sub a docstring.", false}, {bySed, "Set a to 2. I added a function sub.", false}, {edit, "Set a to 2. There is no function sub.", false},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.py": "a = 1\n\n\ndef other():\n    \"\"\"Other.\"\"\"\n", "test_a.py": "import unittest, a\nclass T(unittest.TestCase):\n    def test_a(self): self.assertTrue(a.a)\n"})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return false }
		p.setup.Script = func(file string) string {
			data, _ := os.ReadFile(filepath.Join(p.dir, file))
			return string(data)
		}
		p.setup.Stale = p.missing
		p.script.Replies = append(slices.Clone([]nebula.Reply{c.before}), reply(c.say), reply(c.say), reply(c.say), reply(c.say))
		if end := last(t, p.say("set a to 2 in a.py and run the tests", nil)); (end.Status == nebula.TurnDone) == c.guilty {
			t.Errorf("%s: ended %s %s %q", c.say, end.Status, end.Cause, end.Unfounded)
		}
	}
}
