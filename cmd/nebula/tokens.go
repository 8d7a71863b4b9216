package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/model/token"
)

func (p *program) tokensCommand() *cobra.Command {
	name := ""
	c := &cobra.Command{
		Use:   "tokens",
		Short: "Count what the same actions cost in every protocol",
		Long: "Writes the same actions in every protocol and counts their tokens with a real tokenizer (o200k, that of OpenAI's current\n" +
			"models; others' counts differ by some percent but hardly in proportion). Taught is what each request carries for it.",
		Args: atMost(0),
		RunE: func(*cobra.Command, []string) error { return p.protocolTokens(name) },
	}
	c.Flags().StringVar(&name, "model", "", "`NAME` of the model whose prices are shown")
	_ = c.RegisterFlagCompletionFunc("model", p.modelNames)
	return c
}

// samples are turns as they happen at work: one file written, a small change, a look and a run, and all of it at once.
func samples() []sample {
	code := "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfor i := range 10 {\n\t\tif i%2 == 0 {\n\t\t\tfmt.Printf(\"%d is even\\n\", i)\n\t\t}\n\t}\n}\n"
	create := act("writeFile", "the program that was asked for", map[string]any{"path": "cmd/even/main.go", "content": code})
	edit := act("editFile", "print odd numbers too", map[string]any{"path": "cmd/even/main.go", "new_content": strings.Replace(code, "== 0", "!= 3", 1)})
	read := act("readFile", "to see how it is written", map[string]any{"path": "internal/store/store.go"})
	run := act("executeShell", "to see that it works", map[string]any{"command": "go run ./cmd/even"})
	test := act("runTests", "to prove it", map[string]any{"command": "go test ./..."})
	remove := act("deleteFile", "nothing uses it any more", map[string]any{"path": "old/even.go"})
	return []sample{
		{"write a file", []nebula.Action{create}},
		{"read and run", []nebula.Action{read, run}},
		{"rewrite a file, test", []nebula.Action{edit, test}},
		{"six actions", []nebula.Action{read, create, edit, remove, run, test}},
	}
}

type sample struct {
	name    string
	actions []nebula.Action
}

func act(tool, reason string, args map[string]any) nebula.Action {
	raw, _ := json.Marshal(args) // strings always marshal
	return nebula.Action{Tool: tool, Reason: reason, Args: raw, Confidence: 1}
}

func (p *program) protocolTokens(name string) error {
	specs := specs()
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
	w := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "protocol\t")
	for _, s := range samples() {
		fmt.Fprintf(w, "%s\t", s.name)
	}
	fmt.Fprint(w, "per action\ttaught\t")
	if perMillion > 0 {
		fmt.Fprint(w, "USD per 1000 actions\t")
	}
	fmt.Fprintln(w)
	for _, l := range languages() {
		writeCounts(w, l, specs, perMillion)
	}
	return w.Flush()
}

// anyKey is the environment with a key for everybody: prices are known without one.
func (p *program) anyKey(name string) string {
	if v := p.env(name); v != "" || !strings.HasSuffix(name, "_API_KEY") {
		return v
	}
	return "none"
}

func writeCounts(w *tabwriter.Writer, l language, specs []nebula.ToolSpec, perMillion float64) {
	fmt.Fprintf(w, "%s\t", l.Name())
	all, actions := 0, 0
	for _, s := range samples() {
		n := tokensOf(l.write(nebula.Intent{Actions: s.actions}, specs))
		all, actions = all+n, actions+len(s.actions)
		fmt.Fprintf(w, "%d\t", n)
	}
	each := float64(all) / float64(actions)
	text, native := l.Teach(specs, "en")
	taught := token.Count(text)
	for _, t := range native {
		taught += token.Count(t.Name) + token.Count(t.Description) + token.Count(string(t.Schema()))
	}
	fmt.Fprintf(w, "%.1f\t%d\t", each, taught)
	if perMillion > 0 {
		fmt.Fprintf(w, "%.4f\t", each*perMillion/1000)
	}
	fmt.Fprintln(w)
}

// tokensOf counts what a model has to write: the text, and names and arguments of native calls.
func tokensOf(r nebula.Reply) int {
	n := token.Count(r.Text)
	for _, c := range r.Calls {
		n += token.Count(c.Name) + token.Count(c.Arguments)
	}
	return n
}
