package model

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestGooglesListTellsWindows(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1beta/models" || r.Header.Get("X-Goog-Api-Key") != "k" {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		_, _ = fmt.Fprint(w, `{"models":[{"name":"models/gemini-9","inputTokenLimit":5000,"outputTokenLimit":700,"supportedGenerationMethods":["generateContent"]},
			{"name":"models/embedding","supportedGenerationMethods":["embedContent"]}]}`)
	}))
	defer server.Close()
	f := look(t.Context(), Endpoint{Provider: "gemini", BaseURL: server.URL + "/v1beta", Key: "k"}, Settings{})
	if f.Err != nil || len(f.Models) != 1 || f.Models[0].Name != "gemini-9" || f.Models[0].Window != 5000 || f.Models[0].MaxOutput != 700 {
		t.Errorf("%+v", f)
	}
	gemini, _ := providerNamed("gemini")
	if got := compatible(Endpoint{Provider: "gemini", BaseURL: gemini.base}); got != gemini.base+"/openai" {
		t.Errorf("embeddings are asked for at %s", got)
	}
}
