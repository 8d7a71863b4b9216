package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/tool"
)

// partings are what models put between a passage and its new version.
var partings = []string{
	"→", "=>", "->", "==>", "----->", "becomes", "becomes:", "to", "to:", "instead:", "⇒", "⬇️", "↓↓↓", "↓", "|\nv", "vvv", "***", "~~~~", "||||", "#", "//", "changes to", "should be", "should be:", "is now",
	"となる", "に変更", "を次に置き換える", ">>>", "»", "+++", "=====", "______", "* * *", "(new)", "v2:", "corrected:", "Fixed version:", "I changed it to:", "と変更：", "▼", "||", "@@", "and then", "%%", "", "next:\n\n", "…",
}

// What stands in front of another version of itself is what that replaces, whatever parts the two.
func TestAPassageBeforeItsNewVersionIsNoWholeFile(t *testing.T) {
	function := func(name, op string) string {
		return fmt.Sprintf("def %s(a, b):\n    \"\"\"Return the %s of a and b.\"\"\"\n    return a %s b\n", name, name, op)
	}
	var big strings.Builder
	for _, name := range strings.Fields("add sub mul div mod power neg inv half twice") {
		big.WriteString("\n\n" + function(name, "-"))
	}
	small := "def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a - b\n"
	code := "package a\n\nfunc add(a, b int) int {\n\treturn a - b\n}\n\nfunc sub(a, b int) int {\n\treturn a - b\n}\n"
	five := strings.Join(strings.SplitAfter(big.String(), "\n\n\n")[:5], "")
	read, all := 0, 0
	for name, c := range map[string]struct{ path, file, old, new string }{
		"a function of two":     {"a.py", small, "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"},
		"one of ten":            {"a.py", "import math\n" + big.String(), function("mul", "-"), function("mul", "*")},
		"a line":                {"a.py", "import math\n" + big.String(), "def mul(a, b):\n", "def mul(a, b, c):\n"},
		"half a file":           {"a.py", "import math\n" + big.String(), strings.TrimSpace(five) + "\n", strings.Replace(strings.TrimSpace(five)+"\n", "a - b", "a + b", 1)},
		"a function in Go":      {"a.go", code, "func add(a, b int) int {\n\treturn a - b\n}\n", "func add(a, b int) int {\n\treturn a + b\n}\n"},
		"a setting":             {"a.toml", "[one]\nname = \"first\"\nsize = 1\n\n[two]\nname = \"second\"\n", "[one]\nname = \"first\"\nsize = 1\n", "[one]\nname = \"first\"\nsize = 2\n"},
		"a paragraph of a page": {"a.md", "# A\n\nSome text about all of it.\n\nMore of it here.\n\n## B\n\nThe end of it all.\n", "Some text about all of it.\n", "Some text about most of it.\n"},
	} {
		want := strings.Replace(c.file, c.old, c.new, 1)
		for _, sep := range partings {
			if data := c.path == "a.toml" || c.path == "a.md"; sep == "" && data {
				continue
			}
			f := newFolder(t, tool.Options{}, map[string]string{c.path: c.file})
			f.must("readFile", args{"path": c.path})
			p, err := f.propose("editFile", args{"path": c.path, "new_content": c.old + sep + "\n" + c.new})
			all++
			switch {
			case err != nil:
				if testing.Verbose() {
					t.Logf("sent back: %s %q", name, sep)
				}
			case p.Targets[0].After == nebula.Hash([]byte(want)):
				read++
			default:
				t.Errorf("%s, with %q between: the rest of the file is lost\n%s", name, sep, p.Diff)
			}
		}
	}
	t.Logf("%d of %d were read, the others sent back", read, all)
	if 100*read < 80*all {
		t.Errorf("%d of %d were read", read, all)
	}
}

// Forms of a change that are not the file.
func TestAScriptThatChangesAFileIsNotTheFile(t *testing.T) {
	const file = "def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a - b\n"
	for name, content := range map[string]string{
		"JSON Patch":       `[{"op":"replace","path":"/2","value":"    return a + b"}]`,
		"a script":         "content = open('calc.py').read()\ncontent = content.replace('return a - b', 'return a + b', 1)\nopen('calc.py','w').write(content)",
		"pathlib":          "from pathlib import Path\np = Path(\"calc.py\")\np.write_text(p.read_text().replace('-', '+', 1))",
		"sed":              "sed -i '2s/-/+/' calc.py",
		"struck out":       "def add(a, b):\n    ~~return a - b~~\n    return a + b",
		"an old diff":      "*** calc.py\n--- calc.py\n***************\n*** 1,3 ****\n  def add(a, b):\n!     return a - b\n--- 1,3 ----\n  def add(a, b):\n!     return a + b",
		"marked with !":    "def add(a, b):\n!    return a + b",
		"words by word":    "def add(a, b):\n    return a [--]{+++} b",
		"what to change":   "- change `a - b` to `a + b` in `add`",
		"with numbers":     "2-    return a - b\n2+    return a + b",
		"with the place":   "calc.py:2:    return a + b",
		"nothing":          "undefined",
		"an object":        "[object Object]",
		"a result":         "ok: wrote 10 lines to calc.py",
		"a JSON of a path": `{"path":"calc.py","content":"..."}`,
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"calc.py": file})
		f.must("readFile", args{"path": "calc.py"})
		p, err := f.propose("editFile", args{"path": "calc.py", "new_content": content})
		if want := strings.Replace(file, "a - b", "a + b", 1); err == nil && p.Targets[0].After != nebula.Hash([]byte(want)) {
			t.Errorf("%s became the file:\n%s", name, p.Diff)
		}
	}
	f := newFolder(t, tool.Options{}, map[string]string{"tool.py": "import sys\nprint(sys.argv)\n"})
	f.must("readFile", args{"path": "tool.py"})
	f.must("editFile", args{"path": "tool.py", "new_content": "import sys\nfor p in sys.argv[1:]:\n    open(p, 'w').write('x')\n"})
}

// What is no other version of a passage is a whole file.
func TestWhatBeginsAlikeIsWritten(t *testing.T) {
	for name, c := range map[string]struct{ path, was, now string }{
		"imports":      {"a.py", "import os\n\nprint(os.name)\n", "import os\nimport re\nimport json\n\nprint(re, json)\n"},
		"tables":       {"a.toml", "[[bin]]\nname = \"first\"\n", "[[bin]]\nname = \"first\"\n\n[[bin]]\nname = \"second\"\n"},
		"with remarks": {"a.yaml", "- name: first\n  size: 1\n", "- name: first\n  size: 1\n# the other one\n- name: second\n  size: 1\n"},
		"cases":        {"a.go", "package a\n\nfunc One() int { return 1 }\n", "package a\n\nfunc One() int { return 1 }\n\nfunc Two() int { return 2 }\n"},
		"a page":       {"a.md", "# Notes\n\nFirst.\n", "# Notes\n\nFirst.\n\n# More notes\n\nSecond.\n"},
		"a mark alike": {"a.py", "@test\ndef a():\n    return 1\n\n\ndef b():\n    return 2\n", "@test\ndef a():\n    return 1\n\n\n@test\ndef b():\n    return 3\n"},
		"a remark":     {"a.py", "def add(a, b): return a - b\ndef mul(a, b): return a\n", "def add(a, b): return a - b\n# of both\ndef mul(a, b): return a * b\n"},
		"settings":     {"a.js", "const RATE = 2;\nconst SIZE = 3;\n", "const RATE = 2;\nconst STEP_OF_IT = 4;\nconst SIZE = 5;\n"},
		"classes":      {"a.py", "class A:\n    def __init__(self):\n        self.a = 1\n", "class A:\n    def __init__(self):\n        self.a = 1\n\n\nclass B:\n    def __init__(self):\n        self.b = 1\n"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
		f.must("readFile", args{"path": c.path})
		raw, _ := json.Marshal(args{"path": c.path, "new_content": c.now})
		p, err := f.tool("editFile").Propose(t.Context(), nebula.Action{Args: raw}, f.view())
		if err != nil || p.Targets[0].After != nebula.Hash([]byte(c.now)) || len(p.Risks) > 0 {
			t.Errorf("%s: %v %v\n%s", name, err, p.Risks, p.Diff)
		}
	}
}

// A file whose lines are all the same is looked through in no time.
func TestManyLinesThatAreTheSame(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a.csv": strings.Repeat("0,0,0\n", 60000)})
	f.must("readFile", args{"path": "a.csv"})
	began := time.Now()
	_, _ = f.propose("editFile", args{"path": "a.csv", "new_content": strings.Repeat("0,0,0\n", 60001)})
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}
