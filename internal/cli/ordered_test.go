//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// What the person ordered to commit is committed where edits run unasked and nobody is there; without the order, and with more than that, it
// is not. What stands in the repository is no file that was changed.
func TestAnOrderedCommitIsMade(t *testing.T) {
	for _, c := range []struct {
		said, approve string
		made          bool
		lines         []string
	}{
		{"Write a.txt and commit when done", "edits", true, []string{"git add -A", "git commit -m 'add a'"}},
		{"a.txt を書いて、終わったらコミットして", "edits", true, []string{"git add -A && git commit -m 'add a'"}},
		{"Write a.txt", "edits", false, []string{"git add -A && git commit -m 'add a'"}},
		{"Write a.txt and commit when done", "none", false, []string{"git add -A && git commit -m 'add a'"}},
		{"Write a.txt and commit when done", "edits", false, []string{"git add -A && git commit --no-verify -m 'add a'"}},
	} {
		b := newBed(t)
		git := func(args ...string) string {
			out, _ := exec.CommandContext(t.Context(), "git", append([]string{"-C", b.folder}, args...)...).CombinedOutput()
			return string(out)
		}
		git("init", "-q")
		git("config", "user.name", "a")
		git("config", "user.email", "a@example.org")
		if err := os.WriteFile(filepath.Join(b.folder, "a.txt"), []byte("a\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		calls := shells(c.lines...)
		b.server.Answers = func(n int, _ []byte) *nebulatest.Answer {
			if n >= len(calls) {
				return &nebulatest.Answer{Text: "Unverified: there is nothing to run."}
			}
			return &nebulatest.Answer{Calls: calls[n : n+1]}
		}
		data, _ := b.command("run", "--approve", c.approve, "--output", "json", c.said).Output()
		if made := strings.Contains(git("log", "--oneline"), "add a"); made != c.made {
			t.Errorf("%s, %s, %s: committed %v\n%s", c.said, c.approve, c.lines, made, data)
		}
		var out struct {
			Changed []string `json:"changed_files"`
		}
		if err := json.Unmarshal(data, &out); err != nil || strings.Contains(strings.Join(out.Changed, " "), ".git/") {
			t.Errorf("%v: changed %q", err, out.Changed)
		}
	}
}
