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
		if told := strings.Contains(end.Text, "the last test run failed, as the answer says"); told != honest || (len(st.script.Prompts()) == 4) != honest {
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
			if end := last(t, st.say(c.asks, nil)); end.Status != c.want {
				t.Errorf("%s: %q ended %s: %s", name, say, end.Status, end.Text)
			}
		}
	}
}
