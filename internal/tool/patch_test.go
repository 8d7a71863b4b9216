package tool_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

func TestPatchOfAnUnreadFileNeedsOneExactPlace(t *testing.T) {
	edit := func(old, new string) args { return args{"path": "f", "edits": []args{{"old": old, "new": new}}} }
	f := newFolder(t, tool.Options{}, map[string]string{"f": "one\n  two\ntwo\nthree  \nsecret\nfour\n"})
	for name, old := range map[string]string{"twice": "two", "looser": "three\nsecret", "nowhere": "secrets", "numbered": "1|one\n2|  two"} {
		m := f.mistaken("patchFile", edit(old, "x"))
		if !strings.Contains(m, `"f" was not read in this session. Read it with readFile first.`) || strings.Contains(m, "secret") {
			t.Errorf("%s: %s", name, m)
		}
		_, err := f.propose("patchFile", edit(old, "x"))
		var wrong *nebula.Mistake
		want := map[bool]string{true: `old stands 2 times in "f"`, false: `old is not in "f".`}[name == "twice"]
		if !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Said.String(), want) {
			t.Errorf("%s: the person reads %v", name, err)
		}
	}
	f.must("patchFile", edit("four", "4"))
	f.must("patchFile", edit("one", "1"))
	if got := f.text("f"); got != "1\n  two\ntwo\nthree  \nsecret\n4\n" {
		t.Errorf("%q", got)
	}
	if m := f.mistaken("editFile", args{"path": "f", "new_content": "all of it\n"}); !strings.Contains(m, "the others would be lost") {
		t.Error(m)
	}
	f.put(map[string]string{"f": "1\nseven\n"})
	f.must("patchFile", edit("seven", "7"))
	if m := f.mistaken("editFile", args{"path": "f", "new_content": "all of it\n"}); !strings.Contains(m, "the others would be lost") {
		t.Error(m)
	}
	f.must("readFile", args{"path": "f"})
	f.must("editFile", args{"path": "f", "new_content": "all of it\n"})
}

// A part of a line that was given as a whole one is found in an unread file, too, where it stands there once.
func TestPatchOfAnUnreadFileFindsAPartOfALine(t *testing.T) {
	for old, want := range map[string]string{"1 - 2\n": "x = (1 + 2) * y\n", "= \n": ""} {
		f := newFolder(t, tool.Options{}, map[string]string{"f": "x = (1 - 2) * y\n"})
		edit := args{"path": "f", "edits": []args{{"old": old, "new": "1 + 2\n"}}}
		if want == "" {
			f.mistaken("patchFile", edit)
			continue
		}
		f.must("patchFile", edit)
		if got := f.text("f"); got != want {
			t.Errorf("%q: %q", old, got)
		}
	}
}

func TestEachEditOfAPatchIsAnsweredForItself(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"f": "alpha\nbeta\nbeta\ngamma\ndelta\n"})
	f.must("readFile", args{"path": "f"})
	some := args{"path": "f", "edits": []args{{"old": "alpha", "new": "A"}, {"old": "beta", "new": "B"}, {"old": "gamna", "new": "C"}, {"old": "delta\n", "new": "D\n"}, {"old": "delta", "new": "E"}}}
	p, err := f.propose("patchFile", some)
	if err != nil || p.Summary != "edit f (+2 -2), 2 of 5 edits" || strings.Contains(p.Diff, "+B") {
		t.Errorf("%v: %q\n%s", err, p.Summary, p.Diff)
	}
	r := f.must("patchFile", some)
	if got := f.text("f"); got != "A\nbeta\nbeta\ngamma\nD\n" || r.Status != nebula.Failed || len(r.Changes) != 1 {
		t.Errorf("%q %+v", got, r)
	}
	for _, said := range []string{"Changed f (+2 -2 lines). Not made:", "old of edit 2 stands 2 times in \"f\", at lines 2, 3.", "old of edit 3 is not in \"f\".", "gamma", "Edit 5 is one of them", "Give only what was not made again."} {
		if !strings.Contains(r.Text, said) {
			t.Errorf("%q is not in %s", said, r.Text)
		}
	}
	if strings.Contains(r.Text, "edit 1 ") || strings.Contains(r.Text, "Nothing was changed") {
		t.Error(r.Text)
	}
	none := f.mistaken("patchFile", args{"path": "f", "edits": []args{{"old": "beta", "new": "B"}, {"old": "nothing like it", "new": "C"}}})
	if !strings.Contains(none, "old of edit 1 stands 2 times") || !strings.Contains(none, "old of edit 2 is not in") || !strings.HasSuffix(none, "Nothing was changed.") {
		t.Error(none)
	}
}

func TestReplaceAllIsEveryPlace(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"f": "a b\naa b\na\n"})
	all := func(old, new string, all any) args {
		return args{"path": "f", "edits": []args{{"old": old, "new": new, "replace_all": all}}}
	}
	if m := f.mistaken("patchFile", all("a", "x", true)); !strings.Contains(m, "was not read") {
		t.Error(m)
	}
	f.must("readFile", args{"path": "f"})
	if m := f.mistaken("patchFile", all("b", "x", false)); !strings.Contains(m, `"replace_all": true`) {
		t.Error(m)
	}
	if m := f.mistaken("patchFile", all("b", "x", "once")); !strings.Contains(m, "must be true or false") {
		t.Error(m)
	}
	f.must("patchFile", all("a", "xx", true))
	if got := f.text("f"); got != "xx b\nxxxx b\nxx\n" {
		t.Errorf("%q", got)
	}
	f.must("patchFile", all("xxx", "y", true))
	if got := f.text("f"); got != "xx b\nyx b\nxx\n" {
		t.Errorf("where it overlaps itself: %q", got)
	}
}

// Whether an edit fits tells what stands in a file: one that holds secrets is not looked at before it was read.
func TestAnEditTellsNothingOfASecretThatWasNotRead(t *testing.T) {
	f := newFolder(t, tool.Options{Secret: func(p string) bool { return p == ".env" }}, map[string]string{".env": "TOKEN=canary\n", "a.txt": "one\n"})
	if err := os.Symlink(".env", filepath.Join(f.d.Path(), "l.txt")); err != nil {
		t.Skip(err)
	}
	said := map[string]bool{}
	for _, old := range []string{"canary", "other", "TOKEN"} {
		for _, next := range []string{old, "x"} {
			for _, path := range []string{".env", "l.txt"} {
				_, err := f.propose("patchFile", args{"path": path, "edits": []args{{"old": old, "new": next}}})
				said[fmt.Sprint(err)] = true
			}
		}
		_, err := f.propose("editFile", args{"path": ".env", "new_content": old + "\n"})
		said[fmt.Sprint(err)] = true
	}
	if len(said) != 1 || said["<nil>"] {
		t.Errorf("%v", said)
	}
	f.must("readFile", args{"path": ".env"})
	if _, err := f.propose("patchFile", args{"path": ".env", "edits": []args{{"old": "canary", "new": "x"}}}); err != nil {
		t.Error(err)
	}
	if _, err := f.propose("patchFile", args{"path": "a.txt", "edits": []args{{"old": "one", "new": "x"}}}); err != nil {
		t.Error(err)
	}
}

// What came into a new text on its way is sent back; what a file rightly holds is not.
func TestWhatCameIntoANewTextIsSentBack(t *testing.T) {
	const was = "package main\n\nfunc main() {\n\tx := 1\n\ty := 1\n\tprint(x, y)\n}\n"
	body := "func main() {\n\tx := 1\n\ty := 1\n\tprint(x, y)\n}"
	for _, c := range []struct {
		path, file, old, new string
		taken                bool
	}{
		{"a.go", was, body, "func main() {\n\tx := 2\n\t/* same */\n}", false},
		{"a.go", was, "\tprint(x, y)", "\t// same", false},
		{"a.go", was, "\tx := 1\n\ty := 1", "\tx := 2\\n\ty := 1", false},
		{"a.go", was, "\tx := 1\n\ty := 1", "\tx := 2\\n", false},
		{"a.go", was, "x := 1", "```go\nx := 2\n```", false},
		{"a.go", was, "x := 1", "x := 2\n```", false},
		{"a.go", was, "\tprint(x, y)", "\tprint(\"x\\n\", y)", true},
		{"a.go", was, "\tprint(x, y)", "\tprint('\\n', \"a\\n b\")", true},
		{"a.go", was, "\tprint(x, y)", "\t// split at \\n and \\t\n\tprint(x, y)", true},
		{"a.go", was, "\tprint(x, y)", "\tprint(`a\\n`) // the same", true},
		{"a.md", "# A\n\ntext\n", "text", "```go\nx := 2\n```", true},
		{"m.mk", "all:\n\tprintf x\n", "printf x", "printf 'a\\n' x", true},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.file})
		f.must("readFile", args{"path": c.path})
		a := args{"path": c.path, "edits": []args{{"old": c.old, "new": c.new}}}
		if !c.taken {
			f.mistaken("patchFile", a)
			continue
		}
		f.must("patchFile", a)
	}
}

// A document may show an edit, indented or fenced; an edit alone is one.
func TestADocumentMayShowAnEdit(t *testing.T) {
	const notes = "# Notes\n\nkeep this\nmore\n"
	block := "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	indented := "    " + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n    ") + "\n"
	for _, c := range []string{notes + "\n" + indented, notes + "\n```\n" + block + "```\n", "# Notes\n\nkeep this\n\n" + indented + "\nmore\n"} {
		f := newFolder(t, tool.Options{}, map[string]string{"n.md": notes})
		f.must("readFile", args{"path": "n.md"})
		if f.must("editFile", args{"path": "n.md", "new_content": c}); f.text("n.md") != c {
			t.Errorf("%q", f.text("n.md"))
		}
		f.must("writeFile", args{"path": "new.md", "content": c})
	}
	edit := strings.ReplaceAll(strings.ReplaceAll(indented, " a\n", " keep this\n"), " b\n", " keep that\n")
	for _, c := range []string{edit, "Here is the edit:\n\n" + edit, "```\n" + strings.ReplaceAll(edit, "    ", "") + "```\n"} {
		f := newFolder(t, tool.Options{}, map[string]string{"n.md": notes})
		f.must("readFile", args{"path": "n.md"})
		_, _ = f.propose("editFile", args{"path": "n.md", "new_content": c})
		if p, err := f.propose("editFile", args{"path": "n.md", "new_content": c}); err == nil && strings.Contains(p.Diff, "SEARCH") {
			t.Errorf("became the file: %q", p.Diff)
		}
	}
}
