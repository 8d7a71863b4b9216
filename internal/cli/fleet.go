package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/fleet"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

// usualQueue is the queue of those who name none.
const usualQueue = "nebula"

// fleeted has the fleet's command go on in the place of this one, where this one cannot drive plans on workers.
func (p *program) fleeted() error {
	if p.linked.Fleet != nil {
		return nil
	}
	path := p.fleetPath()
	if path == "" {
		return fail(exitFailed, "this takes %s, and that is not installed; put it beside nebula", fleetProgram)
	}
	return fail(exitFailed, "%s cannot be started (%w)", path, become(path, p.args, p.whole()))
}

// A base is what commands of the fleet work with.
type base struct {
	*program
	config config.Config
	dir    string
	store  nebula.Store
	engine fleet.Engine
	hub    fleet.Hub
	json   bool
}

// with opens the record and reaches the engine.
func (b *base) with(ctx context.Context, do func() error) (err error) {
	if err := b.fleeted(); err != nil {
		return err
	}
	if b.dir, err = folder(b.at); err != nil {
		return err
	}
	if b.config, err = b.settings(b.dir, nil); err != nil {
		return err
	}
	key, err := b.fleetKey()
	if err != nil {
		return err
	}
	if b.engine, err = b.linked.Fleet(ctx, b.env, key); err != nil {
		return fail(exitFailed, "%w", err)
	}
	defer b.engine.Close()
	if b.store, err = b.open(ctx, b.config); err != nil {
		return err
	}
	defer b.store.Close()
	if b.hub = fleet.Hub(b.config.FleetHub); b.hub == "" {
		b.hub = fleet.Hub(filepath.Join(b.config.Home.Record, "fleet"))
	}
	return b.spoken(do())
}

// spoken says a refusal in the person's words.
func (b *base) spoken(err error) error {
	if r, ok := errors.AsType[fleet.Refused](err); ok {
		return &exit{exitFailed, nebula.Say("%s", plan.Say(nebula.Code(r), b.lang()))}
	}
	return err
}

func (p *program) lang() string { return config.Lang(p.env, langFlag(p.args)) }

// fleetKey is what histories are encrypted with: the one that is set, or one that is made here and stays.
func (b *base) fleetKey() (string, error) {
	if b.config.FleetKey.Set() {
		return b.config.FleetKey.Reveal(), nil
	}
	file := filepath.Join(b.config.Home.Settings, "fleet.key")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, hex.EncodeToString(key))
		err = errors.Join(err, f.Close())
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	data, err := os.ReadFile(file)
	return strings.TrimSpace(string(data)), err
}

func (p *program) fleetCommand() *cobra.Command {
	b := &base{program: p}
	root := group(&cobra.Command{
		Use:   "fleet",
		Short: "Carry plans out on workers, over one repository or many",
		Long: "Shows and steers plans that workers carry out, and carries one request out over many repositories. Temporal keeps what was decided; it is found\n" +
			"as by its own programs, by TEMPORAL_ADDRESS and what goes with it. Everything it keeps is encrypted with fleet.key.",
		Example: "  nebula fleet up\n  nebula fleet run --repos repos.txt --plan \"replace the old logger\" --try\n  nebula fleet show fleet_1a2b3c4d",
	}, nil)
	list := &cobra.Command{Use: "list", Short: "List what is under way and what ended lately", Args: atMost(0), RunE: b.list}
	show := &cobra.Command{Use: "show ID", Short: "Show how a plan on workers stands", Args: exactly(1, "an ID"), RunE: b.show}
	for _, c := range []*cobra.Command{list, show} {
		c.Flags().BoolVar(&b.json, "json", false, "as JSON")
	}
	said := func(use, short string, least int, needs string) *cobra.Command {
		return &cobra.Command{Use: use, Short: short, Args: between(least, 100, needs), RunE: b.tell}
	}
	root.AddCommand(p.fleetUpCommand(), p.fleetRunCommand(), list, show,
		said("approve ID", "Approve a plan that waits for it, or let a request go on with all repositories", 1, "an ID"),
		said("answer ID STEP yes|no|WORDS", "Answer what a step asks", 3, "an ID, a step and an answer"),
		said("steer ID TEXT", "Tell the steps that begin from now on something", 2, "an ID and a text"),
		said("pause ID", "Begin no further step", 1, "an ID"),
		said("resume ID", "Go on after a pause", 1, "an ID"),
		said("budget ID USD", "Set what it may cost, and go on", 2, "an ID and US dollars"),
		said("skip ID STEP", "Leave a step out", 2, "an ID and a step"),
		said("retry ID STEP", "Have a step that failed done again", 2, "an ID and a step"),
		said("cancel ID", "End what is under way", 1, "an ID"),
		&cobra.Command{Use: "take ID", Short: "Bring the branch of a result into this repository", Args: exactly(1, "an ID"), RunE: b.take},
		&cobra.Command{Use: "patch ID", Short: "Print a result as a patch", Args: exactly(1, "an ID"), RunE: b.patch},
		p.fleetStepCommand())
	return root
}

// tell tells a plan under way what its command says.
func (b *base) tell(c *cobra.Command, args []string) error {
	w := fleet.Word{Do: c.Name(), By: whoami()}
	rest := args[1:]
	if fleet.Words[w.Do] {
		w.Step, rest = rest[0], rest[1:]
	}
	if w.Text = strings.Join(rest, " "); w.Do == "budget" {
		if _, err := fmt.Sscanf(w.Text, "%g", &w.Cost); err != nil || !(w.Cost > 0) || math.IsInf(w.Cost, 0) {
			return usage("%q is no number of US dollars", w.Text)
		}
	}
	return b.with(c.Context(), func() error {
		if err := b.heeds(c.Context(), args[0], &w); err != nil {
			return err
		}
		if err := b.engine.Say(c.Context(), args[0], w); err != nil {
			return fail(exitFailed, "%w", err)
		}
		return nil
	})
}

// whoami is the person's name at this machine.
//
//go:noinline
func whoami() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return string(nebula.Person)
}

func (b *base) list(c *cobra.Command, _ []string) error {
	return b.with(c.Context(), func() error {
		list, err := b.engine.List(c.Context())
		if err != nil {
			return fail(exitFailed, "%w", err)
		}
		var t table
		for _, i := range list {
			if b.json {
				if err := json.NewEncoder(b.out).Encode(i); err != nil {
					return err
				}
				continue
			}
			t.row(i.ID, b.standing(i.Status), when(time.Unix(0, i.Began)))
		}
		return t.print(b.out)
	})
}

func (b *base) standing(status string) string { return plan.Say(nebula.Code(status), b.lang()) }

func (b *base) show(c *cobra.Command, args []string) error {
	return b.with(c.Context(), func() error {
		return b.shown(c.Context(), args[0])
	})
}

// shown prints how something stands.
func (b *base) shown(ctx context.Context, id string) error {
	if !strings.HasPrefix(id, fleet.ManyPrefix) {
		s, err := b.engine.State(ctx, id)
		if err != nil {
			return fail(exitFailed, "%w", err)
		}
		return b.shows(ctx, s)
	}
	m, err := b.engine.StateMany(ctx, id)
	if err != nil {
		return fail(exitFailed, "%w", err)
	}
	if b.json {
		return json.NewEncoder(b.out).Encode(m)
	}
	for i := range m.Plans { // those under way know more themselves
		if m.Plans[i].Status != string(nebula.InProgress) {
			continue
		}
		if s, err := b.engine.State(ctx, m.Plans[i].ID); err == nil {
			m.Plans[i] = s
			m.Usage = m.Usage.Plus(s.Usage)
		}
	}
	return b.many(m)
}

func (b *base) many(m fleet.ManyState) error {
	fmt.Fprintln(b.out, b.headline(m.ID, m.Status, m.Why, m.Usage))
	var t table
	for _, s := range m.Plans {
		t.row(s.ID, b.standing(s.Status), phrase.OneLine(s.Order.Source, 60), dollars(s.Usage.Cost), s.Stat, phrase.OneLine(b.standing(s.Why)+b.asks(s), 100))
	}
	return t.print(b.out)
}

// asks is what the steps of a plan wait for.
func (b *base) asks(s fleet.State) string {
	for _, x := range s.Steps {
		if x.Ask != nil {
			return " " + x.ID + ": " + phrase.OneLine(x.Ask.Text, 80)
		}
	}
	return ""
}

//go:noinline
func dollars(cost float64) string { return fmt.Sprintf("$%.2f", cost) }

// headline is the first line about something.
func (b *base) headline(id, status, why string, u nebula.Usage) string {
	text := id + "  " + b.standing(status) + "  " + dollars(u.Cost)
	if why != "" {
		text += "  " + phrase.OneLine(b.standing(why), 200)
	}
	return text
}

func (b *base) shows(ctx context.Context, s fleet.State) error {
	if b.json {
		return json.NewEncoder(b.out).Encode(s)
	}
	fmt.Fprintln(b.out, b.headline(s.ID, s.Status, s.Why, s.Usage))
	if s.Why == "needs_approval" {
		if err := b.agreed(ctx, s.Order); err != nil {
			return err
		}
	}
	var t table
	for _, x := range s.Steps {
		why := ""
		if x.Why != "" && x.Status != string(nebula.Completed) {
			why = phrase.OneLine(b.standing(x.Why), 200)
		}
		t.row("  "+x.ID, b.standing(x.Status), x.Host, why)
	}
	if err := t.print(b.out); err != nil {
		return err
	}
	for _, x := range s.Steps {
		if x.Ask != nil && x.Status == fleet.Waits {
			fmt.Fprintln(b.out, "\n"+b.say("step %s asks:", x.ID)+"\n"+x.Ask.Text+"\n\n"+b.say("answer it with nebula fleet answer %s %s yes, or no, or words", s.ID, x.ID))
		}
	}
	if s.Branch != "" {
		fmt.Fprintln(b.out, b.say("result: branch %s (%s); nebula fleet take %s brings it here", s.Branch, strings.TrimSpace(s.Stat), s.ID))
	}
	return nil
}

func (b *base) take(c *cobra.Command, args []string) error {
	return b.with(c.Context(), func() error {
		s, err := b.result(c.Context(), args[0])
		if err != nil {
			return err
		}
		if err := b.hub.Take(c.Context(), s.Order.Source, s.Branch, b.dir); err != nil {
			return fail(exitFailed, "%w", b.spoken(err))
		}
		_, err = fmt.Fprintln(b.out, s.Branch)
		return err
	})
}

func (b *base) patch(c *cobra.Command, args []string) error {
	return b.with(c.Context(), func() error {
		s, err := b.result(c.Context(), args[0])
		if err != nil {
			return err
		}
		text, err := b.hub.Patch(c.Context(), s)
		if err != nil {
			return fail(exitFailed, "%w", err)
		}
		_, err = fmt.Fprint(b.out, text)
		return err
	})
}

func (b *base) result(ctx context.Context, id string) (fleet.State, error) {
	if strings.HasPrefix(id, fleet.ManyPrefix) {
		return fleet.State{}, usage("name one of its plans; nebula fleet show %s lists them", id)
	}
	s, err := b.engine.State(ctx, id)
	if err == nil && (s.Head == "" || s.Head == s.Base) {
		err = nebula.Errorf("%s has changed nothing yet", id)
	}
	if err != nil {
		return s, fail(exitFailed, "%w", err)
	}
	if s.Branch == "" {
		return s, fail(exitFailed, "%s is under way; its branch is there when it has ended", id)
	}
	return s, nil
}

// ended says of a status that nothing follows it.
func ended(status string) bool {
	return status == string(nebula.Completed) || status == string(nebula.StageFailed) || status == fleet.Cancelled
}

// follow waits until something ended or waits for a person, and shows how it stands. While nobody can say how, it waits on.
func (b *base) follow(ctx context.Context, id string) error {
	for {
		status, err := b.status(ctx, id)
		if _, silent := errors.AsType[fleet.Silent](err); err != nil && !silent {
			return fail(exitFailed, "%w", err)
		}
		if ended(status) || status == fleet.Waits || status == fleet.Paused {
			if err := b.shown(ctx, id); err != nil {
				return err
			}
			switch status {
			case string(nebula.Completed):
				return nil
			case fleet.Waits, fleet.Paused:
				return fail(exitMissing, "")
			}
			return fail(exitFailed, "")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func (b *base) status(ctx context.Context, id string) (string, error) {
	if strings.HasPrefix(id, fleet.ManyPrefix) {
		m, err := b.engine.StateMany(ctx, id)
		return m.Status, err
	}
	s, err := b.engine.State(ctx, id)
	return s.Status, err
}
