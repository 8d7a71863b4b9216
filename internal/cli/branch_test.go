package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder's branch is read, and nothing that leads out of the folder.
func TestBranchOfAFolder(t *testing.T) {
	commit := "0123456789abcdef0123456789abcdef01234567"
	for head, want := range map[string]string{"ref: refs/heads/main\n": "main", "ref: refs/heads/a/b\n": "a/b", commit + "\n": "0123456", "nonsense\n": "", "": ""} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte(head), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := branch(dir); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
		link := t.TempDir()
		if err := os.Symlink(filepath.Join(dir, ".git"), filepath.Join(link, ".git")); err == nil && branch(link) != "" {
			t.Error("read through a link that leads out")
		}
	}
	if got := branch(t.TempDir()); got != "" {
		t.Errorf("%q where there is no repository", got)
	}
}
