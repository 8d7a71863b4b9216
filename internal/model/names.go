package model

import (
	"strings"

	"nebula"
)

// routes is the provider that has the models of all others.
const routes = "openrouter"

// called are what people call providers, beside their names and how their models are called at the one that has all.
var called = [...][2]string{
	{"claude", "anthropic"}, {"chatgpt", "openai"}, {"gpt", "openai"}, {"google-ai", "gemini"}, {"googleai", "gemini"}, {"aistudio", "gemini"}, {"grok", "xai"}, {"open-router", "openrouter"},
	{"aws", "bedrock"}, {"amazon", "bedrock"}, {"google-vertex", "vertex"}, {"vertexai", "vertex"}, {"azure-openai", "azure"}, {"kimi", "moonshot"}, {"moonshotai", "moonshot"}, {"z-ai", "zai"}, {"z.ai", "zai"},
	{"glm", "zai"}, {"zhipu", "zai"}, {"lm-studio", "lmstudio"}, {"llama.cpp", "llamacpp"}, {"together-ai", "together"}, {"togetherai", "together"}, {"fireworks-ai", "fireworks"},
}

// named is the provider that a word means; the zero provider where it means none. vendor says that the word also stands before models
// of its making elsewhere.
func named(word string) (p provider, vendor bool) {
	word = strings.ToLower(word)
	if p, ok := providerNamed(word); ok {
		return p, p.vendor
	}
	for _, p := range providers {
		if p.maker == word && word != "" {
			return p, true
		}
	}
	for _, c := range called {
		if c[0] == word {
			p, _ = providerNamed(c[1])
			return p, !p.local
		}
	}
	return &row{}, false
}

// Meant is the name of the provider that a word means; the word where it means none.
//
//go:noinline
func Meant(word string) string {
	if p, _ := named(word); p.name != "" {
		return p.name
	}
	return word
}

// A family is what people say in the place of a model's name.
type family struct {
	said, provider, newest, routed string
	local                          bool // models of the name run on people's machines, too
}

var families = [...]family{
	{"claude", "anthropic", "claude-sonnet-4-5", "anthropic/claude-sonnet-4.5", false},
	{"sonnet", "anthropic", "claude-sonnet-4-5", "anthropic/claude-sonnet-4.5", false},
	{"opus", "anthropic", "claude-opus-4-5", "anthropic/claude-opus-4.5", false},
	{"haiku", "anthropic", "claude-haiku-4-5", "anthropic/claude-haiku-4.5", false},
	{"gpt", "openai", "gpt-5.2", "openai/gpt-5.2", false},
	{"gemini", "gemini", "gemini-3-pro-preview", "google/gemini-3-pro-preview", false},
	{"flash", "gemini", "gemini-3-flash-preview", "google/gemini-3-flash-preview", false},
	{"grok", "xai", "grok-4", "x-ai/grok-4", false},
	{"deepseek", "deepseek", "deepseek-chat", "deepseek/deepseek-chat", true},
	{"kimi", "moonshot", "kimi-k2-0905-preview", "moonshotai/kimi-k2-0905", false},
	{"glm", "zai", "glm-4.6", "z-ai/glm-4.6", true},
	{"mistral", "mistral", "mistral-large-latest", "mistralai/mistral-large", true},
}

// meant is a model of a provider, by its name or by what people say in its place.
func (p *row) meant(name string) string {
	switch f, ok := familyOf(name); {
	case ok && f.provider == p.name:
		return f.newest
	case ok && p.name == routes:
		return f.routed
	}
	return name
}

// familyOf is the family that a name is.
//
//go:noinline
func familyOf(name string) (family, bool) {
	for _, f := range families {
		if strings.EqualFold(f.said, name) {
			return f, true
		}
	}
	return family{}, false
}

// Providers are the names of those that are known.
func Providers() []string {
	var names []string
	for _, p := range providers {
		names = append(names, p.name)
	}
	return names
}

// afar are variables with the keys of servers that are no providers here, and speak as one.
var afar = [...]struct{ name, title, base string }{
	{"HF_TOKEN", "Hugging Face", "https://router.huggingface.co/v1"}, {"PERPLEXITY_API_KEY", "Perplexity", "https://api.perplexity.ai"},
}

// nearly is the variable of the environment that somebody took for that of a provider's key.
func (s Settings) nearly(p provider) (next nebula.Words, is bool) {
	for _, q := range providers {
		for name := range strings.FieldsSeq(q.nearly) {
			if (q == p || p.name == Standard) && s.env(name) != "" {
				return nebula.Say("%s is set: the key for %s belongs into %s", name, q.title, q.keys[0]), true
			}
		}
	}
	for _, far := range afar {
		if p.name == Standard && s.env(far.name) != "" {
			return nebula.Say("%s is set: for %s set OPENAI_BASE_URL=%s, and its key as OPENAI_API_KEY", far.name, far.title, far.base), true
		}
	}
	return next, false
}
