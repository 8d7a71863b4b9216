package agent_test

import (
	"context"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

var behindFiles = map[string]string{"k.md": "nobody read this\n",
	"a.md": "# A\n\nThe first of the lines that are kept in here.\nThe second of the lines that are kept in here.\n",
	"b.md": "one\ntwo\n",
}

// What stands behind a question was written without its answer.
func TestNothingBehindAQuestionIsDoneBeforeItsAnswerWasRead(t *testing.T) {
	ask := act("askUser", "question", "May I?")
	for _, c := range []struct {
		name   string
		behind []nebula.Action
		want   string
	}{
		{"delete", []nebula.Action{act("deleteFile", "path", "b.md")}, "deleteFile skipped"},
		{"command", []nebula.Action{act("executeShell", "command", "touch c")}, "executeShell skipped"},
		{"new file", []nebula.Action{write("c", "x\n")}, "writeFile skipped"},
		{"edit", []nebula.Action{act("patchFile", "path", "b.md", "edits", `[{"old":"one","new":"1"}]`)}, "patchFile skipped"},
		{"tests", []nebula.Action{act("runTests", "command", "touch c")}, "runTests skipped"},
		{"several", []nebula.Action{act("readFile", "path", "b.md"), write("c", "x\n"), act("deleteFile", "path", "b.md")}, "readFile done, writeFile skipped, deleteFile skipped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, l language) {
				for _, by := range []nebula.Decider{nebula.Person, nebula.Nobody} {
					p := newProject(t, l, behindFiles, acts(act("readFile", "path", "b.md")), acts(append([]nebula.Action{ask}, c.behind...)...), say("Then not."))
					p.setup.Approve = gate.All
					events := p.say("clean up", func(a nebula.Asked) (nebula.Decided, string) {
						if by == nebula.Nobody {
							_ = p.session.Send(context.Background(), nebula.Answer{Ask: a.Ask, Answer: nebula.No, By: by})
						}
						return nebula.Told, "no"
					})
					status := map[nebula.Decider]string{nebula.Person: "done", nebula.Nobody: "skipped"}[by]
					acted(t, events, "readFile done, askUser "+status+", "+c.want)
					if p.exists("c") || p.read("b.md") != behindFiles["b.md"] {
						t.Errorf("%s: it was done\n%s", by, transcript(events))
					}
					if by == "person" && !strings.Contains(p.sent(2), "behind the question of askUser") {
						t.Errorf("the model is not told:\n%s", p.sent(2))
					}
				}
			})
		})
	}
}

// What destroys was written in the belief that all before it succeeds; what is independent and takes nothing away is done.
func TestNothingIsDestroyedBehindAFailure(t *testing.T) {
	remove := act("deleteFile", "path", "b.md")
	for _, c := range []struct {
		name string
		list []nebula.Action
		want string
	}{
		{"no such tool", []nebula.Action{act("copyFile", "source", "b.md", "destination", "c.md"), remove}, "copyFile failed, deleteFile skipped"},
		{"command", []nebula.Action{act("executeShell", "command", "cp b.md none/b.md"), remove}, "executeShell failed, deleteFile skipped"},
		{"elided", []nebula.Action{write("c.md", "one\n... rest of the file unchanged ...\n"), remove}, "writeFile failed, deleteFile skipped"},
		{"exists", []nebula.Action{write("k.md", "one\ntwo\n"), remove}, "writeFile failed, deleteFile skipped"},
		{"arguments", []nebula.Action{act("writeFile", "path", "c.md"), remove}, "writeFile failed, deleteFile skipped"},
		{"tests", []nebula.Action{act("runTests", "command", "false"), remove}, "runTests failed, deleteFile skipped"},
		{"read", []nebula.Action{act("readFile", "path", "none.md"), remove}, "readFile failed, deleteFile skipped"},
		{"then a command", []nebula.Action{act("copyFile", "source", "b.md"), act("executeShell", "command", "rm b.md")}, "copyFile failed, executeShell skipped"},
		{"then all of a file", []nebula.Action{act("copyFile", "source", "a.md"), act("editFile", "path", "a.md", "new_content", "Moved to another file, as it was asked for.\nNothing of it is here any more.\nSee there.\n")}, "copyFile failed, editFile skipped"},
		{"what is independent", []nebula.Action{act("copyFile", "source", "b.md"), act("readFile", "path", "b.md"), write("c.md", "x\n"),
			act("patchFile", "path", "a.md", "edits", `[{"old":"# A","new":"# AA"}]`), act("executeShell", "command", "touch d.md"), remove},
			"copyFile failed, readFile done, writeFile done, patchFile done, executeShell done, deleteFile skipped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, l language) {
				p := newProject(t, l, behindFiles, acts(act("readFile", "path", "a.md"), act("readFile", "path", "b.md")), acts(c.list...), say("Then not."))
				p.setup.Approve = gate.All
				events := p.say("move b.md", nil)
				acted(t, events, "readFile done, readFile done, "+c.want)
				if p.read("b.md") != behindFiles["b.md"] {
					t.Errorf("b.md: %q", p.read("b.md"))
				}
				if !strings.Contains(p.sent(2), "before it in this reply") {
					t.Errorf("the model is not told:\n%s", p.sent(2))
				}
			})
		})
	}
}

// The person who refuses an action is not shown what destroys behind it as if it had been done.
func TestNothingIsDestroyedBehindARefusal(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := newProject(t, l, behindFiles, acts(write("c.md", "one\ntwo\n"), act("deleteFile", "path", "b.md")), say("Then not."))
		asked := 0
		events := p.say("move b.md", func(nebula.Asked) (nebula.Decided, string) {
			if asked++; asked == 1 {
				return nebula.No, "not there"
			}
			return nebula.Yes, ""
		})
		acted(t, events, "writeFile denied, deleteFile skipped")
	})
}
