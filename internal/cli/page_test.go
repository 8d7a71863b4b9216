//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula/internal/nebulatest"
)

// payloads would run, if any text of a session became more than a text on the page.
var payloads = []string{
	`<script>pwned()</script>`, `<img src=x onerror=pwned()>`, `"><svg onload=pwned()>`, `'><body onload=pwned()>`, `<iframe srcdoc="<script>parent.pwned()</script>"></iframe>`,
	`<a href="javascript:pwned()">x</a>`, `[x](javascript:pwned())`, `![x](x" onerror="pwned())`, `javascript:pwned()`, "`<img src=x onerror=pwned()>`", "**<svg onload=pwned()>**", "# <img src=x onerror=pwned()>",
	"- <img src=x onerror=pwned()>", "```html\n<script>pwned()</script>\n```", "```\"><script>pwned()</script>\nx\n```", `</textarea><script>pwned()</script>`, `</title><script>pwned()</script>`, `</pre><script>pwned()</script>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=pwned()>`, `<style>@import 'javascript:pwned()'</style>`, `<meta http-equiv=refresh content="0;url=javascript:pwned()">`, `<base href="http://evil.example/">`, `<form action=javascript:pwned()><button>x`,
	`{{constructor.constructor('pwned()')()}}`, `${pwned()}`, `<!--><script>pwned()</script>-->`, `<scr\u0000ipt>pwned()</scr\u0000ipt>`, "\u2028<script>pwned()</script>\u2029", `https://x.example/"onmouseover="pwned()`, `https://x.example/'onfocus='pwned()' autofocus='`,
	`<details open ontoggle=pwned()>`, `<video><source onerror=pwned()>`, `<object data="javascript:pwned()">`, `<link rel=stylesheet href="//evil.example/x.css">`, `data: {"rows":[]}` + "\n\n" + `event: view` + "\n" + `data: "x"` + "\n\n",
}

// pageModel answers by the task that the last message of the person names, and by how many results have come since.
func pageModel(_ int, body []byte) *nebulatest.Answer {
	var in struct {
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	_ = json.Unmarshal(body, &in) // what cannot be read has no task
	task, results := "", 0
	for _, m := range in.Messages {
		switch {
		case m.Role == "user" && bytes.Contains(m.Content, []byte("TASK:")):
			_, rest, _ := strings.Cut(string(m.Content), "TASK:")
			task, results = strings.FieldsFunc(rest, func(r rune) bool { return r < 'a' || r > 'z' })[0], 0
		case m.Role == "tool":
			results++
		}
	}
	call := func(name string, args map[string]any) *nebulatest.Answer {
		data, err := json.Marshal(args)
		if err != nil {
			panic(err)
		}
		return &nebulatest.Answer{Text: "I do it.", Calls: []nebulatest.ToolCall{{Name: name, Arguments: data}}}
	}
	slowly := func(a *nebulatest.Answer) *nebulatest.Answer { a.Delay = 1000; return a }
	long := strings.Repeat("a line of the file\n", 200)
	steps := map[string][]*nebulatest.Answer{
		"write":  {call("writeFile", map[string]any{"path": "notes.md", "content": "# Notes\n\n- one\n", "reason": "to keep it"}), {Text: "Written: **notes.md**\n\n- done\n\n```\ncode\n```"}},
		"long":   {call("writeFile", map[string]any{"path": "long.txt", "content": long, "reason": "it is long"}), {Text: "The long file is there."}},
		"refuse": {call("executeShell", map[string]any{"command": "echo no > refused.txt", "reason": "to see"}), {Text: "As you say."}},
		"own":    {call("executeShell", map[string]any{"command": "git push origin main", "reason": "to share it"}), {Text: "It said that."}},
		"ask":    {call("askUser", map[string]any{"question": "Which colour?", "options": []string{"green", "blue"}}), {Text: "Painted."}},
		"plan": {call("proposePlan", map[string]any{"goal": "two files", "steps": []map[string]any{
			{"step_id": "one", "name": "the first", "description": "TASK:first please", "files": []string{"first.txt"}},
			{"step_id": "two", "name": "the second", "description": "TASK:second please", "files": []string{"second.txt"}, "depends_on": []string{"one"}}}}), {Text: "Shall I begin?"}},
		"first":  {slowly(call("writeFile", map[string]any{"path": "first.txt", "content": "1\n", "reason": "the step"})), {Text: "The first is there."}},
		"second": {slowly(call("writeFile", map[string]any{"path": "second.txt", "content": "2\n", "reason": "the step"})), {Text: "The second is there."}},
		"slow":   {{Text: strings.Repeat("still at it ", 500), Pause: 100}},
		"table":  {{Text: "| a | b |\n|---|--:|\n| one | `two` |\n\nThat is all."}},
		"pwn": {{Text: strings.Join(payloads, "\n\n"), Reasoning: strings.Join(payloads, "\n"), Calls: call("writeFile", map[string]any{"path": `<img src=x onerror=pwned()>.md`, "content": strings.Join(payloads, "\n"), "reason": payloads[1]}).Calls},
			{Text: payloads[0], Calls: call("executeShell", map[string]any{"command": "echo '" + payloads[1] + "' > '<b onclick=pwned()>.txt'", "reason": payloads[2]}).Calls},
			{Text: payloads[2], Calls: call("askUser", map[string]any{"question": payloads[1], "options": []string{payloads[0], payloads[2]}}).Calls},
			{Text: "The payloads are through."}},
	}[task]
	if results >= len(steps) {
		return &nebulatest.Answer{Text: "Nothing more."}
	}
	return steps[results]
}

// TestThePage has a browser do what a person does on the page.
func TestThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		nebulatest.Missing(t, fmt.Errorf("the page is not tried: %w", err))
	}
	packages, err := nebulatest.Packages("page", "axe-core/axe.min.js", "playwright-core@1.65.1", "axe-core@4.14.1")
	if err != nil {
		nebulatest.Missing(t, err)
	}
	for _, lang := range []string{"en", "ja"} {
		t.Run(lang, func(t *testing.T) {
			s := newServed(t)
			s.server.Answers = pageModel
			if err := os.WriteFile(filepath.Join(s.home, "config.json"), []byte(`{"lang":"`+lang+`"}`), 0o600); err != nil {
				t.Fatal(err)
			}
			s.begins()
			link, cut := cuttable(t, strings.TrimSpace(s.output("web")))
			script, err := filepath.Abs(filepath.Join("testdata", "page", "page.mjs"))
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute) // for a script that hangs
			defer stop()
			node := exec.CommandContext(ctx, "node", script)
			node.Env = append(os.Environ(), "BROWSER="+browser, "PACKAGES="+filepath.Join(packages, "node_modules"), "URL="+link, "CUT="+cut, "FOLDER="+s.folder, "LANGUAGE="+lang,
				"SOCKET="+filepath.Join(s.home, "serve.sock"))
			out, err := node.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

// cuttable leads to the page of a link, over connections that are cut whenever somebody asks at the second address; at /down there
// are none from then on, until somebody asks at another path.
func cuttable(t *testing.T, link string) (through, cut string) {
	t.Helper()
	to, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	behind := to.Host
	in, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	open := make(chan net.Conn, 1000)
	var down atomic.Bool
	go func() {
		for {
			near, err := in.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp4", behind)
			if err != nil || down.Load() {
				_ = near.Close()
				continue
			}
			open <- near
			go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
			go func() { _, _ = io.Copy(near, far); _ = near.Close() }()
		}
	}()
	knife := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		down.Store(r.URL.Path == "/down")
		for range len(open) {
			_ = (<-open).Close()
		}
	}))
	t.Cleanup(func() { _ = in.Close(); knife.Close() })
	to.Host = in.Addr().String()
	return to.String(), knife.URL
}
