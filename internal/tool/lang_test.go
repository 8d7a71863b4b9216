package tool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

// What stands in a result beside what was read is said in the session's language, and so is what a model reads of its mistakes.
func TestResultsAreSaidInTheSessionsLanguage(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.txt": "one\ntwo\nthree\r\n", "b.bin": "\x00\x01", "e.txt": "", "k.txt": "Needle"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d, err := workspace.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	english := regexp.MustCompile(`[a-z]{2,} [a-z]{2,}`)
	for _, c := range [][2]string{
		{"readFile", `{"path":"a.txt","offset":2,"limit":1}`}, {"readFile", `{"path":"b.bin"}`}, {"readFile", `{"path":"e.txt"}`}, {"readFile", `{"path":"k.txt"}`},
		{"searchInDirectory", `{"directory":".","keyword":"nothing|here"}`}, {"searchInDirectory", `{"directory":".","keyword":"needle"}`}, {"searchInDirectory", `{"directory":".","keyword":"no","glob":"*.go"}`},
		{"checklist", `{"todos":["[x] a","[ ] b"]}`},
	} {
		for _, tool := range All(d, Options{}) {
			if tool.Spec().Name != c[0] {
				continue
			}
			p, err := tool.Propose(t.Context(), nebula.Action{Tool: c[0], Args: json.RawMessage(c[1])}, nebula.View{Lang: "ja"})
			if err != nil {
				t.Fatal(err)
			}
			if r, err := p.Do(t.Context(), nebula.Run{}); err != nil || english.MatchString(r.Text) {
				t.Errorf("%s: %q, %v", c, r.Text, err)
			}
		}
	}
	m := nebula.Wrong("Give a smaller offset.", "%q ends at line %d.", "a.go", 5)
	if got := phrase.Mistaken("ja", m); got != `"a.go" は 5 行で終わっています。もっと小さい offset を指定してください。` {
		t.Error(got)
	}
	p := patch{wrong: []*nebula.Mistake{m}}
	if got := p.unmade("ja"); english.MatchString(got) {
		t.Error(got)
	}
}
