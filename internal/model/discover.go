package model

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/model/chat"
	"nebula/internal/model/transport"
)

// A Found is a server that was looked at, with the models that it has now.
type Found struct {
	Provider string             `json:"provider"` // empty for a base URL of nobody known
	Title    string             `json:"title"`
	Server   string             `json:"server"`
	Own      string             `json:"own,omitempty"` // what the settings call it, where it is one of them
	Local    bool               `json:"local"`
	Models   []nebula.ModelInfo `json:"models,omitempty"`
	Loaded   []string           `json:"loaded,omitempty"` // those of them that answer without being loaded first
	Err      error              `json:"-"`                // why there are none; an [nebula.APIError]
}

// Discover asks every server that could be used what it has: those with a key, those of the settings, and the usual
// places of local servers. It asks all at once and gives each two seconds, local ones one. Local servers that do not
// run are left out.
func Discover(ctx context.Context, s Settings) []Found {
	targets := s.targets()
	found := make([]Found, len(targets))
	var wg sync.WaitGroup
	for i, to := range targets {
		wg.Go(func() {
			found[i] = look(ctx, to.Endpoint, s)
			found[i].Own = to.own
		})
	}
	wg.Wait()
	return lists.Drop(found, func(f Found) bool {
		api, ok := errors.AsType[*nebula.APIError](f.Err)
		return f.Local && ok && api.Kind == "unreachable" && f.Provider != "" && s.base(mustProvider(f.Provider)) == mustProvider(f.Provider).base
	})
}

// A target is a server to ask, with what the settings call it.
type target struct {
	Endpoint
	own string
}

func (s Settings) targets() (list []target) {
	openai := standard()
	if s.BaseURL != "" {
		list = append(list, target{s.custom(s.BaseURL, ""), s.Owner})
	} else if _, own := s.Own[Standard]; own {
		list = append(list, target{s.at(openai, ""), Standard})
	} else if base := s.base(openai); base != openai.base {
		list = append(list, target{s.custom(base, ""), ""})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Own)) {
		own := s
		own.Owner, own.Key = name, s.Own[name].Key
		to := target{own.custom(s.Own[name].BaseURL, ""), name}
		if !slices.ContainsFunc(list, func(other target) bool { return other.BaseURL == to.BaseURL && (other.own == "" || other.own == name) }) {
			list = append(list, to)
		}
	}
	for _, p := range providers {
		at := s.at(p, "")
		same := func(other target) bool { // one host may be a gateway to several
			return transport.HostOf(other.BaseURL) == transport.HostOf(at.BaseURL) && (at.BaseURL == p.base || other.Provider == p.name || other.BaseURL == at.BaseURL)
		}
		if (p.local || at.Key != "") && !slices.ContainsFunc(list, same) {
			list = append(list, target{at, ""})
		}
	}
	return list
}

//go:noinline
func mustProvider(name string) provider {
	p, _ := providerNamed(name)
	return p
}

// Declared is the window that a model's server says it has, in tokens; 0 where it says nothing of it, or nothing yet: a server that
// loads models when they are needed knows it afterwards. Where it is less than such models take and the server would cut what is
// longer without a word, wider says how people get more. The server is given as long as it is for [Discover].
func Declared(ctx context.Context, at Endpoint, s Settings) (window int, wider nebula.Words) {
	p, _ := providerOf(at)
	if p.header != nil {
		return 0, wider // what is known of its models is what it would say
	}
	if p.widened != "" {
		if window = loadedWith(ctx, at, p); window > 0 && window < p.window {
			wider = nebula.Say("%s gives %s a window of %d tokens and cuts off what is longer without saying so; start it with %s for more, or have your model's file set num_ctx",
				p.title, at.Model, window, p.more)
		}
		return window, wider
	}
	return windowIn(look(ctx, at, s).Models, at.Model), wider
}

// windowIn is what a server's list says of the window of a model; 0 where it says nothing of it.
func windowIn(list []nebula.ModelInfo, name string) int {
	for _, m := range list {
		if m.Name == name && !m.Assumed {
			return m.Window
		}
	}
	return 0
}

// Narrow says of the first model that a local server gives too little room to work in what gives it more, and of a server without
// any what gets one; the zero value where there is nothing to say.
func (f Found) Narrow() nebula.Words {
	p, _ := providerNamed(f.Provider)
	if p.pull != "" && f.Err == nil && len(f.Models) == 0 {
		return nebula.Say("%s has no model yet; `%s qwen3:8b` gets one", p.title, p.pull)
	}
	for _, m := range f.Models {
		if p.more != "" && m.Window < LeastRoom && m.WindowFrom == fromServer && Answers(m) {
			return nebula.Say("%s gives %s a window of %d tokens, and work needs %d; start it with %s", p.title, m.Name, m.Window, LeastRoom, p.more)
		}
	}
	return nebula.Words{}
}

// Settles reports whether what a model's server says of its window stays so: one that loads it when it is needed says more then.
//
//go:noinline
func Settles(at Endpoint) bool {
	p, _ := providerNamed(at.Provider)
	return !p.lazy
}

// loadedWith is the window that Ollama loaded a model with, or will; 0 where that is not known yet.
func loadedWith(ctx context.Context, at Endpoint, p provider) int {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	a := asker{Client: New(at, nebula.ModelInfo{}, Options{}), at: at, base: chat.Base(at.BaseURL), header: chat.Header(at, p.dialect)}
	defer a.Rest()
	windows := a.running(ctx)
	if n := cmp.Or(windows[at.Model], windows[at.Model+":latest"]); n > 0 {
		return n
	}
	var show struct {
		Parameters string `json:"parameters"`
	}
	if a.get(ctx, strings.TrimSuffix(a.base, "/v1")+"/api/show", map[string]string{"model": at.Model}, &show) != nil {
		return 0
	}
	return numCtx(show.Parameters)
}

// look asks one server.
func look(ctx context.Context, at Endpoint, s Settings) Found {
	p, known := providerOf(at)
	f := Found{Provider: at.Provider, Title: p.title, Server: transport.PublicURL(at.BaseURL), Local: p.local || transport.IsLocal(transport.HostOf(at.BaseURL))}
	if !known {
		f.Title = f.Server
	}
	if f.Err = s.addressOf(at, p); f.Err == nil {
		f.Err = s.open(at)
	}
	if f.Err != nil {
		return f
	}
	limit := 2 * time.Second
	if f.Local {
		limit = time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	a := asker{Client: New(at, nebula.ModelInfo{}, Options{Say: s.Say}), at: at, base: chat.Base(at.BaseURL), header: chat.Header(at, p.dialect)}
	if p.header != nil && p.adapter(at, nebula.ModelInfo{}) != nil {
		a.header = p.header(at)
	}
	defer a.Rest()
	if f.Models, f.Err = a.models(ctx, s); f.Err != nil {
		return f
	}
	tells := p.tells
	if !known && f.Local {
		tells = asker.llamacpp // what answers as it does; another is silent
	}
	if tells != nil {
		f.Loaded = tells(a, ctx, f.Models)
	}
	return f
}

// An asker asks a server about itself.
type asker struct {
	*transport.Client
	at     Endpoint
	base   string
	header http.Header
}

// get asks once; with a question it is a POST.
//
//go:noinline
func (a asker) get(ctx context.Context, url string, question, answer any) error {
	return a.Get(ctx, url, a.header, question, answer)
}

// listed is a model as the servers list it; each fills in a part.
type listed struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Context int    `json:"context_length"`     // OpenRouter, Together
	Window  int    `json:"context_window"`     // Groq
	MaxLen  int    `json:"max_model_len"`      // vLLM
	Loaded  int    `json:"max_context_length"` // LM Studio, Mistral
	Input   int    `json:"inputTokenLimit"`    // Google
	Meta    struct {
		Context int `json:"n_ctx"`
		Trained int `json:"n_ctx_train"`
	} `json:"meta"` // llama.cpp
	Top struct {
		MaxOutput int `json:"max_completion_tokens"`
	} `json:"top_provider"`
	Pricing struct {
		Prompt     json.Number `json:"prompt"`
		Completion json.Number `json:"completion"`
		Cached     json.Number `json:"input_cache_read"`
	} `json:"pricing"`
	Methods      []string `json:"supportedGenerationMethods"` // Google
	Output       int      `json:"outputTokenLimit"`
	Parameters   []string `json:"supported_parameters"`
	Architecture struct {
		Input []string `json:"input_modalities"`
	} `json:"architecture"`
}

// models asks for the list that every server has.
func (a asker) models(ctx context.Context, s Settings) ([]nebula.ModelInfo, error) {
	var answer struct {
		Data   []json.RawMessage `json:"data"`
		Models []json.RawMessage `json:"models"` // Google
	}
	if err := a.get(ctx, transport.URL(a.base, "/models"), nil, &answer); err != nil {
		return nil, err
	}
	var list []nebula.ModelInfo
	for _, raw := range append(answer.Data, answer.Models...) {
		var l listed
		if json.Unmarshal(raw, &l) != nil && l.ID == "" {
			continue // some field is not what others make of it; the id is enough
		}
		if l.Methods != nil && !lists.Has(l.Methods, "generateContent") {
			continue
		}
		l.ID = cmp.Or(l.ID, l.Name)
		at := a.at
		at.Model = strings.TrimPrefix(l.ID, "models/") // Google's
		if at.Model != "" {
			list = append(list, l.describe(at, s.env))
		}
	}
	return list, nil
}

func (l listed) describe(at Endpoint, env func(string) string) nebula.ModelInfo {
	info := describe(at, env)
	for _, n := range [...]int{l.Loaded, l.Context, l.Window, l.Meta.Trained, l.Meta.Context, l.MaxLen, l.Input} {
		if n > 0 {
			info.Window, info.Assumed, info.WindowFrom = n, false, fromServer
		}
	}
	if most := max(l.Top.MaxOutput, l.Output); most > 0 {
		info.MaxOutput = most
	}
	if at.Provider == "openrouter" {
		info.InputUSD, info.CachedUSD, info.OutputUSD = perMillion(l.Pricing.Prompt), perMillion(l.Pricing.Cached), perMillion(l.Pricing.Completion)
		info.PriceFrom = fromServer
		info.Native = lists.Has(l.Parameters, "tools")
		info.Images, info.Documents = lists.Has(l.Architecture.Input, "image"), lists.Has(l.Architecture.Input, "file")
	}
	return info
}

func perMillion(n json.Number) float64 {
	f, err := n.Float64()
	if err != nil || f < 0 {
		return 0
	}
	return f * 1e6
}

// ollama fills in what its own interface tells: the window, and what a model takes.
func (a asker) ollama(ctx context.Context, models []nebula.ModelInfo) (loaded []string) {
	root := strings.TrimSuffix(a.base, "/v1")
	var wg sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i := range models {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			var show struct {
				Capabilities []string                   `json:"capabilities"`
				Parameters   string                     `json:"parameters"`
				Info         map[string]json.RawMessage `json:"model_info"`
			}
			if a.get(ctx, root+"/api/show", map[string]string{"model": models[i].Name}, &show) != nil {
				return
			}
			if len(show.Capabilities) > 0 {
				models[i].Mute = !lists.Has(show.Capabilities, "completion")
				models[i].Native = lists.Has(show.Capabilities, "tools")
				models[i].Images = lists.Has(show.Capabilities, "vision")
			}
			for name, raw := range show.Info {
				var n int
				if strings.HasSuffix(name, ".context_length") && json.Unmarshal(raw, &n) == nil && n > 0 {
					models[i].Window = min(models[i].Window, n)
				}
			}
			if n := numCtx(show.Parameters); n > 0 {
				models[i].Window, models[i].Assumed, models[i].WindowFrom = n, false, fromServer
			}
		})
	}
	wg.Wait()
	for name, window := range a.running(ctx) {
		for i := range models {
			if models[i].Name == name {
				if window > 0 { // what it was loaded with
					models[i].Window, models[i].Assumed, models[i].WindowFrom = window, false, fromServer
				}
				loaded = append(loaded, name)
			}
		}
	}
	return loaded
}

// numCtx is the window that a model's own parameters ask for; 0 where they ask for none.
func numCtx(parameters string) int {
	if _, rest, ok := strings.Cut(parameters, "num_ctx"); ok {
		if words := strings.Fields(rest); len(words) > 0 {
			return wholeNumber(words[0])
		}
	}
	return 0
}

// running are Ollama's models that are loaded, with the window that each was loaded with; 0 where it does not say.
func (a asker) running(ctx context.Context) map[string]int {
	var answer struct {
		Models []struct {
			Model   string `json:"model"`
			Context int    `json:"context_length"`
		} `json:"models"`
	}
	_ = a.get(ctx, strings.TrimSuffix(a.base, "/v1")+"/api/ps", nil, &answer) // an older one does not have it
	windows := map[string]int{}
	for _, r := range answer.Models {
		windows[r.Model] = r.Context
	}
	return windows
}

// lmstudio fills in what its own interface tells: which models are loaded, with which window.
func (a asker) lmstudio(ctx context.Context, models []nebula.ModelInfo) (loaded []string) {
	var answer struct {
		Data []struct {
			ID     string `json:"id"`
			Type   string `json:"type"`
			State  string `json:"state"`
			Most   int    `json:"max_context_length"`
			Loaded int    `json:"loaded_context_length"`
		} `json:"data"`
	}
	if a.get(ctx, strings.TrimSuffix(a.base, "/v1")+"/api/v0/models", nil, &answer) != nil {
		return nil
	}
	for _, m := range answer.Data {
		for i := range models {
			if models[i].Name != m.ID {
				continue
			}
			if n := cmp.Or(m.Loaded, m.Most); n > 0 {
				models[i].Window, models[i].Assumed, models[i].WindowFrom = n, m.Loaded == 0, fromServer // it may be loaded with less
			}
			models[i].Mute, models[i].Images = m.Type == "embeddings", models[i].Images || m.Type == "vlm"
			if m.State == "loaded" {
				loaded = append(loaded, m.ID)
			}
		}
	}
	return loaded
}

// vllm has what it lists.
func (a asker) vllm(_ context.Context, models []nebula.ModelInfo) (loaded []string) {
	for _, m := range models {
		loaded = append(loaded, m.Name)
	}
	return loaded
}

// llamacpp fills in the window that the server was started with.
func (a asker) llamacpp(ctx context.Context, models []nebula.ModelInfo) []string {
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Modalities struct {
			Vision bool `json:"vision"`
		} `json:"modalities"`
	}
	_ = a.get(ctx, strings.TrimSuffix(a.base, "/v1")+"/props", nil, &props) // one that does not say it leaves them empty
	for i := range models {
		if props.Settings.Context > 0 {
			models[i].Window, models[i].Assumed, models[i].WindowFrom = props.Settings.Context, false, fromServer
		}
		models[i].Images = models[i].Images || props.Modalities.Vision
	}
	return a.vllm(ctx, models)
}

// addressOf tells why an endpoint's address is none.
func (s Settings) addressOf(at Endpoint, p provider) error {
	if name, lacks := lacking(at.BaseURL); lacks {
		return s.fault("bad_request", nebula.Say("nothing says where %s is", p.title), nebula.Say("set %s", name))
	}
	if u, err := url.Parse(at.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return s.fault("bad_request", nebula.Say("the base URL %q is not an http or https address", transport.PublicURL(at.BaseURL)),
			nebula.Say("set it to something like http://127.0.0.1:11434/v1"))
	}
	return nil
}
