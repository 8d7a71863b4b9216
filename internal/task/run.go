package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"nebula"
	"nebula/internal/plan"
)

// A Request is what to run: a whole plan, one step of it, or tasks.
type Request struct {
	Plan  string
	Step  string
	Tasks json.RawMessage // a list of tasks or of their ids
	By    string          // who let it run: approves a draft
	Why   string
}

// A run is a plan being carried out.
type run struct {
	plan   string
	only   string // the one step to run; empty for all
	cancel context.CancelFunc
	unlock func() // the plan, for other processes
	done   chan struct{}
	wake   chan struct{}

	mu     sync.Mutex // of what follows
	paused bool
	active map[string]bool
	end    nebula.EndStatus
	why    string
}

// An End is how a run ended.
type End struct {
	Plan   nebula.Plan
	Status nebula.EndStatus
	Why    string
}

// Start begins to carry a plan out, or lets one go on that was paused. It returns once the run stands; the work goes
// on by itself.
func (l *Loop) Start(ctx context.Context, r Request) (nebula.Plan, error) {
	if len(r.Tasks) > 0 && string(r.Tasks) != "null" {
		var err error
		if r, err = l.give(ctx, r); err != nil {
			return nebula.Plan{}, err
		}
	}
	if p, going, err := l.resume(ctx, r); going || err != nil {
		return p, err
	}
	l.mu.Lock()
	l.plan = nil // another process may have worked on it
	l.mu.Unlock()
	p, err := l.current(ctx, r.Plan)
	if err != nil {
		return p, err
	}
	unlock, err := l.alone(ctx)
	if errors.Is(err, nebula.ErrInUse) {
		return p, errors.New("another nebula carries out a plan in this folder; wait for it, or cancel it there")
	}
	if err != nil {
		return p, err
	}
	if p, err = l.ready(ctx, p, &r); err != nil {
		unlock()
		return p, err
	}
	work, cancel := context.WithCancel(context.Background())
	u := &run{plan: p.ID, only: r.Step, cancel: cancel, unlock: unlock, done: make(chan struct{}), wake: make(chan struct{}, 1), active: map[string]bool{}}
	l.mu.Lock()
	if l.under != nil || l.closed {
		l.mu.Unlock()
		cancel()
		unlock()
		return p, errors.New("a plan is under way already; wait for it or cancel it")
	}
	l.under = u
	l.mu.Unlock()
	go l.drive(work, u)
	return p, nil
}

// alone makes this loop the one that carries plans out in the folder: one plan at a time, because which files another's
// steps will change is not known here.
func (l *Loop) alone(ctx context.Context) (unlock func(), err error) {
	return l.setup.Lock(ctx, "plans "+l.setup.Project)
}

// resume lets a run go on that is there already.
func (l *Loop) resume(ctx context.Context, r Request) (p nebula.Plan, going bool, err error) {
	l.mu.Lock()
	u := l.under
	l.mu.Unlock()
	if u == nil {
		return p, false, nil
	}
	if r.Plan != "" && r.Plan != u.plan {
		return p, false, nebula.Errorf("plan %s is under way; wait for it or cancel it", u.plan)
	}
	u.mu.Lock()
	was := u.paused
	u.paused = false
	if r.Step == "" {
		u.only = ""
	} else if u.only != "" && u.only != r.Step {
		was = true // the other step is added by running all that can
		u.only = ""
	}
	u.mu.Unlock()
	if r.By != "" {
		if p, err = l.change(ctx, u.plan, nil, plan.Approve(r.By)); err != nil {
			return p, true, err
		}
	}
	l.wake()
	if was {
		l.planned(p, "resumed", or(r.By, "person"))
	}
	return p, true, nil
}

// ready approves a plan and brings the steps that an earlier run left open back to where they can begin.
func (l *Loop) ready(ctx context.Context, p nebula.Plan, r *Request) (nebula.Plan, error) {
	if p.Status == nebula.Completed {
		return p, &nebula.Mistake{Text: fmt.Sprintf("Plan %s is completed.", p.ID), Hint: "Retry a step to do it anew."}
	}
	edits := []plan.Edit{reopen}
	if r.Step != "" {
		i, err := plan.Find(p, r.Step)
		if err != nil {
			return p, &nebula.Mistake{Text: oneLine(err) + "."}
		}
		r.Step = p.Steps[i].ID
		if p.Steps[i].Status == nebula.StageFailed {
			edits = append(edits, plan.Retry(r.Step))
		}
		edits = append(edits, runnable(r.Step))
	} else if p.Status == nebula.StageFailed {
		edits = append(edits, retryFailed)
	}
	edits = append(edits, plan.Approve(or(r.By, "person")))
	was, before := p.Status, p
	p, err := l.change(ctx, p.ID, nil, edits...)
	if err != nil {
		return p, &nebula.Mistake{Text: "Nothing was run: " + oneLine(err) + "."}
	}
	if was == nebula.Draft {
		l.planned(p, "approved", or(r.By, "person"))
	} else {
		l.planned(p, "running", or(r.By, "person"))
	}
	l.tellAgain(before)
	return p, nil
}

func reopen(p nebula.Plan) (nebula.Plan, error) {
	for i := range p.Steps {
		if p.Steps[i].Status == nebula.InProgress {
			p.Steps[i].Status = nebula.Pending
		}
	}
	return plan.Settle(p), nil
}

func retryFailed(p nebula.Plan) (nebula.Plan, error) {
	var err error
	for _, s := range p.Steps {
		if s.Status == nebula.StageFailed {
			if p, err = plan.Retry(s.ID)(p); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// runnable refuses a step that cannot run yet, with what it waits for.
func runnable(id string) plan.Edit {
	return func(p nebula.Plan) (nebula.Plan, error) {
		i, err := plan.Find(p, id)
		if err != nil {
			return p, err
		}
		if plan.Over(p.Steps[i].Status) {
			return p, nebula.Errorf("step %s is %s", p.Steps[i].ID, p.Steps[i].Status)
		}
		for _, d := range p.Steps[i].DependsOn {
			if j, ok := plan.Index(p, d); ok && !plan.Over(p.Steps[j].Status) {
				return p, nebula.Errorf("step %s depends on %s, which is %s", p.Steps[i].ID, d, p.Steps[j].Status)
			}
		}
		return p, nil
	}
}

// Wait returns when nothing is under way any more, with how it ended. When ctx ends, so does the run.
func (l *Loop) Wait(ctx context.Context) End {
	l.mu.Lock()
	u := l.under
	l.mu.Unlock()
	if u == nil {
		l.mu.Lock()
		u = l.last
		l.mu.Unlock()
	}
	if u == nil {
		p, _ := l.current(context.WithoutCancel(ctx), "") // the zero plan where there is none
		return End{Plan: p, Status: ending(p)}
	}
	select {
	case <-u.done:
	case <-ctx.Done():
		u.cancel()
		<-u.done
	}
	l.out.flush()
	p, _ := l.current(context.WithoutCancel(ctx), u.plan) // it was there a moment ago
	return End{Plan: p, Status: u.end, Why: u.why}
}

func ending(p nebula.Plan) nebula.EndStatus {
	switch p.Status {
	case nebula.Completed:
		return nebula.TurnDone
	case nebula.Draft, nebula.Approved:
		return nebula.NeedsApproval
	}
	return nebula.TurnFailed
}

func (l *Loop) wake() {
	l.mu.Lock()
	u := l.under
	l.mu.Unlock()
	if u != nil {
		select {
		case u.wake <- struct{}{}:
		default:
		}
	}
}

func (l *Loop) running(step string) bool {
	l.mu.Lock()
	u := l.under
	l.mu.Unlock()
	if u == nil {
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.active[step]
}

var errIdle = errors.New("no plan is under way")

func (l *Loop) pause() error {
	l.mu.Lock()
	u := l.under
	l.mu.Unlock()
	if u == nil {
		return errIdle
	}
	u.mu.Lock()
	u.paused = true
	u.mu.Unlock()
	p, err := l.current(context.Background(), u.plan)
	if err == nil {
		l.planned(p, "paused", "person")
	}
	l.wake()
	return err
}

func (l *Loop) cancel() error {
	l.mu.Lock()
	u := l.under
	l.mu.Unlock()
	if u == nil {
		return errIdle
	}
	u.cancel()
	<-u.done
	return nil
}

// A came is what a step came to; status is empty when it ran to its own end.
type came struct {
	step   string
	status nebula.EndStatus
	why    string
}

// drive is the goroutine of a run: it begins steps as they can begin, until none can.
func (l *Loop) drive(ctx context.Context, u *run) {
	ended := make(chan came)
	var steps sync.WaitGroup
	defer func() {
		l.close(ctx, u)
		close(u.done)
	}()
	for {
		begun := l.begin(ctx, u, func(id string) {
			steps.Go(func() { ended <- l.carry(ctx, u.plan, id) })
		})
		u.mu.Lock()
		active, paused := len(u.active), u.paused
		u.mu.Unlock()
		if active == 0 && begun == 0 && (!paused || ctx.Err() != nil) {
			steps.Wait()
			return
		}
		select {
		case c := <-ended:
			u.take(c)
		case <-u.wake:
		case <-done(ctx, active):
		}
	}
}

// done is when a run is cancelled that has nothing under way; what is under way ends by itself then.
func done(ctx context.Context, active int) <-chan struct{} {
	if active > 0 {
		return nil
	}
	return ctx.Done()
}

func (u *run) take(c came) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.active, c.step)
	if c.status != "" && u.end == "" {
		u.end, u.why = c.status, c.why
	}
}

// begin starts the steps that can begin now, and counts them.
func (l *Loop) begin(ctx context.Context, u *run, start func(id string)) int {
	p, err := l.current(ctx, u.plan)
	u.mu.Lock()
	defer u.mu.Unlock()
	if err != nil || ctx.Err() != nil || u.paused || u.end != "" || p.Status == nebula.Draft {
		return 0
	}
	if why := l.over(p); why != "" {
		u.end, u.why = nebula.LimitReached, why
		return 0
	}
	for id := range u.active { // begun, though it may not be written yet
		if i, ok := plan.Index(p, id); ok {
			p.Steps = append([]nebula.PlanStep{}, p.Steps...)
			p.Steps[i].Status = nebula.InProgress
		}
	}
	n := 0
	next := plan.Next(p, l.setup.Side)
	if u.only != "" {
		next = plan.Ready(p)
	}
	for _, i := range next {
		id := p.Steps[i].ID
		if u.active[id] || u.only != "" && u.only != id {
			continue
		}
		u.active[id] = true
		n++
		start(id)
	}
	return n
}

// over says that the plan's budget is used up.
func (l *Loop) over(p nebula.Plan) string {
	b, used := l.setup.Budget, p.Usage
	switch {
	case b.Tokens > 0 && used.Input+used.Output >= b.Tokens:
		return fmt.Sprintf("the plan used %d tokens (the limit is %d)", used.Input+used.Output, b.Tokens)
	case b.Cost > 0 && used.Cost >= b.Cost:
		return fmt.Sprintf("the plan cost $%.4f (the limit is $%.4f)", used.Cost, b.Cost)
	}
	return ""
}

// close says how the run ended.
func (l *Loop) close(ctx context.Context, u *run) {
	p, err := l.current(context.WithoutCancel(ctx), u.plan)
	switch {
	case err != nil:
		u.end, u.why = nebula.TurnFailed, err.Error()
	case ctx.Err() != nil:
		u.end, u.why = nebula.Cancelled, "cancelled"
	case u.end != "":
	case p.Status == nebula.Completed:
		u.end = nebula.TurnDone
	case p.Status == nebula.Draft:
		u.end, u.why = nebula.NeedsApproval, "the plan was changed and needs approval"
	default:
		u.end, u.why = nebula.TurnFailed, failed(p)
		if i, ok := plan.Index(p, u.only); ok && plan.Over(p.Steps[i].Status) {
			u.end, u.why = nebula.TurnDone, ""
		}
	}
	if err == nil && p.Why != u.why {
		if changed, err := l.change(ctx, u.plan, []string{}, func(p nebula.Plan) (nebula.Plan, error) {
			p.Why = u.why
			return p, nil
		}); err == nil {
			p = changed
		}
	}
	u.unlock() // before anybody can see that it ended, and begin anew
	l.mu.Lock()
	l.under, l.last = nil, u
	l.mu.Unlock()
	if err == nil {
		l.out.tell(nebula.Planned{Plan: plan.Bare(p), Change: or(changes[u.end], string(u.end)), By: "nebula"})
	}
	l.out.flush()
}

// changes are the ends of a run, as a Planned says them.
var changes = map[nebula.EndStatus]string{nebula.TurnDone: "ended", nebula.TurnFailed: "failed", nebula.Cancelled: "cancelled"}

func failed(p nebula.Plan) string {
	for _, s := range p.Steps {
		if s.Status == nebula.StageFailed {
			why := "failed"
			if s.Report != nil {
				why = or(s.Report.Cause, why)
			}
			return fmt.Sprintf("step %s: %s", s.ID, why)
		}
	}
	return "no step can run"
}
