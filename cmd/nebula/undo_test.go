//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula/internal/nebulatest"
)

// A command that ran when nebula was killed is taken back by the next one.
func TestCommandCutOffByAKillIsTakenBack(t *testing.T) {
	b := newBed(t)
	for name, text := range map[string]string{"a": "1", "src/b": "2", ".env": "KEY=1"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(b.folder, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(b.folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "executeShell", Arguments: []byte(`{"command":"rm -rf src .env; echo 2 > a; echo 1 > new; sleep 60","reason":"r"}`)}}}
	}
	c := b.command("run", "--approve", "all", "clean up")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(b.folder, "new")); err == nil {
			break
		}
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	out := b.output("undo")
	for _, want := range []string{"a", "src/b", ".env", "new"} {
		if !strings.Contains(out, want+"\n") {
			t.Errorf("undo does not tell of %s:\n%s", want, out)
		}
	}
	for name, text := range map[string]string{"a": "1", "src/b": "2", ".env": "KEY=1"} {
		if data, err := os.ReadFile(filepath.Join(b.folder, name)); err != nil || string(data) != text {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if _, err := os.Stat(filepath.Join(b.folder, "new")); err == nil {
		t.Error("what it made is still there")
	}
	b.output("undo", "--redo")
	if data, _ := os.ReadFile(filepath.Join(b.folder, "a")); string(data) != "2\n" {
		t.Errorf("a is %q", data)
	}
}
