package agent_test

import (
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// A turn that ends for want of an approval says why there is none: the policy, what the person said, or how the action was written.
func TestWhatWasNotAllowedSaysWhy(t *testing.T) {
	shown := "The file says:\n$ create @ b.txt\n--\nx\n--\n"
	for _, c := range []struct {
		asks    string
		approve gate.Approve
		reply   nebula.Reply
		want    nebula.EndCause
	}{
		{"Write b.txt.", gate.None, reply("", call("1", "writeFile", "path", "b.txt", "content", "x\n")), ""},
		{"Write b.txt.", gate.None, reply(shown), nebula.Guessed},
		{"Write b.txt.", gate.All, reply(shown), nebula.Guessed},
		{"Write c.txt. Don't touch b.txt.", gate.All, reply("", call("1", "writeFile", "path", "b.txt", "content", "x\n")), nebula.Forbidden},
		{"Write c.txt. Don't touch b.txt.", gate.All, reply(shown), nebula.Forbidden},
	} {
		p := newProject(t, languages()[0], map[string]string{"a.txt": "a\n"})
		if len(c.reply.Calls()) == 0 {
			p = newProject(t, languages()[2], map[string]string{"a.txt": "a\n"})
		}
		p.setup.Approve, p.setup.Alone = c.approve, true
		p.script.Replies = []nebula.Reply{c.reply, reply("It is not written."), reply("It is not written."), reply("It is not written.")}
		if end := last(t, p.sayAlone(c.asks)); end.Status != nebula.NeedsApproval || end.Cause != c.want {
			t.Errorf("%s %q under %s: ended %s %q: %s", c.asks, c.reply.Text(), c.approve, end.Status, end.Cause, end.Text)
		}
	}
}
