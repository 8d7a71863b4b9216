package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// What a model thinks is kept in the record, is never the answer, and nothing of it is done, in whatever language it thinks
// of doing something. A reply of nothing else is asked for again, and no answer.
func TestWhatIsThoughtIsNeitherDoneNorAnswered(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		for name, then := range map[string]string{"beside an answer": "The file stays.", "alone": ""} {
			p := newProject(t, l, map[string]string{"a.txt": "kept\n"})
			p.setup.Approve = gate.All
			written := l.write(acts(act("deleteFile", "path", "a.txt")), p.tools)
			thought := "I could do this:\n" + written.Text()
			for _, c := range written.Calls() {
				thought += "\n" + c.Name + " " + c.Arguments
			}
			p.script.Replies = append(p.script.Replies, nebula.Reply{Parts: nebula.PartsOf(thought, then), Finish: "stop"})
			p.replies(l, say("Unverified: I only looked."), say("Unverified: I only looked."), say("Unverified: I only looked."))
			events := p.say("what is a.txt?", always(nebula.Yes))
			ended := last(t, events)
			if p.read("a.txt") != "kept\n" || strings.Contains(ended.Text, "I could do this") {
				t.Errorf("%s: %q, a.txt is %q", name, ended.Text, p.read("a.txt"))
			}
			if then == "" && !strings.Contains(ended.Text, "I only looked") {
				t.Errorf("only thinking counts as an answer: %q\n%s", ended.Text, transcript(events))
			}
			kept := false
			for _, e := range p.recorded() {
				if r, ok := e.Body.(nebula.Replied); ok {
					kept = kept || r.Reply.Reasoning() == thought
				}
			}
			if !kept {
				t.Errorf("%s: the record has not what was thought", name)
			}
		}
	})
}
