package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"nebula/internal/update"
)

// What the builder of a release sets by -ldflags -X: its version, where releases are found, and the key that signs them.
// A nebula that was built from source has none.
var released, releases, releaseKey string

func (p *program) updateCommand() *cobra.Command {
	yes := false
	c := &cobra.Command{
		Use:   "update",
		Short: "See whether there is a newer release, and take it",
		Long: "The release's list of checksums must be signed by the key that this nebula was built with; what is fetched must be on it, start, and be\n" +
			"the version it says. Only then does it take the place of this program, in one step. Nothing is ever looked for unasked.",
		Example: "  nebula update\n  nebula update --yes",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if releases == "" || releaseKey == "" {
				return fail(exitFailed, "this nebula was built from source and knows no releases; build it again from a newer commit")
			}
			at, err := os.Executable()
			if err == nil {
				at, err = filepath.EvalSymlinks(at)
			}
			if err != nil {
				return err
			}
			return p.update(c.Context(), update.Source{URL: releases, Key: releaseKey}, at, yes)
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "take it, if there is one")
	return c
}

// update looks for a newer release than this one and, if that was said, puts it at a path.
func (p *program) update(ctx context.Context, from update.Source, at string, yes bool) error {
	offer, err := from.Find(ctx)
	if err != nil {
		return err
	}
	if !offer.Newer(released) {
		fmt.Fprintln(p.out, p.say("nebula %s is the newest release.", released))
		return nil
	}
	fmt.Fprintln(p.out, p.say("nebula %s is there; this is %s.", offer.Version, released))
	if how := update.Keeper(at); how != "" {
		fmt.Fprintln(p.out, p.say("%s was put there by a package manager, which brings the newer one: %s", at, how))
		return nil
	}
	if !yes {
		fmt.Fprintln(p.out, p.say("nebula update --yes puts it in the place of %s.", at))
		return nil
	}
	binary, err := offer.Fetch(ctx)
	if err != nil {
		return err
	}
	if err := update.Replace(ctx, at, binary, offer.Version); err != nil {
		return err
	}
	fmt.Fprintln(p.out, p.say("%s is nebula %s now; sessions that run go on with the old one until they end.", at, offer.Version))
	return nil
}
