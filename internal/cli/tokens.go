package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/model/token"
	"nebula/internal/phrase"
	"nebula/internal/protocol/cost"
	"nebula/internal/tool"
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
		_, info, err := resolve(conf, p.anyKey, p.words, name)
		if err != nil {
			return err
		}
		perMillion = info.OutputUSD
	}
	for i, reasons := range []bool{false, true} {
		title := p.words([]nebula.Words{nebula.Say("Actions alone"), nebula.Say("With the reason of every action, as nebula asks for")}[i])
		t := cost.Compare(writers(), cost.Sets(), tool.Specs(), reasons, token.Count)
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
	for _, l := range language.All() {
		list = append(list, cost.Writer{Name: l.Name(), Write: l.Write})
	}
	return append(list, cost.Writer{Name: "JSON, as short as can be", Write: cost.JSON})
}

// anyKey is the environment with a key for everybody: prices are known without one.
func (p *program) anyKey(name string) string {
	if v := p.env(name); v != "" || !strings.HasSuffix(name, "_API_KEY") {
		return v
	}
	return "none"
}

func (p *program) writeTokens(t cost.Table, perMillion float64) error {
	out := table{right: true}
	head := []string{""}
	for _, set := range t.Sets {
		head = append(head, p.say(set))
	}
	head = append(head, strings.Split(p.say("all|to native|without contents|to native|per action"), "|")...)
	if perMillion > 0 {
		head = append(head, p.say("USD per 1000 actions"))
	}
	out.row(head...)
	row := func(name string, tokens []int, all, bare int, share, shareBare string) {
		cells := []string{name}
		for _, n := range tokens {
			cells = append(cells, strconv.Itoa(n))
		}
		each := float64(all) / float64(sum(t.Actions))
		cells = append(cells, strconv.Itoa(all), share, strconv.Itoa(bare), shareBare, fmt.Sprintf("%.1f", each))
		if perMillion > 0 {
			cells = append(cells, fmt.Sprintf("%.4f", each*perMillion/1000))
		}
		out.row(cells...)
	}
	contents := sum(t.Contents)
	row(p.say("values alone"), t.Floor, sum(t.Floor), sum(t.Floor)-contents, "", "")
	native := sum(t.Rows[0].Tokens)
	for _, r := range t.Rows {
		all := sum(r.Tokens)
		row(r.Protocol, r.Tokens, all, all-contents, cost.Percent(all, native), cost.Percent(all-contents, native-contents))
	}
	return out.print(p.out)
}

// writeTaught says what every request carries so that the model knows the language and the tools.
func (p *program) writeTaught(markdown bool) error {
	out := table{right: true}
	title := p.say("What every request carries to teach it, tools included")
	if markdown {
		fmt.Fprintf(p.out, "%s:\n\n| %s | %s |\n|---|%s\n", title, p.say("protocol"), strings.Join(phrase.Langs(), " | "), strings.Repeat("---:|", len(phrase.Langs())))
	} else {
		fmt.Fprintf(p.out, "%s\n\n", title)
		out.row(append([]string{""}, phrase.Langs()...)...)
	}
	for _, l := range language.All() {
		cells := []string{l.Name()}
		for _, lang := range phrase.Langs() {
			text, native := l.Protocol.Teach(nebula.Offered(tool.Specs()), lang)
			n := token.Count(text)
			for _, t := range native {
				n += token.Count(t.Name) + token.Count(t.Description) + token.Count(string(t.Schema()))
			}
			cells = append(cells, strconv.Itoa(n))
		}
		if markdown {
			fmt.Fprintf(p.out, "| %s |\n", strings.Join(cells, " | "))
		} else {
			out.row(cells...)
		}
	}
	return out.print(p.out)
}

func sum(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}
