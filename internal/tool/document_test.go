package tool_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// TestADocumentMayShowAnEditWhenItSaysSoAgain gives contents again that were sent back for what they look like: beside all that a document has they are meant, also
// where nobody is there; what would lose lines, or is nothing but an edit, asks.
func TestADocumentMayShowAnEditWhenItSaysSoAgain(t *testing.T) {
	const guide, block = "# Guide\n\nOne.\n\nTwo.\n\nThree.\n", "<<<<<<< SEARCH\nTwo.\n=======\nTwo and a half.\n>>>>>>> REPLACE\n"
	shown := "An edit looks like this:\n" + block
	for _, c := range []struct {
		name string
		a    args
		asks bool
	}{
		{"writeFile", args{"path": "new.md", "content": shown}, false},
		{"writeFile", args{"path": "testdata/case.go", "content": block}, false},
		{"writeFile", args{"path": "new.go", "content": block}, true},
		{"editFile", args{"path": "guide.md", "new_content": guide + "\n" + shown}, false},
		{"editFile", args{"path": "guide.md", "new_content": "# Guide\n\n" + shown}, true},
		{"patchFile", args{"path": "guide.md", "edits": []args{{"old": "Two.\n", "new": "Two.\n\n" + shown}}}, false},
		{"patchFile", args{"path": "guide.md", "edits": []args{{"old": "Two.\n", "new": block}}}, true},
		{"patchFile", args{"path": "guide.md", "edits": []args{{"old": "Two.\n\nThree.\n", "new": "Two.\n\n" + shown}}}, true},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"guide.md": guide})
		f.must("readFile", args{"path": "guide.md"})
		_, err := f.propose(c.name, c.a)
		m := (*nebula.Mistake)(nil)
		if !errors.As(err, &m) || m.Again == "" {
			if err != nil || c.asks {
				t.Errorf("%v: %v", c.a, err)
			}
			continue
		}
		again := f.view()
		again.SentBack = func(hash string) bool { return hash == m.Again }
		raw, _ := json.Marshal(c.a)
		p, err := f.tool(c.name).Propose(t.Context(), nebula.Action{Args: raw}, again)
		if err != nil || slices.ContainsFunc(p.Risks, func(r string) bool { return strings.HasPrefix(r, nebula.Marked) || r == nebula.OnlyPart }) != c.asks {
			t.Errorf("%v given again: %v %v", c.a, p.Risks, err)
		}
	}
}

// TestAPageThatShowsAnEditInAFenceIsNeverThatEdit gives pages that begin as the file does and show an edit in a fence: they come back once, and are the
// file when they are given again. An edit in a fence without the page's beginning is one.
func TestAPageThatShowsAnEditInAFenceIsNeverThatEdit(t *testing.T) {
	edit := func(old, now string) string {
		return "```\n<<<<<<< SEARCH\n" + old + "\n=======\n" + now + "\n>>>>>>> REPLACE\n```\n"
	}
	const file = "# Edits\n\nold text\n"
	for content, want := range map[string]string{
		"# Edits\n\n" + edit("old", "new"):                         "",
		"# Edits\n\n" + edit("old text", "new text"):               "",
		"# Edits\n\nLike this:\n\n" + edit("old text", "new"):      "",
		edit("old text", "new text"):                               "# Edits\n\nnew text\n",
		"doc.md\n" + edit("old text", "new text"):                  "# Edits\n\nnew text\n",
		"# Edits\n\nold text\n\n" + edit("old", "new"):             "# Edits\n\nold text\n\n" + edit("old", "new"),
		"# Edits\n\n```\nold\n```\n\nnew text\n":                   "# Edits\n\n```\nold\n```\n\nnew text\n",
		"# Edits\n\nold text\n\n```go\nx := 1\n```\n\nmore text\n": "# Edits\n\nold text\n\n```go\nx := 1\n```\n\nmore text\n",
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"doc.md": file})
		f.must("readFile", args{"path": "doc.md"})
		p, err := f.propose("editFile", args{"path": "doc.md", "new_content": content})
		if want != "" {
			if err != nil || p.Targets[0].After != nebula.Hash([]byte(want)) {
				t.Errorf("%q: %v\n%s", content, err, p.Diff)
			}
			continue
		}
		m := (*nebula.Mistake)(nil)
		if !errors.As(err, &m) || m.Again == "" {
			t.Errorf("%q is taken at once: %v\n%s", content, err, p.Diff)
			continue
		}
		again := f.view()
		again.SentBack = func(hash string) bool { return hash == m.Again }
		raw, _ := json.Marshal(args{"path": "doc.md", "new_content": content})
		p, err = f.tool("editFile").Propose(t.Context(), nebula.Action{Args: raw}, again)
		if err != nil || p.Targets[0].After != nebula.Hash([]byte(content)) || !slices.Equal(p.Risks, []string{nebula.Literal}) {
			t.Errorf("%q given again: %v %v", content, p.Risks, err)
		}
	}
}
