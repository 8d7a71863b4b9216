package protocol

import (
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Steps, NextSteps and Patterns are the words of a decision's closed fields (Duckflow v3 §4.1, §7.1, §10.4).
var (
	Steps     = []string{"PLANNING", "EXECUTION", "REVIEW", "AWAITING_APPROVAL", "DONE"}
	NextSteps = []string{"done", "pending_user", "defer", "continue"}
	Patterns  = []string{"base_main", "base_main_specialized", "base_specialized"}
)

// Decide sets a field of a decision by its name. It reports whether there is such a field, and what is wrong with a
// value that is none of the field's words; such a value is not set.
func Decide(d *nebula.Decision, key, value string) (known bool, problem string) {
	value = strings.TrimSpace(value)
	if pends(fold(key), strings.ToLower(value)) && !lists.Has(Steps, strings.ToUpper(value)) {
		d.NextStep = "pending_user"
		return true, ""
	}
	switch fold(key) {
	case "rationale":
		d.Rationale = value
	case "goalconsistency":
		d.GoalConsistency = value
	case "constraintcheck":
		d.ConstraintCheck = value
	case "nextstep":
		d.NextStep, problem = oneOf("next_step", value, NextSteps)
	case "step":
		d.Step, problem = oneOf("step", value, Steps)
	case "promptpattern":
		d.PromptPattern, problem = oneOf("prompt_pattern", value, Patterns)
	default:
		return false, ""
	}
	return true, problem
}

// oneOf finds the word that a value is or begins with, in any case.
func oneOf(key, value string, words []string) (word, problem string) {
	if value == "" {
		return "", ""
	}
	first := value
	if i := strings.IndexAny(value, " \t\n(（:：,、/"); i > 0 {
		first = value[:i]
	}
	for _, form := range []string{value, first} {
		if i := slices.IndexFunc(words, func(w string) bool { return fold(w) == fold(form) }); i >= 0 {
			return words[i], ""
		}
	}
	return "", fmt.Sprintf("%s must be one of %s, not %q", key, strings.Join(words, ", "), Clip(value, 40))
}

// Feel sets one of the vitals by its name or its letter. Values over 1 are read as percent.
func Feel(v *nebula.Vitals, key string, value float64) bool {
	if value < 0 || value > 100 || value != value {
		return false
	}
	if value > 1 {
		value /= 100
	}
	switch fold(key) {
	case "confidence", "c":
		v.Confidence = &value
	case "mood", "m":
		v.Mood = &value
	case "focus", "f":
		v.Focus = &value
	case "stamina", "s":
		v.Stamina = &value
	default:
		return false
	}
	return true
}

// Shift sets a field of a delta by its name. Lists are written with semicolons between their entries.
func Shift(d *nebula.Delta, key, value string) bool {
	switch fold(strings.TrimPrefix(key, "state_delta.")) {
	case "goal":
		d.Goal = &value
	case "whynow":
		d.WhyNow = &value
	case "constraints":
		d.Constraints = entries(value)
	case "planbrief":
		d.PlanBrief = entries(value)
	case "openquestions":
		d.OpenQuestions = entries(value)
	case "contextrefs":
		d.ContextRefs = entries(value)
	case "decided":
		d.Decided = *entries(value)
	case "statedelta", "note":
		d.Note = value
	default:
		return false
	}
	return true
}

func entries(value string) *[]string {
	list := []string{}
	for _, entry := range strings.FieldsFunc(value, func(r rune) bool { return r == ';' || r == '；' }) {
		if entry = strings.TrimSpace(entry); entry != "" {
			list = append(list, entry)
		}
	}
	return &list
}
