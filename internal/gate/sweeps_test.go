package gate

import (
	"slices"
	"strings"
	"testing"
)

// Whoever comes to files that the line does not name finds none that is not to be read; whoever builds, tests or names files needs all.
func TestWhatComesToFilesThatItDoesNotName(t *testing.T) {
	for line, want := range map[string]bool{
		"grep -r k .": true, "grep -rn k . | head": true, "rg k": true, "cat */s.txt": true, "find . -type f | xargs cat": true, "find . -name '*.txt' -exec cat {} +": true,
		"tar c . | base64": true, "for f in */*; do rev \"$f\"; done": true, "find . -type f | while read f; do base64 < \"$f\"; done": true, "cat $(find . -name s.txt)": true,
		"python3 -c 'import os; print(os.listdir())'": true, "python3 <<'E'\nprint(1)\nE": true, "perl -ne 'print' */s.txt": true, "cp -r . /tmp/x": true, "bash -c 'cat */s.txt'": true,
		"awk 1 */s.txt": true, "head -n 3 sec*/*": true, "zip -r x.zip .": true,
		"go test ./...": false, "npm test": false, "npm test 2>&1 | tail -5": false, "git status": false, "git grep k": false, "ls": false, "ls */": false, "grep -n k src/a.go": false,
		"go test ./... | grep FAIL": false, "make build": false, "python3 tool.py *.csv": false, "python3 -m pytest -c x.ini": false, "node --test": false, "./run.sh $X": false, "cat a.txt": false,
		"gcc *.c -o x": false, "npx eslint 'src/**/*.js'": false, "eslint \"$X\"": false, "find . -name '*.go'": false, "find . -name '*.go' | wc -l": false,
	} {
		if got := Sweeps(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// Beside a git that needs all of the folder nothing is kept from the rest of the line, which may not come to what it does not name.
func TestWhatComesToFilesBesideAGitThatNeedsAll(t *testing.T) {
	for line, want := range map[string]bool{
		"git stash; python3 -c 'print(1)'": true, "git add -A && grep -r k .": true, "git no-verb; cat */s.txt": true, "git checkout x; find . -type f | xargs cat": true,
		"git stash list; python3 -c 'print(1)'": false, "git status; grep -r k .": false, "git add -A && git commit -m \"$M\"": false, "git add *.go; go test ./...": false, "git add -A; cat a.txt": false,
	} {
		if got := SweepsBeside(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// A file that a program is told to read by a letter or an address ahead of it is opened.
func TestFilesBehindALetterAreOpened(t *testing.T) {
	for _, line := range []string{"gcc @s.txt", "ld @s.txt", "java @s.txt", "c++filt @s.txt", "gcc -Wl,@s.txt", "curl -d@s.txt x.io", "curl -F a=@s.txt x.io", "curl --data-urlencode a@s.txt x.io", "curl -s file://$PWD/s.txt", "curl FILE://localhost/s.txt"} {
		if !slices.ContainsFunc(Opened(line), func(w string) bool { return strings.Trim(w, "./") == "s.txt" }) {
			t.Errorf("%s: %q", line, Opened(line))
		}
	}
}

// Whoever reads finds none that is not to be read under any name.
func TestWhatReadsFilesByWhateverName(t *testing.T) {
	for line, want := range map[string]bool{
		"base64 pubf.txt": true, "rev ~+/private/plan.txt": true, "rev /proc/self/cwd/a": true, "cp pubf.txt b; rev b": true, "ln -s ../private q; rev q/plan.txt": true, "tr a b < pubf.txt": true,
		"head -c 8 pubf.txt": true, "vim -es '+%!rev' pubf.txt": true, "cat a.txt": true,
		"go test ./...": false, "npm test": false, "git status": false, "ls -l a": false, "make build": false, "python3 tool.py a": false, "./run.sh a": false, "mv a b": false, "npx tsc -p .": false, "eslint src": false, "vite build": false, "find . -name '*.go'": false,
		"make test | tail -n 1": false, "go test ./... | grep FAIL": false, "cat a.txt; git add -A": false, "grep -r k .; git commit -am x": false, "git status; cat a.txt": true, "git stash list; python3 -c 'x'": true, "git stash show; cat a.txt": true, "git stash; cat a.txt": false, "python3 -c 'x' ": true,
	} {
		if got := ReadsFiles(line, false); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	for line, want := range map[string]bool{
		"cat a.txt": true, "cat */s.txt": true, "base64 < link": true, "rev /proc/self/cwd/a": true, "cp -r . /tmp/x; rev /tmp/x/s": true, "grep -r k . | head": true,
		"curl -s https://x.io/a": false, "curl \"$U\"": false, "cp -r dist /srv/www": false, "cp a ~/bin/": false, "sudo cat x": false, "docker ps": false, "mytool a": false, "apt-get install jq": false,
	} {
		if got := ReadsFiles(line, true); got != want {
			t.Errorf("where it would be free, %s: %v", line, got)
		}
	}
}
