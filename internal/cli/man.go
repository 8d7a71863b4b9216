package cli

import (
	"fmt"
	"runtime/debug"
	"time"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

// manCommand writes the manual page that packages carry, from the same commands and flags as the help.
func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Hidden: true, Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, c.Root())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(p.out, page.Build(dated{roff.NewDocument()}))
			return err
		},
	}
}

// dated is a page as old as the commit it was built from, so that the same commit gives the same page.
type dated struct{ *roff.Document }

// Heading implements [github.com/muesli/mango.Builder].
func (d dated) Heading(section uint, title, description string, _ time.Time) {
	when := time.Unix(0, 0)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); err == nil && s.Key == "vcs.time" {
				when = at
			}
		}
	}
	d.Document.Heading(section, title, description, when.UTC())
}
