package agent_test

import (
	"strings"
	"testing"

	"nebula"
)

// What the person made of a change before allowing it is what is done, and the model reads it. What is no such change is
// not taken, and the question waits on.
func TestAPersonsChangeIsMade(t *testing.T) {
	for _, c := range []struct {
		files      map[string]string
		call       nebula.Reply
		old, own   string
		path, want string
	}{
		{map[string]string{"a.md": "one\r\ntwo\r\n"}, reply("", call("1", "readFile", "path", "a.md"), call("2", "patchFile", "path", "a.md", "edits", `[{"old":"two","new":"2"}]`)),
			"+2\n", "+zwei\n+drei\n", "a.md", "one\r\nzwei\r\ndrei\r\n"},
		{map[string]string{"b.md": "b"}, reply("", call("1", "writeFile", "path", "docs/a.md", "content", "one\ntwo\n")), "+two\n", "", "docs/a.md", "one\n"},
		{map[string]string{"a.md": "one\ntwo"}, reply("", call("1", "readFile", "path", "a.md"), call("2", "editFile", "path", "a.md", "new_content", "one\n2")), "+2\n", "+zwei\n", "a.md", "one\nzwei"},
	} {
		p := newProject(t, languages()[0], c.files)
		p.script.Replies = []nebula.Reply{reply("", call("0", "readFile", "path", "a.md")), c.call, reply("Done.")}
		wrong, shown := 0, ""
		events := p.say("change it", func(a nebula.Asked) (nebula.Decided, string) {
			for e := range p.session.Events(t.Context(), 0) {
				if b, ok := e.Body.(nebula.Proposed); ok && b.Proposal.Action.ID == a.Action {
					shown = b.Proposal.Diff
					break
				}
			}
			for _, own := range []string{"ls", strings.Replace(shown, "@@ -", "@@ -9", 1)} {
				if p.session.Send(t.Context(), nebula.Answer{By: nebula.Person, Ask: a.Ask, Answer: nebula.Yes, Command: own}) != nil {
					wrong++
				}
			}
			if err := p.session.Send(t.Context(), nebula.Answer{By: nebula.Person, Ask: a.Ask, Answer: nebula.Yes, Command: strings.Replace(shown, c.old, c.own, 1)}); err != nil {
				t.Error(err)
			}
			return nebula.Yes, ""
		})
		if got := p.read(c.path); got != c.want || wrong != 2 {
			t.Errorf("%s is %q, for %q (%d of 2 were refused)\n%s", c.path, got, c.want, wrong, shown)
		}
		if said := transcript(events); !strings.Contains(said, "wrote the change otherwise") || c.own != "" && !strings.Contains(said, "+zwei") {
			t.Errorf("the model is not told:\n%s", said)
		}
	}
}
