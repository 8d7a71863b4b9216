package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Settings that are a pipe forbid nothing, and nobody waits for who writes it.
func TestSettingsThatAreAPipeAreNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range hookFiles {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	looked := make(chan int, 1)
	go func() { looked <- len(denialsIn(dir)) }()
	select {
	case n := <-looked:
		if n != 0 {
			t.Errorf("%d rules", n)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits")
	}
}
