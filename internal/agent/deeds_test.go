package agent_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// What an answer says was done and the record does not show is asked about once; said again, the turn ends as not checked.
func TestWhatIsClaimedAndNotDoneEndsAsNotChecked(t *testing.T) {
	edit := reply("", call("1", "patchFile", "path", "a.py", "old", "a = 1", "new", "a = 2"), call("2", "executeShell", "command", "python3 -m unittest"))
	write := reply("", call("3", "writeFile", "path", "tests/b.py", "content", "b = 2\n"))
	made := reply("", call("1", "executeShell", "command", "mkdir -p tests && printf 'b = 1' > tests/b.md"))
	failed := reply("", call("1", "executeShell", "command", "false"))
	bare := reply("", call("1", "patchFile", "path", "a.py", "old", "a = 1", "new", "a = 2"))
	reasoned := reply("", call("1", "patchFile", "path", "a.py", "old", "a = 1", "new", "a = 2", "reason", "README.md says so"), call("2", "executeShell", "command", "python3 -m unittest", "reason", "then lint, commit and push"))
	bareTests := reply("", call("1", "patchFile", "path", "a.py", "old", "a = 1", "new", "a = 2"), call("2", "runTests"))
	for said, c := range map[string]struct {
		before []nebula.Reply
		guilty bool
	}{
		"All tests pass. Done.": {[]nebula.Reply{failed}, true},
		"Set a = 2 in a.py. Added tests/test_a.py. All tests pass.":                {[]nebula.Reply{bare}, true},
		"Set a = 2 in a.py. All tests pass.":                                       {[]nebula.Reply{bare}, true},
		"Fixed. Added tests/test_more.py. All tests pass.":                         {[]nebula.Reply{edit}, true},
		"Fixed a and updated README.md accordingly.":                               {[]nebula.Reply{edit}, true},
		"Fixed. I also ran the linter and the integration tests in Docker.":        {[]nebula.Reply{edit}, true},
		"Fixed.  Committed as abc1234 and pushed.":                                 {[]nebula.Reply{edit}, true},
		"tests/test_more.py を追加しました。":                                              {[]nebula.Reply{edit}, true},
		"完了しました。tests/test_a.py を追加し、全てのテストが通りました。":                                {nil, true},
		"The change is complete: a.py now has a = 2; ran pytest: 12 passed.":       {nil, true},
		"Everything works now, and I verified it by running the suite.":            {nil, true},
		"Committed and pushed.":                                                    {[]nebula.Reply{reasoned}, true},
		"The linter is clean.":                                                     {[]nebula.Reply{reasoned}, true},
		"Removed test_a.py.":                                                       {[]nebula.Reply{reasoned}, true},
		"I have updated README.md.":                                                {[]nebula.Reply{reasoned}, true},
		"Set a to 2. Committed and pushed.":                                        {[]nebula.Reply{bareTests}, true},
		"Set a to 2. The linter is clean.":                                         {[]nebula.Reply{bareTests}, true},
		"Set a to 2. I updated README.md.":                                         {[]nebula.Reply{bareTests}, true},
		"Set a to 2; the tests pass.":                                              {[]nebula.Reply{bareTests}, false},
		"I fixed a, and the tests pass.":                                           {[]nebula.Reply{bare}, true},
		"I fixed a, and I do not know whether the tests pass.":                     {[]nebula.Reply{edit}, false},
		"a.py holds 2. tests/test_a.py was added by the former author.":            {[]nebula.Reply{edit}, false},
		"a.py holds 2, and README.md already says so.":                             {[]nebula.Reply{edit}, false},
		"a.py holds 2. I did not add tests/x.py; you could add it.":                {[]nebula.Reply{edit}, false},
		"a.py holds 2. I updated a.py. Nothing was committed.":                     {[]nebula.Reply{edit}, false},
		"a は 2 です。テストは以前の担当者が追加しました。":                                              {[]nebula.Reply{edit}, false},
		"I created tests/b.py.":                                                    {[]nebula.Reply{edit, write}, false},
		"I created tests/b.md by a command.":                                       {[]nebula.Reply{made}, false},
		"tests/b.md を追加しました。":                                                      {[]nebula.Reply{made}, false},
		"The command failed: no test could be run. You could add tests/test_a.py.": {[]nebula.Reply{failed}, false},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.py": "a = 1\n", "README.md": "x\n", "test_a.py": strings.ReplaceAll(testHi, "(1, 2)", "(1, 1)")})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return false }
		p.setup.Stale = p.missing
		p.script.Replies = append(slices.Clone(c.before), reply(said), reply(said), reply(said), reply(said))
		end := last(t, p.say("set a to 2 in a.py and run the tests", nil))
		if asked := len(p.script.Prompts()) - len(c.before) - 1; (asked > 0) != c.guilty || (end.Cause == nebula.NotChecked) != c.guilty || (end.Status == nebula.TurnDone) == c.guilty || (len(end.Unfounded) > 0) != c.guilty {
			t.Errorf("%s: ended %s %s, asked %d times, %q", said, end.Status, end.Cause, asked, end.Unfounded)
		}
	}
}

// Whoever is asked about what nothing shows is told each of the claims; one who then says what was not done ends as done.
func TestEachClaimThatNothingShowsIsNamed(t *testing.T) {
	p := newProject(t, languages()[0], map[string]string{"a.py": "a = 1\n", "test_a.py": strings.ReplaceAll(testHi, "(1, 2)", "(1, 1)")})
	p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return false }
	p.script.Replies = []nebula.Reply{
		reply("", call("1", "patchFile", "path", "a.py", "old", "a = 1", "new", "a = 2"), call("2", "executeShell", "command", "python3 -m unittest")),
		reply("Set a to 2. Committed and pushed. The linter is clean."),
		reply("Set a to 2. I did not commit it, and no linter ran."),
	}
	end := last(t, p.say("set a to 2 in a.py and run the tests", nil))
	told := p.script.Prompts()[2].Messages
	if asked := told[len(told)-1].Text(); !strings.Contains(asked, "Committed and pushed") || !strings.Contains(asked, "The linter is clean") || strings.Contains(asked, "Set a") {
		t.Errorf("asked: %s", asked)
	}
	if end.Status != nebula.TurnDone || len(end.Unfounded) > 0 {
		t.Errorf("ended %s %q", end.Status, end.Unfounded)
	}
}

// What an answer to a question says was done is held against the record as well: where nothing was done, it ends as not checked. What was read for it may be repeated.
func TestAnAnswerAloneTellsOfNoWork(t *testing.T) {
	read := reply("", call("1", "readFile", "path", "NOTES.md"))
	tests := reply("", call("1", "runTests"))
	for said, c := range map[string]struct {
		asks   string
		before []nebula.Reply
		guilty bool
	}{
		"Pushed to main.":      {"How is the project doing?", nil, true},
		"12 passed, 0 failed.": {"How is the project doing?", nil, true},
		"テストは12件すべて成功しました。":                             {"How is the project doing?", nil, true},
		"已提交并推送到远程仓库。":                                  {"How is the project doing?", nil, true},
		"supprimé":                                      {"supprime a.py", nil, true},
		"Gelöscht.":                                     {"lösche a.py", nil, true},
		"已删除。":                                          {"删除 a.py", nil, true},
		"The suite is green.":                           {"do the tests pass?", nil, true},
		"a.py sets a. While at it I also removed a.py.": {"explain a.py", nil, true},
		"The file no longer exists.":                    {"remove a.py", nil, true},
		"All 12 tests pass.":                            {"set a to 2 in a.py and run the tests", []nebula.Reply{tests}, true},
		"Everything passes.":                            {"How is the project doing?", nil, true},
		"Green across the board.":                       {"set a to 2 in a.py and run the tests", nil, true},
		"すべて成功しました":                                     {"a.py のテストを実行してください", nil, true},
		"NOTES.md no longer exists.":                    {"remove NOTES.md", nil, true},
		"If everything passes, the notes call it done.": {"what do the notes say?", nil, false},
		"Released v1.2.":                                {"what do the notes say?", []nebula.Reply{read}, false},
		"a.py looks wrong; I changed nothing.":          {"is a.py right?", nil, false},
		"The notes say: \"all 12 tests pass, and merged\". I did not check that.": {"what do the notes say?", []nebula.Reply{read}, false},
		"It sets a to 1, which nothing reads.":                                    {"what does a.py do?", nil, false},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.py": "a = 1\n", "NOTES.md": "Released v1.2.\nall 12 tests pass, and merged\n"})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return false }
		p.setup.Stale = func(refs []nebula.FileRef) (now []nebula.FileRef) { return refs }
		p.script.Replies = append(slices.Clone(c.before), reply(said), reply(said), reply(said), reply(said))
		end := last(t, p.say(c.asks, nil))
		if (end.Status == nebula.TurnDone) == c.guilty || (len(end.Unfounded) > 0) != c.guilty {
			t.Errorf("%s: ended %s %s %q", said, end.Status, end.Cause, end.Unfounded)
		}
	}
}

// Who passes over that the last command that was to do something failed is asked once, and ends as one whose word nothing shows. Who says so
// is not, and neither is one whose look found nothing.
func TestACommandThatFailedIsToldOf(t *testing.T) {
	for _, c := range []struct {
		asks, command, say string
		guilty             bool
	}{
		{"make the release", "make release", "Done, the release is built.", true},
		{"build it", "false npm run build", "Build finished without errors.", true},
		{"migrate", "python3 nosuch.py", "Ran the migration, all rows converted.", true},
		{"does it compile?", "cc missing.c", "It compiles.", true},
		{"deploy", "false", "The deployment script ran.", true},
		{"deploy", "cd . && false && echo ok", "デプロイは問題なく終わりました。", true},
		{"make the release", "make release", "make release failed: there is no such rule.", false},
		{"make the release", "make release", "The release is not built; make ends with 2.", false},
		{"make the release", "make release", "リリースは失敗しました。", false},
		{"make the release", "make release; true", "Done, the release is made.", false},
		{"what does a.py print?", "python3 a.py --nosuch && false", "It prints the sum of its arguments.", false},
		{"is it free of foo?", "cat a.py | grep foo", "It holds just a.", false},
		{"look whether it starts", "timeout 0.1 sleep 5", "It starts.", false},
		{"see what is here", "ls nosuch", "There is a.py alone.", false},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.py": "a = 1\n", "Makefile": "x:\n"})
		p.setup.Approve, p.setup.Checkable = gate.All, func() bool { return false }
		p.script.Replies = []nebula.Reply{reply("", call("1", "executeShell", "command", c.command)), reply(c.say), reply(c.say), reply(c.say)}
		end := last(t, p.say(c.asks, nil))
		if asked := len(p.script.Prompts()) - 2; (asked == 1) != c.guilty || (end.Status == nebula.TurnFailed) != c.guilty || (len(end.Unfounded) > 0) != c.guilty {
			t.Errorf("%s: ended %s %s, asked %d times, %q", c.say, end.Status, end.Cause, asked, end.Unfounded)
		}
	}
}

// A claim beside a refusal is named, and the turn lacks what was refused also where nothing has shown that the rest is right.
func TestAClaimBesideARefusalIsNamed(t *testing.T) {
	edit := reply("", call("1", "patchFile", "path", "a.py", "old", "a = 1", "new", "a = 2"))
	commit := reply("", call("2", "executeShell", "command", "git commit -am x"))
	remove := reply("", call("1", "deleteFile", "path", "b.py"))
	for _, c := range []struct {
		asks    string
		approve gate.Approve
		before  []nebula.Reply
		say     string
		want    nebula.EndStatus
		named   bool
	}{
		{"set a to 2 in a.py; don't commit", gate.All, []nebula.Reply{edit, commit}, "Fixed and committed.", nebula.NeedsApproval, true},
		{"set a to 2 in a.py; don't commit", gate.All, []nebula.Reply{edit, commit}, "Set a to 2. I did not commit it.", nebula.NeedsApproval, false},
		{"delete b.py", gate.None, []nebula.Reply{remove}, "Deleted b.py.", nebula.NeedsApproval, true},
		{"delete b.py", gate.None, []nebula.Reply{remove}, "b.py is not deleted: nobody allowed it.", nebula.NeedsApproval, false},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.py": "a = 1\n", "b.py": "b = 1\n"})
		p.setup.Approve, p.setup.Checkable = c.approve, func() bool { return true }
		p.setup.Stale = func(refs []nebula.FileRef) (now []nebula.FileRef) { return refs }
		p.script.Replies = append(slices.Clone(c.before), reply(c.say), reply(c.say), reply(c.say), reply(c.say))
		end := last(t, p.sayAlone(c.asks))
		if end.Status != c.want || (len(end.Unfounded) > 0) != c.named || strings.Contains(end.Text, "nothing in the record") != c.named {
			t.Errorf("%s: ended %s %q: %s", c.say, end.Status, end.Unfounded, end.Text)
		}
	}
}

// Who tells of a look that none was is told so; who looked, or was given what to look at, is not.
func TestALookThatNoneWasIsNamed(t *testing.T) {
	look := call("1", "readFile", "path", "a.py")
	for _, c := range []struct {
		asks, say string
		calls     []nebula.Call
		guilty    bool
	}{
		{"what is LIMIT?", "I read b.py: LIMIT is 10.", nil, true},
		{"who uses shout?", "I searched the whole project; nothing uses shout.", nil, true},
		{"what is in the files?", "I read all four files.", []nebula.Call{look}, true},
		{"what is in a.py?", "I read a.py: a is 1.", []nebula.Call{look}, false},
		{"what is LIMIT?", "I read b.py: LIMIT is 10.", []nebula.Call{call("1", "executeShell", "command", "cat b.py")}, false},
		{"what is this?\nLIMIT = 10", "I read the code: LIMIT is 10.", nil, false},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.py": "a = 1\n", "b.py": "LIMIT = 10\n"})
		p.setup.Approve = gate.All
		if c.calls != nil {
			p.script.Replies = append(p.script.Replies, reply("", c.calls...))
		}
		p.script.Replies = append(p.script.Replies, reply(c.say), reply(c.say))
		if end := last(t, p.say(c.asks, nil)); (len(end.Unfounded) > 0) != c.guilty {
			t.Errorf("%s: ended %s %q", c.say, end.Status, end.Unfounded)
		}
	}
}
