package transcript

func english() Words {
	return Words{
		Lang: "en", Images: "(%d image)|(%d images)", Resumed: "continued", Retry: "sent again in %s: %s",
		Problems: "%d part of the reply could not be read; the model was told|%d parts of the reply could not be read; the model was told",
		Focus:    "in view", Compacted: "the conversation was shortened for the model: %s to %s tokens",
		Mode: "mode", Model: "model", Protocol: "protocol", Approve: "approval", Set: "%s is now %s", Current: "now",
		KeepHint: "in this session; /keep makes it the default", Kept: "Later sessions begin with %s and %s.",
		Allowed: "allowed", Refused: "refused", AllowedAlways: "allowed for this session", By: "by %s",
		Failed: "failed", Denied: "refused", Skipped: "not tried", Interrupted: "interrupted; what it did is not known",
		Intent: "to", Rationale: "why", Impact: "effect", Alternatives: "or", Risk: "risk", High: "high", Medium: "medium", LowRisk: "low", Rule: "rule",
		Done: "done", TurnFailed: "failed", NeedsApproval: "stopped: an approval is missing", NeedsInput: "stopped: an answer is missing",
		Limit: "stopped: a limit was reached", Circles: "stopped: the work went in circles", CutOff: "stopped: the reply was cut off at its longest",
		API: "the model could not be reached", Cancelled: "stopped",
		Actions: "%d action|%d actions", FilesChanged: "%d file changed|%d files changed", TokensUsed: "%s tokens",
		TakenBack: "taken back", BroughtBack: "brought back", Others: "and %d more", Left: "left as it is", ChangedSince: "it was changed since",
		ChangedBetween: "somebody else wrote it between two changes: only what came after that was taken back",
		NeverKept:      "what it was before was not kept", BeingWritten: "another program is writing it", OtherOwner: "it was brought back, but not its owner",
		Already:   "nothing to do, it is so already",
		Unseen:    "what it changed could not be seen, so undo does not cover it",
		Apart:     "it was brought back as a file of its own, not as a name of the one that it was a name of",
		PlanDraft: "waits for approval: /tasks run", PlanApproved: "approved: /tasks run", PlanRunning: "under way", PlanStopped: "stopped, /tasks run goes on",
		Just: "just now", Minutes: "%d min ago", Hours: "%d h ago", Days: "%d days ago", NewSession: "a new session",
		EmptyFolder: "This folder is empty. Describe what to build, in a sentence or two: what it is for and how it is used. nebula asks what is missing.",
		Bye:         "session %s · continue with: nebula --continue", Pasted: "pasted: %d lines", History: "The history file cannot be used: %v",
		Waiting: "waiting for the model", NoSuchOption: "There is no option %s. A number from 1 to %d, or your own words.",
		RowsLeft: "… %d more rows: enter shows them", SmallScreen: "The terminal is too small to show what would be done: no yes is taken. Make it larger and press enter, or answer no.",
		RowsUnread: "The whole command must have been on the screen before a yes: rows %s were not.", RowsUnseen: "Rows %s were on no screen. Enter, or the same answer again, allows it all the same.",
		Unclear: "That was no clear answer, so it counts as no.", TooEarly: "What you typed before this was shown is no answer.",
		DraftBack: "↑ brings back what you typed", DraftKept: "What you typed before is kept for afterwards.", Unknown: "There is no command %s.", Nearest: "Did you mean %s?",
		PickMode: "plan reads only; agent changes what you allow", PickApprove: "What runs without being asked", PickProtocol: "How the model writes its actions",
	}
}
