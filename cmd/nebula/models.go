package main

import "github.com/spf13/cobra"

func (p *program) modelsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "models", Short: "List the models that can be used now", Args: atMost(0),
		RunE: func(*cobra.Command, []string) error { return usage("no list in this build") },
	}
}
