package tool

import (
	"context"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// updateState keeps the thread: the five fixed items, the step and the kind of the next prompt.
type updateState struct{}

// Spec implements nebula.Tool.
func (t *updateState) Spec() nebula.ToolSpec {
	lines := func(name string) nebula.Param {
		return nebula.Param{Name: name, Type: "array", Schema: []byte(`{"type":"array","items":{"type":"string"}}`)}
	}
	listed := func(name string) nebula.Param {
		p := lines(name)
		p.Quiet = true
		return p
	}
	taken := func(name string) nebula.Param { return nebula.Param{Name: name, Type: "string", Quiet: true} }
	return nebula.ToolSpec{
		Name:        "updateState",
		Aliases:     []string{"state_delta", "update_state"},
		Description: "Note where longer work stands.",
		Params: []nebula.Param{
			param("goal", "string", false, ""),
			lines("constraints"), lines("plan_brief"), lines("open_questions"),
			listed("context_refs"), listed("decided"), listed("decision_log"), taken("note"), taken("last_delta"),
			taken("why_now"), taken("step"), taken("next_step"), taken("prompt_pattern"),
		},
		Effect: nebula.Update,
		Quiet:  true,
	}
}

// Propose checks the arguments; what they ask for is the result's decision, which the session carries out as far as
// its state lets it.
func (t *updateState) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		nebula.Delta
		Step          string `json:"step"`
		NextStep      string `json:"next_step"`
		PromptPattern string `json:"prompt_pattern"`
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	ignored := lists.Concat(unknown("next_step", in.NextStep, "done", "pending_user", "defer", "continue"),
		unknown("prompt_pattern", in.PromptPattern, "base_main", "base_main_specialized", "base_specialized"))
	d := &nebula.Decision{Rationale: a.Reason, Step: in.Step, NextStep: in.NextStep, PromptPattern: in.PromptPattern, StateDelta: &in.Delta}
	return nebula.Proposal{
		Effect:  nebula.Update,
		Summary: said(v.Lang, "note where the work stands"),
		Do: func(context.Context, nebula.Run) (nebula.Result, error) {
			return nebula.Result{Text: strings.Join(append([]string{"noted"}, ignored...), "; "), Summary: said(v.Lang, "noted"), Decision: d}, nil
		},
	}, nil
}

// unknown says of a value that has no effect that it was not taken.
func unknown(name, value string, known ...string) []string {
	if value == "" || lists.Has(known, value) {
		return nil
	}
	return []string{fmt.Sprintf("%s %q was not taken: it is one of %s", name, phrase.OneLine(value, 80), strings.Join(known, ", "))}
}
