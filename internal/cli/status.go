package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/confine"
	"nebula/internal/gate"
	"nebula/internal/headless"
	"nebula/internal/state"
	"nebula/internal/workspace"
)

func (p *program) statusCommand() *cobra.Command {
	output, stats := "text", false
	c := &cobra.Command{
		Use:               "status [ID]",
		Short:             "Tell what a session is doing, why, and what it costs",
		Long:              "Shows the five items, the step and its history, vitals, the token budget, limits and compaction of a session.\nWithout ID it is this folder's last session. With --stats it is how often each kind of work succeeded here, over all sessions.",
		Example:           "  nebula status\n  nebula status 20260102 --output json\n  nebula status --stats",
		Args:              atMost(1),
		ValidArgsFunction: p.sessionIDs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := choice("output", output, []string{"text", "json"}); err != nil {
				return err
			}
			if stats && len(args) > 0 {
				return usage("--stats counts all sessions of the folder, not one")
			}
			if stats {
				return p.rates(c.Context(), output)
			}
			return p.status(c.Context(), args, output)
		},
	}
	oneOf(c, &output, "output", "o", "text", "what goes to standard output", "text", "json")
	c.Flags().BoolVar(&stats, "stats", false, "how often each kind of work succeeded and failed in this folder")
	return c
}

func (p *program) status(ctx context.Context, args []string, output string) error {
	show := func(store nebula.Store, info nebula.SessionInfo) error {
		return p.showStatus(ctx, store, info, output)
	}
	if len(args) == 1 {
		return p.withSession(ctx, args[0], show)
	}
	none := func() error { return usage("no session in this folder yet; nebula begins one") }
	return p.withStore(ctx, func(ctx context.Context, store nebula.Store, dir string) error {
		list, err := store.Sessions(ctx, dir)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return none()
		}
		return show(store, list[0])
	}, none)
}

func (p *program) showStatus(ctx context.Context, store nebula.Store, info nebula.SessionInfo, output string) error {
	s := &session{program: p, dir: info.Dir, given: map[string]string{}}
	var err error
	if s.config, err = p.settings(info.Dir, nil); err != nil {
		return err
	}
	folded := state.New()
	for e, err := range store.Load(ctx, info.ID) {
		if err != nil {
			return err
		}
		folded.Apply(e)
	}
	l := s.config.Limits
	limits := agent.Limits{Steps: l.Steps, Tokens: l.Tokens, New: l.New, Cost: l.Cost, Time: l.Time}
	st := folded.Status(s.config.Lang)
	if st.Items.PendingGate && !live(ctx, store, info.ID) {
		st.Items.PendingGate = false
		s.warn("nebula ended while it waited for your yes: nobody waits for it any more and nothing was done; nebula --session %s goes on", info.ID)
	}
	approve := gate.Approve(folded.Approve)
	for _, b := range folded.Steps { // what is not at its end has told of nothing yet
		if b.Step.Status != nebula.InProgress {
			continue
		}
		p, err := store.Plan(ctx, info.Dir, b.Plan)
		if errors.Is(err, nebula.ErrNoPlan) {
			continue
		} else if err != nil {
			return err
		}
		approve = cmp.Or(approve, gate.Approve(p.With.Approve))
		used, err := working(ctx, store, p, b.Step.ID)
		if err != nil {
			return err
		}
		st.Usage = st.Usage.Plus(used)
	}
	st.Limits = agent.Uses(folded, limits, l.Repeats, l.Retries, 0)
	if _, info, err := resolve(s.config, s.env, s.words, st.Model); err == nil {
		st.Window, st.Effort = agent.Window(info, folded.Window), string(cmp.Or(folded.Effort, info.Effort))
	}
	approve = cmp.Or(approve, gate.Approve(s.config.Approve))
	st.Approve, st.Unasked = string(approve), gate.Says(approve, s.config.Lang)
	st.Commands = s.commands()
	if _, err := s.layers(); s.config.Sandbox && confine.Supported && err != nil {
		s.warn("the system gives no confinement (%w); commands ask as if there were none", err)
	}
	if s.config.Sandbox && workspace.HalfKept(s.boxPlace(info.Dir).Kept) {
		s.warn("nebula was killed while it kept what a command had changed: the folder has a part of it. The next session or undo here finishes that first")
	}
	if output == "json" {
		return json.NewEncoder(p.out).Encode(st)
	}
	_, err = fmt.Fprint(p.out, headless.Clean(st.Text(s.config.Lang)))
	return err
}

// live reports whether a nebula has a session open.
func live(ctx context.Context, store nebula.Store, id string) bool {
	unlock, err := store.Lock(ctx, id)
	if err != nil {
		return true
	}
	unlock()
	return false
}

// working is what the session of a step that is under way has used so far.
func working(ctx context.Context, store nebula.Store, p nebula.Plan, step string) (nebula.Usage, error) {
	folded := state.New()
	for _, s := range p.Steps {
		if s.ID != step || s.Session == "" {
			continue
		}
		for e, err := range store.Load(ctx, s.Session) {
			if err != nil {
				return nebula.Usage{}, err
			}
			folded.Apply(e)
		}
	}
	return folded.Usage, nil
}
