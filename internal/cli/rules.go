package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/gate"
	"nebula/internal/terminal"
	"nebula/internal/tool"
	"nebula/internal/trust"
	"nebula/internal/workspace"
)

// A rulebook keeps what the person allowed in a folder from then on, in their home: each by exactly what it says.
type rulebook struct {
	ledger trust.Ledger
	dir    string
	config config.Config
}

//go:noinline
func (s *session) rulebook() rulebook {
	return rulebook{trust.Ledger{File: s.config.Home.Rules()}, s.dir, s.config}
}

func ruleThing(r gate.Rule) trust.Thing {
	text, _ := json.Marshal(r) // texts always marshal
	return trust.Thing{Kind: "rule", Name: r.Tool + " " + r.String(), Text: string(text)}
}

// All implements agent.Rules. What cannot be read allows nothing.
func (b rulebook) All() (rules []gate.Rule) {
	things, _ := b.ledger.All(b.dir)
	for _, t := range things {
		var r gate.Rule
		if json.Unmarshal([]byte(t.Text), &r) == nil && ruleThing(r) == t {
			rules = append(rules, r)
		}
	}
	return rules
}

// Add implements agent.Rules.
//
//go:noinline
func (b rulebook) Add(r gate.Rule) error {
	return b.change(func(l trust.Ledger) error { return l.Agree(b.dir, []trust.Thing{ruleThing(r)}) })
}

// change changes the book, unless a command runs, whose work it may be.
func (b rulebook) change(do func(trust.Ledger) error) error {
	if workspace.Holding(b.config.Home.Held()) {
		return fail(exitFailed, "a command that nebula runs is not over, and none may change the settings; try again when it has ended")
	}
	return do(b.ledger)
}

func (p *program) rulesCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "rules",
		Short: "Show, explain and remove what you allowed in this folder from now on",
		Long: "At the gate, from now on allows a confined command in this folder for later sessions too. A rule is shown as what it matches: a line to\n" +
			"the letter, or a program that builds or tests with other files. What leaves the box or deletes asks all the same. Rules are kept in your home;\n" +
			"a project cannot bring any.",
		Example: "  nebula rules\n  nebula rules test \"go test ./...\"\n  nebula rules remove 1",
	}
	group(root, func(*cobra.Command, []string) error { return p.listRules() })
	root.AddCommand(
		&cobra.Command{Use: "test COMMAND", Short: "Say what decides on a command here, and why", Args: exactly(1, "the command, as one word"),
			RunE: func(c *cobra.Command, args []string) error { return p.testRule(c.Context(), args[0]) }},
		&cobra.Command{Use: "remove N", Short: "Remove a rule", Args: exactly(1, "the rule's number, as nebula rules shows it"),
			RunE: func(_ *cobra.Command, args []string) error { return p.removeRule(args[0]) }},
	)
	return root
}

// ruled is the folder with its rules.
func (p *program) ruled() (s *session, rules []gate.Rule, err error) {
	s = &session{program: p}
	if s.dir, err = folder(p.at); err != nil {
		return nil, nil, err
	}
	if s.config, err = p.settings(s.dir, nil); err != nil {
		return nil, nil, err
	}
	return s, s.rulebook().All(), nil
}

func (p *program) listRules() error {
	_, rules, err := p.ruled()
	if err != nil {
		return err
	}
	if len(rules) == 0 {
		_, err := fmt.Fprintln(p.err, p.say("nothing is allowed in this folder from now on"))
		return err
	}
	for i, r := range rules {
		if _, err := fmt.Fprintf(p.out, "%d  %s  (%s)\n", i+1, terminal.OneRow(r.String()), r.Tool); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) removeRule(number string) error {
	s, rules, err := p.ruled()
	if err != nil {
		return err
	}
	n := 0
	if _, err := fmt.Sscanf(number, "%d", &n); err != nil || n < 1 || n > len(rules) {
		return usage("there is no rule %q; nebula rules shows them with their numbers", number)
	}
	r := rules[n-1]
	if err := s.rulebook().change(func(l trust.Ledger) error { return l.Remove(s.dir, ruleThing(r)) }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.err, p.say("removed: %s", terminal.OneRow(r.String())))
	return err
}

// testRule says what would decide on a command of the model's, first that it runs, then that what it does is kept. Nothing is run.
func (p *program) testRule(ctx context.Context, line string) (err error) {
	s, rules, err := p.ruled()
	if err != nil {
		return err
	}
	work, err := workspace.Open(s.dir, nil, s.own()...)
	if err != nil {
		return fail(exitNoFolder, "%w", err)
	}
	defer func() { err = errors.Join(err, work.Close()) }()
	s.confine(work)
	args, _ := json.Marshal(map[string]string{"command": line}) // a text always marshals
	a := nebula.Action{ID: "a1", Tool: "executeShell", Args: args}
	lang := s.config.Lang
	judge := gate.Rules{Mode: s.config.Mode, Approve: gate.Approve(s.config.Approve), Protection: protection(s.config.Protection), Own: s.own(), Standing: rules}
	for _, t := range tool.All(work, tool.Options{Boxed: work.Confines()}) {
		if t.Spec().Name != a.Tool {
			continue
		}
		proposal, err := t.Propose(ctx, a, nebula.View{Mode: s.config.Mode, Lang: lang, Free: judge.Approve == gate.All})
		if err != nil {
			return err
		}
		proposal.Action = a
		s.explain(proposal, judge)
	}
	return nil
}

// explain prints what decides on a command.
func (s *session) explain(p nebula.Proposal, judge gate.Rules) {
	lang := s.config.Lang
	row := func(about, text string) { _, _ = fmt.Fprintf(s.out, "%s: %s\n", about, text) } // a broken pipe shows nothing, and harms nothing
	row(s.say("approval"), string(judge.Approve))
	v := gate.Judge(judge, p)
	row(s.say("running it"), s.ruling(v))
	for _, risk := range gate.SayAll(v.Risks, lang) {
		row(s.say("risk"), risk)
	}
	held, err := s.layers()
	switch {
	case judge.Approve == gate.All, !s.config.Sandbox, err != nil:
		row(s.say("held by"), s.say("nothing"))
	default:
		row(s.say("held by"), held.String())
	}
	did := nebula.Proposal{Action: p.Action, Effect: nebula.Write, Ran: p.Command, Targets: []nebula.Target{{Path: "…", Kind: "edit", Hash: "-", After: "-"}}}
	if p.Viewed {
		row(s.say("keeping what it changed"), s.ruling(gate.Judge(judge, did)))
	} else {
		did = p
	}
	for _, r := range judge.Standing {
		if r.Covers(did) {
			row(s.say("rule"), terminal.OneRow(r.String()))
		}
	}
	if r, ok := gate.RuleOf(did); ok {
		row(s.say("from now on would allow"), terminal.OneRow(r.String()))
	} else {
		row(s.say("from now on would allow"), s.say("nothing: it is in no box, or what it runs cannot be told from its line"))
	}
}

// ruling is a verdict in words.
func (s *session) ruling(v nebula.Verdict) string {
	word := map[nebula.Ruling]string{nebula.Allow: "allowed", nebula.AskFirst: "asks", nebula.Deny: "refused"}[v.Ruling]
	return s.say("%s: %s", s.say(word), gate.Why(v, s.config.Lang))
}
