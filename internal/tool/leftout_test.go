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
