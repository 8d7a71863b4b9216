package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// Where nobody is there, the first end of a long turn that changed something is answered once, with the request's own words
// and the files; what was reported before that reaches the person.
func TestUnattendedEachPartOfTheRequestIsAskedForOnce(t *testing.T) {
	long := func(tool string, n int) (r nebula.Reply) {
		var calls []nebula.Call
		for i := range n {
			calls = append(calls, call(fmt.Sprint(tool, i), tool, "path", fmt.Sprintf("f%d", i), "content", "x", "command", fmt.Sprint("echo ", i)))
		}
		return reply("", calls...)
	}
	later := reply("", call("late", "note", "path", "f9", "content", "y"))
	const words = "write the files and the README"
	for name, c := range map[string]struct {
		present bool
		replies []nebula.Reply
		asked   int // requests
		text    string
	}{
		"all is done":       {false, []nebula.Reply{long("note", 9), reply("The files are there."), reply("Nothing lacks.")}, 3, "The files are there.\n\nNothing lacks."},
		"something lacked":  {false, []nebula.Reply{long("note", 9), reply("The files are there."), later, reply("Now all.")}, 4, "Now all."},
		"not long":          {false, []nebula.Reply{long("note", 8), reply("The files are there.")}, 2, "The files are there."},
		"nothing changed":   {false, []nebula.Reply{long("shout", 9), reply("Nine echoes.")}, 2, "Nine echoes."},
		"a person is there": {true, []nebula.Reply{long("note", 9), reply("The files are there.")}, 2, "The files are there."},
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
				if text := m.Text(); m.Role == nebula.User && strings.Contains(text, "each part") {
					said = append(said, text)
				}
			}
			if (len(said) == 1) != (c.asked > 2) || len(said) == 1 && (!strings.Contains(said[0], words) || !strings.Contains(said[0], "f0, f1")) {
				t.Errorf("it was asked %q", said)
			}
		})
	}
}
