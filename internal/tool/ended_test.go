package tool_test

import (
	"encoding/json"
	"errors"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/tool"
)

// endings are files of many kinds, of blocks that a rule of signs parts.
var endings = map[string][]string{
	"a.go":       {"package a\n\nimport \"fmt\"\n\n", "func one() int {\n\treturn 1\n}\n\n", "func two() string {\n\treturn fmt.Sprint(one())\n}\n\n", "func three() int {\n\treturn 3\n}\n\n", "// four has a comment.\nfunc four() int {\n\treturn 4\n}\n"},
	"a.py":       {"import os\n\n", "def one():\n    return 1\n\n", "class Two:\n    size = 2\n\n", "    def grow(self):\n        self.size += 1\n\n", "    def shrink(self):\n        self.size -= 1\n\n", "def last():\n    return os.getcwd()\n"},
	"one.py":     {"class Two:\n    size = 2\n\n", "    def grow(self):\n        self.size += 1\n\n", "    def shrink(self):\n        self.size -= 1\n"},
	"a.js":       {"const one = 1;\n\n", "function two(a) {\n  return a + one;\n}\n\n", "function three() {\n  return two(3);\n}\n\n", "module.exports = { two, three };\n"},
	"a.css":      {"body {\n  margin: 0;\n}\n\n", ".one {\n  color: red;\n}\n\n", ".two {\n  color: blue;\n}\n"},
	"a.sql":      {"create table a (id int);\n\n", "create table b (id int);\n\n", "insert into a values (1);\ninsert into a values (2);\n\n", "insert into b values (3);\ninsert into b values (4);\n"},
	"a.md":       {"# Guide\n\nFirst words of it.\n\n", "## One\n\nSome words here.\n\n", "## Two\n\nOther words there.\n\n", "## Three\n\nThe last words.\n"},
	"a.txt":      {"The first part of the text.\nIt has two lines.\n\n", "The second part comes here.\nAlso of two lines.\n\n", "The third is the last one.\nIt ends below.\nSigned, the author.\n"},
	"a.yaml":     {"name: shop\nport: 8080\n", "routes:\n  - /a\n  - /b\n", "limits:\n  cpu: 1\n  memory: 2\n", "owner:\n  name: ann\n  mail: a@b.c\n"},
	"a.rs":       {"use std::fmt;\n\n", "fn one() -> i32 {\n    1\n}\n\n", "fn two() -> i32 {\n    one() + 1\n}\n\n", "#[cfg(test)]\nmod tests {\n    #[test]\n    fn it() {\n        assert_eq!(super::two(), 2);\n    }\n}\n"},
	"Dockerfile": {"FROM golang AS build\nWORKDIR /src\n", "COPY . .\nRUN go build -o /app .\n\n", "FROM scratch\nCOPY --from=build /app /app\nENTRYPOINT [\"/app\"]\n"},
	"a.html":     {"<p>One of them.</p>\n<p>Two of them.</p>\n", "<section>\n<h2>Three</h2>\n</section>\n", "<footer>\n<p>Imprint</p>\n</footer>\n"},
	"Makefile":   {"all: build\n\n", "build:\n\tgo build ./...\n\n", "test:\n\tgo test ./...\n\n", "clean:\n\trm -rf out\n"},
	"a.test.js":  {"test('one', () => {\n  expect(1).toBe(1);\n});\n\n", "test('two', () => {\n  expect(2).toBe(2);\n});\n\n", "test('three', () => {\n  expect(3).toBe(3);\n});\n"},
}

// small are changes of a line or two, by which the blocks that are kept differ from the file's.
var small = []func(string) string{
	func(s string) string { return s },
	func(s string) string { return strings.Replace(s, "1", "11", 1) },
	func(s string) string { return strings.Replace(s, "one", "uno", 1) },
	func(s string) string { i := strings.Index(s, "\n"); return s[:i+1] + "\n" + s[i+1:] },
	func(s string) string { return strings.Replace(s, "e", "E", 1) },
}

var hints = []string{"", "Return eleven instead of one.", "Simplify the first part.", "Clean up the beginning.", "Rewrite one so that it is right.", "Move on to the first fix.", "Split one.", "最初の関数を修正します。", "整理します。"}

// TestAFileThatEndsEarlyIsSentBackOnce gives whole files that were cut at the end of a block, with and without a small change before it and whatever
// the words beside it are: each comes back once, and is taken when it is given again.
func TestAFileThatEndsEarlyIsSentBackOnce(t *testing.T) {
	cuts, lost := 0, 0
	for name, blocks := range endings {
		file := strings.Join(blocks, "")
		f := newFolder(t, tool.Options{}, map[string]string{name: file})
		f.must("readFile", args{"path": name})
		for keep := 1; keep < len(blocks); keep++ {
			for i, change := range small {
				content := change(strings.Join(blocks[:keep], ""))
				if strings.TrimSpace(content) == strings.TrimSpace(file) {
					continue
				}
				for _, reason := range hints {
					cuts++
					raw, _ := json.Marshal(args{"path": name, "new_content": strings.TrimRight(content, "\n") + "\n"})
					a := nebula.Action{Args: raw, Reason: reason}
					_, err := f.tool("editFile").Propose(t.Context(), a, f.view())
					m := (*nebula.Mistake)(nil)
					if !errors.As(err, &m) || m.Again == "" {
						lost++
						if reason == "" || lost < 40 {
							t.Errorf("%s: %d of %d blocks, change %d, %q: %v", name, keep, len(blocks), i, reason, err)
						}
						continue
					}
					again := f.view()
					again.SentBack = func(hash string) bool { return hash == m.Again }
					if _, err := f.tool("editFile").Propose(t.Context(), a, again); err != nil {
						t.Errorf("%s: given again: %v", name, err)
					}
				}
			}
		}
	}
	t.Logf("%d cuts, %d taken at once", cuts, lost)
}

// TestAnEndThatIsMeantToGoGoes removes the last blocks with words that say so, and changes what is no end: nothing comes back.
func TestAnEndThatIsMeantToGoGoes(t *testing.T) {
	for name, blocks := range endings {
		n := len(blocks)
		file := strings.Join(blocks, "")
		f := newFolder(t, tool.Options{}, map[string]string{name: file})
		f.must("readFile", args{"path": name})
		for what, c := range map[string]struct{ content, reason string }{
			"removed":   {strings.Join(blocks[:n-1], ""), "Remove the last part, which is unused."},
			"削除":        {strings.Join(blocks[:n-1], ""), "使われていない末尾を削除します。"},
			"dropped":   {strings.Join(blocks[:n-1], ""), "Drop what nobody needs any more"},
			"grown":     {file + "\n" + blocks[n-1], "Say it twice."},
			"changed":   {strings.Replace(file, "1", "11", 1), ""},
			"last line": {strings.TrimRight(file, "\n}\")];") + strings.Replace(file[len(strings.TrimRight(file, "\n}\")];")):], "\n", "\n\n", 1), ""},
		} {
			raw, _ := json.Marshal(args{"path": name, "new_content": strings.TrimRight(c.content, "\n") + "\n"})
			if _, err := f.tool("editFile").Propose(t.Context(), nebula.Action{Args: raw, Reason: c.reason}, f.view()); err != nil && !strings.Contains(err.Error(), "already has exactly") {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
	}
}

// TestALongRealFileThatEndsEarlyIsSentBack cuts files of Go's own source at the ends of their definitions.
func TestALongRealFileThatEndsEarlyIsSentBack(t *testing.T) {
	root := filepath.Join(build.Default.GOROOT, "src")
	cuts, slow := 0, time.Duration(0)
	for _, name := range []string{"strings/strings.go", "bufio/scan.go", "sort/sort.go", "path/path.go", "html/escape.go", "errors/join.go"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Skip(err)
		}
		base := filepath.Base(name)
		f := newFolder(t, tool.Options{}, map[string]string{base: string(data)})
		f.must("readFile", args{"path": base})
		for at := range strings.SplitSeq(string(data), "\n}\n\n") {
			i := strings.Index(string(data), at) + len(at) + len("\n}\n")
			if i >= len(data)-len("\n}\n\n") || !strings.HasPrefix(string(data[i:]), "\n") {
				continue
			}
			cut := strings.Replace(string(data[:i]), "return", "return /* sic */", 1)
			begun := time.Now()
			_, err := f.propose("editFile", args{"path": base, "new_content": cut})
			slow = max(slow, time.Since(begun))
			if m := (*nebula.Mistake)(nil); !errors.As(err, &m) || m.Again == "" {
				t.Errorf("%s: cut before %.60q: %v", name, data[i:], err)
			}
			cuts++
		}
	}
	t.Logf("%d cuts, the slowest took %v", cuts, slow)
}
