package main

import (
	"fmt"
	"strings"

	"nebula/internal/config"
)

// usualKeys are the environment variables that a provider's key is usually in.
func usualKeys(provider string) []string {
	if provider == "gemini" || provider == "google" {
		return []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(provider))
	return []string{name + "_API_KEY"}
}

type keyFound struct{ setting, source string }

// keysInEnvironment are the providers' keys that the environment holds, without the keys.
func keysInEnvironment(c config.Config) []keyFound {
	var found []keyFound
	for _, name := range []string{"openai", "openrouter", "anthropic", "gemini", "groq", "deepseek", "mistral", "xai", "together", "fireworks", "cerebras", "moonshot", "zai"} {
		if key, source := c.Credential(name, usualKeys(name)...); key.Set() && strings.HasPrefix(source, "env ") {
			found = append(found, keyFound{fmt.Sprintf("providers.%s.key", name), source})
		}
	}
	return found
}
