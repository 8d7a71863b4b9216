package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// TestWhatIsMeantLiterallyIsWrittenInEveryProtocol gives a content again that was sent back for what it looks like, with nobody there: with the reason
// that was asked for it is written, with the one it had before it is not.
func TestWhatIsMeantLiterallyIsWrittenInEveryProtocol(t *testing.T) {
	const was, now = "def f():\n    return 1\n", "def f():\n    ...\n"
	for reason, want := range map[string]string{"It is meant literally.": now, "needed for the task": was} {
		each(t, func(t *testing.T, l language) {
			read, edit := act("readFile", "path", "a.py"), act("editFile", "path", "a.py", "new_content", now)
			again := edit
			again.Reason = reason
			p := newProject(t, l, map[string]string{"a.py": was}, acts(read), acts(edit), acts(again), say("The body of a.py is a placeholder, as you wanted. Nothing was checked."))
			if text := p.script.Replies[2].Text(); text != "" { // it is written with the reason it always has there
				p.script.Replies[2].Parts = nebula.Text(strings.ReplaceAll(text, "This is needed for the task.", reason))
			}
			p.setup.Alone, p.setup.Approve = true, gate.Edits
			events := p.say("make f a stub in a.py", func(nebula.Asked) (nebula.Decided, string) { return nebula.No, "" })
			if got := p.read("a.py"); got != want {
				t.Errorf("%s: %q\n%s", reason, got, transcript(events))
			}
		})
	}
}
