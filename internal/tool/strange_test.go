package tool_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// strange are ways in which something comes into a new text that is no part of the file, % being what was to be written.
var strange = []struct{ name, text string }{
	{"fence", "```\n%```\n"},
	{"fence with language", "```go\n%```\n"},
	{"fence before", "```\n%"},
	{"fence behind", "%```\n"},
	{"tildes", "~~~\n%~~~\n"},
	{"fence within", "%```\n%"},
	{"fence indented", "    ```\n%    ```\n"},
	{"break at the end", "#1\\n\n#2"},
	{"break between", "#1\\n#2"},
	{"break and tab", "#1\\n\\t#2"},
	{"opener", "<<<<<<< SEARCH\n%"},
	{"opener apart", "< < < < < < <\n%"},
	{"opener of four", "<<<<\n%"},
	{"middle", "%=======\n%"},
	{"middle apart", "%= = = = = = =\n"},
	{"end", "%>>>>>>> REPLACE\n"},
	{"end apart", "%> > > > > > > REPLACE\n"},
	{"end of four", "%>>>>\n"},
	{"end bare", "%>>>>>>>\n"},
	{"end wide", "%＞＞＞＞＞＞＞ REPLACE\n"},
	{"plus end", "%+++++++ REPLACE\n"},
	{"rest in brackets", "%[rest]\n"},
	{"rest of the code", "%[rest of the code]\n"},
	{"rest of the file", "%<rest of file>\n"},
	{"unchanged in brackets", "%[unchanged]\n"},
	{"dots in brackets", "%[...]\n"},
	{"rest in Japanese", "%[残り]\n"},
	{"and so on", "%(以下略)\n"},
	{"end token", "%<|im_end|>\n"},
	{"end token s", "%</s>\n"},
	{"end token in line", "#1<|endoftext|>\n"},
	{"closing tag", "%</new>\n"},
	{"closing content", "%</content>\n"},
	{"closing parameter", "%</parameter>\n</invoke>\n"},
	{"closing call", "%</tool_call>\n"},
	{"opening tag", "<new>\n%"},
	{"both tags", "<replace>\n%</replace>\n"},
	{"macro end", "%]◀️🦆\n"},
	{"patch end", "%*** End Patch\n"},
	{"patch file", "*** Update File: a.go\n%"},
	{"hunk", "@@ -1,2 +1,2 @@\n%"},
	{"end of object", "%\"}]}\n"},
	{"end of list", "%\"}]\n"},
	{"label", "REPLACE:\n%"},
	{"label new", "new:\n%"},
	{"words before", "Here is the updated code:\n%"},
	{"words before in Japanese", "修正後のコードは次のとおりです。\n%"},
	{"words behind", "%This fixes the bug.\n"},
	{"words behind in Japanese", "%これで直ります。\n"},
	{"done", "%Done.\n"},
}

// strangeFiles are files with a piece of them, its version in two lines, and what it looks like.
var strangeFiles = []struct{ path, text, old, one, two string }{
	{"a.go", "package a\n\nfunc f(x int) int {\n\ty := x\n\treturn y\n}\n\nfunc g() int {\n\treturn 2\n}\n", "\ty := x\n\treturn y\n", "\ty := x + 1", "\treturn y * 2"},
	{"b.py", "import os\n\n\ndef f(x):\n    y = x\n    return y\n\n\ndef g():\n    return 2\n", "    y = x\n    return y\n", "    y = x + 1", "    return y * 2"},
	{"c.js", "const a = 1;\n\nfunction f(x) {\n  const y = x;\n  return y;\n}\n\nfunction g() {\n  return 2;\n}\n", "  const y = x;\n  return y;\n", "  const y = x + 1;", "  return y * 2;"},
	{"設定.yaml", "名前: テスト\n一覧:\n  - 一\n  - 二\n終わり: はい\n", "  - 一\n  - 二\n", "  - 一番", "  - 二番"},
}

// TestWhatCameInOnItsWayIsNotWritten gives new texts with something in them that the file has nothing of.
func TestWhatCameInOnItsWayIsNotWritten(t *testing.T) {
	written, n := 0, 0
	for _, file := range strangeFiles {
		for _, s := range strange {
			if strings.HasPrefix(s.name, "label") && strings.HasSuffix(file.path, ".yaml") {
				continue // a key
			}
			f := newFolder(t, tool.Options{}, map[string]string{file.path: file.text})
			f.must("readFile", args{"path": file.path})
			text := strings.NewReplacer("%", file.one+"\n"+file.two+"\n", "#1", file.one, "#2", file.two+"\n").Replace(s.text)
			n++
			p, err := f.propose("patchFile", args{"path": file.path, "edits": []args{{"old": file.old, "new": text}}})
			if err != nil {
				continue
			}
			want := strings.Replace(file.text, file.old, file.one+"\n"+file.two+"\n", 1)
			if p.Targets[0].After == nebula.Hash([]byte(want)) {
				continue
			}
			if len(p.Risks) == 0 {
				written++
				t.Logf("%s: %s", file.path, s.name)
			}
		}
	}
	t.Logf("%d of %d are written", written, n)
	if written > 0 {
		t.Errorf("%d of %d are written", written, n)
	}
}

// TestWhatCameIntoAWholeFileIsNotWritten gives whole files with a line in them that the file has nothing of; what only looks so is written.
func TestWhatCameIntoAWholeFileIsNotWritten(t *testing.T) {
	files := map[string]string{"a.sql": "select 1;\nselect 2;\nselect 3;\n", "Dockerfile": "FROM x\nRUN a\nRUN b\nCMD c\n", "a.md": "# T\n\none\n\ntwo\n\nthree\n", "a.css": "a {\n  b: c;\n}\n\nd {\n  e: f;\n}\n", "a.sh": "set -e\na\nb\nc\n"}
	for _, f := range strangeFiles {
		files[f.path] = f.text
	}
	n := 0
	for path, text := range files {
		for _, line := range []string{"```", "```python", "=======", "</content>", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "</new_content>", "*** End Patch", "</parameter>", "◀️🦆"} {
			if path == "a.md" && (line == "=======" || line == "*** End Patch") {
				continue // could be its own
			}
			lines := strings.SplitAfter(text, "\n")
			for _, at := range []int{2, len(lines) - 1} {
				f := newFolder(t, tool.Options{}, map[string]string{path: text})
				f.must("readFile", args{"path": path})
				n++
				p, err := f.propose("editFile", args{"path": path, "new_content": strings.Join(lines[:at], "") + line + "\n" + strings.Join(lines[at:], "")})
				if err == nil && len(p.Risks) == 0 && p.Targets[0].After != nebula.Hash([]byte(text)) {
					t.Errorf("%s with %q in line %d is written:\n%s", path, line, at+1, p.Diff)
				}
			}
		}
	}
	t.Logf("%d whole files", n)
	for _, c := range [][3]string{
		{"a.md", "# T\n\none\n", "# T\n\none\n\n```\ncode\n```\n\nTitle\n=======\n"},
		{"a.md", "# T\n\none\n", "# T\n\none\n\n```xml\n<content>\n</content>\n```\n"},
		{"a.py", "def f(x):\n    return x\n", "def f(x):\n    \"\"\"Gives x.\n\n    ```\n    f(1)\n    ```\n    \"\"\"\n    return x\n"},
		{"a.xml", "<a>\n</a>\n", "<a>\n<content>\n</content>\n</a>\n"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c[0]: c[1]})
		f.must("readFile", args{"path": c[0]})
		if p, err := f.propose("editFile", args{"path": c[0], "new_content": c[2]}); err != nil || p.Targets[0].After != nebula.Hash([]byte(c[2])) {
			t.Errorf("%q is not written: %v", c[2], err)
		}
	}
}

// TestWordsAboveALineMoveNothing gives what replaces an indented line, with the line's own indentation, and words above it.
func TestWordsAboveALineMoveNothing(t *testing.T) {
	const text = "class A:\n    def f(self):\n        return self.n\n"
	for _, old := range []string{"return self.n\n", "        return self.n\n"} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": text})
		f.must("readFile", args{"path": "a.py"})
		p, err := f.propose("patchFile", args{"path": "a.py", "edits": []args{{"old": old, "new": "Here is the right value.\n        return self.n + 1\n"}}})
		if err == nil {
			t.Errorf("%q: written:\n%s", old, p.Diff)
		}
	}
	f := newFolder(t, tool.Options{}, map[string]string{"a.txt": "Steps.\n\n        run it\n        stop it\n"})
	f.must("readFile", args{"path": "a.txt"})
	f.must("patchFile", args{"path": "a.txt", "edits": []args{{"old": "run it\nstop it\n", "new": "This is how it runs.\n        run all\n        stop it\n"}}})
	if want := "Steps.\n\nThis is how it runs.\n        run all\n        stop it\n"; f.text("a.txt") != want {
		t.Errorf("became\n%s", f.text("a.txt"))
	}
}

// elisions are remarks that stand for lines, without the mark of a comment.
var elisions = []string{
	"existing", "existing code", "existing body", "body", "body unchanged", "unchanged", "unchanged code here", "rest", "the rest", "rest of function", "rest of the body", "...", "…", "... existing code ...",
	"same as before", "as before", "code here", "your code here", "implementation here", "implementation unchanged", "logic unchanged", "previous code", "original code", "original implementation", "remaining code", "remaining lines",
	"snip", "[snip]", "omitted", "(omitted)", "omitted for brevity", "etc.", "and so on", "keep the rest", "keep existing", "leave as is", "no changes here", "no changes below", "same",
	"残り", "残りは同じ", "残りのコード", "既存", "既存のコード", "既存の処理", "省略", "(省略)", "以下省略", "以下同じ", "変更なし", "そのまま", "元のまま", "中略", "略", "同上", "以下略",
}

// TestAPatchLeavesNothingOut gives new texts in which a remark stands where the old one has lines.
func TestAPatchLeavesNothingOut(t *testing.T) {
	const body = "\ta := load(x)\n\tif a == nil {\n\t\treturn 0\n\t}\n\tb := scale(a)\n\treturn b + 1\n"
	written, n := 0, 0
	for _, mark := range []string{"// %", "/* % */", "# %"} {
		for _, e := range elisions {
			path, text, old := "a.go", "package a\n\nfunc f(x int) int {\n"+body+"}\n\nfunc g() int {\n\treturn 2\n}\n", body
			if mark == "# %" {
				path, text = "a.py", "def f(x):\n    a = load(x)\n    if a is None:\n        return 0\n    b = scale(a)\n    return b + 1\n"
				old = "    a = load(x)\n    if a is None:\n        return 0\n    b = scale(a)\n    return b + 1\n"
			}
			line := strings.Replace(mark, "%", e, 1)
			indent := old[:strings.Index(old, "a ")]
			for _, fresh := range []string{indent + "c := 1\n" + indent + line + "\n", indent + line + "\n" + indent + "c := 1\n", indent + line + "\n"} {
				f := newFolder(t, tool.Options{}, map[string]string{path: text})
				f.must("readFile", args{"path": path})
				n++
				if p, err := f.propose("patchFile", args{"path": path, "edits": []args{{"old": old, "new": fresh}}}); err == nil && len(p.Risks) == 0 {
					written++
					t.Logf("%s: %q", path, fresh)
				}
			}
		}
	}
	if t.Logf("%d of %d are written", written, n); written > 0 {
		t.Errorf("%d of %d are written", written, n)
	}
}
