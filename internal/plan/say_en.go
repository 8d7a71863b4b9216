package plan

// inEnglish says the codes of plans and steps.
var inEnglish = map[string]string{
	"proposed": "proposed", "edited": "edited", "changed": "changed", "added": "added", "removed": "removed", "approved": "approved", "steered": "steered", "skipped": "skipped", "retried": "retried",
	"running": "running", "resumed": "resumed", "paused": "paused", "under way": "under way", "ended": "ended", "failed": "failed", "cancelled": "cancelled",
	"draft": "draft", "in_progress": "in_progress", "pending": "pending", "completed": "completed", "not checked": "not checked", "began": "began", "tasks": "tasks made",
	"interrupted": "interrupted", "limit": "stopped at a limit", "needs_approval": "waits for approval", "needs_input": "waits for an answer",
	"api_error": "stopped: the model's API failed",

	"begins": "it begins", "tried": "the first is done: look at it, then let the others go on with nebula fleet approve",
	"cut_off":      "interrupted: nebula ended while it ran; it can go on",
	"was_changed":  "the plan was changed and needs approval",
	"nothing_runs": "no step can run",
	"plan_mode":    "nothing is carried out in plan mode",
	"waits":        "a question waits for an answer",

	Absent: "%s does not exist", AllAbsent: "%s do not exist", CheckFailed: "its verification failed: %s", RanNoTest: "its verification ran no test\n%s",
	TaskFailed: "%s failed: %s", Refused: "%s was refused: %s", NotJoined: "it could not come into the folder: %s", Unsettled: "%s still holds both versions",
	Untouched:    "%s was not changed, and nothing else was done",
	NotCommitted: "not in the step's commit: %s; the repository ignores it, or it lies in a repository of its own",

	// The name of a step is left out: it stands beside its report.
	StepTasks: "%.0s%s of %s tasks succeeded", StepVerified: "%.0s%s of %s tasks succeeded; verified by %s: %s", WithoutIt: "refused, and not checked: %s",
	NotItsFiles: "not among the files of step %s: %s", InItsCopy: "what it did is not in the folder, it stands in its copy of it: %s",
	NothingToShow: "not checked, nothing was done that a check could show; its agent says: %s", NobodyCanTell: "not checked, no program can tell: %s",

	FleetNoPlan:   "the record that this worker writes has no plan %s of %s",
	FleetNoStep:   "the plan has no step %s any more",
	FleetNoCommit: "%s is no repository with a commit",
	FleetNoClone:  "%s cannot be cloned: %s",
	FleetGone:     "commit %s is not in %s any more: the plan no longer fits",
	FleetNoPush:   "the branch could not be pushed to %s: %s",
	FleetStandsOn: "the branch %[1]s is the one that is checked out here; go to another with git switch, and take it again",
	FleetOther:    "a branch %[1]s is here already, with something else; give that one another name with git branch -m %[1]s NAME, and take it again",
	FleetEnded:    "it ended with exit code %s",
	FleetLost:     "its workers were lost %s times: %s",
	FleetCost:     "the whole cost $%s (the limit is $%s)",

	Skipped: "skipped %s", Retried: "retried %s", Added: "added %s", Removed: "removed %s", Altered: "changed %s",
	StepFailed: "step %s: %s", NeedsYes: "%s needs approval", StepWaits: "step %s waits for the person: %s",
	StepTokens: "step %s used %s tokens (the limit is %s)", StepCost: "step %s cost $%s (the limit is $%s)", StepTime: "step %s worked for %s (the limit is %s)",
	PlanTokens: "the plan used %s tokens (the limit is %s)", PlanCost: "the plan cost $%s (the limit is $%s)",
}
