package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/record"
)

func (p *program) statsCommand() *cobra.Command {
	output := "text"
	c := &cobra.Command{
		Use:   "stats",
		Short: "Show how well each model wrote each protocol, from the record",
		Long: "Counts the replies of every model at every server: read as written (strict), after named repairs (repaired), with a guess\n" +
			"that was asked about (inferred), after being asked to write it again (corrected), from bare code blocks (extracted), or not\n" +
			"at all (failed), and sums that up by stage. A → B was taught A and answered in B. With --protocol auto, models without native calls get what they\n" +
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
	if err := t.print(p.out); err != nil || len(list) == 0 {
		return err
	}
	return p.writeStages(list)
}

// writeStages says for each protocol what share of the replies was understood by the end of each stage of reading
// (Sym-Ops §7.2). A reply that was written again is one: what could not be read of it at first is not counted beside it.
func (p *program) writeStages(list []nebula.Spoken) error {
	t := table{}
	t.row(strings.Split(p.say("understood by the end of|replies|strict|+ repaired|+ inferred|+ corrected"), "|")...)
	for _, name := range language.Names() {
		var sum nebula.Spoken
		for _, s := range list {
			if s.Protocol == name {
				sum = record.Plus(sum, s)
			}
		}
		of := sum.Replies - min(sum.Corrected, sum.Failed)
		if of == 0 {
			continue
		}
		cells, read := []string{name, strconv.Itoa(of)}, 0
		for _, n := range []int{sum.Strict, sum.Repaired, sum.Inferred + sum.Extracted, sum.Corrected} {
			read += n
			cells = append(cells, fmt.Sprintf("%d %%", (100*read+of/2)/of))
		}
		t.row(cells...)
	}
	if _, err := fmt.Fprintln(p.out); err != nil {
		return err
	}
	return t.print(p.out)
}
