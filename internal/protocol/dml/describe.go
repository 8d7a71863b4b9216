package dml

import (
	"strings"

	"nebula"
)

// Describe implements nebula.Describer: the files' short names, the state's variables, and the standing instructions
// that matter in the step.
func (Protocol) Describe(s nebula.Surroundings) string {
	var b strings.Builder
	for _, f := range s.Files {
		b.WriteString(bracket("F:"+f.Name+"="+f.Path) + "\n")
	}
	b.WriteString(State([]Variable{
		{"cwd", s.Dir}, {"os", s.OS}, {"last_error", oneLine(s.LastError)}, {"task_plan", strings.Join(s.TaskPlan, "; ")},
	}))
	b.WriteString(Instructions(s.Lang, instructionsFor[s.Step]...))
	return b.String()
}

// instructionsFor are the instructions that matter in each step.
var instructionsFor = map[nebula.Step][]string{
	"PLANNING":  {"no_guesswork", "think_step_by_step"},
	"EXECUTION": {"respect_style", "verify_before_edit"},
	"REVIEW":    {"security_check"},
}

func oneLine(s string) string { return strings.Join(strings.Fields(neutral(s)), " ") }
