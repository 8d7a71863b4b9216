package main

import "github.com/spf13/cobra"

func (p *program) protocolCommand() *cobra.Command {
	return group(&cobra.Command{Use: "protocol", Short: "Look into the languages that models act in"}, nil)
}
