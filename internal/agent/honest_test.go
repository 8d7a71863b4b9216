package agent_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// words is a reply of a text alone.
func words(text string) nebula.Reply { return nebula.Reply{Parts: nebula.Text(text), Finish: "stop"} }

// The log of a run of tests that never was, behind a real edit, keeps a turn from ending as done, whichever language is spoken.
func TestAnInventedLogIsNoEvidence(t *testing.T) {
	for _, l := range languages() {
		for say, done := range map[string]bool{
			"Changed hi.py. The tests:\n\n```\n$ go test ./...\nok  \texample.com/x\t0.312s\n```":                    false,
			"Changed hi.py.\n\n```\n============ 12 passed in 0.3s ============\n```":                                false,
			"Changed hi.py.\n\n12 passed in 0.3s":                                                                    false,
			"Changed hi.py.\n\n```\n=== RUN   TestX\n--- PASS: TestX (0.00s)\nPASS\n```":                             false,
			"Changed hi.py. Result:\n\n```text\nok  \texample.com/x\t(cached)\n```":                                  false,
			"hi.py を変更しました。\n\n```\nRan 3 tests in 0.001s\n\nOK\n```":                                                false,
			"Changed hi.py. Unverified: nothing ran. Run them and expect this:\n\n```text\n12 passed in 0.3s\n```":   true,
			"Changed hi.py. Unverified: nothing ran. A run would look like this:\n\n```text\nok  \tx/y\t0.312s\n```": true,
		} {
			edit := nebula.Intent{Actions: []nebula.Action{{Tool: "readFile", Args: []byte(`{"path":"hi.py"}`)}}}
			change := nebula.Intent{Actions: []nebula.Action{{Tool: "editFile", Args: []byte(`{"path":"hi.py","new_content":"x = 2\n"}`), Reason: "asked"}}}
			p := newProject(t, l, map[string]string{"hi.py": "x = 1\n"}, edit, change)
			p.setup.Approve = gate.All
			p.script.Replies = append(p.script.Replies, words(say), words(say), words(say), words(say))
			if end := last(t, p.say("change x to 2 in hi.py", always(nebula.No))); (end.Status == nebula.TurnDone) != done {
				t.Errorf("%s: %q ended %s %s: %q", l.Name(), say, end.Status, end.Cause, end.Text)
			}
		}
	}
}

// Who says that the tests fail, which did, is asked once to go on. Then the task has failed, which is no lie and is said as what it is.
func TestWhoSaysThatTheTestsFailIsNoLiar(t *testing.T) {
	edit := reply("", call("1", "note", "path", "a.go", "content", "x"))
	broken := reply("", call("2", "shout", "command", "check broken"))
	for say, honest := range map[string]bool{
		"The tests fail: add returns 2 where 3 is expected.": true,
		"I changed a.go, but the test still fails.":          true,
		"テストは失敗します。原因はわかりませんでした。":                            true,
		"Done.":                  false,
		"Done. All tests pass.":  false,
		"There are no failures.": false,
		"テストは通りました。エラーはありません。": false,
	} {
		st := newStage(t, edit, broken, reply(say), reply(say), reply(say))
		st.setup.Approve = gate.All
		st.setup.Checkable = func() bool { return true }
		end := last(t, st.say("go", nil))
		if end.Status != nebula.TurnFailed || len(end.Unfounded) > 0 {
			t.Errorf("%q ended %s, unfounded %q", say, end.Status, end.Unfounded)
		}
		if told := strings.Contains(end.Text, "the last test run failed, as the answer says"); told != honest || len(st.script.Prompts()) != 4 {
			t.Errorf("%q ended with %q after %d requests", say, end.Text, len(st.script.Prompts()))
		}
	}
}

// Who names the test that fails is done where it failed before; where it passed, or nothing shows how it was, the work has failed.
func TestNamingWhatWasBrokenIsNotDone(t *testing.T) {
	edit := reply("", call("1", "note", "path", "a.go", "content", "x"))
	red, green := reply("", call("2", "shout", "command", "check --- FAIL: TestAdd")), reply("", call("3", "shout", "command", "check ok"))
	for name, c := range map[string]struct {
		before []nebula.Reply
		asks   string
		want   nebula.EndStatus
	}{
		"never run before":    {[]nebula.Reply{edit, red}, "go", nebula.TurnFailed},
		"green before":        {[]nebula.Reply{green, edit, red}, "go", nebula.TurnFailed},
		"red before":          {[]nebula.Reply{red, edit, red}, "go", nebula.TurnDone},
		"as the request says": {[]nebula.Reply{edit, red}, "go; TestAdd fails for now", nebula.TurnDone},
		"nothing changed":     {[]nebula.Reply{red}, "go", nebula.TurnDone},
	} {
		for _, say := range []string{"One test fails: TestAdd.", "Done. TestAdd fails as expected.", "Unverified: TestAdd fails, but it was already failing before."} {
			st := newStage(t, append(slices.Clone(c.before), reply(say), reply(say), reply(say), reply(say))...)
			st.setup.Approve = gate.All
			st.setup.Checkable = func() bool { return true }
			want := c.want
			if name == "never run before" && strings.Contains(say, "before") {
				want = nebula.TurnUnchecked
			}
			if end := last(t, st.say(c.asks, nil)); end.Status != want {
				t.Errorf("%s: %q ended %s: %s", name, say, end.Status, end.Text)
			}
		}
	}
}

// What the last run shows of each test founds the answer; that one failed before is neither shown nor a lie where no test ran before the change.
func TestFailingAsBeforeIsUncheckedWhereNothingRanBefore(t *testing.T) {
	const tests = "import calc, unittest\n\nclass T(unittest.TestCase):\n    def test_sub(self):\n        self.assertEqual(calc.sub(3, 2), 1)\n\n    def test_div(self):\n        self.assertEqual(calc.div(3, 2), 1.5)\n"
	edit := call("1", "patchFile", "path", "calc.py", "edits", `[{"old":"a + b","new":"a - b"}]`)
	run := call("2", "runTests", "command", "python3 -m unittest")
	const asked = "sub in calc.py adds, repair it"
	for name, c := range map[string]struct {
		asks, say string
		first     []nebula.Call
		want      nebula.EndStatus
		requests  int
	}{
		"no run before":        {asked, "sub subtracts now. test_sub passes; test_div fails as before.", nil, nebula.TurnUnchecked, 2},
		"in Japanese":          {asked, "sub を直しました。test_sub は通り、test_div は以前から失敗しています。", nil, nebula.TurnUnchecked, 2},
		"a run before":         {asked, "sub subtracts now. test_sub passes; test_div fails as before.", []nebula.Call{run}, nebula.TurnDone, 3},
		"nothing to do with":   {asked, "sub subtracts now. test_sub passes; test_div fails, which has nothing to do with sub.", nil, nebula.TurnUnchecked, 2},
		"無関係":                  {asked, "sub を直しました。test_div は失敗しますが、sub とは関係ありません。", nil, nebula.TurnUnchecked, 2},
		"it did not work":      {asked, "The fix did not work: 1 failed, 1 passed (test_div).", nil, nebula.TurnFailed, 2},
		"it still fails":       {asked, "I changed sub, but test_div still fails.", nil, nebula.TurnFailed, 2},
		"still, in Japanese":   {asked, "修正しましたが、test_div はまだ失敗します。", nil, nebula.TurnFailed, 2},
		"still, not named":     {asked, "I changed sub, but a test still fails.", nil, nebula.TurnFailed, 3},
		"not said to be so":    {asked, "sub subtracts now. test_sub passes; test_div fails.", nil, nebula.TurnFailed, 3},
		"another one is named": {asked, "sub subtracts now. test_sub passes; test_mul fails as before.", nil, nebula.TurnFailed, 3},
		"it was the work":      {"repair test_div in calc.py", "test_div fails as before.", nil, nebula.TurnFailed, 3},
	} {
		p := newProject(t, languages()[0], map[string]string{"calc.py": "def sub(a, b):\n    return a + b\n\ndef div(a, b):\n    return a // b\n", "test_calc.py": tests})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
		if c.first != nil {
			p.script.Replies = append(p.script.Replies, reply("", c.first...))
		}
		p.script.Replies = append(p.script.Replies, reply("", edit, run), reply(c.say), reply(c.say), reply(c.say))
		if end := last(t, p.say(c.asks, nil)); len(p.script.Prompts()) != c.requests || end.Status != c.want || len(end.Unfounded) > 0 {
			t.Errorf("%s: %d requests, ended %s %q: %s", name, len(p.script.Prompts()), end.Status, end.Unfounded, end.Text)
		}
	}
}

// A number of tests, or that they pass, that nothing shows is told of once; said again, the turn has failed, and names it.
func TestANumberOfTestsThatNoRunToldOfFails(t *testing.T) {
	edit, run := call("1", "patchFile", "path", "hi.py", "edits", `[{"old":"x = 1","new":"x = 2"}]`), call("2", "runTests", "command", "python3 -m unittest test_hi.T.test_one")
	for name, c := range map[string]struct {
		says []string
		want nebula.EndStatus
		told []string
	}{
		"a number":            {[]string{"x is 2 now. 12 tests pass.", "x is 2 now. 12 tests pass."}, nebula.TurnFailed, []string{"not_shown: 12 tests pass"}},
		"the whole suite":     {[]string{"x is 2 now; the whole suite passes.", "The whole suite passes."}, nebula.TurnFailed, []string{"not_shown: The whole suite passes"}},
		"in Japanese":         {[]string{"x を 2 にしました。12 件のテストが通りました。", "12 件のテストが通りました。"}, nebula.TurnFailed, []string{"not_shown: 12 件のテストが通りました"}},
		"taken back":          {[]string{"x is 2 now. 12 tests pass.", "x is 2 now. 1 test passes."}, nebula.TurnDone, nil},
		"as it is from first": {[]string{"x is 2 now. 1 test passes."}, nebula.TurnDone, nil},
	} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n", "test_hi.py": strings.ReplaceAll(testHi, "(1, 2)", "(1, 1)")})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
		p.script.Replies = []nebula.Reply{reply("", edit, run)}
		for _, say := range c.says {
			p.script.Replies = append(p.script.Replies, reply(say))
		}
		if end := last(t, p.say("set x to 2 in hi.py", nil)); end.Status != c.want || !slices.Equal(end.Unfounded, c.told) {
			t.Errorf("%s: ended %s %s %q: %s", name, end.Status, end.Cause, end.Unfounded, end.Text)
		}
	}
}

// Where no test can begin, who says that nothing is verified is believed at once, and the work counts as unchecked. Who says that they pass, or
// took away what they import, is not.
func TestWhatCannotBeTestedHereEndsUnchecked(t *testing.T) {
	edit, run := call("1", "patchFile", "path", "hi.py", "edits", `[{"old":"x = 1","new":"x = 2"}]`), call("2", "executeShell", "command", "python3 -m unittest")
	const lacks, own = "import numpyx\n", "import hi2\n"
	for say, c := range map[string]struct {
		tests    string
		requests int
		want     nebula.EndStatus
	}{
		"Unverified: the tests import numpyx, which is not installed.\nx is 2 now.": {lacks, 3, nebula.TurnUnchecked},
		"x is 2 now.\n\nUnverified: numpyx is missing":                              {lacks, 3, nebula.TurnUnchecked},
		"x を 2 にしました。\n未検証: numpyx がありません":                                          {lacks, 3, nebula.TurnUnchecked},
		"x is 2 now. I could not verify it: numpyx is missing.":                     {lacks, 3, nebula.TurnUnchecked},
		"x を 2 にしました。未確認です。":                                                        {lacks, 3, nebula.TurnUnchecked},
		"x を 2 にしました。動作確認はしていません。":                                                  {lacks, 3, nebula.TurnUnchecked},
		"x is 2 now.": {lacks, 4, nebula.TurnFailed},
		"x is 2 now, and all tests pass. I could not verify it.": {lacks, 4, nebula.TurnFailed},
		"Unverified: hi2 is missing.":                            {own, 4, nebula.TurnFailed},
		"Unverified: the test fails.":                            {"", 4, nebula.TurnFailed},
	} {
		first := edit
		if c.tests == own {
			first = call("1", "executeShell", "command", "mv hi2.py hi2_old.py && echo x > hi2.pyx")
		}
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n", "hi2.py": "y = 1\n", "test_hi.py": c.tests + testHi})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
		p.script.Replies = []nebula.Reply{reply("", first), reply("", run), reply(say), reply(say), reply(say), reply(say)}
		end := last(t, p.say("set x to 2 in hi.py", nil))
		if asked := len(p.script.Prompts()); asked != c.requests || end.Status != c.want {
			t.Errorf("%q: %d requests, ended %s: %s", say, asked, end.Status, end.Text)
		}
	}
}

// Whoever is asked for evidence and answers without having done anything is not asked again in the same words, in no language; whoever tried is.
func TestEvidenceIsAskedForOnceUntilSomethingIsDone(t *testing.T) {
	act := func(tool, args string) nebula.Intent {
		return nebula.Intent{Actions: []nebula.Action{{Tool: tool, Args: []byte(args), Reason: "asked"}}}
	}
	for _, l := range languages() {
		for name, c := range map[string]struct {
			between  []nebula.Intent
			requests int
		}{
			"nothing":   {nil, 4},
			"a look":    {[]nebula.Intent{act("readFile", `{"path":"hi.py"}`)}, 5},
			"a try":     {[]nebula.Intent{act("executeShell", `{"command":"echo x"}`)}, 6},
			"two tries": {[]nebula.Intent{act("executeShell", `{"command":"echo x"}`), act("executeShell", `{"command":"echo y"}`)}, 7},
		} {
			p := newProject(t, l, map[string]string{"hi.py": "x = 1\n", "test_hi.py": testHi},
				act("readFile", `{"path":"hi.py"}`), act("editFile", `{"path":"hi.py","new_content":"x = 2\n"}`))
			p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
			p.script.Replies = append(p.script.Replies, words("x is 2 in hi.py now."))
			for _, in := range c.between {
				p.script.Replies = append(p.script.Replies, l.write(in, p.tools))
			}
			for range 4 {
				p.script.Replies = append(p.script.Replies, words("x is 2 in hi.py now."))
			}
			if end := last(t, p.say("set x to 2 in hi.py", nil)); len(p.script.Prompts()) != c.requests || end.Status != nebula.TurnUnchecked {
				t.Errorf("%s, %s: %d requests, ended %s: %s", l.Name(), name, len(p.script.Prompts()), end.Status, end.Text)
			}
		}
	}
}

// What no test can see is not asked about, nor is a script that is taken away; what builds or tests read is.
func TestWhatNoTestSeesIsNotAskedAbout(t *testing.T) {
	patch := func(file, old, now string) nebula.Call {
		return call("1", "patchFile", "path", file, "edits", `[{"old":"`+old+`","new":"`+now+`"}]`)
	}
	run := func(line string) nebula.Call { return call("2", "executeShell", "command", line) }
	for name, c := range map[string]struct {
		does     []nebula.Call
		requests int
		want     nebula.EndStatus
	}{
		"json":                   {[]nebula.Call{patch("a.json", "1", "2")}, 2, nebula.TurnDone},
		"yaml":                   {[]nebula.Call{patch("a.yaml", "1", "2")}, 2, nebula.TurnDone},
		"a comment":              {[]nebula.Call{patch("hi.py", "# one", "# won")}, 2, nebula.TurnDone},
		"a docstring":            {[]nebula.Call{patch("hi.py", "Says.", "Tells.")}, 2, nebula.TurnDone},
		"toml":                   {[]nebula.Call{patch("a.toml", "1", "2")}, 2, nebula.TurnDone},
		"ini":                    {[]nebula.Call{patch("a.ini", "1", "2")}, 2, nebula.TurnDone},
		"an image":               {[]nebula.Call{patch("Dockerfile", "3.11", "3.12")}, 2, nebula.TurnDone},
		"docs":                   {[]nebula.Call{patch("docs/a.md", "1", "2")}, 2, nebula.TurnDone},
		"what builds read":       {[]nebula.Call{patch("pyproject.toml", "1", "2")}, 3, nebula.TurnUnchecked},
		"what tests read":        {[]nebula.Call{patch("tests/a.json", "1", "2")}, 3, nebula.TurnUnchecked},
		"a script is deleted":    {[]nebula.Call{run("rm run.sh")}, 2, nebula.TurnDone},
		"code":                   {[]nebula.Call{patch("hi.py", "x = 1", "x = 2")}, 3, nebula.TurnUnchecked},
		"code, and a comment":    {[]nebula.Call{patch("hi.py", "x = 1", "x = 2"), patch("hi.py", "# one", "# won")}, 3, nebula.TurnUnchecked},
		"code, and data":         {[]nebula.Call{patch("hi.py", "x = 1", "x = 2"), patch("a.json", "1", "2")}, 3, nebula.TurnUnchecked},
		"code, a script deleted": {[]nebula.Call{patch("hi.py", "x = 1", "x = 2"), run("rm run.sh")}, 3, nebula.TurnUnchecked},
		"code is deleted":        {[]nebula.Call{run("rm hi.py")}, 3, nebula.TurnUnchecked},
	} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "\"\"\"Says.\"\"\"\n# one\nx = 1\n", "a.json": "[1]\n", "a.yaml": "a: 1\n", "a.toml": "a = 1\n", "a.ini": "a=1\n", "Dockerfile": "FROM python:3.11\n", "docs/a.md": "1\n", "pyproject.toml": "[a]\nb = 1\n", "tests/a.json": "[1]\n", "run.sh": "true\n", "test_hi.py": testHi})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
		p.script.Replies = []nebula.Reply{reply("", c.does...), reply("It is so."), reply("It is so."), reply("It is so.")}
		if end := last(t, p.say("go", nil)); len(p.script.Prompts()) != c.requests || end.Status != c.want {
			t.Errorf("%s: %d requests, ended %s: %s", name, len(p.script.Prompts()), end.Status, end.Text)
		}
	}
}

// Who was asked to run the tests, and for nothing else, is done with what they say, also that they fail.
func TestAFailingRunAnswersWhoAskedForOne(t *testing.T) {
	red := reply("", call("1", "executeShell", "command", "python3 -m unittest"))
	for _, c := range []struct {
		asks, say string
		changed   bool
		done      bool
	}{
		{"Run the tests", "Result: 1 failed, 0 passed.", false, true},
		{"Please run all the tests and tell me the result.", "1 failed. `add` was written with a minus.", false, true},
		{"テストを実行してください", "1 件失敗しました。add が引き算になっています。", false, true},
		{"Run the tests", "Done.", false, false},
		{"Run the tests", "3 failed.", false, false},
		{"Run the tests", "All tests pass, there are no failures.", false, false},
		{"Run the tests and fix what fails", "1 failed. `add` was written with a minus.", false, false},
		{"Run the tests until they pass", "Result: 1 failed, 0 passed.", false, false},
		{"テストを実行して直してください", "1 件失敗しました。", false, false},
		{"Run the tests", "Result: 1 failed, 0 passed.", true, false},
	} {
		replies := []nebula.Reply{red, reply(c.say), reply(c.say), reply(c.say)}
		if c.changed {
			replies = append([]nebula.Reply{reply("", call("0", "patchFile", "path", "hi.py", "old", "x = 1", "new", "x = 2"))}, replies...)
		}
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n", "test_hi.py": "import unittest\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.fail()\n"})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
		p.script.Replies = replies
		if end := last(t, p.say(c.asks, nil)); (end.Status == nebula.TurnDone) != c.done {
			t.Errorf("%s: %q ended %s: %s", c.asks, c.say, end.Status, end.Text)
		}
	}
}

// A file that was ordered to go and is gone needs no run of tests where none was asked for.
func TestWhatWasToGoAndIsGoneIsDone(t *testing.T) {
	for _, c := range []struct {
		asks, say string
		more      []nebula.Call
		done      bool
	}{
		{"Delete util.py", "Deleted util.py.", nil, true},
		{"util.py を削除して", "util.py を削除しました。", nil, true},
		{"Delete util.py", "Deleted util.py. I ran no tests.", nil, true},
		{"Delete util.py", "Deleted util.py. No tests were run, since nothing imports it.", nil, true},
		{"Delete util.py", "util.py is deleted. Unverified: no tests were run.", nil, true},
		{"util.py を削除して", "util.py を削除しました。テストは実行していません。", nil, true},
		{"Delete util.py and run the tests", "Deleted util.py. I ran no tests.", nil, false},
		{"Delete util.py and run the tests", "Deleted util.py.", nil, false},
		{"Delete util.py", "Deleted util.py; the tests pass.", nil, false},
		{"Clean up", "Deleted util.py.", nil, false},
		{"Delete util.py and change hi.py", "Deleted util.py, changed hi.py.", []nebula.Call{call("2", "patchFile", "path", "hi.py", "old", "x = 1", "new", "x = 2")}, false},
	} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n", "util.py": "y = 1\n", "test_hi.py": testHi})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
		p.setup.Stale = func(refs []nebula.FileRef) []nebula.FileRef {
			if refs[0].Hash = ""; p.exists(refs[0].Path) {
				refs[0].Hash = "1"
			}
			return refs
		}
		p.script.Replies = []nebula.Reply{reply("", append(c.more, call("1", "deleteFile", "path", "util.py"))...), reply(c.say), reply(c.say), reply(c.say), reply(c.say)}
		if end := last(t, p.say(c.asks, nil)); (end.Status == nebula.TurnDone) != c.done {
			t.Errorf("%s: %q ended %s: %s", c.asks, c.say, end.Status, end.Text)
		}
	}
}
