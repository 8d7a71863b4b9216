package main

import "github.com/spf13/cobra"

func (p *program) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check what works here: key, model, record, terminal", Args: atMost(0),
		RunE: func(*cobra.Command, []string) error { return usage("no doctor in this build") },
	}
}
