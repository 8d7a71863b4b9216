package tool_test

import (
	"errors"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// A content that ends in the middle of something, or is one changed part of a file, is not the file.
func TestWhatEndsInTheMiddleIsNoFile(t *testing.T) {
	const script = "class Queue {\n  constructor() {\n    this.items = [];\n  }\n\n  size() {\n    return this.items.length;\n  }\n}\n\nmodule.exports = Queue;\n"
	const data = "{\n  \"name\": \"shop\",\n  \"version\": \"1.0.0\",\n  \"dependencies\": {\n    \"left-pad\": \"1\"\n  }\n}\n"
	const settings = "PORT=80\nLOG_LEVEL=info\nCACHE_TTL=300\n"
	const page = "# Shop\n\n## Install\n\nRun make.\n\n## Use\n\nRun shop.\n\n## Licence\n\nMIT\n"
	const tables = "CREATE TABLE a (\n  id int\n);\n\nCREATE TABLE b (\n  id int,\n  name text\n);\n\nCREATE TABLE c (\n  id int\n);\n"
	const program = "package ship\n\nimport \"fmt\"\n\nfunc Cost(n int) int {\n\treturn n * 2\n}\n\nfunc Print(n int) {\n\tfmt.Println(n)\n}\n"
	const calc = "def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a * b\n"
	const rules = "all:\n\tgo build\n\ntest:\n\tgo test\n\nclean:\n\trm -f shop\n"
	for name, c := range map[string]struct{ path, was, now string }{
		"a word":           {"queue.js", script, script[:strings.Index(script, "th;")]},
		"a string":         {"package.json", data, data[:strings.Index(data, "pendencies")]},
		"a name":           {"app.env", settings, "PORT=80\nLOG_LEV"},
		"new lines":        {"queue.js", script, strings.Replace(script[:strings.Index(script, "size()")], "[]", "[1]", 1) + "count() {\n    return this.ite"},
		"a section":        {"README.md", page, "## Licence\n\nApache-2.0\n"},
		"a table":          {"s.sql", tables, "CREATE TABLE b (\n  id bigint,\n  name text\n);\n"},
		"a function":       {"ship.go", program, "func Cost(n int) int {\n\treturn n * 3\n}\n"},
		"a rule":           {"Makefile", rules, "clean:\n\trm -f shop test\n"},
		"the rest, said":   {"ship.go", program, strings.Replace(strings.Replace(program, "n * 2", "n * 3", 1), "fmt.Println(n)", "panic(\"unchanged\")", 1)},
		"half a line":      {"calc.py", calc, strings.Replace(calc[:strings.Index(calc, "rn a *")], "a - b", "a + b", 1)},
		"below a new line": {"calc.py", calc, strings.Replace(calc[:strings.Index(calc, "rn a *")], "mul", "times", 1)},
		"up to a word":     {"calc.py", calc, strings.Replace(calc[:strings.Index(calc, " * b")], "a - b", "a + b", 1)},
		"an object opened": {"package.json", data, strings.Replace(data, "  }\n}\n", "    \"right-pad\": {\n", 1)},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
		f.must("readFile", args{"path": c.path})
		p, err := f.propose("editFile", args{"path": c.path, "new_content": c.now})
		if m := (*nebula.Mistake)(nil); !errors.As(err, &m) || m.Again == "" {
			t.Errorf("%s is written: %v\n%s", name, err, p.Diff)
		}
	}
	for name, c := range map[string]struct{ path, was, now string }{
		"the end made shorter": {"a.py", "def f(a, b):\n    return a + b\n", "def f(a, b):\n    return a\n"},
		"a shorter version":    {"VERSION", "1.2.3\n", "1.2"},
		"an end without break": {"a.py", "def f(a, b):\n    return a + b\n", "def f(a, b):\n    return b + a"},
		"a bracket in text":    {"a.py", "print('a')\nprint('b')\n", "print('(')\nprint('b')\n"},
		"brackets in strings":  {"a.py", "import re\n", "import re\nA = re.compile(r\"[(\\[]\")\nC = \"'\" + '\"' + \"(\" + \"}\"\nD = f\"{A!r:>{10}}{{\"\n"},
		"sections taken out":   {"README.md", page, strings.Replace(page, "## Use\n\nRun shop.\n\n", "", 1)},
		"another page":         {"README.md", page, "# Store\n\nRun store.\n"},
		"a function taken out": {"ship.go", program, "package ship\n\nimport \"fmt\"\n\nfunc Print(n int) {\n\tfmt.Println(n)\n}\n"},
		"one setting more":     {"app.env", settings, settings + "NEW=1\n"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
		f.must("readFile", args{"path": c.path})
		if p, err := f.propose("editFile", args{"path": c.path, "new_content": c.now}); err != nil || len(p.Risks) > 0 {
			t.Errorf("%s: %v %v", name, err, p.Risks)
		}
	}
}
