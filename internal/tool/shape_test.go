package tool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// A kind of file, with one line of it and what that line is to become, and a part of the file in which that is so already.
type kind struct{ path, was, old, new, part string }

var kinds = []kind{
	{"calc.py", "import os\n\nRATE = 2\n\ndef add(a, b):\n    return a - b\n\ndef twice(a):\n    return RATE * a\n\nif __name__ == '__main__':\n    print(add(1, 2))\n", "    return a - b", "    return a + b", "def add(a, b):\n    return a + b\n\nif __name__ == '__main__':\n    print(add(1, 2))\n"},
	{"calc.go", "package calc\n\nimport \"fmt\"\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n\nfunc Show(a int) {\n\tfmt.Println(a)\n}\n", "\treturn a - b", "\treturn a + b", "func Add(a, b int) int {\n\treturn a + b\n}\n"},
	{"app.js", "const double = (x) => x * 3;\nconst half = (x) => x / 2;\nmodule.exports = { double, half };\n", "const double = (x) => x * 3;", "const double = (x) => x * 2;", "const double = (x) => x * 2;\nmodule.exports = { double };\n"},
	{"app.ts", "export interface Item {\n  id: number;\n}\n\nexport function name(i: Item): string {\n  return \"item \" + i.id;\n}\n\nexport const size = (all: Item[]): number => all.length;\n", "  return \"item \" + i.id;", "  return \"thing \" + i.id;", "export function name(i: Item): string {\n  return \"thing \" + i.id;\n}\n"},
	{"Queue.java", "public class Queue {\n    private int n = 0;\n\n    public int size() {\n        return n + 1;\n    }\n\n    public void clear() {\n        n = 0;\n    }\n}\n", "        return n + 1;", "        return n;", "    public int size() {\n        return n;\n    }\n"},
	{"lib.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\npub fn twice(a: i32) -> i32 {\n    a * 2\n}\n", "    a - b", "    a + b", "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n"},
	{"package.json", "{\n  \"name\": \"shop\",\n  \"version\": \"1.0.0\",\n  \"scripts\": {\n    \"test\": \"jest\"\n  }\n}\n", "  \"version\": \"1.0.0\",", "  \"version\": \"1.1.0\",", "  \"version\": \"1.1.0\",\n"},
	{"stack.yaml", "services:\n  web:\n    image: nginx\n    port: 80\n  db:\n    image: postgres\n    volume: data\nretries: 3\n", "    port: 80", "    port: 8080", "  web:\n    image: nginx\n    port: 8080\n"},
	{"conf.toml", "title = \"shop\"\n\n[server]\nport = 80\nhost = \"::1\"\n\n[log]\nlevel = \"info\"\n", "port = 80", "port = 8080", "[server]\nport = 8080\n"},
	{"page.html", "<html>\n<head><title>Shop</title></head>\n<body>\n<h1>Hello there</h1>\n<p>Text</p>\n</body>\n</html>\n", "<h1>Hello there</h1>", "<h1>Hello again</h1>", "<h1>Hello again</h1>\n"},
	{"GUIDE.md", "# Guide\n\nWhat it is for.\n\n## Install\n\nRun make all.\n\n## Use\n\nCall it.\n\n## Licence\n\nMIT\n", "Run make all.", "Run make install.", "## Install\n\nRun make install.\n"},
	{"Makefile", "all:\n\tgo build\n\ntest:\n\tgo test\n\nclean:\n\trm -f shop\n", "\tgo test", "\tgo test -v", "test:\n\tgo test -v\n"},
	{".gitignore", "node_modules\ndist\n.env\n*.log\n", "dist", "dist2", ".cache\n"},
	{"VERSION", "1.2.3\n", "1.2.3", "1.2.4", ""},
}

// A dress is a way in which models give a change, or something about it, where the whole file is asked for. exact says that it is
// certain enough to be read; else it may be sent back.
type dress struct {
	name  string
	exact bool
	write func(k kind, after string, line int) string
}

func bare(s string) string { return strings.TrimSpace(s) }

// words are a dress that says something in place of the file.
func inPlace(name, text string) dress {
	return dress{name, false, func(kind, string, int) string { return text + "\n" }}
}

// pairs are a dress of the line and what it becomes.
func pairs(name, form string, exact bool) dress {
	return dress{name, exact, func(k kind, _ string, _ int) string { return fmt.Sprintf(form, k.old, k.new) }}
}

func dresses() []dress {
	whole := func(before, behind string) func(kind, string, int) string {
		return func(k kind, after string, _ int) string { return before + after + behind }
	}
	all := []dress{
		{"a part", false, func(k kind, _ string, _ int) string { return k.part }},
		{"a fence", true, whole("```\n", "```\n")},
		{"words above and a fence", false, whole("Here is the updated file:\n\n```\n", "```\n")},
		{"words above", false, whole("Here is the updated code:\n", "")},
		{"words below", false, whole("", "\nThis fixes the bug in the file.\n")},
		{"the name above", false, func(k kind, after string, _ int) string { return path.Base(k.path) + ":\n" + after }},
		{"JSON text", false, func(_ kind, after string, _ int) string { raw, _ := json.Marshal(after); return string(raw) }},
		{"line N", false, func(k kind, _ string, n int) string { return fmt.Sprintf("line %d: %s\n", n, bare(k.new)) }},
		{"LN", false, func(k kind, _ string, n int) string { return fmt.Sprintf("L%d: %s\n", n, k.new) }},
		{"line N, from and to", false, func(k kind, _ string, n int) string {
			return fmt.Sprintf("Line %d: `%s` -> `%s`\n", n, bare(k.old), bare(k.new))
		}},
		{"N行目", false, func(k kind, _ string, n int) string { return fmt.Sprintf("%d行目: %s\n", n, bare(k.new)) }},
		{"in quotes", false, func(k kind, _ string, _ int) string {
			return fmt.Sprintf("Replace `%s` with `%s`.\n", bare(k.old), bare(k.new))
		}},
		pairs("search and replace", "<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n", true),
		pairs("brackets", "[SEARCH]\n%s\n[/SEARCH]\n[REPLACE]\n%s\n[/REPLACE]\n", true),
		pairs("brackets, open", "[SEARCH]\n%s\n[REPLACE]\n%s\n", true),
		pairs("before and after", "Before:\n%s\nAfter:\n%s\n", false),
		pairs("変更前後", "変更前:\n%s\n変更後:\n%s\n", false),
		pairs("an arrow of two", "%s -> %s\n", false),
		pairs("an arrow", "%s => %s\n", false),
		pairs("an arrow of one sign", "%s → %s\n", false),
	}
	for _, w := range []string{"(ここに修正後のコード)", "変更なし", "以前と同じ", "全体の内容(変更済み)", "TODO: write file content", "<updated code>", "YOUR CODE HERE", "see above", "同上", "The file with the change applied."} {
		all = append(all, inPlace(w, w))
	}
	return all
}

// Whatever a model gives for a file, of whatever kind, is the file as it is meant, or is sent back; no line of the file is lost.
func TestNoDressBecomesAFile(t *testing.T) {
	read, back := map[string]int{}, 0
	for _, k := range kinds {
		after := strings.Replace(k.was, k.old, k.new, 1)
		at := 1 + strings.Count(k.was[:strings.Index(k.was, k.old)], "\n")
		for _, d := range dresses() {
			given := d.write(k, after, at)
			if given == "" || d.name == "a part" && k.part == "" || d.name == "words below" && k.path == "GUIDE.md" || strings.TrimSpace(given) == strings.TrimSpace(after) {
				continue
			}
			f := newFolder(t, tool.Options{}, map[string]string{k.path: k.was})
			f.must("readFile", args{"path": k.path})
			p, err := f.propose("editFile", args{"path": k.path, "new_content": given})
			m := (*nebula.Mistake)(nil)
			switch {
			case errors.As(err, &m):
				back++
				if d.exact && (d.name != "a fence" || k.path != "GUIDE.md") {
					t.Errorf("%s as %s is sent back: %v", k.path, d.name, m)
				}
			case err != nil:
				t.Fatal(err)
			case p.Targets[0].After != nebula.Hash([]byte(after)):
				t.Errorf("%s as %s\n%s\nbecomes\n%s", k.path, d.name, given, p.Diff)
			default:
				read[d.name]++
			}
		}
	}
	t.Logf("%d were sent back, read were %v", back, read)
}

// genuine are files and what a person may well make of them, in one go: none is hindered.
var genuine = []struct{ path, was, now, said string }{
	{"a.py", "def add(a, b):\n    return a - b\n", "add = lambda a, b: a + b\n", ""},
	{"a.py", "import a\nx = 1\n\ndef f():\n    return x\n\ndef g():\n    return 2\n", "import a\n\ndef f():\n    return 1\n", "remove g, which nothing uses, and x"},
	{"a.py", "match = 1\nprint(match)\n", "match = 2\nprint(match)\ntype X = int\nasync def f(): pass\nx = 1 if match else 2\n", ""},
	{"a.py", "s = 'a'\n", "s = '''Here is a text of many words.\nline 2: more of it\n'''\nt = \"It's a text\"  # Here is a remark of words\n", ""},
	{"a.js", "let a = 1;\n", "// Here is a remark of words\nlet a = `Here is a text of words`;\nconst r = /ab+/;\nexport default async function f(x) { return await x; }\n", ""},
	{"a.tsx", "export const A = () => <p>Hi</p>;\n", "export const A = () => (\n  <p>\n    Here are many words, and more of them\n  </p>\n);\n", ""},
	{"a.ts", "export type A = string;\n", "export abstract class A<T extends keyof B> implements C { private readonly x: unique symbol; static async get(): Promise<void> {} }\ndeclare module \"x\" { export default interface D {} }\n", ""},
	{"a.java", "class A {}\n", "public final class A extends B implements C, D {\n    private static final long serialVersionUID = 1L;\n    protected synchronized List<String> all() throws IOException { return null; }\n}\n", ""},
	{"a.c", "int a;\n", "static inline unsigned long long f(const struct foo *restrict x, volatile int y) { return 0; }\nFOO_API extern int bar baz(void);\n", ""},
	{"c.yaml", "a: 1\nb: 2\n", "a: 1\nb: \"x: y\"\nurl: http://a.b:80/c\ntext: |\n  Here is a text: of words\n  and more\nlist:\n- one two three four five\n", ""},
	{"c.toml", "a = 1\n", "a = 1\n[b.c]\n\"d e\" = [\n  1,\n  2,\n]\ne = \"\"\"\nHere is a text of words.\n\"\"\"\n", ""},
	{".env", "A=1\n", "# a remark\nA=1\nexport B='two words'\n", ""},
	{"README.md", "# A\n\nText of it.\n\n- one\n- two\n", "# A tool\n\nIt does this and that, in a few words.\n", ""},
	{"notes.txt", "one\ntwo\nthree\nfour\n", "five\n", "written anew from scratch"},
	{"VERSION", "1.2.3\n", "2.0.0-rc.1\n", ""}, {".nvmrc", "18\n", "lts/iron\n", ""}, {"LICENSE", "MIT\n", "Apache License, version 2.0\n", "another licence, in words"},
	{"go.mod", "module a\n\ngo 1.21\n", "module a\n\ngo 1.22\n\nrequire b v1.0.0\n", ""},
	{"i.html", "<p>a</p>\n", "<!DOCTYPE html>\n<html><body><p>Here is a text of words</p></body></html>\n", ""},
	{"a.css", ".a { color: red }\n", "body .a .b .c > p { color: red }\n", ""},
	{"run.sh", "echo a\n", "echo Here is a text of words\nfor f in a b c; do echo \"$f\"; done\n", ""},
}

func TestGenuineContentsAreWritten(t *testing.T) {
	for i, c := range genuine {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
		f.must("readFile", args{"path": c.path})
		raw, _ := json.Marshal(args{"path": c.path, "new_content": c.now})
		p, err := f.tool("editFile").Propose(t.Context(), nebula.Action{Args: raw, Reason: c.said}, f.view())
		if err != nil || len(p.Risks) > 0 || p.Targets[0].After != nebula.Hash([]byte(c.now)) {
			t.Errorf("%d %s: %v %v\n%s", i, c.path, err, p.Risks, p.Diff)
		}
	}
}

// What is no program any more, or would lose lines, is told once, and asked about when it is given again.
func TestWhatIsOddIsTakenTheSecondTime(t *testing.T) {
	const was = "import os\n\ndef add(a, b):\n    return a - b\n\ndef more():\n    return os.name\n"
	for now, risk := range map[string]string{
		strings.Replace(was, "a - b", "a b", 1):           nebula.Marked,
		"import os\n\ndef add(a, b):\n    return a + b\n": nebula.Reduced,
		"変更なし\n": nebula.Reduced + " " + nebula.Marked,
		strings.Replace(was, "import os\n\n", "", 1) + "x = 1\n# y\n" + "": "none",
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": was})
		f.must("readFile", args{"path": "a.py"})
		_, err := f.propose("editFile", args{"path": "a.py", "new_content": now})
		m := (*nebula.Mistake)(nil)
		if !errors.As(err, &m) {
			if risk != "none" {
				t.Errorf("%q is written", now)
			}
			continue
		}
		again := f.view()
		again.SentBack = func(hash string) bool { return hash == m.Again }
		raw, _ := json.Marshal(args{"path": "a.py", "new_content": now})
		p, err := f.tool("editFile").Propose(t.Context(), nebula.Action{Args: raw}, again)
		if err != nil || strings.Join(p.Risks, " ") != risk {
			t.Errorf("%q given again: %v %v", now, p.Risks, err)
		}
	}
}

// What another file uses is missed when it goes without a word; of what nothing uses, or with a word, it may go.
func TestDefinitionsThatAreUsedAreMissed(t *testing.T) {
	const was = "def two():\n    return 2\n\ndef one():\n    return 1\n"
	const now = "def one():\n    return 1\n"
	for other, c := range map[string]struct {
		said string
		back bool
	}{
		"from a import two\nprint(two())\n": {"", true},
		"from a import one\nprint(one())\n": {"", false},
		"import a\nprint(a.two())\n":        {"remove two", false},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": was, "b.py": other})
		f.must("readFile", args{"path": "a.py"})
		raw, _ := json.Marshal(args{"path": "a.py", "new_content": now})
		_, err := f.tool("editFile").Propose(t.Context(), nebula.Action{Args: raw, Reason: c.said}, f.view())
		if m := (*nebula.Mistake)(nil); errors.As(err, &m) != c.back {
			t.Errorf("%q, %q: %v", other, c.said, err)
		}
	}
}

// Files of every kind with lines changed at random are themselves: nothing that is whole is in doubt.
func TestChangedFilesAreNotInDoubt(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 8))
	n, back := 0, []string{}
	for range 40 {
		for _, k := range kinds {
			all := strings.Split(strings.TrimSuffix(k.was, "\n"), "\n")
			i := r.IntN(len(all))
			for _, now := range []string{
				strings.Replace(k.was, k.old, k.new, 1),
				strings.Join(append(append(append([]string{}, all[:i]...), all[i], ""), all[i+1:]...), "\n") + "\n",
				k.was + "\n",
			} {
				if now == k.was {
					continue
				}
				f := newFolder(t, tool.Options{}, map[string]string{k.path: k.was})
				f.must("readFile", args{"path": k.path})
				n++
				if p, err := f.propose("editFile", args{"path": k.path, "new_content": now}); err != nil || len(p.Risks) > 0 {
					back = append(back, fmt.Sprintf("%s: %v %v\n%s", k.path, err, p.Risks, now))
				}
			}
		}
	}
	if len(back) > 0 {
		t.Errorf("%d of %d:\n%s", len(back), n, strings.Join(back[:min(5, len(back))], "\n"))
	}
}

// A value behind an arrow takes the place of the value before it, and never that of the line; what may itself be the new line is no change.
func TestWhatStandsBehindAnArrow(t *testing.T) {
	for _, c := range []struct{ file, was, given, want string }{
		{"package.json", "{\n  \"name\": \"x\",\n  \"version\": \"1.0.0\"\n}\n", "\"version\": \"1.0.0\" → \"1.1.0\"\n", "{\n  \"name\": \"x\",\n  \"version\": \"1.1.0\"\n}\n"},
		{"c.yaml", "host: a\nport: 80\nuser: b\n", "port: 80 → 8080\n", "host: a\nport: 8080\nuser: b\n"},
		{".env", "A=1\nB=2\nC=3\n", "B=2 -> 3\n", "A=1\nB=3\nC=3\n"},
		{"Dockerfile", "FROM node:18\nRUN make\nCMD x\n", "FROM node:18 → node:20\n", "FROM node:20\nRUN make\nCMD x\n"},
		{"m.py", "import os\n\nMAX = 10\n\ndef f():\n    return MAX\n", "MAX = 10 -> 20\n", "import os\n\nMAX = 20\n\ndef f():\n    return MAX\n"},
		{"a.md", "# Old title\n\n- one\n- two\n", "# Old title → New title\n", "# New title\n\n- one\n- two\n"},
		{"a.md", "# List\n\n- one\n- two\n", "- two → three\n", "# List\n\n- one\n- three\n"},
		{"app.js", "const double = (x) => x * 3;\nmodule.exports = { double };\n", "const double = (x) => x * 3; => const double = (x) => x * 2;\n", "const double = (x) => x * 2;\nmodule.exports = { double };\n"},
		{"nav.txt", "Home → Docs\n", "Home → Docs → API\n", "Home → Docs → API\n"},
		{"f.hs", "f :: Int -> Int\n", "f :: Int -> Int -> Int\n", "f :: Int -> Int -> Int\n"},
		{"f.js", "const f = a => a\n", "const f = a => a => a\n", "const f = a => a => a\n"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.file: c.was})
		f.must("readFile", args{"path": c.file})
		p, err := f.propose("editFile", args{"path": c.file, "new_content": c.given})
		if m := (*nebula.Mistake)(nil); !errors.As(err, &m) && (err != nil || p.Targets[0].After != nebula.Hash([]byte(c.want))) {
			t.Errorf("%s: %q: %v\n%s", c.file, c.given, err, p.Diff)
		} else if err != nil {
			t.Logf("%s: %q is sent back", c.file, c.given)
		}
	}
}

// A sentence below the rest of a text is a new one.
func TestTextsGrow(t *testing.T) {
	const was = "# Harbour\n\nLists ships.\n"
	f := newFolder(t, tool.Options{}, map[string]string{"README.md": was})
	f.must("readFile", args{"path": "README.md"})
	if _, err := f.propose("editFile", args{"path": "README.md", "new_content": was + "\n## Licence\n\nThis project is MIT licensed.\n"}); err != nil {
		t.Error(err)
	}
}

// A patch after which a file would be none of its kind is sent back once, and made when it is given again; one of a file that was none
// before is made at once.
func TestAPatchLeavesAFileOfItsKind(t *testing.T) {
	for _, c := range []struct{ path, was, old, now string }{
		{"a.go", "package a\n\nfunc F() int {\n\treturn 1\n}\n", "\treturn 1\n}", "\treturn 2\n"},
		{"a.go", "package a\n\nfunc F() int {\n\treturn 1\n}\n", "\treturn 1", "\treturn 2\n\tThis returns 2."},
		{"a.json", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "\"b\": 2", "\"b\": 3,"},
		{"a.json", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "\"b\": 2", "'b': 3"},
		{"a.py", "def f(a):\n    return a\n", "    return a", "    return a\nI hope this helps!"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
		f.must("readFile", args{"path": c.path})
		edit := args{"path": c.path, "edits": []args{{"old": c.old, "new": c.now}}}
		_, err := f.propose("patchFile", edit)
		m := (*nebula.Mistake)(nil)
		if !errors.As(err, &m) {
			t.Errorf("%q is written into %s", c.now, c.path)
			continue
		}
		again := f.view()
		again.SentBack = func(hash string) bool { return hash == m.Again }
		raw, _ := json.Marshal(edit)
		if _, err := f.tool("patchFile").Propose(t.Context(), nebula.Action{Args: raw}, again); err != nil {
			t.Errorf("%q given again: %v", c.now, err)
		}
	}
	f := newFolder(t, tool.Options{}, map[string]string{"a.go": "package a\n\nfunc F() int {\n\treturn 1\n"})
	f.must("readFile", args{"path": "a.go"})
	f.must("patchFile", args{"path": "a.go", "edits": []args{{"old": "return 1", "new": "return 2"}}})
	f.must("patchFile", args{"path": "a.go", "edits": []args{{"old": "package a\n\nfunc F() int {\n\treturn 2\n", "new": ""}}})
}
