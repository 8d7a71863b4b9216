package tool_test

import (
	"strings"
	"testing"

	"nebula/internal/tool"
)

// A prompt that was copied with a command is none of its words: what is shown, and what runs, is the command.
func TestPromptsAreNoPartOfACommand(t *testing.T) {
	needShell(t)
	for line, want := range map[string]string{ // what is proposed; empty where it is asked for again
		"$ echo new > README.md":                            "echo new > README.md",
		"  $   echo new > README.md\n":                      "echo new > README.md\n",
		"% echo new > README.md":                            "echo new > README.md",
		"❯ echo new > README.md":                            "echo new > README.md",
		"➜ echo new > README.md":                            "echo new > README.md",
		"me@host:~/src$ echo new > README.md":               "echo new > README.md",
		"root@2f1c:/app# echo new > README.md":              "echo new > README.md",
		"[me@host src]$ echo new > README.md":               "echo new > README.md",
		"(venv) $ echo new > README.md":                     "echo new > README.md",
		"bash-5.2$ echo new > README.md":                    "echo new > README.md",
		"PS /home/me> echo new > README.md":                 "echo new > README.md",
		"$ echo a > b\n$ echo new > README.md":              "echo a > b\necho new > README.md",
		"$ cat > README.md <<'EOF'\nnew\nEOF":               "cat > README.md <<'EOF'\nnew\nEOF",
		"$ echo new \\\n  > README.md":                      "echo new \\\n  > README.md",
		"$ for i in 1 2; do\n  echo $i\ndone > README.md":   "for i in 1 2; do\n  echo $i\ndone > README.md",
		"$ ls\nREADME.md\n$ echo new > README.md":           "",
		"$ echo new \\\n> README.md":                        "",
		"> sh gen.sh > README.md":                           "",
		"> sh README.md":                                    "",
		"$HOME/bin/gen > README.md":                         "$HOME/bin/gen > README.md",
		"$(command -v echo) new > README.md":                "$(command -v echo) new > README.md",
		"> README.md":                                       "> README.md",
		"> out.txt echo new":                                "> out.txt echo new",
		"# a remark\necho new > README.md":                  "# a remark\necho new > README.md",
		"(cd src && echo new) > README.md":                  "(cd src && echo new) > README.md",
		"[ -f a ] && echo new > README.md":                  "[ -f a ] && echo new > README.md",
		"git log --format='%an <%ae>' me@host..HEAD":        "git log --format='%an <%ae>' me@host..HEAD",
		"ssh me@host '$ ls'":                                "ssh me@host '$ ls'",
		"cat > README.md <<'EOF'\n$ npm install\nwait\nEOF": "cat > README.md <<'EOF'\n$ npm install\nwait\nEOF",
	} {
		for _, name := range []string{"executeShell", "runTests"} {
			f := newFolder(t, tool.Options{}, map[string]string{"README.md": "what stood there\n"})
			p, err := f.propose(name, args{"command": line})
			if want == "" {
				if err == nil || !strings.Contains(err.Error(), "terminal") {
					t.Errorf("%s %q: proposes %q, %v", name, line, p.Command, err)
				}
				continue
			}
			if err != nil || p.Command != want {
				t.Errorf("%s %q: proposes %q, %v", name, line, p.Command, err)
			}
		}
	}
}

// What a terminal shows before a command makes the shell empty the file that the command writes.
func TestPromptsEmptyNothing(t *testing.T) {
	needShell(t)
	f := newFolder(t, tool.Options{}, map[string]string{"README.md": "what stood there\n"})
	f.must("executeShell", args{"command": "$ echo new > README.md"})
	if got := f.text("README.md"); got != "new\n" {
		t.Errorf("README.md is %q", got)
	}
}
