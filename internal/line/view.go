package line

import (
	"fmt"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A view is a session's transcript as lines that are printed once, and the little that is still moving. It sends nothing
// and asks nothing.
type view struct {
	*transcript.Transcript
	words   words
	palette palette
	width   int

	opened   time.Time // events before the start of this opening are the past
	empty    bool      // the folder holds nothing: say how to begin
	past     bool
	policy   string // of approval, as long as the session does not say
	stopping bool
	aloud    bool            // a word stands before every kind of line
	typed    string          // what was typed last: it stands there already
	saying   transcript.Kind // what the last line was of, where it is said

	show  *showing            // what is asked for, where that is permission
	shows map[string]*showing // the same of work in the background, by ask
	room  int                 // rows of it that fit the screen at once; 0 for all
	small bool                // the screen cannot show it

	next   int      // the first row that was not printed
	spoken int      // bytes of what is being streamed that were printed
	lines  []string // to be printed
	blank  bool     // the last line printed was empty
	prose  prose
}

func newView(w words, p palette, resumed bool, opened time.Time) *view {
	return &view{Transcript: transcript.New(w.Lang), words: w, palette: p, width: 80, past: resumed, opened: opened, prose: prose{palette: p},
		shows: map[string]*showing{}}
}

// fold takes in one event.
func (v *view) fold(e nebula.Event) {
	var acted *transcript.Row
	if b, ok := e.Body.(nebula.Finished); ok {
		acted = v.Open(b.Result.Action)
	}
	v.Apply(e)
	if b, ok := e.Body.(nebula.Started); ok && (!v.past || b.Resumed && !e.At.Before(v.opened)) {
		v.past, v.next = false, len(v.Rows)
		v.start(b)
	}
	if v.past {
		v.next = len(v.Rows)
		return
	}
	v.catchUp()
	switch b := e.Body.(type) {
	case nebula.Asked:
		if b.Question == nil {
			v.asking(v.Open(b.Action))
		}
	case nebula.Queued:
		v.queued(v.Beside.Waits[len(v.Beside.Waits)-1])
	case nebula.Finished:
		if acted == nil {
			acted = v.Rows[len(v.Rows)-1]
		}
		v.finished(*acted.Action)
	case nebula.Answered:
		delete(v.shows, b.Ask)
	case nebula.Ended:
		v.stopping = false
	}
	if v.Ask == nil {
		v.show = nil
	}
}

// catchUp prints the rows that have come, and of what is being streamed the lines that are whole.
func (v *view) catchUp() {
	for ; v.next < len(v.Rows); v.next++ {
		v.row(v.Rows[v.next])
	}
	if v.Live != nil {
		v.speak(v.Live)
	}
}

func (v *view) row(r *transcript.Row) {
	switch r.Kind {
	case transcript.Say, transcript.Thought:
		if !r.Void {
			v.speak(r)
			if rest := r.Text[min(v.spoken, len(r.Text)):]; rest != "" {
				v.say(r.Kind, rest)
			}
		}
		v.spoken, v.prose.fence, v.saying = 0, "", 0
	case transcript.Person:
		v.person(r)
	case transcript.Question:
		v.question(*r.Question)
	case transcript.End:
		for _, row := range v.list() {
			v.print(row)
		}
		word, figures, _ := strings.Cut(r.Text, " · ")
		if figures != "" {
			figures = " · " + figures
		}
		if v.aloud {
			word = v.words.TurnWord + ": " + word
		}
		v.print(terminal.Paint(v.palette.tone(r.Tone), word) + terminal.Paint(v.palette.dim, figures))
		if r.Outcome.Cause == nebula.NotChecked {
			v.note(v.palette.dim, v.words.TestsHere)
		}
	case transcript.Note:
		text := r.Said(terminal.Visible, terminal.OneRow)
		if r.Mark != "" && !v.aloud {
			text = r.Mark + " " + text
		}
		v.note(v.palette.tone(r.Tone), text)
	}
}

// longest is how many bytes of a line are kept moving until its end; a longer one is printed as far as it has come.
const longest = 4000

// speak prints the whole lines of an answer or a thought that were not printed yet.
func (v *view) speak(r *transcript.Row) {
	for {
		rest := r.Text[min(v.spoken, len(r.Text)):]
		line, _, whole := strings.Cut(rest, "\n")
		n := len(line) + 1
		if !whole {
			if len(rest) <= longest {
				return
			}
			if n = strings.LastIndexByte(rest, ' ') + 1; n < 2 {
				n = len(rest)
			}
			line = strings.TrimSuffix(rest[:n], " ")
		}
		v.spoken += n
		v.say(r.Kind, line)
	}
}

// say prints one line of an answer or a thought.
func (v *view) say(kind transcript.Kind, line string) {
	line = strings.TrimSuffix(line, "\r")
	if v.aloud {
		v.voice(kind, line)
		return
	}
	if kind == transcript.Thought {
		v.print(terminal.Paint(v.palette.dim, terminal.Visible(line)))
		return
	}
	v.print(v.prose.line(line))
}

func (v *view) start(b nebula.Started) {
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
	v.recap()
	if v.aloud {
		v.note(v.palette.dim, v.words.Hint)
	}
}

// recapTurns is how much of a continued session is shown again, recapGates how much of what a turn asked at the gate.
const (
	recapTurns = 3
	recapGates = 8
)

// recap prints the last turns of what was before: what was asked for, what was allowed or refused on the way, the answer.
func (v *view) recap() {
	type turn struct {
		asked, answer string
		gates         []*transcript.Row
	}
	var turns []turn
	for _, r := range v.Rows {
		switch n := len(turns) - 1; {
		case r.Kind == transcript.Person && r.Steer && n >= 0:
			turns[n].asked += " · " + r.Text
		case r.Kind == transcript.Person:
			turns = append(turns, turn{asked: r.Text})
		case r.About != nil && n >= 0:
			turns[n].gates = append(turns[n].gates, r)
		case r.Kind == transcript.End && n >= 0:
			turns[n].answer = r.Outcome.Text
		}
	}
	turns = turns[max(len(turns)-recapTurns, 0):]
	if len(turns) > 0 {
		v.print(terminal.Paint(v.palette.dim, "── "+v.words.Earlier))
	}
	for _, x := range turns {
		v.print(terminal.Paint(v.palette.dim, v.words.Prompt+terminal.OneLine(terminal.Visible(x.asked), v.width-4)))
		if n := len(x.gates) - recapGates; n > 0 {
			v.print(terminal.Paint(v.palette.dim, "  "+fmt.Sprintf(v.words.More, n)))
			x.gates = x.gates[n:]
		}
		for _, r := range x.gates {
			said := r.Mark + " " + r.Said(terminal.Visible, terminal.OneRow) + " · " + v.title(*r.About.Action)
			v.print(terminal.Paint(v.palette.dim, "  "+terminal.OneLine(said, v.width-3)))
		}
		for _, l := range head(x.answer, 5) {
			v.print(terminal.Paint(v.palette.dim, "  "+terminal.Visible(l)))
		}
	}
}

func (v *view) person(r *transcript.Row) {
	if v.aloud {
		v.hear(r)
		return
	}
	if !r.Steer {
		v.gap()
	}
	lines := strings.Split(terminal.Visible(r.Text), "\n")
	v.print(terminal.Paint(v.palette.note, v.words.Prompt) + terminal.Paint(v.palette.bold, lines[0]))
	for _, l := range lines[1:] {
		v.print("  " + terminal.Paint(v.palette.bold, l))
	}
}

// title is what an action is about, in one line.
func (v *view) title(a transcript.Action) string {
	command, text := a.Title()
	if r := a.Result; r != nil && r.Status == nebula.Failed && r.Summary != "" { // no body says why
		text = r.Summary
	}
	text = terminal.OneLine(terminal.Visible(text), 4*v.width)
	if command == "" {
		return text
	}
	if command = "$ " + terminal.OneLine(terminal.Visible(command), max(v.width/2, 20)); text == "" {
		return command
	}
	return command + " · " + text
}

// finished prints an action's one line, and what must be seen of what came of it.
func (v *view) finished(a transcript.Action) {
	if a.Asks {
		return // the question and its answer stand there
	}
	mark, tone, why := a.Mark(v.words.Words)
	if v.aloud {
		mark = v.words.ended(a.Result.Status) + ":"
	}
	line := terminal.Paint(v.palette.tone(tone), mark) + " " + v.title(a)
	if why != "" && a.Result.Status != nebula.Failed && (!v.aloud || why+":" != mark) {
		line += terminal.Paint(v.palette.dim, " ("+terminal.OneLine(terminal.Visible(why), 70)+")")
	}
	if a.Result.Took >= 1000 {
		line += terminal.Paint(v.palette.dim, " "+phrase.Seconds(a.Result.Took))
	}
	v.print(line)
	if a.Unasked() {
		v.unasked(a.Proposal)
	}
	if r := a.Result; r.Status == nebula.Failed && (r.Exit != nil || strings.Contains(r.Text, "\n")) { // else the line has said it
		for _, l := range tail(r.Text, 8) {
			v.print(terminal.Paint(v.palette.dim, "  "+terminal.Visible(l)))
		}
	}
}

// unasked prints a change of files that nobody was asked about, since an earlier one was allowed always.
func (v *view) unasked(p nebula.Proposal) {
	rows, _ := terminal.Decision(p, nil, v.width-2, v.words.Lang)
	for _, r := range rows[:min(len(rows), gate.ShownRows)] {
		v.print(terminal.Paint(v.palette.dim, v.lead(r)) + terminal.Paint(v.palette.row(r.Kind), r.Text))
	}
	if n := len(rows) - gate.ShownRows; n > 0 {
		v.print(terminal.Paint(v.palette.dim, fmt.Sprintf(v.words.More, n)))
	}
}

// approval is what runs without being asked now.
func (v *view) approval() gate.Approve {
	if v.Approve != "" {
		return gate.Approve(v.Approve)
	}
	return gate.Approve(v.policy)
}

// note prints something that is nobody's speech, above the line that is being streamed.
func (v *view) note(style, text string) {
	if v.aloud {
		text = v.words.noted(v.palette, style) + ": " + text
	}
	v.print(terminal.Paint(style, text))
}

// print queues a line. It may hold new lines and our own styles.
//
//go:noinline
func (v *view) print(line string) {
	v.lines = append(v.lines, line)
	v.blank = strings.TrimSpace(line) == ""
}

// gap leaves one line free.
//
//go:noinline
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

// outputRows is how much of a running command's output is shown while it runs.
const outputRows = 5

// moving is the rows of what has not come to its end yet.
func (v *view) moving(now time.Time) []string {
	var rows []string
	if r := v.Live; r != nil && v.spoken < len(r.Text) {
		last := *v // a copy: a line that is not whole opens no fence
		last.lines = nil
		last.say(r.Kind, r.Text[v.spoken:])
		rows = last.printed()
	}
	if r := v.Acting; r != nil {
		for _, l := range tail(r.Action.Output, outputRows) {
			rows = append(rows, terminal.Paint(v.palette.dim, terminal.Clip("  "+tabless(terminal.Visible(l)), v.width)))
		}
	}
	if v.Busy && v.Ask == nil {
		rows = append(rows, v.list()...)
	}
	if rows = append(rows, v.underWay(now)...); !v.Busy || v.Ask != nil {
		return rows
	}
	phase := v.words.Waiting
	switch {
	case v.stopping:
		phase = v.words.Interrupting
	case v.Acting != nil:
		phase = v.title(*v.Acting.Action)
	case v.Speaking():
		phase = v.words.Working
	}
	text := fmt.Sprintf("%s %s", spinner[int(now.UnixMilli()/120)%len(spinner)], terminal.OneLine(phase, v.width-14))
	if elapsed := now.Sub(v.Since); elapsed >= time.Second && elapsed < 24*time.Hour {
		text += fmt.Sprintf(" %s", phrase.Seconds(elapsed.Truncate(time.Second).Milliseconds()))
	}
	return append(rows, terminal.Paint(v.palette.dim, terminal.Clip(text, v.width)))
}

// list is what the model works through, as it stands: it moves below what was printed, and its last state is printed.
func (v *view) list() (rows []string) {
	for _, i := range v.List() {
		mark, tone := transcript.ItemMark(i)
		text := terminal.OneLine(terminal.Visible(i.Text), max(v.width-6, 8))
		rows = append(rows, terminal.Clip("  "+terminal.Paint(v.palette.tone(tone), mark)+" "+text, v.width))
	}
	return rows
}

func tabless(s string) string { return strings.ReplaceAll(s, "\t", "    ") }

// head and tail are the first and the last lines of a text that say something.
func head(text string, n int) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > n {
		lines = append(lines[:n:n], "…")
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines
}

func tail(text string, n int) []string {
	lines := strings.Split(strings.TrimRight(text, "\n "), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines
}
