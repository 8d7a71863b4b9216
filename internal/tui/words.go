package tui

import (
	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/transcript"
)

// words are the texts of the interface in one language. A field that is empty is a defect (a test looks).
type words struct {
	transcript.Words
	Thought, Earlier, Closed, Copied, Working, Writing, Opening, Stopping, EscStops, Queued, Below, Gate, GateTitle                                                       string
	GateList, GateListEdit, GateListCommand, GateKeys, GateKeysCommand, GateTry, GateOwn, GateEdit, Question, More, UndoTitle, RedoTitle, NothingUndo, Session            string
	Folder, Step, Tokens, Cached, Cost, Goal, WhyNow, Constraints, PlanBrief, OpenQuestions, Plan, Agent                                                                  string
	HelpKey, HelpTitle, StatusTitle, PageKeys, PageYes, AskHere, AnswerHere, ReasonHere, ReasonOnce, SteerHere, Filter, TypeIt                                            string
	Listing, Asking, PickCommand, PickHistory, PickModel, PickSession, Busy, KeyWhose                                                                                     string
	CtrlC, NoEditor, MouseOurs, MouseYours, SetupTitle, KeyFor, LocalServer, LocalServerAbout, ShowDemo                                                                   string
	ShowDemoAbout, PasteKey, WaitsBeside, PickWaiting, NoPlan, NoWaiting, PlanKeys, PlanApproves, PlanYes, PlanUnread, KeyKept, KeyElsewhere, GateYes, GateAlways, GateNo string
	GateUnclear, GateMore, GateOn, GateUnread, GateUnseen, GateSlash, GateTight, NotNow, TooSmall, Unread, Unseen                                                         string
	NewFile, GoneFile, NoNewline, StagePlanning, StageWorking, StageChecking, StageApproval, StageDone, StageInput                                                        string
	StageError, PlanSeen, PolicyKey, Context, TokenFigures, StepAsks, PanelKeys, PanelRun, PanelAnswer, VerifiedBy, Tip, TipKeys, GateNarrow                              string
	NoModels, Answers, MoreRows, NoAnswer, Joins, Thinking, GateRows, GateFull, Find, FindHere, FindNone, FindKeys, TitleWaits                                            string

	VitalNames, VitalMeans, Low, Policies []string
	Keys                                  [][2]string
}

func wordsFor(lang string) words {
	w := phrase.Words(lang, "tui", english())
	w.Words = transcript.WordsIn(lang)
	return w
}

func (w words) mode(mode string) string {
	if mode == string(nebula.PlanMode) {
		return w.Plan
	}
	return w.Agent
}
