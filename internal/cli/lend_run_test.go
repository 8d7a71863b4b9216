package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// Another agent has nebula work by run, through the protocol's own library: what needs a yes is asked in a form that shows exactly what it is,
// and happens after a yes alone.
func TestAnotherAgentHasNebulaWork(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a client of another's making")
	}
	dir, err := nebulatest.Servers()
	if err != nil {
		nebulatest.Missing(t, err)
	}
	client := nebulatest.Importing(t, filepath.Dir(dir), "testdata/mcp/client.mjs", "")
	for _, c := range []struct {
		forms, status string
		asked, made   bool
	}{
		{"yes", "done", true, true}, {"no", "done", true, false}, {"decline", "needs_approval", true, false}, {"none", "needs_approval", false, false},
	} {
		asked, results := anotherAgent(t, client, c.forms)
		if (len(asked) > 0) != c.asked || c.asked && !(strings.Contains(asked[0], "writeFile") && strings.Contains(asked[0], "made by nebula") && strings.Contains(asked[0], "because r")) {
			t.Errorf("%s: asked %q", c.forms, asked)
		}
		if got := results[0]; !strings.Contains(got, `"status":"`+c.status+`"`) || strings.Contains(got, `["note.txt"]`) != c.made || !strings.Contains(got, "That is all.") && c.status == "done" {
			t.Errorf("%s: %s", c.forms, got)
		}
	}
}

// anotherAgent has a note written, and gives what was shown in forms and what run answered.
func anotherAgent(t *testing.T, client, forms string) (asked, results []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	work, path := t.TempDir(), filepath.Join(t.TempDir(), "nebula")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	server, err := nebulatest.Serve(
		nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "writeFile", Arguments: []byte(`{"path":"note.txt","content":"made by nebula\n","reason":"because r"}`)}}},
		nebulatest.Answer{Text: "That is all."})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	c := exec.Command("node", client, forms, path, "write a note")
	c.Dir, c.Stderr = work, os.Stderr
	c.Env = append(os.Environ(), "NEBULA_HOME="+t.TempDir(), "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL="+server.URL())
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range bytes.Lines(out) {
		var one struct {
			Asked, Text string
			Failed      bool
			Tools       [][]any
		}
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		switch {
		case one.Asked != "":
			asked = append(asked, one.Asked)
		case len(one.Tools) > 0:
			for _, tool := range one.Tools {
				if tool[1] != (tool[0] != "run") {
					t.Errorf("%v says of itself that it only reads: %v", tool...)
				}
			}
		default:
			if results = append(results, one.Text); one.Failed {
				t.Errorf("run failed: %s", one.Text)
			}
		}
	}
	data, _ := os.ReadFile(filepath.Join(work, "note.txt"))
	if made := string(data) == "made by nebula\n"; made != (forms == "yes") {
		t.Errorf("%s: the note is %q", forms, data)
	}
	if len(results) == 0 {
		t.Fatal("no result")
	}
	return asked, results
}
