package cli

import (
	"cmp"
	"errors"
	"strings"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/lists"
	"nebula/internal/model"
)

// resolve finds a model's server, key and figures: among the providers that the person set up, then among the
// well-known ones. The person's own figures go over all others.
func resolve(c config.Config, env config.Env, say model.Tongue, name string) (model.Endpoint, nebula.ModelInfo, error) {
	settings, asked := known(c, env, say), name
	if p, rest, ok := ownProvider(c, name); ok {
		settings.Owner, settings.BaseURL, settings.Key, asked = p.Name, p.BaseURL, settings.Own[p.Name].Key, rest
	} else if c.Provider != "" && !strings.Contains(name, "/") {
		asked = c.Provider + "/" + name
	}
	at, info, err := model.Resolve(asked, settings)
	if unknown, ok := errors.AsType[*model.NoProvider](err); ok {
		err = noProvider(c, unknown)
	}
	if err != nil {
		return at, info, err
	}
	return at, applied(c, asServerTold(c, info), name), nil
}

// applied are a model's figures with the person's own over them, by its name and by what it is called here.
func applied(c config.Config, info nebula.ModelInfo, called string) nebula.ModelInfo {
	if info = c.Apply(info); info.Name != called {
		known := info.Name
		info.Name = called
		info = c.Apply(info)
		info.Name = known
	}
	return info
}

// known is what the person set up, for the model package.
func known(c config.Config, env config.Env, say model.Tongue) model.Settings {
	s := model.Settings{Env: env, Keys: map[string]string{}, Own: map[string]model.Server{}, Plain: map[string]bool{}, Kept: map[string]func() string{}, Say: say}
	for _, p := range c.Providers {
		s.Plain[p.Name] = p.Plain
		if p.BaseURL != "" {
			names := model.KeyNames(p.Name)
			key, _ := c.Credential(p.Name, names...)
			s.Own[p.Name] = model.Server{BaseURL: p.BaseURL, Key: key.Reveal(), KeyName: cmp.Or(p.KeyEnv, names[0]), Speaks: p.Speaks}
		} else if key, source := c.Credential(p.Name); key.Set() && source != c.Home.Keys() {
			s.Keys[p.Name] = key.Reveal()
		}
	}
	for name, key := range c.Kept() {
		if c.PlugIn(name).BaseURL == "" { // else it is the server's own
			s.Kept[name] = key.Reveal
		}
	}
	return s
}

// noProvider names the providers that a name could mean, and how to make the one that it says known.
func noProvider(c config.Config, n *model.NoProvider) error {
	known := model.Providers()
	for _, p := range c.Providers {
		if p.BaseURL != "" && !lists.Has(known, p.Name) {
			known = append(known, p.Name)
		}
	}
	next := nebula.Say("known are %s.", strings.Join(known, ", "))
	if near := config.Nearest(n.Name, known); near != "" {
		_, rest, _ := strings.Cut(n.Model, "/")
		next = nebula.Say("did you mean %s?", near+"/"+rest)
	}
	return usage("there is no provider %q for the model %s; %s nebula config set providers.%s.base_url URL adds it", n.Name, n.Model, next, n.Name)
}

// ownProvider finds the provider of the settings that a model belongs to: by NAME/model, by its list of models, or
// because it stands for every model whose name does not tell.
func ownProvider(c config.Config, name string) (p config.Provider, there string, ok bool) {
	for _, p := range c.Providers {
		if rest, found := strings.CutPrefix(name, p.Name+"/"); found && p.BaseURL != "" {
			if p.Name == model.Standard {
				rest = name // a gateway lists the maker with the name; where it does not, Resolve and the request take it off
			}
			return p, rest, true
		}
	}
	for _, p := range c.Providers {
		if p.BaseURL != "" && lists.Has(p.Models, name) {
			return p, name, true
		}
	}
	for _, p := range c.Providers {
		if p.BaseURL != "" && p.Name == cmp.Or(c.Provider, model.Standard) {
			return p, name, true
		}
	}
	return config.Provider{}, "", false
}
