package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/sqlite"
	"nebula/internal/tool"
)

func (p *program) protocolCommand() *cobra.Command {
	root := group(&cobra.Command{
		Use:     "protocol",
		Short:   "Look into the languages that models act in",
		Example: "  nebula protocol decode --protocol symops reply.txt\n  nebula protocol stats",
	}, nil)
	name := ""
	decode := &cobra.Command{
		Use:   "decode --protocol NAME [FILE]",
		Short: "Read one model reply and print what it means as JSON",
		Long: "Reads one reply from FILE or standard input. For toolcall it is a Chat Completions message, or its answer as a whole.\n" +
			"Exit code 1 when nothing could be read.",
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error { return p.decode(name, args) },
	}
	decode.Flags().StringVarP(&name, "protocol", "p", "", "`NAME` of the protocol that the reply is written in")
	_ = decode.RegisterFlagCompletionFunc("protocol", cobra.FixedCompletions(protocolNames(), cobra.ShellCompDirectiveNoFileComp))
	root.AddCommand(decode, &cobra.Command{
		Use: "stats", Short: "Show how well each model wrote each protocol, from the record", Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error { return p.protocolStats(c.Context()) },
	})
	return root
}

// A decoded is a reply's meaning in the form that INTERFACE.md promises.
type decoded struct {
	Protocol   string            `json:"protocol"`
	Strategy   nebula.Strategy   `json:"strategy"`
	Confidence float64           `json:"confidence"`
	Say        string            `json:"say"`
	Thoughts   []string          `json:"thoughts"`
	Vitals     decodedVitals     `json:"vitals"`
	Decision   *nebula.Decision  `json:"decision"`
	Questions  []decodedQuestion `json:"questions"`
	Errors     []string          `json:"errors"`
	Actions    []decodedAction   `json:"actions"`
	Repairs    []nebula.Repair   `json:"repairs"`
	Problems   []decodedProblem  `json:"problems"`
}

type decodedVitals struct {
	Confidence *float64 `json:"confidence"`
	Mood       *float64 `json:"mood"`
	Focus      *float64 `json:"focus"`
	Stamina    *float64 `json:"stamina"`
}

type decodedQuestion struct {
	Text    string   `json:"text"`
	Options []string `json:"options"`
}

type decodedProblem struct {
	Line int    `json:"line"`
	Text string `json:"text"`
	Hint string `json:"hint"`
}

type decodedAction struct {
	Type       string          `json:"type"`
	Path       string          `json:"path"`
	DependsOn  *string         `json:"depends_on"`
	Content    string          `json:"content"`
	HasBlock   bool            `json:"has_block"`
	Tool       string          `json:"tool"`
	Args       json.RawMessage `json:"args"`
	Confidence float64         `json:"confidence"`
}

// maxReply bounds a reply that is read from a file.
const maxReply = 64 << 20

func (p *program) decode(name string, args []string) error {
	if name == "" {
		return usage("decode needs --protocol; use one of %s", strings.Join(protocolNames(), ", "))
	}
	speaks, err := speak(name, nebula.ModelInfo{Native: true})
	if err != nil {
		return err
	}
	data, err := p.input(args)
	if err != nil {
		return err
	}
	specs := specs()
	in := speaks.Decode(readReply(speaks.Name(), data), specs)
	enc := json.NewEncoder(p.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(meaning(speaks.Name(), in)); err != nil {
		return err
	}
	if len(in.Actions) == 0 && len(in.Thoughts) == 0 && len(in.Questions) == 0 && len(in.Errors) == 0 && in.Say == "" && in.Decision == nil && in.Vitals == (nebula.Vitals{}) {
		return &exit{exitFailed, ""}
	}
	return nil
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

// specs are what the built-in tools are offered as; that takes no folder.
func specs() []nebula.ToolSpec {
	var list []nebula.ToolSpec
	for _, t := range tool.All(nil, tool.Options{}) {
		list = append(list, t.Spec())
	}
	return list
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
		return nebula.Reply{Text: string(data), Finish: "stop"}
	}
	m, finish := body.message, ""
	if len(body.Choices) > 0 {
		m, finish = body.Choices[0].Message, body.Choices[0].Finish
	}
	r := nebula.Reply{Text: m.Content, Finish: finish}
	for _, c := range m.Calls {
		arguments := string(c.Function.Arguments)
		var quoted string
		if json.Unmarshal(c.Function.Arguments, &quoted) == nil {
			arguments = quoted
		}
		r.Calls = append(r.Calls, nebula.Call{ID: c.ID, Name: c.Function.Name, Arguments: arguments})
	}
	return r
}

func meaning(protocol string, in nebula.Intent) decoded {
	d := decoded{
		Protocol: protocol, Strategy: in.Strategy, Confidence: in.Confidence, Say: in.Say, Thoughts: filled(in.Thoughts),
		Vitals: decodedVitals(in.Vitals), Decision: in.Decision, Errors: filled(in.Errors), Repairs: filled(in.Repairs),
		Questions: []decodedQuestion{}, Actions: []decodedAction{}, Problems: []decodedProblem{},
	}
	for _, q := range in.Questions {
		d.Questions = append(d.Questions, decodedQuestion{q.Text, filled(q.Options)})
	}
	for _, q := range in.Problems {
		d.Problems = append(d.Problems, decodedProblem(q))
	}
	for _, a := range in.Actions {
		d.Actions = append(d.Actions, decodeAction(a))
	}
	return d
}

func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// words are Sym-Ops' names for what tools do.
var words = map[string]string{"writeFile": "create", "editFile": "edit", "patchFile": "edit", "createDirectory": "create",
	"deleteFile": "delete", "executeShell": "run", "runTests": "test"}

func decodeAction(a nebula.Action) decodedAction {
	var args struct {
		Path    string  `json:"path"`
		Command string  `json:"command"`
		Content *string `json:"content"`
		New     *string `json:"new_content"`
	}
	_ = json.Unmarshal(a.Args, &args) // arguments that are no object leave the words empty
	d := decodedAction{Type: or(words[a.Tool], a.Tool), Path: or(args.Path, args.Command), Tool: a.Tool, Args: a.Args, Confidence: a.Confidence}
	if !json.Valid(d.Args) {
		d.Args = json.RawMessage("{}")
	}
	if len(a.DependsOn) > 0 {
		d.DependsOn = &a.DependsOn[0]
	}
	for _, block := range []*string{args.Content, args.New} {
		if block != nil {
			d.Content, d.HasBlock = strings.TrimSuffix(*block, "\n"), true
		}
	}
	return d
}

// A tally counts the replies of one model in one protocol.
type tally struct {
	model, protocol string
	replies         int
	by              map[nebula.Strategy]int
	failed          int
	actions, tokens int
}

func (p *program) protocolStats(ctx context.Context) error {
	return p.withStore(ctx, func(ctx context.Context, store *sqlite.Store, _ string) error {
		list, err := store.Sessions(ctx, "")
		if err != nil {
			return err
		}
		tallies := map[[2]string]*tally{}
		for _, info := range list {
			if err := count(ctx, store, info, tallies); err != nil {
				return err
			}
		}
		return p.writeTallies(tallies)
	}, func() error { return p.writeTallies(nil) })
}

func count(ctx context.Context, store *sqlite.Store, info nebula.SessionInfo, tallies map[[2]string]*tally) error {
	name := info.Model
	for e, err := range store.Load(ctx, info.ID) {
		if err != nil {
			return err
		}
		switch b := e.Body.(type) {
		case nebula.Started:
			name = b.Model
		case nebula.Switched:
			name = or(b.Model, name)
		case nebula.Replied:
			key := [2]string{name, b.Protocol}
			t := tallies[key]
			if t == nil {
				t = &tally{model: name, protocol: b.Protocol, by: map[nebula.Strategy]int{}}
				tallies[key] = t
			}
			t.add(b)
		}
	}
	return nil
}

func (t *tally) add(b nebula.Replied) {
	t.replies++
	if len(b.Intent.Problems) > 0 && len(b.Intent.Actions) == 0 {
		t.failed++
		return
	}
	t.by[b.Intent.Strategy]++
	if n := len(b.Intent.Actions); n > 0 {
		t.actions += n
		t.tokens += b.Reply.Usage.Output
	}
}

func (p *program) writeTallies(tallies map[[2]string]*tally) error {
	list := make([]*tally, 0, len(tallies))
	for _, t := range tallies {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *tally) int { return strings.Compare(a.model+"\x00"+a.protocol, b.model+"\x00"+b.protocol) })
	w := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "model\tprotocol\treplies\tstrict\trepaired\tinferred\tcorrected\tfailed\ttokens/action")
	for _, t := range list {
		per := "-"
		if t.actions > 0 {
			per = fmt.Sprintf("%.1f", float64(t.tokens)/float64(t.actions))
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", t.model, t.protocol, t.replies, t.by[nebula.Strict], t.by[nebula.Repaired],
			t.by[nebula.Inferred], t.by[nebula.Corrected], t.failed, per)
	}
	return w.Flush()
}
