package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
)

// Repositories are those that a file lists or a pattern finds, each once; what is to be done is a plan of a file, or words.
func TestRepositoriesAreThoseOfAFileOrAPattern(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	for _, dir := range []string{"services/a", "services/b", "other"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"services/notes.txt": "", "empty.txt": "# nobody\n\n", "list.txt": "# ours\nservices/b\nhttps://host.example/x.git\n\n" + filepath.Join(top, "services", "b") + "\n https://host.example/x.git \nother\n",
		"change.md": "# files\n\nGoal: files\n\n## a: step a\n\nFiles: a.txt\n\nmake file a.txt\n", "wrong.md": "no plan\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(names ...string) (list []string) {
		for _, name := range names {
			list = append(list, filepath.Join(top, name))
		}
		return list
	}
	for word, want := range map[string][]string{
		"services/*": at("services/a", "services/b"), "other": at("other"), "list.txt": {at("services/b")[0], "https://host.example/x.git", at("other")[0]},
		"empty.txt": nil, "nothing/*": nil, "[": nil,
	} {
		got, err := repositories(word)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) || err != nil && !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %q, %v", word, got, err)
		}
	}
	for what, want := range map[string]string{"change.md": "a", "replace the old logger": "change", "wrong.md": "", "missing.md": ""} {
		p, err := described(what)
		if (err == nil) != (want != "") || err == nil && (len(p.Steps) != 1 || p.Steps[0].ID != want || p.Status != nebula.Approved || p.Approved != nebula.Person) {
			t.Errorf("%s: %+v, %v", what, p, err)
		}
	}
}
