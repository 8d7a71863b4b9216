package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
)

func (p *program) statsCommand() *cobra.Command {
	output := "text"
	c := &cobra.Command{
		Use:   "stats",
		Short: "Show how well each model wrote each protocol, from the record",
		Long: "Counts the replies of every model at every server: read as written (strict), after named repairs (repaired), with a guess\n" +
			"that was asked about (inferred), after being asked to write it again (corrected), from bare code blocks (extracted), or not\n" +
			"at all (failed). A → B was taught A and answered in B. With --protocol auto, models without native calls get what they\n" +
			"wrote best.",
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := choice("output", output, []string{"text", "json"}); err != nil {
				return err
			}
			return p.protocolStats(c.Context(), output)
		},
	}
	oneOf(c, &output, "output", "o", "text", "what goes to standard output", "text", "json")
	return c
}

func (p *program) protocolStats(ctx context.Context, output string) error {
	write := p.writeSpoken
	if output == "json" {
		write = func(list []nebula.Spoken) error {
			return json.NewEncoder(p.out).Encode(append([]nebula.Spoken{}, list...))
		}
	}
	return p.withStore(ctx, func(ctx context.Context, store nebula.Store, _ string) error {
		list, err := store.Spoken(ctx, "", "")
		if err != nil {
			return err
		}
		return write(list)
	}, func() error { return write(nil) })
}

func (p *program) writeSpoken(list []nebula.Spoken) error {
	t := table{}
	t.row(strings.Split(p.say("model|protocol|replies|strict|repaired|inferred|corrected|extracted|failed|tokens/action|server"), "|")...)
	for _, s := range list {
		name := s.Protocol
		if s.Dialect != "" {
			name += " → " + s.Dialect
		}
		per := "-"
		if s.Actions > 0 {
			per = fmt.Sprintf("%.1f", float64(s.Tokens)/float64(s.Actions))
		}
		cells := []string{s.Model, name}
		for _, n := range []int{s.Replies, s.Strict, s.Repaired, s.Inferred, s.Corrected, s.Extracted, s.Failed} {
			cells = append(cells, strconv.Itoa(n))
		}
		t.row(append(cells, per, cmp.Or(s.Server, "-"))...)
	}
	return t.print(p.out)
}
