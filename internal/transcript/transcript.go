// Package transcript folds a session's events into what a person sees of it, whatever shows it: the rows of the conversation,
// the question that waits, the work beside it, and how the session stands. It draws nothing, owns no terminal and has no
// clock. What its rows quote stands as it came: who draws a row makes visible what hides or looks like something else.
package transcript

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"nebula"
	"nebula/internal/phrase"
)

// A Transcript is a session as a person sees it. Apply is the only way it changes.
type Transcript struct {
	Rows []*Row // in order; none is ever taken out
	Live *Row   // what is being streamed; it joins the rows when it ends

	Started  nebula.Started
	Mode     nebula.Mode
	Model    string
	Protocol string
	Approve  string // empty as long as the session does not say
	Effort   string // likewise
	Step     nebula.Step
	Status   nebula.StepStatus
	Vitals   nebula.Vitals
	Fixed    nebula.Delta // the fixed items as they stand
	Turns    int
	Usage    nebula.Usage
	Context  int // tokens that the last request held
	Beside   Beside
	stepped  nebula.Code // what was said last of a step

	Busy    bool
	Since   time.Time // of the turn
	Doing   time.Time // of what goes on now
	Acting  *Row      // the action that goes on; nil while the model is waited for
	Written int       // bytes of actions that are being written
	Retry   Retry
	Ask     *nebula.Asked
	Settled nebula.Answered // the last answer
	Closed  bool

	words  Words
	open   map[string]*Row           // the actions that have no result yet
	list   *Row                      // of the turn: one row, whatever becomes of it
	heard  map[Kind]*strings.Builder // what this reply has streamed
	stream *strings.Builder          // the live row's text
	reply  int                       // rows before the reply under way
	answer string                    // of the last reply
	meant  []nebula.Action           // by it
	now    time.Time                 // of the event that is taken in
}

// A Retry is a request that failed and is to be sent again; the zero Retry is none.
type Retry struct {
	At    time.Time
	Cause string
	row   *Row
	count int
}

// New is the transcript of a session that nothing is known of, in a language.
//
//go:noinline
func New(lang string) *Transcript {
	return &Transcript{words: WordsIn(lang), open: map[string]*Row{}, heard: map[Kind]*strings.Builder{}}
}

// A Kind says what a row is.
type Kind int

// The kinds of rows.
const (
	Person   Kind = iota // what the person sent
	Say                  // what the model says: Markdown
	Thought              // what the model thinks
	Act                  // an action
	Question             // of the model's, for the person
	Note                 // something to know that is nobody's speech
	End                  // how a turn ended
)

// A Tone is how a note is meant.
type Tone int

// The tones.
const (
	Plain Tone = iota
	Info
	Good
	Warning
	Bad
	Faint
)

// A Row is one piece of the conversation. Of those that are in a transcript, only actions change.
type Row struct {
	Kind     Kind
	Text     string // in the person's language, where it is not somebody's speech
	Exact    string // follows the text: something foreign that is shown to the letter, in one row
	Tail     string // follows that
	Mark     string // stands before it, where there is room
	Tone     Tone
	Steer    bool // of a message that joined a turn
	Void     bool // of a reply that was sent again: it does not count
	Known    bool // of a note: a screen that shows how the session stands shows this, too
	Action   *Action
	About    *Row // of a note that says what was answered: the action that it was about
	Question *nebula.Question
	Images   []nebula.Image // that the person sent, or that the model was shown by an action
	Outcome  *nebula.Outcome
	Changes  int           // counts them
	Began    time.Time     // of speech and thoughts that were streamed
	Took     time.Duration // so far
}

// Said is all that a note says: what is foreign in it as visible and exact show it.
//
//go:noinline
func (r Row) Said(visible, exact func(string) string) string {
	text := visible(r.Text)
	if r.Exact != "" {
		text += exact(r.Exact)
	}
	return text + visible(r.Tail)
}

// Unchecked reports whether the last turn did what it was to do, and nothing has shown that it is right.
//
//go:noinline
func (t *Transcript) Unchecked() bool {
	if t.Busy || len(t.Rows) == 0 {
		return false
	}
	last := t.Rows[len(t.Rows)-1]
	return last.Outcome != nil && last.Outcome.Cause == nebula.NotChecked
}

// Means is what a message stands for: a single letter, the tests that were offered.
func (t *Transcript) Means(text string) string {
	if t.Unchecked() && strings.TrimSpace(text) == "t" {
		return t.words.RunTests
	}
	return text
}

// Open is the row of an action that has no result yet; nil for none.
//
//go:noinline
func (t *Transcript) Open(action string) *Row { return t.open[action] }

// Speaking reports whether something of the reply under way was streamed.
func (t *Transcript) Speaking() bool { return len(t.heard) > 0 }

// Apply takes in one event.
func (t *Transcript) Apply(e nebula.Event) {
	t.now = e.At
	switch b := e.Body.(type) {
	case nebula.Started:
		t.start(b)
	case nebula.Submitted:
		t.submitted(b, e.At)
	case nebula.Requested:
		t.requested(b, e.At)
	case nebula.Streamed:
		t.streamed(b)
	case nebula.Retried:
		t.retried(b)
	case nebula.Replied:
		t.replied(b)
	case nebula.Observed:
		if b.Said != "" {
			t.speak(Say, t.missing(Say, b.Said)) // who was there when it was streamed has it already
			t.flush()
		}
	case nebula.Proposed, nebula.Asked, nebula.Answered, nebula.Began, nebula.Finished:
		t.Doing = e.At
		t.acting(b)
	case nebula.Planned, nebula.Stepped, nebula.Tasked, nebula.Queued, nebula.Reported:
		t.aside(b, e.At)
	case nebula.Switched:
		t.switched(b)
	case nebula.Undone:
		t.flush()
		for _, l := range t.words.undone(b) {
			t.note(Info, l)
		}
	case nebula.Moved:
		if b.Refused == "" {
			t.Step, t.Status = b.To, b.Status
		}
	case nebula.Updated:
		t.Fixed = merged(t.Fixed, b.Delta)
	case nebula.Compacted:
		t.compacted(b)
	case nebula.Noted:
		text := b.Text
		if b.Code != "" {
			text = phrase.Told(t.words.Lang, b.Code)
		}
		t.note(levels[b.Level], text)
	case nebula.Ended:
		t.end(b.Outcome, e.At)
	case nebula.Closed:
		t.flush()
		t.Closed, t.Busy, t.Ask = true, false, nil
	}
}

var levels = map[string]Tone{"": Info, "info": Info, "warning": Warning, "error": Bad}

//go:noinline
func (t *Transcript) add(r *Row) *Row {
	t.Rows = append(t.Rows, r)
	return r
}

//go:noinline
func (t *Transcript) note(tone Tone, text string) *Row {
	return t.add(&Row{Kind: Note, Tone: tone, Text: text})
}

func (t *Transcript) start(b nebula.Started) {
	t.flush()
	again := t.Started.Session != ""
	t.Started, t.Beside.Waits = b, nil // nobody waits for what an earlier opening was asked
	t.Mode, t.Model, t.Protocol, t.Closed = b.Mode, b.Model, b.Protocol, false
	if again && b.Resumed {
		t.Busy, t.Ask = false, nil
		t.add(&Row{Kind: Note, Tone: Faint, Mark: "──", Text: t.words.Resumed})
	}
}

func (t *Transcript) submitted(b nebula.Submitted, at time.Time) {
	if !b.Steer { // what joins a turn does not break what is being streamed
		t.flush()
		t.Since, t.Doing, t.Turns, t.Acting, t.list = at, at, b.Turn, nil, nil
	}
	t.Busy = true
	text := b.Text
	for _, i := range b.Images {
		if i.Type == nebula.PDF {
			text += "\n" + fmt.Sprintf(t.words.Document, i.Pages, phrase.Bytes(int64(len(i.Data))))
			continue
		}
		w, h := i.Size()
		text += "\n" + fmt.Sprintf(t.words.Image, strings.ToUpper(strings.TrimPrefix(i.Type, "image/")), w, h, phrase.Bytes(int64(len(i.Data))))
	}
	t.add(&Row{Kind: Person, Text: text, Steer: b.Steer, Images: b.Images})
}

func (t *Transcript) requested(b nebula.Requested, at time.Time) {
	t.flush()
	t.Model, t.Acting, t.Busy, t.Written, t.Doing = b.Model, nil, true, 0, at
	clear(t.heard)
	t.reply = len(t.Rows)
	sum := 0
	for _, l := range b.Layers {
		sum += l.Tokens
	}
	if sum > 0 {
		t.Context = sum
	}
}

func (t *Transcript) compacted(b nebula.Compacted) {
	t.Context = max(0, t.Context-max(0, b.Before-b.After))
	row := t.note(Faint, fmt.Sprintf(t.words.Compacted, phrase.Count(b.Before), phrase.Count(b.After)))
	if b.Focus != "" {
		row.Text, row.Exact = row.Text+" · "+t.words.Focus+": ", b.Focus
	}
}

func (t *Transcript) switched(b nebula.Switched) {
	w := t.words
	t.turned(w.Mode, (*string)(&t.Mode), string(b.Mode), func(row *Row) { row.Known = true })
	kept := func(row *Row) {
		if b.Why == "" {
			row.Text += " · " + w.KeepHint
		}
	}
	t.turned(w.Model, &t.Model, b.Model, kept)
	t.turned(w.Protocol, &t.Protocol, b.Protocol, kept)
	t.turned(w.Effort, &t.Effort, string(b.Effort), func(*Row) {})
	was := t.Approve
	if begins := was == "" && (t.Turns == 0 || b.Approve == "ask"); begins || was == b.Approve {
		t.Approve = cmp.Or(b.Approve, was)
	} else {
		t.turned(w.Approve, &t.Approve, b.Approve, func(row *Row) { row.Text, row.Known = w.Approve+": "+w.Policy(b.Approve), true })
	}
	if b.WhyCode != "" {
		b.Why = phrase.Told(w.Lang, b.WhyCode)
	}
	if b.Why != "" {
		t.note(Faint, b.Why)
	}
}

// turned takes in what something is from now on, and tells it.
func (t *Transcript) turned(name string, now *string, to string, tell func(*Row)) {
	if to == "" {
		return
	}
	*now = to
	tell(t.note(Info, fmt.Sprintf(t.words.Set, name, to)))
}

func (t *Transcript) end(o nebula.Outcome, at time.Time) {
	t.flush()
	t.Usage, t.Turns = t.Usage.Plus(o.Usage), max(t.Turns, o.Turn)
	t.Busy, t.Acting, t.Ask, t.Retry = false, nil, nil, Retry{}
	for _, r := range t.open {
		r.Action.Running, r.Action.Asked = false, false
		r.Changes++
	}
	clear(t.open)
	tone, mark, word := t.words.ended(o)
	if text := besides(o.Text, t.answer); text != "" && text != t.lastNote() && o.Status != nebula.TurnDone && o.Status != nebula.Cancelled {
		t.note(tone, text)
	}
	t.answer = ""
	t.add(&Row{Kind: End, Tone: tone, Mark: mark, Text: word + t.words.figures(o, at.Sub(t.Since)), Outcome: &o})
}

// lastNote is what the last row says, where nobody speaks in it.
//
//go:noinline
func (t *Transcript) lastNote() string {
	if n := len(t.Rows); n > 0 && t.Rows[n-1].Kind == Note {
		return t.Rows[n-1].Text
	}
	return ""
}

// besides is what a turn's last words hold beside the answer, which was shown already.
func besides(words, answer string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(words), strings.TrimSpace(answer)))
}

// merged is the fixed items after a change.
func merged(was, by nebula.Delta) nebula.Delta {
	set(&was.Goal, by.Goal)
	set(&was.WhyNow, by.WhyNow)
	set(&was.Constraints, by.Constraints)
	set(&was.PlanBrief, by.PlanBrief)
	set(&was.OpenQuestions, by.OpenQuestions)
	set(&was.ContextRefs, by.ContextRefs)
	was.Decided = append(was.Decided, by.Decided...)
	return was
}

func set[T any](to **T, from *T) {
	if from != nil {
		*to = from
	}
}
