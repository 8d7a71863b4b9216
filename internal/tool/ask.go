package tool

import (
	"context"
	"strings"

	"nebula"
)

type askUser struct{}

// Spec implements nebula.Tool.
func (t *askUser) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name:        "askUser",
		Description: "Ask the user.",
		Params: []nebula.Param{
			param("question", "string", true, ""),
			{Name: "options", Type: "array", Schema: []byte(`{"type":"array","items":{"type":"string"}}`)},
		},
		Effect: nebula.Ask,
	}
}

// Propose checks the question. The agent puts it to the person; there is nothing to do.
func (t *askUser) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Question string
		Options  []string
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	q := nebula.Question{Text: strings.TrimSpace(in.Question)}
	if q.Text == "" {
		return nebula.Proposal{}, mistake("The question is empty.", "Ask what you need to know.")
	}
	for _, o := range in.Options {
		if o = strings.TrimSpace(o); o != "" {
			q.Options = append(q.Options, o)
		}
	}
	return nebula.Proposal{Effect: nebula.Ask, Summary: said(v.Lang, "ask: %s", q.Text), Question: &q}, nil
}
