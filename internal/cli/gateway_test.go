package cli

import (
	"testing"

	"nebula/internal/config"
)

// A server at the address of the environment is asked for a model by the name that it lists, as when nothing stood in the settings.
func TestAGatewaysModelsGoThereAsTheyAreListed(t *testing.T) {
	for _, tt := range []struct{ base, name, model string }{
		{"http://127.0.0.1:9/v1", "openai/gpt-4.1-mini", "openai/gpt-4.1-mini"},
		{"http://127.0.0.1:9/v1", "gpt-4.1-mini", "gpt-4.1-mini"},
		{"https://api.openai.com/v1/", "openai/gpt-4.1-mini", "gpt-4.1-mini"},
		{"", "openai/gpt-4.1-mini", "gpt-4.1-mini"},
	} {
		env := func(name string) string {
			return map[string]string{"OPENAI_BASE_URL": tt.base, "OPENAI_API_KEY": "k", "NEBULA_HOME": t.TempDir()}[name]
		}
		c, err := config.Load(config.Input{Env: env})
		if err != nil {
			t.Fatal(err)
		}
		if at, _, err := resolve(c, env, nil, tt.name); err != nil || at.Model != tt.model {
			t.Errorf("%s at %q is asked for as %q (%v)", tt.name, tt.base, at.Model, err)
		}
	}
}
