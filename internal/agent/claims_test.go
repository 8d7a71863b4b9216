package agent_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// Who says that something is done with nothing done is told so once; the person reads it, too, when it stays at that.
func TestWorkThatIsOnlyToldOfIsNotDone(t *testing.T) {
	write := reply("", call("1", "writeFile", "path", "a.md", "content", "x\n"))
	read := reply("", call("2", "readFile", "path", "hi.py"))
	for name, c := range map[string]struct {
		replies []nebula.Reply
		asked   int
		warned  bool
		request string // "change hi.py" where it is none
	}{
		"in other words":             {[]nebula.Reply{read, reply("The sign in hi.py is the right one from here on."), reply("Yes.")}, 3, true, ""},
		"a name alone":               {[]nebula.Reply{reply("✅ hi.py"), reply("✅ hi.py")}, 2, true, ""},
		"everything works":           {[]nebula.Reply{reply("Great news: everything works!"), reply("It does.")}, 2, true, "Fix `add` please. It must add."},
		"asked in Japanese":          {[]nebula.Reply{reply("hi.py はこれで正しく動きます。"), reply("はい、動きます。")}, 2, true, "hi.py の名前を直してください"},
		"with why not":               {[]nebula.Reply{read, reply("There is no name in hi.py that could be changed.")}, 2, false, ""},
		"with a question":            {[]nebula.Reply{read, reply("To which name?")}, 2, false, ""},
		"an answer to a question":    {[]nebula.Reply{read, reply("It is the right one from here on.")}, 2, false, "What would you change in hi.py?"},
		"nothing that is in a file":  {[]nebula.Reply{reply("Roses are red, and that is a poem.")}, 1, false, "write a poem"},
		"said twice":                 {[]nebula.Reply{reply("I have fixed hi.py and all tests pass."), reply("I fixed it.")}, 2, true, ""},
		"said shortly":               {[]nebula.Reply{reply("I have applied the change."), reply("Done.")}, 2, true, ""},
		"of a thing":                 {[]nebula.Reply{read, reply("The name in hi.py is now y."), reply("Done.")}, 3, true, ""},
		"without a subject":          {[]nebula.Reply{reply("Changed hi.py as you wished."), reply("Done.")}, 2, true, ""},
		"it was done":                {[]nebula.Reply{reply("hi.py has been updated."), reply("Done.")}, 2, true, ""},
		"and tested":                 {[]nebula.Reply{read, reply("hi.py を編集し、テストも通りました。"), reply("はい。")}, 3, true, ""},
		"announced":                  {[]nebula.Reply{reply("I will now fix the bug."), reply("It was not fixed.")}, 2, true, ""},
		"a look announced":           {[]nebula.Reply{reply("Let me look at hi.py first."), reply("I did not.")}, 2, true, ""},
		"a look to begin":            {[]nebula.Reply{reply("Sure! I'll start by reading hi.py."), reply("I did not.")}, 2, true, ""},
		"a look in Japanese":         {[]nebula.Reply{reply("まず hi.py を読みます。"), reply("読んでいません。")}, 2, true, ""},
		"fixed":                      {[]nebula.Reply{reply("Fixed."), reply("Nothing was to be fixed.")}, 2, true, ""},
		"deleted":                    {[]nebula.Reply{reply("Deleted."), reply("I did not.")}, 2, true, "delete the old one"},
		"a file deleted":             {[]nebula.Reply{reply("File deleted. Tests pass."), reply("I did not.")}, 2, true, "get rid of the old one"},
		"deleted behind a look":      {[]nebula.Reply{read, reply("Deleted."), reply("I did not.")}, 3, true, "delete the old one"},
		"deleted in Japanese":        {[]nebula.Reply{reply("削除しました。"), reply("していません。")}, 2, true, "古いものを消して"},
		"fixed behind a look":        {[]nebula.Reply{read, reply("Fixed."), reply("I did not.")}, 3, true, ""},
		"barely":                     {[]nebula.Reply{reply("Done."), reply("Done.")}, 2, true, ""},
		"barely, with a number":      {[]nebula.Reply{reply("Done! (2)"), reply("Done! 🎉 ... (3)")}, 2, true, ""},
		"barely, in bold":            {[]nebula.Reply{reply("✅ **All done!**"), reply("I did not.")}, 2, true, ""},
		"barely in Japanese":         {[]nebula.Reply{reply("完了しました。"), reply("完了しました。")}, 2, true, ""},
		"barely, then done":          {[]nebula.Reply{reply("Done."), write, reply("Done.")}, 3, false, ""},
		"barely, when asked to look": {[]nebula.Reply{read, reply("Done.")}, 2, false, "look at hi.py"},
		"barely an answer":           {[]nebula.Reply{reply("Done is what hi.py prints. 完了しましたと書かれています。")}, 1, false, "look at hi.py"},
		"at its end":                 {[]nebula.Reply{reply("Task completed successfully."), reply("I did not.")}, 2, true, ""},
		"kept in a file":             {[]nebula.Reply{reply("Changes saved to hi.py."), reply("I did not.")}, 2, true, ""},
		"mended in Japanese":         {[]nebula.Reply{reply("hi.py の名前を直しておきました。"), reply("していません。")}, 2, true, ""},
		"dealt with in Japanese":     {[]nebula.Reply{reply("対応済みです。"), reply("していません。")}, 2, true, ""},
		"being made":                 {[]nebula.Reply{read, reply("Creating new.py ..."), reply("I did not.")}, 3, true, "area must multiply"},
		"being run":                  {[]nebula.Reply{read, reply("Running `touch new.txt`…"), reply("I did not.")}, 3, true, "area must multiply"},
		"have run":                   {[]nebula.Reply{read, reply("I have run `touch new.txt`."), reply("I did not.")}, 3, true, "area must multiply"},
		"a form that is run":         {[]nebula.Reply{read, reply("Creating new.py takes `touch new.py`.")}, 2, false, "look at hi.py"},
		"how it is run":              {[]nebula.Reply{read, reply("Have it run by `touch new.txt`.")}, 2, false, "look at hi.py"},
		"let me know":                {[]nebula.Reply{reply("It holds x. Let me know if more is wanted.")}, 1, false, "look at hi.py"},
		"what code does":             {[]nebula.Reply{reply("hi.py は名前を確認します。")}, 1, false, "look at hi.py"},
		"in Japanese":                {[]nebula.Reply{reply("hi.py を修正しました。"), reply("修正していません。")}, 2, true, ""},
		"behind a look":              {[]nebula.Reply{read, reply("I've updated hi.py."), reply("I could not.")}, 3, true, ""},
		"done when told":             {[]nebula.Reply{reply("I'll create a.md."), write, reply("I created a.md.")}, 3, false, ""},
		"done":                       {[]nebula.Reply{write, reply("I created a.md.")}, 2, false, ""},
		"an answer":                  {[]nebula.Reply{reply("It would have to be fixed in hi.py: whoever updated it forgot the sign.")}, 1, false, ""},
		"an answer in words":         {[]nebula.Reply{reply("Run the tests with `go test`; the file was created by make.")}, 1, false, "look at hi.py"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n"})
			p.setup.Approve = gate.All
			p.script.Replies = c.replies
			events := p.say(cmp.Or(c.request, "change hi.py"), nil)
			warned := false
			for _, e := range events {
				if n, ok := e.Body.(nebula.Noted); ok {
					warned = warned || strings.Contains(n.Text, "nothing was changed")
				}
			}
			end, again, want := last(t, events), c.replies[len(c.replies)-1].Text(), nebula.TurnDone
			if c.warned {
				want = nebula.TurnUnchecked
				if slices.Contains([]string{"I fixed it.", "Done.", "Done! 🎉 ... (3)", "完了しました。"}, again) {
					want = nebula.TurnFailed // said again, with nothing new
				}
			}
			if end.Status != want || (end.Cause == nebula.NotChecked) != c.warned || len(p.script.Prompts()) != c.asked || warned != c.warned {
				t.Errorf("ended %s after %d requests, warned %t", end.Status, len(p.script.Prompts()), warned)
			}
		})
	}
}

// Who says that what was wanted is done, whatever the words of the request, is told once that nothing was changed; said again, the turn has failed.
func TestDoneIsNoneWhereNothingWasChanged(t *testing.T) {
	for _, c := range []struct {
		request, say string
		fails        bool
	}{
		{"use * in area", "Done.", true},
		{"multiply in area", "Done.", true},
		{"area を掛け算にして", "完了しました。", true},
		{"area を掛け算にして", "area を掛け算に直しました。", true},
		{"bug: area adds", "Fixed.", true},
		{"I want area to multiply", "Done.", true},
		{"area must multiply", "The change is in hi.py.", true},
		{"use * in area", "Done: hi.py line 2 is `return w * h`.", true},
		{"use * in area", "Done, area multiplies now.", true},
		{"multiply in area", "area now multiplies w and h.", true},
		{"multiply in area", "It already does; nothing is to be changed.", false},
		{"area を掛け算にして", "すでに掛け算になっています。", false},
		{"bug: area adds", "Which of the two do you mean?", false},
		{"why does area add?", "It is done so in hi.py: the sign is now +.", false},
		{"explain area", "Done: it adds, and its sign is +.", false},
		{"hello", "Done: hello to you.", false},
		{"thanks", "All done.", false},
		{"hi.py を読んで", "x は 1 です。", false},
		{"area multiplies, I think", "It adds: its sign is +.", false},
	} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n"})
		p.setup.Approve = gate.All
		p.script.Replies = []nebula.Reply{reply("", call("1", "readFile", "path", "hi.py")), reply(c.say), reply(c.say)}
		end, asked := last(t, p.say(c.request, nil)), 2
		if c.fails {
			asked = 3
		}
		if (end.Status == nebula.TurnFailed) != c.fails || (end.Status == nebula.TurnDone) == c.fails || len(p.script.Prompts()) != asked {
			t.Errorf("%s: %s: ended %s after %d requests", c.request, c.say, end.Status, len(p.script.Prompts()))
		}
	}
}

// What is said of things in an answer to a question is no word of work.
func TestAnAnswerToAQuestionTellsOfThingsAsTheyAre(t *testing.T) {
	for _, asked := range []string{"Is x set in hi.py?", "hi.py で x は設定されていますか"} {
		for _, said := range []string{"It is now: x has been changed to 1 by the last commit. 設定は変更済みです。", "Done.", "Fixed.", "完了です。"} {
			p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n"})
			p.script.Replies = []nebula.Reply{reply(said)}
			if p.say(asked, nil); len(p.script.Prompts()) != 1 {
				t.Errorf("%s: asked again for %s", asked, said)
			}
		}
	}
}

// A bare word is one of its own turn, whatever the session did before; who says more may mean that.
func TestABareWordIsNoneOfWhatWasDoneBefore(t *testing.T) {
	for said, asked := range map[string]int{"Done.": 2, "修正しました。": 2, "I have changed a.md, as you can see.": 1} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n"})
		p.setup.Approve = gate.All
		p.script.Replies = []nebula.Reply{reply("", call("1", "writeFile", "path", "a.md", "content", "x\n")), reply("Done."), reply(said), reply("I did not.")}
		p.say("write a.md", nil)
		before := len(p.script.Prompts())
		if p.say("change hi.py", nil); before != 2 || len(p.script.Prompts())-before != asked {
			t.Errorf("%s: %d requests, then %d", said, before, len(p.script.Prompts())-before)
		}
	}
}

// What an answer says that its turn does not show is told to the person, and stands in how the turn ended.
func TestWhatATurnDoesNotShowIsTold(t *testing.T) {
	check := reply("", call("1", "executeShell", "command", "make check"))
	fit := reply("", call("1", "patchFile", "path", "test_hi.py", "old", "(1, 2)", "new", "(1, 1)"), call("2", "executeShell", "command", "python3 -m unittest"))
	for name, c := range map[string]struct {
		replies []nebula.Reply
		want    string
	}{
		"a test program that never ran": {[]nebula.Reply{check, reply("I ran pytest and all 12 tests pass.")}, "never_ran: pytest"},
		"in Japanese":                   {[]nebula.Reply{check, reply("go test は通りました。")}, "never_ran: go test"},
		"one that ran":                  {[]nebula.Reply{reply("", call("1", "executeShell", "command", "make pytest")), reply("I ran pytest and all 12 tests pass.")}, ""},
		"one that did not":              {[]nebula.Reply{check, reply("I could not run pytest: it is not there. mypy was not run.")}, ""},
		"one to run":                    {[]nebula.Reply{check, reply("Run pytest to see it.")}, ""},
		"a result that is none":         {[]nebula.Reply{check, reply("<tool_response>{\"result\":\"1 passed\"}</tool_response> It is right.")}, `invented_result: <tool_response>{"result":"1 passed"}</tool_response> It is right.`},
		"an observation":                {[]nebula.Reply{check, reply("Observation: 3 passed\nIt is right.")}, "invented_result: Observation: 3 passed"},
		"nothing":                       {[]nebula.Reply{reply("Fixed."), reply("Fixed.")}, "nothing_done"},
		"what a test expects":           {[]nebula.Reply{fit, reply("Fixed. The tests pass.")}, "made_to_fit: test_hi.py"},
		"and is told of":                {[]nebula.Reply{fit, reply("The test expected 2, which was wrong; I changed the test. The tests pass.")}, ""},
	} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n", "Makefile": "check pytest:\n\ttrue\n", "test_hi.py": testHi})
		p.setup.Approve = gate.All
		p.script.Replies = c.replies
		events := p.say("look at hi.py", nil)
		warned := 0
		for _, e := range events {
			if n, ok := e.Body.(nebula.Noted); ok && n.Level == "warning" {
				warned++
			}
		}
		plain := c.want == "" || strings.HasPrefix(c.want, "made_to_fit")
		if end := last(t, events); strings.Join(end.Unfounded, "|") != c.want || (warned > 0) != (c.want != "") || (end.Status == nebula.TurnDone) != plain {
			t.Errorf("%s: %q, %d warnings, ended %s", name, end.Unfounded, warned, end.Status)
		} else if strings.Contains(end.Text, "expects was changed in this turn") != strings.HasPrefix(c.want, "made_to_fit") {
			t.Errorf("%s: ended with %q", name, end.Text)
		}
	}
}

// What an answer tells of a run that was none is named also where its turn ends as not checked for an edit.
func TestARunThatWasNoneIsNamedBesideAnEdit(t *testing.T) {
	edit := reply("", call("1", "patchFile", "path", "hi.py", "old", "x = 1", "new", "x = 2"))
	for say, want := range map[string]string{
		"Changed hi.py; verified with pytest.": "never_ran: pytest",
		"hi.py を変え、42件成功しました。":                 "never_ran: 42件成功し",
		"added test_add; 2 passed":             "not_shown: 2 passed",
		"x is 2 in hi.py.":                     "",
		"Run pytest to verify it.":             "",
		"2 件の値を変えました。":                         "",
		"I have not run pytest: 0 passed.":     "",
	} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n", "test_hi.py": testHi})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
		p.script.Replies = []nebula.Reply{edit, reply(say), reply(say), reply(say), reply(say)}
		if end := last(t, p.say("change hi.py", nil)); end.Status == nebula.TurnDone || strings.Join(end.Unfounded, "|") != want {
			t.Errorf("%s: ended %s, %q: %s", say, end.Status, end.Unfounded, end.Text)
		}
	}
}

// Who says that tests pass behind a command that counted none is asked for some; said again, the work ends as not checked. So does work that a
// command did, said to be done.
func TestDoneThatNothingShowsEndsAsNotChecked(t *testing.T) {
	edit := call("1", "writeFile", "path", "a.go", "content", "package a\n")
	build := call("2", "executeShell", "command", "true go build; make build")
	for name, c := range map[string]struct {
		replies []nebula.Reply
		want    nebula.EndCause
		asked   int
	}{
		"tests, behind a build":    {[]nebula.Reply{reply("", edit, build), reply("Fixed, all tests pass."), reply("All tests pass.")}, nebula.NotChecked, 3},
		"taken back":               {[]nebula.Reply{reply("", edit, build), reply("Fixed, all tests pass."), reply("It is fixed, and it builds.")}, "", 3},
		"said of the build alone":  {[]nebula.Reply{reply("", edit, build), reply("It is fixed, and it builds.")}, "", 2},
		"work of a command":        {[]nebula.Reply{reply("", call("1", "executeShell", "command", "printf 'package a' > a.go")), reply("Done."), reply("Done.")}, nebula.NotChecked, 3},
		"work of a command, built": {[]nebula.Reply{reply("", call("1", "executeShell", "command", "printf 'package a' > a.go && make build")), reply("Done.")}, "", 2},
		"what a build wrote":       {[]nebula.Reply{reply("", call("1", "executeShell", "command", "make build")), reply("Done.")}, "", 2},
	} {
		p := newProject(t, languages()[0], map[string]string{"go.mod": "module a\n", "a_test.go": "package a\n", "Makefile": "build:\n\techo x > made.go\n"})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
		p.script.Replies = c.replies
		if end := last(t, p.say("change a.go", nil)); end.Cause != c.want || (end.Status == nebula.TurnDone) != (c.want == "") || len(p.script.Prompts()) != c.asked {
			t.Errorf("%s: ended %s %s after %d requests: %s", name, end.Status, end.Cause, len(p.script.Prompts()), end.Text)
		}
	}
	none := newProject(t, languages()[0], map[string]string{"check_a.py": "x = 1\n", "pytest": "#!/bin/sh\necho no tests ran in 0.00s\n"})
	none.setup.Approve, none.setup.Checkable = gate.All, func() bool { return false }
	said := reply("All tests pass.")
	none.script.Replies = []nebula.Reply{reply("", call("1", "writeFile", "path", "a.py", "content", "x = 2\n"), call("2", "executeShell", "command", "sh pytest; PATH=. pytest -q; true")), said, said, said}
	if end := last(t, none.say("change a.py", nil)); end.Cause != nebula.NotChecked {
		t.Errorf("after a run without a test it ended %s %s", end.Status, end.Cause)
	}
	p := newProject(t, languages()[0], map[string]string{"go.mod": "module a\n", "a_test.go": "package a\n"})
	p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
	p.script.Replies = []nebula.Reply{reply("", edit), reply("Done."), reply("Done."), reply("Done."), reply("Done."), reply("It holds a package.")}
	p.say("change a.go", nil)
	if end := last(t, p.say("go on", nil)); end.Cause != nebula.NotChecked {
		t.Errorf("said again in the next turn it ended %s %s", end.Status, end.Cause)
	}
	if end := last(t, p.say("what is in a.go?", nil)); end.Status != nebula.TurnDone {
		t.Errorf("an answer to another question ended %s %s", end.Status, end.Cause)
	}
}

// Whoever says that the whole suite passes behind one of its files is told once what ran; said again, the work ends as not checked.
func TestTheWholeSuiteIsNotOneOfItsFiles(t *testing.T) {
	edit := call("1", "writeFile", "path", "hi.py", "content", "x = 2\n")
	passes := strings.ReplaceAll(testHi, "(1, 2)", "(1, 1)")
	for tool, line := range map[string]string{"runTests": "python3 -m unittest test_hi.T.test_one", "executeShell": "python3 test_hi.py"} {
		for name, c := range map[string]struct {
			replies []nebula.Reply
			want    nebula.EndCause
			asked   int
		}{
			"said twice":       {[]nebula.Reply{reply("Fixed; the whole suite passes."), reply("The whole suite passes.")}, nebula.NotChecked, 3},
			"said as it is":    {[]nebula.Reply{reply("Fixed; the whole suite passes."), reply("test_hi passes; the others did not run.")}, "", 3},
			"said of the one":  {[]nebula.Reply{reply("Fixed; test_one passes.")}, "", 2},
			"all of them then": {[]nebula.Reply{reply("Fixed; the test suite passes."), reply("", call("3", "runTests", "command", "python3 -m unittest")), reply("The test suite passes.")}, "", 4},
		} {
			p := newProject(t, languages()[0], map[string]string{"test_hi.py": passes + "\n\nif __name__ == '__main__':\n    unittest.main()\n", "test_two.py": passes})
			p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return true }
			p.script.Replies = append([]nebula.Reply{reply("", edit, call("2", tool, "command", line))}, c.replies...)
			if end := last(t, p.say("change hi.py", nil)); end.Cause != c.want || (end.Status == nebula.TurnDone) != (c.want == "") || len(p.script.Prompts()) != c.asked {
				t.Errorf("%s, %s: ended %s %s after %d requests: %s", tool, name, end.Status, end.Cause, len(p.script.Prompts()), end.Text)
			}
		}
	}
}

// An agent that works a plan's step is not asked for what the step's own check brings: it is asked where tests failed.
func TestAStepIsNotAskedForWhatItsCheckBrings(t *testing.T) {
	edit := call("1", "writeFile", "path", "a.go", "content", "package a\n")
	build := call("2", "executeShell", "command", "true go build; make build")
	fails := call("2", "executeShell", "command", "python3 -m unittest")
	for name, c := range map[string]struct {
		replies []nebula.Reply
		asked   int
		end     nebula.EndStatus
	}{
		"tests, behind a build": {[]nebula.Reply{reply("", edit, build), reply("Fixed, all tests pass.")}, 2, nebula.TurnDone},
		"nothing ran":           {[]nebula.Reply{reply("", edit), reply("Fixed, all tests pass.")}, 2, nebula.TurnDone},
		"tests that failed":     {[]nebula.Reply{reply("", edit, fails), reply("Fixed."), reply("Fixed.")}, 3, nebula.TurnFailed},
	} {
		p := newProject(t, languages()[0], map[string]string{"go.mod": "module a\n", "test_hi.py": testHi, "Makefile": "build:\n\techo x > made.go\n"})
		p.setup.Approve, p.setup.Prefix, p.setup.Checkable = gate.All, nebula.StepPrefix, func() bool { return false }
		p.script.Replies = c.replies
		if end := last(t, p.say("change a.go", nil)); end.Status != c.end || len(p.script.Prompts()) != c.asked {
			t.Errorf("%s: ended %s %s after %d requests: %s", name, end.Status, end.Cause, len(p.script.Prompts()), end.Text)
		}
	}
}

// testHi is a test that fails.
const testHi = "import unittest\n\nclass T(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(1, 2)\n"

// A file of tests that a command takes away is one that went: the tests that pass without it are not said to pass in silence.
func TestTestsThatACommandTookAwayAreToldOf(t *testing.T) {
	for name, c := range map[string]struct {
		command, say string
		asked        bool
	}{
		"one of two": {"rm test_hi.py && python3 -m unittest", "Fixed. All tests pass.", true},
		"the only":   {"rm test_*.py; python3 -m unittest || true", "Fixed. All tests pass.", true},
		"is told of": {"rm test_hi.py && python3 -m unittest", "I removed test_hi.py, a test of what is gone. The others pass.", false},
		"a cache":    {"rm -rf __pycache__ && rm test_hi.txt && python3 -m unittest test_two", "Fixed. The tests of test_two pass.", false},
	} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n", "test_hi.py": testHi, "test_hi.txt": "", "test_two.py": strings.ReplaceAll(testHi, "(1, 2)", "(1, 1)")})
		p.setup.Approve = gate.All
		p.script.Replies = []nebula.Reply{reply("", call("1", "executeShell", "command", c.command)), reply(c.say), reply("Unverified: so."), reply("Unverified: so.")}
		p.say("look at hi.py", nil)
		if asked := len(p.script.Prompts()) > 2; asked != c.asked {
			t.Errorf("%s: %d requests", name, len(p.script.Prompts()))
		}
	}
}

// A question about tests that fail is answered by what fails: nobody is asked to have them pass. Whoever was to mend them, or says that they
// pass, is.
func TestAQuestionAboutFailingTestsIsAnswered(t *testing.T) {
	run := call("1", "executeShell", "command", "python3 -m unittest")
	const because = "test_one compares 1 with 2, which nothing could ever make equal; the expected value should be 1."
	for asks, c := range map[string]struct {
		say      string
		requests int
	}{
		"why does test_hi.py fail?":             {because, 2},
		"Explain why the tests fail":            {because, 2},
		"test_hi.pyのテストはなぜ失敗するのですか":             {"test_oneは1と2を比べていて、等しくなることはありません。", 2},
		"The tests are red. What is the cause?": {because, 2},
		"why do the tests fail? Fix hi.py":      {because, 3},
		"can you fix the failing test?":         {because, 3},
		"do the tests pass?":                    {"All tests pass.", 3},
		"why does test_hi.py fail? ":            {"Done.", 3},
		"why is it red?":                        {"I fixed it.", 3},

		"why does test_one fail?":                 {"It compares 1 with 2. Replace the 2 by 1 and both tests pass.", 2},
		"analyse the failing test, do not fix it": {"It compares 1 with 2. I changed nothing.", 2},
		"debug this": {"It compares 1 with 2; not changed yet; shall I?", 2},
		"what would it take to make test_one pass?":                   {"Replace 2 by 1 in test_one.", 2},
		"how do I make test_one pass?":                                {"If you replace 2 by 1, all tests pass.", 2},
		"write down in NOTES.md why test_one fails":                   {"I have written to NOTES.md why it fails.", 2},
		"test_one が落ちる理由を NOTES.md に書いて":                              {"NOTES.md に理由を追記しました。", 2},
		"write down in NOTES.md why it is red":                        {"Done.", 2},
		"analyse the failing test":                                    {"I fixed it.", 3},
		"debug this!":                                                 {"All tests pass now.", 3},
		"write down in NOTES.md why test_one fails, and fix it":       {"I wrote NOTES.md.", 3},
		"write down in NOTES.md why test_one is red":                  {"I have written NOTES.md. I fixed test_one.", 3},
		"what would it take to make test_one pass? Then make it pass": {"Replace 2 by 1.", 3},

		"why red? 1":  {"If you change it to 1, all tests pass.", 2},
		"why red? 2":  {"1 に直せば全テストが通ります。", 2},
		"why red? 3":  {"直すとテストが通ります。", 2},
		"why red? 4":  {"It compares 1 with 2. Edit test_hi.py, run pytest: the tests should pass.", 2},
		"why red? 5":  {"Write 1. To check: run pytest; 2 tests should pass.", 2},
		"why red? 6":  {"Edit test_hi.py, run pytest: 2 passed", 2},
		"why red? 7":  {"I would fix 1 first; after that all tests pass.", 2},
		"why red? 8":  {"Edited test_hi.py, ran pytest: all tests pass.", 3},
		"why red? 9":  {"直したのでテストが通ります。", 3},
		"why red? 10": {"Replaced 2 by 1, and all tests pass.", 3},
		"why red? 11": {"修正すると、テストが通りました。", 3},
		"why red? 12": {"It would have failed. All tests pass.", 3},
	} {
		p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n", "test_hi.py": testHi})
		p.setup.Approve = gate.All
		p.script.Replies = []nebula.Reply{reply("", run), reply(c.say), reply(c.say), reply(c.say), reply(c.say)}
		if strings.Contains(asks, "NOTES") {
			p.script.Replies[0] = reply("", run, call("2", "writeFile", "path", "NOTES.md", "content", "It compares 1 with 2.\n"))
		}
		end := last(t, p.say(asks, nil))
		if asked := len(p.script.Prompts()); asked != c.requests || (end.Status == nebula.TurnDone) != (c.requests == 2) {
			t.Errorf("%s: %d requests, ended %s", asks, asked, end.Status)
		}
	}
}
