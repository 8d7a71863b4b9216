package temporal

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/lists"
	"nebula/internal/plan"
)

// Names that stand in histories: they never change.
const (
	planName, manyName                                                = "nebula.plan", "nebula.many"
	beginName, doName, mergeName, noteName, publishName               = "begin", "do", "merge", "note", "publish"
	wordSignal, stateQuery                                            = "word", "state"
	heartbeat, patience, longest                        time.Duration = 3 * time.Second, 15 * time.Second, 12 * time.Hour
)

// A conductor is a plan under way: the workflow's own knowledge. It decides and remembers; everything that is done is an
// activity. What it does may depend on nothing but its order, the words it was told and what activities came to.
type conductor struct {
	state     fleet.State
	given     map[string][]fleet.Given // answers, by step
	notes     []string
	again     map[string]bool // steps that may be begun anew
	paused    bool
	approved  string
	stop      workflow.CancelFunc
	cancelled bool // by a person
	merging   workflow.Mutex
	ends      bool // what it came to is brought to where a person finds it
	under     int
	costs     []cost
}

// A cost is what a session came to.
type cost struct {
	session string
	usage   nebula.Usage
}

// conduct is the workflow of one plan.
func conduct(ctx workflow.Context, o fleet.Order) (fleet.State, error) {
	c := &conductor{given: map[string][]fleet.Given{}, again: map[string]bool{}, merging: workflow.NewMutex(ctx)}
	c.state = fleet.State{ID: workflow.GetInfo(ctx).WorkflowExecution.ID, Order: o, Status: fleet.Begins}
	if err := workflow.SetQueryHandler(ctx, stateQuery, func() (fleet.State, error) { return c.state, nil }); err != nil {
		return c.state, err
	}
	last, _ := workflow.NewDisconnectedContext(ctx) // what is told in the end is told of a cancelled plan too
	ctx, c.stop = workflow.WithCancel(ctx)
	workflow.Go(last, c.listen)
	err := c.begin(ctx)
	if err == nil {
		err = c.work(ctx)
	}
	return c.end(last, err)
}

// begin has the source brought to the hub, and waits until a person approved the plan.
func (c *conductor) begin(ctx workflow.Context) error {
	var b fleet.Begun
	if err := workflow.ExecuteActivity(few(ctx), beginName, c.state.Order).Get(ctx, &b); err != nil {
		return err
	}
	c.state.Base, c.state.Head, c.approved = b.Commit, b.Commit, cmp.Or(c.approved, b.Approved)
	c.state.Approved = c.approved
	for _, s := range b.Steps {
		c.state.Steps = append(c.state.Steps, fleet.StepState{Node: s})
	}
	if c.approved == "" {
		c.state.Status, c.state.Why = fleet.Waits, "needs_approval"
		if err := workflow.Await(ctx, func() bool { return c.approved != "" }); err != nil {
			return err
		}
	}
	c.state.Status, c.state.Why = string(nebula.InProgress), ""
	return c.note(ctx, fleet.Note{Status: string(nebula.InProgress), By: c.approved})
}

// work begins steps as they become ready, until none can be begun and none is under way.
func (c *conductor) work(ctx workflow.Context) error {
	for {
		for _, i := range c.next() {
			s := &c.state.Steps[i]
			s.Status, s.Why = string(nebula.InProgress), ""
			delete(c.again, s.ID)
			c.under++
			workflow.Go(ctx, func(ctx workflow.Context) {
				c.step(ctx, i)
				c.under--
			})
		}
		if c.idle() && len(c.next()) == 0 {
			if c.whole() || !c.waits(string(nebula.StageFailed)) || c.state.Order.Linger == 0 {
				return ctx.Err()
			}
			c.state.Status = fleet.Waits
			heard, err := workflow.AwaitWithTimeout(ctx, time.Duration(c.state.Order.Linger)*time.Second, func() bool { return len(c.next()) > 0 || c.whole() })
			if err != nil || !heard || c.whole() {
				return err
			}
		}
		c.stands()
		was := c.under
		if err := workflow.Await(ctx, func() bool { return c.under < was || len(c.next()) > 0 || c.idle() }); err != nil {
			if c.under > 0 { // they are told to end, and their ends are waited for
				last, _ := workflow.NewDisconnectedContext(ctx)
				_ = workflow.Await(last, func() bool { return c.under == 0 })
			}
			return err
		}
	}
}

// idle says that nothing is under way and nothing is waited for.
func (c *conductor) idle() bool {
	return c.under == 0 && (c.whole() || !c.paused && !c.waits(fleet.Waits))
}

func (c *conductor) whole() bool {
	return !slices.ContainsFunc(c.state.Steps, func(s fleet.StepState) bool { return !plan.Over(nebula.Stage(s.Status)) })
}

func (c *conductor) waits(status string) bool {
	return slices.ContainsFunc(c.state.Steps, func(s fleet.StepState) bool { return s.Status == status })
}

// stands says how the plan as a whole stands.
func (c *conductor) stands() {
	switch {
	case c.state.Status == fleet.Begins || c.approved == "" || c.ends: // no word changes that
	case c.paused:
		c.state.Status = fleet.Paused
	case c.under == 0 && (c.waits(fleet.Waits) || c.waits(string(nebula.StageFailed)) && len(c.next()) == 0):
		c.state.Status = fleet.Waits
	default:
		c.state.Status = string(nebula.InProgress)
	}
}

// next are the steps to begin now: those whose dependencies are over and whose files are not those of a step under way.
func (c *conductor) next() (next []int) {
	if c.paused || c.cancelled {
		return nil
	}
	p := nebula.Plan{}
	for _, s := range c.state.Steps {
		status := nebula.Stage(s.Status)
		if s.Status == fleet.Waits || c.again[s.ID] {
			status = nebula.StageFailed // it holds nothing while it waits
			if c.again[s.ID] {
				status = nebula.Pending
			}
		}
		p.Steps = append(p.Steps, nebula.PlanStep{ID: s.ID, DependsOn: s.DependsOn, Files: s.Files, Status: status})
	}
	return plan.Next(p, max(1, c.state.Order.AtOnce))
}

// rounds is how often a result is fitted to what came before it meanwhile.
const rounds = 5

// step carries one step out, again where that may help, and brings its result to what came before. Where both do not fit
// together, making them fit is a job of its own.
func (c *conductor) step(ctx workflow.Context, i int) {
	s := &c.state.Steps[i]
	for tries := 1; ; tries++ {
		d, err := c.do(ctx, i, "")
		for round := 0; err == nil && d.Status == string(nebula.Completed); round++ {
			fits, unfit := c.bring(ctx, i, d)
			if fits {
				c.keep(ctx, i, d)
				return
			}
			if err = unfit; err == nil && round < rounds {
				d, err = c.do(ctx, i, d.Commit)
			}
		}
		if ctx.Err() != nil {
			s.Status = fleet.Cancelled
			return
		}
		if err != nil {
			d.Status, d.Why = string(nebula.StageFailed), reason(err)
		}
		if d.Status == string(nebula.StageFailed) {
			s.Begun, s.Commit = s.Begun+1, ""
			if tries < c.state.Order.Tries && !final(err) && !c.paused {
				continue // in a checkout of its own
			}
		}
		c.keep(ctx, i, d)
		return
	}
}

// do has a worker carry a job out. A step that goes on after an answer goes on where its checkout is, if that worker is there.
func (c *conductor) do(ctx workflow.Context, i int, theirs string) (d fleet.Done, err error) {
	s := &c.state.Steps[i]
	j := fleet.Job{Order: c.state.Order, Step: s.ID, Base: c.state.Head, Theirs: theirs, Time: s.Begun, Answers: c.given[s.ID], Notes: lists.Clone(c.notes)}
	if s.Commit != "" && theirs == "" { // it began there
		j.Base = s.Commit
	}
	s.Commit = j.Base
	if most := c.state.Order.Tokens; most > 0 {
		j.Order.Tokens = max(1, most-c.state.Usage.Input-c.state.Usage.Output)
	}
	if most := c.state.Order.Cost; most > 0 {
		j.Order.Cost = max(1e-9, most-c.state.Usage.Cost)
	}
	if s.Host != "" && len(j.Answers) > 0 {
		own := workflow.WithTaskQueue(long(ctx), partOf(workflow.GetInfo(ctx).TaskQueueName, s.Host))
		own = workflow.WithScheduleToStartTimeout(own, patience)
		if err = workflow.ExecuteActivity(own, doName, j).Get(ctx, &d); err == nil {
			return c.spent(s, d), nil
		}
		if !temporal.IsTimeoutError(err) {
			return d, err
		}
	}
	err = workflow.ExecuteActivity(long(ctx), doName, j).Get(ctx, &d)
	return c.spent(s, d), err
}

// spent counts what a job cost: one that went on after an answer tells all of it once more. Over the plan's bound no further
// step begins until a person raises it.
func (c *conductor) spent(s *fleet.StepState, d fleet.Done) fleet.Done {
	s.Host = cmp.Or(d.Host, s.Host)
	if at := slices.IndexFunc(c.costs, func(x cost) bool { return x.session == d.Session }); at >= 0 {
		c.costs[at].usage = d.Usage
	} else if d.Session != "" {
		c.costs = append(c.costs, cost{d.Session, d.Usage})
	}
	c.state.Usage = nebula.Usage{}
	for _, x := range c.costs {
		c.state.Usage = c.state.Usage.Plus(x.usage)
	}
	u, o := c.state.Usage, c.state.Order
	switch {
	case o.Tokens > 0 && u.Input+u.Output >= o.Tokens:
		c.paused, c.state.Why = true, string(nebula.NewCode(plan.PlanTokens, fmt.Sprint(u.Input+u.Output), fmt.Sprint(o.Tokens)))
	case o.Cost > 0 && u.Cost >= o.Cost:
		c.paused, c.state.Why = true, string(nebula.NewCode(plan.PlanCost, fmt.Sprintf("%.4f", u.Cost), fmt.Sprintf("%.4f", o.Cost)))
	}
	return d
}

// bring moves the head to what a job came to, one result at a time; false where it does not fit together with the others.
func (c *conductor) bring(ctx workflow.Context, i int, d fleet.Done) (fits bool, err error) {
	s := &c.state.Steps[i]
	if err := c.merging.Lock(ctx); err != nil {
		return false, err
	}
	defer c.merging.Unlock()
	switch {
	case d.Commit == s.Commit: // it changed nothing
		return true, nil
	case c.state.Head == s.Commit:
		c.state.Head = d.Commit
		return true, nil
	}
	var m fleet.Merged
	if err := workflow.ExecuteActivity(brief(ctx), mergeName, fleet.Merge{Order: c.state.Order, Step: s.ID, Head: c.state.Head, Commit: d.Commit}).Get(ctx, &m); err != nil {
		return false, err
	}
	if s.Merges = len(m.Conflicts) > 0; s.Merges {
		return false, nil
	}
	c.state.Head = m.Commit
	return true, nil
}

// keep makes what a job came to the step's state, here and in the record.
func (c *conductor) keep(ctx workflow.Context, i int, d fleet.Done) {
	s := &c.state.Steps[i]
	s.Status, s.Why, s.Ask = d.Status, d.Why, d.Ask
	switch d.Status {
	case string(nebula.Completed):
		s.Commit = d.Commit
	case string(nebula.StageFailed):
		s.Commit = ""
	}
	if err := c.note(ctx, fleet.Note{Step: s.ID, Status: d.Status, Why: d.Why, Place: d.Place}); err != nil && ctx.Err() == nil {
		s.Why = reason(err)
	}
}

func (c *conductor) note(ctx workflow.Context, n fleet.Note) error {
	n.Order, n.Notes, n.Usage = c.state.Order, lists.Clone(c.notes), c.state.Usage
	return workflow.ExecuteActivity(brief(ctx), noteName, n).Get(ctx, nil)
}

// end says how the plan ended, once what it came to is where a person finds it.
func (c *conductor) end(ctx workflow.Context, err error) (fleet.State, error) {
	c.ends = true
	status := string(nebula.StageFailed)
	switch {
	case c.cancelled || temporal.IsCanceledError(err):
		status, c.state.Why = fleet.Cancelled, "cancelled"
	case err != nil:
		c.state.Why = reason(err)
	case c.whole():
		status = string(nebula.Completed)
	}
	if i := slices.IndexFunc(c.state.Steps, func(s fleet.StepState) bool { return s.Status == string(nebula.StageFailed) }); i >= 0 && c.state.Why == "" {
		c.state.Why = string(nebula.NewCode(plan.StepFailed, c.state.Steps[i].ID, c.state.Steps[i].Why))
	}
	if c.state.Head != c.state.Base {
		var out fleet.Published
		if err := workflow.ExecuteActivity(few(ctx), publishName, fleet.Publication{Order: c.state.Order, Base: c.state.Base, Head: c.state.Head}).Get(ctx, &out); err != nil {
			status, c.state.Why = string(nebula.StageFailed), reason(err)
		}
		c.state.Branch, c.state.Stat = out.Branch, out.Stat
	}
	if len(c.state.Steps) > 0 {
		_ = c.note(ctx, fleet.Note{Status: status, Why: c.state.Why}) // the state says it too
	}
	c.state.Status = status
	return c.state, nil
}

// attempts is how often an activity is begun, when its workers are lost or the world fails.
const attempts = 10

// brief and long are how activities run: both are begun again when a worker is lost, a bounded number of times.
func brief(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: 10 * time.Minute, HeartbeatTimeout: patience,
		RetryPolicy: &temporal.RetryPolicy{InitialInterval: time.Second, MaximumInterval: 30 * time.Second, MaximumAttempts: attempts}})
}

// few is for what most often fails because it was asked wrongly.
func few(ctx workflow.Context) workflow.Context {
	return workflow.WithRetryPolicy(brief(ctx), temporal.RetryPolicy{InitialInterval: time.Second, MaximumInterval: 30 * time.Second, MaximumAttempts: 4})
}

func long(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: longest, HeartbeatTimeout: patience, WaitForCancellation: true,
		TaskQueue:   partOf(workflow.GetInfo(ctx).TaskQueueName, "steps"),
		RetryPolicy: &temporal.RetryPolicy{InitialInterval: time.Second, MaximumInterval: time.Minute, MaximumAttempts: attempts}})
}

// reason is why an activity failed, without what the engine says around it.
func reason(err error) string {
	if e, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		return e.Message()
	}
	if e, ok := errors.AsType[*temporal.TimeoutError](err); ok {
		return string(nebula.NewCode(plan.FleetLost, fmt.Sprint(attempts), e.Message()))
	}
	return err.Error()
}

// final says that trying again would end the same.
func final(err error) bool {
	e, ok := errors.AsType[*temporal.ApplicationError](err)
	return ok && e.NonRetryable()
}

// listen takes what people say.
func (c *conductor) listen(ctx workflow.Context) {
	words := workflow.GetSignalChannel(ctx, wordSignal)
	for {
		var w fleet.Word
		if !words.Receive(ctx, &w) {
			return
		}
		c.hear(w)
	}
}

func (c *conductor) hear(w fleet.Word) {
	at := slices.IndexFunc(c.state.Steps, func(s fleet.StepState) bool { return s.ID == w.Step })
	switch w.Do {
	case "approve":
		if w.Key == c.state.Order.Agreed {
			c.approved = cmp.Or(c.approved, w.By)
			c.state.Approved = c.approved
		}
	case "pause":
		c.paused = true
	case "resume":
		c.free()
	case "budget": // whoever says what it may cost has it go on, whichever bound it came to
		c.state.Order.Cost, c.state.Order.Tokens = w.Cost, 0
		c.free()
	case "steer":
		c.notes = append(c.notes, w.Text)
	case "cancel":
		c.cancelled = true
		c.stop()
	}
	defer c.stands()
	if at < 0 {
		return
	}
	switch s := &c.state.Steps[at]; {
	case w.Do == "answer" && s.Status == fleet.Waits && s.Ask != nil && w.Key == s.Ask.Key && !c.again[s.ID]:
		c.given[s.ID] = append(c.given[s.ID], fleet.Given{Key: s.Ask.Key, Answer: w.Text, By: w.By})
		s.Ask, c.again[s.ID] = nil, true
	case w.Do == "skip" && (s.Status == fleet.Waits || s.Status == string(nebula.Pending) || s.Status == string(nebula.StageFailed)):
		s.Status, s.Ask, s.Why = string(nebula.StageSkipped), nil, ""
	case w.Do == "retry" && s.Status == string(nebula.StageFailed):
		c.again[s.ID] = true
	}
}

// free ends a pause, and forgets why there was one. A draft still waits for what it waits for.
func (c *conductor) free() {
	if c.paused = false; c.approved != "" {
		c.state.Why = ""
	}
}
