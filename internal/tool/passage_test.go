package tool_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula/internal/tool"
)

// A path that names lines is no path: what is to change them says so, and nothing is made under that name.
func TestLinesInAPathAreNoFile(t *testing.T) {
	for _, path := range []string{"a.py:1-2", "a.py (lines 1-2)", "a.py (line 2)", "a.py#L1-L2", "a.py lines 1 to 2", "a.py（行 1-2）", "`a.py:1`"} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": greeting})
		f.must("readFile", args{"path": "a.py"})
		for name, a := range map[string]args{
			"editFile":   {"new_content": "def hi():\n"},
			"writeFile":  {"content": "def hi():\n"},
			"patchFile":  {"edits": []args{{"old": "def hi():", "new": "def ho():"}}},
			"deleteFile": {},
		} {
			a["path"] = path
			if m := f.mistaken(name, a); !strings.Contains(m, `Give the path "a.py" alone`) || !strings.Contains(m, "SEARCH") && !strings.Contains(m, `"old"`) {
				t.Errorf("%s %s: %s", name, path, m)
			}
		}
		if f.text("a.py") != greeting {
			t.Errorf("the file is %q", f.text("a.py"))
		}
		if r := f.must("readFile", args{"path": path}); !strings.Contains(r.Text, "def hi") && !strings.Contains(path, "line 2") {
			t.Errorf("%s: %s", path, r.Text)
		}
	}
	f := newFolder(t, tool.Options{}, map[string]string{"a.py": greeting})
	f.must("writeFile", args{"path": "b:1", "content": "x\n"}) // a name like another
}

// An edit has two halves. One that lacks its new text takes nothing out.
func TestAnEditWithoutAHalfTakesNothingOut(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a.py": greeting})
	f.must("readFile", args{"path": "a.py"})
	for _, edit := range []args{{"old": "    return 1\n"}, {"search": "    return 1\n", "replace": nil}, {"new": "x"}} {
		if m := f.mistaken("patchFile", args{"path": "a.py", "edits": []args{edit}}); !strings.Contains(m, "An edit lacks") {
			t.Error(m)
		}
	}
	f.must("patchFile", args{"path": "a.py", "edits": []args{{"old": "    return 1\n", "new": ""}}})
	if got := f.text("a.py"); got != strings.TrimSuffix(greeting, "    return 1\n") {
		t.Errorf("%q", got)
	}
}

// Line numbers and marks of edits that came along with a new text are not written.
func TestWhatCameAlongWithANewTextIsNotWritten(t *testing.T) {
	for name, new := range map[string]string{
		"numbers":    "1  def ho():\n2      print(\"hi\")\n",
		"one number": "1  def ho():\n",
		"a divider":  "def ho():\n=======\n",
		"two signs":  "def ho():\n>> REPLACE\n",
		"an end":     "def ho():\nEOF\n",
		"a closer":   "def ho():\n>>>>>>> REPLACE\n",
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": greeting})
		f.must("readFile", args{"path": "a.py"})
		f.mistaken("patchFile", args{"path": "a.py", "edits": []args{{"old": "def hi():\n", "new": new}}})
		if f.text("a.py") != greeting {
			t.Errorf("%s: %q", name, f.text("a.py"))
		}
	}
	f := newFolder(t, tool.Options{}, map[string]string{"a.py": greeting, "a.md": "Title\nx\n", "n.txt": "one\ntwo\nthree\n"})
	for _, p := range []string{"a.py", "a.md", "n.txt"} {
		f.must("readFile", args{"path": p})
	}
	f.must("patchFile", args{"path": "a.py", "edits": []args{{"old": "1  def hi():\n2      print(\"hi\")\n", "new": "1  def ho():\n2      print(\"hi\")\n"}}})
	if got := f.text("a.py"); got != strings.Replace(greeting, "hi()", "ho()", 1) {
		t.Errorf("%q", got)
	}
	f.must("patchFile", args{"path": "a.md", "edits": []args{{"old": "Title\n", "new": "Title\n=======\n"}}})
	f.must("editFile", args{"path": "n.txt", "new_content": "1 apple\n2 pears\n3 plums\n"}) // a table
	f.must("writeFile", args{"path": "t.txt", "content": "1 apple\n2 pears\n"})
	f.mistaken("writeFile", args{"path": "e.py", "content": "x = 1\nEOF\n"})
	f.must("writeFile", args{"path": "e.sh", "content": "cat <<EOF\nx\nEOF\n"})
	f.must("writeFile", args{"path": "e.go", "content": "package e\n\nconst (\n\tA = iota\n\tEOF\n)\n"})
	f.mistaken("writeFile", args{"path": "n.py", "content": "1  x = 1\n2  y = 2\n"})
}

// A beginning of a file that ends inside of a function is not the file.
func TestHalfOfAFileIsNotTheFile(t *testing.T) {
	var b strings.Builder
	b.WriteString("import os\n")
	for i := range 15 {
		fmt.Fprintf(&b, "\n\ndef f%d(x):\n    y = x * %d\n    return y\n", i, i)
	}
	whole := b.String()
	f := newFolder(t, tool.Options{}, map[string]string{"a.py": whole})
	f.must("readFile", args{"path": "a.py"})
	half := strings.Replace(whole[:strings.Index(whole, "    y = x * 9")+len("    y = x * 9\n")], "x * 3", "x + 3", 1)
	f.mistaken("editFile", args{"path": "a.py", "new_content": half})
	f.mistaken("editFile", args{"path": "a.py", "new_content": whole[:strings.Index(whole, "    y = x * 9")]})
	f.mistaken("editFile", args{"path": "a.py", "new_content": whole[:strings.Index(whole, "\n\ndef f9")]}) // ends where a function does, without a word
}
