package gate_test

import (
	"testing"

	"nebula/internal/gate"
	"nebula/internal/lists"
)

// Whichever folder git runs in, what it shows of a commit is named from the top of the repository.
func TestWhatGitShowsIsNamedFromTheTop(t *testing.T) {
	for _, line := range []string{
		"git show HEAD:secrets/s.txt", "cd .git && git show HEAD:secrets/s.txt | rev", "(cd .git/objects; git cat-file -p HEAD:secrets/s.txt)",
		"cp -r .git /tmp/x; cd /tmp && git --git-dir=/tmp/x show HEAD:secrets/s.txt", "cp -r .git /tmp/x; cd /tmp/x; git show :secrets/s.txt",
		"cd src && git show HEAD:secrets/s.txt", "git -C .git show HEAD:secrets/s.txt", "cd .git; git log -p -- secrets/s.txt", "git log -p -- ':/secrets/s.txt'",
		"cd .git && git show $(git rev-parse HEAD:secrets/s.txt)", "cd /tmp && GIT_DIR=/tmp/x git blame HEAD -- secrets/s.txt", "cd .git && git show HEAD:sub/secrets/s.txt",
	} {
		if opened := gate.Opened(line); !lists.Has(opened, "secrets/s.txt") {
			t.Errorf("%s: %q", line, opened)
		}
	}
	if opened := gate.Opened("cd src && git show HEAD:./a.txt; cat s.txt"); lists.Has(opened, "s.txt") || !lists.Has(opened, "src/a.txt") {
		t.Errorf("%q", opened)
	}
}
