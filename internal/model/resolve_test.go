package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
)

func environment(list string) func(string) string {
	return func(name string) string {
		for _, pair := range strings.Fields(list) {
			if v, ok := strings.CutPrefix(pair, name+"="); ok {
				return v
			}
		}
		return ""
	}
}

func TestNamesFindTheirServer(t *testing.T) {
	const openai, router = "https://api.openai.com/v1", "https://openrouter.ai/api/v1"
	for _, tt := range []struct{ name, env, provider, base, key, model string }{
		{"", "OPENAI_API_KEY=k", "openai", openai, "k", "gpt-4.1-nano"},
		{"gpt-4.1-mini", "OPENAI_API_KEY=k", "openai", openai, "k", "gpt-4.1-mini"},
		{"openai/gpt-5", "OPENAI_API_KEY=k", "openai", openai, "k", "gpt-5"},
		{"gpt-4o", "OPENROUTER_API_KEY=r", "openrouter", router, "r", "openai/gpt-4o"},
		{"claude-sonnet-4.5", "OPENROUTER_API_KEY=r", "openrouter", router, "r", "anthropic/claude-sonnet-4.5"},
		{"openai/gpt-4o", "OPENROUTER_API_KEY=r", "openrouter", router, "r", "openai/gpt-4o"},
		{"z-ai/glm-4.6", "OPENROUTER_API_KEY=r OPENAI_API_KEY=k", "openrouter", router, "r", "z-ai/glm-4.6"},
		{"openrouter/z-ai/glm-4.6:free", "OPENROUTER_API_KEY=r", "openrouter", router, "r", "z-ai/glm-4.6:free"},
		{"groq/llama-3.3-70b-versatile", "GROQ_API_KEY=g", "groq", "https://api.groq.com/openai/v1", "g", "llama-3.3-70b-versatile"},
		{"gemini-2.5-pro", "GOOGLE_API_KEY=g", "gemini", "https://generativelanguage.googleapis.com/v1beta", "g", "gemini-2.5-pro"},
		{"m", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 OPENAI_API_KEY=k", "", "http://127.0.0.1:9/v1", "k", "m"},
		{"gpt-4.1-nano", "OPENAI_BASE_URL=http://127.0.0.1:9/v1", "", "http://127.0.0.1:9/v1", "", "gpt-4.1-nano"},
		{"openai/gpt-oss-20b", "OPENAI_BASE_URL=http://127.0.0.1:1234/v1", "lmstudio", "http://127.0.0.1:1234/v1", "", "openai/gpt-oss-20b"},
		{"openai/gpt-4.1-nano", "OPENAI_BASE_URL=http://127.0.0.1:9/v1", "", "http://127.0.0.1:9/v1", "", "openai/gpt-4.1-nano"},
		{"openai/gpt-4.1-nano", "OPENAI_BASE_URL=https://api.openai.com/v1/ OPENAI_API_KEY=k", "openai", "https://api.openai.com/v1/", "k", "gpt-4.1-nano"},
		{"claude-haiku-4-5", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 ANTHROPIC_API_KEY=a", "anthropic", "https://api.anthropic.com/v1", "a", "claude-haiku-4-5"},
		{"anthropic/claude-haiku-4.5", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 ANTHROPIC_API_KEY=a", "anthropic", "https://api.anthropic.com/v1", "a", "claude-haiku-4-5"},
		{"anthropic/claude-haiku-4.5", "OPENAI_BASE_URL=https://openrouter.ai/api/v1 OPENAI_API_KEY=k ANTHROPIC_API_KEY=a", "openrouter", router, "k", "anthropic/claude-haiku-4.5"},
		{"gemini-2.5-pro", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 GEMINI_API_KEY=g", "gemini", "https://generativelanguage.googleapis.com/v1beta", "g", "gemini-2.5-pro"},
		{"claude-haiku-4-5", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 OPENAI_API_KEY=k", "", "http://127.0.0.1:9/v1", "k", "claude-haiku-4-5"},
		{"openrouter-like/gemini-2.5-pro", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 GEMINI_API_KEY=g", "", "http://127.0.0.1:9/v1", "", "openrouter-like/gemini-2.5-pro"},
		{"Sonnet", "ANTHROPIC_API_KEY=a OPENAI_API_KEY=k", "anthropic", "https://api.anthropic.com/v1", "a", "claude-sonnet-4-5"},
		{"sonnet", "OPENROUTER_API_KEY=r", "openrouter", router, "r", "anthropic/claude-sonnet-4.5"},
		{"sonnet", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 ANTHROPIC_API_KEY=a", "anthropic", "https://api.anthropic.com/v1", "a", "claude-sonnet-4-5"},
		{"sonnet", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 OPENAI_API_KEY=k", "", "http://127.0.0.1:9/v1", "k", "sonnet"},
		{"anthropic/sonnet", "ANTHROPIC_API_KEY=a OPENAI_API_KEY=k", "anthropic", "https://api.anthropic.com/v1", "a", "claude-sonnet-4-5"},
		{"claude/Haiku", "ANTHROPIC_API_KEY=a", "anthropic", "https://api.anthropic.com/v1", "a", "claude-haiku-4-5"},
		{"anthropic/opus", "OPENROUTER_API_KEY=r", "openrouter", router, "r", "anthropic/claude-opus-4.5"},
		{"openrouter/sonnet", "OPENROUTER_API_KEY=r", "openrouter", router, "r", "anthropic/claude-sonnet-4.5"},
		{"anthropic/sonnet", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 ANTHROPIC_API_KEY=a", "anthropic", "https://api.anthropic.com/v1", "a", "claude-sonnet-4-5"},
		{"anthropic/sonnet", "OPENAI_BASE_URL=http://127.0.0.1:9/v1 OPENAI_API_KEY=k", "", "http://127.0.0.1:9/v1", "k", "anthropic/sonnet"},
		{"gemini/flash", "GEMINI_API_KEY=g", "gemini", "https://generativelanguage.googleapis.com/v1beta", "g", "gemini-3-flash-preview"},
		{"groq/sonnet", "GROQ_API_KEY=g", "groq", "https://api.groq.com/openai/v1", "g", "sonnet"},
		{"mistral", "MISTRAL_API_KEY=m", "mistral", "https://api.mistral.ai/v1", "m", "mistral-large-latest"},
		{"mistral", "", "ollama", "http://127.0.0.1:11434/v1", "", "mistral"},
		{"ollama/mistral", "MISTRAL_API_KEY=m", "ollama", "http://127.0.0.1:11434/v1", "", "mistral"},
		{"gpt", "OPENAI_API_KEY=k", "openai", openai, "k", "gpt-5.2"},
		{"gemini", "GEMINI_API_KEY=g", "gemini", "https://generativelanguage.googleapis.com/v1beta", "g", "gemini-3-pro-preview"},
		{"deepseek", "", "ollama", "http://127.0.0.1:11434/v1", "", "deepseek"},
		{"deepseek", "DEEPSEEK_API_KEY=d", "deepseek", "https://api.deepseek.com/v1", "d", "deepseek-chat"},
		{"google/gemini-2.5-pro", "GEMINI_API_KEY=g", "gemini", "https://generativelanguage.googleapis.com/v1beta", "g", "gemini-2.5-pro"},
		{"claude/claude-opus-4.5", "ANTHROPIC_API_KEY=a", "anthropic", "https://api.anthropic.com/v1", "a", "claude-opus-4-5"},
		{"lm-studio/m", "", "lmstudio", "http://127.0.0.1:1234/v1", "", "m"},
		{"openai/gpt-4o", "OPENAI_BASE_URL=https://openrouter.ai/api/v1 OPENAI_API_KEY=k", "openrouter", router, "k", "openai/gpt-4o"},
		{"ollama/qwen3:8b", "OPENAI_BASE_URL=http://127.0.0.1:9/v1", "ollama", "http://127.0.0.1:11434/v1", "", "qwen3:8b"},
		{"qwen3:8b", "", "ollama", "http://127.0.0.1:11434/v1", "", "qwen3:8b"},
		{"ollama/x", "OLLAMA_HOST=0.0.0.0:5000", "ollama", "http://127.0.0.1:5000/v1", "", "x"},
		{"ollama/x", "OLLAMA_HOST=box", "ollama", "http://box:11434/v1", "", "x"},
		{"llamacpp/any", "", "llamacpp", "http://127.0.0.1:8080/v1", "", "any"},
		{"lmstudio/openai/gpt-oss-20b", "", "lmstudio", "http://127.0.0.1:1234/v1", "", "openai/gpt-oss-20b"},
		{"claude-opus-4-5", "ANTHROPIC_BASE_URL=https://gate.example.com ANTHROPIC_API_KEY=k", "anthropic", "https://gate.example.com/v1", "k", "claude-opus-4-5"},
		{"anthropic/x", "ANTHROPIC_BASE_URL=https://gate.example.com/llm/v1/ ANTHROPIC_AUTH_TOKEN=k", "anthropic", "https://gate.example.com/llm/v1", "k", "x"},
		{"gemini/x", "GOOGLE_GEMINI_BASE_URL=https://gate.example.com/ GEMINI_API_KEY=k", "gemini", "https://gate.example.com/v1beta", "k", "x"},
		{"gemini/x", "GOOGLE_GEMINI_BASE_URL=https://gate.example.com/v1beta/openai GEMINI_API_KEY=k", "gemini", "https://gate.example.com/v1beta/openai", "k", "x"},
		{"azure/mine", "AZURE_RESOURCE_NAME=res AZURE_OPENAI_API_KEY=k", "azure", "https://res.openai.azure.com/openai/v1", "k", "mine"},
		{"azure/mine", "AZURE_OPENAI_ENDPOINT=https://res.openai.azure.com/ AZURE_OPENAI_API_KEY=k", "azure", "https://res.openai.azure.com/openai/v1", "k", "mine"},
		{"azure/mine", "AZURE_OPENAI_ENDPOINT=https://res.openai.azure.com/openai/deployments/{model}?api-version=2024-10-21 AZURE_OPENAI_API_KEY=k", "azure",
			"https://res.openai.azure.com/openai/deployments/mine?api-version=2024-10-21", "k", "mine"},
		{"mine", "OPENAI_BASE_URL=https://res.openai.azure.com/openai/v1 OPENAI_API_KEY=k", "azure", "https://res.openai.azure.com/openai/v1", "k", "mine"},
		{"bedrock/openai.gpt-oss-20b-1:0", "AWS_BEARER_TOKEN_BEDROCK=k", "bedrock", "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1", "k", "openai.gpt-oss-20b-1:0"},
		{"bedrock/m", "AWS_DEFAULT_REGION=eu-west-1 AWS_BEARER_TOKEN_BEDROCK=k", "bedrock", "https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1", "k", "m"},
		{"vertex/google/gemini-2.5-pro", "GOOGLE_CLOUD_PROJECT=p GOOGLE_OAUTH_ACCESS_TOKEN=k", "vertex",
			"https://aiplatform.googleapis.com/v1/projects/p/locations/global/endpoints/openapi", "k", "google/gemini-2.5-pro"},
		{"vertex/google/gemini-2.5-pro", "GOOGLE_CLOUD_PROJECT=p GOOGLE_CLOUD_LOCATION=europe-west4 GOOGLE_OAUTH_ACCESS_TOKEN=k", "vertex",
			"https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/endpoints/openapi", "k", "google/gemini-2.5-pro"},
		{"ft:gpt-4o:me", "OPENAI_API_KEY=k", "openai", openai, "k", "ft:gpt-4o:me"},
	} {
		at, info, err := Resolve(tt.name, Settings{Env: environment(tt.env)})
		if at.KeyName != "" && !strings.Contains(tt.env, at.KeyName+"="+tt.key) {
			t.Errorf("%s with %s: the key is in %s", tt.name, tt.env, at.KeyName)
		}
		at.KeyName = ""
		if err != nil || at != (Endpoint{Provider: tt.provider, BaseURL: tt.base, Key: tt.key, Model: tt.model}) || info.Name != tt.model || info.Window == 0 {
			t.Errorf("%s with %s: %+v %q, %+v, %v", tt.name, tt.env, at, at.Key, info, err)
		}
	}
}

// A key with a blank or a line break in it is no header: no request is made with it.
func TestABrokenKeyIsToldAtOnce(t *testing.T) {
	for key, fits := range map[string]bool{"sk-a\nb": false, "sk-a b": false, "sk-a\u00a0b": false, "sk-ab…": false, " sk-ab\n": true} {
		for _, s := range []Settings{{}, {BaseURL: "http://127.0.0.1:1/v1", Key: strings.TrimSpace(key)}} {
			s.Env = func(name string) string { return map[string]string{"OPENAI_API_KEY": key}[name] }
			_, _, err := Resolve("gpt-4.1", s)
			if (err == nil) != fits || err != nil && (!strings.Contains(err.Error(), "one word") || !strings.Contains(err.Error(), "set OPENAI_API_KEY") || strings.Contains(err.Error(), key)) {
				t.Errorf("%q: %v", key, err)
			}
		}
	}
}

func TestWhatCannotBeResolvedSaysWhatToDo(t *testing.T) {
	for _, tt := range []struct{ name, env, kind, says string }{
		{"", "", "auth", "OPENAI_API_KEY"}, {"claude-sonnet-4.5", "", "auth", "ANTHROPIC_API_KEY"}, {"groq/x", "", "auth", "GROQ_API_KEY"},
		{"a b", "OPENAI_API_KEY=k", "model", "nebula models"}, {"openai/", "OPENAI_API_KEY=k", "model", "nebula models"},
		{"azure/m", "AZURE_OPENAI_API_KEY=k", "bad_request", "AZURE_RESOURCE_NAME"}, {"vertex/m", "GOOGLE_OAUTH_ACCESS_TOKEN=k", "bad_request", "GOOGLE_CLOUD_PROJECT"},
		{"bedrock/m", "AWS_REGION=eu-west-1", "auth", "AWS_BEARER_TOKEN_BEDROCK"}, {"vertex/m", "GOOGLE_CLOUD_PROJECT=p", "auth", "GOOGLE_OAUTH_ACCESS_TOKEN"},
		{"", "AZURE_OPENAI_API_KEY=k AZURE_OPENAI_ENDPOINT=https://r.openai.azure.com", "auth", "AZURE_OPENAI_ENDPOINT is set: for Azure OpenAI choose a model there, as in --model azure/DEPLOYMENT"},
		{"", "AZURE_OPENAI_API_KEY=k", "auth", "AZURE_OPENAI_API_KEY is set: for Azure OpenAI set AZURE_RESOURCE_NAME, too"},
		{"", "GOOGLE_CLOUD_PROJECT=p", "auth", "GOOGLE_CLOUD_PROJECT is set: for Google Vertex AI set GOOGLE_OAUTH_ACCESS_TOKEN, too, and choose a model there, as in --model vertex/google/gemini-2.5-flash"},
		{"claude-sonnet-4.5", "GOOGLE_CLOUD_PROJECT=p", "auth", "set ANTHROPIC_API_KEY"},
		{"", "CLAUDE_API_KEY=k", "auth", "CLAUDE_API_KEY is set: the key for Anthropic belongs into ANTHROPIC_API_KEY"},
		{"", "OPEN_AI_KEY=k", "auth", "OPEN_AI_KEY is set: the key for OpenAI belongs into OPENAI_API_KEY"},
		{"", "CODESTRAL_API_KEY=k", "auth", "CODESTRAL_API_KEY is set: the key for Mistral"},
		{"", "HF_TOKEN=k", "auth", "HF_TOKEN is set: for Hugging Face set OPENAI_BASE_URL=https://router.huggingface.co/v1"},
		{"", "PERPLEXITY_API_KEY=k", "auth", "for Perplexity set OPENAI_BASE_URL=https://api.perplexity.ai"},
		{"gemini/x", "GOOGLE_AI_KEY=k", "auth", "GOOGLE_AI_KEY is set: the key for Google Gemini belongs into GEMINI_API_KEY"},
		{"claude-sonnet-4.5", "OPENAI_KEY=k", "auth", "set ANTHROPIC_API_KEY"},
		{"m", "OPENAI_BASE_URL=127.0.0.1:9", "bad_request", "base URL"}, {"m", "OPENAI_BASE_URL=ftp://x", "bad_request", "base URL"},
	} {
		_, _, err := Resolve(tt.name, Settings{Env: environment(tt.env)})
		if api, ok := errors.AsType[*nebula.APIError](err); !ok || api.Kind != tt.kind || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s with %s: %v", tt.name, tt.env, err)
		}
	}
}

// gateway answers with its list of models and notes which keys it is shown.
func gateway(t *testing.T) (url string, keys func() []string) {
	var mu sync.Mutex
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, r.Header.Get("Authorization"))
		fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}

func TestAKeyGoesToItsServerOnly(t *testing.T) {
	for _, name := range []string{"openai", "groq", "anthropic"} {
		at, keys := gateway(t)
		s := Settings{Env: environment("OPENAI_API_KEY=public GROQ_API_KEY=public"), Own: map[string]Server{name: {BaseURL: at, Key: "own"}}}
		for _, f := range Discover(t.Context(), s) {
			if f.Provider == name && f.Server != at {
				t.Errorf("%s is asked at %s though it is at %s", name, f.Server, at)
			}
		}
		if got := keys(); len(got) == 0 || slices.ContainsFunc(got, func(k string) bool { return k != "Bearer own" }) {
			t.Errorf("the gateway for %s saw %q", name, got)
		}
		if e, _, err := Resolve(name+"/m", s); err != nil || e.BaseURL != at || e.Key != "own" {
			t.Errorf("%s/m: %v with %q, %v", name, e, e.Key, err)
		}
	}
	strange := Settings{Env: environment("OPENAI_API_KEY=public"), BaseURL: "https://gateway.example.com/v1"}
	if e, _, err := Resolve("m", strange); err != nil || e.Key != "" {
		t.Errorf("a strange server gets %q, %v", e.Key, err)
	}
}

func TestNoKeyGoesUnencryptedOverTheInternet(t *testing.T) {
	for _, tt := range []struct {
		base   string
		plain  bool
		refuse bool
	}{
		{base: "http://api.example.com/v1", refuse: true}, {base: "http://8.8.8.8/v1", refuse: true}, {base: "http://[2001:4860::1]/v1", refuse: true},
		{base: "http://localhost.example.com/v1", refuse: true}, {base: "http://api.example.com/v1", plain: true}, {base: "https://api.example.com/v1"},
		{base: "http://127.0.0.1:1/v1"}, {base: "http://192.168.1.4:1/v1"}, {base: "http://[::1]:1/v1"}, {base: "http://box:1/v1"}, {base: "http://box.local/v1"},
	} {
		s := Settings{Env: environment(""), BaseURL: tt.base, Key: "k", Own: map[string]Server{"openai": {BaseURL: tt.base, Key: "k"}}, Plain: map[string]bool{"openai": tt.plain}}
		_, _, err := Resolve("m", s)
		if api, ok := errors.AsType[*nebula.APIError](err); ok != tt.refuse || ok && !strings.Contains(api.Next, "providers.openai.plain true") {
			t.Errorf("%s, allowed %v: %v", tt.base, tt.plain, err)
		}
		if s.Key, s.Own = "", nil; !tt.refuse {
			continue
		}
		if _, _, err := Resolve("m", s); err != nil {
			t.Errorf("%s without a key: %v", tt.base, err)
		}
	}
}

func TestAnUnknownProviderIsSaid(t *testing.T) {
	for _, c := range []struct{ name, env, unknown string }{
		{"nope/x", "", "nope"}, {"nope/gpt-4.1", "OPENAI_API_KEY=k", "nope"}, {"Nope/x", "ANTHROPIC_API_KEY=k", "nope"},
		{"nope/x", "OPENROUTER_API_KEY=k", ""}, {"nope/x", "OPENAI_BASE_URL=http://127.0.0.1:1/v1", ""}, {"openai/x", "OPENAI_API_KEY=k", ""},
		{"google/gemini-2.5-pro", "GEMINI_API_KEY=k", ""}, {"qwen/qwen3-coder", "", ""}, {"ollama/nope/x", "", ""}, {"x", "OPENAI_API_KEY=k", ""},
	} {
		_, _, err := Resolve(c.name, Settings{Env: environment(c.env)})
		unknown, ok := errors.AsType[*NoProvider](err)
		if ok != (c.unknown != "") || ok && unknown.Name != c.unknown || !ok && err != nil {
			t.Errorf("%s with %s: %v", c.name, c.env, err)
		}
	}
}

func TestTheCatalogueKnowsFamilies(t *testing.T) {
	for name, want := range map[string]string{
		"gpt-4.1-nano": "gpt-4-1-nano", "gpt-4.1-nano-2025-04-14": "gpt-4-1-nano", "openai/gpt-4o-mini": "gpt-4o-mini", "gpt-4-1106-preview": "gpt-4",
		"gpt-5-2025-08-07": "gpt-5", "anthropic/claude-sonnet-4.5": "claude-sonnet-4", "claude-opus-4-5-20251101": "claude-opus-4-5",
		"qwen3-coder:30b": "qwen3-coder", "llama3.2:3b": "llama3-2", "meta-llama/Llama-3.3-70B-Instruct": "llama-3-3", "o3x": "", "unheard-of": "",
	} {
		if got, _ := lookUp(name); got.name != want {
			t.Errorf("%s is %q, want %q", name, got.name, want)
		}
	}
	seen := map[string]bool{}
	for _, e := range catalogue {
		if seen[e.name] || e.name != plainName(e.name) || e.window <= 0 || e.output <= 0 || e.output > e.window {
			t.Errorf("%+v", e)
		}
		seen[e.name] = true
	}
}

func TestDiscoverAsksServersWhatTheyHave(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"qwen3:8b","object":"model"},{"id":"gemma3:4b"}]}`)
		case "/api/show":
			_, _ = io.WriteString(w, `{"capabilities":["completion","tools"],"parameters":"num_ctx 24576","model_info":{"qwen3.context_length":40960}}`)
		case "/api/ps":
			_, _ = io.WriteString(w, `{"models":[{"model":"gemma3:4b","context_length":4096}]}`)
		default:
			t.Error(r.URL)
		}
	}))
	defer server.Close()
	hung := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hung.Close()
	began := time.Now()
	found := Discover(context.Background(), Settings{Env: environment("OLLAMA_HOST=" + server.URL + " OPENAI_BASE_URL=" + hung.URL)})
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
	var ollama, other *Found
	for i, f := range found {
		if f.Provider == "ollama" {
			ollama = &found[i]
		} else if f.Server == hung.URL {
			other = &found[i]
		}
	}
	if ollama == nil || len(ollama.Models) != 2 || ollama.Models[0].Window != 24576 || !ollama.Models[0].Native || ollama.Models[1].Window != 4096 {
		t.Errorf("%+v", found)
	}
	if other == nil || other.Err == nil {
		t.Errorf("%+v", found)
	}
}

// A provider with an adapter of its own is spoken to in its own form, others in Chat Completions.
func TestEachProviderIsSpokenToInItsForm(t *testing.T) {
	for provider, want := range map[string]string{"anthropic": "/v1/messages", "openrouter": "/v1/chat/completions", "": "/v1/chat/completions"} {
		asked := ""
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.URL.Path }))
		at := Endpoint{Provider: provider, BaseURL: server.URL + "/v1", Key: "k3y-of-mine", Model: "m"}
		_, _ = nebula.Collect(New(at, nebula.ModelInfo{}, Options{Attempts: 1}).Stream(t.Context(), nebula.Prompt{}), nil)
		if server.Close(); asked != want {
			t.Errorf("%q was asked at %s", provider, asked)
		}
	}
	if _, info, err := Resolve("anthropic/claude-sonnet-4", Settings{Env: environment("ANTHROPIC_API_KEY=k3y-of-mine")}); err != nil || info.WriteUSD != 3.75 {
		t.Errorf("%+v, %v", info, err)
	}
}

// A server of the person's own is spoken to in the form of the provider that it stands for, or in the one that they say, and finds its key
// where it looks for it. Where it only sends Chat Completions on, that is what it is asked for.
func TestOwnServersKeepTheForm(t *testing.T) {
	const messages, chat, google, bearer = "/v1/messages", "/v1/chat/completions", "/v1/models/m:streamGenerateContent", "Bearer k3y"
	for _, tt := range []struct {
		name, env string
		own       map[string]Server // BaseURL is what stands behind the server's address
		owner     string
		asked     string
		headers   map[string]string
	}{
		{"anthropic/m", "ANTHROPIC_BASE_URL=%s ANTHROPIC_API_KEY=k3y", nil, "", messages, map[string]string{"X-Api-Key": "k3y", "Authorization": bearer}},
		{"anthropic/m", "", map[string]Server{"anthropic": {Key: "k3y"}}, "", messages, map[string]string{"X-Api-Key": "k3y", "Authorization": bearer}},
		{"m", "", map[string]Server{"anthropic": {Key: "k3y"}}, "anthropic", messages, map[string]string{"X-Api-Key": "k3y"}},
		{"anthropic/m", "", map[string]Server{"anthropic": {Key: "k3y", Speaks: "chat"}}, "", chat, map[string]string{"X-Api-Key": "", "Authorization": bearer}},
		{"m", "", map[string]Server{"mine": {Key: "k3y", KeyName: "MINE_API_KEY", Speaks: "messages"}}, "mine", messages, map[string]string{"X-Api-Key": "k3y"}},
		{"m", "", map[string]Server{"mine": {Key: "k3y", Speaks: "responses"}}, "mine", "/v1/responses", map[string]string{"Authorization": bearer}},
		{"m", "", map[string]Server{"mine": {Key: "k3y", Speaks: "gemini"}}, "mine", google, map[string]string{"X-Goog-Api-Key": "k3y"}},
		{"m", "", map[string]Server{"mine": {Key: "k3y"}}, "mine", chat, map[string]string{"Authorization": bearer}},
		{"gemini/m", "", map[string]Server{"gemini": {Key: "k3y"}}, "", google, map[string]string{"X-Goog-Api-Key": "k3y"}},
		{"m", "", map[string]Server{"openai": {Key: "k3y"}}, "openai", chat, map[string]string{"Authorization": bearer}},
		{"azure/m", "AZURE_OPENAI_ENDPOINT=%s/v1 AZURE_OPENAI_API_KEY=k3y", nil, "", chat, map[string]string{"Api-Key": "k3y", "Authorization": ""}},
		{"azure/m", "AZURE_OPENAI_ENDPOINT=%s/v1 AZURE_OPENAI_AD_TOKEN=eyJk3y", nil, "", chat, map[string]string{"Api-Key": "", "Authorization": "Bearer eyJk3y"}},
		{"azure/m", "AZURE_OPENAI_ENDPOINT=%s/openai/deployments/{model}?api-version=2024-10-21 AZURE_OPENAI_API_KEY=k3y", nil, "", "/openai/deployments/m/chat/completions?api-version=2024-10-21", map[string]string{"Api-Key": "k3y"}},
		{"bedrock/m", "", map[string]Server{"bedrock": {Key: "k3y"}}, "", chat, map[string]string{"Authorization": bearer}},
	} {
		var asked string
		var header http.Header
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked, header = r.URL.RequestURI(), r.Header
			w.WriteHeader(http.StatusUnauthorized)
		}))
		s := Settings{Env: environment(strings.ReplaceAll(tt.env, "%s", server.URL)), Own: map[string]Server{}, Owner: tt.owner}
		for name, own := range tt.own {
			own.BaseURL = server.URL + "/v1"
			s.Own[name] = own
			if name == tt.owner {
				s.BaseURL, s.Key = own.BaseURL, own.Key
			}
		}
		at, info, err := Resolve(tt.name, s)
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
			continue
		}
		_, err = nebula.Collect(New(at, info, Options{Attempts: 1}).Stream(t.Context(), nebula.Prompt{}), nil)
		server.Close()
		if want := tt.own[tt.owner].KeyName; want != "" && !strings.Contains(err.Error(), "set "+want) {
			t.Errorf("%+v: the key is looked for elsewhere: %v", tt, err)
		}
		if asked, _, _ = strings.Cut(asked, "?alt=sse"); asked != tt.asked {
			t.Errorf("%s with %s %+v is asked at %s", tt.name, tt.env, tt.own, asked)
		}
		for name, want := range tt.headers {
			if got := header.Get(name); got != want {
				t.Errorf("%s with %s %+v: %s is %q", tt.name, tt.env, tt.own, name, got)
			}
		}
	}
}

type refusing struct{}

func (refusing) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusUnauthorized, Body: io.NopCloser(strings.NewReader(`{"error":{"message":"no"}}`))}, nil
}

// Who is refused is told the variable that the key came from, and whose key it is where its form shows that.
func TestARefusedKeyIsNamed(t *testing.T) {
	for env, want := range map[string]string{
		"ANTHROPIC_API_KEY=sk-ant-api03-k3y-of-mine":                            "check the key: set ANTHROPIC_API_KEY",
		"ANTHROPIC_AUTH_TOKEN=sk-ant-oat01-k3y-of-mine":                         "check the key: set ANTHROPIC_AUTH_TOKEN",
		"ANTHROPIC_API_KEY=sk-or-v1-k3y-of-mine":                                "the key has the form of those for OpenRouter: check ANTHROPIC_API_KEY",
		"OPENAI_API_KEY=sk-ant-api03-k3y-of-mine":                               "the key has the form of those for Anthropic: check OPENAI_API_KEY",
		"ANTHROPIC_API_KEY=sk-proj-k3y-of-mine":                                 "the key has the form of those for OpenAI: check ANTHROPIC_API_KEY",
		"GEMINI_API_KEY=sk-proj-k3y-of-mine":                                    "the key has the form of those for OpenAI: check GEMINI_API_KEY",
		"GROQ_API_KEY=sk-k3y-of-mine":                                           "check the key: set GROQ_API_KEY",
		"OPENAI_BASE_URL=http://127.0.0.1:1 OPENAI_API_KEY=sk-ant-k3y-of-mine":  "the key has the form of those for Anthropic: check OPENAI_API_KEY", // one that a gateway takes is never looked at
		"OPENAI_BASE_URL=https://openrouter.ai/api/v1 OPENAI_API_KEY=sk-or-k3y": "check the key: set OPENAI_API_KEY",
		"OPENAI_API_KEY='sk-ant-k3y'":                                           "the key has the form of those for Anthropic: check OPENAI_API_KEY",
	} {
		s := Settings{Env: environment(env)}
		name, _ := First(s)
		at, info, err := Resolve(name, s)
		if err != nil {
			t.Fatal(err)
		}
		_, err = nebula.Collect(New(at, info, Options{Attempts: 1, Transport: refusing{}}).Stream(t.Context(), nebula.Prompt{}), nil)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", env, err)
		}
	}
}

// The list of models is asked for where it is: beside what has a version behind it, and not below one model's address.
func TestListsAreFoundBesideVersions(t *testing.T) {
	for env, want := range map[string]string{
		"AZURE_OPENAI_ENDPOINT=%s/openai/deployments/{model}?api-version=2024-10-21 AZURE_OPENAI_API_KEY=k3y": "/openai/models?api-version=2024-10-21",
		"AZURE_OPENAI_ENDPOINT=%s AZURE_OPENAI_API_KEY=k3y":                                                   "/openai/v1/models",
		"ANTHROPIC_BASE_URL=%s ANTHROPIC_API_KEY=k3y":                                                         "/v1/models",
	} {
		var mu sync.Mutex
		asked := ""
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			asked = r.URL.RequestURI()
		}))
		Discover(t.Context(), Settings{Env: environment(strings.ReplaceAll(env, "%s", server.URL))})
		server.Close()
		if mu.Lock(); asked != want {
			t.Errorf("%s: %s", env, asked)
		}
		mu.Unlock()
	}
}

func TestVariablesOfProvidersAreKnown(t *testing.T) {
	for name, want := range map[string]bool{"OPENAI_BASE_URL": true, "zai_organization": true, "ANTHROPIC_MODEL": true, "OLLAMA_HOST": false, "OPENAI": false, "GROQUETTE_X": false, "PATH": false} {
		if Configures(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// A llama.cpp says what it was started with; one that does not say it has what is known of the model.
func TestLlamacppTellsWhatItWasStartedWith(t *testing.T) {
	for props, want := range map[string][2]nebula.ModelInfo{
		`{"default_generation_settings":{"n_ctx":8192},"modalities":{"vision":true}}`: {{Window: 8192, Images: true, WindowFrom: fromServer}, {Window: 8192, Images: true, WindowFrom: fromServer}},
		`{"default_generation_settings":{"n_ctx":0},"modalities":{"vision":false}}`:   {{Images: true}, {}},
		`{"default_generation_settings":{"n_ctx":1}}`:                                 {{Window: 1, Images: true, WindowFrom: fromServer}, {Window: 1, WindowFrom: fromServer}},
		"": {{Images: true}, {}},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/v1/models":
				_, _ = io.WriteString(w, `{"data":[{"id":"gemma-3-4b"},{"id":"tiny"}]}`)
			case r.URL.Path == "/props" && props != "":
				_, _ = io.WriteString(w, props)
			default:
				http.NotFound(w, r)
			}
		}))
		found := look(t.Context(), Endpoint{Provider: "llamacpp", BaseURL: server.URL + "/v1"}, Settings{Env: environment("")})
		if server.Close(); len(found.Models) != 2 || found.Err != nil || !slices.Equal(found.Loaded, []string{"gemma-3-4b", "tiny"}) {
			t.Errorf("%s: %+v", props, found)
			continue
		}
		for i, m := range found.Models {
			told := m.WindowFrom == fromServer
			if told != (want[i].WindowFrom == fromServer) || told && (m.Window != want[i].Window || m.Assumed) || m.Images != want[i].Images {
				t.Errorf("%s: %+v", props, m)
			}
		}
	}
}

// Without a key there is nothing to begin with, and no key of a provider without a first model changes that.
func TestKeylessIsWhoHasNeitherKeyNorServer(t *testing.T) {
	for _, c := range []struct {
		s    Settings
		want bool
	}{
		{Settings{Env: environment("")}, true},
		{Settings{Env: environment("ANTHROPIC_API_KEY=k3y-of-mine")}, false},
		{Settings{Env: environment(""), Keys: map[string]string{"groq": "k3y-of-mine"}}, false},
		{Settings{Env: environment(""), Keys: map[string]string{"vllm": "k3y-of-mine"}}, true},
		{Settings{Env: environment("OPENAI_BASE_URL=http://127.0.0.1:1/v1")}, false},
		{Settings{Env: environment(""), BaseURL: "http://127.0.0.1:1/v1"}, false},
	} {
		if got := Keyless(c.s); got != c.want {
			t.Errorf("%+v: %v", c.s.Keys, got)
		}
	}
}
