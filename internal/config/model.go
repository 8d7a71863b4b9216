package config

import (
	"slices"

	"nebula"
	"nebula/internal/lists"
)

// EffortOf is how much the person wants a model to think, by any of its names.
func (c Config) EffortOf(names ...string) nebula.Effort {
	for _, m := range c.Models {
		if m.Effort != "" && lists.Has(names, m.Name) {
			return m.Effort
		}
	}
	return c.Effort
}

// InPlace are the models in the place of one while it has no capacity, the first first.
func (c Config) InPlace(name string) []string {
	small, _ := c.Value("agents.model")
	list := c.Fallback.Main
	switch {
	case name == c.Model: // what is for everything is for the rest too
	case name == c.ComplexModel && c.Fallback.Complex != nil:
		list = c.Fallback.Complex
	case name == small.Text && c.Fallback.Small != nil:
		list = c.Fallback.Small
	}
	return lists.Drop(lists.Clone(list), func(n string) bool { return n == name })
}

// Apply lays what the person says of a model over what is known of it.
func (c Config) Apply(info nebula.ModelInfo) nebula.ModelInfo {
	info.Effort = c.EffortOf(info.Name)
	i := slices.IndexFunc(c.Models, func(m Model) bool { return m.Name == info.Name })
	if i < 0 {
		return info
	}
	m := c.Models[i]
	if m.Window > 0 {
		info.WindowFrom = "settings"
	}
	if m.InputUSD+m.OutputUSD > 0 {
		info.PriceFrom = "settings"
	}
	info.Assumed = info.Assumed && m.Window == 0
	for _, f := range []struct {
		to   *int
		from int
	}{{&info.Window, m.Window}, {&info.MaxOutput, m.MaxOutput}} {
		if f.from > 0 {
			*f.to = f.from
		}
	}
	for _, f := range []struct {
		to   *float64
		from float64
	}{{&info.InputUSD, m.InputUSD}, {&info.CachedUSD, m.CachedUSD}, {&info.OutputUSD, m.OutputUSD}} {
		if f.from > 0 {
			*f.to = f.from
		}
	}
	for _, f := range []struct {
		to   *bool
		from *bool
	}{{&info.Native, m.Native}, {&info.Structured, m.Structured}, {&info.Images, m.Images}, {&info.Documents, m.Documents}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	return info
}
