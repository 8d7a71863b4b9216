package main

import "github.com/spf13/cobra"

func (p *program) replayCommand() *cobra.Command {
	return &cobra.Command{
		Use: "replay ID", Short: "Run a recorded session again against its recorded replies", Args: exactly(1, "a session's ID"),
		RunE: func(*cobra.Command, []string) error { return usage("no replay in this build") },
	}
}
