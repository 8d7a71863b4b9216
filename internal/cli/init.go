package cli

import (
	"github.com/spf13/cobra"

	"nebula/internal/command"
	"nebula/internal/headless"
)

// initCommand is the command of that name of a session, in the shell. No model is asked.
func (p *program) initCommand() *cobra.Command {
	s := &session{program: p}
	c := &cobra.Command{
		Use: "init", Short: "Try what builds, checks and tests this folder, and write down what works", Args: atMost(0),
		Long: "The commands that the folder's own files name are run, confined and with your leave, and those that end well are written into AGENTS.md, which agents read.\nNothing else is written: a file that is there is added to, and keeps what it says; where CLAUDE.md or one like it is there alone, the new one brings it in.",
		RunE: func(c *cobra.Command, _ []string) (err error) {
			defer func() { s.unbegun(err) }()
			if err := choice("output", s.output, headless.Outputs); err != nil {
				return err
			}
			if err := s.settle(c); err != nil {
				return err
			}
			row, _ := command.Find(c.Name())
			s.actions, s.first = command.Begin(), row.Text(s.config.Lang).Asks
			return s.through(c.Context(), once())
		},
	}
	s.flags(c.Flags())
	for _, name := range []string{"continue", "session", "image", "record", "replay"} {
		_ = c.Flags().MarkHidden(name)
	}
	oneOf(c, &s.output, "output", "o", "text", "what goes to standard output", headless.Outputs...)
	s.completions(c)
	return c
}
