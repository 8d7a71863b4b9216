package agent_test

import (
	"context"
	"strings"
	"syscall"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// Who says that a change is made which failed is told so once; then the turn has failed, and the person reads why.
func TestAChangeThatFailedIsNeverDone(t *testing.T) {
	read, fails := reply("", call("1", "readFile", "path", "hi.py")), reply("", call("2", "editFile", "path", "hi.py", "new_content", "..."))
	works := reply("", call("3", "editFile", "path", "hi.py", "new_content", "x = 2\n"))
	same := reply("", call("4", "editFile", "path", "hi.py", "new_content", "x = 1\n"))
	claim := reply("Done! hi.py is changed, all tests pass.")
	for name, c := range map[string]struct {
		replies []nebula.Reply
		status  nebula.EndStatus
		said    bool
		asked   int
	}{
		"claimed twice":       {[]nebula.Reply{read, fails, claim, claim}, nebula.TurnFailed, true, 4},
		"made good":           {[]nebula.Reply{read, fails, works, claim}, nebula.TurnDone, false, 4},
		"made good when told": {[]nebula.Reply{read, fails, claim, works, claim}, nebula.TurnDone, false, 5},
		"already so":          {[]nebula.Reply{read, same, claim}, nebula.TurnDone, false, 3},
		"failed after":        {[]nebula.Reply{read, works, fails, claim, reply("Unverified: no python")}, nebula.TurnFailed, true, 5},
		"says it was not":     {[]nebula.Reply{read, fails, reply("hi.py could not be changed: the content was refused.")}, nebula.TurnFailed, false, 3},
		"日本語で言う":              {[]nebula.Reply{read, fails, reply("hi.py は変更できませんでした。")}, nebula.TurnFailed, false, 3},
		"says DONE itself":    {[]nebula.Reply{read, fails, reply("Done.", call("5", "updateState", "step", "DONE")), claim}, nebula.TurnFailed, true, 4},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\n"})
			p.setup.Approve = gate.All
			p.script.Replies = c.replies
			end := last(t, p.say("change hi.py", nil))
			if end.Status != c.status || strings.Contains(end.Text, "change of hi.py failed") != c.said || len(p.script.Prompts()) != c.asked {
				t.Errorf("ended %s %q after %d requests", end.Status, end.Text, len(p.script.Prompts()))
			}
		})
	}
}

// The same patch once more is so already, however short it is, and holds nothing up. Where the file was changed since, it is not.
func TestTheSamePatchAgainIsNoFailedChange(t *testing.T) {
	read := reply("", call("1", "readFile", "path", "hi.py"))
	patch := func(id, old, next string) nebula.Reply {
		return reply("", call(id, "patchFile", "path", "hi.py", "edits", `[{"old":"`+old+`","new":"`+next+`"}]`))
	}
	end := reply("Unverified: no python.")
	for name, c := range map[string]struct {
		replies []nebula.Reply
		acted   string
		status  nebula.EndStatus
	}{
		"twice":         {[]nebula.Reply{read, patch("2", "a - b", "a + b"), patch("3", "a - b", "a + b"), end}, "readFile done, patchFile done, patchFile done", nebula.TurnDone},
		"changed since": {[]nebula.Reply{read, patch("2", "a - b", "a + b"), patch("3", "a + b", "a * b"), patch("4", "a - b", "a + b"), end, end}, "readFile done, patchFile done, patchFile done, patchFile failed", nebula.TurnFailed},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, languages()[0], map[string]string{"hi.py": "def add(a, b):\n    return a - b\n"})
			p.setup.Approve = gate.All
			p.script.Replies = c.replies
			events := p.say("change hi.py", nil)
			acted(t, events, c.acted)
			if got := last(t, events); got.Status != c.status {
				t.Errorf("ended %s %q", got.Status, got.Text)
			}
		})
	}
}

// A file is read and patched in one reply; where a patch is made in part, what was to run with all of it does not, and the
// turn is not done before the rest is.
func TestAPatchInPartIsFollowedByItsRest(t *testing.T) {
	both := reply("", call("1", "readFile", "path", "hi.py"), call("2", "patchFile", "path", "hi.py", "edits", `[{"old":"x = 1","new":"x = 2"},{"old":"z = 1","new":"z = 2"}]`),
		call("3", "executeShell", "command", "touch ran"))
	rest := reply("", call("4", "patchFile", "path", "hi.py", "edits", `[{"old":"y = 1","new":"y = 2"}]`))
	p := newProject(t, languages()[0], map[string]string{"hi.py": "x = 1\ny = 1\n"})
	p.setup.Approve = gate.All
	whole := reply("", call("5", "editFile", "path", "hi.py", "new_content", "x = 3\ny = 3\n"))
	p.script.Replies = []nebula.Reply{both, reply("Done."), rest, whole, reply("Unverified: no python.")}
	events := p.say("change hi.py", nil)
	acted(t, events, "readFile done, patchFile failed, executeShell skipped, patchFile done, editFile done")
	if got := p.read("hi.py"); got != "x = 3\ny = 3\n" || p.exists("ran") {
		t.Errorf("%q", got)
	}
	if sent := p.sent(2); !strings.Contains(sent, "old of edit 2 is not in") || strings.Contains(sent, "a whole file is replaced") {
		t.Errorf("the model is not told:\n%s", sent)
	}
	if end := last(t, events); end.Status != nebula.TurnDone {
		t.Errorf("%+v", end)
	}
}

// A call that is torn is not made good by another one beside it: each that was not made is held, until it is made or given up in words.
func TestATornCallIsHeldUntilItIsMade(t *testing.T) {
	torn := func(id, tool, arguments string) nebula.Call {
		return nebula.Call{ID: id, Name: tool, Arguments: arguments}
	}
	a, b := call("1", "writeFile", "path", "a.txt", "content", "a\n"), call("2", "writeFile", "path", "b.txt", "content", "b\n")
	tornB, tornC, tornRun := torn("3", "writeFile", `{"path":"b.txt","content":"b`), torn("4", "writeFile", `{"path":"c.txt","content":"c`), torn("5", "executeShell", `{"command":"touch ran`)
	done := reply("Unverified: both are written.")
	for name, c := range map[string]struct {
		replies []nebula.Reply
		status  nebula.EndStatus
		asked   int
		says    string
	}{
		"beside a good one":     {[]nebula.Reply{reply("", tornB, a), done, done}, nebula.TurnFailed, 3, "change of b.txt failed"},
		"behind a good one":     {[]nebula.Reply{reply("", a, tornB), done, done}, nebula.TurnFailed, 3, "change of b.txt failed"},
		"two of them":           {[]nebula.Reply{reply("", tornB, a, tornC), done, done}, nebula.TurnFailed, 3, "change of b.txt, c.txt failed"},
		"one is made":           {[]nebula.Reply{reply("", tornB, a, tornC), done, reply("", b), done, done}, nebula.TurnFailed, 4, "change of c.txt failed"},
		"made":                  {[]nebula.Reply{reply("", tornB, a), done, reply("", b), done}, nebula.TurnDone, 4, ""},
		"made at once":          {[]nebula.Reply{reply("", tornB, a), reply("", b), done}, nebula.TurnDone, 3, ""},
		"given up":              {[]nebula.Reply{reply("", tornB, a), reply("b.txt could not be written.\nUnverified: a.txt")}, nebula.TurnFailed, 2, ""},
		"a command":             {[]nebula.Reply{reply("", tornRun, a), done, done}, nebula.TurnFailed, 3, "call of executeShell could not be read"},
		"a command is run":      {[]nebula.Reply{reply("", tornRun, a), done, reply("", call("6", "executeShell", "command", "touch ran")), done}, nebula.TurnDone, 4, ""},
		"a command before one":  {[]nebula.Reply{reply("", tornRun, call("6", "executeShell", "command", "touch other")), done, done}, nebula.TurnFailed, 3, "call of executeShell could not be read"},
		"a list before one":     {[]nebula.Reply{reply("", torn("5", "executeShell", `["touch ran"]`), call("6", "executeShell", "command", "touch other")), done, done}, nebula.TurnFailed, 3, "call of executeShell could not be read"},
		"nothing before one":    {[]nebula.Reply{reply("", torn("5", "executeShell", `null`), call("6", "executeShell", "command", "touch other")), done, done}, nebula.TurnFailed, 3, "call of executeShell could not be read"},
		"a command behind one":  {[]nebula.Reply{reply("", call("6", "executeShell", "command", "touch other"), tornRun), done, done}, nebula.TurnFailed, 3, "call of executeShell could not be read"},
		"another way":           {[]nebula.Reply{reply("", call("7", "patchFile", "path", "y", "edits", `[{"old":"y","new":"z"}]`)), reply("", a), done}, nebula.TurnDone, 3, ""},
		"beside what failed":    {[]nebula.Reply{reply("", call("7", "patchFile", "path", "y", "edits", `[{"old":"y","new":"z"}]`), a), done, done}, nebula.TurnFailed, 3, "change of y failed"},
		"a command is given up": {[]nebula.Reply{reply("", tornRun, a), reply("The command was not run.\nUnverified: a.txt")}, nebula.TurnFailed, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, languages()[0], map[string]string{"x": "x\n"})
			p.setup.Approve = gate.All
			p.script.Replies = c.replies
			end := last(t, p.say("write a.txt and b.txt", nil))
			if end.Status != c.status || c.says == "" && strings.Contains(end.Text, "The last") || !strings.Contains(end.Text, c.says) || len(p.script.Prompts()) != c.asked {
				t.Errorf("ended %s %q after %d requests", end.Status, end.Text, len(p.script.Prompts()))
			}
		})
	}
}

// halfway is a tool whose change meets a full disk when a part of it is made.
type halfway struct{ nebula.Tool }

func (h halfway) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	p, err := h.Tool.Propose(ctx, a, v)
	do := p.Do
	p.Do = func(ctx context.Context, run nebula.Run) (nebula.Result, error) {
		r, err := do(ctx, run)
		if err != nil {
			return r, err
		}
		return nebula.Result{Changes: r.Changes}, nebula.Errorf("%q: %w", "b.py", syscall.ENOSPC)
	}
	return p, err
}

// A change of several files that fails on the way says which were changed before that, to the model and to the person, who
// reads the fault in their own words.
func TestWhatWasChangedBeforeAFaultIsTold(t *testing.T) {
	p := newProject(t, languages()[0], map[string]string{"a.py": "total = 1\n"})
	p.setup.Approve = gate.All
	for i, tool := range p.setup.Tools {
		if tool.Spec().Name == "patchFile" {
			p.setup.Tools[i] = halfway{tool}
		}
	}
	p.setup.Begin.Lang = "ja"
	p.script.Replies = []nebula.Reply{reply("", call("1", "patchFile", "path", ".", "edits", `[{"old":"total","new":"amount"}]`)), reply("Unverified: the disk is full.")}
	events := p.say("rename total", nil)
	acted(t, events, "patchFile failed")
	for _, e := range events {
		if f, ok := e.Body.(nebula.Finished); ok && f.Result.Summary != "\"b.py\": ディスクに空きがありません（その前に a.py を変更済みで、その変更は残っています）" {
			t.Errorf("the person reads %q", f.Result.Summary)
		}
	}
	if sent := p.sent(1); !strings.Contains(sent, "no space left on device") || !strings.Contains(sent, "その前に次のものが変更されました。変更は残っています: a.py。") || strings.Contains(sent, "nothing was changed") {
		t.Errorf("the model reads:\n%s", sent)
	}
}

// Why a reply could not be carried out the model reads in the language of the session.
func TestProblemsAreSaidInTheLanguageOfTheSession(t *testing.T) {
	for lang, want := range map[string]string{"en": "the reply was cut at the output limit", "ja": "応答が出力の上限で切れたため"} {
		p := newProject(t, languages()[0], map[string]string{"a.py": "total = 1\n"})
		p.setup.Begin.Lang = lang
		cut := reply("", call("1", "readFile", "path", "a.py"))
		cut.Finish = "length"
		p.script.Replies = []nebula.Reply{cut, reply("I could not read it.")}
		p.say("what is in a.py?", nil)
		if sent := p.sent(1); !strings.Contains(sent, want) {
			t.Errorf("%s: the model reads:\n%s", lang, sent)
		}
	}
}
