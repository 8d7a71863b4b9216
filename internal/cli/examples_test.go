package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
	"nebula/internal/tool"
)

// TestExamplesInEveryProtocol runs the worked examples of the design documents, each in every protocol. A script's line of
// answers that has a "does" is an intent, which is written in the protocol that the script runs in.
func TestExamplesInEveryProtocol(t *testing.T) {
	for _, l := range language.All() {
		t.Run(l.Name(), func(t *testing.T) {
			t.Parallel()
			p := scripts("examples")
			p.UpdateScripts = false // four runs share a file
			before := p.Setup
			p.Setup = func(e *testscript.Env) error {
				e.Setenv("NEBULA_PROTOCOL", l.Name())
				return before(e)
			}
			p.Cmds["model"] = startModel(func(text string) ([]nebulatest.Answer, error) { return played(text, l) })
			testscript.Run(t, p)
		})
	}
}

// played are the answers of a script, its intents written in a protocol.
func played(script string, l language.Row) ([]nebulatest.Answer, error) {
	var lines strings.Builder
	for line := range strings.Lines(script) {
		var p struct{ Does *nebula.Intent }
		if json.Unmarshal([]byte(line), &p) != nil || p.Does == nil {
			lines.WriteString(line)
			continue
		}
		data, err := json.Marshal(inProtocol(*p.Does, l))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&lines, "%s\n", data)
	}
	return nebulatest.ReadAnswers(strings.NewReader(lines.String()))
}

// inProtocol is an intent as a model writes it that knows a protocol: reasons as thoughts where actions have no place for
// them, and a decision where the protocol has one of its own, or else as docs/model-of-work.md has it.
func inProtocol(in nebula.Intent, l language.Row) nebulatest.Answer {
	switch l.Name() {
	case "toolcall", "symops":
		in = decided(in, l.Name() == "toolcall")
	case "actionlist":
		d := nebula.Decision{}
		if in.Decision != nil {
			d = *in.Decision
		}
		d.Rationale = cmp.Or(d.Rationale, strings.Join(in.Thoughts, " "), "as asked")
		d.GoalConsistency, d.ConstraintCheck = cmp.Or(d.GoalConsistency, "yes"), cmp.Or(d.ConstraintCheck, "yes")
		in.Decision = &d
	}
	if l.Name() == "symops" || l.Name() == "dml" {
		for _, a := range in.Actions {
			if a.Reason != "" && !slices.Contains(in.Thoughts, a.Reason) {
				in.Thoughts = append(in.Thoughts, a.Reason)
			}
		}
	}
	r := l.Write(in, tool.Specs())
	a := nebulatest.Answer{Text: r.Text()}
	for _, c := range r.Calls() {
		a.Calls = append(a.Calls, nebulatest.ToolCall{Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
	}
	return a
}

// decided is an intent whose decision stands in its actions: the checks beside their arguments or in a thought, the rest as
// a note of the state.
func decided(in nebula.Intent, beside bool) nebula.Intent {
	d := in.Decision
	if d == nil {
		return in
	}
	in.Decision = nil
	checks := map[string]string{}
	for name, check := range map[string]string{"goal_consistency": d.GoalConsistency, "constraint_check": d.ConstraintCheck} {
		if check != "" {
			checks[name] = check
		}
	}
	note := *d
	note.Rationale, note.GoalConsistency, note.ConstraintCheck, note.StateDelta = "", "", "", nil
	args := merged(note, d.StateDelta)
	for i, a := range in.Actions {
		if beside {
			in.Actions[i].Args = merged(a.Args, checks)
			in.Actions[i].Reason = cmp.Or(a.Reason, d.Rationale)
		}
	}
	if !beside {
		in.Thoughts = append(in.Thoughts, cmp.Or(d.Rationale, "as asked"))
		for name, check := range checks {
			in.Thoughts = append(in.Thoughts, name+": "+check)
		}
	}
	if string(args) != "{}" {
		in.Actions = append([]nebula.Action{{Tool: "updateState", Args: args, Reason: cmp.Or(d.Rationale, "the state")}}, in.Actions...)
	}
	return in
}

// merged is one object with the fields of several values.
func merged(values ...any) json.RawMessage {
	all := map[string]any{}
	for _, v := range values {
		data, _ := json.Marshal(v) // plain values
		var fields map[string]any
		_ = json.Unmarshal(data, &fields)
		maps.Copy(all, fields)
	}
	data, _ := json.Marshal(all)
	return data
}
