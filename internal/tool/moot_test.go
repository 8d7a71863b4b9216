package tool_test

import (
	"errors"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// A patch that was made already is so, and is no mistake that holds anything up; beside others they alone are made. What only looks like
// it elsewhere is not taken for it.
func TestAPatchThatWasMadeIsAlreadySo(t *testing.T) {
	const text = "package a\n\nfunc Total() int { return 1 }\n\nfunc Other() int { return 3 }\n\nfunc Third() error { return nil }\n"
	f := newFolder(t, tool.Options{}, map[string]string{"a.go": text})
	f.must("readFile", args{"path": "a.go"})
	first := args{"old": "func Total() int { return 1 }", "new": "func Total() int { return 2 }"}
	f.must("patchFile", args{"path": "a.go", "edits": []any{first}})
	_, err := f.propose("patchFile", args{"path": "a.go", "edits": []any{first}})
	if m := (*nebula.Mistake)(nil); !errors.As(err, &m) || !m.Moot || !strings.Contains(m.Text, "Already so") {
		t.Error(err)
	}
	r := f.must("patchFile", args{"path": "a.go", "edits": []any{first, args{"old": "return 3", "new": "return 4"}}})
	if r.Status == nebula.Failed || !strings.Contains(f.text("a.go"), "return 4") || !strings.Contains(f.text("a.go"), "return 2") {
		t.Errorf("%s: %s", r.Status, r.Text)
	}
	_, err = f.propose("patchFile", args{"path": "a.go", "edits": []any{args{"old": "func Other() int { return 5, nothing like it }", "new": "func Third() error { return nil }"}}})
	if m := (*nebula.Mistake)(nil); !errors.As(err, &m) || m.Moot {
		t.Errorf("what stands elsewhere is taken for it: %v", err)
	}
}
