package agent_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// What stands against done is asked about once: not again in turns that only read or that see the same fail
// again, and again when something else fails, or the answer says that all is well. What nebula says is never told as the person's words.
func TestWhatIsMissingIsAskedAboutOnce(t *testing.T) {
	failing := call("1", "shout", "command", "check bad")
	st := newStage(t,
		reply("", failing), reply("It fails."), reply("It still fails.\nUnverified: the test is known to fail."),
		reply("", call("2", "look", "path", "a")), reply("It says x."),
		reply("All tests pass now."), reply("No, the one test still fails.\nUnverified: as before."),
		reply("", failing), reply("It fails as before."),
		reply("", call("2", "shout", "command", "check worse")), reply("It fails."), reply("Yes.\nUnverified: it is worse now."))
	st.world.set("a", "x")
	st.setup.Approve, st.setup.Checkable = gate.All, nil
	for _, c := range []struct {
		says  string
		asked int
	}{{"run the test", 1}, {"what is in a?", 0}, {"and the tests?", 1}, {"run it again", 0}, {"and once more", 1}} {
		asked := 0
		for _, e := range st.say(c.says, nil) {
			o, ok := e.Body.(nebula.Observed)
			if ok && slices.ContainsFunc(o.Messages, func(m nebula.Message) bool {
				return strings.Contains(m.Text(), "Not accepted as done") || strings.Contains(m.Text(), "this turn has changed no file")
			}) {
				asked++
			}
		}
		if asked != c.asked {
			t.Errorf("%q: asked %d times, want %d", c.says, asked, c.asked)
		}
	}
	talk, err := st.session.Talk(t.Context())
	if err != nil || strings.Contains(talk, "Not accepted") || !strings.Contains(talk, "user: run it again") {
		t.Errorf("told: %v\n%s", err, talk)
	}
}

// Who says that it still fails and could not be mended is believed at once: the turn ends as not done. Who says no more than that is asked once.
func TestWhoGaveUpIsNotAskedAgain(t *testing.T) {
	for say, requests := range map[string]int{"The test still fails; I could not fix it.": 2, "It still fails.": 3} {
		st := newStage(t, reply("", call("1", "shout", "command", "check bad")), reply(say), reply(say), reply(say))
		st.setup.Approve, st.setup.Checkable = gate.All, nil
		end := last(t, st.say("make the test pass", nil))
		if got := len(st.script.Prompts()); got != requests || end.Status != nebula.TurnFailed {
			t.Errorf("%q: %d requests, want %d; %s %q", say, got, requests, end.Status, end.Text)
		}
	}
}
