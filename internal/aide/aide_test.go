package aide

import (
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"nebula/internal/lists"
	"nebula/internal/matter"
)

func TestAidesAreReadAsPeopleWriteThem(t *testing.T) {
	list := Read(matter.Folder{Shown: ".claude/agents", Own: true, FS: fstest.MapFS{
		"code-reviewer.md": {Data: []byte("---\nname: code-reviewer\ndescription: \"Expert code review. Use proactively: after changes.\"\ntools: Read, Grep, Glob, Bash(git diff:*)\nmodel: inherit\npermissionMode: bypassPermissions\nhooks: evil\n---\n\nYou are a senior reviewer.\n")},
		"deep/planner.md":  {Data: []byte("---\ndescription: Plans\npermissionMode: plan\ndisallowedTools:\n  - Bash\n---\nPlan it.")},
		"table.md":         {Data: []byte("---\ndescription: Looks\nmode: subagent\ntools:\n  write: false\n  read: true\npermission:\n  edit: deny\n  bash:\n    \"git *\": allow\n    \"*\": deny\n---\nLook.")},
		"README.md":        {Data: []byte("# About this folder\n")},
		"empty.md":         {Data: []byte("---\ndescription: x\n---\n")},
		"open.md":          {Data: []byte("---\nname: open\ndescription: x\nLook.")},
		"useless.md":       {Data: []byte("---\nname: useless\n---\nLook.")},
	}})
	var flaws []string
	list = lists.Drop(list, func(a Aide) bool {
		if a.Flaw != nil {
			flaws = append(flaws, a.Flaw.Error())
		}
		return a.Flaw != nil
	})
	if want := []string{
		".claude/agents/empty.md: it has no text (prompt); add it there",
		".claude/agents/open.md:1: the head that --- begins here is ended by no ---; correct it there",
		".claude/agents/useless.md: it has no text (description); add it there",
	}; !reflect.DeepEqual(flaws, want) {
		t.Errorf("%q", flaws)
	}
	want := []Aide{
		{Name: "code-reviewer", About: "Expert code review. Use proactively: after changes.", Model: "inherit", Tools: []string{"Read", "Grep", "Glob", "Bash(git diff:*)"}, Body: "You are a senior reviewer.", From: ".claude/agents/code-reviewer.md", Own: true},
		{Name: "planner", About: "Plans", Without: []string{"Bash"}, Reads: true, Body: "Plan it.", From: ".claude/agents/deep/planner.md", Own: true},
		{Name: "table", About: "Looks", Without: []string{"write", "edit", "write", "delete"}, Body: "Look.", From: ".claude/agents/table.md", Own: true},
	}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("got  %+v\nwant %+v", list, want)
	}
}

func TestThePersonsAideTakesThePlaceOfOurs(t *testing.T) {
	staff, passed := Of([]Aide{
		{Name: "review", Body: "The folder's.", From: ".claude/agents/review.md"}, {Name: "writer", Body: "The folder's.", From: "w.md"}, {Name: "explore", Body: "Mine.", From: "x", Own: true},
	}, "ja")
	if a, ok := staff.Named("@Explore"); !ok || a.Body != "Mine." || len(staff) != 3 {
		t.Errorf("%+v", staff)
	}
	if a, _ := staff.Named("review"); a.From != "" || !reflect.DeepEqual(passed, []string{".claude/agents/review.md"}) {
		t.Errorf("a folder's agent takes the place of one that comes with nebula: %+v, %q", a, passed)
	}
	if text := staff.Tell(10); strings.Contains(text, "review") || !strings.Contains(text, "explore") {
		t.Errorf("told within its bound is %q", text)
	}
	if brief := staff[1].Brief("それ", "ja"); !strings.Contains(brief, "path:line") || !strings.HasSuffix(brief, "それ") {
		t.Error(brief)
	}
}
