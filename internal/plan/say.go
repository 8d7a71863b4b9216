package plan

import (
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// The codes of what becomes of plans and steps that have arguments; the others stand in the catalogue alone.
const (
	Skipped    = "skipped_step"
	Retried    = "retried_step"
	Added      = "added_step"
	Removed    = "removed_step"
	Altered    = "changed_step"
	StepFailed = "step_failed" // a step, and the code of why
	StepTokens = "step_tokens" // a step, tokens used, the limit
	StepCost   = "step_cost"   // a step, dollars, the limit
	StepTime   = "step_time"   // a step, the time it worked, the limit
	PlanTokens = "plan_tokens" // tokens used, the limit
	PlanCost   = "plan_cost"   // dollars, the limit
	NeedsYes   = "needs_yes"   // a tool
	Untouched  = "untouched"   // files
	StepWaits  = "step_waits"  // a step, and what it asks

	// What is reported of a step.
	StepTasks     = "step_tasks"      // its name, tasks that succeeded, all tasks
	StepVerified  = "step_verified"   // likewise, how it was verified, and what that said
	WithoutIt     = "without_it"      // the code of why an action was refused, without which its check passed
	NotItsFiles   = "not_its_files"   // a step, files
	InItsCopy     = "in_its_copy"     // a folder
	NothingToShow = "nothing_to_show" // its agent's words
	NobodyCanTell = "nobody_can_tell" // what was to be checked

	// Why a plan on workers does not begin or go on.
	FleetNoPlan   = "fleet_no_plan"   // its id, the folder
	FleetNoStep   = "fleet_no_step"   // a step
	FleetNoCommit = "fleet_no_commit" // a repository
	FleetNoClone  = "fleet_no_clone"  // a repository, why
	FleetGone     = "fleet_gone"      // a commit, a repository
	FleetNoPush   = "fleet_no_push"   // a repository, why
	FleetStandsOn = "fleet_stands_on" // a branch
	FleetOther    = "fleet_other"     // a branch
	FleetEnded    = "fleet_ended"     // an exit code
	FleetLost     = "fleet_lost"      // how often, why
	FleetCost     = "fleet_cost"      // dollars, the limit

	// Why a step failed.
	Absent      = "absent"       // a file
	AllAbsent   = "all_absent"   // files
	CheckFailed = "check_failed" // what is wrong
	RanNoTest   = "ran_no_test"  // what its verification said
	TaskFailed  = "task_failed"  // a tool, and what it said
	Refused     = "task_refused" // likewise
	NotJoined   = "not_joined"   // what is wrong
	Unsettled   = "unsettled"    // files

	NotCommitted = "not_committed" // files
)

// Say says what became of a plan or a step, and why, in lang. What no catalogue knows, as an error's text
// or what a record from before codes holds, is its own words.
func Say(c nebula.Code, lang string) string {
	switch id, args := c.Split(); {
	case id == StepFailed && len(args) > 1:
		c = nebula.NewCode(id, args[0], Say(nebula.NewCode(args[1], args[2:]...), lang))
	case id == WithoutIt && len(args) > 0:
		c = nebula.NewCode(id, Say(nebula.NewCode(args[0], args[1:]...), lang))
	}
	if said, known := phrase.Say(lang, "plan", inEnglish, c); known {
		return said
	}
	return string(c)
}

// Account says in lang what a step came to: its agent's words, and what the record knows beside them, with the cause of a failure
// in the line of its tasks. A report from before facts has its own sentences.
func Account(r nebula.Report, lang string) string {
	if r.Summary != "" {
		return r.Summary
	}
	var lines []string
	if r.Said != "" {
		lines = append(lines, r.Said)
	}
	cause := Say(r.Cause, lang)
	for _, fact := range r.Facts {
		line := Say(fact, lang)
		switch id, args := fact.Split(); {
		case id != StepTasks && id != StepVerified || cause == "":
		case lists.Equal(args[1:], []string{"0", "0"}): // it had none
			line, cause = cause, ""
		default:
			line, cause = line+": "+cause, ""
		}
		lines = append(lines, line)
	}
	if cause != "" {
		lines = append(lines, cause)
	}
	return strings.Join(lines, "\n")
}
