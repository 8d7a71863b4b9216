package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/serve"
)

func (p *program) webCommand() *cobra.Command {
	s, port := &session{program: p}, 0
	c := &cobra.Command{
		Use: "web", Short: "Open the sessions that nebula serve holds in a browser", Args: atMost(0),
		Long: "Prints a link that opens the page once, within ten minutes; the browser that followed it stays let in. The page is at a port of this computer's loopback, and\nonly once this command asked for it. Where nebula serve does not run it is started.",
		RunE: func(c *cobra.Command, _ []string) error { return s.web(c, port) },
	}
	c.Flags().IntVar(&port, "port", 0, "the port of the loopback; without it any that is free")
	return c
}

// web prints a link to the page of the server.
func (s *session) web(c *cobra.Command, port int) error {
	if port < 0 || port > 1<<16-1 {
		return usage("%d is no port", port)
	}
	if err := s.settle(c); err != nil {
		return err
	}
	client, err := s.served(c.Context())
	if err != nil {
		return err
	}
	var at serve.WebAddress
	if err := client.Ask(c.Context(), http.MethodPost, "/v1/web", serve.WebLink{Dir: s.dir, Port: port}, &at); err != nil {
		return err
	}
	s.warn("this link opens the page once; nebula web prints another")
	_, err = fmt.Fprintln(s.out, at.URL)
	return err
}

// everywhere are the sessions of all folders.
func (s *session) everywhere(ctx context.Context) ([]nebula.SessionInfo, error) {
	store, err := s.open(ctx, s.config)
	if err != nil {
		return nil, err
	}
	list, err := store.Sessions(ctx, "")
	return list, errors.Join(err, store.Close())
}
