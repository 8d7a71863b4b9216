package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/headless"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

func (p *program) root() *cobra.Command {
	s, tell, print := &session{program: p}, false, false
	root := &cobra.Command{
		Use:           "nebula",
		Short:         "A coding agent for the terminal",
		Long:          "nebula reads, plans, asks, edits, runs the tests and reports, in the folder where it is started.",
		Example:       "  nebula demo\n  nebula \"why does the build fail?\"\n  nebula -p \"why does the build fail?\"\n  nebula run --approve edits \"add a test for the parser\"",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs, // so that an unknown word comes to us
		RunE: func(c *cobra.Command, args []string) error {
			if tell {
				_, err := fmt.Fprintln(p.out, version())
				return err
			}
			args = s.resumed(args)
			switch {
			case print:
				return s.run(c, args)
			case len(args) > 0 && !request(c, args):
				return unknownWord(c, args)
			}
			return s.interactive(c, args)
		},
	}
	s.flags(root.Flags())
	root.Flags().VarP(later{&s.again}, "resume", "r", "go on with the session `ID`; without one, choose it")
	root.Flags().Lookup("resume").NoOptDefVal = chosen
	for _, f := range fronts() {
		if f.flag != "" {
			root.Flags().Bool(f.flag, false, f.about)
		}
	}
	root.Flags().BoolVarP(&tell, "version", "v", false, "print version, commit and Go version")
	root.Flags().BoolVarP(&print, "print", "p", false, "carry out one request and end, as nebula run does")
	oneOf(root, &s.output, "output", "o", "text", "what goes to standard output", headless.Outputs...)
	root.Flags().BoolVar(&s.inline, "inline", false, "keep the conversation in the terminal's own scrollback")
	p.everywhere(root.PersistentFlags())
	root.SetFlagErrorFunc(wrongFlag)
	below := p.below()
	if root.AddCommand(below...); len(below) > 1 {
		aids(root)
	}
	s.completions(root)
	return root
}

// aids are the commands that tell of the others.
func aids(root *cobra.Command) {
	root.CompletionOptions.HiddenDefaultCmd = false
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Run, help.RunE = nil, func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownWord(about, append(rest, args...))
			}
			return about.Help()
		}
	}
	if shells, _, err := root.Find([]string{"completion"}); err == nil {
		group(shells, nil)
		for _, shell := range shells.Commands() {
			shell.Args = atMost(0)
		}
	}
}

// A maker makes the command of a name.
type maker struct {
	name string
	of   func(*program) *cobra.Command
}

// commands are all commands by their names. One of them begins the program again, so that they are no variable.
func commands() []maker {
	return []maker{
		{"run", (*program).runCommand},
		{"plan", (*program).planCommand},
		{"fleet", (*program).fleetCommand},
		{"worker", (*program).workerCommand},
		{"demo", (*program).demoCommand},
		{"sessions", (*program).sessionsCommand},
		{"models", (*program).modelsCommand},
		{"login", (*program).loginCommand},
		{"logout", (*program).logoutCommand},
		{"config", (*program).configCommand},
		{"protocol", (*program).protocolCommand},
		{"replay", (*program).replayCommand},
		{"audit", (*program).auditCommand},
		{"record", (*program).recordCommand},
		{"status", (*program).statusCommand},
		{"undo", (*program).undoCommand},
		{"try", (*program).tryCommand},
		{"memory", (*program).memoryCommand},
		{"bench", (*program).benchCommand},
		{"insights", (*program).insightsCommand},
		{"map", (*program).mapCommand},
		{"trust", (*program).trustCommand},
		{"init", (*program).initCommand},
		{"rules", (*program).rulesCommand},
		{"hooks", (*program).hooksCommand},
		{"mcp", (*program).mcpCommand},
		{"acp", (*program).acpCommand},
		{"serve", (*program).serveCommand},
		{"attach", (*program).attachCommand},
		{"web", (*program).webCommand},
		{"doctor", (*program).doctorCommand},
		{"update", (*program).updateCommand},
		{"man", (*program).manCommand},
		{"version", (*program).versionCommand},
	}
}

// below are the commands that can be meant: the one that the first word names, or all. A program that starts several times a second makes no
// forty commands to carry out one.
func (p *program) below() (list []*cobra.Command) {
	for _, c := range commands() {
		if len(p.args) > 0 && p.args[0] == c.name && c.name != "man" { // which tells of all
			return []*cobra.Command{c.of(p)}
		}
		list = append(list, c.of(p))
	}
	return list
}

// everywhere are the flags of every command.
func (p *program) everywhere(f *pflag.FlagSet) {
	f.StringVarP(&p.at, "dir", "C", "", "work in the folder `DIR`")
	if set, _, err := config.Find("lang"); err == nil {
		f.Var(&word{kind: kinds[set.Kind]}, set.Flag, tongue(nil).describe(set))
	}
}

// group is a command that only has commands below it; bare is what it does without a word.
//
//go:noinline
func group(c *cobra.Command, bare func(*cobra.Command, []string) error) *cobra.Command {
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownWord(c, args)
		}
		if bare == nil {
			return c.Help()
		}
		return bare(c, args)
	}
	return c
}

// request reports whether words without a command are a request: one that was quoted, or several of which the first is
// no command that was mistyped. A single word is as likely a command of another program; - is what standard input holds.
func request(c *cobra.Command, args []string) bool {
	if (lists.Has(commandNames(c), elsewhere[args[0]]) || lists.Has(talks, args[0]) || args[0] == "resume" || args[0] == "continue") && len(args) < 3 {
		return false
	}
	return args[0] == "-" || strings.ContainsAny(args[0], " \n\u3000") || !phrase.ASCII(args[0]) || len(args) > 1 && config.Nearest(args[0], commandNames(c)) == ""
}

func commandNames(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// elsewhere are words and flags of other programs, and what they are called here.
var elsewhere = map[string]string{"exec": "run", "auth": "login", "signin": "login", "history": "sessions", "rules": "config", "usage": "status", "cost": "status", "output-format": "output", "yolo": all, "full-auto": all, "dangerously-skip-permissions": all, "dangerously-bypass-approvals-and-sandbox": all}

// talks are commands of other programs that begin a conversation, which nebula needs none for.
var talks = []string{"chat", "interactive"}

// all stands for the flags of other programs that let everything run.
const all = "approve"

// unknownWord answers a word that is no command.
func unknownWord(c *cobra.Command, args []string) error {
	path := c.CommandPath()
	switch {
	case c.HasParent():
	case lists.Has(talks, args[0]):
		return usage("no command %q; a conversation begins with nebula, or at once with its first request: nebula %q", args[0], cmp.Or(strings.Join(args[1:], " "), "…"))
	case args[0] == "resume" || args[0] == "continue":
		return usage("no command %q; did you mean %s %s?", args[0], path, strings.Join(append([]string{"--resume"}, args[1:]...), "="))
	}
	near := config.Nearest(args[0], commandNames(c))
	if near == "" {
		near = elsewhere[config.Nearest(args[0], slices.Sorted(maps.Keys(elsewhere)))]
	}
	if other := elsewhere[args[0]]; other != "" {
		near = other
	}
	if lists.Has(commandNames(c), near) {
		return usage("no command %q; did you mean %s %s?", args[0], path, near)
	}
	if !c.HasParent() {
		return usage("no command %q; for a request write nebula run %q", args[0], strings.Join(args, " "))
	}
	return usage("no command %q; %s --help lists them", args[0], path)
}

// wrongFlag answers a flag that does not exist or lacks its value.
func wrongFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usage("%s; %s --help explains the flags", flagFault(err), c.CommandPath())
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return usage("no flag -%s; %s --help lists the flags, and -- goes before words that begin with -", name, c.CommandPath())
	}
	known := map[string]bool{"help": true}
	c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	switch other := elsewhere[name]; {
	case other == all && known[other]:
		return usage("no flag --%s; --approve all lets everything run", name)
	case known[other]:
		return usage("no flag --%s; did you mean --%s?", name, other)
	}
	if near := config.Nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
		return usage("no flag --%s; did you mean --%s?", name, near)
	}
	return usage("no flag --%s; %s --help lists the flags", name, c.CommandPath())
}

// flagFault says what is wrong with a flag that exists.
func flagFault(err error) nebula.Words {
	var (
		none   *pflag.ValueRequiredError
		wrong  *pflag.InvalidValueError
		syntax *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &none):
		return nebula.Say("flag needs an argument: --%s", none.GetFlag().Name)
	case errors.As(err, &wrong):
		return nebula.Say("--%s cannot be %q", wrong.GetFlag().Name, wrong.GetValue())
	case errors.As(err, &syntax):
		return nebula.Say("bad flag syntax: %s", syntax.GetSpecifiedFlag())
	}
	return nebula.Say("%w", err)
}

// atMost and exactly count words with an error that says what is wanted.
//
//go:noinline
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return usage("%q is one word too many; %s --help shows what it takes", args[n], c.CommandPath())
		}
		return nil
	}
}

//go:noinline
func exactly(n int, what string) cobra.PositionalArgs { return between(n, n, what) }

//go:noinline
func between(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least {
			return usage("%s needs %s; %s --help shows an example", c.CommandPath(), nebula.Say(what), c.CommandPath())
		}
		return atMost(most)(c, args)
	}
}

// A pick is the value of a flag that takes one of a few words, which stand for it in the help.
type pick struct {
	text *string
	of   []string
}

// String implements pflag.Value.
func (p pick) String() string {
	if p.text == nil { // pflag asks a pick of its own for what a flag is when not set
		return ""
	}
	return *p.text
}

// Set implements pflag.Value.
func (p pick) Set(text string) error { *p.text = text; return nil }

// Type implements pflag.Value.
func (p pick) Type() string { return strings.Join(p.of, "|") }

// oneOf declares such a flag and offers the words to a shell. Whoever reads the flag checks it.
func oneOf(c *cobra.Command, to *string, name, short, value, usage string, of ...string) {
	*to = value
	c.Flags().VarP(pick{to, of}, name, short, usage)
	_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp))
}

// choice checks a flag that is no setting.
func choice(flag, text string, of []string) error {
	if lists.Has(of, text) {
		return nil
	}
	next := nebula.Say("use %s", strings.Join(of, ", "))
	if near := config.Nearest(text, of); near != "" {
		next = nebula.Say("did you mean %s?", near)
	}
	return usage("--%s: cannot be %q; %s", flag, text, next)
}
