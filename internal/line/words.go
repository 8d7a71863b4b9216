package line

import (
	"nebula/internal/phrase"
	"nebula/internal/transcript"
)

// words are the texts of the interface in one language. A field that is empty is a defect (a test looks).
type words struct {
	transcript.Words
	Header, Earlier, Hint, PlanHint, Closed, Prompt, GatePrompt, AskPrompt, PickPrompt, SearchPrompt, Working, Interrupting string
	Gate, GateKeys, GateOnce, GateTry, NotNow, No, Question, QuestionKeys, More, StepAsks, StepAnswer                       string
	PickSession, NoSessions, Messages, NoTasks, PickModel, NoModels, OtherModel, OrRequest, Usage, Busy, CtrlC              string
	NotAvailable, PlanAgain, Status                                                                                         string

	You, Thinks, NoteWord, WarningWord, ErrorWord, TurnWord, Still string // before lines that are listened to

	Help, Leads []string
}

func wordsFor(lang string) words {
	w := phrase.Words(lang, "line", english)
	w.Words = transcript.WordsIn(lang)
	return w
}

var english = words{
	Header:       "nebula · %s",
	Hint:         "enter sends · alt+enter new line · /help",
	StepAsks:     "Step %s asks:",
	StepAnswer:   "/answer %d yes · no · or say why not; it can wait",
	Prompt:       "› ",
	GatePrompt:   "allow? ",
	AskPrompt:    "answer: ",
	PickPrompt:   "choose: ",
	SearchPrompt: "history (%s): ",
	Working:      "thinking",
	Interrupting: "stopping",
	Gate:         "Permission needed: %s",
	GateKeys:     "yes · no · always (this session) · no, and why",
	GateOnce:     "yes · no · no, and why",
	GateTry:      "try (on a view first)",
	No:           "no",
	Question:     "nebula asks",
	QuestionKeys: "a number, or your own words",
	NotNow:       "Answer first, or stop the turn with Ctrl-C.",
	PickSession:  "Earlier sessions in this folder", NoTasks: "Nothing works in the background.",
	PickModel: "Models", NoModels: "No model is known here. Name one: /model NAME", OtherModel: "a number, or the name of any other model",
	OrRequest:  "a number, or a request for a new session",
	NoSessions: "No earlier sessions in this folder.", Messages: "%d messages",
	Usage: "Usage: %s",
	Busy:  "A turn is under way: stop it first with Ctrl-C.", CtrlC: "Ctrl-C again to leave",
	NotAvailable: "%s is not available here.", Closed: "The session has ended.",
	PlanAgain: "This is what would be approved. Type the same again to approve exactly this.",
	Earlier:   "earlier in this session", PlanHint: "plan mode: nothing is changed",
	Status: "session %s\nfolder  %s\nmode    %s\nstep    %s\nmodel   %s\nprotocol %s\nturns   %d\ntokens  %s in, %s cached, %s out\ncost    $%.4f\napproval %s",
	More:   "… %d more lines",
	You:    "you", Thinks: "thinking", NoteWord: "note", WarningWord: "warning", ErrorWord: "error", TurnWord: "turn", Still: "still at work, %s",
	Leads: []string{"command", "with it", "added", "removed", "same", "lines", "file", "note", "effect"},
	Help: []string{
		"enter sends · alt+enter, ctrl+j or \\ at the end: new line · tab completes commands",
		"up/down, ctrl+r: history · Ctrl-C: stop the turn · what you send meanwhile joins the turn",
	},
}
