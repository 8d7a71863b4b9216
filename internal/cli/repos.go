package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

// newRun is a name that nothing has yet.
func newRun() string {
	b := make([]byte, 4)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

func (p *program) fleetRunCommand() *cobra.Command {
	b, h := &base{program: p}, handing{}
	repos, what, try := "", "", false
	c := &cobra.Command{
		Use:   "run --repos FILE|GLOB --plan FILE|REQUEST",
		Short: "Carry out one request in many repositories",
		Long: "Carries a plan, or a request as a plan of one step, out in each repository, each with a plan of its own in the record. --repos is a file with a\n" +
			"folder or an address a line, or a pattern for folders. What each comes to is a branch, and a patch by nebula fleet patch.",
		Example: "  nebula fleet run --repos repos.txt --plan \"replace the old logger\" --try\n  nebula fleet run --repos '../services/*' --plan change.md --at-once 20 --cost 40",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if repos == "" || what == "" {
				return usage("give the repositories with --repos and what is to be done with --plan")
			}
			return b.with(c.Context(), func() error { return b.runMany(c, h, repos, what, try) })
		},
	}
	h.flags(c)
	f := c.Flags()
	f.StringVar(&repos, "repos", "", "a `FILE` with a repository a line, or a pattern for folders")
	f.StringVar(&what, "plan", "", "a `FILE` with a plan, as nebula plan show -o markdown prints it, or a request in words")
	f.IntVar(&h.atOnce, "at-once", 10, "work on `N` repositories at a time")
	f.Float64Var(&h.cost, "cost", 0, "begin nothing new once the whole has cost `USD`; 0 is no limit")
	f.BoolVar(&try, "try", false, "try it on the first repository, and go on with the others after nebula fleet approve")
	f.String("model", "", "the model, by its `NAME`; each worker's own when not given")
	oneOf(c, new(string), "approve", "", policies[0], "what runs without asking", policies...)
	return c
}

func (b *base) runMany(c *cobra.Command, h handing, repos, what string, try bool) error {
	list, err := repositories(repos)
	if err != nil {
		return err
	}
	made, err := described(what)
	if err != nil {
		return err
	}
	m := fleet.Many{Run: newRun(), Name: phrase.OneLine(made.Name, 100), Queue: h.queue, AtOnce: h.atOnce, Try: try, Cost: h.cost}
	for _, source := range list {
		source = b.address(source)
		o := b.order(c, h, made, source)
		o.Source, o.AtOnce, o.Plan = source, max(1, b.config.Plan.Parallel), "plan_"+o.Run
		if err := b.filed(c.Context(), made, o); err != nil {
			return err
		}
		m.Orders = append(m.Orders, o)
	}
	id, err := b.engine.StartMany(c.Context(), m)
	if err != nil {
		return fail(exitFailed, "%w", err)
	}
	return b.begun(c.Context(), h, id)
}

// address is a repository's as it is handed over.
func (b *base) address(source string) string {
	bare, held := fleet.Address(source)
	if held {
		b.warn("the login in the address of %s does not go along: workers reach it as git does there, with its credential helper or SSH keys", bare)
	}
	return bare
}

// filed gives the record the plan for one repository.
func (b *base) filed(ctx context.Context, made nebula.Plan, o fleet.Order) error {
	made.ID, made.Version, made.Made = o.Plan, 1, time.Now().UTC()
	made.Changed = made.Made
	return b.store.SavePlan(ctx, o.Project, made)
}

// repositories are those that a file lists, or a pattern finds.
func repositories(word string) (list []string, err error) {
	if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
		data, err := os.ReadFile(word)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				list = append(list, line)
			}
		}
	} else if list, err = filepath.Glob(word); err != nil {
		return nil, usage("--repos %q: %w", word, err)
	} else {
		list = lists.Drop(list, func(path string) bool { info, err := os.Stat(path); return err != nil || !info.IsDir() })
	}
	if len(list) == 0 {
		return nil, usage("--repos %q names no repository", word)
	}
	for i, one := range list {
		if info, err := os.Stat(one); err == nil && info.IsDir() {
			if list[i], err = filepath.Abs(one); err != nil {
				return nil, err
			}
		}
	}
	seen := map[string]bool{} // of what stands there twice one plan is made: two would work on the same branches
	return lists.Drop(list, func(one string) bool {
		twice := seen[one]
		seen[one] = true
		return twice
	}), nil
}

// described is the plan that a file holds, or one of one step. Whoever wrote it lets it run.
func described(what string) (nebula.Plan, error) {
	if data, err := os.ReadFile(what); err == nil {
		p, err := plan.ReadMarkdown(string(data))
		if err == nil {
			p.Status = nebula.Draft
			p, err = approvedBy(p)
		}
		if err != nil {
			return p, fail(exitUsage, "%s holds no plan: %w", what, err)
		}
		return p, nil
	}
	if strings.HasSuffix(what, ".md") && !strings.ContainsAny(what, " \n") {
		return nebula.Plan{}, usage("there is no plan at %s", what)
	}
	return approvedBy(plan.New("", what, []plan.ProposedStep{{ID: "change", Name: phrase.OneLine(what, 72), Description: what}}))
}
