package cli

import (
	"encoding/json"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/protocol"
	"nebula/internal/protocol/symops"
	"nebula/internal/tool"
)

func (p *program) protocolCommand() *cobra.Command {
	root := group(&cobra.Command{
		Use:     "protocol",
		Short:   "Look into the languages that models act in",
		Example: "  nebula protocol decode --protocol symops reply.txt\n  nebula protocol stats",
	}, nil)
	name, debug := "", false
	decode := &cobra.Command{
		Use:   "decode --protocol NAME [FILE]",
		Short: "Read one model reply and print what it means as JSON",
		Long: "Reads one reply from FILE or standard input. For toolcall it is a Chat Completions message, or its answer as a whole.\n" +
			"Exit code 1 when nothing could be read.",
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error { return p.decode(name, debug, args) },
	}
	decode.Flags().BoolVar(&debug, "debug", false, "show the reply before it, what each repair made of its line, and how the language writes what was read")
	decode.Flags().StringVarP(&name, "protocol", "p", "", "`NAME` of the protocol that the reply is written in")
	_ = decode.RegisterFlagCompletionFunc("protocol", cobra.FixedCompletions(language.Names(), cobra.ShellCompDirectiveNoFileComp))
	root.AddCommand(decode, p.statsCommand(), p.tokensCommand())
	return root
}

// maxReply bounds a reply that is read from a file.
const maxReply = 64 << 20

func (p *program) decode(name string, debug bool, args []string) error {
	if name == "" {
		return usage("decode needs --protocol; use one of %s", strings.Join(language.Names(), ", "))
	}
	speaks, err := speak(name, nebula.ModelInfo{Native: true})
	if err != nil {
		return err
	}
	data, err := p.input(args)
	if err != nil {
		return err
	}
	reply := readReply(speaks.Name(), data)
	report := report(speaks, reply, tool.Specs())
	if row, ok := language.Named(speaks.Name()); ok && debug {
		p.show(decoding{row, reply, speaks.Decode(reply, tool.Specs())})
	}
	enc := json.NewEncoder(p.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(report); err != nil {
		return err
	}
	if report.Empty() {
		return fail(exitFailed, "")
	}
	return nil
}

// report is a reply's meaning; a protocol that has words of its own for it uses them.
func report(speaks nebula.Protocol, r nebula.Reply, specs []nebula.ToolSpec) protocol.Report {
	if speaks.Name() == (symops.Protocol{}).Name() {
		return symops.Report(r, specs)
	}
	return protocol.ReportOf(speaks.Decode(r, specs), speaks.Name())
}

func (p *program) input(args []string) ([]byte, error) {
	from := p.in
	if len(args) == 1 && args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return nil, usage("%v; name a file that holds one reply, or - for standard input", err)
		}
		defer f.Close()
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, maxReply))
	if err != nil {
		return nil, usage("the reply cannot be read: %v; name a file", err)
	}
	return data, nil
}

// readReply takes text as it is; for native calls it takes a message as Chat Completions writes one.
func readReply(protocol string, data []byte) nebula.Reply {
	type message struct {
		Content string `json:"content"`
		Calls   []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	}
	var body struct {
		message
		Choices []struct {
			Message message `json:"message"`
			Finish  string  `json:"finish_reason"`
		} `json:"choices"`
	}
	if protocol != "toolcall" || json.Unmarshal(data, &body) != nil {
		return nebula.Reply{Parts: nebula.Text(string(data)), Finish: "stop"}
	}
	m, finish := body.message, ""
	if len(body.Choices) > 0 {
		m, finish = body.Choices[0].Message, body.Choices[0].Finish
	}
	r := nebula.Reply{Parts: nebula.Text(m.Content), Finish: finish}
	for _, c := range m.Calls {
		arguments := string(c.Function.Arguments)
		var quoted string
		if json.Unmarshal(c.Function.Arguments, &quoted) == nil {
			arguments = quoted
		}
		call := nebula.Call{ID: c.ID, Name: c.Function.Name, Arguments: arguments}
		r.Parts = append(r.Parts, nebula.PartsOf("", "", call)...)
	}
	return r
}
