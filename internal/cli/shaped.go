package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"nebula"
	"nebula/internal/answer"
	"nebula/internal/headless"
	"nebula/internal/phrase"
)

// shapedAgain is how often an answer is asked for again that does not fit.
const shapedAgain = 2

// filesOnly answers an address where a file belongs.
const filesOnly = "%s %s: only files are read; download it, and name the file"

// shape reads the schema of --schema.
func (s *session) shape(file string) (*answer.Schema, error) {
	if s.output == string(headless.Stream) || s.plans {
		return nil, usage("--schema goes with the outputs text and json, and not with --plan")
	}
	if strings.Contains(file, "://") {
		return nil, usage(filesOnly, "--schema", file)
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.dir, file)
	}
	data, err := readSmall(file)
	if err != nil {
		return nil, usage("--schema %s: %v; name a file that holds a JSON Schema", file, cause(err))
	}
	if phrase.Withheld(string(data)) != string(data) {
		return nil, usage("--schema %s: a key stands in it, and it would be sent to the model; take it out", file)
	}
	schema, err := answer.Read(data)
	if err != nil {
		return nil, usage("--schema %s: %w", file, err)
	}
	return schema, nil
}

// shaped carries one request through, whose answer has to fit a schema. What does not is asked for again, in words alone.
func (h *host) shaped(ctx context.Context, c nebula.Conversation) error {
	r := h.request()
	r.Prompt, r.Stdout, r.Live = r.Prompt+"\n\n"+h.schema.Wanted(h.config.Lang), io.Discard, false
	var sum nebula.Usage
	for tried, steps := 0, 0; ; tried++ {
		end, err := headless.Run(ctx, c, r)
		h.began = end.Session != ""
		if err != nil && !errors.Is(err, headless.ErrNoEnd) {
			return err
		}
		sum, steps = sum.Plus(end.Usage), steps+end.Steps
		end.Usage, end.Steps = sum, steps
		if !end.Status.Did() {
			headless.Unbegun(h.out, headless.Output(h.output), end.Outcome)
			return h.verdict(end.Outcome)
		}
		value, misfit := h.schema.Take(end.Text)
		switch {
		case misfit == nil:
			return h.gave(string(value), end.Outcome)
		case tried == shapedAgain:
			said := nebula.Say("the answer does not fit the schema at %s: %s", misfit.Path, misfit.Text)
			end.Status, end.Text = nebula.TurnFailed, h.words(said)
			headless.Unbegun(h.out, headless.Output(h.output), end.Outcome)
			return &exit{exitFailed, said}
		}
		r.Prompt, r.Schema, r.After, r.Images, r.Actions = h.schema.Again(h.config.Lang, misfit), h.schema.JSON(), end.Seq, nil, nil
	}
}

// gave writes the answer as the output wants it.
func (h *host) gave(value string, o nebula.Outcome) error {
	if h.output == string(headless.JSON) {
		o.Text = value
		headless.Unbegun(h.out, headless.JSON, o)
		return nil
	}
	_, err := fmt.Fprintln(h.out, value)
	return err
}
