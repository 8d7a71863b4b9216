package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/mcp"
	"nebula/internal/model/token"
	"nebula/internal/nebulatest"
)

// lendsTools is a server of fifteen tools: lends NAME THING THING THING.
func lendsTools() {
	var list []mcp.Lent
	for _, thing := range os.Args[2:] {
		for _, verb := range []string{"create", "list", "update", "delete", "search"} {
			list = append(list, mcp.Lent{
				Name: verb + "_" + thing, Acts: true, Description: fmt.Sprintf("%s a %s in %s, the system that everybody here has used for it for years.", strings.ToUpper(verb[:1])+verb[1:], thing, os.Args[1]),
				Schema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string","description":"which one"},"body":{"type":"string","description":"what it is to be"}},"required":["id"]}`),
				Do: func(_ context.Context, args json.RawMessage, _ mcp.Ask) (string, error) {
					return fmt.Sprintf("did %s_%s of %s with %s", verb, thing, os.Args[1], args), nil
				},
			})
		}
	}
	_ = mcp.Serve(context.Background(), "1", list)
}

// All that people bring at once, 20 servers with 300 tools, 100 skills and 40 KB of AGENTS.md, makes a first request at most 1,500 tokens longer,
// and a played mind that knows no name of a tool finds and uses the right one.
func TestAllThatPeopleBringCostsLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("starts twenty servers")
	}
	server, err := nebulatest.Serve()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	server.Answers = func(_ int, body []byte) *nebulatest.Answer { return looksForATool(string(body)) }
	const ask = "open a new issue about the broken login on github"
	without, _ := firstOf(t, server, ask, func(string, string) {})
	with, out := firstOf(t, server, ask, brought(t))
	t.Logf("%d tokens without, %d with: %d more", without, with, with-without)
	if with-without > 1500 {
		t.Errorf("the first request grows by %d tokens", with-without)
	}
	if with == without {
		t.Error("nothing of it was told")
	}
	if !strings.Contains(out, "It is done: did create_issue of github") {
		t.Errorf("the tool was not used: %s", out)
	}
	if last := server.Requests(); strings.Contains(string(last[1].Body), "create_issue") {
		t.Error("the first request names the tool that is to be found")
	}
}

// looksForATool plays a mind: it searches until what it was shown has a tool to open an issue with, uses it, and tells what came back.
func looksForATool(body string) *nebulatest.Answer {
	call := func(name, args string) *nebulatest.Answer {
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: name, Arguments: []byte(args)}}}
	}
	switch {
	case !strings.Contains(body, `"findTool"`):
		return &nebulatest.Answer{Text: "There is no tool for it."}
	case strings.Contains(body, "did create_issue of github"):
		return &nebulatest.Answer{Text: "It is done: did create_issue of github"}
	case strings.Contains(body, "github.create_issue"):
		return call("useTool", `{"tool":"github.create_issue","arguments":{"id":"new","body":"the login is broken"},"reason":"it was asked for"}`)
	}
	return call("findTool", `{"query":"open a new issue on github"}`)
}

// brought sets a home and a folder up as those of a person who brings much.
func brought(t *testing.T) func(home, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "lends")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	names := strings.Fields("github gitlab slack notion postgres redis sentry jira stripe storage cluster figma browser calendar mail maps weather drive grafana linear")
	return func(home, dir string) {
		servers := map[string]any{}
		for i, name := range names {
			things := []string{fmt.Sprint("thing", i), fmt.Sprint("part", i), "issue"}
			servers[name] = map[string]any{"command": program, "args": append([]string{name}, things...), "outside": true}
		}
		settings, err := json.Marshal(map[string]any{"mcp": servers})
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{filepath.Join(home, ".nebula", "config.json"): string(settings), filepath.Join(dir, "AGENTS.md"): advised()}
		for i := range 100 {
			files[filepath.Join(home, ".agents", "skills", fmt.Sprint("skill-", i), "SKILL.md")] = fmt.Sprintf("---\nname: skill-%d\ndescription: Makes report %d from the table that the accounting department sends every month, with a chart and a summary for the board.\n---\nOpen the table and begin.\n", i, i)
		}
		for file, text := range files {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// advised are 40 KB of advice as people write it.
func advised() string {
	var b strings.Builder
	for i := 0; b.Len() < 40<<10; i++ {
		fmt.Fprintf(&b, "## Part %d\n\nThe part %d is built with `make part%d` and tested with `make test%d`. Do not change what is below `generated/`; ask its owners before you touch its tables.\n\n", i, i, i, i)
	}
	return b.String()
}

// firstOf is the length of a conversation's first request in tokens, and what came of it.
func firstOf(t *testing.T, server *nebulatest.Server, ask string, set func(home, dir string)) (tokens int, out string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, home, dir := filepath.Join(t.TempDir(), "nebula"), t.TempDir(), t.TempDir()
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	set(home, dir)
	before := len(server.Requests())
	c := exec.Command(program, "run", "--approve", "all", ask)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+home, "NEBULA_HOME="+filepath.Join(home, ".nebula"), "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL="+server.URL())
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var sent struct {
		Messages []struct{ Content string }
		Tools    json.RawMessage
	}
	if err := json.Unmarshal(server.Requests()[before].Body, &sent); err != nil {
		t.Fatal(err)
	}
	for _, m := range sent.Messages {
		tokens += token.Count(m.Content)
	}
	return tokens + token.Count(string(sent.Tools)), string(said)
}
