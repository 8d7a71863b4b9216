//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// A name that is given to a symbol in all files is one change: under edits nobody is asked, and one undo takes it back.
func TestRenamingIsOneChange(t *testing.T) {
	b := newBed(t)
	files := map[string]string{"a.go": "package a\n\nfunc Total() int { return 1 }\n", "sub/b.go": "package b\n\nvar x = a.Total()\n"}
	for name, text := range files {
		path := filepath.Join(b.folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	b.server.Answers = func(n int, _ []byte) *nebulatest.Answer {
		if n == 0 {
			return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "patchFile", Arguments: []byte(`{"path":".","edits":[{"old":"Total","new":"Sum"}],"reason":"r"}`)}}}
		}
		return &nebulatest.Answer{Text: "Renamed. Unverified: nothing was run."}
	}
	holds := func(name string) string {
		data, err := os.ReadFile(filepath.Join(b.folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	b.output("run", "--approve", "edits", "rename Total to Sum")
	for name, text := range files {
		if got := holds(name); got != strings.ReplaceAll(text, "Total", "Sum") {
			t.Errorf("%s: %q", name, got)
		}
	}
	b.output("undo")
	for name, text := range files {
		if got := holds(name); got != text {
			t.Errorf("after undo %s: %q", name, got)
		}
	}
}
