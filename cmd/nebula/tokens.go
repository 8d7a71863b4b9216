package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"nebula/internal/model/token"
	"nebula/internal/protocol/cost"
)

func (p *program) tokensCommand() *cobra.Command {
	name, markdown := "", false
	c := &cobra.Command{
		Use:   "tokens",
		Short: "Count what the same actions cost in every protocol",
		Long: "Writes five sets of actions in every protocol and counts their tokens with a real tokenizer (o200k, that of OpenAI's\n" +
			"current models; others' counts differ by some percent but hardly in proportion). The values alone, that is paths, contents\n" +
			"and commands, are the floor that no protocol can go below.",
		Args: atMost(0),
		RunE: func(*cobra.Command, []string) error { return p.protocolTokens(name, markdown) },
	}
	c.Flags().StringVar(&name, "model", "", "`NAME` of the model whose prices are shown")
	c.Flags().BoolVar(&markdown, "markdown", false, "write Markdown tables")
	_ = c.RegisterFlagCompletionFunc("model", p.modelNames)
	return c
}

func (p *program) protocolTokens(name string, markdown bool) error {
	perMillion := 0.0
	if name != "" {
		conf, err := p.here()
		if err != nil {
			return err
		}
		_, info, err := resolve(conf, p.anyKey, name)
		if err != nil {
			return err
		}
		perMillion = info.OutputUSD
	}
	for i, reasons := range []bool{false, true} {
		title := [2]string{"Actions alone", "With the reason of every action, as nebula asks for"}[i]
		t := cost.Compare(writers(), cost.Sets(), specs(), reasons, token.Count)
		if markdown {
			fmt.Fprintf(p.out, "%s:\n\n%s\n", title, t.Markdown())
			continue
		}
		fmt.Fprintf(p.out, "%s\n\n", title)
		if err := p.writeTokens(t, perMillion); err != nil {
			return err
		}
		fmt.Fprintln(p.out)
	}
	return p.writeTaught(markdown)
}

func writers() []cost.Writer {
	var list []cost.Writer
	for _, l := range languages() {
		list = append(list, cost.Writer{Name: l.Name(), Write: l.write})
	}
	return list
}

// anyKey is the environment with a key for everybody: prices are known without one.
func (p *program) anyKey(name string) string {
	if v := p.env(name); v != "" || !strings.HasSuffix(name, "_API_KEY") {
		return v
	}
	return "none"
}

func (p *program) writeTokens(t cost.Table, perMillion float64) error {
	w := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', tabwriter.AlignRight)
	head := "\t" + strings.Join(t.Sets, "\t") + "\tall\tto native\twithout contents\tto native\tper action\t"
	if perMillion > 0 {
		head += "USD per 1000 actions\t"
	}
	fmt.Fprintln(w, head)
	row := func(name string, tokens []int) {
		fmt.Fprintf(w, "%s\t", name)
		for _, n := range tokens {
			fmt.Fprintf(w, "%d\t", n)
		}
	}
	rest := func(all, bare int, share, shareBare string) {
		each := float64(all) / float64(sum(t.Actions))
		fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%.1f\t", all, share, bare, shareBare, each)
		if perMillion > 0 {
			fmt.Fprintf(w, "%.4f\t", each*perMillion/1000)
		}
		fmt.Fprintln(w)
	}
	contents := sum(t.Contents)
	row("values alone", t.Floor)
	rest(sum(t.Floor), sum(t.Floor)-contents, "", "")
	native := sum(t.Rows[0].Tokens)
	for _, r := range t.Rows {
		all := sum(r.Tokens)
		row(r.Protocol, r.Tokens)
		rest(all, all-contents, cost.Percent(all, native), cost.Percent(all-contents, native-contents))
	}
	return w.Flush()
}

// writeTaught says what every request carries so that the model knows the language and the tools.
func (p *program) writeTaught(markdown bool) error {
	w := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', tabwriter.AlignRight)
	format := "%s\t%v\t%v\t\n"
	if markdown {
		fmt.Fprint(p.out, "What every request carries to teach it, tools included:\n\n| protocol | en | ja |\n|---|---:|---:|\n")
		format = "| %s | %v | %v |\n"
	} else {
		fmt.Fprint(p.out, "What every request carries to teach it, tools included\n\n")
		fmt.Fprintf(w, format, "", "en", "ja")
	}
	for _, l := range languages() {
		counts := [2]int{}
		for i, lang := range []string{"en", "ja"} {
			text, native := l.Teach(specs(), lang)
			counts[i] = token.Count(text)
			for _, t := range native {
				counts[i] += token.Count(t.Name) + token.Count(t.Description) + token.Count(string(t.Schema()))
			}
		}
		if markdown {
			fmt.Fprintf(p.out, format, l.Name(), counts[0], counts[1])
		} else {
			fmt.Fprintf(w, format, l.Name(), counts[0], counts[1])
		}
	}
	return w.Flush()
}

func sum(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}
