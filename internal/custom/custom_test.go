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
	if len(set) != 7 {
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

// Arguments in each of the ways in which people name them, and what is no place for one.
func TestArgumentsAsEachProgramNamesThem(t *testing.T) {
	for _, c := range []struct{ folder, body, args, want string }{
		{".claude/commands", "Migrate $0 from $1 to $2.", `"search bar" React Vue`, "Migrate search bar from React to Vue."},
		{".claude/commands", "Migrate $ARGUMENTS[0] from $ARGUMENTS[1].", "bar React", "Migrate bar from React."},
		{".claude/commands", "Fix #$1 with $2.", "7 high", "Fix #7 with high."},
		{".claude/commands", "---\narguments: [issue, branch]\n---\nFix $issue on $branch-fix, not $branches.", "42 auth", "Fix 42 on auth-fix, not $branches."},
		{".claude/commands", "---\narguments: old-name new-name\n---\n$old-name to $new-name; $0.", "a b", "a to b; a."},
		{".claude/commands", "It costs $5.99 or $100; \\$1 is a word, $1 its value.", "x", "It costs $5.99 or $100; $1 is a word, x its value."},
		{".claude/commands", "Look at @src/$1.tsx.", "App and say why", "Look at @src/App.tsx.\n\nand say why"},
		{".claude/commands", "Size: !`git log | awk '{print $1}'` !`head -n $1 x`", "", "Size: <git log | awk '{print $1}'> <head -n $1 x>"},
		{".claude/commands", "Now:\n```!\ngit status\nls $0\n```\nGo.", "src", "Now:\n<git status\nls src>\nGo."},
		{".claude/commands", "Write `!`cmd`` or KEY=!`cmd`.", "", "Write `!`cmd`` or KEY=!`cmd`."},
		{".opencode/commands", "Create $1 in $2", "Button src/ui with tests", "Create Button in src/ui with tests"},
		{".opencode/commands", "Explain: $1", "how auth works", "Explain: how auth works"},
		{".codex/prompts", "Review $FILE for $FOCUS, $HOME stays, $$1 too.", `FILE=a.go FOCUS="data races"`, "Review a.go for data races, $HOME stays, $1 too."},
		{".claude/commands", "$0$1", "a b", "ab"},
	} {
		got := Read(matter.Folder{FS: fstest.MapFS{"c.md": {Data: []byte(c.body)}}, Shown: c.folder})
		if text := flat(got[0].Expand(c.args, nothing)); text != c.want {
			t.Errorf("%q with %q: %q, want %q", c.body, c.args, text, c.want)
		}
	}
}

func TestTablesOfTextsAsPeopleWriteThem(t *testing.T) {
	for source, want := range map[string]string{
		`prompt = "Say \"hi\" to {{args}}"`:                                                          `Say "hi" to x`,
		"description = \"a \\\"b\\\"\"\nprompt = '''\nUse \\n for {{ args }}'''":                     "Use \\n for x",
		"prompt = \"\"\"\nOne \\\ntwo.\n!{git log | awk '{print $1}'}\"\"\"\nother = 1":              "One two.\n<git log | awk '{print $1}'>\n\nx",
		"# mine\nprompt = \"\"\"!{\n  grep -r {{args}} .\n}\"\"\"\n[more]\nprompt = \"another one\"": "<grep -r x .>",
	} {
		got := commands(map[string]string{"c.toml": source})
		if len(got) != 1 {
			t.Errorf("%q: %d commands", source, len(got))
		} else if text := flat(got[0].Expand("x", nothing)); text != want {
			t.Errorf("%q: %q, want %q", source, text, want)
		}
	}
}

func TestCommandsOfASettingsFile(t *testing.T) {
	list := Listed([]byte("{// mine\n"+`"model": "x/y", "command": {"test": {"template": "Run the tests of $1.\nOutput: !`+"`npm test`"+
		`", "description": "Runs tests", "agent": "build", "subtask": true,}, "none": {"description": "no text"}},}`), "opencode.json", false)
	if len(list) != 2 || list[0].Flaw == nil || list[0].Flaw.Error() != "opencode.json: it has no text (command.none.template); add it there" {
		t.Fatalf("%+v", list)
	}
	if list = list[1:]; list[0].About != "Runs tests" || strings.Join(list[0].Left, " ") != "agent subtask" || !list[0].Runs() || list[0].Source() == "" {
		t.Fatalf("%+v", list)
	}
	if text := flat(list[0].Expand("a b", nothing)); text != "Run the tests of a b.\nOutput: <npm test>" {
		t.Errorf("%q", text)
	}
	if Listed([]byte(`{"command":[]}`), "f", true) != nil || Listed([]byte(`{`), "f", true) != nil {
		t.Error("what is no table of commands has some")
	}
}

// What cannot be read is there with why and where, and comes to nothing.
func TestWhatIsWrongWithACommandIsSaid(t *testing.T) {
	for file, tt := range map[string]struct{ text, want string }{
		"a.md":   {"---\ndescription: x\n---\n", "a.md: it has no text (prompt); add it there"},
		"b.md":   {"---\na: [x\n---\nDo.", "b.md:2: a quote or bracket that begins here is not closed; correct it there"},
		"c.toml": {"description = 'x'\n", "c.toml: it has no text (prompt); add it there"},
		"d.toml": {"# x\nprompt = \"Do\n", "d.toml:2: a quote or bracket that begins here is not closed; correct it there"},
		"e.toml": {"a = \"\"\"\nx\n\"\"\"\n\nprompt = \"\"\"Do\n", "e.toml:5: a quote or bracket that begins here is not closed; correct it there"},
		"f.toml": {"prompt: 'Do'\n", "f.toml:1: each line here is a name, = and a value; correct it there"},
		"g.toml": {"tags = [\n  'x',\n]\nprompt = 'Do'\n[more]\nx", ""},
	} {
		got, set := "", commands(map[string]string{file: tt.text})
		c, ok := set.Named(file[:1])
		if c.Flaw != nil {
			got = c.Flaw.Error()
		}
		if want := strings.Replace(tt.want, file, ".claude/commands/"+file, 1); !ok || got != want || (got != "") != (c.Body == "") {
			t.Errorf("%s: %v %q, want %q", file, ok, got, want)
		}
	}
}
