package model_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model"
	"nebula/internal/phrase"
)

// A picky server refuses every request that has one of its words, and keeps what it was asked.
type picky struct {
	*provider
	refuses []string
	asked   []string
}

// RoundTrip implements http.RoundTripper.
func (p *picky) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	p.asked = append(p.asked, string(body))
	for _, word := range p.refuses {
		if strings.Contains(string(body), word) {
			text := fmt.Sprintf(`{"error":{"message":"thinking: %s (reasoning effort) is not supported"}}`, strings.ReplaceAll(word, `"`, ""))
			return &http.Response{StatusCode: http.StatusBadRequest, Body: io.NopCloser(strings.NewReader(text)), Header: http.Header{}, Request: r}, nil
		}
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	return p.provider.RoundTrip(r)
}

func TestEffortIsSaidInEachProvidersWords(t *testing.T) {
	forms := map[string][2]string{ // off, and the most
		"gpt-5":                       {`"effort":"none"`, `"effort":"xhigh"`},
		"gpt-4.1":                     {`"reasoning_effort":"none"`, `"reasoning_effort":"xhigh"`},
		"claude-sonnet-4":             {`"thinking":{"type":"disabled"}`, `"budget_tokens":31999`},
		"claude-opus-4-6":             {`"thinking":{"type":"disabled"}`, `"output_config":{"effort":"max"}`},
		"gemini/gemini-2.5-flash":     {`"thinkingBudget":0`, `"thinkingBudget":32768`},
		"gemini/gemini-3-pro-preview": {`"thinkingLevel":"MINIMAL"`, `"thinkingLevel":"HIGH"`},
		"openrouter/z-ai/glm-4.6":     {`"reasoning":{"enabled":false}`, `"reasoning":{"effort":"xhigh"}`},
		"llamacpp/gpt-oss":            {`"enable_thinking":false`, `"reasoning_effort":"high"`},
	}
	question := []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}
	for _, p := range providers(t) {
		for i, effort := range []nebula.Effort{nebula.EffortOff, nebula.EffortMax} {
			if p.ask(t, question, effort); !strings.Contains(string(p.asked), forms[p.name][i]) {
				t.Errorf("%s, %s: %s", p.name, effort, p.asked)
			}
		}
		if p.ask(t, question, ""); strings.Contains(string(p.asked), "effort") || strings.Contains(string(p.asked), "udget") {
			t.Errorf("%s was told without being asked: %s", p.name, p.asked)
		}
	}
}

func TestEffortThatIsRefusedIsLeftOutAndSaidOnce(t *testing.T) {
	for _, p := range providers(t) {
		at, info, err := model.Resolve(p.name, model.Settings{Env: func(string) string { return "" }, Keys: map[string]string{"openai": "k", "anthropic": "k", "gemini": "k", "openrouter": "k"}})
		if err != nil {
			t.Fatal(err)
		}
		server := &picky{provider: p, refuses: []string{"effort", "udget", "thinkingLevel", `"thinking":{`, "thinking\""}}
		m := model.New(at, info, model.Options{Transport: server, Attempts: 1, Effort: nebula.EffortMax})
		said := ""
		for range 2 {
			_, err := nebula.Collect(m.Stream(t.Context(), nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}), func(c nebula.Chunk) { said += phrase.Told("en", c.Wait) })
			if err != nil {
				t.Fatalf("%s: %v", p.name, err)
			}
		}
		if strings.Count(said, "does not take the effort max") != 1 || len(server.asked) > 6 {
			t.Errorf("%s: said %q in %d requests", p.name, said, len(server.asked))
		}
	}
}

func TestPlansAreThoughtAboutOneStepMore(t *testing.T) {
	p := providers(t)[0]
	at, info, _ := model.Resolve(p.name, model.Settings{Env: func(string) string { return "" }, Keys: map[string]string{"openai": "k"}})
	for effort, want := range map[nebula.Effort]string{nebula.EffortLow: `"effort":"medium"`, nebula.EffortMax: `"effort":"xhigh"`, "": `"reasoning":{"summary"`} {
		m := model.New(at, info, model.Options{Transport: p, Effort: effort})
		if _, err := nebula.Collect(m.Stream(t.Context(), nebula.Prompt{Hard: true}), nil); err != nil || !strings.Contains(string(p.asked), want) {
			t.Errorf("%s: %s, %v", effort, p.asked, err)
		}
	}
}
