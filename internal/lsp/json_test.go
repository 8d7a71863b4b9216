package lsp

import "testing"

// A JSON file that an edit breaks is told with its line; one that was none before, or is of a kind that has remarks, is not.
func TestAJSONFileThatAnEditBreaksIsTold(t *testing.T) {
	for _, c := range []struct {
		path, before, after string
		line                int
	}{
		{"a.json", "{}\n", "{\n  \"a\": 1,\n}\n", 3},
		{"a.json", "{}\n", "{\n  \"a\": 1\n  \"b\": 2\n}\n", 3},
		{"a.json", "{}\n", "{\n  \"a\": [1, 2\n", 2},
		{"a.json", "", "{\n  'a': 1\n}\n", 2},
		{"a.json", "{}\n", "{\"a\": 1}\n", 0},
		{"a.json", "// x\n{}\n", "// x\n{,}\n", 0},
		{"tsconfig.json", "", "{\n  // x\n  \"a\": 1\n}\n", 0},
		{"a.json", "{}\n", "", 0},
		{"a.py", "{}\n", "{,}\n", 0},
	} {
		if p, ok := Malformed(Edit{c.path, []byte(c.before), []byte(c.after)}); ok != (c.line > 0) || p.Line != c.line {
			t.Errorf("%s %q: line %d %s", c.path, c.after, p.Line, p.Text)
		}
	}
}
