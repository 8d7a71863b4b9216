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
