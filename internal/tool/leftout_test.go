package tool_test

import (
	"strings"
	"testing"

	"nebula/internal/tool"
)

// A patch whose new lines have words in place of a body does not lose the body; remarks that leave nothing out are written.
func TestAPatchThatLeavesItsBodyOutIsSentBack(t *testing.T) {
	const old = "def f1(x):\n    y = x * 1\n    return y + 1\n"
	for _, mark := range []string{"# (body omitted for brevity)", "# f1 to f5 as they were", "# [functions f1 to f5 remain]", "# and so on for f1..f5", "# see the original for the others",
		"# code continues", "pass  # existing implementation", "# nothing else changes", "# same for the rest", "# remainder identical", "# continue with the rest of your code", "# Your existing functions",
		"# reste inchangé", "# 其余代码不变", "# Rest bleibt unverändert", "# implementation left out for clarity", "# rest of file", "# 他の関数はそのまま", "# 中略"} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": old + "\n\nv = 1\n"})
		f.must("readFile", args{"path": "a.py"})
		p, err := f.propose("patchFile", args{"path": "a.py", "edits": []args{{"old": old, "new": "def f1(x):\n    " + mark + "\n    return y + 2\n"}}})
		if err == nil && (!strings.Contains(p.Diff, "y = x * 1") || strings.Contains(p.Diff, "-    y = x * 1")) {
			t.Errorf("%s: the body is gone:\n%s", mark, p.Diff)
		}
	}
	for _, mark := range []string{"# omitted fields get defaults", "# unchanged since 2019", "# see above", "# existing code calls this with None", "pass", "# behaves as before", "# the code continues with the next record"} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": old})
		f.must("readFile", args{"path": "a.py"})
		f.must("patchFile", args{"path": "a.py", "edits": []args{{"old": "    return y + 1\n", "new": "    " + mark + "\n    return y + 2\n"}}})
	}
}

// What stands around or for the characters of a new file is sent back, and what only looks so is written.
func TestANewFileHasNoNumbersEntitiesOrWrittenOutBreaks(t *testing.T) {
	f := newFolder(t, tool.Options{}, nil)
	for path, content := range map[string]string{
		"a.py": "1: import os\n2: \n3: print(os.name)\n", "b.py": `print('a')\n`, "c.html": "&lt;p&gt;a &amp;amp; b&lt;/p&gt;\n", "d.go": "if a &lt; b &amp;&amp; b &gt; c {\n}\n",
	} {
		if m := f.mistaken("writeFile", args{"path": path, "content": content}); !strings.Contains(m, "Nothing was written") {
			t.Errorf("%s: %s", path, m)
		}
	}
	for path, content := range map[string]string{
		"n.txt": "1: import\n2: export\n", "p.py": `print('a\n')` + "\n", "e.html": "<p>a &lt; b &gt; c</p>\n", "x.md": "Write `&lt;` and `&gt;`.\n", "r.tex": `a\n`, "q.py": "s = 'a'\nprint(s)\n",
	} {
		f.must("writeFile", args{"path": path, "content": content})
	}
}

// What stands around a file in a reply is sent back once, and written when it is given again; what such files rightly hold is written at once.
func TestANewFileHasNothingAroundIt(t *testing.T) {
	code := "package n\n\nfunc F() int {\n\treturn 1\n}\n"
	for name, content := range map[string]string{
		"a tag": "<file_content>\n" + code + "</file_content>\n", "a tag with a name": "<file_content path=\"n.go\">\n" + code, "the end of a tag": code + "</content>\n",
		"CDATA": "<![CDATA[\n" + code + "]]>\n", "its end": code + "]]>\n", "a here-document": "cat <<'EOF' > n.go\n" + code + "EOF\n", "thoughts": "<think>\nA function.\n</think>\n" + code,
		"words before": "Here is the file:\n" + code, "words behind": code + "This file defines the function.\n", "a promise": "Sure, I will create the file.\n\n" + code,
		"words in Japanese": "以下がファイルの内容です。\n" + code, "a fence that is open": "```go\n" + code,
	} {
		f := newFolder(t, tool.Options{}, nil)
		if m := f.mistaken("writeFile", args{"path": "n.go", "content": content}); !strings.Contains(m, "Nothing was written") {
			t.Errorf("%s: %s", name, m)
		}
	}
	for path, content := range map[string]string{
		"a.go": code, "a.md": "Here is the file:\n\n```go\n" + code + "```\n", "a.diff": "--- a/n.go\n+++ b/n.go\n@@ -1 +1 @@ package n\n-a\n+b\n", "a.sh": "#!/bin/sh\ncat <<'EOF' > n.go\n" + code + "EOF\n",
		"a.py": "\"\"\"Reads files.\n\nHere is the rest:\n\"\"\"\nx = 1\n", "a.xml": "<content>\n<![CDATA[\na\n]]>\n</content>\n", "a.txt": "Here is the text:\n\nIt ends.\n", "b.go": "package n\n\nconst s = `\n<think>\n]]>\n</content>\n`\n",
		"c.go": "// This file defines the function.\n\npackage n\n", "a.html": "<html>\n<body>\n<p>Here is the file:</p>\n</body>\n</html>\n", "a.sql": "-- This file makes the tables.\nCREATE TABLE t (a int);\n", "a.toml": "# Where the server listens.\nport = 80\n",
	} {
		f := newFolder(t, tool.Options{}, nil)
		f.must("writeFile", args{"path": path, "content": content})
	}
}
