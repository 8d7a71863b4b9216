package tool_test

import (
	"errors"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// TestALostIndentationComesBack gives new texts for Python that stand further left than what they replace: where that can only be a slip it is
// mended, and a line that is moved out of its block stays where it was put.
func TestALostIndentationComesBack(t *testing.T) {
	const text = "class A:\n    def f(self, x):\n        for i in x:\n            y = i\n            self.n += y\n        return self.n\n\n    def g(self):\n        return 2\n"
	for _, c := range []struct{ old, new, want string }{
		{"            y = i\n            self.n += y\n", "y = i * 2\nself.n += y\n", "            y = i * 2\n            self.n += y\n"},
		{"            y = i\n            self.n += y\n", "if i:\n    y = i * 2\n    self.n += y\n", "            if i:\n                y = i * 2\n                self.n += y\n"},
		{"    def g(self):\n        return 2\n", "def g(self):\n    return 3\n", "def g(self):\n    return 3\n"}, // a function of its own
		{"        for i in x:\n            y = i\n", "for i in x:\n    y = i + 1\n", "        for i in x:\n            y = i + 1\n"},
		{"            self.n += y\n        return self.n\n", "            self.n += y\n            return self.n\n", "            self.n += y\n            return self.n\n"},
		{"            self.n += y\n", "        self.n += y\n", "        self.n += y\n"}, // behind the loop
		{"        return self.n\n", "return self.n + 1\n", "        return self.n + 1\n"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": text})
		f.must("readFile", args{"path": "a.py"})
		if _, err := f.run("patchFile", args{"path": "a.py", "edits": []args{{"old": c.old, "new": c.new}}}); err != nil {
			t.Errorf("%q: %v", c.new, err)
			continue
		}
		if want := strings.Replace(text, c.old, c.want, 1); f.text("a.py") != want {
			t.Errorf("%q became\n%s", c.new, f.text("a.py"))
		}
	}
}

// A program all of whose lines are indented was moved as a whole; what may stand so, or always did, is taken as it is.
func TestAProgramThatIsIndentedAsAWholeIsSentBack(t *testing.T) {
	const was = "def f():\n    return 1\n"
	for _, c := range []struct {
		path, was, now string
		back           bool
	}{
		{"a.py", "", "  def f():\n      return 1\n", true},
		{"a.py", was, "  def f():\n      return 2\n", true},
		{"a.js", "", "\tconst a = 1;\n\n\tmodule.exports = a;\n", true},
		{"a.go", "", "    package a\n\n    const A = 1\n", true},
		{"a.py", "", was, false},
		{"a.py", "", "  x = (\n1)\n", false},
		{"a.md", "", "    indented\n    code\n", false},
		{"part.js", "  a();\n  b();\n", "  a();\n  c();\n", false},
		{"notes", "", "  one\n  two\n", false},
		{"m.md", "# Title\n\nsome text\n", "    # Title\n\n    other text\n", true},
		{"n.txt", "one line\ntwo lines\n", "    one line\n    three lines\n", true},
		{"n.txt", "one line\ntwo lines\n", "    a page\n    of its own\n", false},
		{"n.txt", "  one line\n  two lines\n", "  one line\n  three lines\n", false},
		{"Makefile", "all: a\n\techo all\n", "    all: a\n    \techo two\n", true},
		{"Makefile", "all: a\n\techo all\n", "    all: a b\n        echo all\n", true},
		{"Makefile", "all: a\n\techo all\n", "all: a\n    echo two\n", true},
		{"GNUmakefile", "all: a\n\techo all\n", "all: a\n    echo two\n", true},
		{"x.mk", "all: a\n\techo all\n\nb:\n\techo b\n", "all: a\n    echo all\n\nb:\n    echo c\n", true},
		{"x.mk", ".RECIPEPREFIX = >\nall: a\n> echo all\n", ".RECIPEPREFIX = >\nall: a\n> echo two\n", false},
		{"x.mk", "X = 1\n", "X = 1\nY = 2\n", false},
	} {
		f := newFolder(t, tool.Options{}, nil)
		name, a := "writeFile", args{"path": c.path, "content": c.now}
		if c.was != "" {
			f.put(map[string]string{c.path: c.was})
			f.must("readFile", args{"path": c.path})
			name, a = "editFile", args{"path": c.path, "new_content": c.now}
		}
		_, err := f.propose(name, a)
		m := (*nebula.Mistake)(nil)
		if back := errors.As(err, &m) && m.Again != ""; back != c.back || !back && err != nil {
			t.Errorf("%s %q: %v", c.path, c.now, err)
		}
	}
}
