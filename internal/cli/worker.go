package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/gate"
	"nebula/internal/headless"
	"nebula/internal/plan"
	"nebula/internal/terminal"
)

func (p *program) workerCommand() *cobra.Command {
	b := &base{program: p}
	shift, work := fleet.Shift{}, ""
	c := &cobra.Command{
		Use:   "worker",
		Short: "Carry out steps of plans that were handed over",
		Long: "Takes steps of plans from a queue and carries each out in a fresh checkout, with this machine's model and keys, until it is stopped. Any number of\n" +
			"workers may take from one queue. What they do is in the record; give all of a team one record with record.url.",
		Example: "  nebula worker --queue nebula --slots 4",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if shift.Slots < 1 {
				return usage("a worker needs one slot at least")
			}
			if !(shift.Rate >= 0) || math.IsInf(shift.Rate, 0) {
				return usage("--rate takes a number of steps a second, or 0 for no limit")
			}
			return b.with(c.Context(), func() error {
				ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
				defer stop()
				var err error
				if shift.Hands, err = b.hands(work); err != nil {
					return err
				}
				shift.Ready = func() { b.warn("the worker takes steps from queue %s; stop it with Ctrl-C", shift.Queue) }
				shift.Listens = func(at string) { b.warn("figures for operators are at http://%s/metrics", at) }
				if err := b.engine.Work(ctx, shift); err != nil {
					return fail(exitFailed, "%w", err)
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&shift.Queue, "queue", usualQueue, "take steps from the queue `NAME`")
	c.Flags().IntVar(&shift.Slots, "slots", 2, "carry out `N` steps at a time")
	c.Flags().Float64Var(&shift.Rate, "rate", 0, "let all workers of the queue together begin `N` steps a second at most; 0 is no limit")
	c.Flags().StringVar(&shift.Listen, "listen", "", "answer /metrics and /healthz at `ADDRESS`, such as 127.0.0.1:9464")
	c.Flags().StringVar(&work, "work", "", "make the checkouts in the folder `DIR`")
	return c
}

// hands are those of this machine.
func (b *base) hands(work string) (*fleet.Hands, error) {
	if work == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		work = filepath.Join(cache, "nebula-fleet")
	}
	work, err := filepath.Abs(work)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	return &fleet.Hands{Store: b.store, Hub: b.hub, Dir: work, Step: []string{self, "fleet", "step"}, Env: b.whole(), Lang: b.lang(), Host: host}, nil
}

// fleetStepCommand is what a worker starts for one step. It ends when its standard input does.
func (p *program) fleetStepCommand() *cobra.Command {
	s := &session{program: p}
	c := &cobra.Command{
		Use: "step", Short: "Carry out one step for a worker", Hidden: true, Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			in := bufio.NewReader(p.in)
			line, err := in.ReadBytes('\n')
			var orders fleet.Orders
			if err == nil {
				err = json.Unmarshal(line, &orders)
			}
			if err != nil {
				return usage("a worker starts this, and says on standard input what is to be done")
			}
			ctx, stop := context.WithCancel(c.Context())
			defer stop()
			go func() {
				_, _ = io.Copy(io.Discard, in)
				stop()
			}()
			return s.ordered(ctx, c, orders)
		},
	}
	s.flags(c.Flags())
	return c
}

// ordered carries a step out, as far as what people said before goes, and prints what nobody has answered yet.
func (s *session) ordered(ctx context.Context, c *cobra.Command, o fleet.Orders) error {
	if err := s.settleModel(c); err != nil {
		return err
	}
	var found nebula.Plan
	if err := (&planView{program: s.program}).with(ctx, func(store nebula.Store, dir string) (err error) {
		found, err = store.Plan(ctx, dir, o.Plan)
		return err
	}); err != nil {
		return err
	}
	out := s.out
	s.out, s.output, s.cutOff = io.Discard, string(headless.Text), "again"
	s.actions, s.first, s.waits = running(found.ID, o.Step, "nebula plan run "+found.ID), found.Name, true
	s.agree(found)
	var said fleet.Said
	s.heard = func(ctx context.Context, q headless.Question) nebula.Answer {
		if a := begins(ctx, q); a.Answer == nebula.Yes {
			return a
		}
		return s.before(q, o.Answers, &said)
	}
	err := s.through(ctx, once())
	return firstError(json.NewEncoder(out).Encode(said), err)
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// before is what a person answered to just this before; else it is what waits for one.
func (s *session) before(q headless.Question, given []fleet.Given, said *fleet.Said) nebula.Answer {
	ask := fleet.Ask{Text: headless.Decision(q, s.config.Lang), Open: q.Asked.Question != nil}
	shown := q.Proposed.Proposal
	shown.Action.ID = ""
	if ask.Key = nebula.Digest(shown); ask.Open {
		ask.Text = terminal.Visible(q.Asked.Question.Text)
		for _, o := range q.Asked.Question.Options {
			ask.Text += "\n- " + terminal.Visible(o)
		}
		ask.Key = nebula.Hash([]byte(ask.Text))
	}
	for _, g := range given {
		if g.Key != ask.Key {
			continue
		}
		a := nebula.Answer{Answer: nebula.No, By: nebula.Person, Text: g.Answer}
		switch {
		case ask.Open:
			a.Answer = nebula.Told
		case g.Answer == "yes":
			a.Answer, a.Text = nebula.Yes, ""
		case g.Answer == "no":
			a.Text = ""
		}
		return a
	}
	if said.Ask == nil && len(ask.Text) <= mostInForm {
		said.Ask = &ask
	}
	return headless.Nobody(q)
}

// A handing is how a plan is handed over to workers.
type handing struct {
	on, queue, repo string
	atOnce, tries   int
	push, wait      bool
	cost            float64
}

func (h *handing) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&h.queue, "queue", usualQueue, "hand over to the workers of the queue `NAME`")
	f.IntVar(&h.tries, "tries", 2, "begin a step that fails `N` times")
	f.BoolVar(&h.push, "push", false, "push the branch of the result to the repository, too")
	f.BoolVar(&h.wait, "wait", false, "wait until it has ended, or waits for a person")
}

// handOn hands a plan of this folder over to workers.
func (p *program) handOn(c *cobra.Command, h handing, id string) error {
	b := &base{program: p}
	return b.with(c.Context(), func() error {
		ctx := c.Context()
		found, err := b.store.Plan(ctx, b.dir, id)
		if err == nil {
			found, err = p.reopened(ctx, b.store, b.dir, found, "")
		}
		if err != nil {
			return missing(err)
		}
		source, commit, dirty, err := fleet.Source(ctx, b.dir)
		if err != nil {
			return b.spoken(err)
		}
		if dirty {
			b.warn("what is not committed here does not go along")
		}
		o := b.order(c, h, found, b.dir)
		o.Commit, o.Linger = commit, 24*60*60
		if o.Source = b.address(cmp.Or(h.repo, source)); h.wait {
			o.Linger = 0
		}
		if found.Status == nebula.Completed {
			p.warn("plan %s is completed already: nothing was left to do", found.ID)
			return nil
		}
		if other, err := b.engine.Carrier(ctx, o.Plan, o.Project); err != nil {
			return fail(exitFailed, "%w", err)
		} else if other != "" {
			return fail(exitFailed, "plan %s is carried out already, as %s; nebula fleet show %s tells how it stands, nebula fleet cancel %s ends it", o.Plan, other, other, other)
		}
		if id, err = b.engine.Start(ctx, o); err != nil {
			return fail(exitFailed, "%w", err)
		}
		return b.begun(ctx, h, id)
	})
}

// order is one for a plan, with what the flags say.
func (b *base) order(c *cobra.Command, h handing, found nebula.Plan, project string) fleet.Order {
	o := fleet.Order{Run: newRun(), Plan: found.ID, Agreed: plan.Agreed(found), Name: found.Name, Project: project, Queue: h.queue, By: whoami(), AtOnce: max(1, h.atOnce), Tries: max(1, h.tries),
		Push: h.push, Tokens: b.config.Plan.Tokens, Cost: b.config.Plan.Cost}
	if f := c.Flags().Lookup("model"); f != nil && f.Changed {
		o.Model = f.Value.String()
	}
	if f := c.Flags().Lookup("approve"); f != nil && f.Changed {
		o.Approve = f.Value.String()
	}
	return o
}

// begun says what was begun, and follows it where that was asked for.
func (b *base) begun(ctx context.Context, h handing, id string) error {
	if n, err := b.engine.Workers(ctx, h.queue); err == nil && n == 0 {
		b.warn("no worker takes from queue %s yet; start one with nebula worker --queue %s", h.queue, h.queue)
	}
	if !h.wait {
		b.warn("nebula fleet show %s tells how it stands", id)
		_, err := fmt.Fprintln(b.out, id)
		return err
	}
	return b.follow(ctx, id)
}

func (p *program) fleetUpCommand() *cobra.Command {
	file, port := "", 7233
	c := &cobra.Command{
		Use:   "up",
		Short: "Start a Temporal server for a trial on this machine",
		Long: "Starts temporal server start-dev, which has to be installed, with its database in a file beside the record, and waits. It listens on this machine\n" +
			"alone. For more than a trial run a cluster.",
		Example: "  nebula fleet up\n  nebula worker",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if port < 1 || port > 65535 {
				return usage("--port takes a number from 1 to 65535")
			}
			path, err := exec.LookPath("temporal")
			if err != nil {
				return fail(exitFailed, "the program temporal is not installed; its command line has the server for a trial in it")
			}
			conf, err := p.here()
			if err != nil {
				return err
			}
			address := fmt.Sprintf("127.0.0.1:%d", port)
			if l, err := net.Listen("tcp", address); err != nil {
				return fail(exitFailed, "something listens at %s already; where that is Temporal, nebula uses it with TEMPORAL_ADDRESS=%s, and --port takes another port", address, address)
			} else if err := l.Close(); err != nil {
				return err
			}
			if file == "" {
				file = filepath.Join(conf.Home.Record, "temporal.db")
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				return err
			}
			args := []string{"server", "start-dev", "--db-filename", file, "--port", fmt.Sprint(port), "--headless", "--log-level", "error"}
			p.warn("Temporal for a trial: TEMPORAL_ADDRESS=%s, database %s; stop it with Ctrl-C", address, file)
			return fail(exitFailed, "%s cannot be started (%w)", path, become(path, args, os.Environ()))
		},
	}
	c.Flags().StringVar(&file, "database", "", "keep what is under way in `FILE`")
	c.Flags().IntVar(&port, "port", port, "listen at the port `N` of this machine")
	return c
}

// policies are what a fleet's steps may run without being asked.
var policies = []string{string(gate.Ask), string(gate.Edits), string(gate.All)}

// approvedBy lets a plan run that a person wrote and handed over.
func approvedBy(p nebula.Plan) (nebula.Plan, error) { return plan.Do(p, plan.Approve(nebula.Person)) }
