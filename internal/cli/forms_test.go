//go:build linux

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"nebula"
	"nebula/internal/model/token"
)

// replies are what a model says in each form: it lists, reads, and answers.
var replies = map[string]struct{ call, text string }{
	"chat": {`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c%d","type":"function","function":{"name":%q,"arguments":%q}}]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]",
		`{"choices":[{"delta":{"content":"Found."},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]"},
	"responses": {`{"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","call_id":"c%d","name":%q,"arguments":%q}]}}`,
		`{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Found."}]}]}}`},
	"messages": {`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c%d","name":%q,"input":{}}}` + "\n\ndata: " +
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":%q}}` + "\n\ndata: " + `{"type":"message_delta","delta":{"stop_reason":"tool_use"}}` + "\n\ndata: " + `{"type":"message_stop"}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Found."}}` + "\n\ndata: " + `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\ndata: " + `{"type":"message_stop"}`},
	"gemini": {`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c%d","name":%q,"args":%s}}]},"finishReason":"STOP"}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"Found."}]},"finishReason":"STOP"}]}`},
}

// keyOfMine is the environment in which a server of one's own is all that there is.
var keyOfMine = []string{"OPENAI_BASE_URL=", "OPENAI_API_KEY=", "MINE_API_KEY=k3y-of-a-test"}

// mineAt is a place where a server is spoken to in a form.
func mineAt(t *testing.T, server, form string) *bed {
	t.Helper()
	b := newBed(t)
	settings := fmt.Sprintf(`{"model":"mine/m","providers":{"mine":{"base_url":"%s/v1","speaks":%q}}}`, server, form)
	if err := os.WriteFile(filepath.Join(b.home, "config.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	return b
}

// forms are the calls of a small conversation, and what each request has that those before it had not. What was noted stands behind the
// conversation, and is another after the second. From the first on, what notes are made with is offered, before the conversation.
var forms = []struct{ found, tool, args string }{
	{"needle-ask", "list", `{"path":".","reason":"look"}`},
	{"needle-file.txt", "updateState", `{"goal":"first-note","reason":"plan"}`},
	{"first-note", "readFile", `{"path":"needle-file.txt","reason":"read"}`},
	{"needle-content", "updateState", `{"goal":"other-note","reason":"plan"}`},
	{"other-note", "", ""},
}

// sentIn runs the small conversation in a form, and gives the bodies of its requests.
func sentIn(t *testing.T, form, lang string) (bodies []string) {
	t.Helper()
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		bodies = append(bodies, string(raw))
		says := replies[form].text
		if n := len(bodies); n < len(forms) {
			says = fmt.Sprintf(replies[form].call, n, forms[n-1].tool, forms[n-1].args)
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", says)
	}))
	defer server.Close()
	b := mineAt(t, server.URL, form)
	if err := os.WriteFile(filepath.Join(b.folder, "needle-file.txt"), []byte("needle-content\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := b.command("run", "--lang", lang, "needle-ask")
	c.Env = append(c.Env, keyOfMine...)
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "Found.") || len(bodies) != len(forms) {
		t.Fatalf("%s: %v after %d requests:\n%s", form, err, len(bodies), out)
	}
	return bodies
}

// In each provider's form the first request is small, whole as it is sent, and the next one begins as the one before it, up to where
// the work stands: what was asked, called and found is read from the provider's cache. Where that is marked, the mark stands there.
func TestEachFormBeginsSmallAndGrowsAtItsEnd(t *testing.T) {
	const mark, most = `,"cache_control":{"type":"ephemeral"}`, 1300
	for form := range replies {
		for _, lang := range []string{"en", "ja"} {
			before := ""
			for i, sent := range sentIn(t, form, lang) {
				body := strings.ReplaceAll(sent, mark, "")
				if n := token.Count(sent); i == 0 {
					if t.Logf("%s, %s: %d tokens", form, lang, n); n > most {
						t.Errorf("%s, %s: the first request has %d tokens, at most %d", form, lang, n, most)
					}
				}
				shared := 0
				for shared < min(len(before), len(body)) && before[shared] == body[shared] {
					shared++
				}
				for _, had := range forms[:i] {
					if forms[i].found != "first-note" && !strings.Contains(before[:shared], had.found) {
						t.Errorf("%s, %s: request %d is another from byte %d on, before %s:\n%s\n%s", form, lang, i+1, shared, had.found, before, body)
					}
				}
				if found := forms[i].found; strings.HasSuffix(found, "-note") && strings.Count(body, found) < 2 { // called and noted
					t.Errorf("%s, %s: request %d has no note of %s:\n%s", form, lang, i+1, found, body)
				}
				before = body
				if at := strings.LastIndex(sent, mark); form == "messages" && (at < 0 || !strings.Contains(sent[:at], forms[i].found)) {
					t.Errorf("%s: request %d has no mark behind what stays: %s", lang, i+1, sent)
				}
			}
		}
	}
}

// A conversation that goes on in another process begins in the same bytes in each provider's form, whatever came into the folder meanwhile:
// what was said is read from the provider's cache. So does one that is told of an empty folder.
func TestAConversationBeginsAlikeInEveryProcess(t *testing.T) {
	for form := range replies {
		for _, files := range []int{0, 2} {
			var mu sync.Mutex
			var bodies []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				raw, _ := io.ReadAll(r.Body)
				if r.Method != http.MethodPost {
					http.NotFound(w, r)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				bodies = append(bodies, strings.ReplaceAll(string(raw), `,"cache_control":{"type":"ephemeral"}`, ""))
				_, _ = fmt.Fprintf(w, "data: %s\n\n", replies[form].text)
			}))
			b := mineAt(t, server.URL, form)
			for i := range files {
				_ = os.WriteFile(filepath.Join(b.folder, fmt.Sprintf("first-%d.txt", i)), nil, 0o600)
			}
			for i, flags := range [][]string{nil, {"-c"}, {"-c", "--lang", "en"}} {
				ask := fmt.Sprintf("needle-%d", i)
				c := b.command(append(append([]string{"run"}, flags...), ask)...)
				c.Env = append(c.Env, keyOfMine...)
				if out, err := c.CombinedOutput(); err != nil || len(bodies) != i+1 {
					t.Fatalf("%s: %v after %d requests:\n%s", form, err, len(bodies), out)
				}
				_ = os.WriteFile(filepath.Join(b.folder, fmt.Sprintf("later-%d.txt", i)), nil, 0o600)
				if i == 0 {
					continue
				}
				before, body, shared := bodies[i-1], bodies[i], 0
				for shared < min(len(before), len(body)) && before[shared] == body[shared] {
					shared++
				}
				if had := fmt.Sprintf("needle-%d", i-1); !strings.Contains(before[:shared], had) || strings.Contains(body, "later-") {
					t.Errorf("%s, %d files: request %d is another from byte %d on:\n%s\n%s", form, files, i+1, shared, before, body)
				}
			}
			server.Close()
		}
	}
}

// The bench works against any server: what real ones said, in each form, is measured as it came. It does no task, and so nothing is
// recommended.
func TestBenchMeasuresWhatRealServersSaid(t *testing.T) {
	for form, c := range map[string]struct {
		recording string
		each      nebula.Usage // of a reply
	}{
		"chat":      {"chat/testdata/openai-chat/gpt-4o/simple-streaming", nebula.Usage{Input: 20, Output: 2}},
		"responses": {"responses/testdata/openai-responses/gpt-4o/simple-streaming", nebula.Usage{Input: 20, Output: 3}},
		"messages":  {"anthropic/testdata/anthropic/claude-sonnet-4/simple-streaming", nebula.Usage{Input: 16, Output: 38}},
		"gemini":    {"gemini/testdata/google/gemini-2.5-flash/simple-streaming", nebula.Usage{Input: 11, Output: 23}},
	} {
		said, err := os.ReadFile(filepath.Join("..", "model", filepath.FromSlash(c.recording), "0.response.sse"))
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				http.NotFound(w, r)
				return
			}
			_, _ = w.Write(said)
		}))
		command := mineAt(t, server.URL, form).command("bench", "-o", "json", "--task", "files-m,trap-f")
		command.Env = append(command.Env, keyOfMine...)
		var told bytes.Buffer
		command.Stderr = &told
		out, err := command.Output()
		server.Close()
		var got benched
		if json.Unmarshal(out, &got) != nil || err == nil || got.Recommended != nil || len(got.Columns) != 4 || !strings.Contains(told.String(), "nothing was solved") {
			t.Errorf("%s: %v\n%s%s", form, err, out, told.String())
		}
		for _, column := range got.Columns {
			n := column.Spoken.Replies
			if n < 2 || column.Spoken.Strict != n || column.Tried != 2 || column.Usage.Input != n*c.each.Input || column.Usage.Output != n*c.each.Output {
				t.Errorf("%s: %+v", form, column)
			}
		}
	}
}
