package cli

import (
	"cmp"
	"context"
	"strings"

	"nebula/internal/config"
	"nebula/internal/model"
)

// nearby begins with a model of a server on this machine, where nobody chose one and there is no key, or with one that the person's own server
// has, and says so at the first start. Nobody is asked in any other case.
func (p *program) nearby(ctx context.Context, c config.Config) config.Config {
	v, _ := c.Value("model")
	settings := known(c, p.env, p.words)
	switch {
	case v.Source != "default":
		return c
	case c.Provider != "" || !model.Keyless(settings):
		return p.listed(ctx, c, settings)
	}
	best, narrow := model.Nearby(ctx, settings)
	switch said := exists(c); {
	case best.Model == "" && narrow.Format != "":
		p.warn("%s", narrow)
	case said:
	case best.Model != "" && best.Loaded:
		p.warn("the model is %s, which %s here has loaded, since there is no key; nebula config set model NAME chooses another", best.Model, best.Title)
	case best.Model != "":
		p.warn("the model is %s, which %s here has, since there is no key; nebula config set model NAME chooses another", best.Model, best.Title)
	}
	if best.Model == "" {
		return c
	}
	return c.Assume("model", best.Model, best.Title+" "+best.Server)
}

// namesTold is how many of a server's models are named.
const namesTold = 6

// listed begins with a model that a server of the person's own lists, where it does not list the usual one.
func (p *program) listed(ctx context.Context, c config.Config, settings model.Settings) config.Config {
	at, _, err := resolve(c, p.env, p.words, c.Model)
	if err != nil || at.Provider == model.Standard {
		return c
	}
	best, names, window := model.Listed(ctx, at, settings, func(name string) bool {
		to, _, err := resolve(c, p.env, p.words, name)
		return err == nil && to.BaseURL == at.BaseURL && to.Model == name
	})
	if window >= 0 {
		p.windows = map[string]int{cmp.Or(best.Model, c.Model): window}
	}
	if best.Model == "" {
		return c
	}
	if len(names) > namesTold {
		names = append(names[:namesTold], "…")
	}
	switch {
	case exists(c):
	case len(names) == 1:
		p.warn("the model is %s, the only one that %s lists; nebula config set model NAME chooses another", best.Model, best.Server)
	default:
		p.warn("the model is %s, since %s does not list %s; it has %s; nebula config set model NAME chooses", best.Model, best.Server, c.Model, strings.Join(names, ", "))
	}
	return c.Assume("model", best.Model, best.Server)
}
