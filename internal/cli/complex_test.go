package cli

import (
	"io"
	"testing"

	"nebula/internal/config"
)

// The document's own second model plans beside its first, at the provider itself; whoever chose a model, a server or another
// provider sends nothing there.
func TestAModelThatWasChosenDoesAll(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want string // beside the model to begin with
	}{
		{"nothing chosen", map[string]string{"OPENAI_API_KEY": "sk-1"}, "gpt-4.1-mini"},
		{"a model", map[string]string{"OPENAI_API_KEY": "sk-1", "NEBULA_MODEL": "gpt-4o"}, ""},
		{"a server", map[string]string{"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, ""},
		{"another provider's key", map[string]string{"ANTHROPIC_API_KEY": "sk-ant-1"}, ""},
		{"no key", nil, ""},
		{"both", map[string]string{"OPENAI_API_KEY": "sk-1", "NEBULA_MODEL": "gpt-4o", "NEBULA_COMPLEX_MODEL": "o3"}, "o3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			env := func(name string) string {
				if name == "NEBULA_HOME" {
					return home
				}
				return c.env[name]
			}
			p := &program{env: env, err: io.Discard}
			conf, err := config.Load(config.Input{Env: env, Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			s := &session{program: p, config: p.assumed(conf)}
			if got := s.complex(s.config)(s.config.Model); got != c.want {
				t.Errorf("beside %s: %q, want %q", s.config.Model, got, c.want)
			}
			if got := s.complex(s.config)("ollama/qwen3"); got != "" && c.want != "o3" {
				t.Errorf("beside a model that was switched to: %q", got)
			}
		})
	}
}
