package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model"
)

// A provider answers with a real reply of its own, and keeps what it was asked.
type provider struct {
	name   string
	answer []byte
	asked  []byte
}

// RoundTrip implements http.RoundTripper.
func (p *provider) RoundTrip(r *http.Request) (*http.Response, error) {
	p.asked, _ = io.ReadAll(r.Body)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(bytes.NewReader(p.answer)), Request: r}, nil
}

// ask has the provider answer a conversation, and adds its reply and the results of its calls.
func (p *provider) ask(t *testing.T, messages []nebula.Message, effort nebula.Effort) (nebula.Reply, []nebula.Message) {
	t.Helper()
	at, info, err := model.Resolve(p.name, model.Settings{Env: func(name string) string {
		if strings.HasSuffix(name, "_API_KEY") {
			return "key-of-a-test"
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	m := model.New(at, info, model.Options{Transport: p, Attempts: 1, Effort: effort})
	r, err := nebula.Collect(m.Stream(t.Context(), nebula.Prompt{System: "s", Tools: []nebula.ToolSpec{{Name: "weather"}}, Messages: messages}), nil)
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	messages = append(messages[:len(messages):len(messages)], nebula.Message{Role: nebula.Assistant, Parts: r.Parts})
	for _, c := range r.Calls() {
		messages = append(messages, nebula.Message{Role: nebula.ToolRole, CallID: c.ID, Parts: nebula.Text("result of " + c.ID)})
	}
	return r, append(messages, nebula.Message{Role: nebula.User, Parts: nebula.Text("go on")})
}

func providers(t *testing.T) (list []*provider) {
	t.Helper()
	for _, p := range [][2]string{
		{"gpt-5", "responses/testdata/openai-responses/gpt-5-summary/thinking-streaming"},
		{"gpt-4.1", "chat/testdata/openai-chat/gpt-4o/multi-tool-streaming"},
		{"claude-sonnet-4", "anthropic/testdata/anthropic/claude-sonnet-4-thinking/*"},
		{"claude-opus-4-6", "anthropic/testdata/anthropic/claude-sonnet-4/*"},
		{"gemini/gemini-2.5-flash", "gemini/testdata/google/gemini-2.5-flash-thinking/thinking-streaming"},
		{"gemini/gemini-3-pro-preview", "gemini/testdata/google/gemini-2.5-flash/multi-tool-streaming"},
		{"openrouter/z-ai/glm-4.6", "chat/testdata/openai-chat/openrouter-glm/tool-streaming"},
		{"llamacpp/gpt-oss", "chat/testdata/openai-chat/llama-cpp-gpt-oss/tool-streaming"},
	} {
		files, _ := filepath.Glob(filepath.FromSlash(p[1]) + "/0.response.sse")
		if len(files) == 0 {
			t.Fatal(p)
		}
		body, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &provider{name: p[0], answer: body})
	}
	return list
}

// A conversation goes on with another model at any time: it reads all that was said, called and found, nothing that only the
// first one's provider knows; and the first one has that back, byte by byte, when it is its turn again.
func TestTheModelIsSwitchedInMidSession(t *testing.T) {
	opaque := 0
	for _, a := range providers(t) {
		for _, b := range providers(t) {
			t.Run(a.name+" then "+b.name, func(t *testing.T) {
				for _, effort := range []nebula.Effort{"", nebula.EffortHigh} {
					messages := []nebula.Message{{Role: nebula.User, Parts: nebula.Text("how is the weather?")}}
					first, messages := a.ask(t, messages, effort)
					_, messages = b.ask(t, messages, effort)
					asked := string(b.asked)
					for _, part := range first.Parts {
						switch {
						case part.Kind == nebula.TextPart && !strings.Contains(asked, part.Text):
							t.Errorf("%q is not in %s", part.Text, asked)
						case part.Call != nil && (!strings.Contains(asked, part.Call.Name) || !strings.Contains(asked, "result of "+part.Call.ID)):
							t.Errorf("the call %s is not in %s", part.Call.ID, asked)
						case part.Opaque != nil && strings.Contains(asked, string(part.Opaque.Value)) != (own(a.name) == own(b.name)):
							t.Errorf("of %s: %s in %s", own(a.name), part.Opaque.Value, asked)
						}
					}
					answered(t, b.asked)
					if _, _ = a.ask(t, messages, effort); own(a.name) == "chat" {
						continue
					}
					for _, part := range first.Parts {
						if part.Opaque == nil {
							continue
						}
						if opaque++; !bytes.Contains(a.asked, part.Opaque.Value) {
							t.Errorf("%s did not get %s back", a.name, part.Opaque.Value)
						}
					}
					answered(t, a.asked)
				}
			})
		}
	}
	if opaque == 0 {
		t.Error("nothing was anybody's own")
	}
}

// own is whose opaque values a model's are.
func own(name string) string {
	for maker, of := range map[string]string{"claude": "claude", "gemini": "gemini", "gpt-5": "gpt-5", "openrouter": "openrouter"} {
		if strings.HasPrefix(name, maker) {
			return of
		}
	}
	return "chat"
}

// answered checks that a request, in whatever form, has a result behind every call, and no result without one.
func answered(t *testing.T, request []byte) {
	t.Helper()
	var v any
	if err := json.Unmarshal(request, &v); err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	open, calls := map[string]bool{}, 0
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, each := range v {
				walk(each)
			}
		case map[string]any:
			kind, id := fmt.Sprint(v["type"]), fmt.Sprint(v["id"])
			switch {
			case kind == "tool_use", kind == "function" && v["id"] != nil:
				open[id], calls = true, calls+1
			case kind == "function_call":
				open[fmt.Sprint(v["call_id"])], calls = true, calls+1
			}
			for _, name := range []string{"call_id", "tool_call_id", "tool_use_id"} {
				if done := fmt.Sprint(v[name]); v[name] != nil && kind != "function_call" {
					if !open[done] {
						t.Errorf("a result of %s, which was not called: %s", done, request)
					}
					delete(open, done)
				}
			}
			if call, ok := v["functionCall"].(map[string]any); ok {
				open[fmt.Sprint(call["id"])], calls = true, calls+1
			}
			if done, ok := v["functionResponse"].(map[string]any); ok {
				delete(open, fmt.Sprint(done["id"]))
			}
			for _, name := range []string{"messages", "input", "contents", "content", "parts", "tool_calls"} {
				walk(v[name])
			}
		}
	}
	walk(v)
	if len(open) > 0 || calls == 0 {
		t.Errorf("%d calls, %v without a result: %s", calls, open, request)
	}
}
