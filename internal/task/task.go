// Package task is the task loop: it works through a plan beside the conversation, as one more front end of the agent.
// Every step that can run gets a conversation of its own, in which its tasks are carried out through the same gate;
// what it asks waits in the person's conversation, and what it comes to is reported there. It owns the plans of a
// project: whoever changes one, does it here.
package task

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"nebula"
	"nebula/internal/plan"
)

// A Setup is what the loop works with. Everything is required but what says otherwise.
type Setup struct {
	Plans   nebula.PlanStore
	Project string
	Lang    string
	Ask     func(ctx context.Context, p nebula.Prompt) (nebula.Reply, error)
	Base    func() string                                              // what a prompt begins with: who asks, and what is remembered; may be nil
	Open    func(ctx context.Context, id string) (Conversation, error) // a step's; a new one for ""
	Load    func(ctx context.Context, id string) iter.Seq2[nebula.Event, error]
	Lock    func(ctx context.Context, id string) (unlock func(), err error)
	Tools   []nebula.ToolSpec // that tasks may use
	Read    string            // the tool that reads a file; may be empty
	Edits   []string          // the tools that change one only when it was read
	Tests   string            // the tool that runs the project's tests
	Command string            // the tool that runs a command
	// Checkable reports whether the project has tests that would be found; Yes reads an answer.
	Checkable  func() bool
	Yes        func(text string) bool
	Counted    func(command, output string) nebula.TestReport // what an output says of tests; may be nil
	Text       func(path string) (text string, ok bool)       // of a file that is worth showing; may be nil
	Look       func(path string) (folder, there bool)         // at what stands at a path; may be nil: then files are not checked
	Map        func(about string) string                      // of the project, as far as it concerns something; may be nil
	Facts      func() string                                  // of the project as it is, for planning; may be nil
	CutOff     string                                         // what becomes of commands that were cut off: again, done, or else the person says
	Approve    string                                         // the policy that steps begin with
	Side       int                                            // steps side by side, 2 when 0
	Budget     Budget                                         // of a whole plan
	StepBudget Budget                                         // of a step, each time that it begins
	Now        func() time.Time                               // may be nil
}

// A Budget bounds what something may cost in all; zero means no bound.
type Budget struct {
	Tokens int
	Cost   float64
	Time   time.Duration // of work, without what waits for the person; of a step only
}

// A Conversation is a step's session.
type Conversation interface {
	nebula.Conversation
	ID() string
	Wait() error
}

// A Loop carries plans out. All its methods may be called from any goroutine.
type Loop struct {
	setup Setup
	out   outbox

	mu      sync.Mutex
	plan    *nebula.Plan // the one last worked on
	looked  bool         // whether there is a plan was asked
	under   *run
	last    *run // that ended
	waiting []waiting
	talks   map[string]Conversation // of the steps under way
	policy  nebula.Switched         // what the person's conversation was switched to
	always  map[string]bool         // commands, by their proposals' keys, that the person allowed once for all
	closed  bool
	resting map[string]bool // steps that wait for those beside them
	turned  chan struct{}   // closed, and made anew, when a step ends or begins to wait
}

// A waiting question goes on when its answer comes.
type waiting struct {
	asked   nebula.Queued
	answers chan nebula.Answer
}

// New makes a loop. Nothing is read before it is needed.
func New(s Setup) *Loop {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Side <= 0 {
		s.Side = 2
	}
	l := &Loop{setup: s, talks: map[string]Conversation{}, always: map[string]bool{}, resting: map[string]bool{}, turned: make(chan struct{})}
	l.out.told = l.told
	return l
}

// Attach names the conversation that is told what happens, and where questions wait: those that nobody answered in the
// conversation before are asked again.
func (l *Loop) Attach(chat nebula.Conversation) {
	l.mu.Lock()
	idle := l.under == nil && !l.closed
	var again []nebula.Body
	if l.under != nil && l.plan != nil {
		again = append(again, nebula.Planned{Plan: plan.Bare(*l.plan), Change: "under way", By: "nebula"})
	}
	for _, w := range l.waiting {
		again = append(again, w.asked)
	}
	l.mu.Unlock()
	l.out.attach(chat, again)
	if idle {
		l.interrupted(context.Background())
	}
}

// Follow has the steps under way, and those to come, under what the person's conversation was switched to: its mode and
// its approval policy.
func (l *Loop) Follow(ctx context.Context, s nebula.Switched) error {
	l.mu.Lock()
	l.policy.Mode = or(s.Mode, l.policy.Mode)
	l.policy.Approve = or(s.Approve, l.policy.Approve)
	talks := slices.Collect(maps.Values(l.talks))
	l.mu.Unlock()
	var errs []error
	for _, talk := range talks {
		err := talk.Send(ctx, nebula.Switch{Mode: s.Mode, Approve: s.Approve})
		if !errors.Is(err, nebula.ErrClosed) { // a step that has just ended needs to know nothing
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Close ends what is under way and waits for it.
func (l *Loop) Close() {
	l.mu.Lock()
	r := l.under
	l.closed = true
	l.mu.Unlock()
	if r != nil {
		r.cancel()
		<-r.done
	}
	l.out.flush()
}

// current is the plan that id names; the one last worked on, or the newest, for "".
func (l *Loop) current(ctx context.Context, id string) (nebula.Plan, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.find(ctx, id)
}

func (l *Loop) find(ctx context.Context, id string) (nebula.Plan, error) {
	if l.plan != nil && (id == "" || id == l.plan.ID) {
		return *l.plan, nil
	}
	p, err := l.setup.Plans.Plan(ctx, l.setup.Project, id)
	l.looked = true
	if err != nil {
		return p, err
	}
	if id == "" || l.under == nil {
		l.plan = &p
	}
	return p, nil
}

// Known reports whether there is a plan.
func (l *Loop) Known() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.plan == nil && !l.looked {
		_, _ = l.find(context.Background(), "") // none, or none that can be read
	}
	return l.plan != nil
}

// Progress is the plan under way in a few lines; empty when there is none or it is over.
func (l *Loop) Progress(lang string) string {
	if !l.Known() {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.plan.Status == nebula.Completed {
		return ""
	}
	return plan.Summary(*l.plan, lang)
}

// Plan is the plan last worked on, nil when there is none.
func (l *Loop) Plan() any {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.plan == nil {
		return nil
	}
	return *l.plan
}

// conflicts is how often a change is made anew on a plan that was changed elsewhere.
const conflicts = 5

// change makes edits and keeps the plan; steps tells which ones changed, none where the plan as a whole did. What it
// returns is on disk.
func (l *Loop) change(ctx context.Context, id string, steps []string, edits ...plan.Edit) (nebula.Plan, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	for tries := 0; ; tries++ {
		p, err := l.find(ctx, id)
		if err != nil {
			return p, err
		}
		next, err := apply(p, steps != nil, edits)
		if err != nil {
			return p, err
		}
		next.Version, next.Changed = p.Version+1, l.setup.Now().UTC()
		err = l.setup.Plans.SavePlan(ctx, l.setup.Project, next, steps...)
		if err == nil {
			l.plan = &next
			return next, nil
		}
		if !errors.Is(err, nebula.ErrPlanChanged) || tries == conflicts {
			return p, err
		}
		l.plan, steps = nil, nil // elsewhere steps may have come or moved
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
func (l *Loop) step(ctx context.Context, id, step, cause string, edit func(*nebula.PlanStep)) (nebula.PlanStep, error) {
	p, err := l.change(ctx, id, []string{step}, func(p nebula.Plan) (nebula.Plan, error) {
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
		l.stepped(p, p.Steps[i], cause)
	}
	return p.Steps[i], nil
}

func (l *Loop) stepped(p nebula.Plan, s nebula.PlanStep, cause string) {
	s.Tasks = nil
	told := nebula.Stepped{Plan: p.ID, Step: s, Done: plan.Done(p), Of: len(p.Steps), Cause: cause}
	if s.Status == nebula.Pending { // it stopped before its end: what it did can be taken back
		told.Changes, told.Lost = l.made(s.Session)
	}
	l.out.tell(told)
}

func (l *Loop) planned(p nebula.Plan, change, by string) {
	l.out.tell(nebula.Planned{Plan: plan.Bare(p), Change: change, By: by})
	l.out.flush()
}

// told keeps that a step's report is in a conversation. One that a crash kept from it is told again by the next run.
func (l *Loop) told(r nebula.Reported) {
	_, _ = l.step(context.Background(), r.Plan, r.Step, "", func(s *nebula.PlanStep) { s.Told = s.Report != nil }) // else it is told twice
}

// tellAgain tells the reports of a plan that are in no conversation yet.
func (l *Loop) tellAgain(p nebula.Plan) {
	for _, s := range p.Steps {
		if s.Report != nil && !s.Told {
			changes, lost := l.made(s.Session)
			l.out.tell(nebula.Reported{Plan: p.ID, Step: s.ID, Title: s.Name, Report: *s.Report, Changes: changes, Lost: lost, Session: s.Session,
				Text: reported(p, s, l.setup.Lang)})
		}
	}
}

func newID() string {
	b := make([]byte, 4)
	_, _ = rand.Read(b) // never fails
	return "plan_" + hex.EncodeToString(b)
}

// Edit changes a plan, by the person or the model, and tells of it.
func (l *Loop) Edit(ctx context.Context, id, what, by string, edits ...plan.Edit) (nebula.Plan, error) {
	l.mu.Lock()
	idle := l.under == nil
	l.mu.Unlock()
	if idle {
		if unlock, err := l.alone(ctx); err == nil { // what a crash left under way is not under way any more
			defer unlock()
			edits = append([]plan.Edit{reopen}, edits...)
		}
	}
	p, err := l.change(ctx, id, nil, edits...)
	if err != nil {
		return p, err
	}
	l.planned(p, what, by)
	l.wake()
	return p, nil
}

// Direct carries out what the person wants done with the work in the background.
func (l *Loop) Direct(ctx context.Context, d nebula.Direct) error {
	switch d.Do {
	case nebula.RunPlan:
		_, err := l.Start(ctx, Request{Plan: d.Plan, Step: d.Step, By: "person"})
		return err
	case nebula.ApprovePlan:
		_, err := l.Edit(ctx, d.Plan, "approved", "person", plan.Approve("person"))
		return err
	case nebula.PausePlan:
		return l.pause()
	case nebula.CancelPlan:
		return l.cancel()
	case nebula.SteerPlan:
		p, err := l.change(ctx, d.Plan, []string{}, func(p nebula.Plan) (nebula.Plan, error) {
			p.Notes = append(p.Notes[:len(p.Notes):len(p.Notes)], d.Text)
			return p, nil
		})
		if err == nil {
			l.planned(p, "steered", "person")
		}
		return err
	case nebula.SkipStep:
		_, err := l.Edit(ctx, d.Plan, "skipped "+d.Step, "person", plan.Skip(d.Step))
		return err
	case nebula.RetryStep:
		_, err := l.Edit(ctx, d.Plan, "retried "+d.Step, "person", plan.Retry(d.Step))
		return err
	}
	return fmt.Errorf("unknown direction %q", d.Do)
}
