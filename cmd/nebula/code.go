package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/index"
	"nebula/internal/model"
	"nebula/internal/workspace"
)

// evidenceTokens are what a request carries of the map at most. It shares the room of the second layer.
const evidenceTokens = 600

// settling is how long a session is open before its folder is gone through: one that is over sooner pays nothing.
const settling = time.Second

// code is the index of the folder. Nothing is opened before it is asked.
func (s *session) code(work *workspace.Dir) *index.Index {
	code := index.New(work, index.File(s.config.Home.Record, s.dir))
	if v, ok := s.config.Value("embeddings"); ok && v.Text != "" {
		code.Embed(index.Embedding{Name: v.Text, Embed: func(ctx context.Context, texts []string) ([][]float32, error) {
			at, _, err := resolve(s.config, s.env, s.words, v.Text)
			if err != nil {
				return nil, err
			}
			return model.Embed(ctx, at, texts)
		}})
	}
	return code
}

// evidence looks up what a request is about. A recording has to be asked the same again, whatever the folder is like by
// then: it goes without.
func (s *session) evidence(code *index.Index) func(string) string {
	if s.record != "" || s.replay != "" {
		return nil
	}
	return func(request string) string { return code.Evidence(request, evidenceTokens, model.Estimate) }
}

// stale compares what was read with what is there now.
func stale(work *workspace.Dir) func([]nebula.FileRef) []nebula.FileRef {
	return func(refs []nebula.FileRef) (changed []nebula.FileRef) {
		for _, ref := range refs {
			if data, _, err := work.Read(ref.Path, 0); err != nil || nebula.Hash(data) != ref.Hash {
				changed = append(changed, ref)
			}
		}
		return changed
	}
}

func (p *program) mapCommand() *cobra.Command {
	m := &mapping{session: &session{program: p}}
	c := &cobra.Command{
		Use:   "map [REQUEST…]",
		Short: "Print the files that everything refers to, with what they define",
		Long: "Prints the map of this folder that a request carries: the files that the others refer to most, those first that the\n" +
			"request is about, with their signatures, in at most --tokens tokens.",
		Example: "  nebula map\n  nebula map \"add a priority to todos\" --tokens 2000",
		Args:    cobra.ArbitraryArgs,
		RunE:    m.run,
	}
	c.Flags().StringVar(&m.dir, "dir", "", "`DIR`: the folder, instead of this one")
	c.Flags().IntVar(&m.tokens, "tokens", 1000, "`N`: the map is at most this long")
	c.Flags().StringVarP(&m.output, "output", "o", "text", "`text|json`: what goes to standard output")
	return c
}

// mapping is the map command with its flags.
type mapping struct {
	*session
	tokens int
	output string
}

func (m *mapping) run(c *cobra.Command, args []string) error {
	if err := choice("output", m.output, []string{"text", "json"}); err != nil {
		return err
	}
	if m.tokens < 1 {
		return usage("--tokens %d: give a number of 1 or more", m.tokens)
	}
	if err := m.settle(c); err != nil {
		return err
	}
	work, err := workspace.Open(m.session.dir, nil, m.own()...)
	if err != nil {
		return fail(exitNoFolder, "%w", err)
	}
	defer work.Close()
	code := m.code(work)
	defer code.Close()
	return m.print(c.Context(), code, strings.Join(args, " "))
}

// making is how long the command waits for a first index.
const making = 10 * time.Minute

func (m *mapping) print(ctx context.Context, code *index.Index, request string) error {
	if _, err := code.Refresh(ctx, making); err != nil {
		return fail(exitRecord, "%w", err)
	}
	files, age, err := code.Map(ctx, request)
	if err != nil {
		return fail(exitRecord, "%w", err)
	}
	if age.Notice != "" {
		m.warn("%s", nebula.Say(age.Notice))
	}
	layers, err := code.Layers(request)
	if err != nil {
		return fail(exitRecord, "%w", err)
	}
	if m.output == "json" {
		return json.NewEncoder(m.out).Encode(struct {
			Files  []index.Sketch `json:"files"`
			Layers index.Layers   `json:"layers"`
		}{files, layers})
	}
	if len(files) == 0 {
		_, err := fmt.Fprintln(m.err, m.say("no code in this folder"))
		return err
	}
	head := ""
	if text := layers.String(); text != "" {
		head = text + "\n\n"
	}
	_, err = fmt.Fprint(m.out, head, index.Fit(files, m.tokens-model.Estimate(head), model.Estimate))
	return err
}
