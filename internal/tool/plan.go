package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/index"
	"nebula/internal/phrase"
)

// A Planner keeps plans and carries them out beside the conversation.
type Planner interface {
	Known() bool // whether there is a plan
	Propose(ctx context.Context, goal string, steps json.RawMessage, talk string) (nebula.Plan, error)
	Show(ctx context.Context, id string) (p nebula.Plan, text string, err error)
	Update(ctx context.Context, step string, change json.RawMessage) (p nebula.Plan, err error)
	Generate(ctx context.Context, step, talk string) (text string, err error)
	// Preview is what a run would carry out, Run does it: for a plan, one step of it or a list of tasks. end says how
	// the turn is to end, where the run was waited for.
	Preview(ctx context.Context, r PlanRun) (p nebula.Plan, text string, err error)
	Run(ctx context.Context, r PlanRun) (text string, end nebula.EndStatus, err error)
}

// A PlanRun is what is to be carried out of a plan.
type PlanRun struct {
	Plan  string
	Step  string
	Tasks json.RawMessage
	By    nebula.Decider // who let it run
	Why   string
}

// Plans are the tools for plans and tasks. All but the first are offered only where there is a plan.
//
//go:noinline
func Plans(p Planner) []nebula.Tool {
	return []nebula.Tool{&proposePlan{p}, &updateStep{planned{p}}, &getPlan{planned{p}}, &generateTasks{planned{p}}, &runTasks{planned{p}}}
}

// Specs are what all tools are offered as, whatever a session has of them; that takes no folder.
func Specs() (list []nebula.ToolSpec) {
	for _, t := range append(All(nil, Options{Code: index.New(nil, ""), Notes: nowhere{}, Skills: unread{}}), append(Plans(nil), Delegate(nobody{}))...) {
		list = append(list, t.Spec())
	}
	return list
}

// nowhere is where notes go that nobody makes.
type nowhere struct{ Notes }

// unread are skills that nobody has.
type unread struct{ Skills }

// Any implements Skills.
func (unread) Any() bool { return false }

// nobody are aides that are not there.
type nobody struct{ Aides }

// Any implements Aides.
func (nobody) Any() bool { return false }

// planned tools need a plan.
type planned struct{ plans Planner }

// Usable reports whether the tool is worth offering.
//
//go:noinline
func (t planned) Usable() bool { return t.plans.Known() }

type proposePlan struct{ plans Planner }

// Spec implements nebula.Tool.
func (t *proposePlan) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "proposePlan", Aliases: []string{"plan_tool.propose", "propose_plan"},
		Description: "Plan large work in steps.",
		Params:      []nebula.Param{param("goal", "string", true, ""), {Name: "steps", Type: "array", Schema: []byte(`{"type":"array"}`), Quiet: true}},
		Effect:      nebula.Arrange,
	}
}

// Propose implements nebula.Tool.
func (t *proposePlan) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Goal  string
		Steps json.RawMessage
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	return nebula.Proposal{
		Effect:  nebula.Arrange,
		Summary: said(v.Lang, "plan: %s", in.Goal),
		Do: func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
			p, err := t.plans.Propose(ctx, in.Goal, in.Steps, v.Talk)
			if err != nil {
				return nebula.Result{}, err
			}
			_, text, err := t.plans.Show(ctx, p.ID)
			return nebula.Result{
				Text:    text + "\nShow the person the steps and ask whether to go on. Then generateTasks and runTasks for one step after another, or runTasks for all.",
				Summary: said(v.Lang, "proposed %s: %s", p.Name, amount(v.Lang, len(p.Steps), "step|steps")),
			}, err
		},
	}, nil
}

type updateStep struct{ planned }

// Spec implements nebula.Tool.
func (t *updateStep) Spec() nebula.ToolSpec {
	texts := func(name string) nebula.Param {
		return nebula.Param{Name: name, Type: "array", Schema: []byte(`{"type":"array","items":{"type":"string"}}`)}
	}
	return nebula.ToolSpec{
		Name: "updateStep", Aliases: []string{"plan_tool.update_step", "update_step"},
		Description: "Change a step of the plan.",
		Params: []nebula.Param{
			param("step_id", "string", true, ""), param("status", "string", false, "skip, retry, add, remove"),
			param("name", "string", false, ""), param("description", "string", false, ""), texts("depends_on"), texts("files"),
			param("verify", "string", false, "tests, $ command, or what to look at"), param("before", "string", false, "step to stand before"),
		},
		Effect: nebula.Arrange,
	}
}

// Propose implements nebula.Tool.
func (t *updateStep) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in map[string]json.RawMessage
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	var step string
	if err := json.Unmarshal(in["step_id"], &step); err != nil {
		return nebula.Proposal{}, mistake("step_id must be a string.", "Give the step's id.")
	}
	return nebula.Proposal{
		Effect:  nebula.Arrange,
		Summary: said(v.Lang, "change step %s", step),
		Do: func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
			change, err := json.Marshal(in)
			if err != nil {
				return nebula.Result{}, err
			}
			p, err := t.plans.Update(ctx, step, change)
			if err != nil {
				return nebula.Result{}, err
			}
			return nebula.Result{Text: stands(p, step), Summary: said(v.Lang, "changed step %s; the plan is %s", step, p.Status)}, err
		},
	}, nil
}

// stands is a step after its change, and the plan with it, in one line.
func stands(p nebula.Plan, step string) string {
	how := "is no longer in it"
	for _, s := range p.Steps {
		if s.ID == step {
			how = fmt.Sprintf("%q is %s", phrase.OneLine(s.Name, 80), s.Status)
		}
	}
	return fmt.Sprintf("%s is %s, with %d steps; step %s %s.", p.ID, p.Status, len(p.Steps), step, how)
}

type getPlan struct{ planned }

// Spec implements nebula.Tool.
func (t *getPlan) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "getPlan", Aliases: []string{"plan_tool.get", "get_plan"},
		Params: []nebula.Param{param("plan_id", "string", false, "")},
		Effect: nebula.Read,
	}
}

// Propose implements nebula.Tool.
func (t *getPlan) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Plan string `json:"plan_id"`
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	return nebula.Proposal{
		Effect:  nebula.Read,
		Summary: said(v.Lang, "look at the plan"),
		Do: func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
			p, text, err := t.plans.Show(ctx, in.Plan)
			return nebula.Result{Text: text, Summary: said(v.Lang, "%s: %s", p.Name, p.Status)}, err
		},
	}, nil
}

type generateTasks struct{ planned }

// Spec implements nebula.Tool.
func (t *generateTasks) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "generateTasks", Aliases: []string{"task_tool.generate_list", "generate_list", "generate_tasks"},
		Description: "Make a step's tasks.",
		Params:      []nebula.Param{param("step_id", "string", true, "")},
		Effect:      nebula.Arrange,
	}
}

// Propose implements nebula.Tool.
func (t *generateTasks) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Step string `json:"step_id"`
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	return nebula.Proposal{
		Effect:  nebula.Arrange,
		Summary: said(v.Lang, "make the tasks of step %s", in.Step),
		Do: func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
			text, err := t.plans.Generate(ctx, in.Step, v.Talk)
			return nebula.Result{Text: text, Summary: said(v.Lang, "made the tasks of step %s", in.Step)}, err
		},
	}, nil
}

type runTasks struct{ planned }

// Spec implements nebula.Tool.
func (t *runTasks) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "runTasks", Aliases: []string{"task_loop.run", "run_tasks"},
		Description: "Run a step's tasks, or the whole plan, in the background.",
		Params: []nebula.Param{param("step_id", "string", false, ""),
			{Name: "task_list", Type: "array", Schema: []byte(`{"type":"array"}`), Payload: true},
			{Name: "plan_id", Type: "string", Quiet: true}},
		Effect: nebula.Execute,
	}
}

// Propose shows what would be carried out. The person's yes to it approves the plan as it is then; each task goes
// through the gate again by itself.
func (t *runTasks) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Plan  string          `json:"plan_id"`
		Step  string          `json:"step_id"`
		Tasks json.RawMessage `json:"task_list"`
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	run := PlanRun{Plan: in.Plan, Step: in.Step, Tasks: in.Tasks, Why: a.Reason}
	p, text, err := t.plans.Preview(ctx, run)
	if err != nil {
		return nebula.Proposal{}, err
	}
	run.Plan = p.ID
	what := strings.TrimSpace("nebula plan run " + p.ID)
	if in.Step != "" {
		what += " " + in.Step
	}
	return nebula.Proposal{
		Plan:    p.ID, // tasks of a list are held to it, too: what they touch beside it asks
		Effect:  nebula.Execute,
		Summary: said(v.Lang, "carry out %s (%s)", p.Name, amount(v.Lang, len(p.Steps), "step|steps")),
		Command: what,
		Diff:    text,
		Do: func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
			if !r.Grant.Runs() {
				return nebula.Result{}, nebula.ErrNoGrant
			}
			run.By = r.Grant.By
			text, end, err := t.plans.Run(ctx, run)
			if err != nil {
				return nebula.Result{}, err
			}
			out := nebula.Result{Text: text, Summary: phrase.OneLine(text, 200), End: end}
			if end == "" { // the text is for the model
				out.Summary = said(v.Lang, "%s runs in the background", p.Name)
			}
			if end != "" && end != nebula.TurnDone {
				out.Status = nebula.Failed
			}
			if end == nebula.TurnDone {
				out.End = ""
			}
			return out, nil
		},
	}, nil
}
