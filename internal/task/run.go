package task

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/plan"
)

// A Request is what to run: a whole plan, one step of it, or tasks.
type Request struct {
	Plan  string
	Step  string
	Tasks json.RawMessage // a list of tasks or of their ids
	By    nebula.Decider  // who let it run: approves a draft; empty for nobody
	Why   string
}

// A run is a plan being carried out. It is the owner's, but for done: whoever saw that closed may read how it ended.
type run struct {
	plan   string
	with   nebula.Conduct
	only   string // the one step to run; empty for all
	ctx    context.Context
	cancel context.CancelCauseFunc
	unlock func() // the plan, for other processes
	done   chan struct{}
	paused bool
	active map[string]bool
	forks  bool   // steps may run side by side, each in a copy of the folder
	alone  string // the step that works in the folder itself
	end    nebula.EndStatus
	why    nebula.Code
	by     nebula.Decider // who ended it; empty for nebula
}

// An End is how a run ended.
type End struct {
	Plan   nebula.Plan
	Status nebula.EndStatus
	Why    nebula.Code
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
	var p nebula.Plan
	var err error
	going := false
	if !l.do(func(o *owner) { p, going, err = o.resume(r) }) {
		return p, errClosed
	}
	if going || err != nil {
		l.flush()
		return p, err
	}
	if p, err = l.current(r.Plan); err != nil {
		return p, err
	}
	unlock, err := l.alone(ctx)
	if errors.Is(err, nebula.ErrInUse) {
		return p, errors.New("another nebula carries out a plan in this folder; wait for it, or cancel it there")
	}
	if err != nil {
		return p, err
	}
	with := l.conduct()
	forks := with.Parallel > 1 && r.Step == "" && l.setup.Forks != nil && l.setup.Forks.Fits(ctx)
	l.account(ctx, p, with)
	if !l.do(func(o *owner) { p, err = o.start(r, forks, unlock) }) {
		err = errClosed
	}
	if err != nil {
		unlock()
	}
	l.flush()
	return p, err
}

// alone makes this loop the one that carries plans out in the folder: one plan at a time, because which files another's
// steps will change is not known here.
//
//go:noinline
func (l *Loop) alone(ctx context.Context) (unlock func(), err error) {
	return l.setup.Lock(ctx, "plans "+l.setup.Project)
}

// start lets a plan run. What it runs with is what the conversation stands at now, and is recorded with it.
func (o *owner) start(r Request, forks bool, unlock func()) (nebula.Plan, error) {
	if o.under != nil || o.closed {
		return nebula.Plan{}, errors.New("a plan is under way already; wait for it or cancel it")
	}
	o.plan = nil // another process may have worked on it
	p, err := o.find(r.Plan)
	if err != nil {
		return p, err
	}
	if p, err = o.ready(p, &r); err != nil {
		return p, err
	}
	u := &run{plan: p.ID, with: p.With, only: r.Step, forks: forks, unlock: unlock, done: make(chan struct{}), active: map[string]bool{}}
	u.ctx, u.cancel = context.WithCancelCause(context.Background())
	o.under = u
	o.advance()
	return p, nil
}

// resume lets a run go on that is there already.
func (o *owner) resume(r Request) (p nebula.Plan, going bool, err error) {
	u := o.under
	if u == nil {
		return p, false, nil
	}
	if r.Plan != "" && r.Plan != u.plan {
		return p, false, nebula.Errorf("plan %s is under way; wait for it or cancel it", u.plan)
	}
	was := u.paused
	u.paused = false
	if r.Step == "" {
		u.only = ""
	} else if u.only != "" && u.only != r.Step {
		was = true // the other step is added by running all that can
		u.only = ""
	}
	if !r.By.None() {
		if p, err = o.change(u.plan, nil, plan.Approve(r.By)); err != nil {
			return p, true, err
		}
	} else if p, err = o.find(u.plan); err != nil {
		return p, true, err
	}
	o.advance()
	if was {
		o.planned(p, "resumed", cmp.Or(r.By, nebula.Nobody))
	}
	return p, true, nil
}

// ready approves a plan and brings the steps that an earlier run left open back to where they can begin.
func (o *owner) ready(p nebula.Plan, r *Request) (nebula.Plan, error) {
	switch {
	case p.Status == nebula.Completed && p.Since.IsZero():
		return p, nebula.Wrong("Retry a step to do it anew.", "Plan %s is completed.", p.ID)
	case p.Status == nebula.Draft && r.By.None():
		return p, nebula.Wrong("Approve it first.", "Plan %s is a draft, and nobody let it run.", p.ID)
	}
	edits := []plan.Edit{reopen}
	if r.Step != "" {
		i, err := plan.Find(p, r.Step)
		if err != nil {
			return p, wrong("", "%w.", err)
		}
		r.Step = p.Steps[i].ID
		if p.Steps[i].Status == nebula.StageFailed {
			edits = append(edits, plan.Retry(r.Step))
		}
		edits = append(edits, runnable(r.Step))
	} else if p.Status == nebula.StageFailed {
		edits = append(edits, retryFailed)
	}
	edits = append(edits, plan.Approve(r.By), runsWith(o.with), o.since)
	was, before := p.Status, p
	p, err := o.change(p.ID, nil, edits...)
	if err != nil {
		return p, wrong("", "Nothing was run: %w.", err)
	}
	if was == nebula.Draft {
		o.planned(p, "approved", cmp.Or(r.By, nebula.Nobody))
	} else {
		o.planned(p, "running", cmp.Or(r.By, nebula.Nobody))
	}
	o.tellAgain(before)
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
	var u *run
	l.do(func(o *owner) {
		if u = o.under; u == nil {
			u = o.last
		}
	})
	if u == nil {
		p, _ := l.current("") // the zero plan where there is none
		return End{Plan: p, Status: ending(p)}
	}
	select {
	case <-u.done:
	case <-ctx.Done():
		l.stop(u, "nebula", context.Cause(ctx))
	}
	p, _ := l.current(u.plan) // it was there a moment ago
	return End{Plan: p, Status: u.end, Why: u.why}
}

// stop cancels a run and waits for its end.
//
//go:noinline
func (l *Loop) stop(u *run, by nebula.Decider, why error) {
	l.do(func(o *owner) {
		u.by = by
		u.cancel(why)
		o.advance()
	})
	<-u.done
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

func (l *Loop) running(step string) (yes bool) {
	l.do(func(o *owner) { yes = o.under != nil && o.under.active[step] })
	return yes
}

var errIdle = errors.New("no plan is under way")

func (l *Loop) pause() (err error) {
	l.do(func(o *owner) {
		if o.under == nil {
			err = errIdle
			return
		}
		o.under.paused = true
		var p nebula.Plan
		if p, err = o.find(o.under.plan); err == nil {
			o.planned(p, "paused", nebula.Person)
		}
	})
	l.flush()
	return err
}

func (l *Loop) cancel() error {
	u, recalled := (*run)(nil), false
	l.do(func(o *owner) { u, recalled = o.under, o.recall() })
	switch {
	case u == nil && recalled:
		return nil
	case u == nil:
		return errIdle
	}
	l.stop(u, nebula.Person, nil)
	return nil
}

// A stepEnd is what a step came to; status is empty when it ran to its own end.
type stepEnd struct {
	step   string
	status nebula.EndStatus
	why    nebula.Code
}

// advance begins what can begin of the run under way, and ends the run where nothing is left to do. Whatever changes what
// can begin calls it.
func (o *owner) advance() {
	u := o.under
	if u == nil {
		return
	}
	o.begin(u)
	if len(u.active) == 0 && (!u.paused || u.ctx.Err() != nil) {
		o.finish(u)
	}
}

// begin starts the steps that can begin now, each in a goroutine of its own.
func (o *owner) begin(u *run) {
	p, err := o.find(u.plan)
	if err != nil || u.ctx.Err() != nil || u.paused || u.end != "" || p.Status == nebula.Draft {
		return
	}
	if why := over(u.with.Plan, p.Usage); why != "" {
		u.end, u.why = nebula.LimitReached, why
		return
	}
	for id := range u.active { // begun, though it may not be written yet
		if i, ok := plan.Index(p, id); ok {
			p.Steps = append([]nebula.PlanStep{}, p.Steps...)
			p.Steps[i].Status = nebula.InProgress
		}
	}
	next := plan.Next(p, u.parallel())
	if u.only != "" {
		next = lists.Drop(plan.Ready(p), func(i int) bool { return p.Steps[i].ID != u.only })
	}
	next = lists.Drop(next, func(i int) bool { return u.active[p.Steps[i].ID] })
	if begun := slices.IndexFunc(next, func(i int) bool { return p.Steps[i].Session != "" && p.Steps[i].Tree == "" && p.Steps[i].Joined == "" }); u.forks && begun >= 0 {
		if len(u.active) > 0 { // it began in the folder, and goes on there when nobody else works
			next = lists.Drop(next, func(i int) bool { return p.Steps[i].Session != "" && p.Steps[i].Tree == "" && p.Steps[i].Joined == "" })
		} else {
			next = next[begun : begun+1]
		}
	}
	single := len(u.active) == 0 && len(next) == 1
	for _, i := range next {
		id := p.Steps[i].ID
		apart := u.forks && (!single || p.Steps[i].Tree != "")
		if u.active[id] = true; !apart {
			u.alone = id
		}
		go func() {
			c := o.loop.carry(u, id, apart)
			o.loop.do(func(o *owner) { o.take(u, c) })
		}()
	}
}

func (o *owner) take(u *run, c stepEnd) {
	delete(u.active, c.step)
	if u.alone == c.step {
		u.alone = ""
	}
	if c.status != "" && u.end == "" {
		u.end, u.why = c.status, c.why
	}
	o.advance()
}

// parallel is how many steps run side by side: one, where they cannot have copies of the folder, or where one works in the
// folder itself.
func (u *run) parallel() int {
	if !u.forks || u.alone != "" {
		return 1
	}
	return max(1, u.with.Parallel)
}

// over says that a plan's budget is used up.
func over(b nebula.Bound, used nebula.Usage) nebula.Code {
	switch {
	case b.Tokens > 0 && used.Input+used.Output >= b.Tokens:
		return code(plan.PlanTokens, used.Input+used.Output, b.Tokens)
	case b.Cost > 0 && used.Cost >= b.Cost:
		return code(plan.PlanCost, dollars(used.Cost), dollars(b.Cost))
	}
	return ""
}

// finish says how the run ended.
func (o *owner) finish(u *run) {
	p, err := o.find(u.plan)
	switch {
	case err != nil:
		u.end, u.why = nebula.TurnFailed, words(err)
	case u.ctx.Err() != nil:
		u.end, u.why = nebula.Cancelled, "cancelled"
	case u.end != "":
	case p.Status == nebula.Completed:
		u.end = nebula.TurnDone
	case p.Status == nebula.Draft:
		u.end, u.why = nebula.NeedsApproval, "was_changed"
	default:
		u.end, u.why = nebula.TurnFailed, failed(p)
		if i, ok := plan.Index(p, u.only); ok && plan.Over(p.Steps[i].Status) {
			u.end, u.why = nebula.TurnDone, ""
		}
	}
	if err == nil {
		if changed, err := o.change(u.plan, []string{}, func(p nebula.Plan) (nebula.Plan, error) {
			p.Why = u.why
			return p, nil
		}); err == nil {
			p = changed
		}
	}
	u.cancel(nil)
	u.unlock() // before anybody can see that it ended, and begin anew
	o.under, o.last = nil, u
	if err == nil {
		o.planned(p, cmp.Or(changes[u.end], nebula.Code(u.end)), cmp.Or(u.by, "nebula"))
	}
	o.whenTold(func() {
		o.endKnown(u)
		close(u.done)
	})
}

// changes are the ends of a run, as a Planned says them.
var changes = map[nebula.EndStatus]nebula.Code{nebula.TurnDone: "ended", nebula.TurnFailed: "failed", nebula.Cancelled: "cancelled"}

func failed(p nebula.Plan) nebula.Code {
	for _, s := range p.Steps {
		if s.Status == nebula.StageFailed {
			why := nebula.Code("failed")
			if s.Report != nil {
				why = cmp.Or(s.Report.Cause, why)
			}
			return code(plan.StepFailed, s.ID, why)
		}
	}
	return "nothing_runs"
}
