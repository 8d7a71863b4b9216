package model

import (
	"strings"

	"nebula"
	"nebula/internal/model/transport"
)

// A known is what is publicly known of a family of models. Prices are the makers' list prices in dollars per million
// tokens; zero means unknown.
type known struct {
	name     string // lower case with dashes for dots; the beginning of the family's names, the longest one counts
	provider string // who offers it under this name; empty for models that one runs oneself
	window   int
	output   int
	takes    takes
	in       float64
	cached   float64
	out      float64
}

type takes uint8

const (
	tools takes = 1 << iota
	images
	thinks // before it answers, where it is let
)

// Where a figure is known from.
const (
	fromCatalogue = "catalogue"
	fromServer    = "server"
	fromNobody    = "assumed"
)

const (
	all  = tools | images
	deep = all | thinks
	kilo = 1024
	mega = 1024 * 1024
)

// What is assumed of a model that nobody knows, until its server says otherwise: the room that most have by now, and that it
// takes tools.
const (
	unknownWindow = 128 * kilo
	unknownOutput = 4 * kilo
	ollamaWindow  = 16 * kilo // what a server gives is its own choice, usually far less than the model could take
)

var catalogue = [...]known{
	{"gpt-4-1-nano", "openai", 1047576, 32768, all, 0.10, 0.025, 0.40},
	{"gpt-4-1-mini", "openai", 1047576, 32768, all, 0.40, 0.10, 1.60},
	{"gpt-4-1", "openai", 1047576, 32768, all, 2, 0.50, 8},
	{"gpt-4o", "openai", 128000, 16384, all, 2.50, 1.25, 10},
	{"gpt-4o-mini", "openai", 128000, 16384, all, 0.15, 0.075, 0.60},
	{"gpt-4-turbo", "openai", 128000, 4096, all, 10, 0, 30},
	{"gpt-4", "openai", 8192, 4096, tools, 30, 0, 60},
	{"gpt-3-5-turbo", "openai", 16385, 4096, tools, 0.50, 0, 1.50},
	{"gpt-5", "openai", 400000, 128000, deep, 1.25, 0.125, 10},
	{"gpt-5-mini", "openai", 400000, 128000, deep, 0.25, 0.025, 2},
	{"gpt-5-nano", "openai", 400000, 128000, deep, 0.05, 0.005, 0.40},
	{"gpt-5-pro", "openai", 400000, 272000, deep, 15, 0, 120},
	{"gpt-5-chat", "openai", 128000, 16384, all, 1.25, 0.125, 10},
	{"gpt-5-1", "openai", 400000, 128000, deep, 1.25, 0.125, 10},
	{"gpt-5-2", "openai", 400000, 128000, deep, 1.75, 0.175, 14},
	{"o1", "openai", 200000, 100000, deep, 15, 7.50, 60},
	{"o1-mini", "openai", 128000, 65536, thinks, 1.10, 0.55, 4.40},
	{"o1-preview", "openai", 128000, 32768, thinks, 15, 7.50, 60},
	{"o3", "openai", 200000, 100000, deep, 2, 0.50, 8},
	{"o3-mini", "openai", 200000, 100000, tools | thinks, 1.10, 0.55, 4.40},
	{"o3-pro", "openai", 200000, 100000, deep, 20, 0, 80},
	{"codex-mini", "openai", 200000, 100000, deep, 1.50, 0.375, 6},
	{"o4-mini", "openai", 200000, 100000, deep, 1.10, 0.275, 4.40},

	{"claude-opus-4", "anthropic", 200000, 32000, deep, 15, 1.50, 75},
	{"claude-opus-4-5", "anthropic", 200000, 64000, deep, 5, 0.50, 25},
	{"claude-sonnet-4", "anthropic", 200000, 64000, deep, 3, 0.30, 15},
	{"claude-haiku-4-5", "anthropic", 200000, 64000, deep, 1, 0.10, 5},
	{"claude-3-7-sonnet", "anthropic", 200000, 64000, deep, 3, 0.30, 15},
	{"claude-3-5-sonnet", "anthropic", 200000, 8192, all, 3, 0.30, 15},
	{"claude-3-5-haiku", "anthropic", 200000, 8192, all, 0.80, 0.08, 4},
	{"claude-3", "anthropic", 200000, 4096, all, 0, 0, 0},
	{"claude-opus", "anthropic", 200000, 64000, deep, 0, 0, 0},
	{"claude-sonnet", "anthropic", 200000, 64000, deep, 0, 0, 0},
	{"claude-haiku", "anthropic", 200000, 64000, deep, 0, 0, 0},
	{"claude", "anthropic", 200000, 8192, all, 0, 0, 0},

	{"gemini-2-5-pro", "gemini", mega, 65536, deep, 1.25, 0.125, 10},
	{"gemini-2-5-flash", "gemini", mega, 65536, deep, 0.30, 0.03, 2.50},
	{"gemini-2-5-flash-lite", "gemini", mega, 65536, deep, 0.10, 0.01, 0.40},
	{"gemini-2-0-flash", "gemini", mega, 8192, all, 0.10, 0.025, 0.40},
	{"gemini-3-pro", "gemini", mega, 65536, deep, 2, 0.20, 12},
	{"gemini-3-flash", "gemini", mega, 65536, deep, 0.50, 0.05, 3},
	{"gemini", "gemini", mega, 8192, all, 0, 0, 0},

	{"deepseek-chat", "deepseek", 128 * kilo, 8192, tools, 0.28, 0.028, 0.42},
	{"deepseek-reasoner", "deepseek", 128 * kilo, 65536, tools | thinks, 0.28, 0.028, 0.42},
	{"deepseek-v3", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"deepseek-r1", "", 128 * kilo, 32768, thinks, 0, 0, 0},
	{"deepseek-coder", "", 16 * kilo, 4096, 0, 0, 0, 0},
	{"deepseek", "", 64 * kilo, 8192, tools, 0, 0, 0},

	{"mistral-large", "mistral", 128 * kilo, 16384, tools, 2, 0, 6},
	{"mistral-medium", "mistral", 128 * kilo, 16384, all, 0.40, 0, 2},
	{"mistral-small", "mistral", 128 * kilo, 16384, all, 0.10, 0, 0.30},
	{"codestral", "mistral", 256000, 16384, tools, 0.30, 0, 0.90},
	{"devstral-medium", "mistral", 128 * kilo, 16384, tools, 0.40, 0, 2},
	{"devstral", "", 128 * kilo, 16384, tools, 0, 0, 0},
	{"mistral-nemo", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"ministral", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"mistral", "", 32 * kilo, 8192, tools, 0, 0, 0},
	{"mixtral", "", 32 * kilo, 8192, tools, 0, 0, 0},

	{"grok-4", "xai", 256000, 32768, deep, 3, 0.75, 15},
	{"grok-4-fast", "xai", 2000000, 32768, deep, 0.20, 0.05, 0.50},
	{"grok-code-fast-1", "xai", 256000, 16384, tools | thinks, 0.20, 0.02, 1.50},
	{"grok-3", "xai", 128 * kilo, 16384, tools, 3, 0.75, 15},
	{"grok-3-mini", "xai", 128 * kilo, 16384, tools | thinks, 0.30, 0.075, 0.50},

	{"kimi-k2", "", 256 * kilo, 32768, tools, 0.60, 0.15, 2.50},
	{"glm-4-5", "", 128 * kilo, 98304, tools | thinks, 0.60, 0.11, 2.20},
	{"glm-4-6", "", 200000, 128000, tools | thinks, 0.60, 0.11, 2.20},
	{"glm", "", 128 * kilo, 32768, tools | thinks, 0, 0, 0},
	{"minimax-m2", "", 200000, 128000, tools | thinks, 0.30, 0.03, 1.20},

	{"gpt-oss", "", 128 * kilo, 32768, tools | thinks, 0, 0, 0},
	{"qwen3-coder", "", 256 * kilo, 65536, tools, 0, 0, 0},
	{"qwen3", "", 40960, 16384, tools | thinks, 0, 0, 0},
	{"qwen3-vl", "", 256 * kilo, 32768, all, 0, 0, 0},
	{"qwen2-5-coder", "", 32 * kilo, 8192, tools, 0, 0, 0},
	{"qwen2-5-vl", "", 128 * kilo, 8192, images, 0, 0, 0},
	{"qwen2-5", "", 32 * kilo, 8192, tools, 0, 0, 0},
	{"qwen", "", 32 * kilo, 8192, tools, 0, 0, 0},
	{"qwq", "", 32 * kilo, 16384, tools | thinks, 0, 0, 0},
	{"llama-4", "", mega, 16384, all, 0, 0, 0},
	{"llama4", "", mega, 16384, all, 0, 0, 0},
	{"llama-3-1", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"llama3-1", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"llama-3-2", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"llama3-2", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"llama3-2-vision", "", 128 * kilo, 8192, images, 0, 0, 0},
	{"llama-3-3", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"llama3-3", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"llama3", "", 8192, 4096, 0, 0, 0, 0},
	{"llama-3", "", 8192, 4096, 0, 0, 0, 0},
	{"llama2", "", 4096, 2048, 0, 0, 0, 0},
	{"llama", "", 8192, 4096, tools, 0, 0, 0},
	{"codellama", "", 16 * kilo, 4096, 0, 0, 0, 0},
	{"gemma3", "", 128 * kilo, 8192, images, 0, 0, 0},
	{"gemma-3", "", 128 * kilo, 8192, images, 0, 0, 0},
	{"gemma3n", "", 32 * kilo, 8192, 0, 0, 0, 0},
	{"gemma2", "", 8192, 4096, 0, 0, 0, 0},
	{"gemma", "", 8192, 4096, 0, 0, 0, 0},
	{"phi4", "", 16 * kilo, 8192, 0, 0, 0, 0},
	{"phi-4", "", 16 * kilo, 8192, 0, 0, 0, 0},
	{"phi4-mini", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"phi3", "", 128 * kilo, 4096, 0, 0, 0, 0},
	{"granite", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"command-r", "", 128 * kilo, 4096, tools, 0, 0, 0},
	{"smollm2", "", 8192, 4096, tools, 0, 0, 0},
	{"nemotron", "", 128 * kilo, 8192, tools, 0, 0, 0},
	{"starcoder2", "", 16 * kilo, 4096, 0, 0, 0, 0},
}

// lookUp finds a model in the catalogue by any of the names that it goes by: vendor/name, name:tag, dated names.
func lookUp(name string) (known, bool) {
	plain := plainName(name)
	var best known
	for _, e := range catalogue {
		if len(e.name) > len(best.name) && begins(plain, e.name) {
			best = e
		}
	}
	return best, best.name != ""
}

func plainName(name string) string {
	name = strings.ToLower(name)
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	name, _, _ = strings.Cut(name, ":")
	return strings.NewReplacer(".", "-", "_", "-", "meta-", "").Replace(name)
}

func begins(name, family string) bool {
	rest, ok := strings.CutPrefix(name, family)
	if !ok || rest == "" {
		return ok
	}
	c := rest[0]
	return (c < '0' || c > '9') && (c < 'a' || c > 'z')
}

// describe is what is known about the model of an endpoint.
func describe(at Endpoint, env func(string) string) nebula.ModelInfo {
	info := nebula.ModelInfo{Name: at.Model, Provider: at.Provider, Server: transport.PublicURL(at.BaseURL),
		Window: unknownWindow, MaxOutput: unknownOutput, Native: true}
	p, named := providerNamed(at.Provider)
	e, ok := lookUp(at.Model)
	info.Assumed = !ok || !named || p.local // a server of one's own gives what it was started with
	info.WindowFrom = fromNobody
	if ok {
		info.WindowFrom = fromCatalogue
		info.Window, info.MaxOutput = e.window, e.output
		info.Native, info.Images, info.Thinks = e.takes&tools != 0, e.takes&images != 0, e.takes&thinks != 0
		info.Documents = info.Images && p.paged && transport.HostOf(at.BaseURL) == transport.HostOf(p.base) && (p.openai == "" || !strings.HasSuffix(strings.TrimRight(at.BaseURL, "/"), p.openai))
		if !p.local && !strings.HasSuffix(at.Model, ":free") {
			info.InputUSD, info.CachedUSD, info.OutputUSD = e.in, e.cached, e.out
			info.WriteUSD = e.in * p.written
			if e.in > 0 {
				info.PriceFrom = fromCatalogue
			}
		}
	}
	// A server nearby binds the output to a grammar, whatever the model, and the schema costs nothing. Elsewhere the model reads
	// it, beside words that teach the same in a third of the tokens.
	info.Structured = p.local
	if p.window > 0 {
		if info.Window > p.window {
			info.Window, info.WindowFrom = p.window, fromNobody
		}
		if n := wholeNumber(env(p.widened)); n > 0 {
			info.Window, info.Assumed, info.WindowFrom = n, false, "environment"
		}
	}
	info.MaxOutput = min(info.MaxOutput, max(info.Window/2, 1))
	return info
}
