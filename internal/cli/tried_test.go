//go:build linux

package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"nebula/internal/confine"
	"nebula/internal/nebulatest"
)

// A command that is let out of its box runs on a view where the person wants to see first: what it did in the folder counts when they
// say so, what it did at the place that it was given has been done.
func TestWhatLeavesTheBoxIsTriedFirst(t *testing.T) {
	if held, err := confine.Probe(); err != nil || !held.Has(confine.Mounts) {
		t.Skip("needs a box")
	}
	out := t.TempDir()
	b := newBed(t)
	give := b.gives()
	c := b.command("--plain", "--approve", "edits")
	in, printed := nebulatest.Beside(t, c)
	defer func() { _ = c.Process.Kill() }()
	said := listening(printed)
	for _, tt := range []struct {
		name    string
		answers []string
		there   bool
	}{{"dropped", []string{"t", "no"}, false}, {"kept", []string{"try", "yes"}, true}, {"plain", []string{"yes"}, true}} {
		args, err := json.Marshal(map[string]string{"command": "echo made > " + tt.name + "; echo made > " + filepath.Join(out, tt.name), "needs": out, "reason": "r"})
		if err != nil {
			t.Fatal(err)
		}
		give([]nebulatest.ToolCall{calling("executeShell", string(args))})
		_, _ = io.WriteString(in, "go on with "+tt.name+"\n")
		asked := 0
		for said.next(t, "allow? ", "It is so. ") == 0 {
			_, _ = io.WriteString(in, tt.answers[min(asked, len(tt.answers)-1)]+"\n")
			asked++
		}
		if asked != len(tt.answers) {
			t.Errorf("%s: asked %d times", tt.name, asked)
		}
		if _, err := os.Stat(filepath.Join(b.folder, tt.name)); (err == nil) != tt.there {
			t.Errorf("%s in the folder: %v", tt.name, err)
		}
		if _, err := os.Stat(filepath.Join(out, tt.name)); err != nil {
			t.Error(err)
		}
	}
}
