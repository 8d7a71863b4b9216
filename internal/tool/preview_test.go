package tool_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// What taking back is shown to do is measured against the files as they are, whoever changed them: a tool or a command.
func TestTakingBackIsShownAgainstWhatIsThere(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a.txt": "one\ntwo\n"})
	var changes []nebula.Change
	f.must("readFile", args{"path": "a.txt"})
	changes = append(changes, f.must("editFile", args{"path": "a.txt", "new_content": "one\nmore\ntwo\n"}).Changes...)
	changes = append(changes, f.must("executeShell", args{"command": "> a.txt; echo x > new.txt"}).Changes...)
	diff, files, since, err := tool.TakenBack(t.Context(), f.d, changes)
	if err != nil || files != 2 || len(since) > 0 {
		t.Fatal(files, since, err)
	}
	for _, want := range []string{"+one\n+two\n", "+++ /dev/null", "-x\n"} {
		if !strings.Contains(diff, want) {
			t.Errorf("no %q in\n%s", want, diff)
		}
	}
	if strings.Contains(diff, "more") {
		t.Errorf("what is gone already is not taken back:\n%s", diff)
	}
	f.put(map[string]string{"a.txt": "mine\n"})
	if diff, _, since, err = tool.TakenBack(t.Context(), f.d, changes); err != nil || len(since) != 1 || since[0] != "a.txt" || !strings.Contains(diff, "-mine\n") {
		t.Errorf("left %v, %v:\n%s", since, err, diff)
	}
}

// What a tool keeps for itself comes back with the rest, but is shown only where there is nothing else.
func TestTakingBackShowsNoCachesBesideFiles(t *testing.T) {
	f := newFolder(t, tool.Options{}, nil)
	caches := f.must("executeShell", args{"command": "mkdir .pytest_cache; echo x > .pytest_cache/nodeids"}).Changes
	if diff, files, _, err := tool.TakenBack(t.Context(), f.d, caches); err != nil || files != 1 || !strings.Contains(diff, "nodeids") {
		t.Error(files, err, diff)
	}
	both := append(caches, f.must("executeShell", args{"command": "echo y > a.txt"}).Changes...)
	if diff, files, _, err := tool.TakenBack(t.Context(), f.d, both); err != nil || files != 1 || strings.Contains(diff, "nodeids") || !strings.Contains(diff, "-y") {
		t.Error(files, err, diff)
	}
}
