package tool_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

func TestReadFileShowsAPageAndHowToGetTheRest(t *testing.T) {
	var b strings.Builder
	for i := range 25 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	f := newFolder(t, tool.Options{Lines: 10}, map[string]string{"f": b.String()})
	var text strings.Builder
	for offset := 1; offset > 0; {
		r := f.must("readFile", args{"path": "f", "offset": offset})
		body, note, _ := strings.Cut(r.Text, "[")
		text.WriteString(body)
		next := 0
		if i := strings.Index(note, "offset "); i >= 0 {
			fmt.Sscanf(note[i:], "offset %d", &next)
		}
		offset = next
	}
	if text.String() != b.String() {
		t.Errorf("read %q", text.String())
	}
	if r := f.refs["f"]; len(r.Lines) != 0 {
		t.Errorf("the whole was read, remembered are %v", r.Lines)
	}
	if m := f.mistaken("readFile", args{"path": "f", "offset": 26}); !strings.Contains(m, "ends at line 25") {
		t.Error(m)
	}
}

func TestReadFileTakesAPlaceInAFile(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"f": "1\n2\n3\n4\n", "f:2": "named so\n"})
	for path, want := range map[string]string{
		"f:2-3": "2\n3\n", "f#L3-L4": "3\n4\n", "f:3": "3\n4\n", "./f:4": "4\n", "f:2": "named so\n",
	} {
		if r := f.must("readFile", args{"path": path}); !strings.HasPrefix(r.Text, want) {
			t.Errorf("%s: %q, want %q", path, r.Text, want)
		}
	}
	f.mistaken("readFile", args{"path": "g:2"})
}

func TestPatchTakesTheNamesThatModelsUse(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"f": "1\n2\n3\n"})
	f.must("readFile", args{"path": "f"})
	f.must("patchFile", args{"path": "f", "edits": []args{{"search": "1", "replace": "one"}, {"old_string": "2", "new_string": "two"}}})
	if got := f.text("f"); got != "one\ntwo\n3\n" {
		t.Errorf("%q", got)
	}
	if m := f.mistaken("patchFile", args{"path": "f", "edits": []args{{"old": "3", "put": "three"}}}); !strings.Contains(m, `no "put"`) {
		t.Error(m)
	}
	if m := f.mistaken("patchFile", args{"path": "f", "edits": []args{{"old": 3, "new": "three"}}}); !strings.Contains(m, `"old" must be text`) {
		t.Error(m)
	}
}

func TestListWithoutAPathListsTheFolder(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a": "", "b/c": ""})
	if none, dot := f.must("list", args{}), f.must("list", args{"path": "."}); none.Text != dot.Text || !strings.Contains(dot.Text, "b/") {
		t.Errorf("%q and %q", none.Text, dot.Text)
	}
}

func TestReadFileIsWhole(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{
		"plain": "a\n\nb\n", "no end": "a\nb", "crlf": "a\r\nb\r\n", "bom": "\ufeffa\n", "empty": "", "one": "\n", "latin": "caf\xe9\n",
		"png": "\x89PNG\r\n\x1a\n\x00\x00", "a b.pdf": "%PDF-1.7\xff", "utf16": "\xff\xfea\x00", "nul": "a\x00b", "ja": "日本語\n",
	})
	for p, want := range map[string]string{
		"plain": "a\n\nb\n", "no end": "a\nb\n[no line ending at the end]", "crlf": "a\nb\n[CRLF line endings, which edits keep]", "bom": "a\n",
		"empty": "(the file is empty)", "one": "\n", "latin": "caf�\n[not UTF-8: some characters are not shown as they are]",
		"png":     "png is not text: a PNG image, 10 B. Its bytes are not shown.",
		"a b.pdf": "a b.pdf is not text: a PDF document, 9 B. Its bytes are not shown. Where the program is installed, `pdftotext -layout 'a b.pdf' -` shows its text, and `pdftoppm -png -r 80 -f 1 -l 1 'a b.pdf' page` makes its page 1 a picture, which readFile shows.",
		"utf16":   "utf16 is not text: text in UTF-16LE, 4 B. Its bytes are not shown.",
		"nul":     "nul is not text: binary data, 3 B. Its bytes are not shown.", "ja": "日本語\n",
	} {
		if r := f.must("readFile", args{"path": p}); r.Text != want {
			t.Errorf("%s: %q, want %q", p, r.Text, want)
		}
	}
}

func TestHugeFilesGetAnAnswer(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"min.js": strings.Repeat("x", 200_000), "long": strings.Repeat("0123456789\n", 10_000)})
	big, err := os.Create(filepath.Join(f.d.Path(), "big"))
	if err != nil {
		t.Fatal(err)
	}
	big.Truncate(300 << 20)
	big.Close()
	if m := f.mistaken("readFile", args{"path": "big"}); !strings.Contains(m, "314.6 MB") || !strings.Contains(m, "searchInDirectory") {
		t.Error(m)
	}
	if r := f.must("readFile", args{"path": "min.js"}); len(r.Text) > 10_000 || !strings.Contains(r.Text, "line cut: it has 200.0 KB") || len(r.Seen) > 0 {
		t.Errorf("%d bytes, seen %v: …%s", len(r.Text), r.Seen, r.Text[len(r.Text)-100:])
	}
	if r := f.must("readFile", args{"path": "long"}); len(r.Text) > 50_000 || !strings.Contains(r.Text, "of 10000; the rest: offset ") {
		t.Errorf("%d bytes", len(r.Text))
	}
}

func TestListShowsWhatIsThere(t *testing.T) {
	f := newFolder(t, tool.Options{Entries: 5}, map[string]string{"a.go": "", "b/c.go": "", "b/d/e.go": "", ".hidden": "", ".gitignore": "out\n", "out/x": "", "none/": ""})
	for _, tt := range []struct {
		a    args
		want string
	}{
		{args{"path": "."}, ".gitignore\n.hidden\na.go\nb/\nnone/"},
		{args{"path": "b", "recursive": true}, "b/c.go\nb/d/\nb/d/e.go"},
		{args{"path": ".", "recursive": true, "pattern": "*.go"}, "a.go\nb/c.go\nb/d/e.go"},
		{args{"path": f.d.Path() + "/b/d"}, "b/d/e.go"},
		{args{"path": "none"}, "(none is empty, or all of it is ignored)"},
		{args{"path": ".", "pattern": "*.rs"}, "(nothing in ./ matches *.rs)"},
		{args{"path": "a.go"}, "a.go"},
		{args{"path": ".", "recursive": true}, ".gitignore\n.hidden\na.go\nb/\nb/c.go\n[the first 5 of 8; list these for the others: b/ (2)]"},
	} {
		if r := f.must("list", tt.a); r.Text != tt.want {
			t.Errorf("%v: %q, want %q", tt.a, r.Text, tt.want)
		}
	}
}

func TestSearchTellsPathsAndLines(t *testing.T) {
	f := newFolder(t, tool.Options{Matches: 2}, map[string]string{"a.txt": "x\nneedle one\n", "b/c.txt": "needle two\nneedle three\n", "b/d.txt": "needle\n", "bin": "\x00needle", ".gitignore": "out\n", "out/x": "needle"})
	for _, tt := range []struct {
		a    args
		want string
	}{
		{args{"directory": ".", "keyword": "needle one"}, "a.txt:2:needle one"},
		{args{"directory": ".", "keyword": "needle"}, "a.txt:2:needle one\nb/c.txt:1:needle two\n[the first 2 matches; more in: b/c.txt (1) b/d.txt (1); narrow with directory, glob or a longer keyword]"},
		{args{"directory": "b", "keyword": "needle$", "regex": true}, "b/d.txt:1:needle"},
		{args{"directory": ".", "keyword": "NEEDLE ONE"}, "[no match with this case; without regard to it:]\na.txt:2:needle one"},
		{args{"directory": ".", "keyword": "two|one"}, "No line in ./ contains \"two|one\". It was searched for as it stands; for a regular expression set regex to true."},
		{args{"directory": ".", "keyword": "needle", "glob": "*.go"}, "No line in ./ contains \"needle\" in files that match *.go."},
	} {
		if r := f.must("searchInDirectory", tt.a); r.Text != tt.want {
			t.Errorf("%v: %q, want %q", tt.a, r.Text, tt.want)
		}
	}
}

func TestEditFileNeedsTheWholeFileReadAsItIs(t *testing.T) {
	f := newFolder(t, tool.Options{Lines: 2}, map[string]string{"f": "1\n2\n3\n"})
	edit := args{"path": "f", "new_content": "new\n"}
	if m := f.mistaken("editFile", edit); !strings.Contains(m, "not read in this session") {
		t.Error(m)
	}
	f.must("readFile", args{"path": "f"})
	if m := f.mistaken("editFile", edit); !strings.Contains(m, "Only lines 1-2 of 3") {
		t.Error(m)
	}
	f.must("readFile", args{"path": "f", "offset": 3})
	f.put(map[string]string{"f": "1\n2\n4\n"})
	if m := f.mistaken("editFile", edit); !strings.Contains(m, "changed since it was read") {
		t.Error(m)
	}
	f.must("readFile", args{"path": "f", "offset": 2})
	f.must("readFile", args{"path": "f", "offset": 1})
	r := f.must("editFile", edit)
	if f.text("f") != "new\n" || len(r.Changes) != 1 || r.Changes[0].Kind != "edit" {
		t.Errorf("%q, %+v", f.text("f"), r)
	}
	f.must("editFile", args{"path": "f", "new_content": "newer\n"}) // what was written is known
	if m := f.mistaken("editFile", args{"path": "g", "new_content": "x"}); !strings.Contains(m, `Nearest names: "f"`) || !strings.Contains(m, "writeFile") {
		t.Error(m)
	}
	if m := f.mistaken("editFile", args{"path": "f", "new_content": "newer\n"}); !strings.Contains(m, "already has exactly this content") {
		t.Error(m)
	}
}

// Parts that come to all of a file are all of it, however they became known.
func TestPartsThatAreTheWholeFileAreKnownWhole(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"f": "1\n2\n3\n"})
	f.refs["f"] = nebula.FileRef{Path: "f", Hash: nebula.Hash([]byte("1\n2\n3\n")), Lines: [][2]int{{2, 3}, {1, 1}}}
	f.must("editFile", args{"path": "f", "new_content": "new\n"})
	f.lang = "ja"
	if r := f.must("editFile", args{"path": "f", "new_content": "newer\n"}); !strings.Contains(r.Text, "変更しました") {
		t.Errorf("a Japanese session reads %q", r.Text)
	}
}

func TestPatchOfAPartlyReadFileKeepsItPartlyRead(t *testing.T) {
	f := newFolder(t, tool.Options{Lines: 2}, map[string]string{"f": "1\n2\n3\n4\n"})
	f.must("readFile", args{"path": "f"})
	f.must("patchFile", args{"path": "f", "edits": []args{{"old": "2", "new": "two"}}})
	if m := f.mistaken("editFile", args{"path": "f", "new_content": "x"}); !strings.Contains(m, "Only lines 1-2 of 4") {
		t.Error(m)
	}
	f.must("patchFile", args{"path": "f", "edits": []args{{"old": "two", "new": "2"}}})
	if f.text("f") != "1\n2\n3\n4\n" {
		t.Errorf("%q", f.text("f"))
	}
}

func TestEditsKeepEndingsAndMark(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"crlf": "a\r\nb\r\n", "bom": "\ufeffa\n"})
	os.Chmod(filepath.Join(f.d.Path(), "crlf"), 0o755)
	for _, p := range []string{"crlf", "bom"} {
		f.must("readFile", args{"path": p})
	}
	f.must("editFile", args{"path": "crlf", "new_content": "x\ny\nz\n"})
	f.must("editFile", args{"path": "bom", "new_content": "b\n"})
	if f.text("crlf") != "x\r\ny\r\nz\r\n" || f.text("bom") != "\ufeffb\n" {
		t.Errorf("%q %q", f.text("crlf"), f.text("bom"))
	}
	if fi, _ := os.Stat(filepath.Join(f.d.Path(), "crlf")); runtime.GOOS != "windows" && fi.Mode().Perm() != 0o755 {
		t.Errorf("mode %v", fi.Mode())
	}
	f.must("writeFile", args{"path": "exact", "content": "a\r\nb\n c"})
	if f.text("exact") != "a\r\nb\n c" {
		t.Errorf("%q", f.text("exact"))
	}
}

func TestPatchFileSaysHowItMatched(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"f.go": "func f() {\n\treturn 1\n}\n"})
	f.must("readFile", args{"path": "f.go"})
	r := f.must("patchFile", args{"path": "f.go", "edits": []args{{"old": "    return 1\n}", "new": "    return 2\n}"}}})
	if f.text("f.go") != "func f() {\n\treturn 2\n}\n" || !strings.Contains(r.Text, "indentation") {
		t.Errorf("%q, %s", f.text("f.go"), r.Text)
	}
}

// How a content was read is said to the model in the language of the session.
func TestHowAContentWasReadIsSaidInJapanese(t *testing.T) {
	const text = "# a\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
	for _, c := range []struct {
		tool string
		args args
		want string
	}{
		{"patchFile", args{"edits": []args{{"old": "        return 1\n", "new": "        return 3\n"}}}, "字下げの違いは無視して照合しました。"},
		{"patchFile", args{"edits": []args{{"old": "     2\tdef f():\n     3\t    return 1", "new": "def f():\n    return 3"}, {"old": "def g():  \n", "new": "def h():\n"}}}, "行番号と行末の空白の違いは無視して照合しました。"},
		{"patchFile", args{"edits": []args{{"old": "def f\n", "new": "def h\n"}}}, "行の終わりの違いは無視して照合しました。"},
		{"editFile", args{"new_content": "<<<<<<< SEARCH\n    return 1\n=======\n    return 3\n>>>>>>> REPLACE\n"}, "SEARCH/REPLACE 形式の編集として読み取りました。"},
		{"editFile", args{"new_content": "```python\n" + strings.Replace(text, "1", "3", 1) + "```\n"}, "中のコードブロックだけを使いました。"},
		{"editFile", args{"new_content": "\"# a\\ndef f():\\n    return 3\\n\\n\\ndef g():\\n    return 2\\n\""}, "JSON 文字列の中身として読み取りました。"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": text})
		f.lang = "ja"
		f.must("readFile", args{"path": "a.py"})
		c.args["path"] = "a.py"
		if r := f.must(c.tool, c.args); !strings.Contains(r.Text, c.want) || !strings.HasPrefix(r.Text, "a.py を変更しました") {
			t.Errorf("%s: %s", c.want, r.Text)
		}
	}
}

// Who writes an old as lines of its own means the text: where it stands once within a line it is found, and where it stands twice it is not.
func TestPatchFileTakesLinesThatArePartsOfOne(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a.js": "const f = (x) => x * 3;\ny = x * 30;\n", "b.js": "let a = x * 3;\n"})
	f.must("readFile", args{"path": "a.js"})
	f.must("readFile", args{"path": "b.js"})
	part := []args{{"old": "x * 3\n", "new": "x * 2\n"}}
	if r := f.must("patchFile", args{"path": "b.js", "edits": part}); f.text("b.js") != "let a = x * 2;\n" || !strings.Contains(r.Text, "end of the line") {
		t.Errorf("%q, %s", f.text("b.js"), r.Text)
	}
	if _, err := f.propose("patchFile", args{"path": "a.js", "edits": part}); err == nil {
		t.Error("two places were one")
	}
}

func TestProposalsShowTheDiff(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a": "1\n2\n3\n", "bin": "\x00\x01"})
	f.must("readFile", args{"path": "a"})
	for _, tt := range []struct {
		name    string
		a       args
		diff    string
		targets string
	}{
		{"writeFile", args{"path": "x/y", "content": "new\n"}, "--- /dev/null\n+++ b/x/y\n@@ -0,0 +1 @@\n+new\n", "x mkdir +0 -0, x/y create +1 -0"},
		{"editFile", args{"path": "a", "new_content": "1\n3\n4\n"}, "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n 3\n+4\n", "a edit +1 -1"},
		{"patchFile", args{"path": "a", "edits": []args{{"old": "2", "new": "two"}}}, "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n", "a edit +1 -1"},
		{"deleteFile", args{"path": "a"}, "--- a/a\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-1\n-2\n-3\n", "a delete +0 -3"},
		{"deleteFile", args{"path": "bin"}, "", "bin delete +0 -0"},
	} {
		p, err := f.propose(tt.name, tt.a)
		if err != nil {
			t.Fatal(err)
		}
		var targets []string
		for _, g := range p.Targets {
			targets = append(targets, fmt.Sprintf("%s %s +%d -%d", g.Path, g.Kind, g.Add, g.Del))
		}
		if p.Diff != tt.diff || strings.Join(targets, ", ") != tt.targets {
			t.Errorf("%s %v: diff\n%s\ntargets %v", tt.name, tt.a, p.Diff, targets)
		}
	}
}

func TestFileThatChangesAfterItWasShownIsLeftAlone(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a": "1\n"})
	f.must("readFile", args{"path": "a"})
	p, err := f.propose("editFile", args{"path": "a", "new_content": "2\n"})
	if err != nil {
		t.Fatal(err)
	}
	g := nebula.NewGrant("g", "test", p)
	if err := g.Open(p); err != nil {
		t.Fatal(err)
	}
	f.put(map[string]string{"a": "precious\n"})
	if _, err := p.Do(t.Context(), nebula.Run{Grant: g}); !errors.Is(err, workspace.ErrStale) {
		t.Errorf("error %v", err)
	}
	if f.text("a") != "precious\n" {
		t.Errorf("%q", f.text("a"))
	}
}

func TestLinksAreFollowedToWhatTheyMean(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"real/a": "1\n"})
	if err := os.Symlink("real", filepath.Join(f.d.Path(), "link")); err != nil {
		t.Skip(err)
	}
	f.must("readFile", args{"path": "link/a"})
	f.must("editFile", args{"path": "real/a", "new_content": "2\n"}) // known by either name
	f.must("patchFile", args{"path": "link/a", "edits": []args{{"old": "2", "new": "3"}}})
	f.must("writeFile", args{"path": "link/deep/b", "content": "b\n"})
	if f.text("real/a") != "3\n" || f.text("real/deep/b") != "b\n" {
		t.Errorf("%q", f.text("real/a"))
	}
	f.must("deleteFile", args{"path": "link"})
	if f.text("real/a") != "3\n" {
		t.Error("the link's target is gone")
	}
}

func TestOneIsNotSaidAsMany(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a": "x\n", "b": "y\ny\n"})
	for _, c := range []struct {
		name string
		a    args
		want string
	}{
		{"readFile", args{"path": "a"}, "a: 1 line"}, {"readFile", args{"path": "b"}, "b: 2 lines"},
		{"searchInDirectory", args{"directory": ".", "keyword": "x"}, `"x": 1 match in 1 file`},
		{"searchInDirectory", args{"directory": ".", "keyword": "y"}, `"y": 2 matches in 1 file`},
		{"writeFile", args{"path": "c", "content": "z\n"}, "created c (1 line)"},
	} {
		if r := f.must(c.name, c.a); r.Summary != c.want {
			t.Errorf("%s: %q, not %q", c.name, r.Summary, c.want)
		}
	}
}
