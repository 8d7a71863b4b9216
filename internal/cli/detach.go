package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"nebula"
)

// carried are the settings' flags that a session at the server can be given with its request.
var carried = map[string]func(*nebula.Switch, string){
	"model":    func(s *nebula.Switch, v string) { s.Model = v },
	"protocol": func(s *nebula.Switch, v string) { s.Protocol = v },
	"mode":     func(s *nebula.Switch, v string) { s.Mode = nebula.Mode(v) },
	"approve":  func(s *nebula.Switch, v string) { s.Approve = v },
}

// detach hands a request to the server, says which session works on it, and waits for nothing.
func (s *session) detach(c *cobra.Command, args []string) error {
	if err := s.settle(c); err != nil {
		return err
	}
	if s.plans || s.fitting != "" || s.record != "" || s.replay != "" {
		return usage("--detach goes with a request and its pictures; leave --plan, --schema, --record and --replay out")
	}
	var with nebula.Switch
	for _, name := range slices.Sorted(maps.Keys(s.given)) {
		set, ok := carried[name]
		if !ok {
			return usage("--%s is not handed on with --detach; set it with nebula config set, for all sessions", name)
		}
		set(&with, s.given[name])
	}
	text, err := s.prompt(args)
	if err == nil {
		text, err = s.spelled(text)
	}
	if err != nil {
		return err
	}
	images, err := s.pictures(text)
	if err != nil {
		return err
	}
	id, err := s.toGoOnWith(c.Context())
	if err != nil {
		return err
	}
	client, err := s.served(c.Context())
	if err != nil {
		return err
	}
	if id, err = client.Begin(c.Context(), s.dir, id); err != nil {
		return err
	}
	if with != (nebula.Switch{}) {
		if err := client.Send(c.Context(), id, "", with); err != nil {
			return err
		}
	}
	if err := client.Send(c.Context(), id, "", nebula.Submit{Text: text, Images: images}); err != nil {
		return err
	}
	s.warn("session %s works on it; nebula attach %s looks at it and answers what it asks", id, id)
	_, err = fmt.Fprintln(s.out, id)
	return err
}

// toGoOnWith is the session that --session or --continue names; empty for a new one.
func (s *session) toGoOnWith(ctx context.Context) (string, error) {
	if s.id == "" && !s.resume {
		return "", nil
	}
	if _, err := s.there(ctx); err != nil {
		return "", err
	}
	var id string
	err := s.consult(ctx, func(store nebula.Store) (err error) {
		id, err = s.choose(ctx, store)
		return err
	})
	return id, err
}
