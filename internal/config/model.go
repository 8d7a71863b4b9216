package config

import (
	"slices"

	"nebula"
)

// EffortOf is how much the person wants a model to think, by any of its names.
func (c Config) EffortOf(names ...string) nebula.Effort {
	for _, m := range c.Models {
		if m.Effort != "" && slices.Contains(names, m.Name) {
			return m.Effort
		}
	}
	return c.Effort
}

// Apply lays what the person says of a model over what is known of it.
func (c Config) Apply(info nebula.ModelInfo) nebula.ModelInfo {
	i := slices.IndexFunc(c.Models, func(m Model) bool { return m.Name == info.Name })
	if i < 0 {
		return info
	}
	m := c.Models[i]
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
	}{{&info.Native, m.Native}, {&info.Structured, m.Structured}, {&info.Images, m.Images}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	return info
}
