package state

import (
	"strings"
	"testing"

	"nebula"
)

// heldBy is which words hold a path, or a command's line, that is changed, read or run in a folder, by what a bar is of.
func heldBy(b Bar, dir, path string) string {
	s := State{Denies: []Bar{b}, Dir: dir}
	s.Turn.Number = 1
	switch b.Act {
	case Look:
		return s.Unread(nebula.Target{Path: path})
	case Run:
		return s.ForbiddenAct(Run, path)
	}
	return s.Barred(nebula.Target{Path: path, Kind: "edit"})
}

// A rule of settings holds for what it names, in the folder or anywhere in it, and for nothing else.
func TestWhatARuleOfSettingsHolds(t *testing.T) {
	for _, c := range []struct {
		rule, path string
		want       bool
	}{
		{"Read(./.env)", ".env", true},
		{"Edit", "a/b.go", true},
		{"Edit(*)", "b.go", true},
		{"Write", "b.go", true},
		{"Read(./.env)", "sub/.env", false},
		{"Read(./.env)", ".e*", true},
		{"Read(.env)", "sub/.env", true},
		{"Read(.env)", "env.go", false},
		{"Read(**/*.pem)", "a/b/c.pem", true},
		{"Read(./secrets/**)", "secrets/a/b", true},
		{"Read(/secrets/**)", "other/secrets/a", false},
		{"Read(//work/secrets/**)", "secrets/a", true},
		{"Grep(secrets/**)", "secrets/a", true},
		{"Read(./src/../secrets/**)", "secrets/a", true},
		{"Read(./src/../secrets/**)", "src/a", false},
		{"Read(./src/../a.txt)", "sub/a.txt", false},
		{"Read(//home/../work/secrets/**)", "secrets/a", true},
		{"Read(/src/../secrets/**)", "secrets/a", true},
		{"Read(.//secrets/**)", "secrets/a", true},
		{"Read(secrets\\/a.txt)", "secrets/a.txt", true},
		{"Edit(src/**)", "src/new.go", true},
		{"Edit(src/)", "src/deep/new.go", true},
		{"Write(src/**/*.go)", "src/deep/new.go", true},
		{"Edit(src/**/*.go)", "src/deep/new.txt", false},
		{"Edit(/src)", "lib/src/a.go", false},
		{"Edit(**)", "a.go", true},
		{"Bash(rm:*)", "rm a b c d", true},
		{"Bash(rm *)", "rm a", true},
		{"Bash(rm:*)", "? $x", true},
		{"Bash(*touch*)", "? r*", true},
		{"Bash(rm:*)", "rmdir a", false},
		{"Bash(git push:*)", "git push origin main now", true},
		{"Bash(git push:*)", "git status", false},
		{"Bash(*touch*)", "touch new", true},
		{"Bash(*touch*)", "git status", false},
		{"Bash(* touch *)", "touch new", true},
		{"Bash(git * --force)", "git push --force", true},
		{"Bash(git * --force)", "git push --force-with-lease", false},
		{"Bash(git * --force:*)", "git push --force origin", true},
		{"Bash(touch*x)", "git touch x", false},
		{"Bash(rm -rf:*)", "rm x -rf", true},
		{"Bash(rm -rf *)", "rm x y -fr", true},
		{"Bash(rm -fr:*)", "rm x -r -f", true},
		{"Bash(rm -r:*)", "rm x --recursive", true},
		{"Bash(rm -rf:*)", "rm x -f", false},
		{"Bash(rm -rf:*)", "rm x", false},
		{"Bash(rm -rf:*)", "ls x -rf", false},
		{"Bash(git push --force:*)", "git push origin -f", true},
		{"Bash(git push -f:*)", "git push --force", true},
		{"Bash(git push --force:*)", "git push origin", false},
		{"Bash(git push --force:*)", "git push --force-with-lease", false},
		{"Bash(git push --force:*)", "git push --follow-tags", false},
		{"Bash(git reset --hard:*)", "git reset head~1 --hard", true},
		{"Bash(git reset --hard:*)", "git reset --soft", false},
		{"Bash(git commit --no-verify:*)", "git commit -m x --no-verify", true},
		{"Bash(chmod -R:*)", "chmod 777 . -r", true},
		{"Bash(docker run --privileged:*)", "docker run x --privileged=true", true},
		{"Bash(find -delete:*)", "find . -type l -depth", false},
		{"Read(//work/**/x.txt)", "a/b/x.txt", true},
		{"Read(//**/x.txt)", "a/b/x.txt", true},
		{"Read(//w*/a/x.txt)", "a/x.txt", true},
		{"Read(//work)", "a/x.txt", true},
		{"Read(//work/**/x.txt)", "a/y.txt", false},
		{"Read", "a/x.txt", true},
		{"NotebookEdit", "a/x.go", false},
		{"NotebookEdit", "a/x.ipynb", true},
		{"NotebookRead", "x.go", false},
		{"NotebookRead", "x.ipynb", true},
		{"Read(*)", "x.txt", true},
	} {
		b, ok := RuledBar(c.rule, "/work")
		held := heldBy(b, "/work", c.path)
		if want := nebula.Denies + c.rule; !ok || (held == want) != c.want {
			t.Errorf("%s, %s: %q %v", c.rule, c.path, held, ok)
		}
	}
	for _, rule := range []string{"Bash", "Bash(npm test)", "WebFetch(domain:example.org)", "Read(~/.ssh/**)", "mcp__x__y", "Bash(*)", "Read(//other/**/x.txt)"} {
		if b, ok := RuledBar(rule, "/work"); ok {
			t.Errorf("%s: %+v", rule, b)
		}
	}
}

// A folder may not be made where a rule of settings lets nothing change; a sentence of the person's is of files.
func TestAFolderIsMadeWhereARuleLetsIt(t *testing.T) {
	ruled, _ := RuledBar("Edit(src/**)", "/work")
	said := Bar{Words: "Don't touch src.", Paths: []string{"/src"}}
	for at, want := range map[string]bool{"src": true, "src/new": true, "src/a/b": true, "lib": false} {
		for _, b := range []Bar{ruled, said} {
			s := State{Denies: []Bar{b}}
			if got := s.Barred(nebula.Target{Path: at, Kind: "mkdir"}) != ""; got != (want && b.ruled()) {
				t.Errorf("%s, %s: %v", at, b.Words, got)
			}
		}
	}
}

// A rule of settings in a folder above holds in the one that is worked in for what it names there, and for nothing else.
func TestWhatARuleOfSettingsAboveHolds(t *testing.T) {
	for _, c := range []struct {
		rule, path string
		want       bool
	}{
		{"Edit(sub/**)", "a.go", true},
		{"Edit(./sub/deep/**)", "deep/a.go", true},
		{"Edit(sub/deep/**)", "a.go", false},
		{"Edit(/sub)", "a.go", true},
		{"Edit(sub/)", "a.go", true},
		{"Edit(sub)", "a.go", true},
		{"Edit(s*)", "a.go", true},
		{"Edit(src/**)", "src/a.go", false},
		{"Edit(src/**)", "a.go", false},
		{"Edit(src)", "src/a.go", true},
		{"Edit(**/src/**)", "x/src/a.go", true},
		{"Edit(*/a.go)", "a.go", true},
		{"Edit(*/a.go)", "b/a.go", false},
		{"Edit(*.go)", "b/a.go", true},
		{"Edit(*.go)", "b/a.txt", false},
		{"Edit(**)", "a.go", true},
		{"Edit", "a.go", true},
		{"Read(./.env)", ".env", false},
		{"Read(.env)", ".env", true},
		{"Read(sub/.env)", ".env", true},
		{"Read(//w[1]/sub/.env)", ".env", false},
		{"Bash(rm:*)", "rm a", true},
	} {
		b, ok := RuledBar(RuledAbove(c.rule, "/w[1]", "/w[1]/sub"), "/w[1]/sub")
		held := heldBy(b, "/w[1]/sub", c.path)
		if (ok && held != "") != c.want {
			t.Errorf("%s, %s: %q %+v %v", c.rule, c.path, held, b, ok)
		}
	}
}

// A rule of settings holds for what its braces say, and as if there were no blanks in it.
func TestARuleOfSettingsIsReadAsItIsMeant(t *testing.T) {
	for rule, want := range map[string]string{
		"Read( ./a.txt )":        "Read(./a.txt)",
		"Read(*.{txt,md})":       "Read(*.{txt,md}) Read(*.txt) Read(*.md)",
		"Read({a,b}/{c,d{e,f}})": "Read(a/c) Read(b/de) Read(b/df)",
		"Bash(echo {a,b}:*)":     "Bash(echo {a,b}:*)",
		"Read(a}b{)":             "Read(a}b{)",
		"WebFetch":               "WebFetch",
		"Read({" + strings.Repeat("a,", 99) + "})": "Read({" + strings.Repeat("a,", 99) + "})",
	} {
		got := " " + strings.Join(Ruled(rule), " ") + " "
		for _, one := range strings.Split(want, ") ") {
			if !strings.Contains(got, " "+strings.TrimSuffix(one, ")")) {
				t.Errorf("%s: %s", rule, got)
			}
		}
		if !strings.Contains(want, ") ") && got != " "+want+" " {
			t.Errorf("%s: %s", rule, got)
		}
	}
}
