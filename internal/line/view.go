package line

import (
	"fmt"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
)

// A view is what a person sees of a session: the fold of its events into lines that are printed once, and the little
// that is still moving. It sends nothing and asks nothing.
type view struct {
	words   words
	palette palette
	width   int

	opened time.Time // events before the start of this opening are the past
	empty  bool      // the folder holds nothing: say how to begin
	past   bool
	recap  []exchange

	started  nebula.Started
	mode     nebula.Mode
	model    string
	protocol string
	approve  string
	policy   string // the same, as long as the session does not say
	step     nebula.Step
	turns    int
	live     int // turns of this opening
	usage    nebula.Usage

	busy     bool
	since    time.Time // of the turn
	phase    string    // what is going on, when more is known than that the model is being waited for
	answer   string    // of the last reply
	ask      *nebula.Asked
	show     *showing   // what is asked for, where that is permission
	room     int        // rows of it that fit the screen at once; 0 for all
	small    bool       // the screen cannot show it
	queue    []waiting  // questions of work in the background
	numbered int        // of them, since none waited
	steps    []progress // that are under way in the background
	asked    time.Time
	closed   bool
	lines    []string // to be printed
	blank    bool     // the last line printed was empty
	prose    prose
	partial  string // the line that is still being streamed
	kind     string // what it is of
	shown    map[string]bool
	said     string                     // the text of the reply under way, as far as it was shown
	output   []string                   // the last lines of a running action
	open     map[string]nebula.Proposed // the actions that have no result yet
}

// An exchange is one turn of the past.
type exchange struct{ request, answer string }

// recapTurns is how much of a continued session is shown again.
const recapTurns = 3

func newView(w words, p palette, resumed bool, opened time.Time) *view {
	return &view{words: w, palette: p, width: 80, past: resumed, opened: opened, prose: prose{palette: p},
		shown: map[string]bool{}, open: map[string]nebula.Proposed{}}
}

// fold takes in one event.
func (v *view) fold(e nebula.Event) {
	if v.past {
		v.remember(e)
		return
	}
	switch b := e.Body.(type) {
	case nebula.Started:
		v.start(b)
	case nebula.Submitted:
		v.submitted(b, e.At)
	case nebula.Requested:
		v.model, v.phase, v.busy = b.Model, "", true
		v.shown, v.said = map[string]bool{}, ""
	case nebula.Streamed:
		v.streamed(b)
	case nebula.Retried:
		v.partial, v.kind, v.prose.fence = "", "", ""
		v.shown, v.said = map[string]bool{}, ""
		v.note(v.palette.warn, fmt.Sprintf(v.words.Retry, phrase.Seconds(b.After), terminal.Visible(b.Cause)))
	case nebula.Replied:
		v.replied(b)
	case nebula.Proposed:
		v.open[b.Proposal.Action.ID] = b
		v.phase = terminal.Visible(b.Proposal.Summary)
	case nebula.Asked:
		v.asking(b)
	case nebula.Answered:
		v.settled(b.Ask)
		v.answered(b)
	case nebula.Planned, nebula.Stepped, nebula.Tasked, nebula.Reported, nebula.Queued:
		v.background(b)
	case nebula.Began:
		v.phase, v.output = terminal.Visible(v.open[b.Action].Proposal.Summary), nil
	case nebula.Finished:
		v.finished(b.Result)
	case nebula.Switched:
		v.switched(b)
	case nebula.Undone:
		v.undone(b)
	case nebula.Moved:
		if b.Refused == "" {
			v.step = b.To
		}
	case nebula.Compacted:
		v.note(v.palette.dim, fmt.Sprintf(v.words.Compacted, phrase.Count(b.Before), phrase.Count(b.After)))
	case nebula.Noted:
		v.note(v.level(b.Level), terminal.Visible(b.Text))
	case nebula.Ended:
		v.ended(b.Outcome, e.At)
	case nebula.Closed:
		v.flush()
		v.closed, v.busy, v.ask = true, false, nil
	}
}

// remember folds what happened before this opening: figures, and the last turns for a look back.
func (v *view) remember(e nebula.Event) {
	switch b := e.Body.(type) {
	case nebula.Started:
		v.started = b
		v.mode, v.model, v.protocol = b.Mode, b.Model, b.Protocol
		if b.Resumed && !e.At.Before(v.opened) {
			v.past = false
			v.start(b)
		}
	case nebula.Submitted:
		if n := len(v.recap); b.Steer && n > 0 {
			v.recap[n-1].request += " · " + b.Text
			return
		}
		v.recap = append(v.recap, exchange{request: b.Text})
		if extra := len(v.recap) - recapTurns; extra > 0 {
			v.recap = v.recap[extra:]
		}
	case nebula.Switched:
		v.take(b)
	case nebula.Moved:
		if b.Refused == "" {
			v.step = b.To
		}
	case nebula.Ended:
		v.count(b.Outcome)
		if n := len(v.recap); n > 0 {
			v.recap[n-1].answer = b.Text
		}
	}
}

func (v *view) start(b nebula.Started) {
	v.started = b
	v.mode, v.model, v.protocol = b.Mode, b.Model, b.Protocol
	if len(v.lines) > 0 {
		v.gap()
	}
	v.print(terminal.Paint(v.palette.bold, fmt.Sprintf(v.words.Header, terminal.Visible(b.Dir))))
	about := []string{terminal.Visible(b.Model), string(b.Mode), gate.Says(v.approval(), v.words.Lang), b.Session}
	if b.Resumed {
		about = append(about, v.words.Resumed)
	}
	v.print(terminal.Paint(v.palette.dim, strings.Join(about, " · ")))
	if v.empty {
		v.gap()
		v.print(terminal.Paint(v.palette.note, v.words.EmptyFolder))
	}
	if len(v.recap) == 0 {
		return
	}
	v.print(terminal.Paint(v.palette.dim, "── "+v.words.Earlier))
	for _, x := range v.recap {
		v.print(terminal.Paint(v.palette.dim, v.words.Prompt+terminal.OneLine(terminal.Visible(x.request), v.width-4)))
		for _, l := range head(x.answer, 5) {
			v.print(terminal.Paint(v.palette.dim, "  "+terminal.Visible(l)))
		}
	}
	v.recap = nil
}

func (v *view) submitted(b nebula.Submitted, at time.Time) {
	if !b.Steer { // what joins a turn does not break the line that is being streamed
		v.flush()
		v.since, v.turns, v.live = at, v.turns+1, v.live+1
		v.gap()
	}
	v.busy, v.phase = true, ""
	lines := strings.Split(terminal.Visible(b.Text), "\n")
	v.print(terminal.Paint(v.palette.note, v.words.Prompt) + terminal.Paint(v.palette.bold, lines[0]))
	for _, l := range lines[1:] {
		v.print("  " + terminal.Paint(v.palette.bold, l))
	}
}

// finished prints an action's one line.
func (v *view) finished(r nebula.Result) {
	b := v.open[r.Action]
	p := b.Proposal
	delete(v.open, r.Action)
	v.phase, v.output = "", nil
	summary := r.Summary
	if summary == "" || r.Status == nebula.Denied && p.Summary != "" {
		summary = p.Summary
	}
	if summary == "" {
		summary = r.Tool
	}
	mark, style, why := "✓", v.palette.good, ""
	switch r.Status {
	case nebula.Failed:
		mark, style = "✗", v.palette.bad
	case nebula.Denied:
		mark, style, why = "✗", v.palette.warn, v.words.Denied
	case nebula.Skipped:
		mark, style, why = "–", v.palette.dim, v.words.Skipped
	case nebula.Interrupted:
		mark, style, why = "✗", v.palette.warn, v.words.Interrupted
	}
	if p.Command != "" && r.Status != nebula.Denied {
		summary = "$ " + terminal.OneLine(p.Command, max(v.width/2, 20)) + " · " + summary
	}
	line := terminal.Paint(style, mark) + " " + terminal.OneLine(terminal.Visible(summary), 4*v.width)
	if why != "" {
		line += terminal.Paint(v.palette.dim, " ("+why+")")
	}
	if r.Took >= 1000 {
		line += terminal.Paint(v.palette.dim, " "+phrase.Seconds(r.Took))
	}
	v.print(line)
	if r.Status == nebula.Done && gate.Standing(b) {
		v.unasked(p)
	}
	if r.Status == nebula.Failed && (r.Exit != nil || strings.Contains(r.Text, "\n")) { // else the line has said it
		for _, l := range tail(r.Text, 8) {
			v.print(terminal.Paint(v.palette.dim, "  "+terminal.Visible(l)))
		}
	}
}

// unasked prints a change of files that nobody was asked about, since an earlier one was allowed always.
func (v *view) unasked(p nebula.Proposal) {
	rows, _ := terminal.Decision(p, v.width-2, v.words.Lang)
	for _, r := range rows[:min(len(rows), gate.ShownRows)] {
		v.print(terminal.Paint(v.palette.dim, r.Lead) + terminal.Paint(v.palette.row(r.Kind), r.Text))
	}
	if n := len(rows) - gate.ShownRows; n > 0 {
		v.print(terminal.Paint(v.palette.dim, fmt.Sprintf(v.words.More, n)))
	}
}

func (v *view) switched(b nebula.Switched) {
	if v.approve == "" && v.live == 0 { // said while the session was being opened: it is how it begins
		v.approve, b.Approve = b.Approve, ""
	}
	v.take(b)
	for _, c := range [][2]string{
		{v.words.Mode, string(b.Mode)}, {v.words.Model, b.Model}, {v.words.Protocol, b.Protocol}, {v.words.Approve, b.Approve},
	} {
		if c[1] != "" {
			if c[0] == v.words.Approve {
				c[1] = gate.Says(gate.Approve(c[1]), v.words.Lang)
			}
			text := fmt.Sprintf(v.words.Set, c[0], terminal.Visible(c[1]))
			if b.Why == "" && (c[0] == v.words.Model || c[0] == v.words.Protocol) {
				text += " · " + v.words.KeepHint
			}
			v.note(v.palette.note, text)
		}
	}
	if b.Why != "" {
		v.note(v.palette.dim, terminal.Visible(b.Why))
	}
}

// approval is what runs without being asked now.
func (v *view) approval() gate.Approve {
	if v.approve != "" {
		return gate.Approve(v.approve)
	}
	return gate.Approve(v.policy)
}

func (v *view) take(b nebula.Switched) {
	if b.Mode != "" {
		v.mode = b.Mode
	}
	if b.Model != "" {
		v.model = b.Model
	}
	if b.Protocol != "" {
		v.protocol = b.Protocol
	}
	if b.Approve != "" {
		v.approve = b.Approve
	}
}

func (v *view) undone(b nebula.Undone) {
	for _, l := range terminal.Undone(b, v.words.Undo) {
		v.note(v.palette.note, l)
	}
}

func (v *view) count(o nebula.Outcome) {
	v.usage = v.usage.Plus(o.Usage)
	v.turns = max(v.turns, o.Turn)
}

func (v *view) ended(o nebula.Outcome, at time.Time) {
	v.flush()
	v.count(o)
	v.busy, v.phase, v.ask, v.show, v.output, v.prose.fence = false, "", nil, nil, nil, ""
	v.open = map[string]nebula.Proposed{}
	word, style := v.words.Done, v.palette.dim
	switch o.Status {
	case nebula.TurnFailed:
		word, style = v.words.TurnFailed, v.palette.bad
	case nebula.NeedsApproval:
		word, style = v.words.NeedsApproval, v.palette.warn
	case nebula.NeedsInput:
		word, style = v.words.NeedsInput, v.palette.warn
	case nebula.LimitReached:
		word, style = v.words.limit(o.Cause), v.palette.warn
	case nebula.APIFailed:
		word, style = v.words.API, v.palette.bad
	case nebula.Cancelled:
		word, style = v.words.Cancelled, v.palette.warn
	}
	if text := terminal.Beside(o.Text, v.answer); text != "" && o.Status != nebula.TurnDone && o.Status != nebula.Cancelled {
		v.note(style, terminal.Visible(text))
	}
	v.answer = ""
	v.print(terminal.Paint(style, word) + terminal.Paint(v.palette.dim, figures(v.words, o, at.Sub(v.since))))
}

func (v *view) level(level string) string {
	switch level {
	case "error":
		return v.palette.bad
	case "warning":
		return v.palette.warn
	}
	return v.palette.note
}

// note prints something that is nobody's speech, above the line that is being streamed.
func (v *view) note(style, text string) {
	v.print(terminal.Paint(style, text))
}

// print queues a line. It may hold new lines and our own styles.
func (v *view) print(line string) {
	v.lines = append(v.lines, line)
	v.blank = strings.TrimSpace(line) == ""
}

// gap leaves one line free.
func (v *view) gap() {
	if !v.blank {
		v.print("")
	}
}

// printed takes away what is to be printed, as rows that fit.
func (v *view) printed() []string {
	var rows []string
	for _, l := range v.lines {
		rows = append(rows, terminal.Wrap(l, v.width)...)
	}
	v.lines = nil
	return rows
}

// spinner is a slow dot: it shows that the program lives, no more.
var spinner = [...]string{"⠋", "⠙", "⠸", "⠴", "⠦", "⠇"}

// moving is the rows of what has not come to its end yet.
func (v *view) moving(now time.Time) []string {
	var rows []string
	if v.partial != "" {
		if v.kind == "thought" {
			rows = terminal.Wrap(terminal.Paint(v.palette.dim, terminal.Visible(v.partial)), v.width)
		} else {
			p := v.prose // a copy: a line that is not whole opens no fence
			rows = terminal.Wrap(p.line(v.partial), v.width)
		}
	}
	for _, l := range v.output {
		if l != "" {
			rows = append(rows, terminal.Paint(v.palette.dim, terminal.Clip("  "+tabless(terminal.Visible(l)), v.width)))
		}
	}
	if !v.busy || v.ask != nil {
		return append(rows, v.underWay(now)...)
	}
	phase := v.phase
	if phase == "" {
		phase = v.words.Waiting
		if len(v.shown) > 0 {
			phase = v.words.Working
		}
	}
	elapsed := now.Sub(v.since)
	text := fmt.Sprintf("%s %s", spinner[int(now.UnixMilli()/120)%len(spinner)], terminal.OneLine(phase, v.width-14))
	if elapsed >= time.Second && elapsed < 24*time.Hour {
		text += fmt.Sprintf(" %s", phrase.Seconds(elapsed.Truncate(time.Second).Milliseconds()))
	}
	return append(append(rows, v.underWay(now)...), terminal.Paint(v.palette.dim, terminal.Clip(text, v.width)))
}

func tabless(s string) string { return strings.ReplaceAll(s, "\t", "    ") }
