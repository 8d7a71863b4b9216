package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/keyring"
	"nebula/internal/lists"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

func (p *program) loginCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "login [PROVIDER]",
		Short: "Keep a provider's key in the system's key ring",
		Long: "Asks for a provider's key without showing it, or reads it from standard input, tries it with one small request, and keeps it in\n" +
			"the system's key ring, or in a file that only you can read where there is none. A key in the environment or in the settings goes over it.",
		Example:           "  nebula login anthropic\n  nebula login openai < key.txt",
		Args:              atMost(1),
		ValidArgsFunction: p.providerNames,
		RunE:              func(c *cobra.Command, args []string) error { return p.login(c.Context(), strings.Join(args, "")) },
	}
}

func (p *program) logoutCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "logout [PROVIDER]",
		Short:             "Forget a provider's key that a login kept",
		Args:              atMost(1),
		ValidArgsFunction: p.providerNames,
		RunE:              func(_ *cobra.Command, args []string) error { return p.logout(strings.Join(args, "")) },
	}
}

// keyed are the providers that have keys.
func keyed(c config.Config) []string {
	names := model.Keyed()
	for _, q := range c.Providers {
		if q.BaseURL != "" && !lists.Has(names, q.Name) {
			names = append(names, q.Name)
		}
	}
	return names
}

func (p *program) providerNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	conf, err := config.Load(config.Input{Env: p.env})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return keyed(conf), cobra.ShellCompDirectiveNoFileComp
}

// withKept adds the keys of earlier logins. The system's ring is not asked before one of them is needed.
func (p *program) withKept(c config.Config) config.Config {
	keeper := keyring.Keeper{File: c.Home.Keys()}
	names, err := keeper.Providers()
	if err != nil {
		p.warn("%w", err)
	}
	if len(names) == 0 {
		return c
	}
	kept := map[string]config.Secret{}
	for _, name := range names {
		kept[name] = config.KeptSecret(func() string {
			key, err := keeper.Key(name)
			if err != nil {
				p.warn("the key for %s is in the system's key ring, which does not give it (%w); nebula login %s keeps it anew", name, err, name)
			}
			return key
		})
	}
	return c.WithKept(kept)
}

func (p *program) login(ctx context.Context, name string) error {
	conf, err := p.here()
	if err != nil {
		return err
	}
	if name == "" {
		if name, err = p.askProvider(conf); err != nil {
			return err
		}
	}
	if !lists.Has(keyed(conf), name) {
		name = model.Meant(name)
	}
	if !lists.Has(keyed(conf), name) {
		if near := config.Nearest(name, keyed(conf)); near != "" {
			return usage("there is no provider %q; did you mean %s?", name, near)
		}
		return usage("there is no provider %q; known are %s", name, strings.Join(keyed(conf), ", "))
	}
	key, err := p.askKey(name)
	if err != nil {
		return err
	}
	untried, err := p.tryKey(ctx, conf, name, key)
	if err != nil {
		return err
	}
	if untried != nil {
		p.warn("the key could not be tried: %w", untried)
	}
	inRing, err := keepKey(conf, name, key)
	if err != nil {
		return err
	}
	where := nebula.Say("the system's key ring")
	if !inRing {
		where = nebula.Say("%s, which only you can read: there is no key ring here", conf.Home.Keys())
	}
	p.warn("the key for %s is kept in %s", name, where)
	if _, source := conf.Credential(name, model.KeyNames(name)...); source != "" && source != conf.Home.Keys() {
		p.warn("another key goes over it: %s", p.tongue().source(source))
	}
	_, err = p.here() // says which model is begun with now, where that is another
	return err
}

// keepKey keeps a key that was tried, and says whether it is in the system's ring.
func keepKey(conf config.Config, name, key string) (inRing bool, err error) {
	if workspace.Holding(conf.Home.Held()) {
		return false, fail(exitFailed, "a command that nebula runs is not over, and none may change the settings; try again when it has ended")
	}
	return keyring.Keeper{File: conf.Home.Keys()}.Keep(name, key)
}

// askProvider is the provider that the person types.
func (p *program) askProvider(conf config.Config) (string, error) {
	names := strings.Join(keyed(conf), ", ")
	if !p.inTerminal || p.screen() == nil {
		return "", usage("which provider? Known are %s", names)
	}
	_, _ = io.WriteString(p.screen(), p.say("Provider (%s):", names)+" ")
	line, err := bufio.NewReader(p.in).ReadString('\n') // a terminal gives a line at a time
	if err != nil {
		return "", nebula.Errorf("standard input: %w", err)
	}
	return strings.ToLower(strings.TrimSpace(line)), nil
}

// askKey is the key that the person types or that standard input holds.
func (p *program) askKey(name string) (string, error) {
	var data []byte
	var err error
	if file, ok := p.in.(*os.File); ok && p.inTerminal && p.screen() != nil {
		where := ""
		for _, s := range model.KeySources() {
			if s.Name == name {
				where = s.Where
			}
		}
		question := p.say("Key for %s (it is not shown):", name)
		if where != "" {
			question = p.say("Key for %s, from %s (it is not shown):", name, where)
		}
		data, err = hidden(file, p.screen(), question+" ")
	} else {
		data, err = io.ReadAll(io.LimitReader(p.in, 64<<10))
	}
	if err != nil {
		return "", nebula.Errorf("standard input: %w", err)
	}
	return readKey(string(data))
}

// readKey is the key that a person gave: alone, or as a file sets it.
func readKey(text string) (string, error) {
	key, _ := phrase.Given(text)
	switch {
	case key == "":
		return "", usage("there is no key; type it, or give it on standard input")
	case !phrase.OneWord(key):
		return "", usage("that is no key: keys are one word of letters, digits and signs")
	}
	return key, nil
}

// hidden is a line that is typed after a question and not shown: nothing is from before the question on.
func hidden(in *os.File, out io.Writer, question string) ([]byte, error) {
	was, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, err
	}
	line, err := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, out}, "").ReadPassword(question)
	if errors.Is(err, io.EOF) { // Ctrl+C, Ctrl+D
		err = nil
	}
	return []byte(line), errors.Join(err, term.Restore(int(in.Fd()), was))
}

// keyTrial is how long a key may be tried.
const keyTrial = 30 * time.Second

// tryKey sends one small request with a key. refused says that it is not taken, and untried what kept it from being told.
func (p *program) tryKey(ctx context.Context, conf config.Config, name, key string) (untried, refused error) {
	env := func(variable string) string {
		if lists.Has(model.KeyNames(name), variable) {
			return ""
		}
		return p.env(variable)
	}
	settings := known(conf, env, p.words)
	settings.Keys[name] = key
	delete(settings.Kept, name)
	asked := model.FirstOf(name)
	if own := conf.PlugIn(name); own.BaseURL != "" {
		settings.BaseURL, settings.Key, settings.Own = own.BaseURL, key, nil
		asked = conf.Model
		if len(own.Models) > 0 {
			asked = own.Models[0]
		}
	}
	at, info, err := model.Resolve(asked, settings)
	if err != nil {
		return nil, err
	}
	if of := model.Foreign(at); of != "" {
		return nil, usage("that key has the form of those for %s, and nothing is kept; nebula login %s keeps it", of, of)
	}
	err = p.answers(ctx, at, info)
	if api, ok := errors.AsType[*nebula.APIError](err); ok && api.Kind == "auth" {
		return nil, &nebula.APIError{Kind: api.Kind, Status: api.Status, Text: api.Text, Next: p.say("nothing is kept; check the key and whose it is")}
	}
	return err, nil
}

// answers sends a model one small request.
func (p *program) answers(ctx context.Context, at model.Endpoint, info nebula.ModelInfo) error {
	ctx, stop := context.WithTimeout(ctx, keyTrial+keyTrial/8) // who is silent is told of by its name first
	defer stop()
	m := model.New(at, info, model.Options{Say: p.words, Attempts: 1, Patience: -1, Idle: keyTrial})
	_, err := nebula.Collect(m.Stream(ctx, nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("Say OK.")}}, MaxOutput: 16}), nil)
	return err
}

func (p *program) logout(name string) error {
	home, err := config.FindHome(p.env)
	if err != nil {
		return usage("%v", err)
	}
	keeper := keyring.Keeper{File: home.Keys()}
	names, err := keeper.Providers()
	if err != nil {
		return err
	}
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	if !lists.Has(names, name) {
		name = model.Meant(name)
	}
	was, err := keeper.Forget(name)
	if err != nil {
		return err
	}
	if !was {
		return usage("no key for %q is kept; kept are: %s", name, cmp.Or(strings.Join(names, ", "), "-"))
	}
	p.warn("the key for %s is forgotten", name)
	if conf, err := p.here(); err == nil {
		if _, source := conf.Credential(name, model.KeyNames(name)...); source != "" {
			p.warn("another key is still there: %s", p.tongue().source(source))
		}
	}
	return nil
}

// keptKeys are the providers whose keys a login kept, for who shows the settings.
func keptKeys(c config.Config) (list []keyFound) {
	for _, name := range slices.Sorted(maps.Keys(c.Kept())) {
		list = append(list, keyFound{"providers." + name + ".key", c.Home.Keys()})
	}
	return list
}
