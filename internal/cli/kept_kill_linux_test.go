//go:build linux

package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a person keeps of a command that they tried is taken back whole, folders too, also where nebula was killed while it kept it.
func TestKeptAndKilledIsTakenBack(t *testing.T) {
	cut := 0
	for n := 0; n < 8 && cut < 2; n++ {
		b := newBed(t)
		old := filepath.Join(b.folder, "old", "in")
		if err := os.MkdirAll(old, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(old, "file"), []byte("old\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		c := b.command("try", "--keep", "--", "rm -r old; mkdir -p a/b/c e; for i in $(seq 400); do echo $i > a/b/c/$i; echo $i > a/$i; done")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if made, _ := filepath.Glob(filepath.Join(b.folder, "a*")); len(made) > 0 {
				break
			}
		}
		time.Sleep(time.Duration(n) * 5 * time.Millisecond)
		_ = c.Process.Kill()
		if c.Wait() != nil {
			cut++
		}
		_ = b.command("undo").Run() // what it left shows
		left, _ := os.ReadDir(b.folder)
		if data, _ := os.ReadFile(filepath.Join(old, "file")); len(left) != 1 || string(data) != "old\n" {
			t.Fatalf("round %d: %q and %d entries are left", n, data, len(left))
		}
	}
	if cut == 0 {
		t.Error("no kill met a keep")
	}
}
