package model_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model"
)

// wentTo is where the first request of a model goes.
type wentTo struct{ url string }

// RoundTrip implements http.RoundTripper.
func (w *wentTo) RoundTrip(r *http.Request) (*http.Response, error) {
	if w.url == "" {
		w.url = r.URL.Host + r.URL.Path
	}
	return nil, errors.New("x509: no further") // final
}

func TestEveryModelIsSpokenToInItsProvidersForm(t *testing.T) {
	own := map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
	for _, c := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"gpt-5", nil, "api.openai.com/v1/responses"},
		{"gpt-5.1-codex-max", nil, "api.openai.com/v1/responses"},
		{"o4-mini", nil, "api.openai.com/v1/responses"},
		{"gpt-4.1-nano", nil, "api.openai.com/v1/chat/completions"},
		{"gpt-5", own, "127.0.0.1:1/v1/chat/completions"},
		{"openrouter/openai/gpt-5", nil, "openrouter.ai/api/v1/chat/completions"},
		{"claude-sonnet-4-5", nil, "api.anthropic.com/v1/messages"},
		{"gemini/gemini-2.5-flash", nil, "generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent"},
		{"ollama/qwen3", nil, "127.0.0.1:11434/v1/chat/completions"},
	} {
		at, info, err := model.Resolve(c.name, model.Settings{Env: func(name string) string {
			if strings.HasSuffix(name, "_API_KEY") {
				return "k"
			}
			return c.env[name]
		}})
		if err != nil {
			t.Fatal(err)
		}
		w := &wentTo{}
		_, err = nebula.Collect(model.New(at, info, model.Options{Transport: w, Attempts: 1, Patience: -1}).Stream(t.Context(), nebula.Prompt{}), nil)
		if w.url != c.want || err == nil {
			t.Errorf("%s goes to %s, want %s (%v)", c.name, w.url, c.want, err)
		}
	}
}
