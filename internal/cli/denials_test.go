package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
)

// Of settings that forbid something all holds that can be read of them, and the rest is said with its line.
func TestWhatCanBeReadOfDenialsHolds(t *testing.T) {
	for _, c := range []struct {
		text  string
		rules int
		says  string
	}{
		{`{"permissions":{"deny":["Read(./a.md)","WebFetch"],"allow":["Read(./b.md)"]}}`, 2, ""},
		{"{\"permissions\":{\"deny\":[\n3,\n\"Read(./a.md)\"]}}", 1, "settings.json:2: what is no text"},
		{`{"permissions":{"deny":"Read(./a.md)"}}`, 1, ""},
		{`{"permissions":{"deny":["Read(./a.md)"]`, 1, "settings.json:1:"},
		{"{\"permissions\":{\"deny\":[\"Read(./a.md)\"]}}\nx", 1, "settings.json:2:"},
		{`{"permissions":{"deny":["Read(./a.md)",{"x":["Read(./b.md)"]},null]}}`, 1, "settings.json:1: what is no text"},
		{`{"x":"` + strings.Repeat("a", 3<<20) + `","permissions":{"deny":["Read(./a.md)"]}}`, 1, ""},
		{"\xef\xbb\xbf{\n// no\n\"permissions\":{\"deny\":[\"Read(./a.md)\",],}}", 1, ""},
		{`{"deny":["Read(./a.md)"],"x":{"permissions":{"deny":["Read(./a.md)"]}}}`, 0, ""},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".claude"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".claude", "settings.json"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		hooks, bars, _ := denials(root, ".claude/settings.json")
		left := undenied(root)
		said := slices.ContainsFunc(left, func(w nebula.Words) bool { return strings.Contains(w.String(), c.says) })
		if len(hooks)+len(bars) != c.rules || (c.says == "") != (len(left) == 0) || c.says != "" && !said {
			t.Errorf("%.80s: %d rules, says %v", c.text, len(hooks)+len(bars), left)
		}
	}
}
