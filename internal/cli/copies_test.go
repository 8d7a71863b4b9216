//go:build linux

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
	"nebula/internal/redact"
)

// What a file with secrets tells comes to the model, the record and whoever reads either by no door where it stands in a copy; and
// it may be read where the file itself was.
func TestSecretsOfCopiesComeByNoDoor(t *testing.T) {
	const word = "sesame-open-12345"
	call := func(name, format string, args ...any) nebulatest.ToolCall {
		return nebulatest.ToolCall{Name: name, Arguments: fmt.Appendf(nil, format, args...)}
	}
	reads := call("readFile", `{"path":"log/app.log"}`)
	for door, calls := range map[string][]nebulatest.ToolCall{
		"readFile":    {reads},
		"several":     {call("readFile", `{"path":["log/app.log","plain.txt"]}`)},
		"search":      {call("searchInDirectory", `{"directory":".","keyword":"token"}`)},
		"searchCode":  {call("searchCode", `{"query":"token of the service"}`)},
		"patchFile":   {call("readFile", `{"path":"token.go"}`), call("patchFile", `{"path":"token.go","edits":[{"old":"const token = wrong","new":"const token = x"}],"reason":"r"}`)},
		"command":     {call("executeShell", `{"command":"cat log/app.log","reason":"r"}`)},
		"copy":        {call("executeShell", `{"command":"cp log/app.log x.txt","reason":"r"}`), call("readFile", `{"path":"x.txt"}`)},
		"list":        {call("list", `{"path":".","recursive":true}`)},
		"background":  {call("executeShell", `{"command":"cat log/app.log; sleep 60","background":"yes","reason":"r"}`), call("executeShell", `{"command":"cat token.go","reason":"r"}`)},
		"the file":    {call("readFile", `{"path":".env"}`), reads},
		"other files": {call("readFile", `{"path":"plain.txt"}`)},
	} {
		t.Run(door, func(t *testing.T) {
			t.Parallel()
			b := newBed(t)
			for name, text := range map[string]string{
				".env": "API_TOKEN=" + word + "\n", "log/app.log": "started with token " + word + "\n",
				"token.go": "package p\n\n// token of the service\nconst token = \"" + word + "\"\n", "plain.txt": "OTHER=this-is-no-secret-at-all\n",
			} {
				path := filepath.Join(b.folder, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var asked strings.Builder
			b.server.Answers = func(n int, body []byte) *nebulatest.Answer {
				asked.Write(body)
				if n < len(calls) {
					return &nebulatest.Answer{Calls: calls[n : n+1]}
				}
				return &nebulatest.Answer{Text: "I have looked."}
			}
			c := b.command("run", "--approve", "all", "-o", "stream-json", "look around")
			said, err := c.CombinedOutput()
			if len(said) == 0 {
				t.Fatal(err)
			}
			exported := b.output("sessions", "export", strings.Fields(b.output("sessions", "list", "--all"))[0])
			for what, text := range map[string]string{"a request": asked.String(), "what was said": string(said), "what was exported": exported} {
				if told := strings.Contains(text, word); told != (door == "the file") {
					t.Errorf("%s: told %v\n…%.300s…", what, told, text[max(0, strings.Index(text, word)-200):])
				}
				switch door {
				case "other files":
					if !strings.Contains(text, "this-is-no-secret-at-all") || strings.Contains(text, redact.Hidden) {
						t.Errorf("%s: what is no secret is hidden", what)
					}
				case "the file":
					if strings.Contains(text, redact.Hidden) {
						t.Errorf("%s: hidden though its file was read", what)
					}
				case "list", "background":
				default:
					if !strings.Contains(text, redact.Hidden) {
						t.Errorf("%s: nothing had to be hidden", what)
					}
				}
			}
		})
	}
}
