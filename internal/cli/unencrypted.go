package cli

import (
	"bufio"
	"context"
	"errors"
	"slices"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/headless"
	"nebula/internal/lists"
	"nebula/internal/model"
)

// unencrypted asks, before anything is sent, whether the chosen model's key may go over the network where others can
// read it. Whoever starts the model later refuses it as long as nobody said so; so does this where nobody can be asked.
func (s *session) unencrypted(ctx context.Context) error {
	_, _, err := resolve(s.config, s.env, s.words, s.config.Model)
	open, ok := errors.AsType[*model.Unencrypted](err)
	if !ok || s.replay != "" || !s.inTerminal || s.screen() == nil {
		return nil
	}
	ask := &headless.Terminal{In: bufio.NewReader(s.in), Out: s.screen(), Lang: s.config.Lang, Colour: s.colour(true)}
	s.attentive(ask)
	switch ask.Consent(ctx, s.say("The key for %s would go to %s unencrypted: whoever is on the way can read it, and use it.", open.Provider, open.Address)) {
	case nebula.Always:
		if err := setting(s.config.Home, "providers."+open.Provider+".plain", "true"); err != nil {
			return err
		}
	case nebula.Yes:
	default:
		return err
	}
	s.config.Providers = lists.Clone(s.config.Providers)
	i := slices.IndexFunc(s.config.Providers, func(p config.Provider) bool { return p.Name == open.Provider })
	if i < 0 {
		i, s.config.Providers = len(s.config.Providers), append(s.config.Providers, config.Provider{Name: open.Provider})
	}
	s.config.Providers[i].Plain = true
	return nil
}
