package gate

import (
	"strings"
	"testing"

	"nebula"
)

func onView(line string, risks ...string) nebula.Proposal {
	return nebula.Proposal{Action: nebula.Action{Tool: "executeShell"}, Effect: nebula.Write, Ran: line, Risks: risks, Targets: []nebula.Target{{Path: "x", Kind: "edit", After: "h", Add: 1}}}
}

// What is allowed from now on is the line as it is parsed, and never what runs something that the line does not show.
func TestARuleIsWhatWasSeen(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...":                "go test …",
		"go  test -race ./a":           "go test -race …",
		"pytest tests":                 "pytest …",
		"npm test":                     "npm test",
		"make test":                    "make test",
		"go generate ./...":            "",
		"go test -exec evil ./...":     "",
		"go test ./... && ls":          "go test ./... && ls",
		"FOO=1 go test ./...":          "FOO=1 go test ./...",
		"mkdir -p out":                 "mkdir -p out",
		"bash -c 'make'":               "",
		"sh build.sh":                  "",
		"./build.sh":                   "",
		"python -c 'print(1)'":         "",
		"python3 build.py":             "",
		"env go test ./...":            "",
		"xargs go test":                "",
		"timeout 5 go test":            "",
		"find . -exec cat {} +":        "",
		"find . -delete":               "",
		"git -c core.pager=x log":      "",
		"sudo make":                    "",
		"rm -rf build":                 "",
		"eval make":                    "",
		"$CMD":                         "",
		"make $(cat x)":                "",
		"cat <(ls)":                    "",
		"unknown-program":              "",
		"go test ./... | sh":           "",
		"awk 'BEGIN{system(\"x\")}' f": "",
		"gofmt -l .":                   "gofmt -l .",
		"grep -n x main.go":            "grep -n x main.go",
		"cat main.go":                  "cat main.go",
		"date +%s":                     "date +%s",
		"git status":                   "git status",
		"sed -n 1p main.go":            "sed -n 1p main.go",
		"cd sub":                       "cd sub",
		"cargo":                        "cargo",
		"eslint src":                   "eslint …",
	} {
		r, ok := RuleOf(onView(line))
		if got := r.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q %v", line, got, ok)
		}
	}
	for _, risk := range []string{nebula.Unconfined, nebula.Background, nebula.Feeds} {
		if _, ok := RuleOf(onView("go test ./...", risk)); ok {
			t.Errorf("%s has a rule", risk)
		}
	}
	if _, ok := RuleOf(nebula.Proposal{Effect: nebula.Execute, Command: "go test ./..."}); ok {
		t.Error("what may be in no box has a rule")
	}
}

// A rule covers the same command on other files, and none that is told to do more.
func TestARuleCoversNoMoreThanItSays(t *testing.T) {
	rule, _ := RuleOf(onView("go test -race ./a"))
	for line, want := range map[string]bool{
		"go test ./b": true, "go test -race ./...": true, "go test": true,
		"go test -exec ./evil ./a": false, "go test -cover ./a": false, "go vet ./a": false, "go test ./a; ls": false, "go test ./a > out": false, "A=1 go test ./a": false,
		"go test ../elsewhere": false, "gotest ./a": false, "go test ./a && rm -rf b": false, "go test $X": false, "/tmp/go test ./a": false, "go test ./a &": false,
	} {
		if got := rule.Covers(onView(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	elsewhere := onView("go test -race ./a")
	if elsewhere.Action.Tool = "runTests"; rule.Covers(elsewhere) {
		t.Error("another tool is allowed")
	}
	if exact, _ := RuleOf(onView("cat a")); exact.Covers(onView("cat b")) || exact.Covers(onView("eslint a")) || !exact.Covers(onView("cat a")) {
		t.Error("a line is more than itself")
	}
	if lint, _ := RuleOf(onView("eslint a")); lint.Covers(onView("tsc a")) || lint.Covers(onView("cat a")) || !lint.Covers(onView("eslint b")) {
		t.Error("a program is more than itself")
	}
	reaches := string(nebula.NewCode(nebula.Reaches, "a.example:443"))
	if rule.Covers(onView("go test ./a", reaches)) {
		t.Error("it is let out of its box")
	}
	with, ok := RuleOf(onView("npm ci", reaches))
	if !ok || with.String() != "npm ci (+ a.example:443)" || with.Covers(onView("npm ci")) || !with.Covers(onView("npm ci", reaches)) {
		t.Errorf("%v %v", with, ok)
	}
}

// Words that choose what runs are part of what was seen: behind a target stands another, in whatever quotes, and behind a script what it is given.
// That holds for what was kept as open too.
func TestARuleCoversNoOtherTarget(t *testing.T) {
	for seen, others := range map[string]string{
		"make test":         `make test evil|make te""st evil|make evil|make test "evil"|make test e\vil|make test V=1|make -C sub test|make test -j2`,
		"make -n test":      "make test|make",
		"npm test":          "npm test evil|npm test -- --x|npm run evil",
		"npm run build":     "npm run evil|npm run build evil|npm run build -- --x|npm run build -w sub|npm run",
		"yarn build":        "yarn build evil|yarn evil",
		"just test":         "just test evil|just evil",
		"task test":         "task test evil",
		"rake test":         "rake test evil",
		"mvn test":          "mvn test deploy",
		"gradle test":       "gradle test evil",
		"coverage run a.py": "coverage run evil.py",
	} {
		rule, _ := RuleOf(onView(seen))
		for _, kept := range []Rule{rule, {Tool: "executeShell", Line: seen, Open: true}} {
			for line := range strings.SplitSeq(others, "|") {
				if kept.Covers(onView(line)) || strings.Contains(kept.String(), "…") {
					t.Errorf("%q covers %s", kept, line)
				}
			}
			if rule.Line != "" && !kept.Covers(onView(seen)) {
				t.Errorf("%q does not cover %s", kept, seen)
			}
		}
	}
}

// A rule keeps what its command did without being asked, and nothing that is at stake; it is offered at the gate by what it matches.
func TestARuleIsAsAnAlwaysThatLasts(t *testing.T) {
	p := onView("go test ./...")
	rule, ok := Lasting(p, nil)
	rules := Rules{Mode: nebula.AgentMode, Approve: Ask, Standing: []Rule{rule}}
	if v := Judge(rules, p); !ok || v.Ruling != nebula.Allow || v.Why != "allowed_here" {
		t.Errorf("%+v", v)
	}
	for _, approve := range []Approve{Ask, None} {
		rules.Approve, rules.Standing = approve, nil
		if v := Judge(rules, p); v.Ruling == nebula.Allow {
			t.Errorf("%+v", v)
		}
	}
	rules = Rules{Mode: nebula.AgentMode, Approve: Ask, Standing: []Rule{rule}}
	gone := p
	gone.Targets = []nebula.Target{{Path: "x", Kind: "delete", Hash: "h"}}
	if v := Judge(rules, gone); v.Ruling != nebula.AskFirst {
		t.Errorf("%+v", v)
	}
	if rules.Mode = nebula.PlanMode; Judge(rules, p).Ruling != nebula.Deny {
		t.Error("kept while planning")
	}
	if said := strings.Join(SayAll(Points(p, nil).Impact, "en"), "\n"); !strings.Contains(said, "from now on = go test … in this folder") {
		t.Error(said)
	}
	for _, text := range []string{"from now on", "これからずっと", "f"} {
		if a, _, clear := ReadAnswer(text); a != nebula.Here || !clear {
			t.Errorf("%s: %s", text, a)
		}
	}
}

// Of what a command did the person keeps what they name: with both ends of a move, the folders it needs, and nothing else.
func TestSomeOfWhatACommandDidIsChosen(t *testing.T) {
	p := nebula.Proposal{Ran: "make", Effect: nebula.Write, Targets: []nebula.Target{
		{Path: "a.go", Kind: "edit"}, {Path: "b.go", Kind: "edit"}, {Path: "new", Kind: "mkdir"}, {Path: "new/in", Kind: "mkdir"}, {Path: "new/in/c.go", Kind: "create", From: "old.go"},
		{Path: "old.go", Kind: "delete"}, {Path: "gone", Kind: "delete"}, {Path: "out.o", Kind: "create", Ignored: true},
	}}
	for words, want := range map[string]string{
		"a.go": "a.go out.o", "new": "new new/in new/in/c.go old.go out.o", "old.go": "new new/in new/in/c.go old.go out.o", "./new/in/c.go, b.go": "b.go new new/in new/in/c.go old.go out.o",
		"*.go": "a.go b.go new new/in new/in/c.go old.go out.o", "out.o": "", "../a.go": "", "ne": "", "nothing": "",
	} {
		chosen, fits := Chosen(p, words)
		var paths []string
		for _, c := range chosen.Targets {
			paths = append(paths, c.Path)
		}
		if got := strings.Join(paths, " "); fits != (want != "") || fits && got != want {
			t.Errorf("%s: %q %v", words, got, fits)
		}
	}
	for text, want := range map[string]string{"keep a.go b/": "a.go b/", "残す a.go": "a.go", "Keep only a.go": "a.go", "keep": "", "keep it?": "", "keep going…": "", "do not keep a.go": ""} {
		if a, paths, _ := ReadAnswer(text); (a == nebula.Some) != (want != "") || a == nebula.Some && paths != want {
			t.Errorf("%s: %s %q", text, a, paths)
		}
	}
}

// A cache that says to leave itself out steers nobody; what a project leaves out and others read does.
func TestACachesOwnIgnoreFileSteersNobody(t *testing.T) {
	rules := Rules{Mode: nebula.AgentMode, Approve: Edits}
	cache := []nebula.Target{{Path: ".pytest_cache", Kind: "mkdir", Ignored: true}, {Path: ".pytest_cache/CACHEDIR.TAG", Kind: "create", Ignored: true}, {Path: ".pytest_cache/.gitignore", Kind: "create", Ignored: true}}
	for name, c := range map[string]struct {
		targets []nebula.Target
		steers  bool
	}{
		"a cache":                        {cache, false},
		"ignored by a rule for its name": {[]nebula.Target{{Path: "sub", Kind: "mkdir"}, {Path: "sub/.gitignore", Kind: "create", Ignored: true}}, true},
		"in the folder itself":           {[]nebula.Target{{Path: ".gitignore", Kind: "create", Ignored: true}}, true},
		"another beside it":              {append(cache[:3:3], nebula.Target{Path: ".pytest_cache/.envrc", Kind: "create", Ignored: true}), true},
	} {
		v := Judge(rules, nebula.Proposal{Ran: "pytest -q", Effect: nebula.Write, Targets: c.targets})
		if got := v.Ruling != nebula.Allow; got != c.steers {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// What was moved is not deleted.
func TestWhatIsMovedIsNotDeleted(t *testing.T) {
	moved := nebula.Proposal{Ran: "mv a b", Effect: nebula.Write, Targets: []nebula.Target{{Path: "a", Kind: "delete", Hash: "h"}, {Path: "b", Kind: "create", After: "h", From: "a"}}}
	if v := Judge(Rules{Mode: nebula.AgentMode, Approve: Edits}, moved); v.Ruling != nebula.Allow {
		t.Errorf("%+v", v)
	}
	if said := strings.Join(SayAll(Points(moved, nil).Impact, "en"), "\n"); !strings.Contains(said, "moves 1 file") || strings.Contains(said, "deletes") || strings.Contains(said, "creates") {
		t.Error(said)
	}
	moved.Targets[1].From = ""
	if v := Judge(Rules{Mode: nebula.AgentMode, Approve: Edits}, moved); v.Ruling != nebula.AskFirst {
		t.Errorf("%+v", v)
	}
}
