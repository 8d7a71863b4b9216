package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/protocol/dialect"
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

// Who asks how something is done gets an answer: an action that it shows, in whatever form, is not done, and the turn is.
func TestWhatIsShownToWhoAsksHowEndsTheTurn(t *testing.T) {
	const call = `{"name":"deleteFile","arguments":{"path":"calc.go","reason":"r"}}`
	each(t, func(t *testing.T, l language) {
		own := l.write(acts(act("deleteFile", "path", "calc.go")), newProject(t, l, nil).tools).Text()
		forms := []string{"```json\n" + call + "\n```", "<tool_call>" + call + "</tool_call>", "```\n$ delete @ calc.go\n```", "$ delete @ calc.go", "```bash\nrm calc.go\n```", "🦆▶️[T:delete_file|calc.go]◀️🦆", call}
		if own != "" {
			forms = append(forms, own, "```\n"+own+"\n```")
		}
		for asked, answers := range map[string][2]string{
			"how would I delete calc.go?":        {"You would write:\n\n", "\n\nI don't run it."},
			"Explain how a file is deleted here": {"This is only an example of the call:\n", ""},
			"calc.go を消す方法を教えてください":              {"例えばこう書きます:\n", ""},
			"What is the command to delete it?":  {"Here is the syntax:\n\n", "\n\nIt is not executed."},
		} {
			for i, form := range forms {
				for _, approve := range []gate.Approve{gate.None, gate.Ask, gate.Edits, gate.All}[3*min(i, 1):] {
					p := newProject(t, l, map[string]string{"calc.go": "package calc\n"})
					p.setup.Approve, p.setup.Alone = approve, true
					p.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) { return dialect.Tolerant(l.Protocol), nil }
					p.raw(answers[0] + form + answers[1])
					p.replies(l, say("That is how it is written; nothing was done."), say("That is how it is written; nothing was done."))
					events := p.sayAlone(asked)
					if end := last(t, events); end.Status != nebula.TurnDone || !p.exists("calc.go") {
						t.Errorf("%s, %s: %q ended %s\n%s", approve, asked, form, end.Status, transcript(events))
					}
				}
			}
		}
	})
}

// A request is no question for an explanation where it wants something done.
func TestWhoWantsItDoneIsNotOnlyShownIt(t *testing.T) {
	for asked, status := range map[string]nebula.EndStatus{"delete calc.go": nebula.NeedsApproval, "can you delete calc.go?": nebula.NeedsApproval, "How is it used? Delete calc.go.": nebula.NeedsApproval, "calc.go を削除してください": nebula.NeedsApproval, "run the cleanup": nebula.NeedsApproval, "how do I delete calc.go?": nebula.TurnDone} {
		p := newProject(t, languages()[0], map[string]string{"calc.go": "package calc\n"})
		p.setup.Approve, p.setup.Alone = gate.All, true
		p.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
			return dialect.Tolerant(languages()[0].Protocol), nil
		}
		p.script.Replies = []nebula.Reply{reply("You would write:\n\n$ delete @ calc.go\n\nI don't run it."), reply("It was not deleted."), reply("It was not deleted.")}
		if end := last(t, p.sayAlone(asked)); end.Status != status || !p.exists("calc.go") {
			t.Errorf("%s: ended %s", asked, end.Status)
		}
	}
}
