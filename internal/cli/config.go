package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

func (p *program) configCommand() *cobra.Command {
	root := group(&cobra.Command{
		Use:     "config",
		Short:   "Show and change settings",
		Example: "  nebula config set model gpt-4.1-mini\n  nebula config set providers.box.base_url http://localhost:8080/v1\n  nebula config set providers.box.key - < key.txt",
	}, p.showConfig)
	keys := func(c *cobra.Command) *cobra.Command { c.ValidArgsFunction = p.settingNames; return c }
	root.AddCommand(
		&cobra.Command{Use: "path", Short: "Print where the settings file is", Args: atMost(0), RunE: p.configPath},
		&cobra.Command{Use: "show", Short: "Print every setting and where it comes from; never a key", Args: atMost(0), RunE: p.showConfig},
		keys(&cobra.Command{Use: "get KEY", Short: "Print one setting; a key only as set", Args: exactly(1, "a setting's name"), RunE: p.getConfig}),
		keys(&cobra.Command{Use: "set KEY VALUE", Short: "Write one setting; - reads the value from standard input, '' removes it",
			Args: exactly(2, "a setting's name and its value"), RunE: p.setConfig}),
	)
	return root
}

func (p *program) settingNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		if s, _, err := config.Find(args[0]); err == nil {
			return s.Choices, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for s := range config.Settings() {
		if !strings.Contains(s.Name, "*") {
			names = append(names, s.Name+"\t"+p.say(s.Help))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (p *program) configPath(*cobra.Command, []string) error {
	home, err := config.FindHome(p.env)
	if err != nil {
		return usage("%v", err)
	}
	_, err = fmt.Fprintln(p.out, home.File())
	return err
}

// here loads the settings for the folder one is in; a folder that is gone has none.
func (p *program) here() (config.Config, error) {
	dir, err := folder(p.at)
	switch {
	case err != nil && p.at != "":
		return config.Config{}, err
	case err != nil:
		dir = ""
	}
	return p.settings(dir, nil)
}

func (p *program) showConfig(*cobra.Command, []string) error {
	c, err := p.here()
	if err != nil {
		return err
	}
	var t table
	for _, v := range c.Values() {
		t.row(v.Key, v.Text, p.say("(from %s)", p.tongue().source(v.Source)))
	}
	for _, k := range append(keysInEnvironment(c), keptKeys(c)...) {
		t.row(k.setting, "set", p.say("(from %s)", p.tongue().source(k.source)))
	}
	return t.print(p.out)
}

func (p *program) getConfig(_ *cobra.Command, args []string) error {
	if _, _, err := config.Find(args[0]); err != nil {
		return err
	}
	c, err := p.here()
	if err != nil {
		return err
	}
	if v, ok := c.Value(args[0]); ok {
		_, err = fmt.Fprintln(p.out, phrase.Masked(v.Text))
		return err
	}
	return fail(exitFailed, "%s is not set; nebula config set %s VALUE sets it", args[0], args[0])
}

func (p *program) setConfig(_ *cobra.Command, args []string) error {
	key, text := args[0], args[1]
	s, path, err := config.Find(key)
	if err != nil {
		return err
	}
	if text == "-" {
		data, err := io.ReadAll(io.LimitReader(p.in, 64<<10))
		if err != nil {
			return nebula.Errorf("standard input: %w", err)
		}
		text = strings.TrimSpace(string(data))
	}
	of := "" // whose key it is
	if s.Kind == config.Key && path[0] == "providers" {
		of = path[1]
	}
	if of != "" && text != "" {
		if text, err = readKey(text); err != nil {
			return err
		}
	}
	home, err := config.FindHome(p.env)
	if err != nil {
		return usage("%v", err)
	}
	if err := errors.Join(p.putBack(), setting(home, key, text)); err != nil {
		return err
	}
	if of != "" && text != "" {
		p.warn("the key stands in %s as it is, which only you can read; nebula login %s keeps it in the system's key ring instead", home.File(), of)
	}
	if s.Env != "" && p.env(s.Env) != "" {
		p.warn("%s is written, but %s in the environment goes over it", key, s.Env)
	}
	return nil
}

// setting writes one setting, unless a command runs: whatever changes the settings meanwhile may be the command itself,
// and is put back.
func setting(home config.Home, key, text string) error {
	if workspace.Holding(home.Held()) {
		return fail(exitFailed, "a command that nebula runs is not over, and none may change the settings; try again when it has ended")
	}
	return home.Set(key, text)
}

// putBack puts the settings back that a command changed which was cut off, before they are read.
func (p *program) putBack() error {
	home, err := config.FindHome(p.env)
	if err != nil {
		return nil // whoever loads them tells
	}
	changed, err := workspace.PutBack(home.Held(), func(file string) bool { return home.Guards(p.env, file) })
	for _, file := range changed {
		p.warn("%s was changed while a command ran, which only you may do: it is as it was before, and what it was changed to is in %s", file, workspace.Aside(file))
	}
	return err
}
