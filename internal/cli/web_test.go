package cli

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"nebula/internal/config"
)

// With the provider's own search, the server of the session's model is asked, with its key and in its form; one that has none known is not.
func TestTheModelsProviderSearches(t *testing.T) {
	for _, tt := range []struct{ model, base, key, form, where, header, shown string }{
		{"anthropic/claude-haiku-4-5", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "messages", "/v1/messages", "X-Api-Key", "k"},
		{"gemini/gemini-2.5-flash", "GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY", "generateContent", "/v1beta/models/gemini-2.5-flash:generateContent", "X-Goog-Api-Key", "k"},
		{"gpt-5-mini", "", "OPENAI_API_KEY", "responses", "https://api.openai.com/v1/responses", "Authorization", "Bearer k"},
		{"gpt-4.1-mini", "", "OPENAI_API_KEY", "responses", "https://api.openai.com/v1/responses", "Authorization", "Bearer k"},
		{"m", "OPENAI_BASE_URL", "OPENAI_API_KEY", "", "", "", ""}, // somebody else's server
		{"groq/x", "", "GROQ_API_KEY", "", "", "", ""},
	} {
		var asked *http.Request
		at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked = r }))
		defer at.Close()
		env := func(name string) string {
			return map[string]string{tt.base: at.URL, tt.key: "k", "NEBULA_HOME": t.TempDir()}[name]
		}
		c, err := config.Load(config.Input{Env: env, Flags: map[string]string{"model": tt.model}})
		if err != nil {
			t.Fatal(err)
		}
		e, err := (&program{env: env}).engine(c, "provider", "")
		if (err == nil) != (tt.form != "") || e.Name != tt.form {
			t.Errorf("%s: %+v, %v", tt.model, e, err)
		}
		if tt.form == "" {
			continue
		}
		if tt.base != "" {
			_, _ = e.Search(t.Context(), http.DefaultTransport, "q")
			if asked == nil || asked.URL.Path != tt.where {
				t.Errorf("%s: asked %+v", tt.model, asked)
			}
		} else if e.URL != tt.where {
			t.Errorf("%s: %s", tt.model, e.URL)
		}
		if e.Header.Get(tt.header) != tt.shown {
			t.Errorf("%s: %v", tt.model, e.Header)
		}
	}
}
