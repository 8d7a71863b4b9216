//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// Caches that a command leaves behind are kept for undo. They go against nothing that the person said, and nobody is told of them.
func TestCachesAreNoChanges(t *testing.T) {
	for _, sandbox := range []string{"on", "off"} {
		for name, c := range map[string]struct{ line, said, held string }{
			"caches":     {"for f in ('.pytest_cache/' + '.gitignore', '.pytest_cache/v', '__pycache__/a.pyc', 'node_modules/.cache/v', 'keep.txt'): write(f)", "Only change keep.txt.", ""},
			"no deletes": {"write('keep.txt'); os.remove('.mypy_cache' + '/v')", "Don't delete any files.", ""},
			"new files":  {"write('.mypy_cache/w'); write('keep.txt')", "Don't create new files.", ""},
			"another":    {"write('keep.txt'); write('oth' + 'er.txt')", "Only change keep.txt.", "other.txt"},
		} {
			if sandbox == "off" && name == "no deletes" {
				continue // what its script says that it does is asked about before it runs
			}
			b := newBed(t)
			for file, text := range map[string]string{"keep.txt": "k\n", ".mypy_cache/v": "x\n", "work.py": "import os\ndef write(f):\n    os.makedirs(os.path.dirname(f) or '.', exist_ok=True)\n    open(f, 'w').write('*')\n" + c.line + "\n"} {
				_ = os.MkdirAll(filepath.Dir(filepath.Join(b.folder, file)), 0o755)
				_ = os.WriteFile(filepath.Join(b.folder, file), []byte(text), 0o644)
			}
			b.server.Answers = func(n int, _ []byte) *nebulatest.Answer {
				if n > 0 {
					return &nebulatest.Answer{Text: "Unverified: there is nothing to run."}
				}
				return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "executeShell", Arguments: []byte(`{"command":"python3 work.py","reason":"r"}`)}}}
			}
			run := b.command("run", "--approve", "all", "--output", "json", "Write z. "+c.said)
			run.Env = append(run.Env, "NEBULA_SANDBOX="+sandbox)
			data, _ := run.Output()
			var out struct {
				Changed []string `json:"changed_files"`
			}
			if err := json.Unmarshal(data, &out); err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			told := strings.Join(out.Changed, " ")
			if c.held != "" {
				if kept, _ := os.ReadFile(filepath.Join(b.folder, "other.txt")); len(kept) > 0 && !strings.Contains(string(data), "This changed other.txt") {
					t.Errorf("sandbox %s, %s: %s", sandbox, name, data)
				}
				continue
			}
			if told != "keep.txt" {
				t.Errorf("sandbox %s, %s: changed %q\n%s", sandbox, name, told, data)
			}
			requests := b.server.Requests()
			if text := string(requests[len(requests)-1].Body); strings.Contains(text, "dropped") || strings.Contains(text, "cache/v") || strings.Contains(text, "pyc") {
				t.Errorf("sandbox %s, %s: the model reads %s", sandbox, name, text)
			}
			undone := b.output("undo")
			if strings.Contains(undone, "_cache") || strings.Contains(undone, "cache/v") || !strings.Contains(undone, "keep.txt") {
				t.Errorf("sandbox %s, %s: undo: %s", sandbox, name, undone)
			}
			for file, want := range map[string]bool{".pytest_cache": false, "__pycache__": false, "node_modules": false, ".mypy_cache/w": false, ".mypy_cache/v": true} {
				if _, err := os.Stat(filepath.Join(b.folder, file)); (err == nil) != want {
					t.Errorf("sandbox %s, %s: %s there: %v", sandbox, name, file, err == nil)
				}
			}
		}
	}
}
