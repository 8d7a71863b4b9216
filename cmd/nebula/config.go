package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"nebula/internal/config"
)

func (p *program) configCommand() *cobra.Command {
	root := group(&cobra.Command{
		Use:     "config",
		Short:   "Show and change settings",
		Example: "  nebula config set model gpt-4.1-mini\n  nebula config set providers.box.base_url http://localhost:8080/v1\n  nebula config set providers.box.key - < key.txt",
	}, p.showConfig)
	keys := func(c *cobra.Command) *cobra.Command { c.ValidArgsFunction = settingNames; return c }
	root.AddCommand(
		&cobra.Command{Use: "path", Short: "Print where the settings file is", Args: atMost(0), RunE: p.configPath},
		&cobra.Command{Use: "show", Short: "Print every setting and where it comes from; never a key", Args: atMost(0), RunE: p.showConfig},
		keys(&cobra.Command{Use: "get KEY", Short: "Print one setting; a key only as set", Args: exactly(1, "a setting's name"), RunE: p.getConfig}),
		keys(&cobra.Command{Use: "set KEY VALUE", Short: "Write one setting; - reads the value from standard input, '' removes it",
			Args: exactly(2, "a setting's name and its value"), RunE: p.setConfig}),
	)
	return root
}

func settingNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		if s, _, err := config.Find(args[0]); err == nil {
			return s.Choices, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, s := range config.Settings() {
		if !strings.Contains(s.Name, "*") {
			names = append(names, s.Name+"\t"+s.Help)
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
	dir, err := folder("")
	if err != nil {
		dir = ""
	}
	return p.settings(dir, nil)
}

func (p *program) showConfig(*cobra.Command, []string) error {
	c, err := p.here()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', 0)
	for _, v := range c.Values() {
		fmt.Fprintf(w, "%s\t%s\t(from %s)\n", v.Key, v.Text, v.Source)
	}
	for _, k := range keysInEnvironment(c) {
		fmt.Fprintf(w, "%s\tset\t(from %s)\n", k.setting, k.source)
	}
	return w.Flush()
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
		_, err = fmt.Fprintln(p.out, v.Text)
		return err
	}
	return &exit{exitFailed, args[0] + " is not set; nebula config set " + args[0] + " VALUE sets it"}
}

func (p *program) setConfig(_ *cobra.Command, args []string) error {
	key, text := args[0], args[1]
	s, _, err := config.Find(key)
	if err != nil {
		return err
	}
	if text == "-" {
		data, err := io.ReadAll(io.LimitReader(p.in, 64<<10))
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		text = strings.TrimSpace(string(data))
	}
	home, err := config.FindHome(p.env)
	if err != nil {
		return usage("%v", err)
	}
	if err := home.Set(key, text); err != nil {
		return err
	}
	if s.Env != "" && p.env(s.Env) != "" {
		p.warn(fmt.Sprintf("%s is written, but %s in the environment goes over it", key, s.Env))
	}
	return nil
}
