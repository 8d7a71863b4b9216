package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// A part of a file that was sent back and is given again is the file where nobody is there to say more; what that cost is told.
func TestLinesThatGoToAContentGivenTwiceAreTold(t *testing.T) {
	var whole strings.Builder
	for i := range 40 {
		fmt.Fprintf(&whole, "func f%d() int { return %d }\n", i, i)
	}
	read := reply("", call("1", "readFile", "path", "a.go"))
	part := func(id string) nebula.Reply {
		return reply("", call(id, "editFile", "path", "a.go", "new_content", "package a\n\nfunc f1() int { return 2 }\n"))
	}
	full := reply("", call("2", "editFile", "path", "a.go", "new_content", "package a\n\n"+strings.Replace(whole.String(), "return 1 ", "return 2 ", 1)))
	for name, c := range map[string]struct {
		approve gate.Approve
		replies []nebula.Reply
		want    string
	}{
		"edits": {gate.Edits, []nebula.Reply{read, part("2"), part("3"), reply("I changed f1.")}, "a.go: 42 > 3"},
		"all":   {gate.All, []nebula.Reply{read, part("2"), part("3"), reply("I changed f1.")}, "a.go: 42 > 3"},
		"whole": {gate.Edits, []nebula.Reply{read, full, reply("I changed f1.")}, ""},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.go": "package a\n\n" + whole.String()})
		p.setup.Approve, p.setup.Alone = c.approve, true
		p.script.Replies = c.replies
		told := ""
		events := p.say("change f1 in a.go", nil)
		for _, e := range events {
			if n, ok := e.Body.(nebula.Noted); ok && n.Level == "warning" && strings.Contains(n.Text, "lines") {
				told = n.Text
			}
		}
		if end := last(t, events); strings.Join(end.Reduced, "|") != c.want || strings.Contains(told, "a.go had 42 lines and has 3 now") != (c.want != "") {
			t.Errorf("%s: %s %q, told %q\n%s", name, end.Status, end.Reduced, told, transcript(events))
		}
	}
}
