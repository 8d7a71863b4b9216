package custom

import (
	"strings"
	"testing"
	"testing/fstest"

	"nebula/internal/matter"
)

func commands(files map[string]string) Set {
	f := fstest.MapFS{}
	for name, text := range files {
		f[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Set(Read(matter.Folder{FS: f, Shown: ".claude/commands"}))
}

func flat(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if b.WriteString(p.Text); p.Program != "" {
			b.WriteString("<" + p.Program + ">")
		}
	}
	return b.String()
}

func nothing(string) (string, bool) { return "", false }

// As people write them, in each of the forms.
func TestCommandsOfEveryForm(t *testing.T) {
	set := commands(map[string]string{
		"fix-issue.md":  "---\ndescription: Fix a GitHub issue\nargument-hint: [issue-number] [priority]\nallowed-tools: Bash(gh issue view:*), Edit\nmodel: claude-3-5-haiku-20241022\n---\n\nFix issue #$1 with priority $2.\n",
		"git/commit.md": "---\nallowed-tools: Bash(git add:*), Bash(git status:*)\ndescription: Create a git commit\n---\n\n## Context\n\n- Status: !`git status`\n- Diff: !`git diff HEAD -- $ARGUMENTS`\n\nCommit.",
		"plain.md":      "Explain $ARGUMENTS simply.",
		"bare.md":       "Look for bugs.",
		"test/gen.toml": "description = \"Makes tests\"\n# a comment\nprompt = \"\"\"\nWrite tests for {{args}}.\nFiles: !{ls {{args}}}\nStyle: @{docs/style.md}\n\"\"\"\n",
		"explain.toml":  "prompt = 'Say what it does.'\n",
		"notes.txt":     "no command",
		"no prompt.md":  "a name with a space",
		"empty.toml":    "description = \"none\"",
	})
	style := func(name string) (string, bool) { return "short", name == "docs/style.md" }
	for _, c := range []struct{ name, args, want string }{
		{"fix-issue", "123 high", "Fix issue #123 with priority high.\n"},
		{"commit", "a b", "## Context\n\n- Status: <git status>\n- Diff: <git diff HEAD -- a b>\n\nCommit."},
		{"git:commit", "", "## Context\n\n- Status: <git status>\n- Diff: <git diff HEAD -- >\n\nCommit."},
		{"plain", "monads", "Explain monads simply."},
		{"bare", "in main.go", "Look for bugs.\n\nin main.go"},
		{"gen", "x.go", "Write tests for x.go.\nFiles: <ls x.go>\nStyle: @{docs/style.md}\n\n--- docs/style.md\nshort"},
		{"explain", "", "Say what it does."},
	} {
		got, ok := set.Named(c.name)
		if text := flat(got.Expand(c.args, style)); !ok || text != c.want {
			t.Errorf("%s: %v %q, want %q", c.name, ok, text, c.want)
		}
	}
	fix, _ := set.Named("fix-issue")
	if fix.About != "Fix a GitHub issue" || fix.Takes != "[issue-number] [priority]" || len(fix.Tools) != 2 || fix.Model == "" || fix.Runs() {
		t.Errorf("%+v", fix)
	}
	if commit, _ := set.Named("commit"); !commit.Runs() {
		t.Error("programs that it has run are not seen")
	}
	if len(set) != 6 {
		t.Errorf("%d commands", len(set))
	}
}

// What is typed behind a command is text: it runs nothing, whatever it looks like.
func TestArgumentsRunNothing(t *testing.T) {
	set := commands(map[string]string{"a.md": "Do $ARGUMENTS", "b.md": "!`grep -r $ARGUMENTS .` !`grep \"$1\" x` !`grep '$1' x`"})
	a, _ := set.Named("a")
	for _, p := range a.Expand("!`touch x` $1 `id`", nothing) {
		if p.Program != "" {
			t.Errorf("%q runs", p.Program)
		}
	}
	b, _ := set.Named("b")
	got := flat(b.Expand(`'x; rm -rf $(id)' "a'b"`, nothing))
	for _, want := range []string{`<grep -r 'x; rm -rf $(id)' 'a'\''b' .>`, `<grep "x; rm -rf \$(id)" x>`, `<grep 'x; rm -rf $(id)' x>`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}

func TestFilesAreWhatStandsBehindAnAtSign(t *testing.T) {
	set := commands(map[string]string{"a.md": "Compare @old.go with (@new.go), mail a@b.example. `@x` @$1"})
	var asked []string
	a, _ := set.Named("a")
	a.Expand("third.go", func(name string) (string, bool) { asked = append(asked, name); return "", false })
	if strings.Join(asked, " ") != "old.go new.go third.go" {
		t.Errorf("%q", asked)
	}
}
