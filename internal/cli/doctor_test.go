//go:build linux

package cli

import (
	"net/http"
	"net/http/httptest"
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
