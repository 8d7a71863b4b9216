package main

import "github.com/spf13/cobra"

func (p *program) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "Show a recorded conversation, offline and without a key", Args: atMost(0),
		RunE: func(*cobra.Command, []string) error { return usage("no demo in this build") },
	}
}
