package cli

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/client"
	"nebula/internal/acp"
	"nebula/internal/config"
	"nebula/internal/serve"
)

// How long what nobody looks at stays open in a server, and how long a server that was started by another command stays when
// nothing is open.
const (
	servedIdle = 10 * time.Minute
	servedLast = time.Hour
)

func (p *program) serveCommand() *cobra.Command {
	s, onDemand, stop := &session{program: p}, false, false
	c := &cobra.Command{
		Use: "serve", Short: "Hold sessions for several terminals and programs", Args: atMost(0),
		Long: "One process holds the sessions of all your folders: nebula attach opens a terminal on one, programs ask it over HTTP at a socket that only you can\nreach, and what is under way goes on when a terminal is closed. nebula attach starts it by itself.",
		RunE: func(c *cobra.Command, _ []string) error {
			if stop {
				return p.unserve(c.Context())
			}
			return s.serve(c, onDemand)
		},
	}
	s.flags(c.Flags())
	for _, name := range []string{"continue", "session", "image", "record", "replay"} { // are the clients' to choose
		_ = c.Flags().MarkHidden(name)
	}
	c.Flags().BoolVar(&stop, "stop", false, "end the one that runs; what is under way is interrupted and can be gone on with")
	c.Flags().BoolVar(&onDemand, "on-demand", false, "end when nothing has been open for an hour")
	_ = c.Flags().MarkHidden("on-demand")
	return c
}

// serve holds sessions until it is ended.
func (s *session) serve(c *cobra.Command, onDemand bool) error {
	s.script = true // the person answers at a client
	if err := s.settleModel(c); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	path := serve.Socket(s.config.Home.State)
	l, err := serve.Listen(ctx, path)
	if errors.Is(err, serve.ErrServed) {
		return usage("%w; nebula attach opens a terminal on it, nebula serve --stop ends it", err)
	}
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	o := serve.Options{Open: s.lendFolder, Lang: s.config.Lang, Version: version(), Say: s.message, Idle: servedIdle, Stop: end, Looks: s.looks()}
	if onDemand {
		o.Last = servedLast
	} else {
		s.warn("sessions are served at %s; nebula attach opens a terminal on one, Ctrl-C ends all", path)
	}
	return serve.Run(ctx, l, o)
}

// lendFolder is the host of a folder for all clients of a server.
func (s *session) lendFolder(dir string) (nebula.Host, func() error, error) {
	if !filepath.IsAbs(dir) {
		return nil, nil, nebula.Errorf("the folder %q is no absolute path", dir)
	}
	return s.lend(acp.Place{Dir: dir})
}

// unserve ends the server that runs.
func (p *program) unserve(ctx context.Context) error {
	home, err := config.FindHome(p.env)
	if err != nil {
		return err
	}
	to := client.Dial(serve.Socket(home.State))
	if err = to.Hail(ctx); err == nil {
		err = to.Ask(ctx, http.MethodPost, "/v1/stop", nil, nil)
	}
	if unreached(err) {
		return usage("no nebula serve runs")
	}
	return err
}

// unreached reports whether nobody was there to be asked.
func unreached(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
}

// whole is the environment that this process was given: another nebula takes out of it what nothing is to inherit.
func (p *program) whole() []string {
	all := os.Environ()
	for _, name := range p.kept {
		all = append(all, name+"="+p.env(name))
	}
	return all
}

// starting is how long a server may take until it can be asked.
const starting = 15 * time.Second

// served is a client of the server, which is started where none runs.
func (p *program) served(ctx context.Context) (*client.Client, error) {
	home, err := config.FindHome(p.env)
	if err != nil {
		return nil, err
	}
	client := client.Dial(serve.Socket(home.State))
	if err = client.Hail(ctx); !unreached(err) {
		return client, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(home.State, 0o700); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(filepath.Join(home.State, "serve.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c := exec.Command(self, "serve", "--on-demand")
	c.Args[0] = os.Args[0]
	c.Dir, c.Stdout, c.Stderr, c.SysProcAttr = home.State, log, log, apart()
	c.Env = p.whole()
	if err := c.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }() // its log says why
	for until := time.Now().Add(starting); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if err = client.Hail(ctx); !unreached(err) {
			return client, err
		}
		select {
		case <-ended:
			said, _ := os.ReadFile(log.Name())
			return nil, nebula.Errorf("nebula serve has ended: %s", string(said))
		case <-ctx.Done():
			return nil, ctx.Err()
		default:
		}
	}
	return nil, nebula.Errorf("nebula serve does not answer; what it says is in %s", log.Name())
}

func (p *program) attachCommand() *cobra.Command {
	s, plain := &session{program: p}, false
	c := &cobra.Command{
		Use: "attach [ID]", Short: "Open a terminal on a session that nebula serve holds", Args: atMost(1),
		Long: "The session goes on when the terminal is closed, and any number of terminals can look at it. Without an ID a new one begins in this folder.\nWhere nebula serve does not run it is started.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				s.id = args[0]
			}
			return s.attach(c, plain)
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return p.sessionIDs(c, args, begun)
		},
	}
	c.Flags().BoolVar(&s.inline, "inline", false, "keep the conversation in the terminal's own scrollback")
	c.Flags().BoolVar(&plain, "plain", false, "one line after the other, for screen readers and slow lines")
	return c
}

// attach shows a session of the server in this terminal.
func (s *session) attach(c *cobra.Command, plain bool) error {
	in, okIn := s.in.(*os.File)
	out, okOut := s.out.(*os.File)
	if !s.inTerminal || !s.outTerminal || !okIn || !okOut {
		return usage("nebula attach needs a terminal; programs ask nebula serve itself")
	}
	id := s.id
	s.id = ""
	if err := s.settle(c); err != nil {
		return err
	}
	if id != "" {
		s.id = id
		info, err := s.there(c.Context())
		if err != nil {
			return err
		}
		id, s.dir = info.ID, info.Dir
	}
	client, err := s.served(c.Context())
	if err != nil {
		return err
	}
	far, leave, err := client.Host(c.Context(), s.dir)
	if err != nil {
		return err
	}
	s.keys, s.page = in, out
	h := &host{session: s, far: far}
	show := h.fullscreen
	if plain {
		show = h.lines
	}
	err = show(c.Context(), id)
	if e := leave(); !errors.Is(e, net.ErrClosed) {
		err = errors.Join(err, e)
	}
	return err
}
