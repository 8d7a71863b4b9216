package state_test

import (
	"os"
	"strings"
	"testing"

	"nebula"
)

// What people write where they want something left alone holds that and nothing else, whatever words it is in; what only sounds like it
// holds nothing. Each line of testdata/forbids.txt is one.
func TestWhatPeopleForbidInTheirOwnWords(t *testing.T) {
	text, err := os.ReadFile("testdata/forbids.txt")
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]string{"commit": "git commit", "push": "git push origin main", "request": "gh pr create", "install": "npm install", "dependency": "npm install x", "delete": "rm a.go", "network": "curl x",
		"publish": "npm publish", "merge": "git merge x", "rebase": "git rebase", "force": "git push --force", "deploy": "fly deploy", "amend": "git commit --amend", "tag": "git tag v1", "stash": "git stash"}
	lines := 0
	for line := range strings.Lines(string(text)) {
		what, said, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok {
			continue
		}
		lines++
		s := after(strings.ReplaceAll(said, `\n`, "\n"), "Go on.")
		check := func(thing string, held string) {
			want := what == thing || strings.Contains(" "+what+" ", " "+thing+" ") && !strings.Contains(thing, ".")
			if (held != "") != want {
				t.Errorf("%s: %s is held: %v", said, thing, !want)
			}
		}
		check("version.py", s.Barred(nebula.Target{Path: "dotenv/version.py", Kind: "edit"}))
		check("pyproject.toml", s.Barred(nebula.Target{Path: "pyproject.toml", Kind: "edit"}))
		program, runs := strings.CutPrefix(what, "run ")
		if runs && (s.ForbiddenAct("run", program+" test") == "" || s.ForbiddenAct("run", "ls") != "") || !runs && what == "nothing" && s.ForbiddenAct("run", "npm test")+s.ForbiddenAct("run", "git log") != "" {
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
