package skill

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// written as people write them: quotes, colons in sentences, folded lines, lists, no head at all.
var written = []struct{ name, file, about, tools string }{
	{"pdf", "---\nname: pdf\ndescription: Comprehensive PDF toolkit: extract text, merge, split. Use when Claude needs to fill in a PDF form.\nlicense: Proprietary. LICENSE.txt has complete terms\n---\n\n# PDF Processing Guide\n\nRead forms.md.\n", "Comprehensive PDF toolkit: extract text, merge, split. Use when Claude needs to fill in a PDF form.", ""},
	{"commit", "---\nname: commit\ndescription: >-\n  Writes a commit message\n  from the staged diff.\nallowed-tools: Bash(git add:*), Bash(git commit:*), Read\n---\nDo it.", "Writes a commit message from the staged diff.", "Bash(git add:*)|Bash(git commit:*)|Read"},
	{"review", "---\r\nname: 'review'\r\ndescription: \"Looks over code\"\r\nallowed-tools:\r\n  - Read\r\n  - Grep\r\nmetadata:\r\n  author: x\r\n---\r\nLook.\r\n", "Looks over code", "Read|Grep"},
	{"open-form", "---\nname: open-form\ndescription: open\nallowed-tools: Bash(git:*) Bash(jq:*) Read\n---\nx", "open", "Bash(git:*)|Bash(jq:*)|Read"},
	{"deploy", "---\nname: deploy\ndescription: Deploys.\nwhen_to_use: Use when a release is out.\ndisallowed-tools: Write, Bash(rm *)\nuser-invocable: false\nargument-hint: [env]\ncontext: fork\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n---\nx", "Deploys. Use when a release is out.", "*|!Write|!Bash"},
	{"bare", "# What it is for\n\ntext", "What it is for", ""},
}

func folder(name, file string) Folder {
	return Folder{FS: fstest.MapFS{File: {Data: []byte(file)}}, Name: name, Path: ".claude/skills/" + name}
}

func TestSkillsAreReadAsPeopleWriteThem(t *testing.T) {
	for _, w := range written {
		s, ok := Read(folder(w.name, w.file))
		if !ok || s.Name != w.name || s.About != w.about || strings.Join(s.Tools, "|") != w.tools || !s.Unasked {
			t.Errorf("%s: %v %+v", w.name, ok, s)
		}
	}
}

func TestWhatASkillsHeadSaysFurther(t *testing.T) {
	s, _ := Read(folder("deploy", written[4].file))
	if s.Typed || s.Takes != "[env]" || strings.Join(s.Left, " ") != "context hooks" {
		t.Errorf("typed %v, takes %q, left %q", s.Typed, s.Takes, s.Left)
	}
	if s, _ = Read(folder("pdf", written[0].file)); !s.Typed || s.Left != nil {
		t.Errorf("typed %v, left %q", s.Typed, s.Left)
	}
}

func TestANameIsNoPath(t *testing.T) {
	for _, name := range []string{"../up", "a/b", "..", ".hidden", "a b", strings.Repeat("a", 65)} {
		s, ok := Read(folder("plain", "---\nname: "+name+"\ndescription: d\n---\nbody"))
		if !ok || s.Name != "plain" {
			t.Errorf("%q became %q", name, s.Name)
		}
	}
	if _, ok := Read(folder("../up", "body")); ok {
		t.Error("a folder's name that is a path is a skill")
	}
}

func TestWhatNobodySeesIsNotTold(t *testing.T) {
	s, _ := Read(folder("a", "---\nname: a\ndescription: fine\u200b\u202e\U000E0041 text\n---\nbody\u200b\U000E0042 end"))
	if s.About != "fine text" || s.Body != "body end" {
		t.Errorf("%q %q", s.About, s.Body)
	}
}

func TestOnlyWhatIsForReadingRunsNothing(t *testing.T) {
	f := fstest.MapFS{File: {Data: []byte("body")}, "reference.md": {}, "LICENSE.txt": {}}
	if s, _ := Read(Folder{FS: f, Name: "a"}); s.Runs() {
		t.Error("texts run")
	}
	f["scripts/do"] = &fstest.MapFile{}
	if s, _ := Read(Folder{FS: f, Name: "a"}); !s.Runs() {
		t.Error("a script does not run")
	}
}

func TestResourcesLieBelowTheSkill(t *testing.T) {
	s, _ := Read(Folder{FS: fstest.MapFS{File: {Data: []byte("body")}, "ref/forms.md": {Data: []byte("forms")}}, Name: "a", Path: ".claude/skills/a"})
	for _, name := range []string{"ref/forms.md", "./ref/forms.md", ".claude/skills/a/ref/forms.md"} {
		if text, err := s.Resource(name); err != nil || text != "forms" {
			t.Errorf("%s: %q %v", name, text, err)
		}
	}
	for _, name := range []string{"../b", "ref/../../b", "/etc/passwd", ""} {
		if text, err := s.Resource(name); err == nil {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func count(s string) int { return len(s)/3 + 1 }

func TestAHundredSkillsAreTold(t *testing.T) {
	var shelf Shelf
	for i := range 100 {
		shelf = shelf.Add(Skill{Folder: Folder{Name: "x"}, Name: fmt.Sprintf("kind-of-work-%02d", i), About: strings.Repeat("does something at length with many words ", 5), Unasked: true})
	}
	shelf = shelf.Add(Skill{Name: "spreadsheet", About: "Reads and writes Excel spreadsheets with formulas", Unasked: true})
	text := shelf.Tell("add a formula to the Excel spreadsheet", "en", 600, count)
	if n := count(text); n > 600 {
		t.Errorf("%d tokens", n)
	}
	if !strings.Contains(text, "- spreadsheet: Reads and writes Excel") {
		t.Errorf("the one that fits is not told of:\n%s", text)
	}
	if !strings.Contains(text, "more") {
		t.Errorf("what was left out is not said:\n%s", text)
	}
	if got := shelf.Ranked("エクセル")[0].Name; got != "kind-of-work-00" {
		t.Errorf("nothing fits, and %s is first", got)
	}
}

func TestFewSkillsAreToldWholeAndNoneCostNothing(t *testing.T) {
	if text := (Shelf{}).Tell("x", "en", 600, count); text != "" {
		t.Errorf("%q", text)
	}
	shelf := Shelf{{Name: "b", About: "does b", Unasked: true}, {Name: "a", About: "does a", Unasked: true}, {Name: "c", About: "by hand only"}}
	one, other := shelf.Tell("a", "en", 600, count), shelf.Tell("b", "en", 600, count)
	if one != other || !strings.Contains(one, "- a: does a\n- b: does b\n") || strings.Contains(one, "- c") {
		t.Errorf("%q\n%q", one, other)
	}
}

func TestTheFirstOfANameCounts(t *testing.T) {
	shelf := Shelf{}.Add(Skill{Name: "pdf", About: "mine"}).Add(Skill{Name: "PDF", About: "the project's"})
	if s, ok := shelf.Named("Pdf"); !ok || s.About != "mine" || len(shelf) != 1 {
		t.Errorf("%+v", shelf)
	}
}
