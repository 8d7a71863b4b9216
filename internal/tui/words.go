package tui

import (
	"fmt"
	"strings"
	"time"

	"nebula"
	"nebula/internal/terminal"
)

// words are the texts of the interface in one language. A field that is empty is a defect (a test looks).
type words struct {
	Thought, Images, Resumed, Earlier, EmptyFolder, Bye, Closed, Pasted, History, Copied          string
	Working, Waiting, Writing, Opening, Stopping, EscStops, Queued, Below                         string
	Gate, GateTitle, GateKeys, GateKeysCommand, GateEdit, DraftKept, Unclear, Lang                string
	Risk, High, Medium, LowRisk, Intent, Rationale, Impact, Alternatives, Rule                    string
	Allowed, Refused, AllowedAlways, Question, NoSuchOption                                       string
	Failed, Denied, Skipped, Interrupted, More                                                    string
	Done, TurnFailed, NeedsApproval, NeedsInput, Limit, Circles, CutOff, API, Cancelled, TurnOver string
	Actions, FilesChanged, TokensUsed, Retry, Problems, Compacted                                 string
	Undo                                                                                          terminal.UndoWords
	UndoTitle, RedoTitle, NothingUndo                                                             string
	Session, Folder, Mode, Model, Protocol, Approve, Step, Vitals, Tokens, Cached, Cost           string
	Goal, WhyNow, Constraints, PlanBrief, OpenQuestions                                           string
	Set, Current, Plan, Agent, HelpKey, HelpTitle, StatusTitle, PageKeys, PageYes                 string
	AskHere, AnswerHere, ReasonHere, SteerHere, Filter, TypeIt, Listing, Asking                   string
	PickCommand, PickHistory, PickMode, PickModel, PickProtocol, PickApprove, PickSession         string
	NewSession, Unknown, Nearest, Busy, CtrlC, NoEditor, MouseOurs, MouseYours                    string
	SetupTitle, KeyFor, LocalServer, LocalServerAbout, ShowDemo, ShowDemoAbout, PasteKey          string
	WaitsBeside, PickWaiting, NoPlan, PlanKeys, KeyKept, Just, Minutes, Hours, Days               string

	GateYes, GateAlways, GateNo, GateUnclear, GateMore, GateOn, GateUnread, GateUnseen, GateSlash, GateTight, NotNow, TooEarly, TooSmall, Unread, Unseen string
	NewFile, GoneFile, NoNewline                                                                                                                         string
	StagePlanning, StageWorking, StageChecking, StageApproval, StageDone                                                                                 string
	StageInput, StageError, Asks                                                                                                                         string
	Context, TokenFigures, StepAsks, PanelKeys, PanelAnswer, VerifiedBy                                                                                  string
	PlanDraft, PlanApproved, PlanRunning, PlanStopped, Tip, TipKeys, GateNarrow, Kept, KeepHint, NoModels, Answers                                       string

	VitalNames, VitalMeans, Low, Choices []string
	Keys                                 [][2]string
}

func wordsFor(lang string) words {
	if lang == "ja" {
		return japanese()
	}
	return english()
}

// many is the form of a text that fits a number: the one for one, or the other.
func many(text string, n int) string {
	one, other, both := strings.Cut(text, "|")
	if both && n != 1 {
		return other
	}
	return one
}

func (w words) risk(risk string) string {
	switch risk {
	case "high":
		return w.High
	case "medium":
		return w.Medium
	}
	return w.LowRisk
}

func (w words) mode(mode string) string {
	if mode == string(nebula.PlanMode) {
		return w.Plan
	}
	return w.Agent
}

// status says how a turn ended.
func (w words) status(o nebula.Outcome) (tone, string) {
	switch o.Status {
	case nebula.TurnFailed:
		return bad, "✗ " + w.TurnFailed
	case nebula.NeedsApproval:
		return warning, "! " + w.NeedsApproval
	case nebula.NeedsInput:
		return warning, "! " + w.NeedsInput
	case nebula.LimitReached:
		switch o.Cause {
		case nebula.WentInCircles, nebula.StillFails:
			return warning, "! " + w.Circles
		case nebula.ReplyCut:
			return warning, "! " + w.CutOff
		}
		return warning, "! " + w.Limit
	case nebula.APIFailed:
		return bad, "✗ " + w.API
	case nebula.Cancelled:
		return warning, "– " + w.Cancelled
	}
	return faint, glyph("●") + " " + w.Done
}

// figures sum a turn up in half a line.
func (w words) figures(o nebula.Outcome, took time.Duration) string {
	parts := []string{""}
	if n := len(o.Actions); n > 0 {
		parts = append(parts, fmt.Sprintf(many(w.Actions, n), n))
	}
	if n := len(o.ChangedFiles); n > 0 {
		parts = append(parts, fmt.Sprintf(many(w.FilesChanged, n), n))
	}
	if n := o.Usage.Input + o.Usage.Output; n > 0 {
		parts = append(parts, fmt.Sprintf(w.TokensUsed, terminal.Count(n)))
	}
	if o.Usage.Cost > 0 {
		parts = append(parts, dollars(o.Usage.Cost))
	}
	if took >= time.Second && took < 24*time.Hour {
		parts = append(parts, terminal.Seconds(took.Milliseconds()))
	}
	return strings.Join(parts, " · ")
}

func (w words) ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return w.Just
	case d < time.Hour:
		return fmt.Sprintf(w.Minutes, int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf(w.Hours, int(d.Hours()))
	}
	return fmt.Sprintf(w.Days, int(d.Hours()/24))
}
