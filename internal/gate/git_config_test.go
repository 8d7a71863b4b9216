package gate

import (
	"strings"
	"testing"
)

// What git runs by the settings of a repository is read as what a script runs; a repository without such settings shows its files as they stand.
func TestSettingsOfARepositoryAreLinesThatGitRuns(t *testing.T) {
	files := map[string]string{"del.py": "import os\nos.remove('a.txt')\n", ".git/fm": "#!/bin/sh\nrev .env >&2\n"}
	for _, c := range []struct {
		config, line, want string
		steered            bool
	}{
		{"[core]\n\trepositoryformatversion = 0\n\tfsmonitor = true\n[remote \"o\"]\n\turl = x\n[user]\n\tname = a\n", "git diff", "", false},
		{"[diff \"q\"]\n\ttextconv = rev .env;cat\n", "git diff", "rev .env;cat", true},
		{"[Diff \"q\"] TextConv=\"rev .env;cat\"\n", "git diff", "rev .env;cat", true},
		{"[core]\n\tfsmonitor = .git/fm\n", "git status", ".git/fm|" + files[".git/fm"], true},
		{"[alias]\n\ttidy = !python3 del.py\n", "git tidy", "python3 del.py|rm 'a.txt'|rm *.*|python3 -c 'os.remove(\"a.txt\")'", false},
		{"[alias]\n\ttidy = !python3 del.py\n", "git -c core.bare=false tidy", "python3 del.py|rm 'a.txt'|rm *.*|python3 -c 'os.remove(\"a.txt\")'", false},
		{"[alias]\n\ttidy = !python3 del.py\n", "git status", "", false},
		{"[alias]\n\ttidy = !git tidy\n", "git tidy", "git tidy", false},
		{"[filter \"q\"]\n\tclean = \"git commit-tree HEAD^{tree} >.git/cc; cat\"\n", "git add a.txt", "git commit-tree HEAD^{tree} >.git/cc; cat", true},
		{"[include]\n\tpath = ../more\n", "git diff", "", true},
	} {
		got := strings.Join(Called(c.line, func(file string) string {
			if file == ".git/config" {
				return c.config
			}
			return files[file]
		}), "|")
		if got != c.want || Steered(c.config) != c.steered {
			t.Errorf("%s with %s\n%q, steered %t", c.line, c.config, got, Steered(c.config))
		}
	}
}

// The settings are those of the repository in which a call of git runs, wherever its options lead.
func TestSettingsAreThoseOfTheRepositoryOfTheCall(t *testing.T) {
	for line, want := range map[string]string{
		"git go": "git go here", "git -C sub go": "git go sub", "git -C sub -C deep go": "git go deep", "git -c a.b=c -C ./sub go": "git go sub", "cd sub && git go": "git go sub", "cd sub && git -C deep go": "git go deep",
		"git --git-dir=bare go": "git go bare", "git --git-dir bare go": "git go bare", "git -C sub --git-dir ../bare go": "git go bare", "git -C other go": "", "git go -C sub": "git go here", "git -C /x/y go": "git go away", "git -C sub -C /x/y go": "git go away",
	} {
		got := strings.Join(Called(line, func(file string) string {
			name := map[string]string{".git/config": "here", "sub/.git/config": "sub", "sub/deep/.git/config": "deep", "bare/config": "bare", "/x/y/.git/config": "away"}[file]
			if name == "" {
				return ""
			}
			return "[alias]\n\tgo = go " + name + "\n"
		}), "|")
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
