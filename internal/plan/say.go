package plan

import (
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

// The codes of what becomes of plans and steps that have arguments; the others stand in the catalogues alone.
const (
	Skipped    = "skipped_step"
	Retried    = "retried_step"
	Added      = "added_step"
	Removed    = "removed_step"
	Altered    = "changed_step"
	StepFailed = "step_failed" // a step, and why
	StepTokens = "step_tokens" // a step, tokens used, the limit
	StepCost   = "step_cost"   // a step, dollars, the limit
	StepTime   = "step_time"   // a step, the time it worked, the limit
	PlanTokens = "plan_tokens" // tokens used, the limit
	PlanCost   = "plan_cost"   // dollars, the limit
	NeedsYes   = "needs_yes"   // a tool
	StepWaits  = "step_waits"  // a step, and what it asks
)

// catalogues say what becomes of plans and steps, a language each.
var catalogues = map[string]nebula.Catalogue{"en": inEnglish, "ja": inJapanese}

// Say says what became of a plan or a step, and why, in lang. What no catalogue knows, as an error's text, is its own words.
func Say(c nebula.Code, lang string) string {
	words := phrase.Pick(lang, catalogues)
	if said, known := words.Say(c); known {
		return said
	}
	if id, step, one := strings.Cut(string(c), " "); one && !strings.Contains(step, " ") { // a record from before codes
		if said, known := words.Say(nebula.NewCode(id+"_step", step)); known {
			return said
		}
	}
	for id, sentence := range inEnglish { // likewise
		if string(c) == sentence {
			return words[id]
		}
	}
	return string(c)
}
