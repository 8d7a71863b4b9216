package tool_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/model"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// What is written down of the commands that work goes with every request: it is two hundred tokens at most.
func TestWhatIsWrittenDownIsShort(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		for n := 10; n < 600; n += 20 {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte("build:\nlint:\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := workspace.Open(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			all := tool.All(d, tool.Options{Tests: strings.Repeat("./t -a; ", n/8)})
			advise := lists.Drop(all, func(t nebula.Tool) bool { return t.Spec().Name != "advise" })[0]
			v := nebula.View{Lang: lang}
			for _, kind := range []string{"build", "check", "test"} {
				v.Passed = append(v.Passed, nebula.Action{Tool: "verify", Args: json.RawMessage(`{"kind":"` + kind + `"}`)})
			}
			p, err := advise.Propose(t.Context(), nebula.Action{Args: json.RawMessage(`{}`)}, v)
			text := strings.Join(lists.Drop(strings.Split(p.Diff, "\n"), func(l string) bool { return !strings.HasPrefix(l, "+") || strings.HasPrefix(l, "+++") }), "\n")
			if tokens := model.Estimate(strings.ReplaceAll(text, "\n+", "\n")); err == nil && (tokens > 200 || !strings.Contains(p.Diff, "make lint")) || err != nil && n < 120 {
				t.Errorf("%s, a command of %d letters: %d tokens, %v\n%s", lang, n, tokens, err, p.Diff)
			}
			_ = d.Close()
		}
	}
}
