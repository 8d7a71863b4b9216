package model

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// The models that nebula chooses itself.
const (
	Default = "gpt-4.1-nano"
	Complex = "gpt-4.1-mini"
)

// Settings are what a person set about where models are. The zero value uses the environment only.
type Settings struct {
	BaseURL string                   // a server for every model whose name does not say otherwise
	Key     string                   // its key
	Owner   string                   // which of Own the server is, if it is one of them
	Keys    map[string]string        // by provider; the environment comes first
	Kept    map[string]func() string // by provider, keys that are looked up when they are needed; behind all others
	Own     map[string]Server        // by provider, those that the person gave an address of their own
	Plain   map[string]bool          // by provider, whose key may go over the network unencrypted
	Env     func(name string) string // nil: os.Getenv
	Say     Tongue                   // how errors are said
}

// A Server is where a provider is for this person. Its key goes nowhere else, and no other key goes there.
type Server struct {
	BaseURL string
	Key     string `json:"-"`
	KeyName string // the environment variable that is looked into for the key
	Speaks  string // the form that it is spoken to in, where that is another than its provider's: chat, responses, messages, gemini
}

func (s Settings) env(name string) string {
	if s.Env == nil {
		return os.Getenv(name)
	}
	return s.Env(name)
}

// found is the variable of the environment that has the key for a provider, where it is not the usual one.
//
//go:noinline
func (s Settings) found(p provider) string {
	i := slices.IndexFunc(p.keys, func(name string) bool { return strings.TrimSpace(s.env(name)) != "" })
	if i <= 0 {
		return ""
	}
	return p.keys[i]
}

// key returns the key for a provider.
func (s Settings) key(p provider) string {
	if own, ok := s.Own[p.name]; ok {
		return own.Key
	}
	for _, name := range p.keys {
		if v := phrase.Unwrapped(s.env(name)); v != "" {
			return v
		}
	}
	if key := strings.TrimSpace(s.Keys[p.name]); key != "" || s.Kept[p.name] == nil {
		return key
	}
	return strings.TrimSpace(s.Kept[p.name]())
}

// has reports whether there is a key for a provider, without looking it up.
//
//go:noinline
func (s Settings) has(p provider) bool { return s.Kept[p.name] != nil || s.key(p) != "" }

// base returns where a provider's server is.
func (s Settings) base(p provider) string {
	if own, ok := s.Own[p.name]; ok {
		return own.BaseURL
	}
	if p.baseEnv != "" {
		if v := strings.TrimSpace(s.env(p.baseEnv)); v != "" {
			if p.named != nil {
				return p.named(v)
			}
			return v
		}
	}
	return s.filled(p.base)
}

// filled is an address of the table with the person's own variables in it: of those in braces the first that is set, else what
// stands behind =. One that nothing fills keeps its braces, and is no address.
func (s Settings) filled(address string) string {
	var out strings.Builder
	for rest, more := address, true; more; {
		var head, names string
		head, rest, more = strings.Cut(rest, "{")
		out.WriteString(head)
		if !more {
			break
		}
		names, rest, _ = strings.Cut(rest, "}")
		value := "{" + names + "}"
		for name := range strings.SplitSeq(names, "|") {
			v, usual := strings.CutPrefix(name, "=")
			if !usual {
				v = strings.TrimSpace(s.env(name))
			}
			if v != "" {
				value = v
				break
			}
		}
		out.WriteString(value)
	}
	return strings.Replace(out.String(), "//global-", "//", 1) // what is everywhere has no place in its name
}

// lacking is the first variable that an address waits for.
func lacking(address string) (name string, lacks bool) {
	_, rest, lacks := strings.Cut(address, "{")
	name, _, _ = strings.Cut(rest, "}")
	return name, lacks
}

// versioned is an address as others' programs take it, that of a server, with what nebula's begin with: the version behind it.
func versioned(base string) string { return behind(base, "/v1") }

func versionedBeta(base string) string {
	if strings.HasSuffix(strings.TrimRight(base, "/"), "/openai") {
		return base
	}
	return behind(base, "/v1beta")
}

// azureURL is the address of a resource with that of its interface behind it, unless somebody wrote the whole.
func azureURL(base string) string {
	if u, err := url.Parse(base); err != nil || strings.Trim(u.Path, "/") != "" {
		return base
	}
	return behind(base, "/openai/v1")
}

func behind(base, version string) string {
	base = strings.TrimRight(base, "/")
	if _, last := path.Split(base); len(last) > 1 && last[0] == 'v' && last[1] >= '0' && last[1] <= '9' {
		return base
	}
	return base + version
}

// ollamaURL reads OLLAMA_HOST, which may be a host, host:port, an address to listen on, or a URL.
func ollamaURL(host string) string {
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	u, err := url.Parse(host)
	if err != nil || u.Host == "" {
		return "http://127.0.0.1:11434/v1"
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		u.Host = net.JoinHostPort("127.0.0.1", u.Port())
	}
	if u.Port() == "" && u.Scheme == "http" {
		u.Host = strings.TrimSuffix(u.Host, ":") + ":11434"
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if u.Path == "" {
		u.Path = "/v1"
	}
	return u.String()
}

// Resolve finds out which server and which model a name means. In this order:
//
//   - ollama/, llamacpp/, lmstudio/, vllm/, openrouter/, groq/ and the like before the name choose the server;
//   - a base URL of the settings, or OPENAI_BASE_URL, takes every other name as it is, except that of a model of another maker
//     that there is a key for, where nobody chose the server for all;
//   - openai/, anthropic/, deepseek/ and well-known names choose their maker if there is a key for it, else OpenRouter
//     if there is a key for that; what people call them (sonnet, gpt) is the newest of these; names with a tag (qwen3:8b) and models that one runs oneself mean Ollama;
//   - any other name goes to OpenAI, unless it names a provider that nobody knows.
//
// The error is an [nebula.APIError] that says which key is missing, or that the name or base URL cannot be used; or a
// [NoProvider], or an [Unencrypted].
func Resolve(name string, s Settings) (Endpoint, nebula.ModelInfo, error) {
	if name = strings.TrimSpace(name); name == "" {
		name = Default
	}
	if strings.ContainsAny(name, " \t\n\r\"\\") || strings.HasSuffix(name, "/") {
		return s.refuse("model", nebula.Say("the model's name %q cannot be right", phrase.OneLine(name, 80)), nebula.Say("see `nebula models` for what can be used"))
	}
	if phrase.Bare(name) {
		return s.refuse("model", nebula.Say("what stands where a model's name does could be a key, which goes nowhere"), nebula.Say("nebula login PROVIDER keeps one"))
	}
	at, p := s.place(name)
	if prefix, ok := stranger(name); ok && at.Model == name && at.BaseURL == p.base && !p.local && p.name != routes {
		return Endpoint{}, nebula.ModelInfo{}, &NoProvider{prefix, name}
	}
	if err := s.addressOf(at, p); err != nil {
		return Endpoint{}, nebula.ModelInfo{}, err
	}
	if at.Key == "" && s.filled(p.base) == at.BaseURL && !p.local {
		next := nebula.Say("set %s, run nebula login %s, or choose a local model such as ollama/qwen3", p.keys[0], p.name)
		if half, is := s.halfway(); is && p.name == Standard {
			next = half
		}
		if near, is := s.nearly(p); is {
			next = near
		}
		return s.refuse("auth", nebula.Say("there is no key for %s, which has the model %s", p.title, name), next)
	}
	if !phrase.OneWord(at.Key) {
		return s.refuse("auth", nebula.Say("that is no key: keys are one word of letters, digits and signs"), nebula.Say("check the key: set %s", cmp.Or(at.KeyName, keyName(p.name))))
	}
	if err := s.open(at); err != nil {
		return Endpoint{}, nebula.ModelInfo{}, err
	}
	return at, describe(at, s.env), nil
}

// halfway is what is left to do where variables of the environment are for a provider that has no model to begin with.
func (s Settings) halfway() (next nebula.Words, is bool) {
	for _, p := range providers {
		if p.such == "" {
			continue
		}
		names := append(lists.Clone(p.signs), p.keys...)
		i := slices.IndexFunc(names, func(name string) bool { return strings.TrimSpace(s.env(name)) != "" })
		missing, lacks := lacking(s.base(p))
		if !s.has(p) {
			missing, lacks = p.keys[0], true
		}
		switch {
		case i < 0:
		case lacks:
			return nebula.Say("%s is set: for %s set %s, too, and choose a model there, as in --model %s", names[i], p.title, missing, p.such), true
		default:
			return nebula.Say("%s is set: for %s choose a model there, as in --model %s", names[i], p.title, p.such), true
		}
	}
	return next, false
}

// A NoProvider says that a model's name begins with a provider that is not known.
type NoProvider struct{ Name, Model string }

// Error names the provider and the model.
func (n *NoProvider) Error() string {
	return fmt.Sprintf("there is no provider %q for the model %s", n.Name, n.Model)
}

// stranger is what stands before a model's name, when that is neither a provider nor a maker.
func stranger(name string) (string, bool) {
	prefix, _, found := strings.Cut(strings.ToLower(name), "/")
	p, _ := named(prefix)
	return prefix, found && p.name == ""
}

// LocalServers are the servers that are looked for on this machine, as people know them.
//
//go:noinline
func LocalServers() []string {
	var titles []string
	for _, p := range providers {
		if p.local {
			titles = append(titles, p.title)
		}
	}
	return titles
}

// KeyNames are the environment variables that a provider's key is usually in, whether the provider is known or the person's own.
func KeyNames(provider string) []string {
	for _, p := range providers {
		if (p.name == provider || p.maker == provider) && len(p.keys) > 0 {
			return p.keys
		}
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(provider))
	return []string{name + "_API_KEY"}
}

// KeySources are the providers that a person without a key is led to.
//
//go:noinline
func KeySources() []nebula.KeySource {
	var list []nebula.KeySource
	for _, p := range providers {
		if p.first != "" && !p.local {
			list = append(list, nebula.KeySource{Name: p.name, Title: p.title, Where: p.where, Begins: p.begins})
		}
	}
	return list
}

//go:noinline
func (s Settings) refuse(kind string, text, next nebula.Words) (Endpoint, nebula.ModelInfo, error) {
	return Endpoint{}, nebula.ModelInfo{}, s.fault(kind, text, next)
}

func (s Settings) fault(kind string, text, next nebula.Words) *nebula.APIError {
	return &nebula.APIError{Kind: kind, Text: s.Say.Words(text), Next: s.Say.Words(next)}
}

// place chooses the provider.
func (s Settings) place(name string) (Endpoint, provider) {
	prefix, rest, found := strings.Cut(name, "/")
	p, vendor := named(prefix)
	if found && p.name != "" && !vendor {
		return s.at(p, p.meant(rest)), p
	}
	openai := standard()
	if base := s.BaseURL; base != "" || s.base(openai) != openai.base {
		base = cmp.Or(base, s.base(openai))
		if at, q, ok := s.makers(name); ok && cmp.Or(s.Owner, Standard) == Standard && !(found && providerAt(base) == routes) {
			return at, q
		}
		return s.custom(base, name), openai
	}
	router, _ := providerNamed(routes)
	if found {
		if p.name != "" && (s.has(p) || !s.has(router)) {
			return s.at(p, p.meant(rest)), p
		}
		if s.has(router) {
			if f, ok := familyOf(rest); ok && f.provider == p.name {
				name = f.routed
			}
			return s.at(router, name), router
		}
	}
	if f, ok := familyOf(name); ok {
		if p, _ := providerNamed(f.provider); s.has(p) || !f.local && !s.has(router) {
			return s.at(p, f.newest), p
		} else if s.has(router) {
			return s.at(router, f.routed), router
		}
	}
	e, isKnown := lookUp(name)
	if p, ok := providerNamed(e.provider); isKnown && ok {
		if !s.has(p) && s.has(router) && p.maker != "" {
			return s.at(router, p.maker+"/"+name), router
		}
		return s.at(p, name), p
	}
	if isKnown || strings.Contains(name, ":") && !strings.HasPrefix(name, "ft:") {
		i := slices.IndexFunc(providers[:], func(p provider) bool { return p.tagged })
		return s.at(providers[i], name), providers[i]
	}
	return s.at(openai, name), openai
}

// makers is a model at who makes it, where that is another than the provider of everything and there is a key for it.
func (s Settings) makers(name string) (Endpoint, provider, bool) {
	e, _ := lookUp(name)
	of, model := e.provider, name
	prefix, rest, found := strings.Cut(name, "/")
	if by, _ := named(prefix); found && by.meant(rest) != rest {
		of, model = by.name, by.meant(rest)
	} else if f, ok := familyOf(name); ok {
		of, model = f.provider, f.newest
	}
	p, ok := providerNamed(of)
	if !ok || of == Standard || !s.has(p) {
		return Endpoint{}, p, false
	}
	if prefix, rest, found := strings.Cut(model, "/"); found {
		if q, _ := named(prefix); q.name != of {
			return Endpoint{}, p, false // another's name for it
		}
		model = rest
	}
	return s.at(p, model), p, true
}

func (s Settings) at(p provider, model string) Endpoint {
	if p.dashed && s.base(p) == p.base {
		model = strings.ReplaceAll(model, ".", "-")
	}
	at := Endpoint{Provider: p.name, BaseURL: addressed(s.base(p), model), Key: s.key(p), KeyName: s.found(p), Model: model}
	if own, is := s.Own[p.name]; is {
		at.Provider, at.Speaks, at.KeyName = cmp.Or(providerAt(at.BaseURL), p.elsewhere()), own.Speaks, own.KeyName
	}
	return at
}

// custom is a model behind a base URL that the person gave.
func (s Settings) custom(base, name string) Endpoint {
	owner, _ := providerNamed(s.Owner)
	own := s.Own[s.Owner]
	at := Endpoint{Provider: cmp.Or(providerAt(base), owner.elsewhere()), BaseURL: addressed(base, name), Key: s.Key, KeyName: own.KeyName, Model: name, Speaks: own.Speaks}
	p, ok := providerNamed(at.Provider)
	if at.Key == "" && ok {
		at.Key = s.key(p)
	}
	openai := standard()
	if at.Key == "" && base == s.base(openai) { // the key goes with this address, and to no other
		at.Key = s.key(openai)
		if at.Key != "" {
			at.KeyName = cmp.Or(at.KeyName, openai.keys[0])
		}
	}
	if at.Provider == Standard {
		at.Model = strings.TrimPrefix(name, Standard+"/")
	}
	return at
}

// addressed is an address with the model's name where it stands in it, as where each model has an address of its own.
func addressed(base, model string) string {
	const whole, each = "{model}", "/deployments/" + "{model}"
	if model == "" {
		base = strings.Replace(base, each, "", 1)
	}
	return strings.ReplaceAll(base, whole, url.PathEscape(model))
}

func wholeNumber(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
