package tool_test

import (
	"strings"
	"testing"

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
