package temporal

import (
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/plan"
)

// chapter is how many plans one history leads: then it begins anew with what is left.
const chapter = 300

// A crowd is a request over many repositories under way.
type crowd struct {
	many   fleet.Many
	state  fleet.ManyState
	under  int
	begun  int
	paused bool
	stop   workflow.CancelFunc
}

// conductMany is the workflow of many plans, each of which is a child.
func conductMany(ctx workflow.Context, m fleet.Many) (fleet.ManyState, error) {
	c := &crowd{many: m, state: fleet.ManyState{ID: workflow.GetInfo(ctx).WorkflowExecution.ID, Name: m.Name, Status: string(nebula.InProgress)}}
	c.state.Plans = append(c.state.Plans, m.Done...)
	for _, o := range m.Orders {
		c.state.Plans = append(c.state.Plans, fleet.State{ID: "plan_" + o.Run, Order: o, Status: string(nebula.Pending)})
	}
	for _, s := range m.Done {
		c.state.Usage = c.state.Usage.Plus(s.Usage)
	}
	if err := workflow.SetQueryHandler(ctx, stateQuery, func() (fleet.ManyState, error) { return c.state, nil }); err != nil {
		return c.state, err
	}
	last, _ := workflow.NewDisconnectedContext(ctx)
	ctx, c.stop = workflow.WithCancel(ctx)
	workflow.Go(last, c.listen)
	err := c.work(ctx)
	_ = workflow.Await(last, func() bool { return c.under == 0 })
	if err == nil && c.begun < len(m.Orders) {
		next := fleet.Many{Run: m.Run, Name: m.Name, Queue: m.Queue, AtOnce: m.AtOnce, Try: m.Try, Cost: c.many.Cost, Given: c.many.Given, Orders: m.Orders[c.begun:]}
		next.Done = c.state.Plans[:len(m.Done)+c.begun]
		return c.state, workflow.NewContinueAsNewError(ctx, manyName, next)
	}
	c.state.Status = c.outcome(err)
	return c.state, nil
}

// outcome is how the whole ended.
func (c *crowd) outcome(err error) string {
	status := string(nebula.Completed)
	for _, s := range c.state.Plans {
		if s.Status != string(nebula.Completed) {
			status = string(nebula.StageFailed)
		}
	}
	if temporal.IsCanceledError(err) {
		return fleet.Cancelled
	}
	return status
}

// work begins as many plans at a time as may be, those of one history at most.
func (c *crowd) work(ctx workflow.Context) error {
	first := len(c.many.Done)
	for c.begun < min(len(c.many.Orders), chapter) {
		if err := workflow.Await(ctx, c.free); err != nil {
			return err
		}
		i := first + c.begun
		c.begun++
		c.under++
		workflow.Go(ctx, func(ctx workflow.Context) {
			c.worker(ctx, i)
			c.under--
			c.stands()
		})
		c.stands()
	}
	return workflow.Await(ctx, func() bool { return c.under == 0 })
}

// free says that one more may begin.
func (c *crowd) free() bool {
	tried := !c.many.Try || c.many.Given || len(c.many.Done)+c.begun == 0
	return !c.paused && tried && c.under < max(1, c.many.AtOnce)
}

func (c *crowd) stands() {
	switch {
	case c.paused:
		c.state.Status = fleet.Paused
	case c.under == 0 && !c.free() && c.begun < len(c.many.Orders):
		c.state.Status, c.state.Why = fleet.Waits, "tried"
	default:
		c.state.Status, c.state.Why = string(nebula.InProgress), ""
	}
}

// worker leads one plan to its end.
func (c *crowd) worker(ctx workflow.Context, i int) {
	s := &c.state.Plans[i]
	s.Status = string(nebula.InProgress)
	o := s.Order
	if c.many.Cost > 0 {
		if left := max(1e-9, c.many.Cost-c.state.Usage.Cost); o.Cost == 0 || left < o.Cost {
			o.Cost = left
		}
	}
	child := workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{WorkflowID: s.ID, WaitForCancellation: true})
	var came fleet.State
	if err := workflow.ExecuteChildWorkflow(child, planName, o).Get(ctx, &came); err != nil {
		if s.Status, s.Why = string(nebula.StageFailed), reason(err); ctx.Err() != nil {
			s.Status, s.Why = fleet.Cancelled, "cancelled"
		}
		return
	}
	came.Steps = nil
	*s = came
	c.state.Usage = c.state.Usage.Plus(came.Usage)
	if c.many.Cost > 0 && c.state.Usage.Cost >= c.many.Cost {
		c.paused, c.state.Why = true, string(nebula.NewCode(plan.FleetCost, fmt.Sprintf("%.4f", c.state.Usage.Cost), fmt.Sprintf("%.4f", c.many.Cost)))
	}
}

// listen takes what people say of the whole.
func (c *crowd) listen(ctx workflow.Context) {
	words := workflow.GetSignalChannel(ctx, wordSignal)
	for {
		var w fleet.Word
		if !words.Receive(ctx, &w) {
			return
		}
		switch w.Do {
		case "approve":
			c.many.Given = true
		case "pause":
			c.paused = true
		case "resume":
			c.paused = false
		case "budget":
			c.paused, c.many.Cost = false, w.Cost
		case "cancel":
			c.stop()
		}
		c.stands()
	}
}
