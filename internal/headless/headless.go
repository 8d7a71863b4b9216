// Package headless is the front end of `nebula run`: it submits one message, follows the events to the end of the
// turn, and writes what a script or a person at a pipe expects. It decides nothing: where the session waits for a
// person it asks the one that it was given, and says that nobody is there when there is none.
package headless

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"syscall"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/transcript"
)

// Output is the shape of what goes to standard output.
type Output string

// The outputs.
const (
	Text   Output = "text"        // the answer
	JSON   Output = "json"        // one object, an outcome
	Stream Output = "stream-json" // one event a line, `ended` the last
)

// Outputs are the names of the outputs.
var Outputs = []string{string(Text), string(JSON), string(Stream)}

// A Request is what to run and how to show it.
type Request struct {
	Prompt string
	Images []nebula.Image
	Schema json.RawMessage // what the reply has to be; nil for any
	// Actions are carried out in the place of a request, for the reason that Prompt gives.
	Actions []nebula.Action
	After   int64 // events up to here are the past, and are not shown; 0 for all before the present opening
	Output  Output
	Stdout  io.Writer
	Stderr  io.Writer
	Live    bool // standard output is a terminal: the answer is shown while it is written
	Colour  bool // on standard error
	Lang    string
	Approve gate.Approve // what runs without being asked, which the person is told

	// Person answers what waits; nil means that nobody is there. It is called from its own goroutine.
	Person func(ctx context.Context, q Question) nebula.Answer
}

// A Question is something that waits for a person: an action at the gate, or a question of the model.
type Question struct {
	Asked    nebula.Asked
	Proposed nebula.Proposed // what the action would do; its zero value for a question
	Step     string          // of a plan, that asks beside the conversation; empty for the conversation's own
}

// ErrNoEnd says that the session broke before the turn ended; the session knows why.
var ErrNoEnd = errors.New("the session ended before the turn did")

// ErrClosedPipe says that nobody reads standard output any more. The turn was cancelled.
var ErrClosedPipe = errors.New("standard output is closed")

// An End is a turn's outcome, and the Seq of the event that said it.
type End struct {
	nebula.Outcome
	Seq int64
}

// Run carries one message through its turn. It returns once the turn has ended.
func Run(ctx context.Context, c nebula.Conversation, r Request) (End, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var begin nebula.Command = nebula.Submit{Text: r.Prompt, Images: r.Images, Schema: r.Schema}
	if len(r.Actions) > 0 {
		begin = nebula.Perform{Text: r.Prompt, Actions: r.Actions, By: nebula.Person}
	}
	if err := c.Send(ctx, begin); err != nil {
		return End{}, err
	}
	f := follower{request: r, conversation: c, show: newView(r), seen: transcript.New(r.Lang)}
	defer f.wait()
	defer stop() // before the wait: whoever is still asked is let go
	for e := range c.Events(ctx, cmp.Or(r.After, nebula.FromOpening)) {
		before := len(f.seen.Rows)
		f.seen.Apply(e)
		f.show.event(e, f.seen.Rows[before:])
		f.take(ctx, e)
		f.cancelWhenUnread(ctx)
		if ended, ok := e.Body.(nebula.Ended); ok && f.submitted {
			return End{ended.Outcome, e.Seq}, f.end(ended.Outcome)
		}
	}
	return End{}, ErrNoEnd
}

// A follower reacts to the events of one turn.
type follower struct {
	request      Request
	conversation nebula.Conversation
	show         view
	seen         *transcript.Transcript
	submitted    bool
	cancelled    bool
	asking       []chan struct{}
}

func (f *follower) take(ctx context.Context, e nebula.Event) {
	switch b := e.Body.(type) {
	case nebula.Submitted:
		f.submitted = true
	case nebula.Asked:
		q := Question{Asked: b}
		if row := f.seen.Open(b.Action); row != nil {
			q.Proposed = nebula.Proposed{Proposal: row.Action.Proposal, Verdict: row.Action.Verdict, Points: row.Action.Points}
		}
		f.ask(ctx, q)
	case nebula.Queued:
		q := Question{Asked: nebula.Asked{Ask: b.Ask, Question: b.Question}, Step: b.Step + " " + b.Title}
		if b.Proposed != nil {
			q.Proposed, q.Asked.Action = *b.Proposed, b.Proposed.Proposal.Action.ID
		}
		f.ask(ctx, q)
	}
}

// ask has the person answer without holding up the events.
func (f *follower) ask(ctx context.Context, q Question) {
	var before chan struct{} // one question at a time
	if n := len(f.asking); n > 0 {
		before = f.asking[n-1]
	}
	done := make(chan struct{})
	f.asking = append(f.asking, done)
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		answer := Nobody(q)
		if f.request.Person != nil {
			answer = f.request.Person(ctx, q)
		}
		answer.Ask = q.Asked.Ask
		_ = f.conversation.Send(ctx, answer) // void when the turn was cancelled meanwhile
	}()
}

func (f *follower) wait() {
	for _, done := range f.asking {
		<-done
	}
}

// Nobody is the answer when nobody is there: a refusal that says so, which the turn's outcome reports.
//
//go:noinline
func Nobody(q Question) nebula.Answer {
	return nebula.Answer{Ask: q.Asked.Ask, Answer: nebula.No, By: nebula.Nobody, Text: "nobody is there to answer"}
}

func (f *follower) cancelWhenUnread(ctx context.Context) {
	if f.cancelled || !errors.Is(f.show.failure(), ErrClosedPipe) {
		return
	}
	f.cancelled = true
	_ = f.conversation.Send(ctx, nebula.Cancel{}) // the turn ends either way
}

func (f *follower) end(o nebula.Outcome) error {
	f.show.outcome(o)
	return f.show.failure()
}

// Code is the exit code for how a turn ended.
//
//go:noinline
func Code(s nebula.EndStatus) int {
	switch s {
	case nebula.TurnDone, nebula.TurnUnchecked:
		return 0
	case nebula.NeedsApproval, nebula.NeedsInput:
		return 3
	case nebula.APIFailed:
		return 4
	case nebula.LimitReached:
		return 6
	case nebula.Cancelled:
		return 130
	}
	return 1
}

// A view writes one kind of output: of each event, and of the rows that a person sees for it.
type view interface {
	event(e nebula.Event, rows []*transcript.Row)
	outcome(o nebula.Outcome)
	failure() error
}

//go:noinline
func newView(r Request) view {
	out := &sink{w: r.Stdout}
	switch r.Output {
	case JSON:
		return &object{out}
	case Stream:
		return &lines{out, r.Lang}
	}
	return &plain{sink: out, request: r}
}

// A sink is a writer that remembers its first failure and is silent from then on.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) write(text string) {
	if s.err != nil || text == "" {
		return
	}
	_, err := io.WriteString(s.w, text)
	switch {
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		s.err = ErrClosedPipe
	case err != nil:
		s.err = nebula.Errorf("standard output: %w", err)
	}
}

func (s *sink) failure() error { return s.err }

func (s *sink) json(v any) {
	if s.err != nil {
		return
	}
	enc := json.NewEncoder(writer{s})
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil && s.err == nil {
		s.err = err
	}
}

// A writer lets an encoder write to a sink.
type writer struct{ to *sink }

// Write implements io.Writer.
func (w writer) Write(p []byte) (int, error) {
	w.to.write(string(p))
	return len(p), w.to.err
}

// An object is the json output.
type object struct{ *sink }

func (object) event(nebula.Event, []*transcript.Row) {}
func (o object) outcome(v nebula.Outcome)            { o.json(Filled(v)) }

// Filled gives an outcome in the form that output has: lists are empty rather than null, and dollars end at the tenth
// decimal, where sums of prices begin to show how they were added.
func Filled(o nebula.Outcome) nebula.Outcome {
	o.Usage.Cost = math.Round(o.Usage.Cost*1e10) / 1e10
	if o.Actions == nil {
		o.Actions = []nebula.ActionLine{}
	}
	if o.ChangedFiles == nil {
		o.ChangedFiles = []string{}
	}
	return o
}

// Lines are the stream-json output.
type lines struct {
	*sink
	lang string
}

// An opening is the first line of a stream: whose events follow.
type opening struct {
	Type    string `json:"type"`
	Session string `json:"session"`
}

// Unbegun writes the outcome of a request that no session took: outputs for programs end with their object all the same.
func Unbegun(w io.Writer, to Output, o nebula.Outcome) {
	switch v := newView(Request{Output: to, Stdout: w}).(type) {
	case *object:
		v.outcome(o)
	case *lines:
		v.event(nebula.Event{At: time.Now(), Body: nebula.Ended{Outcome: o}}, nil)
	}
}

func (l *lines) event(e nebula.Event, _ []*transcript.Row) {
	if started, ok := e.Body.(nebula.Started); ok {
		l.json(opening{"session", started.Session})
		return
	}
	switch b := e.Body.(type) {
	case nebula.Ended:
		b.Outcome = Filled(b.Outcome)
		e.Body = b
	case nebula.Retried: // in words: a code is for who says it in a language
		b.Cause = nebula.Code(phrase.Told(l.lang, b.Cause))
		e.Body = b
	}
	l.json(e)
}

func (*lines) outcome(nebula.Outcome) {}
