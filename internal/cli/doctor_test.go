//go:build linux

package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The doctor looks at the model that would be begun with, and nothing is offered that there is no key for.
func TestTheDoctorLooksAtTheModelThatIsBegunWith(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data":[{"id":"claude-haiku-4-5"}]}`))
	}))
	defer server.Close()
	b := newBed(t)
	for command, want := range map[string][2]string{
		"doctor": {"set for anthropic/claude-haiku-4-5", "there is no key"},
		"models": {"anthropic/claude-haiku-4-5", "gpt-4.1"},
	} {
		c := b.command(command)
		c.Env = append(c.Env, "OPENAI_BASE_URL=", "OPENAI_API_KEY=", "ANTHROPIC_API_KEY=sk-ant-api03-k3y", "ANTHROPIC_BASE_URL="+server.URL)
		out, _ := c.CombinedOutput()
		if !strings.Contains(string(out), want[0]) || strings.Contains(string(out), want[1]) || strings.Contains(string(out), "model servers run here") {
			t.Errorf("%s says %q or not %q, or takes a gateway for a server of models:\n%s", command, want[1], want[0], out)
		}
	}
}

// Behind one address there may be several providers, each with its list or without one, or with none in it yet.
func TestAGatewayOfSeveralProviders(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/chat/completions") && strings.HasPrefix(r.URL.Path, "/bare"):
			_, _ = w.Write([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"OK\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
		case r.URL.Path == "/v1/models":
			_, _ = w.Write([]byte(`{"data":[{"id":"one"}]}`))
		case r.URL.Path == "/anthropic/v1/models":
			_, _ = w.Write([]byte(`{"data":[{"id":"claude-two"}]}`))
		case r.URL.Path == "/empty/v1/models":
			_, _ = w.Write([]byte(`{"data":[]}`))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	b := newBed(t)
	settings := `{"providers":{"box":{"base_url":"` + server.URL + `/v1"},"crate":{"base_url":"` + server.URL + `/v1"}}}`
	if err := os.WriteFile(filepath.Join(b.home, "config.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command, base string
		want, not     []string
	}{
		{"models", "/v1", []string{"\none ", "anthropic/claude-two"}, nil},
		{"models", "/other/v1", []string{"box/one ", "crate/one ", "anthropic/claude-two"}, nil},
		{"doctor", "/bare/v1", []string{"/bare/v1 has no list of models, and m answers"}, []string{"FAIL  model"}},
		{"doctor", "/none/v1", []string{"FAIL  model"}, []string{"has no list"}},
	} {
		cmd := b.command(c.command)
		cmd.Env = append(cmd.Env, "NEBULA_MODEL=m", "OPENAI_BASE_URL="+server.URL+c.base, "ANTHROPIC_API_KEY=sk-ant-k3y", "ANTHROPIC_BASE_URL="+server.URL+"/anthropic", "OLLAMA_HOST="+server.URL+"/empty/v1")
		out, _ := cmd.CombinedOutput()
		for _, want := range append(c.want, "`ollama pull qwen3:8b`") {
			if !strings.Contains("\n"+string(out), want) {
				t.Errorf("%s at %s lacks %q:\n%s", c.command, c.base, want, out)
			}
		}
		for _, not := range c.not {
			if strings.Contains(string(out), not) {
				t.Errorf("%s at %s says %q:\n%s", c.command, c.base, not, out)
			}
		}
	}
}
