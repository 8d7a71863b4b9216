package tool

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/workspace"
)

// What is asked of files that are not to be read has one answer, whatever stands in them.
func TestNoAnswerTellsWhatIsNotToBeRead(t *testing.T) {
	view := nebula.View{Unread: func(path string) bool { return strings.HasPrefix(path, "db/") }}
	for _, tt := range []struct{ tool, args, want string }{
		{"patchFile", `{"path":"db/x.txt","edits":[{"old":"blue","new":"red"}],"reason":"x"}`, "Nobody is to read"},
		{"patchFile", `{"path":"./db/../db/x.txt","edits":[{"old":"blue","new":"red"}],"reason":"x"}`, "Nobody is to read"},
		{"patchFile", `{"path":".","edits":[{"old":"blue","new":"red"}],"reason":"x"}`, `No identifier "blue" stands in`},
		{"searchInDirectory", `{"keyword":"blue","directory":".","reason":"x"}`, "No line in"},
		{"renameSymbol", `{"from":"blue","to":"red","path":"db/x.txt","reason":"x"}`, "Nobody is to read"},
		{"renameSymbol", `{"from":"blue","to":"red","path":".","reason":"x"}`, `No identifier "blue" stands in`},
	} {
		for _, text := range []string{"blue\n", "none\n"} {
			dir := t.TempDir()
			if err := errors.Join(os.Mkdir(dir+"/db", 0o700), os.WriteFile(dir+"/db/x.txt", []byte(text), 0o600), os.WriteFile(dir+"/a.txt", []byte("other\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
			work, err := workspace.Open(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, tool := range All(work, Options{}) {
				if tool.Spec().Name != tt.tool {
					continue
				}
				p, err := tool.Propose(t.Context(), nebula.Action{Tool: tt.tool, Args: []byte(tt.args)}, view)
				if err != nil {
					got = err.Error()
				} else if p.Effect == nebula.Read {
					r, err := p.Do(t.Context(), nebula.Run{})
					got = fmt.Sprint(r.Text, err)
				} else {
					got = p.Diff
				}
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("%s %s, %q: %s", tt.tool, tt.args, text, got)
			}
		}
	}
}
