package advice

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// tree finds advice in files by their paths in the work folder; those under above/ stand around it.
func tree(files map[string]string, room int) *Finder {
	place := func(shown, dir string) Place {
		return Place{Shown: shown, Read: func(name string) ([]byte, bool) {
			text, ok := files[dir+name]
			return []byte(text), ok
		}}
	}
	return &Finder{
		Around: []Place{place("~/", "above/"), place("", "")},
		Below:  func(dir string) Place { return place(dir+"/", dir+"/") },
		Count:  func(text string) int { return len(strings.Fields(text)) },
		Room:   room,
	}
}

func paths(files []File) (paths []string) {
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}

func TestTheNearestStandsLast(t *testing.T) {
	f := tree(map[string]string{"above/AGENTS.md": "a", "CLAUDE.md": "b", "GEMINI.md": "x", "web/AGENTS.md": "c", "web/ui/.cursorrules": "d", "cmd/AGENTS.md": "e"}, 100)
	for _, c := range []struct {
		touched []string
		want    string
	}{
		{nil, "~/AGENTS.md CLAUDE.md"},
		{[]string{"main.go", "/etc/passwd", "../up.go"}, "~/AGENTS.md CLAUDE.md"},
		{[]string{"web/ui/a.ts", "web/b.ts"}, "~/AGENTS.md CLAUDE.md web/AGENTS.md web/ui/.cursorrules"},
		{[]string{"web/b.ts", "cmd/x.go"}, "~/AGENTS.md CLAUDE.md cmd/AGENTS.md web/AGENTS.md"},
	} {
		if got := strings.Join(paths(f.For(c.touched)), " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.touched, got, c.want)
		}
	}
}

// A person's own file stands behind CLAUDE.md and gives way as that does, what is kept in the folder of another agent counts as beside it, and an
// override goes before.
func TestAPersonsOwnStandsBehindWhatAllShare(t *testing.T) {
	files := map[string]string{
		"CLAUDE.md": "a @rules.md", "CLAUDE.local.md": "mine @rules.md @~/else.md", "rules.md": "r", "web/CLAUDE.local.md": "w", "~/else.md": "never", "else.md": "never",
		"cmd/.claude/CLAUDE.md": "c @more.md", "cmd/.claude/more.md": "m", "lib/AGENTS.override.md": "o", "lib/AGENTS.md": "never", "lib/CLAUDE.local.md": "never",
		"doc/AGENTS.md": "d", "doc/CLAUDE.md": "never", "doc/CLAUDE.local.md": "never",
	}
	got := tree(files, 100).For([]string{"web/a.ts", "cmd/x.go", "lib/y.go", "doc/z.md"})
	want := []string{"rules.md", "CLAUDE.md", "CLAUDE.local.md", "cmd/.claude/more.md", "cmd/.claude/CLAUDE.md", "doc/AGENTS.md", "lib/AGENTS.override.md", "web/CLAUDE.local.md"}
	if !slices.Equal(paths(got), want) {
		t.Errorf("%v, want %v", paths(got), want)
	}
	if got := got[2].Missing; !slices.Equal(got, []string{"~/else.md"}) {
		t.Errorf("what lies elsewhere is not named: %q", got)
	}
}

// A file of another program that gives way is named, but for one that says the same or names what is read.
func TestWhatGivesWayIsKnown(t *testing.T) {
	files := map[string]string{
		"AGENTS.md": "a @CLAUDE.md", "CLAUDE.md": "c", "CLAUDE.local.md": "mine", "GEMINI.md": "@AGENTS.md", ".cursorrules": "r",
		"web/AGENTS.md": "w", "web/CLAUDE.md": "w\n", "web/CLAUDE.local.md": "mine", "web/.github/copilot-instructions.md": "p",
		"lib/AGENTS.override.md": "o", "lib/AGENTS.md": "never", "doc/AGENTS.md": "@.cursorrules", "doc/.cursorrules": "r",
	}
	var all []string
	for _, f := range tree(files, 100).For([]string{"web/a", "lib/b", "doc/c"}) {
		all = append(all, fmt.Sprint(f.Path, f.Unread))
	}
	want := []string{"CLAUDE.md[]", "AGENTS.md[.cursorrules]", "CLAUDE.local.md[]", "doc/.cursorrules[]", "doc/AGENTS.md[]", "lib/AGENTS.override.md[]",
		"web/AGENTS.md[web/.github/copilot-instructions.md web/CLAUDE.local.md]"}
	if !slices.Equal(all, want) {
		t.Errorf("%q", all)
	}
}

// A file that says nothing is as none: it hides no other.
func TestAnEmptyFileHidesNothing(t *testing.T) {
	f := tree(map[string]string{"AGENTS.md": " \n\n", "CLAUDE.md": "c", "~/AGENTS.md": ""}, 100)
	if got := f.For(nil); !slices.Equal(paths(got), []string{"CLAUDE.md"}) || got[0].Unread != nil {
		t.Errorf("%+v", got)
	}
}

// A person's own file leaves the one beside it half of the room, or what that needs.
func TestAPersonsOwnPushesNothingOut(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("a line\n", n) }
	probe := tree(map[string]string{"CLAUDE.md": lines(1)}, 1000)
	one := probe.Count(lines(1))
	for _, c := range []struct{ shared, own, wantShared, wantOwn int }{
		{10, 200, 10, 90}, {60, 99, 50, 50}, {600, 60, 40, 50}, {600, 10, 40, 10}, {40, 60, 40, 60},
	} {
		got := tree(map[string]string{"CLAUDE.md": lines(c.shared), "CLAUDE.local.md": lines(c.own)}, 100*one).For(nil)
		if len(got) != 2 || got[0].Lines < c.wantShared*3/4 || got[1].Lines < min(c.own, c.wantOwn)*3/4 && c.own <= 100 {
			t.Errorf("%+v: %d lines and %d", c, got[0].Lines, got[1].Lines)
		}
	}
}

// The person's own is the first of their homes that has any, and nothing is read before it is asked for.
func TestTheFirstHomeThatHasAnyCounts(t *testing.T) {
	f, reads := tree(map[string]string{"AGENTS.md": "a"}, 100), map[string]int{}
	for _, name := range []string{"none", "one", "two"} {
		f.Homes = append(f.Homes, Place{Shown: name + "/", Read: func(file string) ([]byte, bool) {
			reads[name]++
			return []byte(name), name != "none" && file == "CLAUDE.md"
		}})
	}
	f.For(nil)
	if got := paths(f.For(nil)); !slices.Equal(got, []string{"one/CLAUDE.md", "AGENTS.md"}) || reads["two"] > 0 || reads["none"] != len(Names)+1 {
		t.Errorf("%v, %v", got, reads)
	}
}

// Of a file that is a little too long a little is cut, of one far too long most; of a huge one the beginning is told.
func TestWhatIsCutGrowsWithTheFile(t *testing.T) {
	for words, want := range map[int]int{1000: 1000, 1100: 900, 1500: 500, 3000: 400, 200_000: 400} {
		f := tree(map[string]string{"AGENTS.md": strings.Repeat("word\n", words)}, 1000).For(nil)[0]
		if f.Lines != want || f.Lines+f.Left != words {
			t.Errorf("%d words: %d lines are told, %d are not", words, f.Lines, f.Left)
		}
	}
}

func TestWhatIsToldDoesNotChange(t *testing.T) {
	files := map[string]string{"AGENTS.md": "first"}
	f := tree(files, 100)
	f.For(nil)
	files["AGENTS.md"] = "second"
	if got := f.For(nil)[0].Text; got != "first\n" {
		t.Errorf("told %q", got)
	}
}

func TestWhatHasRoomIsCountedOnce(t *testing.T) {
	f, counted := tree(map[string]string{"AGENTS.md": "a", "web/AGENTS.md": "b"}, 100), 0
	count := f.Count
	f.Count = func(text string) int { counted++; return count(text) }
	for range 3 {
		f.For([]string{"web/a/b/x.go", "web/a/c/y.go"})
	}
	if counted != 2 {
		t.Errorf("two files were counted %d times", counted)
	}
}

func TestFilesAreBroughtInOnceAndBeforeWhatNamesThem(t *testing.T) {
	files := map[string]string{
		"AGENTS.md": "See @a.md, (and @b.md). Not `@code.md`, me@mail.md, @/abs.md, @~/home.md, @gone.md.\n```\n@fenced.md\n```\n",
		"a.md":      "@sub/c.md @AGENTS.md", "b.md": "@sub/c.md", "sub/c.md": "@d.md", "sub/d.md": "deep",
		"code.md": "x", "mail.md": "x", "fenced.md": "x",
	}
	if got, want := paths(tree(files, 100).For(nil)), []string{"sub/d.md", "sub/c.md", "a.md", "b.md", "AGENTS.md"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	chain := map[string]string{"AGENTS.md": "@1.md"}
	for i := 1; i < 50; i++ {
		chain[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("@%d.md", i+1)
	}
	if got := paths(tree(chain, 100).For(nil)); len(got) != deepest+1 {
		t.Errorf("a chain brings in %v", got)
	}
}

func TestBroughtInFilesHaveABound(t *testing.T) {
	files, text := map[string]string{".git/config": "x", ".env": "x", "sub/.x/a.md": "x", ".claude/a.md": "for agents"}, "@.git/config @.env @sub/.x/a.md @.claude/a.md "
	for i := range 1000 {
		text += fmt.Sprintf("@%d.md ", i)
		files[fmt.Sprintf("%d.md", i)] = strings.Repeat("word ", 50)
	}
	files["AGENTS.md"] = text
	got := tree(files, 2000).For(nil)
	if len(got) != widest+1 || got[0].Path != ".claude/a.md" || got[widest].Path != "AGENTS.md" {
		t.Errorf("%v", paths(got))
	}
	// What is left out stands in the file that names it, and is not named again.
	if got := tree(files, 1100).For(nil); len(got) > 4 {
		t.Errorf("%v", paths(got))
	}
}

func TestWhatHasNoRoomIsCutAtALine(t *testing.T) {
	long := strings.Repeat("three words here\n", 100)
	files := tree(map[string]string{"above/AGENTS.md": "own words", "AGENTS.md": long}, 50).For(nil)
	if len(files) != 2 || files[0].Left != 0 || files[1].Lines != 6 || files[1].Left != 94 || files[1].Text != strings.Repeat("three words here\n", 6) {
		t.Errorf("%+v", files)
	}
	if files := tree(map[string]string{"above/AGENTS.md": long, "AGENTS.md": strings.Repeat("word ", 50)}, 50).For(nil); files[0].Lines != 0 || files[0].Left != 100 || files[1].Left != 0 {
		t.Errorf("%+v", files)
	}
	if files := tree(map[string]string{"AGENTS.md": "a"}, 0).For(nil); files != nil {
		t.Errorf("%+v without room", files)
	}
}

func TestNothingIsToldThatNobodyCouldRead(t *testing.T) {
	hidden := "\ufeffOne\r\n\u202etwo\u200b\U000e0041\u00a0three\x1b[2J\xff"
	if got := tree(map[string]string{"AGENTS.md": hidden}, 100).For(nil)[0].Text; got != "One\ntwo three[2J\n" {
		t.Errorf("%q", got)
	}
	if got := tree(map[string]string{"AGENTS.md": " \n"}, 100).For(nil); len(got) != 0 {
		t.Errorf("an empty file is told: %+v", got)
	}
}

// A document that is named and not there is told of; a person's or a package's name is none.
func TestWhatIsNamedAndNotThereIsKnown(t *testing.T) {
	f := tree(map[string]string{
		"AGENTS.md": "See @missing.md, @there.md and @../out.md, @.env.txt, twice @missing.md.\nAsk @someone about @types/node, `@quoted.md`.\n",
		"there.md":  "@deeper.MD\n",
	}, 100)
	var missing []string
	for _, file := range f.For(nil) {
		missing = append(missing, file.Path+": "+strings.Join(file.Missing, " "))
	}
	if want := []string{"there.md: deeper.MD", "AGENTS.md: missing.md ../out.md .env.txt"}; !slices.Equal(missing, want) {
		t.Errorf("%q", missing)
	}
}
