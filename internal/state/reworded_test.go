package state_test

import (
	"strings"
	"testing"

	"nebula"
)

// What people write where they want something left alone holds that and nothing else, whatever words it is in; what only sounds like it
// holds nothing. Each line of testdata/forbids.txt is one.
func TestWhatPeopleForbidInTheirOwnWords(t *testing.T) {
	by := map[string]string{"commit": "git commit", "push": "git push origin main", "request": "gh pr create", "install": "npm install", "dependency": "npm install x", "delete": "rm a.go", "network": "curl x",
		"publish": "npm publish", "merge": "git merge x", "rebase": "git rebase", "force": "git push --force", "deploy": "fly deploy", "amend": "git commit --amend", "tag": "git tag v1", "stash": "git stash",
		"reset": "git reset --hard", "rename": "git mv a b", "create": "new.go", "test": "go test ./..."}
	lines := 0
	for what, said := range rowsOf(t, "forbids.txt") {
		lines++
		s := after(strings.ReplaceAll(said, `\n`, "\n"), "Go on.")
		check := func(thing string, held string) {
			want := what == thing || what == "all" && strings.Contains(thing, ".") || strings.Contains(" "+what+" ", " "+thing+" ") && !strings.Contains(thing, ".")
			if (held != "") != want {
				t.Errorf("%s: %s is held: %v", said, thing, !want)
			}
		}
		check("version.py", s.Barred(nebula.Target{Path: "dotenv/version.py", Kind: "edit"}))
		check("pyproject.toml", s.Barred(nebula.Target{Path: "pyproject.toml", Kind: "edit"}))
		if strings.Contains(" all tests nothing ", " "+what+" ") {
			for _, file := range []string{"dotenv/main_test.go", "tests/a.py", "web/a.spec.ts", "test_a.py"} {
				if held := s.Barred(nebula.Target{Path: file, Kind: "edit"}) != ""; held != (what != "nothing") {
					t.Errorf("%s: %s is held: %v", said, file, held)
				}
			}
		}
		program, runs := strings.CutPrefix(what, "run ")
		if runs && (s.ForbiddenAct("run", program+" test") == "" || program != "ls" && s.ForbiddenAct("run", "ls") != "") || !runs && what == "nothing" && s.ForbiddenAct("run", "npm test")+s.ForbiddenAct("run", "git log") != "" {
			t.Errorf("%s: %s", said, what)
		}
		for act, words := range by {
			check(act, s.ForbiddenAct(act, words))
		}
	}
	if lines < 400 {
		t.Errorf("%d lines", lines)
	}
}

// A program that was not to be run may be when the person says so: an order for its turn, a permission for good. No need to ask is one.
func TestWhatAllowsAProgramAgain(t *testing.T) {
	held := func(said ...string) bool { return after(said...).ForbiddenAct("run", "npm test") != "" }
	const rule = "Don't run npm."
	if !held(rule, "Fix it.") || held(rule, "Run npm.") || !held(rule, "Run npm.", "Go on.") || held(rule, "You may run npm.", "Go on.") || !held(rule, "Why did you run npm?") || !held(rule, "Tell me how to run npm.") {
		t.Error("a program is held or let go of wrongly")
	}
	if after("Never commit.", "No need to ask before you commit.", "Go on.").ForbiddenAct("commit", "git commit") != "" {
		t.Error("no need to ask is no permission")
	}
}

// What was only to be looked at may be changed when a later message asks for it, and tests when they are what it asks for.
func TestWhatAsksForAChangeAgain(t *testing.T) {
	held := func(file string, said ...string) bool {
		return after(said...).Barred(nebula.Target{Path: file, Kind: "edit"}) != ""
	}
	for _, rule := range []string{"Explain the bug in main.go. No edits.", "Don't modify anything.", "何も変更しないで説明して"} {
		for _, said := range []string{"Now fix it.", "Please fix the bug in main.go.", "OK, apply it.", "Could you add a test?", "You may change files now.", "main.goを修正してください", "では直して"} {
			if held("main.go", rule, said) {
				t.Errorf("%s: not let go of: %s", rule, said)
			}
		}
		for _, said := range []string{"Go on.", "How would you fix main.go?", "Explain how to change main.go.", "Fixing it looks hard.", "If I asked, would you fix it?", "続けて", "どう直すべきですか"} {
			if !held("main.go", rule, said) {
				t.Errorf("%s: let go of: %s", rule, said)
			}
		}
	}
	if held("main.go", "Fix main.go. Don't change anything.") || !held("util.go", "Fix main.go. Don't change anything.") || !held("main.go", "Please explain how to fix main.go. No edits.") {
		t.Error("what its message orders to change")
	}
	if !held("a.go", "Only change main.go.", "Don't modify anything, just explain.", "Now fix it.") {
		t.Error("what alone may change is forgotten")
	}
	const tests = "Don't touch the tests."
	if held("a_test.go", tests, "Update the tests too.") || !held("a_test.go", tests, "Fix the bug so that the tests pass.") || held("a_test.go", "テストは変更しないでください", "テストも修正して") || !held("util_test.go", "Don't touch util_test.go. Fix the tests.") {
		t.Error("tests are held or let go of wrongly")
	}
	if after("Don't modify anything.").Barred(nebula.Target{Path: "a.pyc", Kind: "create", Ignored: true}) != "" {
		t.Error("what the project ignores is held")
	}
}
