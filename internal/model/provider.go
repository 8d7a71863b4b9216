package model

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/model/anthropic"
	"nebula/internal/model/chat"
	"nebula/internal/model/gemini"
	"nebula/internal/model/responses"
	"nebula/internal/model/transport"
)

// A provider is a service or a local server, as its row of the table says. It is spoken to in Chat Completions unless it has an adapter of its own.
type provider = *row

// A row is what the table says of a provider.
type row struct {
	name    string // also the prefix of its models' names
	title   string
	first   string                                                    // the model to begin with where its key is all that is there
	base    string                                                    // {ONE|OTHER|=usual} in it is what a variable of the environment holds
	keys    []string                                                  // environment variables, the first that is set counts
	openai  string                                                    // what stands behind base where it speaks OpenAI's forms, if not nothing
	baseEnv string                                                    // environment variable with another base URL
	server  string                                                    // what a person starts, where it is not called as the provider is
	local   bool                                                      // runs on the person's machine and needs no key
	ends    []string                                                  // any server whose host and port end so is this one
	lazy    bool                                                      // loads a model when it is first asked for
	tagged  bool                                                      // a name with a colon is one of its models
	pull    string                                                    // what gets a model that the server does not have
	window  int                                                       // what the server reads at most, however large the model's window is; 0 for all of it
	widened string                                                    // environment variable that says another
	more    string                                                    // what it is started with to read more
	tells   func(asker, context.Context, []nebula.ModelInfo) []string // asks a server what its list of models leaves out, and which are loaded
	header  func(Endpoint) http.Header                                // goes with requests, where it is another than that of Chat Completions
	named   func(string) string                                       // reads baseEnv, where it may hold something else than a base URL
	edge    int                                                       // the longest side of a picture that it looks at as it is, in pixels; 0 for the usual
	paged   bool                                                      // its models that take pictures take PDFs, too
	vendor  bool                                                      // its name also stands before models of its making elsewhere: openai/gpt-oss-20b
	maker   string                                                    // its name before models at OpenRouter
	dashed  bool                                                      // its models' names have dashes where people write dots
	begins  string                                                    // how its keys begin, and no other's
	such    string                                                    // how a model of it is named, where none of its models is there for everybody
	nearly  string                                                    // variables that people take for those of its keys
	signs   []string                                                  // further variables that people set for it
	where   string                                                    // the page that gives out keys, for who has none: few enough to choose among
	dialect chat.Dialect
	speaks  func(Endpoint, nebula.ModelInfo) transport.Adapter // nil, or gives nil: Chat Completions, in the dialect
	written float64                                            // price of a token that is written to its cache, against one that is not; 0 is the same
}

const (
	openaiBase = "https://api.openai.com/v1"
	thought    = "reasoning" // the field of servers that name it as OpenRouter does, some of which refuse every other
)

// thinkers are in the names of models that think worse, or are refused, without what they thought before a call, wherever they run.
var thinkers = [...]string{"deepseek", "kimi", "glm-", "minimax-m", "mimo-"}

// Standard is the provider that is meant where nothing names another.
const Standard = "openai"

var providers = [...]provider{
	{name: Standard, nearly: "OPENAI_KEY OPEN_AI_KEY OPEN_AI_API_KEY OPENAI_TOKEN OPENAI_APIKEY CHATGPT_API_KEY GPT_API_KEY", begins: "sk-proj-", title: "OpenAI", maker: "openai", where: "platform.openai.com/api-keys", first: Default, base: openaiBase, keys: []string{"OPENAI_API_KEY"}, baseEnv: "OPENAI_BASE_URL",
		vendor: true, paged: true, dialect: chat.Dialect{Effort: byWord, Usage: true, ModernMax: true, Schema: true, CacheKey: true}, speaks: openai},
	{name: "openrouter", nearly: "OPENROUTER_KEY OPEN_ROUTER_API_KEY", begins: "sk-or-", title: "OpenRouter", where: "openrouter.ai/keys", first: "openrouter/openai/gpt-4.1-mini", base: "https://openrouter.ai/api/v1", keys: []string{"OPENROUTER_API_KEY"},
		baseEnv: "OPENROUTER_BASE_URL", dialect: chat.Dialect{Effort: byRouter, Usage: true, Cost: true, Titled: true, Schema: true, Reasoning: thought, Marked: "anthropic/"}},
	{name: "anthropic", nearly: "CLAUDE_API_KEY CLAUDE_KEY ANTHROPIC_KEY ANTHROPIC_TOKEN", begins: "sk-ant-", title: "Anthropic", maker: "anthropic", where: "console.anthropic.com/settings/keys", first: "anthropic/claude-haiku-4-5", base: "https://api.anthropic.com/v1", keys: []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"}, baseEnv: "ANTHROPIC_BASE_URL", named: versioned, vendor: true, dashed: true, paged: true, written: 1.25, edge: 1568,
		header: anthropic.Header, speaks: func(at Endpoint, info nebula.ModelInfo) transport.Adapter { return anthropic.New(at, info) }},
	{name: "gemini", nearly: "GOOGLE_AI_KEY GOOGLE_AI_API_KEY GOOGLE_GEMINI_API_KEY GOOGLE_GENERATIVE_AI_API_KEY GEMINI_KEY GOOGLE_KEY", begins: "AIza", title: "Google Gemini", maker: "google", where: "aistudio.google.com/apikey", first: "gemini/gemini-2.5-flash", base: "https://generativelanguage.googleapis.com/v1beta", openai: "/openai",
		keys: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, baseEnv: "GOOGLE_GEMINI_BASE_URL", named: versionedBeta, edge: 3072, paged: true, dialect: chat.Dialect{Effort: byWord, Usage: true, Schema: true}, header: gemini.Header, speaks: google},
	{name: "groq", nearly: "GROQ_KEY", begins: "gsk_", title: "Groq", first: "groq/openai/gpt-oss-120b", base: "https://api.groq.com/openai/v1", keys: []string{"GROQ_API_KEY"},
		dialect: chat.Dialect{Effort: byWord, Usage: true, ModernMax: true, Schema: true, Reasoning: thought}},
	{name: "deepseek", nearly: "DEEPSEEK_KEY", title: "DeepSeek", maker: "deepseek", first: "deepseek/deepseek-chat", base: "https://api.deepseek.com/v1", keys: []string{"DEEPSEEK_API_KEY"}, vendor: true,
		dialect: chat.Dialect{Effort: bySwitch, Usage: true, Reasoning: chat.Thought}},
	{name: "mistral", nearly: "MISTRAL_KEY CODESTRAL_API_KEY", title: "Mistral", maker: "mistralai", first: "mistral/devstral-medium-latest", base: "https://api.mistral.ai/v1", keys: []string{"MISTRAL_API_KEY"},
		dialect: chat.Dialect{Schema: true, Shape: chat.Shape{Inside: true, IDs: true}}},
	{name: "xai", nearly: "GROK_API_KEY XAI_KEY", begins: "xai-", title: "xAI", maker: "x-ai", first: "xai/grok-code-fast-1", base: "https://api.x.ai/v1", keys: []string{"XAI_API_KEY"}, dialect: chat.Dialect{Effort: byWord, Usage: true, Schema: true}},
	{name: "together", nearly: "TOGETHER_AI_API_KEY TOGETHERAI_API_KEY", begins: "tgp_", title: "Together", first: "together/openai/gpt-oss-120b", base: "https://api.together.xyz/v1", keys: []string{"TOGETHER_API_KEY"}, dialect: chat.Dialect{Effort: byWord, Usage: true, Reasoning: thought}},
	{name: "fireworks", begins: "fw_", title: "Fireworks", first: "fireworks/accounts/fireworks/models/gpt-oss-120b", base: "https://api.fireworks.ai/inference/v1", keys: []string{"FIREWORKS_API_KEY"},
		dialect: chat.Dialect{Effort: byWord, Usage: true, Reasoning: chat.Thought}},
	{name: "cerebras", begins: "csk-", title: "Cerebras", first: "cerebras/gpt-oss-120b", base: "https://api.cerebras.ai/v1", keys: []string{"CEREBRAS_API_KEY"},
		dialect: chat.Dialect{Effort: byWord, Usage: true, ModernMax: true, Schema: true, Reasoning: thought}},
	{name: "moonshot", nearly: "KIMI_API_KEY", title: "Moonshot", first: "moonshot/kimi-k2-0905-preview", base: "https://api.moonshot.ai/v1", keys: []string{"MOONSHOT_API_KEY"},
		dialect: chat.Dialect{Effort: bySwitch, Usage: true, Reasoning: chat.Thought}},
	{name: "zai", nearly: "ZHIPU_API_KEY GLM_API_KEY", title: "Z.AI", first: "zai/glm-4.6", base: "https://api.z.ai/api/paas/v4", keys: []string{"ZAI_API_KEY"}, dialect: chat.Dialect{Effort: bySwitch, Usage: true, Reasoning: chat.Thought}},
	{name: "azure", title: "Azure OpenAI", base: "https://{AZURE_RESOURCE_NAME}.openai.azure.com/openai/v1", keys: []string{"AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN"}, baseEnv: "AZURE_OPENAI_ENDPOINT", named: azureURL,
		such: "azure/DEPLOYMENT", signs: []string{"AZURE_OPENAI_ENDPOINT", "AZURE_RESOURCE_NAME"},
		ends: []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"}, dialect: chat.Dialect{Effort: byWord, Usage: true, ModernMax: true, Schema: true, KeyIn: "Api-Key"}},
	{name: "bedrock", title: "Amazon Bedrock", first: "bedrock/openai.gpt-oss-120b-1:0", base: "https://bedrock-runtime.{AWS_REGION|AWS_DEFAULT_REGION|=us-east-1}.amazonaws.com/openai/v1",
		keys: []string{"AWS_BEARER_TOKEN_BEDROCK"}, dialect: chat.Dialect{Effort: byWord, Usage: true, ModernMax: true}},
	{name: "vertex", such: "vertex/google/gemini-2.5-flash", signs: []string{"GOOGLE_CLOUD_PROJECT", "GOOGLE_GENAI_USE_VERTEXAI"}, title: "Google Vertex AI", keys: []string{"GOOGLE_OAUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN"}, dialect: chat.Dialect{Effort: byWord, Usage: true, Schema: true},
		base: "https://{GOOGLE_CLOUD_LOCATION|=global}-aiplatform.googleapis.com/v1/projects/{GOOGLE_CLOUD_PROJECT}/locations/{GOOGLE_CLOUD_LOCATION|=global}/endpoints/openapi"},
	{name: "ollama", title: "Ollama", lazy: true, tagged: true, base: "http://127.0.0.1:11434/v1", baseEnv: "OLLAMA_HOST", named: ollamaURL, local: true, ends: []string{":11434"}, pull: "ollama pull",
		window: ollamaWindow, widened: "OLLAMA_CONTEXT_LENGTH", more: "OLLAMA_CONTEXT_LENGTH=65536", tells: asker.ollama,
		dialect: chat.Dialect{Effort: byWord, Usage: true, Schema: true, Reasoning: thought, Shape: chat.Shape{Blank: true}}},
	{name: "llamacpp", title: "llama.cpp", server: "llama.cpp's server", base: "http://127.0.0.1:8080/v1", baseEnv: "LLAMACPP_BASE_URL", local: true, more: "-c 65536", tells: asker.llamacpp,
		dialect: chat.Dialect{Effort: byTemplate, Usage: true, Schema: true, Reasoning: chat.Thought, Shape: chat.Shape{Blank: true}}},
	{name: "lmstudio", title: "LM Studio", lazy: true, server: "LM Studio's server", base: "http://127.0.0.1:1234/v1", baseEnv: "LMSTUDIO_BASE_URL", local: true, more: "lms load --context-length 65536", tells: asker.lmstudio,
		dialect: chat.Dialect{Effort: byWord, Usage: true, Schema: true, Shape: chat.Shape{Blank: true}}},
	{name: "vllm", title: "vLLM", base: "http://127.0.0.1:8000/v1", baseEnv: "VLLM_BASE_URL", local: true, more: "--max-model-len 65536", tells: asker.vllm,
		dialect: chat.Dialect{Effort: byTemplate, Usage: true, Schema: true, Reasoning: thought, Shape: chat.Shape{Blank: true}}},
}

// forms are how servers are spoken to, by what a person calls them who has a server that speaks another than its provider.
var forms = map[string]struct {
	speaks func(Endpoint, nebula.ModelInfo) transport.Adapter
	header func(Endpoint) http.Header
}{
	"chat":      {},
	"responses": {speaks: func(at Endpoint, _ nebula.ModelInfo) transport.Adapter { return responses.New(at) }},
	"messages":  {func(at Endpoint, info nebula.ModelInfo) transport.Adapter { return anthropic.New(at, info) }, anthropic.Header},
	"gemini":    {func(at Endpoint, info nebula.ModelInfo) transport.Adapter { return gemini.New(at, info) }, gemini.Header},
}

// providerOf is an endpoint's provider, which speaks as the endpoint does. It is the zero provider where nobody knows it.
//
//go:noinline
func providerOf(at Endpoint) (provider, bool) {
	p, known := providerNamed(at.Provider)
	if f, ok := forms[at.Speaks]; ok {
		q := *p
		q.speaks, q.header = f.speaks, f.header
		p = &q
	}
	return p, known
}

// elsewhere is the name of a provider for a server of it at an address of the person's own: what its table says of the form of
// requests holds there, too. A server that speaks Chat Completions is nobody's, as each has its own way with them.
func (p *row) elsewhere() string {
	if p.speaks != nil && p.name != Standard || strings.Contains(p.base, "{") {
		return p.name
	}
	return ""
}

// openai speaks Responses with the models that think, as some of them take nothing else, and all think worse when what they
// thought is not handed back; and Chat Completions with the others and on every other server.
func openai(at Endpoint, info nebula.ModelInfo) transport.Adapter {
	if !info.Thinks || transport.HostOf(at.BaseURL) != transport.HostOf(openaiBase) {
		return nil
	}
	return responses.New(at)
}

// google speaks the server's own form, and Chat Completions where the address is that of what is compatible with them.
func google(at Endpoint, info nebula.ModelInfo) transport.Adapter {
	if strings.HasSuffix(strings.TrimRight(at.BaseURL, "/"), "/openai") {
		return nil
	}
	return gemini.New(at, info)
}

// Searches is the form in which a server's own search of the internet is asked, where, and what goes with the request; empty where none
// is known.
func Searches(at Endpoint) (form, where string, header http.Header) {
	p, _ := providerOf(at)
	switch p.adapter(at, nebula.ModelInfo{Thinks: true}).(type) {
	case *anthropic.Adapter:
		form, where = "messages", "/messages"
	case *responses.Adapter:
		form, where = "responses", "/responses"
	case *gemini.Adapter:
		form, where = "generateContent", "/models/"+strings.TrimPrefix(at.Model, "models/")+":generateContent"
	default:
		return "", "", nil
	}
	if header = chat.Header(at, p.dialect); p.header != nil {
		header = p.header(at)
	}
	return form, transport.URL(at.BaseURL, where), header
}

// First is the model to begin with where nobody chose one: of the first provider of the table that has a key in the
// environment or the settings, the well-known one where there is none. from names where its key was found.
func First(s Settings) (name, from string) {
	openai := standard()
	if s.BaseURL != "" || s.base(openai) != openai.base {
		return Default, "" // a server of the person's own takes every name
	}
	for _, p := range providers {
		if p.first == "" || !s.has(p) {
			continue
		}
		for _, key := range p.keys {
			if strings.TrimSpace(s.env(key)) != "" {
				return p.first, key
			}
		}
		if s.Keys[p.name] == "" {
			return p.first, "login " + p.name
		}
		return p.first, "providers." + p.name + ".key"
	}
	return Default, ""
}

// Keyless reports whether nothing tells where to begin: there is no key of any provider, and no server of the person's own.
func Keyless(s Settings) bool {
	openai := standard()
	if s.BaseURL != "" || s.base(openai) != openai.base {
		return false
	}
	return !slices.ContainsFunc(providers[:], func(p provider) bool { return p.first != "" && s.has(p) })
}

//go:noinline
func standard() provider {
	p, _ := providerNamed(Standard)
	return p
}

// FirstOf is the model to begin with of a provider, or how one of it is named; the well-known one where it has none of its own.
func FirstOf(name string) string {
	p, _ := providerNamed(name)
	return cmp.Or(p.first, p.such, Default)
}

// Keyed are the providers that have keys.
func Keyed() (names []string) {
	for _, p := range providers {
		if len(p.keys) > 0 {
			names = append(names, p.name)
		}
	}
	return names
}

//go:noinline
func providerNamed(name string) (provider, bool) {
	for _, p := range providers {
		if p.name == name {
			return p, true
		}
	}
	return &row{}, false
}

// Configures reports whether a variable of the environment is named after a provider whose servers are elsewhere.
func Configures(variable string) bool {
	first, _, more := strings.Cut(strings.ToLower(variable), "_")
	p, known := providerNamed(first)
	return more && known && !p.local
}

// providerAt tells whose server a base URL is, if that can be seen.
func providerAt(base string) string {
	host := transport.HostOf(base)
	for _, p := range providers {
		if transport.HostOf(p.base) == host || slices.ContainsFunc(p.ends, func(end string) bool { return strings.HasSuffix(host, end) }) {
			return p.name
		}
	}
	return ""
}

func dialectOf(at Endpoint) chat.Dialect {
	p, ok := providerNamed(at.Provider)
	d := p.dialect
	if !ok || at.Provider == Standard && transport.HostOf(at.BaseURL) != transport.HostOf(p.base) {
		d = chat.Dialect{Effort: byWord, Usage: true, Schema: true, ModernMax: refusesMaxTokens(at.Model), Shape: chat.Shape{Blank: transport.IsLocal(transport.HostOf(at.BaseURL))}}
	}
	model := strings.ToLower(at.Model)
	if d.Reasoning == "" && slices.ContainsFunc(thinkers[:], func(name string) bool { return strings.Contains(model, name) }) {
		d.Reasoning = chat.Thought
	}
	return d
}

// refusesMaxTokens names the models that take max_completion_tokens only.
func refusesMaxTokens(model string) bool {
	if _, rest, found := strings.Cut(model, "/"); found {
		model = rest
	}
	for _, p := range [...]string{"o1", "o3", "o4", "gpt-5"} {
		if strings.HasPrefix(model, p) {
			return true
		}
	}
	return false
}

// keyName is the environment variable for a provider's key.
//
//go:noinline
func keyName(provider string) string {
	if p, ok := providerNamed(provider); ok && len(p.keys) > 0 {
		return p.keys[0]
	}
	return "OPENAI_API_KEY"
}
