package model

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// played answers for local servers, by what is asked.
func played(t *testing.T, answers map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		for key, answer := range answers {
			if path, in, _ := strings.Cut(key, " "); r.URL.Path == path && strings.Contains(string(body), in) {
				_, _ = io.WriteString(w, answer)
				return
			}
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const nobody = " OLLAMA_HOST=http://127.0.0.1:1 LLAMACPP_BASE_URL=http://127.0.0.1:1/v1 LMSTUDIO_BASE_URL=http://127.0.0.1:1/v1 VLLM_BASE_URL=http://127.0.0.1:1/v1"

func TestAServerNearbyIsBegunWith(t *testing.T) {
	ollama := map[string]string{
		"/v1/models":          `{"data":[{"id":"nomic-embed-text:latest"},{"id":"llama3.1:8b"},{"id":"qwen3-coder:30b"},{"id":"gemma3:4b"}]}`,
		"/api/show nomic":     `{"capabilities":["embedding"]}`,
		"/api/show llama3.1":  `{"capabilities":["completion","tools"],"model_info":{"llama.context_length":131072}}`,
		"/api/show qwen3":     `{"capabilities":["completion","tools"],"model_info":{"qwen3moe.context_length":262144}}`,
		"/api/show gemma3":    `{"capabilities":["completion"],"model_info":{"gemma3.context_length":131072}}`,
		"/api/ps never-asked": ``,
	}
	with := func(more ...string) map[string]string {
		out := map[string]string{}
		for k, v := range ollama {
			out[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			out[more[i]] = more[i+1]
		}
		return out
	}
	studio := map[string]string{
		"/v1/models":     `{"data":[{"id":"small"},{"id":"text-embedding-nomic"},{"id":"large"}]}`,
		"/api/v0/models": `{"data":[{"id":"small","type":"llm","state":"loaded","max_context_length":131072,"loaded_context_length":4096},{"id":"text-embedding-nomic","type":"embeddings","state":"loaded","max_context_length":99999},{"id":"large","type":"llm","state":"not-loaded","max_context_length":65536}]}`,
	}
	llama := map[string]string{"/v1/models": `{"data":[{"id":"tiny.gguf","meta":{"n_ctx_train":40960}}]}`, "/props": `{"default_generation_settings":{"n_ctx":32768}}`}
	for name, c := range map[string]struct {
		env, want string
		loaded    bool
	}{
		"nothing runs":                    {"", "", false},
		"the one for code":                {"OLLAMA_HOST=" + played(t, ollama), "ollama/qwen3-coder:30b", false},
		"the one that takes tools":        {"OLLAMA_HOST=" + played(t, with("/v1/models", `{"data":[{"id":"gemma3:4b"},{"id":"llama3.1:8b"}]}`)), "ollama/llama3.1:8b", false},
		"the one that is loaded":          {"OLLAMA_HOST=" + played(t, with("/api/ps", `{"models":[{"model":"gemma3:4b","context_length":16384}]}`)), "ollama/gemma3:4b", true},
		"none that is loaded too narrow":  {"OLLAMA_HOST=" + played(t, with("/api/ps", `{"models":[{"model":"gemma3:4b","context_length":4096}]}`)), "ollama/qwen3-coder:30b", false},
		"the one that fits, at LM Studio": {"LMSTUDIO_BASE_URL=" + played(t, studio) + "/v1", "lmstudio/large", false},
		"llama.cpp's":                     {"LLAMACPP_BASE_URL=" + played(t, llama) + "/v1", "llamacpp/tiny.gguf", true},
		"the loaded one of two servers":   {"OLLAMA_HOST=" + played(t, ollama) + " LLAMACPP_BASE_URL=" + played(t, llama) + "/v1", "llamacpp/tiny.gguf", true},
	} {
		t.Run(name, func(t *testing.T) {
			best, _ := Nearby(t.Context(), Settings{Env: environment(c.env + nobody)})
			if best.Model != c.want || best.Loaded != c.loaded {
				t.Errorf("%+v", best)
			}
		})
	}
	for env, want := range map[string]string{
		"VLLM_BASE_URL=" + played(t, map[string]string{"/v1/models": `{"data":[{"id":"m","max_model_len":4096}]}`}) + "/v1":                                               "vLLM gives m a window of 4096 tokens, and work needs 8000; start it with --max-model-len 65536",
		"OLLAMA_HOST=" + played(t, map[string]string{"/v1/models": `{"data":[{"id":"qwen3:8b"}]}`, "/api/ps": `{"models":[{"model":"qwen3:8b","context_length":4096}]}`}): "Ollama gives qwen3:8b a window of 4096 tokens, and work needs 8000; start it with OLLAMA_CONTEXT_LENGTH=65536",
		"OLLAMA_HOST=" + played(t, map[string]string{"/v1/models": `{"data":[]}`}):                                                                                        "Ollama has no model yet; `ollama pull qwen3:8b` gets one",
		"OLLAMA_HOST=" + played(t, map[string]string{"/v1/models": `{"data":[{"id":"llama2"}]}`}):                                                                         "the model servers on this machine have no model with room for 8000 tokens (ollama/llama2); start them with a larger context",
	} {
		if best, narrow := Nearby(t.Context(), Settings{Env: environment(env + nobody)}); best.Model != "" || narrow.String() != want {
			t.Errorf("%s: %s, %s", env, best.Model, narrow)
		}
	}
}

// Ollama says what it gave a model only once that is loaded; what is longer it cuts without a word.
func TestWhatOllamaGaveIsKnownOnceItIsLoaded(t *testing.T) {
	declared := func(running string) (window int, wider string) {
		at := Endpoint{Provider: "ollama", BaseURL: played(t, map[string]string{"/api/show": `{"parameters":"temperature 1"}`, "/api/ps": running}) + "/v1", Model: "qwen3"}
		window, words := Declared(t.Context(), at, Settings{})
		if Settles(at) {
			t.Error("it is not asked again")
		}
		return window, words.String()
	}
	if window, wider := declared(`{"models":[]}`); window != 0 || wider != "" {
		t.Errorf("%d, %s", window, wider)
	}
	window, wider := declared(`{"models":[{"model":"qwen3:latest","context_length":4096}]}`)
	if window != 4096 || !strings.Contains(wider, "Ollama gives qwen3 a window of 4096 tokens") || !strings.Contains(wider, "OLLAMA_CONTEXT_LENGTH=65536") {
		t.Errorf("%d, %s", window, wider)
	}
	if window, wider := declared(`{"models":[{"model":"qwen3:latest","context_length":32768}]}`); window != 32768 || wider != "" {
		t.Errorf("%d, %s", window, wider)
	}
}

// Whoever shares the machine could take the usual place of a server.
func TestAServerOfAnotherPersonIsPassedBy(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 30 1 0 100 0 0 10 0
   1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000   998        0 31 1 0 100 0 0 10 0
   2: 0100007F:1F40 0100007F:2CAA 01 00000000:00000000 00:00000000 00000000  1001        0 32 1 0 100 0 0 10 0
`
	for port, want := range map[int]bool{11434: true, 8080: false, 8000: false, 1: false} {
		if got := heldBy(table, port, func(uid int) bool { return uid >= firstPerson && uid != 1000 }); got != want {
			t.Errorf("port %d: %v", port, got)
		}
	}
	if strangers(played(t, nil) + "/v1") {
		t.Error("a server of one's own is another's")
	}
}
