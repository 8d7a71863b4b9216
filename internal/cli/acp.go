package cli

import (
	"errors"
	"io"
	"maps"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/acp"
	"nebula/internal/mcp"
)

func (p *program) acpCommand() *cobra.Command {
	s := &session{program: p}
	c := &cobra.Command{
		Use: "acp", Short: "Work in an editor that speaks the Agent Client Protocol", Args: atMost(0), RunE: s.acp,
		Long: "An editor starts nebula acp and talks to it over standard input and output: its conversations, with questions, diffs and plans,\nare shown by the editor. Add it there as an agent with the command nebula and the argument acp.",
	}
	s.flags(c.Flags())
	for _, name := range []string{"continue", "session", "image", "record", "replay"} { // are the editor's to choose
		_ = c.Flags().MarkHidden(name)
	}
	return c
}

func (s *session) acp(c *cobra.Command, _ []string) error {
	s.script = true // the person answers in the editor
	if err := s.settleModel(c); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return acp.Run(ctx, acp.Options{In: s.in, Out: s.out, Lang: s.config.Lang, Version: version(), Say: s.message, Open: s.lend})
}

// lend is a host of a folder for an editor, of its own for each session.
func (s *session) lend(at acp.Place) (nebula.Host, func() error, error) {
	p := s.program
	inner := &session{given: maps.Clone(s.given), program: &program{ // standard input and output belong to the editor
		in: strings.NewReader(""), out: io.Discard, err: p.err, env: p.env, args: p.args, script: true,
	}}
	if len(at.More) > 0 {
		inner.given["add-dir"] = strings.Join(append(at.More, s.given["add-dir"]), ",")
	}
	dir, err := folder(at.Dir)
	if err != nil {
		return nil, nil, err
	}
	inner.dir = dir
	if inner.config, err = inner.settings(dir, inner.given); err != nil {
		return nil, nil, err
	}
	inner.broad = inner.program.broad(dir)
	for _, l := range at.Servers {
		inner.lent = append(inner.lent, lentServer(l))
	}
	if at.Files != nil {
		inner.buffers = at.Files
	}
	h := &host{session: inner}
	return h, func() error { return errors.Join(h.leave(), inner.close(), inner.shut()) }, nil
}

// lentServer is a server of the editor's: the person chose it there, and it runs as the editor would run it.
func lentServer(l acp.Server) mcp.Server {
	server := mcp.Server{Name: l.Name, From: "ACP", Home: true, Outside: true, Env: l.Env, URL: l.URL, Headers: l.Headers}
	if len(l.Command) > 0 {
		server.Command, server.Args = l.Command[0], l.Command[1:]
	}
	return server
}
