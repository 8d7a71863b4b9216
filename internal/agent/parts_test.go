package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// Where nobody is there, the first end of a turn that left a part of its request is answered once, with that part's own words and the
// files; what was reported before that reaches the person. How much was done says nothing.
func TestUnattendedAPartOfTheRequestThatWasLeftIsAskedForOnce(t *testing.T) {
	long := func(tool string, n int) (r nebula.Reply) {
		var calls []nebula.Call
		for i := range n {
			calls = append(calls, call(fmt.Sprint(tool, i), tool, "path", fmt.Sprintf("f%d", i), "content", "x", "command", fmt.Sprint("echo ", i)))
		}
		return reply("", calls...)
	}
	later := reply("", call("late", "note", "path", "README.md", "content", "y"))
	const words, left = "create f0, f1; then list them in the README", "list them in the README"
	for name, c := range map[string]struct {
		present bool
		replies []nebula.Reply
		asked   int // requests
		text    string
	}{
		"something lacks":    {false, []nebula.Reply{long("note", 2), reply("The files are there."), reply("Nothing lacks.")}, 3, "The files are there.\n\nNothing lacks."},
		"something of git":   {false, []nebula.Reply{reply("", call("git", "note", "path", ".git/objects/aa", "content", "x")), long("note", 2), reply("The files are there."), reply("Nothing lacks.")}, 4, "The files are there.\n\nNothing lacks."},
		"it is done then":    {false, []nebula.Reply{long("note", 2), reply("The files are there."), later, reply("Now all.")}, 4, "Now all."},
		"after many actions": {false, []nebula.Reply{long("note", 9), reply("The files are there."), later, reply("Now all.")}, 4, "Now all."},
		"all is done":        {false, []nebula.Reply{long("note", 9), later, reply("The files are there, and the README has them.")}, 3, "The files are there, and the README has them."},
		"it says why not":    {false, []nebula.Reply{long("note", 9), reply("The files are there. The README does not exist here.")}, 2, "The files are there. The README does not exist here."},
		"nothing changed":    {false, []nebula.Reply{long("shout", 9), reply("Nine echoes.")}, 2, "Nine echoes."},
		"a person is there":  {true, []nebula.Reply{long("note", 9), reply("The files are there.")}, 2, "The files are there."},
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t, c.replies...)
			st.setup.Alone, st.setup.Approve = !c.present, gate.All
			end := last(t, st.say(words, nil))
			prompts := st.script.Prompts()
			if end.Status != nebula.TurnDone || end.Text != c.text || len(prompts) != c.asked {
				t.Fatalf("ended %s %q after %d requests", end.Status, end.Text, len(prompts))
			}
			var said []string
			for _, m := range prompts[len(prompts)-1].Messages {
				if text := m.Text(); m.Role == nebula.User && strings.Contains(text, "this part of the request") {
					said = append(said, text)
				}
			}
			asks := strings.HasPrefix(name, "something") || strings.HasPrefix(name, "it is") || strings.HasPrefix(name, "after")
			if (len(said) == 1) != asks || asks && (!strings.Contains(said[0], left) || strings.Contains(said[0], words) || !strings.Contains(said[0], "f0, f1") || strings.Contains(said[0], ".git")) {
				t.Errorf("it was asked %q", said)
			}
		})
	}
}
