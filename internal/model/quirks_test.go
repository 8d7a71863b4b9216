package model_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model"
)

// noted keeps the request that was sent, and answers none.
type noted struct {
	header http.Header
	body   string
}

// RoundTrip implements http.RoundTripper.
func (n *noted) RoundTrip(r *http.Request) (*http.Response, error) {
	raw, _ := io.ReadAll(r.Body)
	n.header, n.body = r.Header, string(raw)
	return nil, errors.New("x509: no further") // final
}

// Each server of Chat Completions gets what it takes in the form that it takes it in: how much to think, how long the reply may be, what
// it has to be, the reasoning handed back, whether usage is told, the ids of calls and where what the person says stands.
func TestEachServersWayIsInItsRequests(t *testing.T) {
	const (
		usage, cost, modern, older     = `"stream_options":{"include_usage":true}`, `"usage":{"include":true}`, `"max_completion_tokens":77`, `"max_tokens":77`
		word, router, turned, template = `,"reasoning_effort":"low",`, `"reasoning":{"effort":"low"}`, `"thinking":{"type":"enabled"}`, `"chat_template_kwargs":{"enable_thinking":true,"reasoning_effort":"low"}`
		shape, key                     = `"response_format":{"type":"json_schema"`, `"prompt_cache_key":"s1"`
		deep, plain                    = `"reasoning_content":"I thought so."`, `"reasoning":"I thought so."`
		null, blank                    = `"content":null,`, `"content":"",`
		own, nine, inside              = `"id":"call_1"`, `"id":"970624995"`, `[said after this result]`
	)
	all := []string{usage, cost, modern, older, word, router, turned, template, shape, key, deep, plain, null, blank, own, nine, inside}
	owns := map[bool]string{true: "https://llm.example.org/v1"}
	prompt := nebula.Prompt{System: "s", MaxOutput: 77, CacheKey: "s1", Schema: json.RawMessage(`{}`), Messages: []nebula.Message{
		{Role: nebula.User, Parts: nebula.Text("q")},
		{Role: nebula.Assistant, Parts: nebula.PartsOf("I thought so.", "", nebula.Call{ID: "call_1", Name: "list", Arguments: "{}"})},
		{Role: nebula.ToolRole, CallID: "call_1", Parts: nebula.Text("r")}, {Role: nebula.User, Parts: nebula.Text("and now?")},
	}}
	for name, want := range map[string][]string{
		"gpt-4.1":         {usage, modern, word, shape, key, null, own},
		"openrouter/a/m":  {usage, cost, older, router, shape, plain, null, own},
		"groq/m":          {usage, modern, word, shape, null, own, plain},
		"mistral/m":       {older, shape, null, nine, inside},
		"deepseek/m":      {usage, older, turned, deep, null, own},
		"moonshot/m":      {usage, older, turned, deep, null, own},
		"zai/m":           {usage, older, turned, null, own, deep},
		"xai/m":           {usage, older, word, shape, null, own},
		"together/m":      {usage, older, word, null, own, plain},
		"fireworks/m":     {usage, older, word, null, own, deep},
		"cerebras/m":      {usage, modern, word, shape, null, own, plain},
		"azure/m":         {usage, modern, word, shape, null, own},
		"bedrock/m":       {usage, modern, word, null, own},
		"vertex/google/m": {usage, older, word, shape, null, own},
		"ollama/m":        {usage, older, word, shape, blank, own, plain},
		"llamacpp/m":      {usage, older, template, shape, deep, blank, own},
		"lmstudio/m":      {usage, older, word, shape, blank, own},
		// What a model wants back goes back wherever it runs, in the field that is known there.
		"vertex/deepseek-ai/deepseek-v3.2-maas":  {usage, older, word, shape, deep, null, own},
		"bedrock/moonshot.kimi-k2-thinking":      {usage, modern, word, deep, null, own},
		"lmstudio/zai-org/GLM-4.6":               {usage, older, word, shape, deep, blank, own},
		"openrouter/moonshotai/kimi-k2-thinking": {usage, cost, older, router, shape, plain, null, own},
		"groq/deepseek-r1-distill-llama-70b":     {usage, modern, word, shape, plain, null, own},
		"own/MiniMaxAI/MiniMax-M2":               {usage, older, word, shape, deep, null, own},
		"own/qwen3":                              {usage, older, word, shape, null, own},
		"vllm/m":                                 {usage, older, template, shape, blank, own, plain},
	} {
		at, info, err := model.Resolve(name, model.Settings{BaseURL: owns[strings.HasPrefix(name, "own/")], Env: func(name string) string {
			for _, set := range [...]string{"_KEY", "_TOKEN", "_BEDROCK", "AZURE_RESOURCE_NAME", "GOOGLE_CLOUD_PROJECT"} {
				if strings.HasSuffix(name, set) {
					return "k3y-of-a-test"
				}
			}
			return ""
		}})
		if err != nil {
			t.Fatal(name, err)
		}
		sent := &noted{}
		_, _ = nebula.Collect(model.New(at, info, model.Options{Transport: sent, Attempts: 1, Patience: -1, Effort: nebula.EffortLow}).Stream(t.Context(), prompt), nil)
		for _, form := range all {
			wanted := false
			for _, w := range want {
				wanted = wanted || w == form
			}
			if strings.Contains(sent.body, form) != wanted {
				t.Errorf("%s: %s is wanted: %v, in %.600s", name, form, wanted, sent.body)
			}
		}
		if titled := sent.header.Get("X-Title") != ""; titled != strings.HasPrefix(name, "openrouter") {
			t.Errorf("%s is told who asks: %v", name, titled)
		}
		if keyed := sent.header.Get("Api-Key") != ""; keyed != strings.HasPrefix(name, "azure") {
			t.Errorf("%s: %v", name, sent.header)
		}
	}
}

// Who refuses a call without the thought before it, as after another model's, is given one, be it empty, and the effort stands.
func TestAThoughtThatIsMissedIsSent(t *testing.T) {
	for said, want := range map[string]string{
		`{"error":{"message":"thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"}}`:                        `"reasoning_content":""`,
		`{"error":{"message":"The ` + "`reasoning_content`" + ` in the thinking mode must be passed back to the API.","type":"invalid_request_error"}}`: `"reasoning_content":""`,
		`{"error":{"message":"property 'reasoning_content' is unsupported"}}`:                                                                           "",
	} {
		server := &misses{said: said}
		m := model.New(model.Endpoint{BaseURL: "http://h/v1", Model: "kimi-k2"}, nebula.ModelInfo{}, model.Options{Transport: server, Attempts: 1, Effort: nebula.EffortLow})
		_, _ = nebula.Collect(m.Stream(t.Context(), nebula.Prompt{Messages: []nebula.Message{
			{Role: nebula.User, Parts: nebula.Text("q")},
			{Role: nebula.Assistant, Parts: nebula.PartsOf("", "", nebula.Call{ID: "c1", Name: "list", Arguments: "{}"})},
			{Role: nebula.ToolRole, CallID: "c1", Parts: nebula.Text("r")},
			{Role: nebula.Assistant, Parts: nebula.PartsOf("so", "", nebula.Call{ID: "c2", Name: "list", Arguments: "{}"})},
			{Role: nebula.ToolRole, CallID: "c2", Parts: nebula.Text("r")},
		}}), nil)
		last := server.bodies[len(server.bodies)-1]
		if want == "" && strings.Contains(last, "reasoning_content") {
			t.Errorf("%s: %s", said, last)
		}
		if want != "" && (!strings.Contains(last, want) || !strings.Contains(last, `"reasoning_content":"so"`) || !strings.Contains(last, "reasoning_effort")) {
			t.Errorf("%s: %s", said, last)
		}
	}
}

// A misses refuses everything in the same words.
type misses struct {
	said   string
	bodies []string
}

// RoundTrip implements http.RoundTripper.
func (m *misses) RoundTrip(r *http.Request) (*http.Response, error) {
	raw, _ := io.ReadAll(r.Body)
	m.bodies = append(m.bodies, string(raw))
	said := m.said
	if len(m.bodies) > 1 {
		said = `{"error":{"message":"no"}}`
	}
	return &http.Response{StatusCode: http.StatusBadRequest, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(said)), Request: r}, nil
}
