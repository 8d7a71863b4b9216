package transcript

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

// Words are the texts of one language that every screen says alike. A field that is empty is a defect (a test looks).
type Words struct {
	Lang, Image, Document, Resumed, Retry, Problems, Compacted, Focus                                                                                                                                                                      string
	Mode, Model, Protocol, Effort, Approve, Set, KeepHint, Kept, Current                                                                                                                                                                   string
	Allowed, Refused, AllowedAlways, AllowedHere, By, ByStop, ByEnd, ByNobody, Failed, Denied, Skipped, Interrupted                                                                                                                        string
	Intent, Rationale, Impact, Alternatives, Risk, High, Medium, LowRisk, Rule                                                                                                                                                             string
	Done, TurnFailed, NeedsApproval, NeedsInput, Limit, Circles, CutOff, API, Cancelled                                                                                                                                                    string
	Actions, FilesChanged, TokensUsed                                                                                                                                                                                                      string
	TakenBack, BroughtBack, Others, Left, ChangedSince, ChangedBetween, NeverKept, BeingWritten, OtherOwner, Apart, InPart, Unseen, Stray, Already                                                                                         string
	PlanDraft, PlanApproved, PlanRunning, PlanStopped                                                                                                                                                                                      string
	Just, Minutes, Hours, Days, NewSession, EmptyFolder, Bye, ByeServed, ServerGone, WhichOne, Elsewhere, TooLate, Pasted, History                                                                                                         string
	RowsLeft, SmallScreen, RowsUnread, RowsUnseen                                                                                                                                                                                          string
	Waiting, NoSuchOption, Unclear, NoNumber, NotOffered, TooEarly, DraftKept, DraftBack, FilesRead, NotChecked, TestsHere, RunTests, RetryAgain, TimesLooked, NotFound, Unknown, Nearest, PickMode, PickApprove, PickProtocol, PickEffort string
}

// WordsIn gives the words in a language.
func WordsIn(lang string) Words {
	w := phrase.Words(lang, "transcript", english())
	w.Lang = lang
	return w
}

// Policy says what runs without being asked.
//
//go:noinline
func (w Words) Policy(name string) string { return gate.Says(gate.Approve(name), w.Lang) }

// Weight says how much a risk weighs.
//
//go:noinline
func (w Words) Weight(risk string) string {
	switch risk {
	case "high":
		return w.High
	case "medium":
		return w.Medium
	}
	return w.LowRisk
}

// Ago says how long ago something was.
func (w Words) Ago(d time.Duration) string {
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

// About is what a list says of a model beside its name.
func (w Words) About(m nebula.ModelInfo, now bool) string {
	var parts []string
	if m.Provider != "" {
		parts = append(parts, m.Provider)
	}
	if m.Window > 0 {
		parts = append(parts, phrase.Count(m.Window))
	}
	if m.InputUSD > 0 || m.OutputUSD > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f/$%.2f", m.InputUSD, m.OutputUSD))
	}
	if now {
		parts = append(parts, "← "+w.Current)
	}
	return strings.Join(parts, " · ")
}

// Dollars says what something costs, as exactly as it is worth.
func Dollars(usd float64) string {
	switch {
	case usd > 0 && usd < 0.0001:
		return "<$0.0001"
	case usd < 0.01:
		return fmt.Sprintf("$%.4f", usd)
	case usd < 1:
		return fmt.Sprintf("$%.3f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

// Standing says in words how a plan stands.
func (w Words) Standing(p nebula.Plan) string {
	switch p.Status {
	case nebula.Draft:
		return w.PlanDraft
	case nebula.Approved:
		if p.Why != "" {
			return w.PlanStopped
		}
		return w.PlanApproved
	case nebula.InProgress:
		if p.Why != "" && !slices.ContainsFunc(p.Steps, func(s nebula.PlanStep) bool { return s.Status == nebula.InProgress }) {
			return w.PlanStopped
		}
		return w.PlanRunning
	case nebula.Completed:
		return w.Done
	case nebula.StageFailed:
		return w.TurnFailed
	}
	return string(p.Status)
}

// Reported says what a step came to.
//
//go:noinline
func (w Words) Reported(r nebula.Report) string { return plan.Account(r, w.Lang) }

// Happened says what became of a plan or a step, or why it does not go on.
//
//go:noinline
func (w Words) Happened(what nebula.Code) string { return plan.Say(what, w.Lang) }

// ended says how a turn ended.
//
//go:noinline
func (w Words) ended(o nebula.Outcome) (tone Tone, mark, word string) {
	if o.Cause == nebula.NotChecked {
		return Warning, "◑", w.NotChecked
	}
	switch o.Status {
	case nebula.TurnFailed:
		return Bad, "✗", w.TurnFailed
	case nebula.NeedsApproval:
		return Warning, "!", w.NeedsApproval
	case nebula.NeedsInput:
		return Warning, "!", w.NeedsInput
	case nebula.LimitReached:
		switch o.Cause {
		case nebula.WentInCircles, nebula.StillFails:
			return Warning, "!", w.Circles
		case nebula.ReplyCut:
			return Warning, "!", w.CutOff
		}
		return Warning, "!", w.Limit
	case nebula.APIFailed:
		return Bad, "✗", w.API
	case nebula.Cancelled:
		return Warning, "–", w.Cancelled
	}
	return Faint, "●", w.Done
}

// figures sum a turn up in half a line.
func (w Words) figures(o nebula.Outcome, took time.Duration) string {
	parts := []string{""}
	if n := len(o.Actions); n > 0 {
		parts = append(parts, fmt.Sprintf(phrase.Many(w.Actions, n), n))
	}
	if n := len(o.ChangedFiles); n > 0 {
		parts = append(parts, fmt.Sprintf(phrase.Many(w.FilesChanged, n), n))
	}
	if n := o.Usage.Input + o.Usage.Output; n > 0 {
		parts = append(parts, fmt.Sprintf(w.TokensUsed, phrase.Count(n)))
	}
	if o.Usage.Cost > 0 {
		parts = append(parts, Dollars(o.Usage.Cost))
	}
	if took >= time.Second && took < 24*time.Hour {
		parts = append(parts, phrase.Seconds(took.Milliseconds()))
	}
	return strings.Join(parts, " · ")
}

// undoneShown bounds the paths that are named.
const undoneShown = 50

// undone are the lines that tell of an undo or a redo: what was brought back, and what was left and why.
func (w Words) undone(b nebula.Undone) (lines []string) {
	word := w.TakenBack
	if b.Redo {
		word = w.BroughtBack
	}
	told := map[string]bool{}
	for _, c := range b.Told() {
		if told[c.Path] {
			continue
		}
		if told[c.Path] = true; len(told) <= undoneShown {
			line := word + ": " + c.Path
			if c.Already {
				line = w.Already + ": " + c.Path
			}
			lines = append(lines, line)
		}
	}
	if more := len(told) - undoneShown; more > 0 {
		lines = append(lines, fmt.Sprintf(word+": "+w.Others, more))
	}
	why := map[nebula.Why]string{nebula.ChangedSince: w.ChangedSince, nebula.ChangedBetween: w.ChangedBetween, nebula.NeverKept: w.NeverKept, nebula.BeingWritten: w.BeingWritten, nebula.OtherOwner: w.OtherOwner, nebula.Apart: w.Apart, nebula.InPart: w.InPart, nebula.Unseen: w.Unseen, nebula.Stray: w.Stray}
	for i, l := range b.Left {
		if i == undoneShown {
			return append(lines, fmt.Sprintf(w.Left+": "+w.Others, len(b.Left)-i))
		}
		text := why[l.Why]
		if text == "" {
			text = l.Text
		}
		lines = append(lines, fmt.Sprintf("%s: %s (%s)", w.Left, cmp.Or(l.Path, l.Text), text))
	}
	return lines
}
