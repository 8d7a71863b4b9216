// Package agent is a session: one goroutine that asks the model, acts and records. It owns the session's state, which
// is the fold of its events; front ends send it commands and read its events. It knows no front end, no provider and
// no tool by name.
package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"time"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/gate"
	"nebula/internal/prompt"
	"nebula/internal/state"
)

// A Setup is what a session works with. What a field is without, its comment says; a field whose comment says nothing of it is required.
type Setup struct {
	Store    nebula.Store
	Model    func(name string) (nebula.Model, error)
	Protocol func(name string, m nebula.ModelInfo) (nebula.Protocol, error) // name may be auto
	// Fallback names the models in the place of one while it is overloaded or its quota is used up, the first first; nil for none.
	Fallback func(name string) []string
	// Declared is the window that a model's server says it has, 0 for none, and what people should know of it; nil asks nobody.
	Declared func(ctx context.Context, name string) (window int, why string)

	Tools      []nebula.Tool
	Shell      string // the name of the tool that runs a command of the person's own; empty where there is none
	Restore    func(ctx context.Context, g *nebula.Grant, changes []nebula.Change) ([]nebula.Change, []nebula.Left, error)
	Ready      func(ctx context.Context, changes []nebula.Change) bool // whether Restore could do something of them
	Idle       func(ctx context.Context, changes []nebula.Change) bool // whether everything is as it would bring it already; nil for never
	Prompt     *prompt.Builder
	Limits     Limits
	Approve    gate.Approve
	Protection gate.Protection
	Own        []string      // nebula's own folders, which no command changes
	Rules      Rules         // what the person allowed in this folder from then on; nil where nothing can be
	Table      state.Table   // of the Step/Status machine; nil means the default
	Retries    int           // recoveries from errors before the person is asked; 0 means the default
	Quiet      time.Duration // silence in the middle of a reply until the person is told, then twice as long each time; 0 means 15 s
	// Thresholds say when vitals tighten what may go on; zero means the default.
	Thresholds state.Thresholds
	// Checkable reports whether the project has something that could show that a change works; nil means that it has.
	Checkable func() bool
	// Evidence looks up what a message is probably about, in lines, and until there was something for one also what there is
	// around it; nil where nothing can be. It must not take long.
	Evidence func(request string, first bool) string
	// Advice is what the project and the person wrote for whoever works on some files; nil where nothing is read.
	Advice func(touched []string) []advice.File
	// Unsaid reports whether something was said in no session of the folder yet, and from then on that it was; nil where nobody knows.
	Unsaid func(what ...string) bool
	// Stale gives those of the files that are not what was read of them any more, with an empty hash where there is none. It is asked before every request.
	Stale func(refs []nebula.FileRef) []nebula.FileRef // nil where it cannot be told
	Moved func(gone nebula.FileRef) string             // where a file that is gone stands now; "" where nobody knows, nil where nobody looks
	// Brings tells what the folder brings that could run and that nobody has agreed to; it is asked once, when the first message
	// comes. Nil where nothing could.
	Brings func() *Brought
	// Expand gives what a message stands for that names a command of somebody's own, nil for every other; an error where it names
	// one that may not be used. It is asked by whoever sends the message. Nil where there are none.
	Expand func(text string) (*Expansion, error)
	// Skills is what the model is told of the skills there are; nil where there are none. Fits reports whether a proposal is of
	// one of the tools that a skill or a command says it needs.
	Skills func(request, lang string) string
	Fits   func(needs []string, p nebula.Proposal) bool
	// Finds tells what changes made wrong that was not before, in lines, as programs see it that know the language; empty for
	// nothing, and which programs were started for that. Nil where nobody looks.
	Finds func(ctx context.Context, changes []nebula.Change) (wrong string, began []string)
	// Learn is told what each turn that the person asked for came to; nil where nothing is learnt of it.
	Learn func(request string, o nebula.Outcome)
	// Named finds the files that a short name could stand for which none has yet; nil finds none.
	Named func(name string) []string
	// Script is what stands in a file of the folder that a command runs, "" for none; nil where nobody looks.
	Script func(file string) string
	// Denies is what the folder's settings forbid, as the person's words would, and forbade since it was opened; nil where they forbid nothing.
	Denies func() []state.Bar
	// Hooks are asked at the moments of the session; nil where there are none.
	Hooks nebula.Hooks
	// Redact takes what nobody may read out of an event, before it is anywhere; nil where there is nothing to take.
	Redact func(nebula.Body) nebula.Body
	// Secrets gives what a session knows of files with secrets; nil where there are none.
	Secrets func() Secrets
	// Hidden is what stands where something was taken out; an action that would write it or run it is sent back.
	Hidden string
	// Became tells of an action that was under way when an earlier process ended whether it took effect: Done, or any
	// other status for not; nil where that cannot be told.
	Became func(p nebula.Proposal) (r nebula.Result, known bool)
	// Remains tells what a command changed, named as in a Run, that was under way when an earlier process ended; nil where
	// that cannot be told. since are changes that were made after it.
	Remains   func(ctx context.Context, run string, since []nebula.Change) (changes []nebula.Change, lost []string, known bool)
	Views     func() bool    // whether commands run on a view of the folder; nil where they do not
	Prefix    string         // of the id of a new session
	Unboxed   bool           // there is no box for commands
	Alone     bool           // nobody is there to answer
	Exposed   bool           // whoever has it work may know what is secret, and tell it
	Unwatched bool           // nobody looks at what streams: it is not shown
	Beside    Beside         // what works in the background; nil where nothing does
	Jobs      Jobs           // commands that go on in the background; nil where none can
	Begin     nebula.Started // what a new session starts with, and what a resumed one is switched to where set
	Now       func() time.Time
}

// Rules are what the person allowed in the session's folder from then on, kept where no project reaches.
type Rules interface {
	All() []gate.Rule
	Add(r gate.Rule) error
}

// Secrets are what files tell that a session keeps out of what comes of its actions.
type Secrets interface {
	Open(p nebula.Proposal) // it is carried out: what is in the files that it names may be told
	Result(r nebula.Result) nebula.Result
	Unread(r nebula.Result, unread, touched func(path string) bool) nebula.Result // without what stands in files that are not to be read
	Kept(unread func(path string) bool) int                                       // how far git has them
	Diff(p nebula.Proposal) string                                                // a proposal's diff, as it may be kept
}

// Limits bound a turn; zero means no limit.
type Limits struct {
	Steps  int
	Tokens int // input and output together
	New    int // of what the model has not read before, by the builder's count
	Cost   float64
	Time   time.Duration

	Actions int // in a reply

	// All bounds everything since the session was opened, in tokens and cost.
	All nebula.Bound
}

// A Session is a conversation under way. It implements nebula.Conversation.
type Session struct {
	setup   Setup
	secrets Secrets // nil where none are known
	state   *state.State
	journal *journal
	queue   []nebula.Event // not yet on disk
	shown   int            // of the queue, to front ends
	begun   bool           // the session has its line in the record: perhaps no event, where its process ended right then
	kept    bool           // its events are on disk

	inbox  chan request
	output chan nebula.Streamed // of running actions
	asks   chan asking          // of running actions
	ctx    context.Context
	done   chan struct{}
	err    error // why it ended, if not by Close; set before done closes

	leaving  bool
	turn     turn            // under way, or the last
	oriented bool            // the folder was told of once
	lasts    []gate.Rule     // see standing
	lacking  map[string]bool // advice, by its path, of which the person was told what it lacks
	greeted  atomic.Bool     // hooks were told of the session
	resumes  bool            // it was there before it was opened
	stocked  bool            // the skills were chosen

	callsAlways bool                 // the server ends replies as such that call which call nothing
	skills      string               // what the model is told of them
	last        last                 // request, for what its provider kept of it
	earlier     nebula.Usage         // of the openings before this one
	out         map[string]time.Time // models without capacity, until then
	unlock      func()
}

type request struct {
	command nebula.Command
	meant   *Expansion    // what a message stands for
	heeded  nebula.Heeded // what hooks say of it
	kept    bool          // a key in it was taken out
	look    func()        // instead of a command: looks at the state on its owner's goroutine
	reply   chan error
}

// Open begins a session, or goes on with the one that id names. What an earlier process left open is closed first, so
// that the conversation is one that a model can read. The session ends with ctx or a Close command.
func Open(ctx context.Context, setup Setup, id string) (*Session, error) {
	if setup.Now == nil {
		setup.Now = time.Now
	}
	if setup.Table == nil {
		setup.Table = state.DefaultTable()
	}
	setup.Retries = cmp.Or(setup.Retries, state.Retries)
	setup.Thresholds = cmp.Or(setup.Thresholds, state.DefaultThresholds())
	s := &Session{
		setup: setup, state: state.New(), ctx: ctx,
		inbox: make(chan request), output: make(chan nebula.Streamed, 64), asks: make(chan asking), done: make(chan struct{}),
	}
	if setup.Secrets != nil {
		s.secrets = setup.Secrets()
	}
	var past []nebula.Event
	if id == "" {
		id = setup.Prefix + NewID(setup.Now())
		setup.Begin.Resumed = false
	} else {
		var err error
		if past, err = s.load(id); err != nil {
			return nil, err
		}
		s.begun = true
	}
	unlock, err := setup.Store.Lock(ctx, id)
	if err != nil {
		return nil, nebula.Errorf("session %s: %w", id, err)
	}
	s.unlock = unlock
	s.journal, s.earlier = newJournal(past), s.state.Usage
	s.kept, s.resumes = len(past) > 0, len(past) > 0
	if err := s.begin(id, len(past) > 0); err != nil {
		unlock()
		return nil, err
	}
	go s.run()
	return s, nil
}

// NewID names a session by the moment it began, with a random tail.
func NewID(at time.Time) string {
	tail := make([]byte, 3)
	_, _ = rand.Read(tail) // never fails
	return at.UTC().Format("20060102-150405-") + hex.EncodeToString(tail)
}

func (s *Session) load(id string) ([]nebula.Event, error) {
	var past []nebula.Event
	for e, err := range s.setup.Store.Load(s.ctx, id) {
		if err != nil {
			return nil, nebula.Errorf("session %s: %w", id, err)
		}
		s.state.Apply(e)
		past = append(past, e)
	}
	return past, nil
}

func (s *Session) begin(id string, resumed bool) error {
	b := s.setup.Begin
	b.Session, b.Resumed = id, resumed
	if resumed {
		b.Dir = s.state.Dir
		b.Model = cmp.Or(b.Model, s.state.Model)
		b.Protocol = cmp.Or(b.Protocol, s.state.Protocol)
		b.Mode = cmp.Or(b.Mode, s.state.Mode)
	}
	b.Mode = cmp.Or(b.Mode, nebula.AgentMode)
	b.Protocol = cmp.Or(b.Protocol, "auto")
	b.Lang = cmp.Or(b.Lang, "en")
	facts := &s.setup.Prompt.Facts
	top := facts.Top()
	b.Top = cmp.Or(s.state.Top, &top)
	facts.Told = b.Top
	bodies := []nebula.Body{b}
	if resumed {
		cut, err := s.settle()
		if err != nil {
			return err
		}
		bodies = append(bodies, cut...) // the person sees what comes after the opening
	}
	if err := s.record(bodies...); err != nil || s.state.Undoing == nil || s.setup.Restore == nil {
		return err
	}
	return s.goOn()
}

// ID is the session's id.
//
//go:noinline
func (s *Session) ID() string { return s.state.Session }

// Events implements nebula.Conversation.
//
//go:noinline
func (s *Session) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return s.journal.read(ctx, after)
}

// Send implements nebula.Conversation. What it returns nil for is on disk.
func (s *Session) Send(ctx context.Context, c nebula.Command) error {
	c, kept := withheld(c)
	meant, err := s.expanded(c)
	if err != nil {
		return err
	}
	heeded, err := s.greet(ctx, c)
	if err != nil {
		return err
	}
	return s.hand(ctx, request{command: c, meant: meant, heeded: heeded, kept: kept, reply: make(chan error, 1)})
}

// hand gives a request to the session's goroutine and waits until it was taken in.
func (s *Session) hand(ctx context.Context, in request) error {
	select {
	case s.inbox <- in:
	case <-s.done:
		return s.ended()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-in.reply:
		return err
	case <-s.done:
	}
	select {
	case err := <-in.reply: // the last that it did before its end
		return err
	default:
		return s.ended()
	}
}

// Wait returns when the session has ended; the error is what broke it, nil for a proper end.
//
//go:noinline
func (s *Session) Wait() error {
	<-s.done
	return s.err
}

func (s *Session) ended() error {
	if s.err != nil {
		return s.err
	}
	return nebula.ErrClosed
}

// run is the session's one goroutine.
func (s *Session) run() {
	defer close(s.done)
	defer s.unlock()
	defer s.journal.close()
	for !s.leaving && s.err == nil {
		select {
		case in := <-s.inbox:
			s.idle(in)
		case <-s.ctx.Done():
			s.leaving = true
		}
	}
	if s.err == nil && s.kept {
		s.part()
		s.err = s.record(nebula.Closed{})
	}
}

// idle carries out a command between turns.
func (s *Session) idle(in request) {
	if in.look != nil {
		in.look()
		in.reply <- nil
		return
	}
	switch c := in.command.(type) {
	case nebula.Submit:
		if c.Steer {
			in.reply <- errors.New(s.say(noTurn))
			return
		}
		s.submit(in, c)
	case nebula.Perform:
		s.perform(c, in.reply)
	case nebula.Shell:
		s.shell(c, in.reply)
	case nebula.Direct:
		s.direct(c, in.reply)
	case nebula.Undo:
		in.reply <- s.undo(c.Redo)
	case nebula.Compact:
		in.reply <- s.shorten(c)
	case nebula.Switch:
		s.follow(c, in.reply)
	case nebula.Answer:
		if !s.queued(c, in.reply) {
			in.reply <- errors.New(s.say(noLonger))
		}
	case nebula.Cancel:
		in.reply <- nil
	default:
		in.reply <- s.common(in.command)
	}
}

// busy carries out a command while a turn is under way.
func (s *Session) busy(in request) {
	if in.look != nil {
		in.look()
		in.reply <- nil
		return
	}
	switch c := in.command.(type) {
	case nebula.Submit:
		if in.meant != nil {
			in.reply <- errors.New(s.say(underWay))
			return
		}
		in.reply <- s.record(s.withNotice(in, nebula.Submitted{Turn: s.state.Turn.Number, Text: c.Text, Images: c.Images, Steer: true})...)
		s.pass(c.Text)
	case nebula.Undo, nebula.Perform, nebula.Shell:
		in.reply <- errors.New(s.say(underWay))
	case nebula.Compact:
		in.reply <- s.shortenLater(c)
	case nebula.Direct:
		s.direct(c, in.reply)
	case nebula.Switch:
		s.follow(c, in.reply)
	case nebula.Answer:
		if !s.queued(c, in.reply) {
			s.answered(c, in.reply)
		}
	case nebula.Cancel:
		if c.Signal != "" {
			s.turn.signalled(c.Signal)
		}
		s.turn.stop()
		in.reply <- nil
	default:
		in.reply <- s.common(in.command)
	}
}

func (s *Session) common(c nebula.Command) error {
	switch c := c.(type) {
	case nebula.Inform:
		return s.inform(c.Bodies)
	case nebula.Job:
		return s.job(c)
	case nebula.Close:
		s.leaving = true
		if s.turn.stop != nil {
			s.turn.stop()
		}
		return nil
	}
	return fmt.Errorf("unknown command %T", c)
}
