package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

const (
	subtracts = "func Add(a, b int) int { return a - b }"
	adds      = "func Add(a, b int) int { return a + b }"
	fileDiff  = "```diff\n--- a/calc.go\n+++ b/calc.go\n@@ -3,1 +3,1 @@\n-" + subtracts + "\n+" + adds + "\n```\n"
)

// shows are replies that show an edit and call nothing.
var shows = map[string]string{
	"brackets":      "[EDIT calc.go][OLD]\n" + subtracts + "\n[/OLD][NEW]\n" + adds + "\n[/NEW]",
	"signs":         "calc.go\n--- OLD\n" + subtracts + "\n+++ NEW\n" + adds + "\n",
	"one fence":     "In calc.go:\n```\nOLD\n" + subtracts + "\nNEW\n" + adds + "\nEND\n```",
	"tags":          "<edit path=\"calc.go\"><old>" + subtracts + "</old><new>" + adds + "</new></edit>",
	"search tags":   "<edit file=\"calc.go\">\n<search>\n" + subtracts + "\n</search>\n<replace>\n" + adds + "\n</replace>\n</edit>",
	"diff":          "I fix it.\n" + fileDiff,
	"bare search":   "calc.go\nSEARCH\n" + subtracts + "\nREPLACE\n" + adds + "\n",
	"labels":        "In `calc.go`:\n\nOLD:\n```go\n" + subtracts + "\n```\nNEW:\n```go\n" + adds + "\n```\n",
	"bare sed":      "sed -i 's/a - b/a + b/' calc.go",
	"words":         "Replace this in calc.go:\n```go\n" + subtracts + "\n```\nwith:\n```go\n" + adds + "\n```\nI have applied the change.",
	"sed in fences": "```bash\nsed -i 's/a - b/a + b/' calc.go\n```",
}

// A reply that shows an edit and calls nothing is never done the first time, whatever the protocol: the person is asked
// about what could be read of it, and the model for what could not.
func TestAnEditThatIsOnlyShownIsAskedForAgain(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		for name, text := range shows {
			p := newProject(t, l, map[string]string{"calc.go": "package calc\n\n" + subtracts + "\n"})
			p.setup.Approve, p.setup.Alone = gate.Edits, true
			p.raw(text)
			p.replies(l, acts(act("patchFile", "path", "calc.go", "edits", `[{"old":"a - b","new":"a + b"}]`)), say("Unverified: there is no test."), say("Unverified: there is no test."))
			events := p.say("fix Add", always(nebula.Yes))
			if len(p.script.Prompts()) < 3 || !strings.Contains(p.read("calc.go"), "a + b") {
				t.Errorf("%s: ended %v after %d requests\n%s", name, last(t, events), len(p.script.Prompts()), transcript(events))
			}
		}
	})
}

// Who shows a change as an answer is asked about it once at most, and not at all where it reports what was done, waits for
// a word of the person, or explains.
func TestWhatIsShownAsAnAnswerDoesNotLoop(t *testing.T) {
	read := reply("", call("1", "readFile", "path", "calc.go"))
	change := reply("", call("2", "patchFile", "path", "calc.go", "edits", `[{"old":"a - b","new":"a + b"}]`))
	diff := reply("This is how:\n" + fileDiff)
	for name, c := range map[string]struct {
		replies []nebula.Reply
		asked   int
	}{
		"shown twice":       {[]nebula.Reply{diff, diff}, 2},
		"shown, and said":   {[]nebula.Reply{read, diff, reply("I only meant to show it.")}, 3},
		"a report":          {[]nebula.Reply{read, change, reply("Done:\n" + fileDiff + "\nUnverified: no tests.")}, 3},
		"a question":        {[]nebula.Reply{reply("I would do this:\n" + fileDiff + "\nShall I apply it?")}, 1},
		"an explanation":    {[]nebula.Reply{read, reply("It is here:\n```go\n" + subtracts + "\n```\nThe sign is wrong.")}, 2},
		"how to try it out": {[]nebula.Reply{reply("Run it:\n```bash\ngo test ./...\n```")}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, languages()[0], map[string]string{"calc.go": "package calc\n\n" + subtracts + "\n"})
			p.setup.Approve = gate.All
			p.script.Replies = c.replies
			events := p.say("show me how Add is to be fixed", nil)
			if end := last(t, events); end.Status != nebula.TurnDone || len(p.script.Prompts()) != c.asked {
				t.Errorf("ended %s after %d requests, want %d\n%s", end.Status, len(p.script.Prompts()), c.asked, transcript(events))
			}
		})
	}
}
