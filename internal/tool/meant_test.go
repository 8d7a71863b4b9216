package tool_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// given are contents for files that are there, or are not yet.
type given struct {
	name, path, was string
	a               args
}

// propose proposes a content with words beside it, again after it was sent back with back.
func (c given) propose(t *testing.T, said, back string) (nebula.Proposal, error) {
	t.Helper()
	c.a["path"] = c.path
	files := map[string]string{"zz": "x"}
	if c.was != "" {
		files[c.path] = c.was
	}
	f := newFolder(t, tool.Options{}, files)
	if c.was != "" {
		f.must("readFile", args{"path": c.path})
	}
	raw, _ := json.Marshal(c.a)
	v := f.view()
	v.SentBack = func(hash string) bool { return hash == back }
	return f.tool(c.name).Propose(t.Context(), nebula.Action{Args: raw, Reason: said}, v)
}

// TestWhatIsRightlyWrittenComesThrough writes dots, remarks and marks where they are the file's own.
func TestWhatIsRightlyWrittenComesThrough(t *testing.T) {
	for _, c := range []given{
		{"editFile", "a.yaml", "a: 1\nb: 2\n", args{"new_content": "---\na: 1\nb: 3\n...\n"}},
		{"editFile", "a.yaml", "a: 1\nb: 2\n", args{"new_content": "a: 1\nb: 2\n...\n---\nc: 3\n"}},
		{"editFile", "a.py", "import os\n\ndef f():\n    return 1\n", args{"new_content": "import os\n\n# ...\ndef f():\n    return 2\n"}},
		{"editFile", "a.html", "<p>one</p>\n<p>two</p>\n", args{"new_content": "<p>one</p>\n<!-- ... -->\n<p>three</p>\n"}},
		{"patchFile", "a.html", "<p>one</p>\n<p>two</p>\n", args{"edits": []args{{"old": "<p>two</p>", "new": "<!-- ... -->\n<p>three</p>"}}}},
		{"editFile", "a.rs", "fn main() {\n    println!(\"a\");\n}\n", args{"new_content": "fn main() { println!(\"b\"); }\n"}},
		{"editFile", "merge.md", "# Merging\n\nHow to.\n", args{"new_content": "# Merging\n\nHow to.\n\n```\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n```\n"}},
		{"editFile", "steps.txt", "one\ntwo\n", args{"new_content": "1. one\n2. two\n3. three\n"}},
		{"editFile", "steps.txt", "1. one\n2. two\n", args{"new_content": "1. one\n2. two\n3. three\n"}},
		{"writeFile", "steps2.txt", "", args{"content": "1  Open it.\n2  Turn it.\n3  Close it.\n"}},
		{"writeFile", "steps3.txt", "", args{"content": "1: Open it.\n2: Turn it.\n3: Close it.\n"}},
		{"patchFile", "c.go", "package a\n\n<<<<<<< HEAD\nvar x = 1\n=======\nvar x = 2\n>>>>>>> b\n", args{"edits": []args{{"old": "<<<<<<< HEAD\nvar x = 1\n=======\nvar x = 2\n>>>>>>> b\n", "new": "var x = 2\n"}}}},
		{"patchFile", "a.py", "def f():\n    return 1\n", args{"edits": []args{{"old": "    return 1\n", "new": "    # ...\n    return 2\n"}}}},
		{"editFile", "a.js", "const a = 1;\nconst b = 2;\n", args{"new_content": "const a = 1;\n// ...\nconst b = 3;\n"}},
		{"editFile", "pkg.json", "{\"a\": 1}\n", args{"new_content": "{\"a\": 1, \"b\": \"...\"}\n"}},
		{"editFile", "a.sh", "#!/bin/sh\necho a\necho b\n", args{"new_content": "#!/bin/sh\n# ...\necho a\necho c\n"}},
	} {
		if p, err := c.propose(t, "as asked", ""); err != nil || len(p.Risks) > 0 {
			t.Errorf("%s %s %v: %v %v", c.name, c.path, c.a, p.Risks, err)
		}
	}
}

// TestWhatIsMeantLiterallyIsTakenTheSecondTime gives again what looks like something that only stands for a text: with words that it is meant so it is
// taken where nobody is there, without them the person is asked.
func TestWhatIsMeantLiterallyIsTakenTheSecondTime(t *testing.T) {
	for _, c := range []given{
		{"editFile", "steps.txt", "Open it.\nTurn it.\nClose it.\n", args{"new_content": "1: Open it.\n2: Turn it twice.\n3: Close it.\n"}},
		{"patchFile", "a.py", "def f():\n    return 1\n", args{"edits": []args{{"old": "    return 1", "new": "    ..."}}}},
		{"editFile", "a.py", "def f():\n    return 1\n", args{"new_content": "def f():\n    ...\n"}},
		{"editFile", "a.py", "def f():\n    return 1\n\ndef g():\n    return 2\n", args{"new_content": "def f():\n    raise NotImplementedError\n\ndef g():\n    return 2\n"}},
	} {
		_, err := c.propose(t, "as asked", "")
		m := (*nebula.Mistake)(nil)
		if !errors.As(err, &m) || m.Again == "" {
			t.Errorf("%s %v: %v", c.path, c.a, err)
			continue
		}
		for said, risk := range map[string]string{"as asked": nebula.Marked, "It is meant literally.": nebula.Literal, "文字通りの内容です。": nebula.Literal} {
			if p, err := c.propose(t, said, m.Again); err != nil || !slices.Equal(p.Risks, []string{risk}) {
				t.Errorf("%s %v, %q: %v %v", c.path, c.a, said, p.Risks, err)
			}
		}
	}
	edit := given{"editFile", "a.go", "package a\n\nvar x = 1\n", args{"new_content": "<<<<<<< SEARCH\nvar y = 1\n=======\nvar x = 2\n>>>>>>> REPLACE\n"}}
	_, err := edit.propose(t, "", "")
	m := (*nebula.Mistake)(nil)
	if !errors.As(err, &m) {
		t.Fatal(err)
	}
	if p, err := edit.propose(t, "It is meant literally.", m.Again); err != nil || !slices.Equal(p.Risks, []string{nebula.Marked}) {
		t.Errorf("an edit in the place of a program: %v %v", p.Risks, err)
	}
}
