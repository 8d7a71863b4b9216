package model

import (
	"strings"
	"testing"
)

// A provider whose address waits for a variable is not asked before it is set, and what is missing is said.
func TestWhatAnAddressWaitsForIsSaid(t *testing.T) {
	env := func(name string) string { return map[string]string{"AZURE_OPENAI_API_KEY": "abcdef0123456789"}[name] }
	said := ""
	for _, f := range Discover(t.Context(), Settings{Env: env}) {
		if f.Provider == "azure" {
			said = f.Err.Error()
		}
	}
	if !strings.Contains(said, "AZURE_RESOURCE_NAME") || strings.Contains(said, "{") {
		t.Errorf("the list of models: %q", said)
	}
	if _, _, err := Resolve(FirstOf("azure"), Settings{Env: env}); err == nil || !strings.Contains(err.Error(), "nothing says where Azure OpenAI is; set AZURE_RESOURCE_NAME") {
		t.Errorf("a model to begin with: %v", err)
	}
}

// What could be a key is no model's name: it is not asked for, and not said.
func TestWhatCouldBeAKeyIsNoModel(t *testing.T) {
	env := func(name string) string { return map[string]string{"OPENAI_API_KEY": "x"}[name] }
	for _, key := range []string{"7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5", "openai/4f1d0c7be2a94d3c8e55a0b7c1f2d3e49a6b7c8d0e1f2a3b4c5d6e7f8091a2b3", "sk-proj-7bQ2xW9kLmZ0pR4tYvN8"} {
		if _, _, err := Resolve(key, Settings{Env: env}); err == nil || strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "nebula login") {
			t.Errorf("%s: %v", key, err)
		}
	}
	for key, whose := range map[string]string{"sk-or-v1-9f3e07c4a1b82d65e0c7": "openrouter", "sk-9f3e07c4a1b82d65e0c7": "", "sk-proj-9f3e07c4a1b82d65e0c7": ""} {
		if got := Foreign(Endpoint{BaseURL: openaiBase, Key: key}); got != whose {
			t.Errorf("%s at OpenAI is of %q", key, got)
		}
		if got := Foreign(Endpoint{BaseURL: "https://gateway.example/v1", Key: key}); got != "" {
			t.Errorf("%s at a gateway is of %q", key, got)
		}
	}
}
