package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/gate"
	"nebula/internal/headless"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
	"nebula/internal/task"
)

func (p *program) planCommand() *cobra.Command {
	v := &planView{program: p}
	root := group(&cobra.Command{
		Use:     "plan",
		Short:   "List, show, change and carry out plans of this folder",
		Example: "  nebula plan show plan_1a2b --graph mermaid\n  nebula plan edit plan_1a2b\n  nebula plan run plan_1a2b --approve edits",
	}, v.list)
	named := func(c *cobra.Command) *cobra.Command { c.ValidArgsFunction = p.planIDs; return c }
	show := named(&cobra.Command{Use: "show [ID]", Short: "Show a plan and where it stands", Args: v.shown, RunE: v.show})
	oneOf(show, &v.graph, "graph", "", "", "only what depends on what", plan.Graphs...)
	show.Flags().Lookup("graph").NoOptDefVal = "text"
	oneOf(show, &v.output, "output", "o", "text", "what goes to standard output", "text", "json", "markdown")
	show.Flags().BoolVar(&v.json, "json", false, "the same as --output json")
	list := &cobra.Command{Use: "list", Short: "List plans, the last changed first", Args: atMost(0), RunE: v.list}
	for _, c := range []*cobra.Command{root, list} {
		c.Flags().BoolVar(&v.json, "json", false, "as JSON, one plan a line")
	}
	root.AddCommand(list, show,
		named(&cobra.Command{Use: "approve ID", Short: "Approve a plan", Args: exactly(1, "a plan's ID"), RunE: v.edits("approved", func([]string) plan.Edit { return plan.Approve(nebula.Person) })}),
		named(&cobra.Command{Use: "edit ID", Short: "Change a plan in your editor, as Markdown", Args: exactly(1, "a plan's ID"), RunE: v.edit}),
		named(&cobra.Command{Use: "skip ID STEP", Short: "Leave a step out", Args: exactly(2, "a plan's ID and a step"), RunE: v.edits("skipped", func(a []string) plan.Edit { return plan.Skip(a[1]) })}),
		named(&cobra.Command{Use: "retry ID STEP", Short: "Have a step done again", Args: exactly(2, "a plan's ID and a step"), RunE: v.edits("pending", func(a []string) plan.Edit { return plan.Retry(a[1]) })}),
		named(&cobra.Command{Use: "rm ID", Short: "Remove a plan", Args: exactly(1, "a plan's ID"), RunE: v.remove}),
		named(p.planRunCommand()),
	)
	return root
}

// A planView is what the commands for plans share.
type planView struct {
	*program
	graph, output string
	id            string // of the plan to show
	json          bool
}

// with opens the record for a command, if there is one.
func (v *planView) with(ctx context.Context, do func(store nebula.Store, dir string) error) error {
	return v.withStore(ctx, func(_ context.Context, store nebula.Store, dir string) error {
		return missing(do(store, dir))
	}, func() error { return usage("no plan in this folder yet; nebula run --plan \"…\" proposes one") })
}

// missing says what to do where a plan is not there.
func missing(err error) error {
	if errors.Is(err, nebula.ErrNoPlan) {
		return usage("%w; nebula plan list shows those of this folder", err)
	}
	return err
}

func (v *planView) list(c *cobra.Command, _ []string) error {
	return v.withStore(c.Context(), func(ctx context.Context, store nebula.Store, dir string) error {
		list, err := store.Plans(ctx, dir)
		if err != nil {
			return err
		}
		return v.write(list)
	}, func() error { return v.write(nil) })
}

func (v *planView) write(list []nebula.PlanInfo) error {
	if v.json {
		enc := json.NewEncoder(v.out)
		enc.SetEscapeHTML(false)
		for _, p := range list {
			if err := enc.Encode(p); err != nil {
				return err
			}
		}
		return nil
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(v.err, v.say("no plans in this folder; nebula run --plan \"…\" proposes one"))
		return err
	}
	var t table
	for _, p := range list {
		t.row(p.ID, plan.Say(nebula.Code(p.Status), config.Lang(v.env, langFlag(v.args))), fmt.Sprintf("%d/%d", p.Done, p.Steps), when(p.Changed), phrase.OneLine(p.Name, 0))
	}
	return t.print(v.out)
}

// shown takes the graph's form also as a word of its own: the flag may stand alone, and its value is easily written so.
func (v *planView) shown(c *cobra.Command, args []string) error {
	if n := len(args); n > 0 && v.graph == "text" && lists.Has(plan.Graphs, args[n-1]) {
		v.graph, args = args[n-1], args[:n-1]
	}
	v.id = strings.Join(args, "")
	return atMost(1)(c, args)
}

func (v *planView) show(c *cobra.Command, _ []string) error {
	if err := choice("output", v.output, []string{"text", "json", "markdown"}); err != nil {
		return err
	}
	if v.graph != "" {
		if err := choice("graph", v.graph, plan.Graphs); err != nil {
			return err
		}
	}
	return v.with(c.Context(), func(store nebula.Store, dir string) error {
		p, err := task.Find(c.Context(), store, dir, v.id)
		if err != nil {
			return err
		}
		var text string
		switch {
		case v.graph != "":
			text, err = plan.Graph(p, v.graph)
		case v.output == "json" || v.json:
			enc := json.NewEncoder(v.out)
			enc.SetEscapeHTML(false)
			return enc.Encode(p)
		case v.output == "markdown":
			text = plan.Markdown(p)
		default:
			text = task.Text(p, time.Now(), config.Lang(v.env, langFlag(v.args)))
		}
		if err == nil {
			_, err = fmt.Fprint(v.out, headless.Clean(text))
		}
		return err
	})
}

// edited changes a plan of a folder, as the person.
func edited(ctx context.Context, store nebula.Store, dir, id string, what nebula.Code, edit plan.Edit) (nebula.Plan, error) {
	loop := task.New(task.Setup{Plans: store, Project: dir, Lock: store.Lock})
	defer loop.Close()
	return loop.Edit(ctx, id, what, nebula.Person, edit)
}

// edits is a command that makes an edit.
func (v *planView) edits(what nebula.Code, make func(args []string) plan.Edit) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		return v.with(c.Context(), func(store nebula.Store, dir string) error {
			p, err := edited(c.Context(), store, dir, args[0], what, make(args))
			if errors.Is(err, nebula.ErrNoPlan) {
				return err
			}
			if err != nil {
				return fail(exitFailed, "%w", err)
			}
			_, err = fmt.Fprintf(v.out, "%s %s\n", p.ID, plan.Say(nebula.Code(p.Status), config.Lang(v.env, langFlag(v.args))))
			return err
		})
	}
}

func (v *planView) remove(c *cobra.Command, args []string) error {
	return v.with(c.Context(), func(store nebula.Store, dir string) error {
		return store.RemovePlan(c.Context(), dir, args[0])
	})
}

// edit hands the plan to the person's editor and reads it back. What cannot be read stays in its file.
func (v *planView) edit(c *cobra.Command, args []string) error {
	editor := cmp.Or(v.env("VISUAL"), v.env("EDITOR"))
	if editor == "" {
		return usage("no editor is set; set EDITOR, or use nebula plan show %s --output markdown", args[0])
	}
	return v.with(c.Context(), func(store nebula.Store, dir string) error {
		p, err := store.Plan(c.Context(), dir, args[0])
		if err != nil {
			return err
		}
		temp, err := os.MkdirTemp("", "nebula-plan-")
		if err != nil {
			return err
		}
		file := filepath.Join(temp, p.ID+".md")
		before := plan.Markdown(p)
		if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
			return err
		}
		words := strings.Fields(editor)
		cmd := exec.CommandContext(c.Context(), words[0], append(words[1:], file)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return fail(exitFailed, "editor %s: %v; the plan is unchanged", editor, err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		read, err := plan.ReadMarkdown(string(data))
		if err == nil && string(data) != before {
			p, err = edited(c.Context(), store, dir, p.ID, "edited", plan.Replace(read))
		}
		if err != nil {
			return fail(exitFailed, "the plan is unchanged: %w; your text is in %s", err, file)
		}
		_, err = fmt.Fprintf(v.out, "%s %s\n", p.ID, plan.Say(nebula.Code(p.Status), config.Lang(v.env, langFlag(v.args))))
		return errors.Join(err, os.RemoveAll(temp))
	})
}

// planRunCommand carries out a plan there is.
func (p *program) planRunCommand() *cobra.Command {
	s, h := &session{program: p}, handing{}
	c := &cobra.Command{
		Use:   "run ID [STEP]",
		Short: "Carry a plan out, or go on with it",
		Long: "Carries out what is not done yet of a plan, or of one step of it. Finished tasks are not done again; of one that was\n" +
			"under way when nebula ended, the record and the files tell whether it happened.",
		Example: "  nebula plan run plan_1a2b --approve all",
		Args:    between(1, 2, "a plan's ID"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := choice("output", s.output, headless.Outputs); err != nil {
				return err
			}
			if err := choice("cut-off", s.cutOff, []string{"ask", "again", "done"}); err != nil {
				return err
			}
			if h.on == "temporal" {
				if len(args) == 2 {
					return usage("workers carry out whole plans; leave the step out")
				}
				return p.handOn(c, h, args[0])
			}
			if err := s.settleModel(c); err != nil {
				return err
			}
			step := ""
			if len(args) == 2 {
				step = args[1]
			}
			var found nebula.Plan
			err := (&planView{program: p}).with(c.Context(), func(store nebula.Store, dir string) (err error) {
				if found, err = store.Plan(c.Context(), s.dir, args[0]); err == nil {
					found, err = p.reopened(c.Context(), store, s.dir, found, step)
				}
				return err
			})
			if err != nil {
				return err
			}
			if found.Status == nebula.Completed && step == "" && found.Since.IsZero() {
				p.warn("plan %s is completed already: nothing was left to do", found.ID)
				return nil
			}
			s.actions = running(found.ID, step, "nebula plan run "+found.ID)
			s.first, s.waits = found.Name, true
			if s.agree(found); found.Status == nebula.Draft {
				s.draft = &found
			}
			return s.through(c.Context(), once())
		},
	}
	s.flags(c.Flags())
	oneOf(c, &s.output, "output", "o", "text", "what goes to standard output", headless.Outputs...)
	oneOf(c, &s.cutOff, "cut-off", "", "ask", "whether a command that was cut off is run again", "ask", "again", "done")
	oneOf(c, &h.on, "on", "", "here", "where its steps are carried out", "here", "temporal")
	h.flags(c)
	c.Flags().StringVar(&h.repo, "repo", "", "with --on temporal: where workers find the repository; origin or this folder when not given")
	c.Flags().IntVar(&h.atOnce, "at-once", 3, "with --on temporal: carry out `N` steps at a time")
	s.completions(c)
	return c
}

// agree has a plan that the person approved run where nobody is there to ask, as far as their approval goes: what it does
// not cover asks, and nobody answers. A policy that somebody set stays what it is.
func (s *session) agree(found nebula.Plan) {
	if s.agreed = found.Approved == nebula.Person && !s.person(); !s.agreed {
		return
	}
	for _, v := range s.config.Values() {
		if v.Key == "approve" && strings.HasPrefix(v.Source, "default") {
			s.config.Approve = string(gate.Ask)
		}
	}
}

func (p *program) planIDs(c *cobra.Command, args []string, _ string) (ids []string, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	_ = p.withStore(c.Context(), func(ctx context.Context, store nebula.Store, dir string) error { // no completion is worth an error
		list, err := store.Plans(ctx, dir)
		for _, one := range list {
			ids = append(ids, one.ID+"\t"+phrase.OneLine(one.Name, 0))
		}
		return err
	}, func() error { return nil })
	return ids, cobra.ShellCompDirectiveNoFileComp
}
