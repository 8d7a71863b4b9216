package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/config"
	"nebula/internal/gate"
	"nebula/internal/model"
	"nebula/internal/prompt"
	"nebula/internal/workspace"
)

// A desk is everything that a session works with, and what has to be put away after it.
type desk struct {
	session *agent.Session
	work    *workspace.Dir
	resumed bool
}

// sit opens the folder and the session. Whatever is missing is said before anything is recorded.
func (s *session) sit(ctx context.Context) (*desk, error) {
	models, err := s.models()
	if err != nil {
		return nil, err
	}
	if s.store, err = s.open(ctx, s.config); err != nil {
		return nil, err
	}
	id, err := s.choose(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := models.named(s.config.Model); id == "" && err != nil {
		return nil, err
	}
	work, err := workspace.Open(s.dir, s.store, s.own()...)
	if err != nil {
		return nil, &exit{exitNoFolder, err.Error()}
	}
	conversation, err := agent.Open(ctx, s.setup(models, work, id), id)
	if err != nil {
		work.Close()
		return nil, err
	}
	d := &desk{conversation, work, id != ""}
	if err := s.fit(ctx, d); err != nil {
		return nil, err
	}
	return d, nil
}

// fit brings a continued session under the approval that holds now: an earlier, looser word does not carry over.
func (s *session) fit(ctx context.Context, d *desk) error {
	if !d.resumed {
		return nil
	}
	return d.session.Send(ctx, nebula.Switch{Approve: s.config.Approve})
}

func (s *session) setup(models *models, work *workspace.Dir, id string) agent.Setup {
	begin := nebula.Started{Dir: s.dir, Lang: s.config.Lang}
	if id == "" || s.given["model"] != "" {
		begin.Model = s.config.Model
	}
	if id == "" || s.given["protocol"] != "" {
		begin.Protocol = s.config.Protocol
	}
	if id == "" || s.given["mode"] != "" || s.planOnly() {
		begin.Mode = s.config.Mode
	}
	limits := s.config.Limits
	return agent.Setup{
		Store:    s.store,
		Model:    models.named,
		Protocol: speak,
		Tools:    tools(work, s.secrets()),
		Restore:  work.Restore,
		Facts:    facts(s.dir),
		Limits:   agent.Limits{Steps: limits.Steps, Tokens: limits.Tokens, Cost: limits.Cost, Time: limits.Time},
		Approve:  gate.Approve(s.config.Approve),
		Begin:    begin,
	}
}

// planOnly reports whether the folder's own settings allow planning only, which holds for continued sessions too.
func (s *session) planOnly() bool {
	v, _ := s.config.Value("mode")
	return v.Source == config.ProjectFile(s.dir)
}

// own are nebula's files, which no tool reaches wherever they are.
func (s *session) own() []string {
	h := s.config.Home
	return slices.Compact([]string{h.Settings, h.Record, h.State})
}

// secrets are the keys, which no command sees.
func (s *session) secrets() []string {
	var list []string
	for _, p := range s.config.Providers {
		if key, _ := s.config.Credential(p.Name); key.Set() {
			list = append(list, key.Reveal())
		}
	}
	return list
}

func (d *desk) close() error {
	_ = d.session.Send(context.Background(), nebula.Close{}) // Wait tells how it ended
	err := d.session.Wait()
	d.work.Close()
	return err
}

// facts are what the model is told of the folder before it looks.
func facts(dir string) prompt.Facts {
	f := prompt.Facts{OS: runtime.GOOS, Dir: dir}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return f // the tools will say so
	}
	for _, e := range entries {
		name := e.Name()
		if name == ".git" || name == ".nebula" {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		f.Entries = append(f.Entries, name)
	}
	return f
}

// Models are the models of a session by name, each made once so that its connection stays open.
type models struct {
	config config.Config
	env    config.Env
	wrap   func(nebula.Model) nebula.Model // records, where that was asked for
	only   nebula.Model                    // answers for every name, where a recording is replayed

	mu   sync.Mutex
	made map[string]nebula.Model
}

func (s *session) models() (*models, error) {
	return &models{config: s.config, env: s.env, made: map[string]nebula.Model{}}, nil
}

// named gives the model that a name means.
func (m *models) named(name string) (nebula.Model, error) {
	if m.only != nil {
		return m.only, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if made, ok := m.made[name]; ok {
		return made, nil
	}
	at, info, err := resolve(m.config, m.env, name)
	if err != nil {
		return nil, err
	}
	var made nebula.Model = model.New(at, info, model.Options{})
	if m.wrap != nil {
		made = m.wrap(made)
	}
	m.made[name] = made
	return made, nil
}

// resolve finds a model's server, key and figures: among the providers that the person set up, then among the
// well-known ones. The person's own figures go over all others.
func resolve(c config.Config, env config.Env, name string) (model.Endpoint, nebula.ModelInfo, error) {
	settings := model.Settings{Env: env, Keys: map[string]string{}}
	for _, p := range c.Providers {
		if key, _ := c.Credential(p.Name); key.Set() {
			settings.Keys[p.Name] = key.Reveal()
		}
	}
	asked := name
	if p, rest, ok := ownProvider(c, name); ok {
		key, _ := c.Credential(p.Name, usualKeys(p.Name)...)
		settings.BaseURL, settings.Key, asked = p.BaseURL, key.Reveal(), rest
	} else if c.Provider != "" && !strings.Contains(name, "/") {
		asked = c.Provider + "/" + name
	}
	at, info, err := model.Resolve(asked, settings)
	if err != nil {
		return at, info, err
	}
	info = c.Apply(info)
	if info.Name != name {
		known := info.Name
		info.Name = name
		info = c.Apply(info)
		info.Name = known
	}
	return at, info, nil
}

// ownProvider finds the provider of the settings that a model belongs to: by NAME/model, by its list of models, or
// because it stands for every model whose name does not tell.
func ownProvider(c config.Config, name string) (p config.Provider, model string, ok bool) {
	for _, p := range c.Providers {
		if rest, found := strings.CutPrefix(name, p.Name+"/"); found && p.BaseURL != "" {
			return p, rest, true
		}
	}
	for _, p := range c.Providers {
		if p.BaseURL != "" && slices.Contains(p.Models, name) {
			return p, name, true
		}
	}
	for _, p := range c.Providers {
		if p.BaseURL != "" && p.Name == or(c.Provider, "openai") {
			return p, name, true
		}
	}
	return config.Provider{}, "", false
}

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
