// Package task is the task loop: it works through a plan beside the conversation, as one more front end of the agent.
// Every step that can run gets a conversation of its own, in which its tasks are carried out through the same gate;
// what it asks waits in the person's conversation, and what it comes to is reported there. It owns the plans of a
// project: whoever changes one, does it here.
package task

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"nebula"
	"nebula/internal/plan"
	"nebula/internal/state"
)

// A Setup is what the loop works with. Everything is required but what says otherwise.
type Setup struct {
	Plans   nebula.PlanStore
	Project string
	Lang    string
	// Ask asks a model once. When another one is asked in its place, since it has no capacity, instead hears of it first.
	Ask  func(ctx context.Context, with nebula.Conduct, p nebula.Prompt, instead Instead) (nebula.Reply, error)
	Base func() string // what a prompt begins with: who asks, and what is remembered; may be nil
	// Open opens a step's session, a new one for "", in a copy of the folder, or in the folder itself for "".
	Open func(ctx context.Context, with nebula.Conduct, id, tree string) (Conversation, error)
	// Errand opens the session of an agent that does an errand; nil where nobody is there to do one.
	Errand    func(ctx context.Context, with nebula.Conduct, e Errand) (Conversation, error)
	Forks     Forks // makes these copies; nil where there are none
	Load      func(ctx context.Context, id string) iter.Seq2[nebula.Event, error]
	Lock      func(ctx context.Context, id string) (unlock func(), err error)
	Tools     []nebula.ToolSpec                              // that tasks may use
	Read      string                                         // the tool that reads a file; may be empty
	Tests     string                                         // the tool that runs the project's tests
	Command   string                                         // the tool that runs a command
	Checkable func(tree string) bool                         // whether the project, or a copy of it, has tests that would be found
	Counted   func(command, output string) nebula.TestReport // what an output says of tests; may be nil
	Text      func(tree, path string) (text string, ok bool) // of a file that is worth showing; may be nil
	Look      func(tree, path string) (folder, there bool)   // at what stands at a path; may be nil: then files are not checked
	Map       func(about string) string                      // of the project, as far as it concerns something; may be nil
	Facts     func() string                                  // of the project as it is, for planning; may be nil
	// Complex names the model for what is hard beside one that works: planning, and a step whose check failed twice. It is empty
	// where the one does all; may be nil.
	Complex func(beside string) string
	CutOff  string // what becomes of commands that were cut off: again, done, or else the person says
	// GoesOn says that the conversation begins with carrying a plan on: what a run that was cut off did is told when it does, in
	// the order in which it was done, so that all of it is one turn's.
	GoesOn bool
	// Begin is what plans run with as long as the conversation is switched to nothing else.
	Begin nebula.Conduct
	Now   func() time.Time // may be nil
}

// A Chat is the conversation that the loop works beside: it is told what happens, and tells in short what was said in it, and what the
// person forbids in it.
type Chat interface {
	nebula.Conversation
	Talk(ctx context.Context) (string, error)
	Lent(ctx context.Context) (bars []state.Bar, rules []string, err error)
}

// A Conversation is a step's session.
type Conversation interface {
	nebula.Conversation
	ID() string
	Wait() error
}

// A Loop carries plans out. All its methods may be called from any goroutine. What it knows is one goroutine's, the
// owner's; whoever wants something of it hands a function in and waits until it ran. What takes long (models, tools,
// conversations) happens beside the owner.
type Loop struct {
	setup Setup
	inbox chan func(*owner)
	quit  func()
	ended chan struct{}
	join  chan struct{}               // held by the step that comes into the folder
	seen  atomic.Pointer[nebula.Plan] // the plan last worked on, for those who do not wait
	named atomic.Bool                 // it was said which model plans
}

// An owner is what the loop knows. Its methods are called in its goroutine only, and wait for nothing but the record.
type owner struct {
	loop    *Loop
	plan    *nebula.Plan // the one last worked on
	under   *run
	last    *run // that ended
	waiting []waiting
	talks   map[string]Conversation // of the steps under way
	errands map[string]errand       // under way
	lent    int                     // errands so far
	away    sync.WaitGroup          // errands that nobody waits for
	with    nebula.Conduct          // what a plan runs with that is let run now
	closed  bool
	out     outbox
}

// A waiting question goes on when its answer comes.
type waiting struct {
	asked   nebula.Queued
	answers chan nebula.Answer
}

// New makes a loop. Nothing is read before it is needed. It is to be closed.
func New(s Setup) *Loop {
	if s.Now == nil {
		s.Now = time.Now
	}
	ctx, quit := context.WithCancel(context.Background())
	l := &Loop{setup: s, inbox: make(chan func(*owner)), quit: quit, ended: make(chan struct{}), join: make(chan struct{}, 1)}
	go l.own(ctx, &owner{loop: l, talks: map[string]Conversation{}, errands: map[string]errand{}, with: s.Begin})
	return l
}

func (l *Loop) own(ctx context.Context, o *owner) {
	defer close(l.ended)
	for {
		select {
		case f := <-l.inbox:
			f(o)
		case <-ctx.Done():
			return
		}
	}
}

// do runs f in the owner's goroutine and waits for it; false when the loop was closed before.
//
//go:noinline
func (l *Loop) do(f func(*owner)) bool {
	ran := make(chan struct{})
	select {
	case l.inbox <- func(o *owner) { defer close(ran); f(o) }:
		<-ran
		return true
	case <-l.ended:
		return false
	}
}

// Attach names the conversation that is told what happens, and where questions wait: those that nobody answered in the
// conversation before are asked again.
func (l *Loop) Attach(chat Chat) {
	idle := false
	l.do(func(o *owner) {
		if o.plan == nil {
			if p, err := o.find(""); err == nil {
				o.hold(p)
			}
		}
		var again []nebula.Body
		if o.under != nil && o.plan != nil {
			again = append(again, nebula.Planned{Plan: plan.Bare(*o.plan), Change: "under way", By: "nebula"})
		}
		for _, w := range o.waiting {
			again = append(again, w.asked)
		}
		o.attach(chat, again)
		idle = o.under == nil && !o.closed
	})
	if idle {
		l.interrupted(context.Background())
	}
}

// Follow is told what the person's conversation is switched to. What is let run from now on runs with it; the steps under
// way go on with what they began with, but under its mode and its approval policy, which is recorded.
func (l *Loop) Follow(ctx context.Context, s nebula.Switched) error {
	var talks map[Conversation]nebula.Switch
	l.do(func(o *owner) {
		o.with.Model, o.with.Protocol = cmp.Or(s.Model, o.with.Model), cmp.Or(s.Protocol, o.with.Protocol)
		o.with.Mode, o.with.Approve = cmp.Or(s.Mode, o.with.Mode), cmp.Or(s.Approve, o.with.Approve)
		if s.Mode == "" && s.Approve == "" {
			return
		}
		if u := o.under; u != nil {
			u.with.Mode, u.with.Approve = o.with.Mode, o.with.Approve
			_, _ = o.change(u.plan, []string{}, runsWith(u.with)) // it holds whether or not that is written
		}
		talks = o.conducted(nebula.Switch{Mode: s.Mode, Approve: s.Approve})
	})
	var errs []error
	for talk, to := range talks {
		err := talk.Send(ctx, to)
		if !errors.Is(err, nebula.ErrClosed) { // a step that has just ended needs to know nothing
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// steer tells the agents at work what the person says. One that is between two turns reads it in the next.
func (l *Loop) steer(ctx context.Context, id, text string) {
	var talks []Conversation
	l.do(func(o *owner) {
		if o.under != nil && o.under.plan == id {
			talks = slices.Collect(maps.Values(o.talks))
		}
	})
	for _, talk := range talks {
		_ = talk.Send(ctx, nebula.Submit{Text: text, Steer: true}) // else it reads it in its next turn
	}
}

func runsWith(c nebula.Conduct) plan.Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		p.With = c
		return p, nil
	}
}

// Close ends what is under way and waits for it.
func (l *Loop) Close() {
	var u *run
	var away *sync.WaitGroup
	l.do(func(o *owner) {
		o.closed, away = true, &o.away
		o.recall()
		if u = o.under; u != nil {
			u.cancel(nil)
			o.advance()
		}
	})
	if away != nil {
		away.Wait()
	}
	if u != nil {
		<-u.done
	}
	l.flush()
	l.quit()
	<-l.ended
}

// current is the plan that id names; the one last worked on, or the newest, for "". It changes nothing.
func (l *Loop) current(id string) (p nebula.Plan, err error) {
	if !l.do(func(o *owner) { p, err = o.find(id) }) {
		err = errClosed
	}
	return p, err
}

var errClosed = errors.New("nothing is carried out in the background any more")

func (o *owner) find(id string) (nebula.Plan, error) {
	if o.plan != nil && (id == "" || id == o.plan.ID) {
		return *o.plan, nil
	}
	return Find(context.Background(), o.loop.setup.Plans, o.loop.setup.Project, id)
}

// hold makes a plan the one last worked on. While one is under way, that is it.
func (o *owner) hold(p nebula.Plan) {
	if o.under == nil || o.under.plan == p.ID {
		o.plan = &p
		o.loop.seen.Store(&p)
	}
}

// Known reports whether there is a plan, as far as was looked when a conversation was attached. It does not wait.
func (l *Loop) Known() bool { return l.seen.Load() != nil }

// Progress is the plan last worked on in a few lines; empty when there is none or it is over. It does not wait.
func (l *Loop) Progress(lang string) string {
	p := l.seen.Load()
	if p == nil || p.Status == nebula.Completed {
		return ""
	}
	return plan.Summary(*p, lang)
}

// Plan is the plan last worked on, nil when there is none. It does not wait.
func (l *Loop) Plan() *nebula.Plan { return l.seen.Load() }

// conflicts is how often a change is made anew on a plan that was changed elsewhere.
const conflicts = 5

// change makes edits and keeps the plan; steps tells which ones changed, none where the plan as a whole did. What it
// returns is on disk.
func (o *owner) change(id string, steps []string, edits ...plan.Edit) (nebula.Plan, error) {
	s := o.loop.setup
	for tries := 0; ; tries++ {
		p, err := o.find(id)
		if err != nil {
			return p, err
		}
		next, err := apply(p, steps != nil, edits)
		if err != nil {
			return p, err
		}
		next.Version, next.Changed = p.Version+1, s.Now().UTC()
		err = s.Plans.SavePlan(context.Background(), s.Project, next, steps...)
		if err == nil {
			o.hold(next)
			return next, nil
		}
		if !errors.Is(err, nebula.ErrPlanChanged) || tries == conflicts {
			return p, err
		}
		o.plan, steps = nil, nil // elsewhere steps may have come or moved
		if id == "" {
			id = p.ID
		}
	}
}

// apply makes edits. Where only the progress of a step changes, the plan's sense is what it was.
func apply(p nebula.Plan, progress bool, edits []plan.Edit) (nebula.Plan, error) {
	if !progress {
		return plan.Do(p, edits...)
	}
	p.Steps = append([]nebula.PlanStep{}, p.Steps...)
	for _, edit := range edits {
		var err error
		if p, err = edit(p); err != nil {
			return p, err
		}
	}
	return p, nil
}

// step changes one step and tells of it.
func (o *owner) step(id, step string, cause nebula.Code, edit func(*nebula.PlanStep)) (nebula.PlanStep, error) {
	p, err := o.change(id, []string{step}, func(p nebula.Plan) (nebula.Plan, error) {
		i, err := plan.Find(p, step)
		if err != nil {
			return p, err
		}
		edit(&p.Steps[i])
		return plan.Settle(p), nil
	})
	if err != nil {
		return nebula.PlanStep{}, err
	}
	i, err := plan.Find(p, step)
	if err != nil {
		return nebula.PlanStep{}, err
	}
	if cause != "" {
		o.stepped(p, p.Steps[i], cause)
	}
	return p.Steps[i], nil
}

// step changes one step and tells of it, for whoever is not the owner.
func (l *Loop) step(id, step string, cause nebula.Code, edit func(*nebula.PlanStep)) (s nebula.PlanStep, err error) {
	if !l.do(func(o *owner) { s, err = o.step(id, step, cause, edit) }) {
		err = errClosed
	}
	return s, err
}

// change changes a plan and tells of it, and waits until it is told.
func (l *Loop) change(id string, steps []string, what nebula.Code, by nebula.Decider, edits ...plan.Edit) (p nebula.Plan, err error) {
	if !l.do(func(o *owner) {
		if p, err = o.change(id, steps, edits...); err == nil {
			o.planned(p, what, by)
			o.advance()
		}
	}) {
		return p, errClosed
	}
	l.flush()
	return p, err
}

// tell tells of something, for whoever is not the owner.
//
//go:noinline
func (l *Loop) tell(bodies ...nebula.Body) { l.do(func(o *owner) { o.tell(bodies...) }) }

func (o *owner) stepped(p nebula.Plan, s nebula.PlanStep, cause nebula.Code) {
	s.Tasks = nil
	told := nebula.Stepped{Plan: p.ID, Step: s, Done: plan.Done(p), Of: len(p.Steps), Cause: cause}
	if s.Status == nebula.Pending && (cause != cutOff || !o.loop.setup.GoesOn) { // it stopped before its end: what it did can be taken back
		did := o.loop.made(s.Changing())
		told.Changes, told.Lost, told.Blind = did.changes, did.lost, did.blind
	}
	o.tell(told)
}

func newID() string {
	b := make([]byte, 4)
	_, _ = rand.Read(b) // never fails
	return "plan_" + hex.EncodeToString(b)
}

// Edit changes a plan, by the person or the model, and tells of it.
func (l *Loop) Edit(ctx context.Context, id string, what nebula.Code, by nebula.Decider, edits ...plan.Edit) (nebula.Plan, error) {
	idle := false
	l.do(func(o *owner) { idle = o.under == nil })
	if idle {
		if unlock, err := l.alone(ctx); err == nil { // what a crash left under way is not under way any more
			defer unlock()
			edits = append([]plan.Edit{reopen}, edits...)
		}
	}
	return l.change(id, nil, what, by, edits...)
}

// Direct carries out what the person wants done with the work in the background.
func (l *Loop) Direct(ctx context.Context, d nebula.Direct) error {
	if d.Do == nebula.RunPlan || d.Do == nebula.ApprovePlan {
		if err := l.unseen(d.Plan); err != nil {
			return err
		}
	}
	switch d.Do {
	case nebula.RunPlan:
		_, err := l.Start(ctx, Request{Plan: d.Plan, Step: d.Step, By: nebula.Person})
		return err
	case nebula.ApprovePlan:
		_, err := l.Edit(ctx, d.Plan, "approved", nebula.Person, plan.Approve(nebula.Person), runsWith(l.conduct()))
		return err
	case nebula.PausePlan:
		return l.pause()
	case nebula.CancelPlan:
		return l.cancel()
	case nebula.SteerPlan:
		p, err := l.change(d.Plan, []string{}, "steered", nebula.Person, func(p nebula.Plan) (nebula.Plan, error) {
			p.Notes = append(p.Notes[:len(p.Notes):len(p.Notes)], d.Text)
			return p, nil
		})
		if err == nil {
			l.steer(ctx, p.ID, d.Text)
		}
		return err
	case nebula.SkipStep:
		_, err := l.Edit(ctx, d.Plan, nebula.NewCode(plan.Skipped, d.Step), nebula.Person, plan.Skip(d.Step))
		return err
	case nebula.RetryStep:
		_, err := l.Edit(ctx, d.Plan, nebula.NewCode(plan.Retried, d.Step), nebula.Person, plan.Retry(d.Step))
		return err
	}
	return fmt.Errorf("unknown direction %q", d.Do)
}
