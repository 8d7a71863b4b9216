package model

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestEachServersWindowIsRead has servers tell the window of a model each in its own way; what nobody says is taken for granted by nobody.
func TestEachServersWindowIsRead(t *testing.T) {
	const id = "a-model-that-nobody-knows"
	plain := `{"data":[{"id":"` + id + `"}]}`
	for name, tt := range map[string]struct {
		provider string
		answers  map[string]string
		window   int
		assumed  bool
	}{
		"nobody says":                {"", map[string]string{"/v1/models": plain}, unknownWindow, true},
		"OpenRouter, Together":       {"", map[string]string{"/v1/models": `{"data":[{"id":"` + id + `","context_length":12345}]}`}, 12345, false},
		"Groq":                       {"", map[string]string{"/v1/models": `{"data":[{"id":"` + id + `","context_window":12346}]}`}, 12346, false},
		"vLLM":                       {"vllm", map[string]string{"/v1/models": `{"data":[{"id":"` + id + `","max_model_len":12347}]}`}, 12347, false},
		"Mistral":                    {"", map[string]string{"/v1/models": `{"data":[{"id":"` + id + `","max_context_length":12348}]}`}, 12348, false},
		"Google":                     {"", map[string]string{"/v1/models": `{"models":[{"name":"models/` + id + `","inputTokenLimit":12349}]}`}, 12349, false},
		"llama.cpp, its list":        {"", map[string]string{"/v1/models": `{"data":[{"id":"` + id + `","meta":{"n_ctx":12350,"n_ctx_train":99999}}]}`}, 12350, false},
		"llama.cpp, as trained":      {"", map[string]string{"/v1/models": `{"data":[{"id":"` + id + `","meta":{"n_ctx_train":12351}}]}`}, 12351, false},
		"llama.cpp, its settings":    {"llamacpp", map[string]string{"/v1/models": plain, "/props": `{"default_generation_settings":{"n_ctx":12352}}`}, 12352, false},
		"Ollama, as trained":         {"ollama", map[string]string{"/v1/models": plain, "/api/show": `{"model_info":{"x.context_length":123}}`}, 123, true},
		"Ollama, by its file":        {"ollama", map[string]string{"/v1/models": plain, "/api/show": `{"parameters":"num_ctx 12353"}`}, 12353, false},
		"Ollama, as loaded":          {"ollama", map[string]string{"/v1/models": plain, "/api/ps": `{"models":[{"model":"` + id + `","context_length":12354}]}`}, 12354, false},
		"LM Studio, as loaded":       {"lmstudio", map[string]string{"/v1/models": plain, "/api/v0/models": `{"data":[{"id":"` + id + `","max_context_length":99999,"loaded_context_length":12355}]}`}, 12355, false},
		"LM Studio, not loaded":      {"lmstudio", map[string]string{"/v1/models": plain, "/api/v0/models": `{"data":[{"id":"` + id + `","max_context_length":12356}]}`}, 12356, true},
		"its list is read leniently": {"", map[string]string{"/v1/models": `{"data":[{"id":"` + id + `","context_length":"many"}]}`}, unknownWindow, true},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if text, ok := tt.answers[r.URL.Path]; ok {
					_, _ = w.Write([]byte(text))
				} else {
					http.NotFound(w, r)
				}
			}))
			defer server.Close()
			f := look(t.Context(), Endpoint{Provider: tt.provider, BaseURL: server.URL + "/v1"}, Settings{Env: environment("")})
			if f.Err != nil || len(f.Models) != 1 || f.Models[0].Name != id || f.Models[0].Window != tt.window || f.Models[0].Assumed != tt.assumed {
				t.Errorf("%+v", f)
			}
		})
	}
}
