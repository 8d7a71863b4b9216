package config

import (
	"os"
	"path/filepath"
	"testing"

	"nebula/internal/volume"
)

// A home, or a file of it, that is another user's is refused, and told to root; one's own and root's are not.
func TestAnothersHomeIsNotOnesOwn(t *testing.T) {
	dir := t.TempDir()
	h := Home{dir, dir, dir, "NEBULA_HOME"}
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	mine, known := volume.Owner(info)
	if !known {
		t.Skip("files have no owners here")
	}
	if got := h.strange(mine); got != nil {
		t.Errorf("one's own: %v", got)
	}
	if err := os.WriteFile(h.Rules(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	other := mine
	if mine == 0 {
		if got := h.strange(1000); got != nil {
			t.Errorf("root's: %v", got)
		}
		other = 4242
		if err := os.Chown(h.Rules(), other, -1); err != nil {
			t.Fatal(err)
		}
		if got := h.strange(1000); got == nil || got.Path != h.Rules() {
			t.Errorf("a file of another's: %v", got)
		}
		if err := os.Chown(dir, other, -1); err != nil {
			t.Fatal(err)
		}
		env := func(name string) string { return map[string]string{"NEBULA_HOME": dir}[name] }
		c, err := Load(Input{Env: env})
		if err != nil || len(c.Warnings) != 1 {
			t.Errorf("root is told: %v %v", c.Warnings, err)
		}
	}
	if got := h.strange(other + 1); got == nil || got.Owner != other || got.Root || got.Path != dir {
		t.Errorf("another's: %+v", got)
	}
	if got := h.strange(0); other != 0 && (got == nil || !got.Root) {
		t.Errorf("as root: %+v", got)
	}
	away := filepath.Join(dir, "none")
	if got := (Home{away, away, away, ""}).strange(other + 1); got != nil {
		t.Errorf("none: %v", got)
	}
}
