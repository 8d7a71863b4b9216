package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/lists"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
)

func (p *program) modelsCommand() *cobra.Command {
	asJSON, refresh := false, false
	c := &cobra.Command{
		Use:   "models",
		Short: "List the models that can be used now",
		Long: "Lists what can be used now: the chosen models, those of providers with a key, and those of local servers that run.\n" +
			"Only servers that are set up, have a key in the environment, or run on this machine are asked. --refresh keeps the windows and prices\n" +
			"that they tell: they count from then on in the place of those that nebula came with.",
		Example: "  nebula models\n  nebula models --refresh\n  nebula config set model ollama/qwen3:8b",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			conf, err := p.here()
			if err != nil {
				return err
			}
			conf = p.nearby(c.Context(), conf)
			if asJSON {
				list, _ := p.available(c.Context(), conf, nil) // what programs read is in English
				return p.modelsJSON(list)
			}
			list, faults := p.available(c.Context(), conf, p.tongue())
			if refresh {
				if err := p.keepTold(conf, list); err != nil {
					return err
				}
			}
			return p.modelsTable(list, faults)
		},
	}
	c.Flags().BoolVar(&refresh, "refresh", false, "keep the windows and prices that the servers tell")
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, one model a line")
	return c
}

// An offer is a model with whether it could answer now.
type offer struct {
	nebula.ModelInfo
	Use  string `json:"use"`            // the name to give to --model
	Role string `json:"role,omitempty"` // default or complex
	Why  string `json:"missing,omitempty"`
}

// available are the chosen models first, then what the servers have. What is missing is said in the language.
func (p *program) available(ctx context.Context, conf config.Config, t tongue) ([]offer, []string) {
	var list []offer
	for role, name := range map[string]string{"default": conf.Model, "complex": p.complex(conf)(conf.Model)} {
		if name == "" {
			continue
		}
		at, info, err := resolve(conf, p.env, t.words, name)
		o := offer{ModelInfo: info, Use: name, Role: role}
		o.Provider = cmp.Or(o.Provider, at.Provider)
		if err != nil {
			o.Name, o.Why = name, t.error(err)
		}
		list = append(list, o)
	}
	lists.Sort(list, func(a, b offer) int { return -cmp.Compare(a.Role, b.Role) })
	list = append(list, p.configured(conf, t)...)
	var faults []string
	of := map[string][]int{} // the places of a name: a server may have tens of thousands
	for i, o := range list {
		of[o.Name] = append(of[o.Name], i)
	}
	for _, f := range p.discover(ctx, conf, t) {
		if f.Err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", cmp.Or(f.Title, f.Server), f.Err))
		}
		if narrow := f.Narrow(); len(f.Models) == 0 && narrow.Format != "" {
			faults = append(faults, t.words(narrow))
		}
		for _, info := range f.Models {
			use := info.Name
			if before := cmp.Or(f.Own, f.Provider); before != "" && before != model.Standard {
				use = before + "/" + info.Name
			}
			if !asListed(list, of[info.Name], conf, info, use) && model.Answers(info) {
				of[info.Name] = append(of[info.Name], len(list))
				list = append(list, offer{ModelInfo: conf.Apply(info), Use: use})
			}
		}
	}
	return list, faults
}

// asListed lays what a server says of a model over what is known of the offers that are this model, and reports whether one is. Behind
// one address there may be several providers with names of their own. The offers of that name stand at the places of.
func asListed(list []offer, of []int, conf config.Config, info nebula.ModelInfo, use string) (is bool) {
	for _, i := range of {
		o := list[i]
		other := o.Use != use && strings.HasSuffix(o.Use, "/"+info.Name) && strings.HasSuffix(use, "/"+info.Name)
		if !other && o.Why == "" && o.Name == info.Name && o.Server == info.Server {
			if info.WindowFrom != "server" {
				info = asServerTold(conf, info) // it said so before
			}
			list[i].ModelInfo, is = applied(conf, info, o.Use), true
		}
	}
	return is
}

// configured are the models that providers of the settings list by name.
func (p *program) configured(conf config.Config, t tongue) []offer {
	var list []offer
	for _, q := range conf.Providers {
		for _, name := range q.Models {
			o := offer{Use: q.Name + "/" + name}
			if _, info, err := resolve(conf, p.env, t.words, o.Use); err != nil {
				o.Name, o.Why = name, t.error(err)
			} else {
				o.ModelInfo = info
			}
			o.Provider = q.Name
			list = append(list, o)
		}
	}
	return list
}

// discover asks the well-known servers and those of the settings.
func (p *program) discover(ctx context.Context, conf config.Config, t tongue) []model.Found {
	settings := known(conf, p.env, t.words)
	owner := cmp.Or(conf.Provider, model.Standard)
	if own, ok := settings.Own[owner]; ok {
		settings.Owner = owner
		settings.BaseURL, settings.Key = own.BaseURL, own.Key
	}
	return model.Discover(ctx, settings)
}

func (p *program) modelsJSON(list []offer) error {
	enc := json.NewEncoder(p.out)
	enc.SetEscapeHTML(false)
	for _, o := range list {
		if err := enc.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) modelsTable(list []offer, faults []string) error {
	var t table
	for _, o := range list {
		note := p.say(o.Role)
		if o.Why != "" {
			note = strings.TrimSpace(p.say("%s (%s)", note, phrase.OneLine(o.Why, 0)))
		}
		t.row(terminal.Visible(o.Use), terminal.Visible(cmp.Or(o.Provider, o.Server)), p.from(window(o.Window), o.WindowFrom), p.from(price(o.ModelInfo), o.PriceFrom), takes(o.ModelInfo), note)
	}
	if err := t.print(p.out); err != nil {
		return err
	}
	for _, f := range faults {
		p.warn("%s", f)
	}
	return nil
}

// from is a figure with where it is known from.
//
//go:noinline
func (p *program) from(figure, source string) string {
	if figure == "" || source == "" {
		return figure
	}
	return figure + " " + p.say(source)
}

// takes are what a model takes beside texts.
func takes(m nebula.ModelInfo) string {
	var list []string
	for _, one := range []struct {
		name string
		does bool
	}{{"tools", m.Native}, {"images", m.Images}, {"documents", m.Documents}, {"thinks", m.Thinks}} {
		if one.does {
			list = append(list, one.name)
		}
	}
	return strings.Join(list, ",")
}

func window(tokens int) string {
	if tokens == 0 {
		return ""
	}
	return fmt.Sprintf("%dk", tokens/1000)
}

func price(m nebula.ModelInfo) string {
	if m.InputUSD == 0 && m.OutputUSD == 0 {
		return ""
	}
	return fmt.Sprintf("$%g/$%g", m.InputUSD, m.OutputUSD)
}
