package cli

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nebula/internal/config"
)

// speak has the help, and what a shell is offered, in the person's language. In English they are as they stand in the
// code, and nothing is done.
func (p *program) speak(root *cobra.Command) {
	plain := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		t := p.tongue()
		if t == nil {
			plain(c, args)
			return
		}
		t.commands(root)
		var b bytes.Buffer
		c.SetOut(&b)
		plain(c, args)
		c.SetOut(p.out)
		_, _ = io.WriteString(p.out, t.headings(c, b.String()))
	})
	if len(p.args) > 0 && p.args[0] == cobra.ShellCompRequestCmd {
		if t := p.tongue(); t != nil {
			t.commands(root)
		}
	}
}

// commands puts everything that the help says of a command and those below it into the language.
func (t tongue) commands(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	if !c.HasParent() {
		c.InitDefaultHelpCmd()
		c.InitDefaultCompletionCmd()
	}
	c.Short, c.Long, c.Example = t.say(c.Short), t.say(c.Long), t.say(c.Example)
	flag := func(f *pflag.Flag) {
		_, isSetting := f.Value.(*word)
		for s := range config.Settings() {
			if isSetting && s.Flag == f.Name {
				f.Usage = t.describe(s)
				return
			}
		}
		if f.Usage = t.say(f.Usage); f.Name == "help" {
			f.Usage = t.say("help for %s", c.DisplayName())
		}
	}
	c.Flags().VisitAll(flag)
	c.PersistentFlags().VisitAll(flag)
	for _, sub := range c.Commands() {
		t.commands(sub)
	}
}

// titles are what cobra writes itself, at the beginning of a line.
var titles = []string{"Usage:", "Aliases:", "Examples:", "Available Commands:", "Flags:", "Global Flags:"}

const (
	moreHelp     = "Use \"%s [command] --help\" for more information about a command."
	defaultValue = " (default %s)"
)

// headings puts what cobra wrote around the texts into the language.
func (t tongue) headings(c *cobra.Command, help string) string {
	help = "\n" + help
	for _, title := range titles {
		help = strings.Replace(help, "\n"+title+"\n", "\n"+t.say(title)+"\n", 1)
	}
	english := tongue(nil)
	help = strings.Replace(help, english.say(moreHelp, c.CommandPath()), t.say(moreHelp, c.CommandPath()), 1)
	defaults := regexp.MustCompile(strings.Replace(regexp.QuoteMeta(defaultValue), "%s", "(.*)", 1) + "(?m:$)")
	return defaults.ReplaceAllString(help, strings.Replace(t.say(defaultValue), "%s", "$1", 1))[1:]
}

// describe is what the help says of a setting's flag.
func (t tongue) describe(s config.Setting) string {
	help := t.say(s.Help)
	if s.Kind == config.Choice {
		help += ": " + strings.Join(s.Choices, ", ")
	}
	if s.Default != "" && s.Default != "0" {
		help = t.say("%s; %s when not set", help, s.Default)
	}
	return help
}
